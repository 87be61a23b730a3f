//! Poses: the transforms that a motion gives the bones of a skeleton at a moment.
//!
//! A [`Binding`] says which bone each track moves. A [`Poser`] samples the tracks, lays the values over the bones' rest as the motion's
//! [`AnimationType`](super::AnimationType) and [`Dialect`](super::Dialect) say, and walks down the chains.

mod binding;
mod chain;
mod curve;
mod local_keys;
mod moment;
mod on_frames;
mod parent_scale;
mod plan;
mod poser;
mod rest;
mod timed_curve;

pub use binding::{Binding, NameMatch};
pub(crate) use curve::{slerp, unit};
pub use local_keys::{BoneKeys, LocalKeys, TooManySamples};
pub use moment::Moment;
pub(crate) use moment::PlanMoment;
pub use on_frames::Reframed;
pub use parent_scale::{ChangedKeys, ParentScaleChange};
pub(crate) use plan::{PosePlan, Posed, blended};
pub use poser::Poser;
pub use rest::AdditiveRotation;
