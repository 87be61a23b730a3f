//! Computes the matrices that move vertices from a frame's packed records.
//!
//! ```
//! use pchr::format;
//! use pchr::playback::FrameAt;
//! use pchr::pose::{BindChoice, BindPose, LocalPose, Pose, PoseJob};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Once for each character: the file, and the pose that its vertices are stored in.
//! let fox = format::read(std::fs::read("../../assets/sample.pchr")?)?;
//! let bind = BindPose::new(&fox, BindChoice::Auto);
//! let walk = fox.animation_named("walk").ok_or("no walk")?;
//! let head = fox.bone_named("head").ok_or("no head")?;
//! let scarf = fox.mesh_named("scarf_wrap").and_then(|id| fox.mesh(id)).ok_or("no scarf")?;
//!
//! // For each picture: the palette, for a shader or another engine: eight numbers per bone.
//! let at = FrameAt::exact(walk, 7);
//! let mut pose = Pose::default();
//! PoseJob { document: &fox, bind: &bind, at: Some(at), mix: None }.run(&mut pose);
//! let palette: &[f32] = pose.world_from_bind().as_flattened().as_flattened();
//! assert_eq!(palette.len(), 8 * fox.bones().len());
//!
//! // Places in the world: a hat 80 pixels along the head's bone, and the vertices of a mesh.
//! let hat = pose.attached(head, [0.0, 80.0]).ok_or("no head")?;
//! let mut points = Vec::new();
//! pose.place(&scarf, &mut points);
//! assert_eq!(points.len(), scarf.vertex_count());
//!
//! // Bones that the game moves, beside those that the animation does.
//! let mut locals = LocalPose::default();
//! locals.sample(&fox, at);
//! if let Some(head) = locals.get_mut(head) {
//!     head.rotation += 20.0;
//! }
//! pose.set_locals(&bind, &locals);
//! assert_ne!(pose.attached(head, [0.0, 80.0]), Some(hat));
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! records ──sample──► parent_from_bone ──compose──► world_from_bone ──skin──► world_from_bind
//! ```
//!
//! [`PoseJob`] runs the three steps for one moment, [`Palettes`] for many. [`BindPose`] is the pose in which the vertices are stored, and [`timelines()`]
//! returns the length and rate of a document's animations. Sine and cosine are our own polynomials and no product is fused, so a
//! pose has the same bits on every machine.

mod arithmetic;
mod bind;
mod find_bind_and_default_animation;
mod job;
mod palettes;
mod sample;

pub use arithmetic::{Affine, IDENTITY, affine2, from_affine2, inverse, multiply, transform_point};
pub use bind::{BindChoice, BindPose, BindSource};
pub use find_bind_and_default_animation::{default_animation, is_bind_name};
pub use job::{Pose, PoseJob, parent_from_bone, skin_point};
pub use palettes::Palettes;
pub use sample::{LocalPose, playback_fps, timelines};

pub(crate) use sample::blended;

pub use crate::playback::{FrameAt, Mix};
