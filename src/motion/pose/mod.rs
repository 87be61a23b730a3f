//! Poses: the transforms that a motion gives the bones of a skeleton at a moment.
//!
//! A [`Binding`] says which bone each track moves. A [`Poser`] samples the tracks, lays the values over the bones' rest as the motion's
//! [`AnimationType`](super::AnimationType) and [`Dialect`](super::Dialect) say, and walks down the chains.

mod binding;
mod chain;
mod curve;
mod local_keys;
mod poser;
mod rest;

pub use binding::{Binding, NameMatch};
pub use local_keys::{BoneKeys, LocalKeys, TooManySamples};
pub use poser::{Moment, Poser};
pub use rest::AdditiveRotation;
