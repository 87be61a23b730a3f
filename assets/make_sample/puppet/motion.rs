//! Building blocks of clips: poses, curves over time, legs that find the ground, things that lag behind.

use std::f64::consts::TAU;

use pchr::document::BoneTransform;

use super::pen::snap;
use super::rig::{BONES, Bone, Limb, Rig};

/// Draw orders of the bind pose.
mod layer {
    pub(super) const GROUND: i16 = -100;
    pub(super) const TAIL: i16 = -60;
    pub(super) const TRAIL: i16 = -50;
    pub(super) const ARM_FAR: i16 = -40;
    pub(super) const LEG_FAR: i16 = -30;
    pub(super) const BODY: i16 = 0;
    pub(super) const LEG_NEAR: i16 = 10;
    pub(super) const SCARF_END: i16 = 20;
    pub(super) const ARM_NEAR: i16 = 26;
    pub(super) const SCARF: i16 = 30;
    pub(super) const EARS: i16 = 48;
    pub(super) const HEAD: i16 = 50;
    pub(super) const JAW: i16 = 52;
    pub(super) const EYES: i16 = 54;
    pub(super) const SNOUT: i16 = 56;
    pub(super) const TUFT: i16 = 58;
}

/// Draw order of the far arm in the bind pose: behind the body.
pub(crate) const FAR_ARM_AT_REST: i16 = layer::ARM_FAR;
/// Draw order in front of everything, for a hand before the face.
pub(crate) const IN_FRONT: i16 = 70;
/// Draw order on the body and the near leg, below the scarf.
pub(crate) const ON_BODY: i16 = 24;

/// Difference of one bone from the bind pose.
#[derive(Clone, Copy)]
pub(crate) struct Delta {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Degrees, counter-clockwise.
    pub(crate) turn: f64,
    pub(crate) sx: f64,
    pub(crate) sy: f64,
    pub(crate) visible: bool,
    pub(crate) z: i16,
}

/// The state of the eyes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Open,
    Half,
    Closed,
    Happy,
}

/// Pose of one frame.
pub(crate) struct Pose {
    pub(crate) bones: [Delta; BONES],
}

impl Pose {
    pub(crate) fn rest(rig: &Rig) -> Self {
        let still = Delta { x: 0.0, y: 0.0, turn: 0.0, sx: 1.0, sy: 1.0, visible: true, z: 0 };
        let mut pose = Self { bones: [still; BONES] };
        for joint in &rig.joints {
            pose.bones[joint.bone.index()].z = bind_layer(joint.bone);
        }
        pose.look(Look::Open);
        pose
    }

    pub(crate) fn at(&mut self, bone: Bone) -> &mut Delta {
        &mut self.bones[bone.index()]
    }

    pub(crate) fn turn(&mut self, bone: Bone, degrees: f64) {
        self.at(bone).turn += degrees;
    }

    pub(crate) fn shift(&mut self, bone: Bone, x: f64, y: f64) {
        self.at(bone).x += x;
        self.at(bone).y += y;
    }

    /// Stretches a bone lengthwise and keeps its area.
    pub(crate) fn stretch(&mut self, bone: Bone, along: f64) {
        self.at(bone).sy *= along;
        self.at(bone).sx /= along;
    }

    pub(crate) fn look(&mut self, look: Look) {
        for (bone, state) in [
            (Bone::EyesOpen, Look::Open),
            (Bone::EyesHalf, Look::Half),
            (Bone::EyesClosed, Look::Closed),
            (Bone::EyesHappy, Look::Happy),
        ] {
            self.at(bone).visible = state == look;
        }
    }

    /// Gives all bones of a limb one draw order.
    pub(crate) fn layer(&mut self, limb: &Limb, z: i16) {
        for bone in limb.bones {
            self.at(bone).z = z;
        }
    }

    /// Turns every bone of a chain.
    pub(crate) fn bend(&mut self, bones: &[Bone], degrees: impl Fn(f64) -> f64) {
        for (i, &bone) in bones.iter().enumerate() {
            self.turn(bone, degrees(i as f64));
        }
    }

    /// Bends a leg so that its ankle reaches `ankle` (design space, seen from the root bone) and its foot is `foot` degrees from
    /// flat. The hips must be placed before. The knee points forwards.
    pub(crate) fn plant(&mut self, rig: &Rig, limb: &Limb, ankle: [f64; 2], foot: f64) {
        let hips = self.bones[Bone::Hips.index()];
        let pivot = rig.joint(Bone::Hips).at;
        let [mut a, b, c] = limb.joints;
        let lengths = (distance(a, b), distance(b, c));
        // The thigh may have moved relative to the hips.
        let thigh = self.bones[limb.bones[0].index()];
        a = [a[0] + thigh.x, a[1] + thigh.y];
        let (sin, cos) = hips.turn.to_radians().sin_cos();
        let (dx, dy) = ((a[0] - pivot[0]) * hips.sx, (a[1] - pivot[1]) * hips.sy);
        let hip =
            [pivot[0] + hips.x + dx * cos - dy * sin, pivot[1] + hips.y + dx * sin + dy * cos];
        let (upper, lower) = lengths;
        let wanted = distance(hip, ankle);
        let stretch = (wanted / ((upper + lower) * 0.998)).clamp(1.0, 1.14);
        let (l1, l2) = (upper * stretch, lower * stretch);
        let reach = wanted.min((l1 + l2) * 0.9999).max((l1 - l2).abs() + 1.0);
        let open = ((l1 * l1 + reach * reach - l2 * l2) / (2.0 * l1 * reach))
            .clamp(-1.0, 1.0)
            .acos()
            .to_degrees();
        let bend = ((l1 * l1 + l2 * l2 - reach * reach) / (2.0 * l1 * l2))
            .clamp(-1.0, 1.0)
            .acos()
            .to_degrees()
            - 180.0;
        let aim = (ankle[1] - hip[1]).atan2(ankle[0] - hip[0]).to_degrees() - 90.0;
        let thigh = aim + open;
        let shin = thigh + bend;
        let flat = rig.joint(limb.bones[2]).rotation;
        let mut parent = hips.turn;
        for (bone, world) in limb.bones.into_iter().zip([thigh, shin, flat + foot]) {
            let turn = world - parent - rig.local(bone).rotation;
            self.at(bone).turn = (turn + 540.0).rem_euclid(360.0) - 180.0;
            parent = world;
        }
        self.at(limb.bones[0]).sy = stretch;
        self.at(limb.bones[1]).sy = 1.0;
        // The shin inherits the stretch of the thigh, but the foot must not.
        self.at(limb.bones[2]).sx = 1.0 / stretch;
    }

    pub(crate) fn bake(&self, rig: &Rig) -> Vec<BoneTransform> {
        let bone = |(joint, delta): (&super::rig::Joint, &Delta)| {
            let local = rig.local(joint.bone);
            BoneTransform {
                x: snap(local.at[0] + delta.x),
                y: snap(local.at[1] + delta.y),
                rotation: snap(local.rotation + delta.turn),
                scale_x: snap(delta.sx),
                scale_y: snap(delta.sy),
                flags: u8::from(delta.visible),
                z_order: delta.z,
            }
        };
        rig.joints.iter().zip(&self.bones).map(bone).collect()
    }
}

fn bind_layer(bone: Bone) -> i16 {
    match bone {
        Bone::Ground => layer::GROUND,
        Bone::Tail1 | Bone::Tail2 | Bone::Tail3 | Bone::Tail4 | Bone::Tail5 | Bone::Tail6 => {
            layer::TAIL
        }
        Bone::ScarfTrail1
        | Bone::ScarfTrail2
        | Bone::ScarfTrail3
        | Bone::ScarfTrail4
        | Bone::ScarfTrail5 => layer::TRAIL,
        Bone::ArmFar | Bone::ForearmFar | Bone::HandFar => layer::ARM_FAR,
        Bone::ThighFar | Bone::ShinFar | Bone::FootFar => layer::LEG_FAR,
        Bone::ThighNear | Bone::ShinNear | Bone::FootNear => layer::LEG_NEAR,
        Bone::ScarfEnd1 | Bone::ScarfEnd2 => layer::SCARF_END,
        Bone::ArmNear | Bone::ForearmNear | Bone::HandNear => layer::ARM_NEAR,
        Bone::Scarf => layer::SCARF,
        Bone::EarNear | Bone::EarNearTip | Bone::EarFar | Bone::EarFarTip => layer::EARS,
        Bone::Head => layer::HEAD,
        Bone::Jaw => layer::JAW,
        Bone::Eyes
        | Bone::EyesOpen
        | Bone::EyesHalf
        | Bone::EyesClosed
        | Bone::EyesHappy
        | Bone::Brows => layer::EYES,
        Bone::Snout => layer::SNOUT,
        Bone::Tuft => layer::TUFT,
        Bone::Root | Bone::Hips | Bone::Torso | Bone::Chest | Bone::Neck => layer::BODY,
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// Sine in whole turns: `phase` 0..1 is one turn.
pub(crate) fn wave(phase: f64) -> f64 {
    (phase * TAU).sin()
}

/// Eases through the keys `(time, value)` without overshoot; the curve is flat at turning points and at both ends.
pub(crate) fn keys(time: f64, keys: &[(f64, f64)]) -> f64 {
    let last = keys.len() - 1;
    if time <= keys[0].0 {
        return keys[0].1;
    }
    if time >= keys[last].0 {
        return keys[last].1;
    }
    let slope = |i: usize| (keys[i + 1].1 - keys[i].1) / (keys[i + 1].0 - keys[i].0);
    let tangent = |i: usize| {
        if i == 0 || i == last || slope(i - 1) * slope(i) <= 0.0 {
            return 0.0;
        }
        let (a, b) = (slope(i - 1), slope(i));
        2.0 * a * b / (a + b)
    };
    let i = keys.partition_point(|key| key.0 <= time) - 1;
    let span = keys[i + 1].0 - keys[i].0;
    let t = (time - keys[i].0) / span;
    let (t2, t3) = (t * t, t * t * t);
    keys[i].1 * (2.0 * t3 - 3.0 * t2 + 1.0)
        + tangent(i) * span * (t3 - 2.0 * t2 + t)
        + keys[i + 1].1 * (3.0 * t2 - 2.0 * t3)
        + tangent(i + 1) * span * (t3 - t2)
}

/// Movement of a weight on a spring whose anchor moves by `drive`: it lags and swings past. `hertz` is its own rate at
/// 30 frames per second, `damping` below 1 lets it swing.
pub(crate) fn follow(drive: &[f64], hertz: f64, damping: f64) -> Vec<f64> {
    let rate = TAU * hertz / 30.0;
    let (mut at, mut speed) = (drive[0], 0.0);
    let steps = 8;
    let dt = 1.0 / f64::from(steps);
    let step = |&goal: &f64| {
        for _ in 0..steps {
            speed += (rate * rate * (goal - at) - 2.0 * damping * rate * speed) * dt;
            at += speed * dt;
        }
        at
    };
    drive.iter().map(step).collect()
}

/// A blink that starts at frame `start`.
pub(crate) fn blink(frame: usize, start: usize) -> Option<Look> {
    match frame.checked_sub(start)? {
        0 | 4 => Some(Look::Half),
        1..=3 => Some(Look::Closed),
        _ => None,
    }
}
