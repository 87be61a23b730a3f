//! Text in every script, as small masks of coverage.
//!
//! Lines are ordered, shaped and drawn here, from font files alone: the same files give the same bits on each machine.

mod catalogue;
mod cff;
mod clean;
mod cluster;
mod coverage;
mod effort;
mod error;
mod face;
mod folders;
mod fonts;
mod glyf;
mod group;
mod line;
mod names;
mod outline;
mod preference;
mod writing;

pub use error::FontError;
pub use fonts::Fonts;
pub use line::{Line, MAX_PIXELS, MIN_PIXELS};
pub use names::WrittenNames;
