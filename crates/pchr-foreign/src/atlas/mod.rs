//! Texture atlases: pages, and named sprites on them, in the order of their file.
//!
//! Sizes and places are in pixels from the top left; a sprite's source is the picture that it was before empty borders were cut
//! off ("trimmed").
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod flip_book;
mod model;
mod rule;

pub use check::{check, covered_pixels};
pub use flip_book::{FlipBook, flip_books};
pub use model::{Atlas, Page, Rect, Sprite, Sprites, Trim};
pub use rule::PctRule;
