//! Tests with PXD skeletons and motions made here.

use pchr_foreign::acl::Clip;
use pchr_foreign::format::pxd::{self, PxdKind, PxdUnwritable};
use pchr_foreign::motion::{
    AnimationType, Bone, Channels, Conventions, Key, Motion, ParentScale, Precision, Sampled,
    Skeleton, TrackKeys, Transform, UpAxis,
};

use super::{animation, said, skeleton, with};
use crate::encoder as acl;

/// Skeleton with two roots, whose parents come after their children.
pub(super) fn small_skeleton() -> Skeleton {
    let bone = |name: &str, parent, x| {
        let rest = Transform { translation: [x, 0.5, -2.0], ..Transform::IDENTITY };
        Bone { name: name.into(), parent, rest, offset: 0 }
    };
    let bones = vec![
        bone("hand", Some(2), 1.0),
        bone("prop", None, 2.0),
        bone("arm", Some(3), 3.0),
        bone("Wurzel ü", None, 4.0),
    ];
    Skeleton::new(bones, Conventions::PXD).unwrap()
}

/// Motion with three tracks, some without keys, and root motion.
pub(super) fn small_motion() -> Motion {
    let vector = |frame, x| Key { frame, value: [x, 2.0, -0.5] };
    let turn = |frame, value| Key { frame, value };
    let all = Channels { translation: true, rotation: true, scale: true };
    let mut motion = Motion::new(all, Precision::Single);
    motion.conventions = Conventions::PXD;
    motion.frame_count = 10;
    motion.rate = 29.97;
    let keys = TrackKeys {
        translation: &[vector(0, 1.0), vector(4, 2.0), vector(9, 3.0)],
        rotation: &[turn(0, [0.0, 0.0, 0.0, 1.0]), turn(9, [0.6, 0.0, 0.0, 0.8])],
        scale: &[],
    };
    motion.add_track(0, 0, keys).unwrap();
    motion.add_track(1, 0, TrackKeys::default()).unwrap();
    let keys = TrackKeys { scale: &[vector(3, 1.5)], ..TrackKeys::default() };
    motion.add_track(2, 0, keys).unwrap();
    let root =
        TrackKeys { translation: &[vector(0, 0.0), vector(9, 12.0)], ..TrackKeys::default() };
    motion.set_root_keys(root).unwrap();
    motion
}

/// Clip of 10 frames.
pub(super) fn clip(tracks: usize) -> Vec<u8> {
    acl::busy(tracks, 10, |part, index, _| [9, 12, 6][part] + index as u8).chunk()
}

/// Bytes of a compressed animation. Root motion starts `gap` bytes after its aligned position.
pub(super) fn compressed(tracks: u32, skeletal: &[u8], root: Option<&[u8]>, gap: usize) -> Vec<u8> {
    let mut payload = b"NAXP".to_vec();
    let root_at = (0x40 + skeletal.len()).next_multiple_of(16) + gap;
    payload.extend(0x200_u32.to_le_bytes());
    payload.extend([0, 8, 0, 0, 0, 0, 0, 0]);
    payload.extend(0x18_u64.to_le_bytes());
    payload.extend(0.3_f32.to_le_bytes());
    payload.extend(10_u32.to_le_bytes());
    payload.extend(u64::from(tracks).to_le_bytes());
    payload.extend(0x40_u64.to_le_bytes());
    payload.extend(root.map_or(0, |_| root_at as u64).to_le_bytes());
    payload.extend([0; 8]);
    payload.extend(skeletal);
    if let Some(root) = root {
        payload.resize(root_at, 0);
        payload.extend(root);
    }
    payload.resize(payload.len().next_multiple_of(4), 0);
    let table = [0x44, 0x46, if root.is_some() { 0x42 } else { 0 }, 0];
    let mut file = b"BINA210L".to_vec();
    let size = payload.len() as u32;
    file.extend((size + 0x44).to_le_bytes());
    file.extend([1, 0, 0, 0]);
    file.extend(b"DATA");
    for number in [size + 0x34, size, 0, 4, 0x18] {
        file.extend(number.to_le_bytes());
    }
    file.resize(0x40, 0);
    file.extend(payload);
    file.extend(table);
    file
}

#[test]
fn a_skeleton_is_written_and_read() {
    let skeleton_of = small_skeleton();
    let bytes = pxd::write_skeleton(&skeleton_of).unwrap();
    let (again, found) = skeleton(&bytes);
    assert_eq!(said(&found), [""; 0]);
    let again = again.unwrap();
    assert_eq!(again, skeleton_of);
    assert_eq!(pxd::write_skeleton(&again).unwrap(), bytes);
    assert_eq!(again.parents_first(), [3, 2, 0, 1]);
    let wanted = (UpAxis::Y, ParentScale::Separate);
    assert_eq!((again.conventions.up, again.conventions.parent_scale), wanted);
    assert_eq!(again.bones()[0].offset, 0x40 + 0xb0);
    assert!(PxdKind::of(&bytes) == Some(PxdKind::Skeleton) && pxd::is_bina(&bytes));
}

#[test]
fn a_motion_is_written_and_read() {
    let motion = small_motion();
    let bytes = pxd::write_animation(&motion).unwrap();
    let (again, found) = animation(&bytes);
    assert_eq!(said(&found), [""; 0]);
    let again = again.unwrap();
    assert_eq!(again, motion);
    assert_eq!(pxd::write_animation(&again).unwrap(), bytes);
    assert_eq!((again.rate, again.frames()), (29.97, 10));
    assert!(again.root().is_some() && again.sampled().is_none());
    assert_eq!(PxdKind::of(&bytes), Some(PxdKind::Animation));
    // The header starts at 0x40, the records at 0x78, and the first column after that of root motion.
    assert_eq!(bytes[0x40..0x44], *b"NAXP");
    assert_eq!(bytes[0x78 + 8..][..8], 0x158_u64.to_le_bytes());
}

#[test]
fn clips_are_kept_as_they_are_with_the_gap_between_them() {
    let (skeletal, root) = (clip(3), clip(1));
    for (gap, rules) in [(0, &[][..]), (16, &[]), (48, &[]), (8, &["PXD-W101"])] {
        let bytes = compressed(3, &skeletal, Some(&root), gap);
        let (motion, found) = animation(&bytes);
        let motion = motion.unwrap();
        let ids: Vec<&str> = found.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(ids, rules, "gap {gap}: {found:?}");
        let written = pxd::write_animation(&motion).unwrap();
        assert_eq!(written == bytes, rules.is_empty());
        assert_eq!(animation(&written).0.unwrap(), motion);
        let sampled = motion.sampled().unwrap();
        assert_eq!((sampled.offset, sampled.clip.bytes()), (0x80, &*skeletal));
        let root_of = motion.root().unwrap().sampled().unwrap();
        assert_eq!(root_of.clip.bytes(), root);
        assert_eq!((motion.tracks().len(), motion.frames()), (3, 10));
    }
    let bytes = compressed(3, &skeletal, None, 0);
    let (motion, found) = animation(&bytes);
    assert_eq!(said(&found), [""; 0]);
    assert!(motion.unwrap().root().is_none());
    for end in 0..bytes.len() {
        assert!(animation(&bytes[..end]).0.is_none(), "{end}");
    }
}

#[test]
fn clips_are_held_against_the_header() {
    let (skeletal, root) = (clip(3), clip(2));
    let file = compressed(5, &skeletal, Some(&root), 0);
    let (motion, found) = animation(&with(&file, 0x5c, &[9]));
    let found = said(&found);
    let expected = [
        "PXD-W108 clip: animation.skeletal at byte 96 (0x60): 3 tracks, but the header has 5; the clip's are played",
        "PXD-W108 clip: animation.skeletal at byte 92 (0x5c): 10 frames, but the header has 9; the clip's are played",
        "PXD-W106 duration: animation.duration at byte 88 (0x58): 0.3, expected 0.26666668: 9 frames at 30 per second, as in the clip",
        "PXD-W108 clip: animation.root at byte 112 (0x70): 2 tracks, but root motion has 1; the first is played",
        "PXD-W108 clip: animation.root at byte 92 (0x5c): 10 frames, but the header has 9; the clip's are played",
        "PXD-W101 layout: file at byte 96 (0x60): 0x05, written as 0x03: writing the file again does not keep unused bytes, gaps or the order of parts",
    ];
    assert_eq!(found, expected);
    let motion = motion.unwrap();
    assert_eq!((motion.tracks().len(), motion.frames()), (3, 10));
    let file = compressed(3, &skeletal, None, 0);
    for (at, bytes, start) in [
        (0x80 + 8, &[0][..], "ACL-E002 magic: animation.skeletal.tag at byte 136"),
        (0x80 + 4, &[0; 4], "ACL-W101 hash: animation.skeletal.hash at byte 132"),
    ] {
        let found = said(&animation(&with(&file, at, bytes)).1);
        assert!(found[0].starts_with(start), "{found:?}");
    }
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    let file = pxd::write_animation(&small_motion()).unwrap();
    for end in 0..file.len() {
        let (motion, found) = animation(&file[..end]);
        assert!(motion.is_none(), "{end}");
        assert!(found.first_error().unwrap().offset <= end as u64);
    }
    let file = pxd::write_skeleton(&small_skeleton()).unwrap();
    for end in 0..file.len() {
        assert!(skeleton(&file[..end]).0.is_none(), "{end}");
    }
}

#[test]
fn longer_entries_of_the_offset_table_are_kept() {
    let file = pxd::write_skeleton(&small_skeleton()).unwrap();
    let table = [0x80, 2, 0x48, 0xc0, 0, 0, 8, 0x4a, 0x44, 0x44, 0x44, 0];
    let mut longer = with(&file[..file.len() - 8], 0x20, &12_u32.to_le_bytes());
    longer.extend(table);
    let size = longer.len() as u32;
    let longer = with(&longer, 8, &size.to_le_bytes());
    let longer = with(&longer, 0x14, &(size - 0x10).to_le_bytes());
    let (read, found) = skeleton(&longer);
    assert_eq!(said(&found), [""; 0]);
    let mut read = read.unwrap();
    assert_eq!(read, small_skeleton());
    assert_eq!(pxd::write_skeleton(&read).unwrap(), longer);
    let mut bones = read.bones().to_vec();
    bones.pop();
    bones[2].parent = None;
    let layout = read.pxd_layout;
    read = Skeleton::new(bones, Conventions::PXD).unwrap();
    read.pxd_layout = layout;
    assert_eq!(said(&skeleton(&pxd::write_skeleton(&read).unwrap()).1), [""; 0]);
}

#[test]
fn lists_that_overlap_take_no_more_memory_than_their_file() {
    let frames: Vec<Key<3>> = (0..20_000).map(|frame| Key { frame, value: [1.0; 3] }).collect();
    let mut motion = small_motion();
    let keys = TrackKeys { translation: &frames, ..TrackKeys::default() };
    motion.add_track(3, 0, keys).unwrap();
    for bone in 4..1000 {
        motion.add_track(bone, 0, TrackKeys::default()).unwrap();
    }
    let mut file = pxd::write_animation(&motion).unwrap();
    let record = file[0x78 + 3 * 0x48..][..0x18].to_vec();
    for bone in 4..1000 {
        file = with(&file, 0x78 + bone * 0x48, &record);
    }
    let (motion, found) = animation(&file);
    assert!(motion.is_none());
    assert!(said(&found)[0].contains("they overlap"), "{found:?}");
}

#[test]
fn names_that_overlap_take_no_more_memory_than_their_file() {
    let long = "x".repeat(100_000);
    let bone = |name: &str| Bone { name: name.into(), ..Bone::default() };
    let bones = std::iter::once(bone(&long)).chain((1..100).map(|_| bone("")));
    let skeleton_of = Skeleton::new(bones.collect(), Conventions::PXD).unwrap();
    let mut file = pxd::write_skeleton(&skeleton_of).unwrap();
    let names = 0xa8 + 200;
    let first = file[names..][..8].to_vec();
    for bone in 1..100 {
        file = with(&file, names + bone * 16, &first);
    }
    let (skeleton_of, found) = skeleton(&file);
    assert!(skeleton_of.is_none());
    assert!(said(&found)[0].contains("they overlap"), "{found:?}");
}

#[test]
fn motions_that_pxd_cannot_hold_are_not_written() {
    let refused = |change: &dyn Fn(&mut Motion)| {
        let mut motion = small_motion();
        change(&mut motion);
        pxd::write_animation(&motion).unwrap_err()
    };
    let none = TrackKeys::default();
    assert_eq!(refused(&|it| it.add_track("arm", 0, none).unwrap()), PxdUnwritable::Named(3));
    assert_eq!(refused(&|it| it.add_track(1, 0, none).unwrap()), PxdUnwritable::Twice(3));
    assert_eq!(refused(&|it| it.animation_type = AnimationType::Relative), PxdUnwritable::Type);
    let clip = Clip::read(&clip(3), 0).unwrap().0;
    let sampled = Sampled { clip, offset: 0 };
    assert_eq!(refused(&|it| it.set_sampled(sampled.clone())), PxdUnwritable::Mixed);
    let late = Key { frame: 0x1_0000, value: [0.0; 3] };
    let error = refused(&|it| {
        it.add_track(3, 0, TrackKeys { translation: &[late], ..none }).unwrap();
    });
    assert_eq!(error.to_string(), "tracks[3]: frame: 65536 does not fit, expected at most 65535");
    let mut bones = small_skeleton().bones().to_vec();
    bones[1].name = "a\0b".into();
    let skeleton = Skeleton::new(bones, Conventions::PXD).unwrap();
    assert!(matches!(pxd::write_skeleton(&skeleton), Err(PxdUnwritable::Nul { .. })));
    // A bone without a track has no keys.
    let mut sparse = small_motion();
    sparse.add_track(5, 0, none).unwrap();
    let (again, _) = animation(&pxd::write_animation(&sparse).unwrap());
    assert_eq!(again.unwrap().tracks().len(), 6);
}
