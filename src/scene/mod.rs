//! What is drawn, in which order and from where: plain data that both renderers take.
//!
//! [`Scene`] turns a pose into a [`DrawList`] (meshes back to front), [`Camera2d`] says where the world lies in the
//! picture, [`Bounds`] what the picture must hold. No GPU type is known here.

mod bounds;
mod camera;
mod draw_list;
mod owner;
mod picture;

pub use bounds::{Bounds, BoundsJob};
pub use camera::{Camera2d, FIT_MARGIN};
pub use draw_list::{Draw, DrawList, MeshView, Scene, ViewOptions};
pub use owner::owners;
pub use picture::{Filter, Picture, Samples};
