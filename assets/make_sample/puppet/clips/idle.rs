//! Standing: the fox breathes, looks around, flicks an ear and blinks.

use crate::puppet::motion::{Pose, blink, keys, wave};
use crate::puppet::rig::{Bone, LEG_FAR, LEG_NEAR, Rig, SCARF_END, TAIL, TRAIL};

const FRAMES: usize = 84;

pub(super) fn frames(rig: &Rig) -> Vec<Pose> {
    (0..FRAMES).map(|frame| at(rig, frame)).collect()
}

fn at(rig: &Rig, frame: usize) -> Pose {
    let mut pose = Pose::rest(rig);
    let t = frame as f64 / FRAMES as f64;
    let f = frame as f64;
    // Two breaths, and one shift of weight from leg to leg.
    let breath = |lag: f64| wave(2.0 * (t - lag));
    let sway = |lag: f64| wave(t - lag);

    pose.shift(Bone::Hips, 1.6 * sway(0.0), -1.6 + 1.1 * breath(0.05));
    pose.turn(Bone::Hips, -0.9 * sway(0.0));
    pose.turn(Bone::Torso, 0.9 * sway(0.03));
    pose.stretch(Bone::Torso, 1.0 + 0.006 * breath(0.02));
    pose.at(Bone::Chest).sy = 1.0 + 0.016 * breath(0.0);
    pose.at(Bone::Chest).sx = 1.0 + 0.010 * breath(0.0);
    pose.turn(Bone::Chest, 0.6 * sway(0.06));
    pose.turn(Bone::Neck, 0.5 * sway(0.1));

    // A glance to the side and back.
    let glance =
        keys(f, &[(0.0, 0.0), (30.0, 0.0), (38.0, 1.0), (60.0, 1.0), (69.0, 0.0), (84.0, 0.0)]);
    pose.turn(Bone::Head, 1.5 * sway(0.12) + 3.2 * glance);
    pose.shift(Bone::Head, 0.0, 0.9 * breath(0.08));
    pose.shift(Bone::Eyes, -3.0 * glance, 0.6 * glance);
    pose.shift(Bone::Snout, -1.4 * glance, 0.0);
    pose.shift(Bone::Brows, -1.8 * glance, 0.8 * breath(0.1) + 2.0 * glance);
    pose.turn(Bone::Tuft, 2.4 * breath(0.2));
    let look = blink(frame, 28).or(blink(frame, 63)).or(blink(frame, 70));
    look.into_iter().for_each(|look| pose.look(look));

    let flick = keys(
        f,
        &[
            (0.0, 0.0),
            (44.0, 0.0),
            (47.0, 1.0),
            (50.0, -0.35),
            (53.0, 0.7),
            (57.0, -0.1),
            (61.0, 0.0),
            (84.0, 0.0),
        ],
    );
    pose.turn(Bone::EarNear, 1.6 * breath(0.16) + 9.0 * flick);
    pose.turn(Bone::EarNearTip, 2.2 * breath(0.22) + 10.0 * flick);
    pose.turn(Bone::EarFar, -1.4 * breath(0.18) - 2.0 * glance);
    pose.turn(Bone::EarFarTip, -2.0 * breath(0.24) - 3.0 * glance);

    pose.turn(Bone::ArmNear, -2.0 * breath(0.08) - 1.0 * sway(0.1));
    pose.turn(Bone::ForearmNear, 2.6 * breath(0.15));
    pose.turn(Bone::HandNear, 3.0 * breath(0.22));
    pose.turn(Bone::ArmFar, 2.0 * breath(0.08) + 1.0 * sway(0.1));
    pose.turn(Bone::ForearmFar, 2.4 * breath(0.16));
    pose.turn(Bone::HandFar, 3.0 * breath(0.24));

    for leg in [LEG_NEAR, LEG_FAR] {
        pose.plant(rig, &leg, leg.joints[2], 0.0);
    }
    // Bends whose lag grows towards the end.
    pose.bend(&TAIL, |i| (1.4 + 1.1 * i) * wave(t - 0.05 - 0.075 * i));
    pose.bend(&TRAIL, |i| (2.2 + 1.5 * i) * wave(2.0 * t - 0.13 * i) * 0.8);
    pose.bend(&SCARF_END, |i| (1.6 + 2.2 * i) * wave(2.0 * t - 0.25 - 0.17 * i));
    pose.at(Bone::Ground).sx = 1.0 + 0.01 * breath(0.05);
    pose
}
