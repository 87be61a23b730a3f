//! Bounds of the drawing of a character over many frames.
//!
//! Moving every vertex for every frame is exact but costs frames × vertices. [`BoundsSweep`] gives the same bounds for far
//! less: a frame whose bone boxes ([`rough`]) lie inside the bounds found so far cannot extend them and is skipped;
//! in any other frame a tree of vertex boxes ([`tree`]) leads to the few vertices on the border, and only these are moved.

mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use self::sweep::BoundsSweep;
