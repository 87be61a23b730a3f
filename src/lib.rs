//! Reads, poses, draws and captures PCHR: a compact binary format for 2D skeletal animation.
//!
//! The data flows one way, and each arrow is a module:
//!
//! ```text
//! bytes ──format::read──► Document ──pose──► Pose ──scene──► DrawList ──raster / render──► pixels ──capture──► files
//! ```
//!
//! `render`, `raster`, `pose` and `playback` open with examples. `docs/EMBEDDING.md` describes, for engines in any language, layouts,
//! spaces, blending and order.
//!
//! # Promises
//!
//! - No `unsafe`, no panic on any input, no allocation by a number that the file claims and does not hold.
//! - A [`document::Document`] can only be made by the checker: every index in it is valid.
//! - The same inputs give the same bytes: no clock, no hash order, no globals below the programs.
//!
//! # Features
//!
//! With no features the crate is the format and the pose core, and depends on `glam` and `thiserror` only.
//! `png` decodes images, `threads` does so on all cores, `raster` draws them on the CPU, `render` on the GPU, `overlay` makes debug drawings for both,
//! `compare` measures how pictures differ; `motion` reads 3D motions; `cli` and `viewer` make the programs.
#![forbid(unsafe_code)]

/// The crate of matrices in [`scene`] and [`render`], in the version that they take.
pub use glam;
/// The graphics crate of [`render`], in the version that it uses.
#[cfg(feature = "render")]
pub use wgpu;

#[cfg(feature = "motion")]
pub mod acl;
#[cfg(feature = "motion")]
pub mod armature;
#[cfg(feature = "atlas")]
pub mod atlas;
pub mod bytes;
pub mod character;
pub mod document;
pub mod finding;
pub mod format;
#[cfg(feature = "motion")]
pub mod motion;
#[cfg(feature = "motion")]
pub mod plane;
pub mod playback;
pub mod pose;
pub mod scene;

#[cfg(feature = "compare")]
pub mod compare;
#[cfg(feature = "png")]
pub mod image;
#[cfg(feature = "overlay")]
pub mod overlay;
#[cfg(feature = "atlas")]
pub mod packing;
#[cfg(feature = "raster")]
pub mod raster;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "atlas")]
pub mod sheet;
#[cfg(feature = "fonts")]
pub mod typeface;

#[cfg(any(
    feature = "cli",
    feature = "raster",
    feature = "render",
    feature = "viewer"
))]
mod file_name;

#[cfg(any(feature = "raster", feature = "render"))]
pub mod capture;

#[cfg(any(feature = "cli", feature = "viewer"))]
pub mod files;
#[cfg(any(feature = "cli", feature = "viewer"))]
pub mod open;
#[cfg(any(feature = "cli", feature = "viewer"))]
pub mod text;

#[cfg(feature = "cli")]
mod run;
#[cfg(all(feature = "cli", feature = "raster"))]
mod suite;
#[cfg(any(all(feature = "cli", feature = "raster"), feature = "viewer"))]
pub mod view;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "viewer")]
pub mod viewer;

#[cfg(all(feature = "cli", feature = "raster"))]
pub mod program;

// Code shared with the tests in `tests/` names the crate from outside.
#[cfg(test)]
extern crate self as pchr_view;
#[cfg(test)]
#[path = "../tests/support/fixture.rs"]
mod fixture;
#[cfg(test)]
#[cfg_attr(
    not(feature = "viewer"),
    allow(dead_code, reason = "the window tests it")
)]
#[path = "../examples/own_content/quads.rs"]
mod quads;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
