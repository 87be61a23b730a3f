//! Pictures with names to pages, and the atlas that says where they lie.
//!
//! `picture` cuts empty borders off, `same` finds pictures that are equal, `boxes` gives those that belong together one size,
//! `blocks` makes grids of equal sizes, `layout` finds places for them by `max_rects`, and `draw` copies their pixels there.
//! The same pictures in the same order give the same bytes on every machine.

mod blocks;
mod boxes;
mod draw;
mod layout;
mod max_rects;
mod pack;
mod picture;
mod same;

#[cfg(test)]
mod tests;

pub use layout::Order;
pub use pack::{Options, PackError, Packed, pack};
pub use picture::Picture;
