//! Pictures with names to pages, and the atlas that says where they lie.
//!
//! `picture` cuts empty borders off, finds pictures that are equal, and gives those that belong together one size; `layout` makes
//! grids of equal sizes and finds places for them by `max_rects`; `pack` copies their pixels there.
//! The same pictures in the same order give the same bytes on every machine.

mod layout;
mod max_rects;
mod pack;
mod picture;

#[cfg(test)]
mod tests;

pub use layout::Order;
pub use pack::{Options, PackError, Packed, pack};
pub use picture::Picture;
