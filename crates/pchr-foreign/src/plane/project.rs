//! Local transforms projected on the plane, and how far they leave it.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "floating-point numbers alone"
)]

use glam::{DQuat, DVec3};

use pchr::document::BoneTransform;

use super::extras::Extra;
use super::turn::{self, join};
use crate::motion::Transform;

/// Local transform of a bone that the movement of the whole model is added to.
pub(super) fn below_root(root: &Transform, local: &Transform) -> Transform {
    let turned = DQuat::from_array(root.rotation);
    let scale = DVec3::from(root.scale);
    let place = turned * (scale * DVec3::from(local.translation)) + DVec3::from(root.translation);
    Transform {
        translation: place.into(),
        rotation: (turned * DQuat::from_array(local.rotation)).into(),
        scale: (scale * DVec3::from(local.scale)).into(),
    }
}

/// Projects transforms on the plane.
#[derive(Debug)]
pub(super) struct Projector {
    /// Factor of translations.
    pub(super) scale: f64,
    /// True if a scale moves no child in the motion.
    pub(super) is_scale_separate: bool,
    pub(super) depth: Worst,
    pub(super) tilt: Worst,
    pub(super) scale_depth: Worst,
    pub(super) parent_scale: Worst,
    pub(super) not_finite: Worst,
}

/// A bone to project.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projected<'a> {
    pub(super) bone: usize,
    /// Frame of the motion.
    pub(super) frame: u32,
    pub(super) local: &'a Transform,
    /// The bind pose, and its rotation.
    pub(super) rest: &'a BoneTransform,
    pub(super) rest_rotation: [f64; 4],
    pub(super) extra: Option<Extra>,
    pub(super) has_children: bool,
}

impl Projector {
    /// Less far from the plane is in it: pixels, degrees, parts of a scale.
    const NEAR: f64 = 1e-3;

    pub(super) fn new(scale: f64, is_scale_separate: bool) -> Self {
        Self {
            scale,
            is_scale_separate,
            depth: Worst::default(),
            tilt: Worst::default(),
            scale_depth: Worst::default(),
            parent_scale: Worst::default(),
            not_finite: Worst::default(),
        }
    }

    pub(super) fn project(&mut self, it: Projected<'_>) -> BoneTransform {
        let Projected {
            bone,
            frame,
            local,
            rest,
            ..
        } = it;
        let still = BoneTransform::default();
        let mut is_odd = false;
        #[expect(clippy::cast_possible_truncation, reason = "transforms have 32 bits")]
        let mut single = |value: f64, neutral: f32| {
            let value = value as f32;
            is_odd |= !value.is_finite();
            if value.is_finite() { value } else { neutral }
        };
        let [x, y, z] = local.translation.map(|value| value * self.scale);
        let [scale_x, scale_y, scale_z] = local.scale;
        let (x, y) = (single(x, still.x), single(y, still.y));
        let scale_x_single = single(scale_x, still.scale_x);
        let scale_y_single = single(scale_y, still.scale_y);
        single(z, 0.0);
        single(scale_z, 1.0);
        let turn = turn::turn(local.rotation);
        is_odd |= turn.is_none();
        let turns = it.extra.map_or(0, |extra| extra.turns);
        let rotation = match turn {
            // Untouched, so with all turns that the bind pose has.
            _ if it.extra.is_none() && is_same(local.rotation, it.rest_rotation) => rest.rotation,
            Some(turn) => join(turns, turn.degrees),
            None => still.rotation,
        };
        let meet = |worst: &mut Worst, far: f64, value: f64| {
            if far.is_finite() && far > Self::NEAR {
                worst.meet(far, value, bone, frame);
            }
        };
        meet(&mut self.depth, z.abs(), z);
        let tilt = turn.map_or(0.0, |turn| turn.tilt);
        meet(&mut self.tilt, tilt, tilt);
        meet(&mut self.scale_depth, (scale_z - 1.0).abs(), scale_z);
        if self.is_scale_separate && it.has_children {
            for scale in [scale_x, scale_y] {
                meet(&mut self.parent_scale, (scale - 1.0).abs(), scale);
            }
        }
        if is_odd {
            self.not_finite.meet(1.0, 1.0, bone, frame);
        }
        BoneTransform {
            x,
            y,
            rotation,
            scale_x: scale_x_single,
            scale_y: scale_y_single,
            flags: it.extra.map_or(rest.flags, |extra| extra.flags),
            z_order: it.extra.map_or(rest.z_order, |extra| extra.z_order),
        }
    }
}

fn is_same(a: [f64; 4], b: [f64; 4]) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}

/// The place where something goes farthest.
#[derive(Clone, Debug, Default)]
pub(super) struct Worst {
    far: f64,
    pub(super) value: f64,
    pub(super) bone: usize,
    pub(super) frame: u32,
    /// Number of transforms.
    pub(super) times: u64,
    bones: Vec<bool>,
}

impl Worst {
    fn meet(&mut self, far: f64, value: f64, bone: usize, frame: u32) {
        if far > self.far {
            (self.far, self.value, self.bone, self.frame) = (far, value, bone, frame);
        }
        self.times = self.times.saturating_add(1);
        if self.bones.len() <= bone {
            self.bones.resize(bone.saturating_add(1), false);
        }
        if let Some(met) = self.bones.get_mut(bone) {
            *met = true;
        }
    }

    /// Number of bones.
    pub(super) fn bones(&self) -> usize {
        self.bones.iter().filter(|met| **met).count()
    }
}
