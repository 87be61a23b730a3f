//! A small biped, motions for it, and their files.

use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{
    Bone, Channels, Conventions, Key, Motion, Note, Precision, Skeleton, TrackKeys, Transform,
};

/// Name, parent, and position relative to the parent in metres: Y up, facing +Z.
const BONES: [(&str, Option<u32>, [f64; 3]); 16] = [
    ("hips", None, [0.0, 0.95, 0.0]),
    ("spine", Some(0), [0.0, 0.14, 0.0]),
    ("chest", Some(1), [0.0, 0.18, 0.01]),
    ("neck", Some(2), [0.0, 0.21, -0.01]),
    ("head", Some(3), [0.0, 0.1, 0.02]),
    ("upper_arm_l", Some(2), [0.19, 0.15, 0.0]),
    ("lower_arm_l", Some(5), [0.27, 0.0, -0.01]),
    ("hand_l", Some(6), [0.25, 0.0, 0.02]),
    ("upper_arm_r", Some(2), [-0.19, 0.15, 0.0]),
    ("lower_arm_r", Some(8), [-0.27, 0.0, -0.01]),
    ("hand_r", Some(9), [-0.25, 0.0, 0.02]),
    ("thigh_l", Some(0), [0.1, -0.05, 0.0]),
    ("shin_l", Some(11), [0.0, -0.42, 0.01]),
    ("foot_l", Some(12), [0.0, -0.41, -0.02]),
    ("thigh_r", Some(0), [-0.1, -0.05, 0.0]),
    ("shin_r", Some(14), [0.0, -0.42, 0.01]),
];

/// Number of frames of [`walk`].
pub(crate) const FRAMES: u32 = 25;

pub(crate) fn biped() -> Skeleton {
    skeleton(&BONES)
}

/// Skeleton of bones by name, parent and position relative to it.
pub(crate) fn skeleton(bones: &[(&str, Option<u32>, [f64; 3])]) -> Skeleton {
    let bones = bones.iter().map(|&(name, parent, translation)| Bone {
        name: name.into(),
        parent,
        rest: Transform { translation, ..Transform::IDENTITY },
        offset: 0,
    });
    Skeleton::new(bones.collect(), Conventions::PXD).unwrap()
}

/// The biped as a `.skl.pxd` file.
pub(crate) fn biped_file() -> Vec<u8> {
    pxd::write_skeleton(&biped()).unwrap()
}

/// Rotation about X in degrees, as a quaternion.
fn about_x(degrees: f64) -> [f64; 4] {
    let half = degrees.to_radians() / 2.0;
    [half.sin(), 0.0, 0.0, half.cos()]
}

/// Walking motion: legs and arms swing, and the hips bob. It has named tracks, a loop and two notes.
pub(crate) fn walk() -> Motion {
    let channels = Channels { translation: true, rotation: true, scale: false };
    let mut motion = Motion::new(channels, Precision::Single);
    motion.frame_count = FRAMES;
    motion.looped = true;
    let swing = |by: f64| {
        [0, 6, 12, 18, 24].map(|frame| Key {
            frame,
            value: about_x(by * [0.0, 1.0, 0.0, -1.0, 0.0][frame as usize / 6]),
        })
    };
    let hips = [(0, 0.95), (6, 0.99), (12, 0.95), (18, 0.99), (24, 0.95)];
    let hips = hips.map(|(frame, y)| Key { frame, value: [0.0, y, f64::from(frame) * 0.02] });
    let tracks =
        [("thigh_l", 35.0), ("thigh_r", -35.0), ("upper_arm_l", -25.0), ("upper_arm_r", 25.0)];
    let of_hips = TrackKeys { translation: &hips, ..TrackKeys::default() };
    let name = |name: &str| pchr_foreign::motion::Target::Name(name.into());
    motion.add_track(name("hips"), 0, of_hips).unwrap();
    for (bone, by) in tracks {
        let keys = TrackKeys { rotation: &swing(by), ..TrackKeys::default() };
        motion.add_track(name(bone), 0, keys).unwrap();
    }
    motion.notes = [(6, "step_left"), (18, "step_right")]
        .map(|(frame, note)| Note { frame, name: note.into(), offset: 0 })
        .to_vec();
    motion
}

/// The walking motion as a SEAnim file.
pub(crate) fn walk_file() -> Vec<u8> {
    seanim::write(&walk()).unwrap()
}

/// Motion with numbered bones as an `.anm.pxd` file: the left thigh swings, and the whole model moves on.
pub(crate) fn numbered_file() -> Vec<u8> {
    let channels = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(channels, Precision::Single);
    motion.dialect = pchr_foreign::motion::Dialect::Pxd;
    motion.conventions = Conventions::PXD;
    motion.frame_count = 11;
    for (index, (_, _, place)) in (0_u32..).zip(BONES) {
        let turn = if index == 11 { 40.0 } else { 0.0 };
        let translation = [Key { frame: 0, value: place }];
        let rotation = [(0, 0.0), (10, turn)].map(|(frame, by)| Key { frame, value: about_x(by) });
        let scale = [Key { frame: 0, value: [1.0; 3] }];
        let keys = TrackKeys { translation: &translation, rotation: &rotation, scale: &scale };
        motion.add_track(index, 0, keys).unwrap();
    }
    let root = [(0, 0.0), (10, 0.5)].map(|(frame, z)| Key { frame, value: [0.0, 0.0, z] });
    let keys = TrackKeys { translation: &root, ..TrackKeys::default() };
    motion.set_root_keys(keys).unwrap();
    pxd::write_animation(&motion).unwrap()
}
