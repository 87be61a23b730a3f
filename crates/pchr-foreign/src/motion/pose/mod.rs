//! Poses: the transforms that a motion gives the bones of a skeleton at a moment.
//!
//! A [`Binding`] says which bone each track moves. A [`Poser`] samples the tracks, lays the values over the bones' rest as the motion's
//! [`AnimationType`](super::AnimationType) and [`Dialect`](super::Dialect) say, and walks down the chains.

mod binding;
mod curve;
mod local_keys;
mod parent_scale;
mod poser;

pub use binding::{AdditiveRotation, Binding, NameMatch};
pub use curve::Moment;
pub use local_keys::{BoneKeys, LocalKeys, Reframed, TooManySamples};
pub use parent_scale::{ChangedKeys, ParentScaleChange};
pub use poser::Poser;

pub(crate) use curve::{PlanMoment, slerp, unit};
pub(crate) use poser::{PosePlan, Posed, blended};
