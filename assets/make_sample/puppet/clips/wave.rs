//! A greeting: the far arm rises in front of the head and waves.

use crate::puppet::motion::{FAR_ARM_AT_REST, IN_FRONT, Look, ON_BODY, Pose, blink, keys, wave};
use crate::puppet::rig::{ARM_FAR, Bone, LEG_FAR, LEG_NEAR, Rig, SCARF_END, TAIL, TRAIL};

const FRAMES: usize = 75;

pub(super) fn frames(rig: &Rig) -> Vec<Pose> {
    (0..FRAMES).map(|frame| at(rig, frame)).collect()
}

fn at(rig: &Rig, frame: usize) -> Pose {
    let mut pose = Pose::rest(rig);
    let f = frame as f64;
    let t = f / FRAMES as f64;
    // Up, three waves, down.
    let up = keys(
        f,
        &[
            (0.0, 0.0),
            (5.0, -0.1),
            (16.0, 1.08),
            (21.0, 1.0),
            (56.0, 1.0),
            (61.0, 1.03),
            (71.0, -0.04),
            (75.0, 0.0),
        ],
    );
    let waving =
        keys(f, &[(0.0, 0.0), (14.0, 0.0), (20.0, 1.0), (52.0, 1.0), (59.0, 0.0), (75.0, 0.0)]);
    let beat = |lag: f64| wave((f - 17.0 - lag) / 13.0) * waving;
    let joy =
        keys(f, &[(0.0, 0.0), (6.0, 0.0), (18.0, 1.0), (54.0, 1.0), (68.0, 0.0), (75.0, 0.0)]);
    let breath = |lag: f64| wave(2.0 * (t - lag));

    pose.shift(Bone::Hips, -3.0 * joy + 0.8 * beat(3.0), -2.2 + 1.2 * breath(0.05) + 1.4 * joy);
    pose.turn(Bone::Hips, 1.4 * joy);
    pose.turn(Bone::Torso, 2.4 * joy + 0.8 * beat(2.0));
    pose.turn(Bone::Chest, 1.8 * joy + 1.2 * beat(1.0));
    pose.at(Bone::Chest).sy = 1.0 + 0.012 * breath(0.0);
    pose.turn(Bone::Head, 5.0 * joy - 2.2 * beat(3.0));
    pose.shift(Bone::Head, 0.0, 1.0 * breath(0.08) + 1.5 * joy);

    let [a, b, c] = ARM_FAR.bones;
    pose.turn(a, 75.0 * up + 5.0 * beat(0.0));
    pose.turn(b, 50.0 * up + 20.0 * beat(1.2));
    pose.at(a).sy = 1.0 + 0.07 * up;
    pose.turn(c, 2.0 * up + 18.0 * beat(2.8));
    let layer = match frame {
        15..=60 => IN_FRONT,
        9..=66 => ON_BODY,
        _ => FAR_ARM_AT_REST,
    };
    pose.layer(&ARM_FAR, layer);
    pose.turn(Bone::ArmNear, -5.0 * joy - 1.8 * beat(4.0) - 1.5 * breath(0.1));
    pose.turn(Bone::ForearmNear, 12.0 * joy + 2.5 * breath(0.16));
    pose.turn(Bone::HandNear, 8.0 * joy + 3.0 * breath(0.22));

    let mouth =
        keys(f, &[(0.0, 0.0), (10.0, 0.0), (17.0, 1.0), (50.0, 0.85), (60.0, 0.0), (75.0, 0.0)]);
    pose.shift(Bone::Jaw, -2.5 * mouth, -14.5 * mouth - 1.5 * beat(1.0));
    pose.turn(Bone::Jaw, 2.0 * mouth);
    pose.shift(Bone::Brows, 0.0, 4.0 * joy);
    pose.turn(Bone::Tuft, 3.0 * beat(5.0) + 2.0 * breath(0.2));
    pose.turn(Bone::EarNear, 4.0 * joy + 3.5 * beat(5.0));
    pose.turn(Bone::EarNearTip, 2.0 * joy + 5.0 * beat(7.0));
    pose.turn(Bone::EarFar, -3.0 * joy + 3.0 * beat(5.5));
    pose.turn(Bone::EarFarTip, -2.0 * joy + 4.5 * beat(7.5));
    let look = match frame {
        20 | 47 => Some(Look::Half),
        21..=46 => Some(Look::Happy),
        _ => blink(frame, 66),
    };
    look.into_iter().for_each(|look| pose.look(look));

    for leg in [LEG_NEAR, LEG_FAR] {
        pose.plant(rig, &leg, leg.joints[2], 0.0);
    }
    pose.bend(&TAIL, |i| {
        (1.2 + 0.8 * i) * wave(2.0 * t - 0.09 * i) + (1.0 + 1.2 * i) * joy_wag(f, i)
    });
    pose.bend(&TRAIL, |i| (2.0 + 1.5 * i) * wave(2.0 * t - 0.13 * i) + 1.6 * beat(4.0 + 2.0 * i));
    pose.bend(&SCARF_END, |i| {
        (1.5 + 2.0 * i) * wave(2.0 * t - 0.3 - 0.17 * i) - 2.0 * beat(3.0 + 2.0 * i)
    });
    pose
}

/// The tail wags with the waving hand.
fn joy_wag(f: f64, i: f64) -> f64 {
    let amount = keys(f, &[(0.0, 0.0), (12.0, 0.0), (24.0, 1.0), (54.0, 1.0), (70.0, 0.0)]);
    amount * wave((f - 20.0 - 1.9 * i) / 13.0)
}
