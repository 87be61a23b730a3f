//! Texture atlases: pages, and named sprites on them, in the order of their file.
//!
//! Sizes and places are in pixels from the top left; a sprite's source is the picture that it was before empty borders were cut
//! off ("trimmed").
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod fill;
mod flip_book;
mod model;
mod overlap;
mod rule;
mod sprite;
mod sprites;

pub use check::check;
pub use fill::covered_pixels;
pub use flip_book::{FlipBook, flip_books};
pub use model::{Atlas, Page};
pub use rule::PctRule;
pub use sprite::{Rect, Sprite, Trim};
pub use sprites::Sprites;
