//! Reads, poses and draws PCHR: a compact binary format for 2D skeletal animation.
//!
//! The data flows one way, and each arrow is a module:
//!
//! ```text
//! bytes ──format::read──► Document ──pose──► Pose ──scene──► DrawList ──raster / render──► pixels
//! ```
//!
//! `render`, `raster`, `pose` and `playback` open with examples. `docs/EMBEDDING.md` describes, for engines in any language, layouts,
//! spaces, blending and order.
//!
//! # Promises
//!
//! - No `unsafe`, no panic on any input, no allocation by a number that the file claims and does not hold.
//! - A [`document::Document`] can only be made by the checker: every index in it is valid.
//! - The same inputs give the same bytes: no file system, clock, hash order or globals.
//!
//! # Features
//!
//! With no features the crate is PCHR v1 and the pose core, and depends on `glam`, `libm` and `thiserror` only.
//!
//! | feature | adds | modules |
//! | --- | --- | --- |
//! | `png` | decoding of images, and picking | `image`, `scene::PickJob` |
//! | `json` | both JSON dialects and legacy packed files; includes `png` | `format::json` |
//! | `raster` | drawing on the CPU; includes `png` | `raster` |
//! | `render` | drawing with wgpu; includes `png` | `render` |
//! | `threads` | decoding and drawing on the CPU on all cores | – |
//! | `overlay` | debug drawings for both renderers; includes `png` | `overlay` |
//! | `compare` | how pictures differ; includes `png` | `compare` |
//!
//! The default is `json`, `overlay` and `raster`.
#![forbid(unsafe_code)]

/// The crate of matrices in [`scene`] and [`render`], in the version that they take.
pub use glam;
/// The graphics crate of [`render`], in the version that it uses.
#[cfg(feature = "render")]
pub use wgpu;

pub mod bytes;
pub mod character;
#[cfg(feature = "compare")]
pub mod compare;
pub mod document;
pub mod finding;
pub mod format;
#[cfg(feature = "png")]
pub mod image;
#[cfg(feature = "overlay")]
pub mod overlay;
pub mod playback;
pub mod pose;
#[cfg(feature = "raster")]
pub mod raster;
#[cfg(feature = "render")]
pub mod render;
pub mod scene;

// Code shared with the tests in `tests/` names the crate from outside.
#[cfg(test)]
extern crate self as pchr;
#[cfg(test)]
#[path = "../../../tests/support/fixture.rs"]
mod fixture;
