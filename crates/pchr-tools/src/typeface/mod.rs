//! Text in every script, as small masks of coverage.
//!
//! Lines are ordered, shaped and drawn here, from font files alone: the same files give the same bits on each machine.

mod catalogue;
mod clusters;
mod face;
mod folders;
mod fonts;
mod line;
mod outline;

pub use face::FontError;
pub use fonts::{Fonts, WrittenNames};
pub use line::{Line, MAX_PIXELS, MIN_PIXELS};
