//! Transforms down the chains of a skeleton.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "vectors of floating-point numbers"
)]

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::motion::{Bone, ParentScale, Skeleton, Transform};

/// World transform of a bone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct World {
    /// Rotation of the chain, without scales; of length 1.
    rotation: DQuat,
    /// Scales of the chain, number by number.
    scale: DVec3,
    /// The map from the bone's axes to the world.
    pub(super) matrix: DAffine3,
}

impl World {
    const IDENTITY: Self = Self {
        rotation: DQuat::IDENTITY,
        scale: DVec3::ONE,
        matrix: DAffine3::IDENTITY,
    };

    fn below(&self, local: &Transform, parent_scale: ParentScale) -> Self {
        let own = unit(local.rotation);
        let rotation = unit((self.rotation * own).to_array());
        let (translation, own_scale) = (local.translation.into(), DVec3::from(local.scale));
        let scale = self.scale * own_scale;
        let matrix = match parent_scale {
            ParentScale::Inherited => {
                self.matrix * DAffine3::from_scale_rotation_translation(own_scale, own, translation)
            }
            ParentScale::Separate => {
                let place = self.matrix.translation + self.rotation * translation;
                DAffine3::from_scale_rotation_translation(scale, rotation, place)
            }
        };
        Self {
            rotation,
            scale,
            matrix,
        }
    }

    /// Returns translation, rotation and scale. If scales of a chain shear a bone, the scale is how far its axes reach along
    /// themselves.
    pub(super) fn transform(&self, parent_scale: ParentScale) -> Transform {
        Transform {
            translation: self.matrix.translation.into(),
            rotation: self.rotation.into(),
            scale: match parent_scale {
                ParentScale::Inherited => scale_along(self.rotation, self.matrix).into(),
                ParentScale::Separate => self.scale.into(),
            },
        }
    }

    /// Returns the map from the bind pose to this pose, and its parts.
    pub(super) fn skinning(&self, bind: &Self) -> (DAffine3, Transform) {
        let matrix = self.matrix * bind.matrix.inverse();
        let rotation = self.rotation * bind.rotation.inverse();
        let parts = Transform {
            translation: matrix.translation.into(),
            rotation: rotation.into(),
            scale: scale_along(rotation, matrix).into(),
        };
        (matrix, parts)
    }
}

/// Fills `worlds` with the world transform of each bone.
pub(super) fn walk<'a>(
    skeleton: &Skeleton,
    local: impl Fn(usize, &'a Bone) -> Transform,
    bones: &'a [Bone],
    worlds: &mut Vec<World>,
) {
    worlds.clear();
    worlds.resize(bones.len(), World::IDENTITY);
    for index in skeleton.parents_first() {
        let index = *index as usize;
        let Some(bone) = bones.get(index) else {
            continue;
        };
        let parent = bone.parent.and_then(|parent| worlds.get(parent as usize));
        let parent = parent.copied().unwrap_or(World::IDENTITY);
        let world = parent.below(&local(index, bone), skeleton.conventions.parent_scale);
        if let Some(place) = worlds.get_mut(index) {
            *place = world;
        }
    }
}

/// Normalises a rotation. One without length, or with NaN, becomes the identity.
fn unit(rotation: [f64; 4]) -> DQuat {
    let rotation = DQuat::from_array(rotation);
    let length = rotation.length();
    if length > 0.0 && length.is_finite() {
        rotation * length.recip()
    } else {
        DQuat::IDENTITY
    }
}

fn scale_along(rotation: DQuat, matrix: DAffine3) -> DVec3 {
    let axes = DMat3::from_quat(rotation).transpose() * matrix.matrix3;
    DVec3::new(axes.x_axis.x, axes.y_axis.y, axes.z_axis.z)
}
