//! From a frame's packed records to the matrices that move vertices.
//!
//! ```text
//! records ──sample──► parent_from_bone ──compose──► world_from_bone ──skin──► world_from_bind
//! ```
//!
//! [`PoseJob`] runs the three steps block by block. [`BindPose`] says which pose the vertices are stored in, and
//! [`timelines()`] how long and how fast a document's animations play. Sine and cosine are polynomials of our own and no
//! product is fused, so a pose has the same bits on every machine.

mod affine;
mod bind;
mod block;
mod find_bind;
mod job;
mod sample;
mod sin_cos;
mod skin;
mod timelines;

pub use affine::{Affine, IDENTITY, inverse, multiply, transform_point};
pub use bind::{BindChoice, BindPose, BindSource};
#[cfg(feature = "motion")]
pub(crate) use find_bind::is_bind_name;
pub use job::{Pose, PoseJob};
pub use skin::{skin_mesh, skin_point};
pub use timelines::{default_animation, playback_fps, timeline, timelines};

pub use crate::playback::FrameAt;
