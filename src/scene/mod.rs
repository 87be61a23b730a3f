//! What is drawn, in which order and from where: plain data that both renderers take.
//!
//! [`Scene`] turns a pose into a [`DrawList`] (meshes back to front), [`Camera2d`] says where the world lies in the
//! picture, [`Bounds`] what the picture must hold, [`PickJob`] what lies under a point of it, and [`WorkJob`] whether it can be
//! drawn in good time. No GPU type is known here.

mod bounds;
mod camera;
mod draw_list;
mod overlay;
mod owner;
#[cfg(feature = "png")]
mod pick;
mod picture;
mod work;

pub use bounds::{Bounds, BoundsJob, BoundsSweep, distinct_frames};
pub use camera::{Camera2d, FIT_MARGIN};
pub use draw_list::{Draw, DrawList, MeshView, Scene, ViewOptions};
pub use overlay::{Overlay, OverlayVertex};
pub use owner::owners;
#[cfg(feature = "png")]
pub use pick::{PICK_ALPHA, Pick, PickJob, PickScratch};
pub use picture::{Filter, Picture, Samples};
pub use work::{TooMuchWork, WorkJob};
