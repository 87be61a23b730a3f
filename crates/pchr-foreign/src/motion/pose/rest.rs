//! Values of a motion combined with the rest pose of a bone.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "vectors of floating-point numbers"
)]

use glam::{DQuat, DVec3};

use crate::motion::{AnimationType, Dialect, Motion, Transform};

/// Reading of rotations in additive SEAnim motions, about which programs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdditiveRotation {
    /// They follow the rest rotation: `rest * key`, as in Maya's importer.
    #[default]
    OnRest,
    /// They replace the rest rotation, as in Blender's importer.
    Absolute,
}

/// Values of a bone's channels; `None` where the motion has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values {
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
}

/// The meaning of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) kind: AnimationType,
    pub(super) dialect: Dialect,
    pub(super) additive: AdditiveRotation,
    /// Scale of a bone that an additive clip does not change.
    pub(super) neutral_scale: f64,
}

impl Meaning {
    /// Values are local transforms.
    pub(super) const LOCAL: Self = Self {
        kind: AnimationType::Absolute,
        dialect: Dialect::Seanim,
        additive: AdditiveRotation::OnRest,
        neutral_scale: 0.0,
    };

    /// Returns the meaning of a motion's values for a bone of type `kind`.
    pub(super) fn of(motion: &Motion, kind: AnimationType, additive: AdditiveRotation) -> Self {
        let sampled = motion.sampled();
        Self {
            kind,
            dialect: motion.dialect,
            additive,
            neutral_scale: sampled.map_or(0.0, |it| it.clip.default_scale().into()),
        }
    }

    /// Returns the local transform of a bone with rest transform `rest`.
    pub(super) fn over(self, rest: &Transform, values: Values) -> Transform {
        let moved = |value: Option<[f64; 3]>| match value {
            Some(value) => (DVec3::from(rest.translation) + DVec3::from(value)).into(),
            None => rest.translation,
        };
        let turned = |value: Option<[f64; 4]>| match value {
            Some(value) => (DQuat::from_array(rest.rotation) * DQuat::from_array(value)).into(),
            None => rest.rotation,
        };
        let translation = values.translation.unwrap_or(rest.translation);
        let rotation = values.rotation.unwrap_or(rest.rotation);
        match (self.dialect, self.kind) {
            (Dialect::Pxd, AnimationType::Additive) => {
                let grown = values.scale.map_or(rest.scale, |value| {
                    let factor = DVec3::from(value) + (1.0 - self.neutral_scale);
                    (DVec3::from(rest.scale) * factor).into()
                });
                Transform {
                    translation: moved(values.translation),
                    rotation: turned(values.rotation),
                    scale: grown,
                }
            }
            (Dialect::Pxd, _) => Transform {
                translation,
                rotation,
                scale: values.scale.unwrap_or([1.0; 3]),
            },
            (Dialect::Seanim, AnimationType::Absolute | AnimationType::Unknown(_)) => Transform {
                translation,
                rotation,
                scale: values.scale.unwrap_or(rest.scale),
            },
            (Dialect::Seanim, AnimationType::Relative | AnimationType::Delta) => Transform {
                translation: moved(values.translation),
                rotation,
                scale: values.scale.unwrap_or(rest.scale),
            },
            (Dialect::Seanim, AnimationType::Additive) => Transform {
                translation: moved(values.translation),
                rotation: match self.additive {
                    AdditiveRotation::OnRest => turned(values.rotation),
                    AdditiveRotation::Absolute => rotation,
                },
                scale: values.scale.unwrap_or(rest.scale),
            },
        }
    }
}
