//! Motions on 2D characters, and back.
//!
//! A character lies in the x-y plane of a motion's space: x right, y up, turns about z. [`skeleton()`] gives the bones of a character in
//! its bind pose, [`motion_of()`] one of its animations as a motion, and [`apply()`] makes an animation of any motion, whose values it
//! projects on the plane; [`PlaneRule`](crate::motion::PlaneRule) lists the findings about the rest. [`add()`] makes the new document.
//!
//! A motion that [`motion_of()`] made gives the same numbers back, bit for bit; what has no place in a motion is listed. `docs/PLANE.md`
//! has the meaning.
#![deny(clippy::arithmetic_side_effects)]

mod apply;
mod character;
mod job;
mod options;

pub use apply::{Applied, add, apply, free_name};
pub use character::{motion_of, skeleton};
pub use options::{
    ApplyOptions, MOST_TRANSFORMS, Refused, Report, Resampled, RootMotionUse, Timing,
};
