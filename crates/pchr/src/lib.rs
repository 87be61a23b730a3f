#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

/// The crate of matrices in [`scene`] and [`render`], in the version that they take.
pub use glam;
/// The graphics crate of [`render`], in the version that it uses.
#[cfg(feature = "render")]
pub use wgpu;

pub mod bytes;
pub mod character;
#[cfg(feature = "raster")]
pub mod compare;
#[cfg(feature = "raster")]
pub mod diff;
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

pub use character::Character;
pub use format::read;
#[cfg(feature = "png")]
pub use image::Pixels;
pub use playback::Player;
#[cfg(feature = "raster")]
pub use raster::{Raster, RasterModel};
#[cfg(feature = "render")]
pub use render::Renderer;
pub use scene::{Camera2d, Frame, Picture};

// Code shared with the tests in `tests/` names the crate from outside.
#[cfg(test)]
extern crate self as pchr;
#[cfg(test)]
#[path = "../../../tests/support/fixture.rs"]
mod fixture;
