//! 3D motions and skeletons: what `pchr convert` makes of them.

mod apply;
mod convert;
pub(super) mod rig;

use clap::builder::TypedValueParser;

use pchr_foreign::motion::AdditiveRotation;

pub(super) use apply::{AppliedMotions, Apply};
pub(super) use convert::{Convert, Target};
pub(super) use rig::Rig;

/// Returns a parser of the reading of rotations in additive motions.
pub(super) fn additive() -> impl TypedValueParser<Value = AdditiveRotation> {
    super::one_of([
        (
            "on-rest",
            "On top of the rest rotation, as Maya's importer does",
            AdditiveRotation::OnRest,
        ),
        (
            "absolute",
            "In place of the rest rotation, as Blender's importer does",
            AdditiveRotation::Absolute,
        ),
    ])
}
