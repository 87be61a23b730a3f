//! Motions of 3D skeletons, packed as in their file, and skeletons.
//!
//! A [`Motion`] has no skeleton: its tracks name the bones that they move, or have their indices. Tracks have sparse keys on
//! frames, keys at times of their own ([`TimedTrack`]), or are sampled on every frame ([`Sampled`]); [`AnimationType`] says what the values are relative to, [`Conventions`] their axes and unit.
//! Rotations are quaternions `x y z w`. Frames are counted from 0. A [`Skeleton`] has the parents, and transforms at rest.
#![deny(clippy::arithmetic_side_effects)]

mod armature_rule;
mod channel;
mod check;
mod check_keys;
mod frames;
mod keys;
mod layout;
mod model;
mod name;
mod plane_rule;
mod pose;
mod rule;
mod sampled;
mod skeleton;
mod sweep;
mod timed;
mod track;
mod transform;

pub use armature_rule::ArmatureRule;
pub use channel::{Channel, Channels};
pub use check::check;
pub(crate) use check_keys::{KeyPart, KeyRules, check_keys};
pub(crate) use frames::{frame_after, frame_at};
pub use keys::{IndexWidth, Key, Keys, Precision};
pub(crate) use keys::{KeyFormat, Place};
pub(crate) use layout::StatedDuration;
pub use layout::{PxdLayout, SeanimLayout};
pub use model::{AnimationType, Dialect, Modifier, Motion, Note, UnwritableKey};
pub use name::Name;
pub use plane_rule::PlaneRule;
pub use pose::{
    AdditiveRotation, Binding, BoneKeys, ChangedKeys, LocalKeys, Moment, NameMatch,
    ParentScaleChange, Poser, Reframed, TooManySamples,
};
pub(crate) use pose::{PlanMoment, PosePlan, Posed, blended};
pub(crate) use pose::{slerp, unit};
pub use rule::SeanimRule;
pub use sampled::Sampled;
pub use skeleton::{Bone, InvalidParent, Skeleton};
pub(crate) use sweep::LENGTH_TOLERANCE;
pub use timed::{Interpolation, TimedKeys, TimedTrack};
pub use track::{RootMotion, Target, Track, TrackKeys};
pub use transform::{Conventions, ParentScale, Transform, Unit, UpAxis};
