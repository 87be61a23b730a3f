//! Motions of 3D skeletons, packed as in their file, and skeletons.
//!
//! A [`Motion`] has no skeleton: its tracks name the bones that they move, or have their indices. Tracks have sparse keys on
//! frames, keys at times of their own ([`TimedTrack`]), or are sampled on every frame ([`Sampled`]); [`AnimationType`] says what the values are relative to, [`Conventions`] their axes and unit.
//! Rotations are quaternions `x y z w`. Frames are counted from 0. A [`Skeleton`] has the parents, and transforms at rest.
#![deny(clippy::arithmetic_side_effects)]

mod check;
mod keys;
mod model;
mod pose;
mod rule;
mod skeleton;
mod track;

pub use check::check;
pub use keys::{Channel, Channels, IndexWidth, Key, Keys, Precision};
pub use model::{
    AnimationType, Dialect, Modifier, Motion, Note, PxdLayout, SeanimLayout, UnwritableKey,
};
pub use pchr::scene::{Transform, Unit, UpAxis};
pub use pose::{
    AdditiveRotation, Binding, BoneKeys, ChangedKeys, LocalKeys, Moment, NameMatch,
    ParentScaleChange, Poser, Reframed, TooManySamples,
};
pub use rule::{ArmatureRule, PlaneRule, SeanimRule};
pub use skeleton::{Bone, InvalidParent, Skeleton};
pub use track::{
    Interpolation, Name, RootMotion, Sampled, Target, TimedKeys, TimedTrack, Track, TrackKeys,
};

pub(crate) use check::{KeyPart, KeyRules, SEANIM_CHANNELS, check_keys};
pub(crate) use keys::{KeyFormat, LENGTH_TOLERANCE, Place, number_of, same_bits};
pub(crate) use model::{StatedDuration, pack_key};
pub(crate) use pose::{PlanMoment, PosePlan, Posed, blended, slerp, unit};
pub(crate) use track::{frame_after, frame_at, repeated};

/// Axes, unit and chain of scales that a file's transforms mean. The default applies to a file that states none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// The axis that points up.
    pub up: UpAxis,
    /// Unit of translations.
    pub unit: Unit,
    /// Effect of a bone's scale on its children.
    pub parent_scale: ParentScale,
}

impl Conventions {
    /// Conventions of PXD.
    pub const PXD: Self =
        Self { up: UpAxis::Y, unit: Unit::Metres, parent_scale: ParentScale::Separate };

    /// Conventions of glTF.
    pub const GLTF: Self =
        Self { up: UpAxis::Y, unit: Unit::Metres, parent_scale: ParentScale::Inherited };
}

/// Effect of a bone's scale on its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParentScale {
    /// It is part of the matrices down the chain: children move and grow with it, as in glTF.
    #[default]
    Inherited,
    /// It moves no child: rotation and translation come from the unscaled chain. The scale of a bone is the product of all scales up
    /// its chain, number by number, in the bone's own axes; as in PXD.
    Separate,
}
