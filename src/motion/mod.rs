//! Motions of 3D skeletons: keys of bones by name, packed as they came.
//!
//! A motion has no skeleton: tracks name the bones that they move, and parents are a skeleton's. Translations are in the unit of the
//! scene that the motion is brought into (centimetres in older texts), axes are the skeleton's, and rotations are quaternions
//! `x y z w`; [`AnimationType`] says what they are relative to. Frames are counted from 0.
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod keys;
mod layout;
mod model;
mod name;
mod rule;
mod sweep;

pub use check::check;
pub use keys::{IndexWidth, Key, Keys, Precision};
pub(crate) use keys::{KeyFormat, Place};
pub use layout::SeanimLayout;
pub use model::{
    AnimationType, Channel, Channels, Modifier, Motion, Note, Track, TrackKeys, UnwritableKey,
};
pub use name::Name;
pub use rule::SeanimRule;
