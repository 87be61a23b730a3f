//! 3D motions and skeletons: what `pchr convert` makes of them.

mod apply;
mod convert;
mod rig;
pub(super) mod skeleton;
mod target;

use clap::ValueEnum;

pub(super) use apply::{Applied, Apply};
pub(super) use convert::Convert;
pub(super) use rig::Rig;
pub(super) use target::Target;

use pchr_foreign::motion::AdditiveRotation;

/// Reading of rotations in additive motions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Additive {
    /// On top of the rest rotation, as Maya's importer does
    #[default]
    OnRest,
    /// In place of the rest rotation, as Blender's importer does
    Absolute,
}

impl Additive {
    pub(super) const fn rotation(self) -> AdditiveRotation {
        match self {
            Self::OnRest => AdditiveRotation::OnRest,
            Self::Absolute => AdditiveRotation::Absolute,
        }
    }
}
