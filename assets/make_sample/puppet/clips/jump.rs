//! A jump, played once: the fox gathers, stretches, flies, squashes and settles.

use crate::puppet::motion::{Look, ON_BODY, Pose, blink, follow, keys};
use crate::puppet::rig::{
    ARM_FAR, ARM_NEAR, Bone, LEG_FAR, LEG_NEAR, Limb, Rig, SCARF_END, TAIL, TRAIL,
};

const FRAMES: usize = 52;
/// Frame at which the feet leave the ground; they return to it at [`LANDING`].
const TAKE_OFF: f64 = 14.0;
const LANDING: f64 = 32.0;
const HEIGHT: f64 = 76.0;

pub(super) fn frames(rig: &Rig) -> Vec<Pose> {
    let body: Vec<f64> = (0..FRAMES).map(|f| height(f as f64) + crouch(f as f64)).collect();
    let speed: Vec<f64> =
        (0..FRAMES).map(|f| if f == 0 { 0.0 } else { body[f] - body[f - 1] }).collect();
    // Each link follows the one before it.
    let mut links = vec![follow(&speed, 3.4, 0.55)];
    for _ in 1..6 {
        links.push(follow(links.last().unwrap(), 4.2, 0.6));
    }
    (0..FRAMES).map(|frame| at(rig, frame, &links)).collect()
}

/// Height of the feet above the ground.
fn height(f: f64) -> f64 {
    let u = (f - TAKE_OFF) / (LANDING - TAKE_OFF);
    if (0.0..1.0).contains(&u) { HEIGHT * 4.0 * u * (1.0 - u) } else { 0.0 }
}

/// Distance of the hips below their standing height.
fn crouch(f: f64) -> f64 {
    keys(
        f,
        &[
            (0.0, 0.0),
            (8.0, -36.0),
            (10.5, -38.0),
            (TAKE_OFF, 9.0),
            (18.0, 4.0),
            (23.0, -3.0),
            (LANDING - 1.0, 4.0),
            (35.0, -40.0),
            (37.0, -38.0),
            (45.0, 3.0),
            (49.0, -1.0),
            (51.0, 0.0),
        ],
    )
}

fn at(rig: &Rig, frame: usize, links: &[Vec<f64>]) -> Pose {
    let mut pose = Pose::rest(rig);
    let f = frame as f64;
    let up = height(f);
    let down = crouch(f);
    let squash = keys(
        f,
        &[
            (0.0, 1.0),
            (8.0, 0.90),
            (10.5, 0.88),
            (TAKE_OFF, 1.10),
            (19.0, 1.04),
            (23.0, 1.0),
            (28.0, 1.03),
            (LANDING, 1.07),
            (35.0, 0.86),
            (42.0, 1.05),
            (47.0, 0.985),
            (51.0, 1.0),
        ],
    );
    let lean = keys(
        f,
        &[
            (0.0, 0.0),
            (9.0, -13.0),
            (TAKE_OFF, 3.0),
            (22.0, 5.0),
            (30.0, -3.0),
            (35.0, -11.0),
            (42.0, 2.5),
            (48.0, -1.0),
            (51.0, 0.0),
        ],
    );
    pose.shift(Bone::Root, 0.0, up);
    pose.shift(Bone::Hips, lean * 0.5, down);
    pose.turn(Bone::Hips, lean * 0.4);
    pose.stretch(Bone::Torso, squash);
    pose.turn(Bone::Torso, lean * 0.5);
    pose.turn(Bone::Chest, lean * 0.5);
    // The head nods instead of squashing with the body; its own squash comes two frames later.
    pose.at(Bone::Neck).sy = 1.0 / squash;
    pose.at(Bone::Neck).sx = squash;
    let late = keys(
        f,
        &[
            (0.0, 1.0),
            (10.0, 0.96),
            (15.0, 1.05),
            (22.0, 1.0),
            (32.0, 1.03),
            (37.0, 0.93),
            (44.0, 1.025),
            (50.0, 1.0),
        ],
    );
    pose.stretch(Bone::Head, late);
    pose.turn(
        Bone::Head,
        -lean * 0.8
            + keys(
                f,
                &[
                    (0.0, 0.0),
                    (9.0, -4.0),
                    (15.0, 7.0),
                    (25.0, 2.0),
                    (36.0, -8.0),
                    (44.0, 3.0),
                    (51.0, 0.0),
                ],
            ),
    );

    face(&mut pose, frame);
    arms(&mut pose, f);
    for limb in [LEG_NEAR, LEG_FAR] {
        leg(&mut pose, rig, &limb, f);
    }

    let lag = |i: usize| links[i][frame];
    pose.turn(Bone::EarNear, 1.1 * lag(0));
    pose.turn(Bone::EarNearTip, 1.4 * lag(1));
    pose.turn(Bone::EarFar, -0.9 * lag(0));
    pose.turn(Bone::EarFarTip, -1.2 * lag(1));
    pose.turn(Bone::Tuft, 1.4 * lag(1));
    pose.bend(&TAIL, |i| (0.62 + 0.16 * i) * lag(i as usize));
    pose.bend(&TRAIL, |i| (0.9 + 0.16 * i) * lag(i as usize));
    pose.bend(&SCARF_END, |i| -(1.1 + 0.7 * i) * lag(1 + i as usize));
    let small = 1.0 - 0.42 * up / HEIGHT;
    pose.at(Bone::Ground).sx = small * (1.0 + 0.12 * (1.0 - squash));
    pose.at(Bone::Ground).sy = small;
    pose
}

fn face(pose: &mut Pose, frame: usize) {
    let f = frame as f64;
    let mouth = keys(
        f,
        &[
            (0.0, 0.0),
            (11.0, 0.0),
            (15.0, 1.0),
            (26.0, 0.9),
            (33.0, 0.2),
            (36.0, 0.45),
            (45.0, 0.0),
        ],
    );
    pose.shift(Bone::Jaw, -3.0 * mouth, -16.0 * mouth);
    pose.turn(Bone::Jaw, 2.0 * mouth);
    pose.shift(
        Bone::Brows,
        0.0,
        4.0 * mouth - keys(f, &[(0.0, 0.0), (8.0, 3.0), (12.0, 3.0), (15.0, 0.0)]),
    );
    pose.shift(
        Bone::Eyes,
        0.0,
        keys(
            f,
            &[
                (0.0, 0.0),
                (4.0, 2.5),
                (10.0, 2.5),
                (16.0, 0.0),
                (25.0, 0.0),
                (30.0, -2.5),
                (34.0, -1.0),
                (42.0, 0.0),
            ],
        ),
    );
    let look = match frame {
        17..=27 => Some(Look::Happy),
        34 | 39 => Some(Look::Half),
        35..=38 => Some(Look::Closed),
        _ => blink(frame, 8),
    };
    look.into_iter().for_each(|look| pose.look(look));
}

fn arms(pose: &mut Pose, f: f64) {
    let swing = |back: f64| {
        keys(
            f,
            &[
                (0.0, 0.0),
                (9.0, back),
                (10.5, back),
                (15.0, 92.0),
                (19.0, 112.0),
                (26.0, 84.0),
                (32.0, 62.0),
                (37.0, -14.0),
                (44.0, 8.0),
                (51.0, 0.0),
            ],
        )
    };
    let lower = keys(
        f,
        &[
            (0.0, 0.0),
            (9.0, 14.0),
            (13.0, 44.0),
            (19.0, 10.0),
            (27.0, 26.0),
            (33.0, 30.0),
            (38.0, 34.0),
            (45.0, 4.0),
            (51.0, 0.0),
        ],
    );
    let hand = keys(
        f,
        &[
            (0.0, 0.0),
            (9.0, -10.0),
            (14.0, -24.0),
            (20.0, 18.0),
            (28.0, 10.0),
            (35.0, 26.0),
            (42.0, -6.0),
            (51.0, 0.0),
        ],
    );
    // The near arm rises on the left of the body, and the far arm on the right.
    for (limb, side, back) in [(ARM_NEAR, -0.92, 46.0), (ARM_FAR, 0.9, -36.0)] {
        let [a, b, c] = limb.bones;
        pose.turn(a, swing(back) * side);
        pose.turn(b, lower * side);
        pose.turn(c, hand * side);
    }
    if (12.0..46.0).contains(&f) {
        pose.layer(&ARM_FAR, ON_BODY);
    }
}

fn leg(pose: &mut Pose, rig: &Rig, limb: &Limb, f: f64) {
    let [x, y] = limb.joints[2];
    let near = limb.bones[0] == Bone::ThighNear;
    // The legs are tucked in the air, the near one more. The toes point down after take-off and up before landing.
    let tuck = keys(f, &[(TAKE_OFF, 0.0), (23.0, if near { 30.0 } else { 20.0 }), (LANDING, 0.0)]);
    let back = keys(
        f,
        &[(TAKE_OFF, 0.0), (18.0, -10.0), (26.0, if near { -6.0 } else { 12.0 }), (LANDING, 0.0)],
    );
    let point = keys(
        f,
        &[
            (11.5, 0.0),
            (TAKE_OFF, -34.0),
            (18.0, -46.0),
            (25.0, -22.0),
            (30.0, 8.0),
            (LANDING, 0.0),
        ],
    );
    // Before take-off the feet stand on their balls.
    let heel = keys(f, &[(11.5, 0.0), (TAKE_OFF, 14.0), (18.0, 0.0)]);
    pose.plant(rig, limb, [x + back + heel * 0.3, y + tuck + heel], point);
}
