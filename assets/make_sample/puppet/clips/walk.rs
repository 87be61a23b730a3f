//! Walking on the spot: a foot on the ground moves back at a steady speed, like the ground itself.

use crate::puppet::motion::{FAR_ARM_AT_REST, ON_BODY, Pose, blink, keys, wave};
use crate::puppet::rig::{
    ARM_FAR, ARM_NEAR, Bone, LEG_FAR, LEG_NEAR, Limb, Rig, SCARF_END, TAIL, TRAIL,
};

const FRAMES: usize = 28;
/// Half the length of a step.
const STRIDE: f64 = 50.0;
/// Share of the cycle during which a foot is on the ground.
const STANCE: f64 = 0.56;
/// Points of the sole relative to the ankle, from heel to toe.
const SOLE: [[f64; 2]; 5] =
    [[-13.0, -17.5], [-2.0, -19.0], [20.0, -19.0], [36.0, -18.5], [42.0, -11.0]];
/// Line close to which both feet walk, on whichever side of the hips they hang.
const FOOT_LINE: f64 = 8.0;

pub(super) fn frames(rig: &Rig) -> Vec<Pose> {
    (0..FRAMES).map(|frame| at(rig, frame)).collect()
}

fn at(rig: &Rig, frame: usize) -> Pose {
    let mut pose = Pose::rest(rig);
    // At t = 0 the near heel touches down.
    let t = frame as f64 / FRAMES as f64;
    let step = |lag: f64| wave(t - lag);
    let bob = |lag: f64| wave(2.0 * (t - lag));

    pose.shift(Bone::Hips, 2.0 + 1.4 * bob(0.1), -5.0 + 3.6 * bob(0.15));
    pose.turn(Bone::Hips, -3.0 - 2.2 * step(-0.25));
    pose.turn(Bone::Torso, -2.5 + 2.2 * step(-0.22) + 0.8 * bob(0.1));
    pose.turn(Bone::Chest, -1.5 + 3.0 * step(-0.20));
    pose.stretch(Bone::Torso, 1.0 + 0.022 * bob(0.17));
    pose.turn(Bone::Neck, 2.0 - 1.2 * step(-0.2));
    pose.turn(Bone::Head, 4.0 - 2.0 * step(-0.16) - 2.0 * bob(0.28));
    pose.shift(Bone::Head, 1.5, 1.3 * bob(0.22));
    pose.turn(Bone::Tuft, 7.0 * bob(0.36));
    pose.turn(Bone::EarNear, 4.0 + 5.0 * bob(0.34));
    pose.turn(Bone::EarNearTip, 3.0 + 7.0 * bob(0.42));
    pose.turn(Bone::EarFar, 3.0 + 4.5 * bob(0.36));
    pose.turn(Bone::EarFarTip, 3.0 + 6.0 * bob(0.44));
    pose.shift(Bone::Brows, 0.0, 0.8 * bob(0.3));
    blink(frame, 19).into_iter().for_each(|look| pose.look(look));

    leg(&mut pose, rig, &LEG_NEAR, t);
    leg(&mut pose, rig, &LEG_FAR, t + 0.5);

    // Arms swing opposite to the legs. The far hand passes behind the body on its way back and in front of it on its way forward.
    arm(&mut pose, &ARM_NEAR, 8.0 + 31.0 * wave(t + 0.75), t + 0.5);
    arm(&mut pose, &ARM_FAR, 17.0 + 25.0 * wave(t + 0.25), t);
    let forward = |arm: f64| wave(arm + 0.25) > 0.0;
    pose.layer(&ARM_FAR, if forward(t) { ON_BODY } else { FAR_ARM_AT_REST });

    pose.bend(&TAIL, |i| {
        3.0 - 1.2 * i + (2.2 + 1.3 * i) * wave(2.0 * t - 0.1 - 0.1 * i) + 1.5 * wave(t - 0.1 * i)
    });
    pose.bend(&TRAIL, |i| -3.0 + (4.0 + 2.6 * i) * wave(2.0 * t - 0.15 - 0.15 * i));
    pose.bend(&SCARF_END, |i| -9.0 + (5.0 + 5.0 * i) * wave(2.0 * t - 0.3 - 0.16 * i));
    pose.at(Bone::Ground).sx = 1.08 - 0.05 * bob(0.15);
    pose
}

/// Turns the upper arm by `swing`, forwards if positive; the rest of the arm follows late.
fn arm(pose: &mut Pose, limb: &Limb, swing: f64, t: f64) {
    let [upper, lower, hand] = limb.bones;
    pose.turn(upper, swing);
    pose.turn(lower, 22.0 + 17.0 * wave(t + 0.17));
    pose.turn(hand, 4.0 + 11.0 * wave(t + 0.08));
}

fn leg(pose: &mut Pose, rig: &Rig, limb: &Limb, t: f64) {
    let t = t.rem_euclid(1.0);
    // The hips turn with the step and move the leg along.
    pose.shift(limb.bones[0], 12.0 * wave(t + 0.25), 0.0);
    let home = [FOOT_LINE + (limb.joints[2][0] - FOOT_LINE) * 0.3, limb.joints[2][1]];
    let along = |t: f64| STRIDE * (1.0 - 2.0 * t / STANCE);
    let toe_off = -33.0;
    let strike = 20.0;
    if t < STANCE {
        let u = t / STANCE;
        let angle = keys(u, &[(0.0, strike), (0.18, 0.0), (0.58, 0.0), (1.0, toe_off)]);
        let [x, y] = rolled(angle);
        pose.plant(rig, limb, [home[0] + along(t) + x, home[1] + y], angle);
    } else {
        let u = (t - STANCE) / (1.0 - STANCE);
        let (from, to) = (rolled(toe_off), rolled(strike));
        let x = keys(
            u,
            &[
                (0.0, from[0] - STRIDE),
                (0.12, from[0] - STRIDE - 2.0),
                (0.9, to[0] + STRIDE + 3.0),
                (1.0, to[0] + STRIDE),
            ],
        );
        let y = keys(u, &[(0.0, from[1]), (0.35, 25.0), (0.75, 14.0), (1.0, to[1])]);
        let angle =
            keys(u, &[(0.0, toe_off), (0.2, -46.0), (0.6, -4.0), (0.85, 24.0), (1.0, strike)]);
        pose.plant(rig, limb, [home[0] + x, home[1] + y], angle);
    }
}

/// Movement of the ankle when the foot turns and its lowest point stays on the ground.
fn rolled(angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.to_radians().sin_cos();
    let turned = |p: [f64; 2]| [p[0] * cos - p[1] * sin, p[0] * sin + p[1] * cos];
    let pivot = SOLE.into_iter().min_by(|&a, &b| turned(a)[1].total_cmp(&turned(b)[1])).unwrap();
    [pivot[0] - turned(pivot)[0], pivot[1].min(SOLE[1][1]) - turned(pivot)[1]]
}
