//! Computes the matrices that move vertices from a frame's packed records.
//!
//! ```text
//! records ──sample──► parent_from_bone ──compose──► world_from_bone ──skin──► world_from_bind
//! ```
//!
//! [`PoseJob`] runs the three steps block by block. [`BindPose`] is the pose in which the vertices are stored, and [`timelines()`]
//! returns the length and rate of a document's animations. Sine and cosine are our own polynomials and no product is fused, so a
//! pose has the same bits on every machine.

mod affine;
mod bind;
mod block;
mod find_bind;
mod job;
mod local;
mod sample;
mod sin_cos;
mod skin;
mod timelines;

pub use affine::{Affine, IDENTITY, affine2, from_affine2, inverse, multiply, transform_point};
pub use bind::{BindChoice, BindPose, BindSource};
#[cfg(feature = "motion")]
pub(crate) use find_bind::is_bind_name;
pub use job::{Pose, PoseJob};
pub use local::LocalPose;
pub use skin::{skin_mesh, skin_point};
pub use timelines::{default_animation, playback_fps, timeline, timelines};

pub use crate::playback::{FrameAt, Mix};
