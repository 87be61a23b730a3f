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
//! With no features the crate is PCHR v1 and the pose core, and depends on `glam` and `thiserror` only.
//!
//! | feature | adds | modules |
//! | --- | --- | --- |
//! | `png` | decoding of images, and picking | `image`, `scene::PickJob` |
//! | `json` | both JSON dialects and legacy packed files; includes `png` | `format::json` |
//! | `atlas` | texture atlases; includes `png` | `atlas`, `packing`, `sheet` |
//! | `motion` | 3D motions, and motions on 2D characters | `motion`, `acl`, `armature`, `plane` |
//! | `gltf` | skeletons and motions as glTF; includes `json` and `motion` | `format::gltf` |
//! | `raster` | drawing on the CPU; includes `png` | `raster`, `capture` |
//! | `render` | drawing with wgpu; includes `png` | `render`, `capture` |
//! | `threads` | decoding, drawing on the CPU and captures on all cores | – |
//! | `overlay` | debug drawings for both renderers; includes `png` | `overlay` |
//! | `fonts` | names in every script in them; includes `overlay` | `typeface` |
//! | `compare` | how pictures differ; includes `png` | `compare` |
//! | `cli`, `viewer` | the programs | `cli`, `viewer` and others |
//!
//! A program that draws needs `raster` or `render`, and `json` if it reads JSON. The programs' features are the default, so name yours:
//! `default-features = false`.
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
