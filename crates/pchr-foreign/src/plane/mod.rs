//! Motions on 2D characters, and back.
//!
//! A character lies in the x-y plane of a motion's space: x right, y up, turns about z. [`skeleton()`] gives the bones of a character in
//! its bind pose, [`motion_of()`] one of its animations as a motion, and [`apply()`] makes an animation of any motion, whose values it
//! projects on the plane; [`PlaneRule`](crate::motion::PlaneRule) lists the findings about the rest. [`add()`] makes the new document.
//!
//! A motion that [`motion_of()`] made keeps in its custom block what has no place in a plane ([`Extras`]), so that [`apply()`] gives the
//! same animation back, bit for bit. `docs/PLANE.md` has the meaning and the block.
#![deny(clippy::arithmetic_side_effects)]

mod apply;
mod job;
mod motion_of;
mod options;
mod skeleton;

pub use apply::{Applied, add, apply, free_name};
pub use motion_of::{Extras, motion_of};
pub use options::{
    ApplyOptions, MOST_TRANSFORMS, Refused, Report, Resampled, RootMotionUse, Timing,
};
pub use skeleton::skeleton;
