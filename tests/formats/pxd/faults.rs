//! Tests of single faults in PXD files.

use pchr_foreign::format::pxd::{self, PxdRule};

use super::made::{small_motion, small_skeleton};
use super::{animation, said, skeleton, with};

#[test]
fn faults_of_a_container_are_found_where_they_are() {
    let file = pxd::write_animation(&small_motion()).unwrap();
    let size = file.len();
    let cases: &[(usize, &[u8], &str)] = &[
        (
            0,
            b"BINB",
            "PXD-E001 magic: bina.magic at byte 0 (0x0): \"BINB\", expected \"BINA\"",
        ),
        (
            4,
            b"200",
            "PXD-E002 version: bina.version at byte 4 (0x4): \"200\" has offsets of 32 bits, but this program reads \"210\"",
        ),
        (
            7,
            b"B",
            "PXD-E003 byte-order: bina.byteOrder at byte 7 (0x7): \"B\", a big-endian container, expected \"L\" (little-endian)",
        ),
        (
            0x10,
            b"IMAG",
            "PXD-E012 block: bina.block at byte 16 (0x10): \"IMAG\", expected \"DATA\"",
        ),
        (
            0x1f,
            &[1],
            "PXD-E004 unexpected-end: bina.stringsSize at byte 28 (0x1c): 16777216 bytes from byte",
        ),
        (
            0x40,
            b"KSXP",
            "PXD-E001 magic: payload.magic at byte 64 (0x40): \"KSXP\", expected \"NAXP\" (an animation)",
        ),
        (
            0x44,
            &[1],
            "PXD-E002 version: payload.version at byte 68 (0x44): 0x201, but this program reads version 0x200",
        ),
        (
            0x08,
            &[0],
            "PXD-W102 sizes: bina.fileSize at byte 8 (0x8): ",
        ),
        (
            0x0c,
            &[2],
            "PXD-W102 sizes: bina.blockCount at byte 12 (0xc): 2, but PXD has 1",
        ),
        (
            size - 1,
            &[0x41],
            "PXD-W103 offset-table: bina.offsetTable at byte",
        ),
    ];
    for (at, bytes, expected) in cases {
        let (motion, found) = animation(&with(&file, *at, bytes));
        let lines = said(&found);
        assert!(lines[0].starts_with(expected), "{lines:?}\n{expected}");
        assert_eq!(
            motion.is_some(),
            expected.starts_with("PXD-W"),
            "{expected}"
        );
        assert_eq!(lines.len(), 1, "{lines:?}");
    }
}

#[test]
fn faults_of_an_animation_are_found_where_they_are() {
    let file = pxd::write_animation(&small_motion()).unwrap();
    let cases: &[(usize, &[u8], &[&str])] = &[
        (
            0x48,
            &[7],
            &["PXD-W105 additive: animation.additive at byte 72"],
        ),
        (
            0x49,
            &[3],
            &["PXD-E011 compression: animation.compression at byte 73"],
        ),
        (
            0x50,
            &[0; 8],
            &["PXD-E005 offset: animation.fieldsOffset at byte 80 (0x50): no offset"],
        ),
        (
            0x50,
            &[0xff; 8],
            &["PXD-E005 offset: animation.fieldsOffset at byte 80"],
        ),
        (
            0x58,
            &f32::NAN.to_le_bytes(),
            &["PXD-W106 duration: animation.duration at byte 88 (0x58): NaN"],
        ),
        (
            0x5c,
            &[0],
            &[
                "PXD-W107 frame-count: animation.frameCount at byte 92",
                "PXD-W106",
            ],
        ),
        (
            0x60,
            &[0, 0, 1, 0],
            &["PXD-E007 limit: animation.trackCount at byte 96"],
        ),
        (
            0x60,
            &[0xff, 0xff],
            &["PXD-E004 unexpected-end: animation.skeletalOffset at byte 104"],
        ),
        (
            0x68,
            &[0; 8],
            &["PXD-E005 offset: animation.skeletalOffset at byte 104 (0x68): no offset"],
        ),
        (
            0x72,
            &[1],
            &["PXD-W104 root-offset: animation.rootOffset at byte 112"],
        ),
        (
            0x78,
            &[4],
            &[
                "PXD-W113 key-order: tracks[0].translation[3]",
                "PXD-W114",
                "PXD-W101",
            ],
        ),
        (
            0x78 + 7,
            &[0x10],
            &["PXD-E004 unexpected-end: tracks[0].translation.frames at byte 128"],
        ),
        (
            0x78 + 8,
            &[0; 8],
            &["PXD-E005 offset: tracks[0].translation.frames at byte 128"],
        ),
        (
            0x78 + 0x10 + 7,
            &[1],
            &["PXD-E005 offset: tracks[0].translation.values at byte 136"],
        ),
        (
            0x198,
            &[5],
            &["PXD-W113 key-order: tracks[0].translation[1] at byte 410 (0x19a)"],
        ),
        (
            0x198,
            &[4],
            &["PXD-W114 key-duplicate: tracks[0].translation[1] at byte 410"],
        ),
        (
            0x19c,
            &[10],
            &["PXD-W115 key-range: tracks[0].translation[2] at byte 412"],
        ),
        (
            0x1a0 + 3,
            &[0x7f, 0, 0, 0x80, 0x7f],
            &["PXD-W111 not-finite: tracks[0].translation[0] at byte 416"],
        ),
        (
            0x1a0 + 12,
            &[1],
            &["PXD-W101 layout: file at byte 428 (0x1ac): 0x01, written as 0x00"],
        ),
        (
            0x1e0 + 12,
            &2_f32.to_le_bytes(),
            &["PXD-W112 rotation-length: tracks[0].rotation[0] at byte 480"],
        ),
    ];
    for (at, bytes, expected) in cases {
        let changed = with(&file, *at, bytes);
        let (motion, found) = animation(&changed);
        let lines = said(&found);
        let is_same = lines
            .iter()
            .zip(*expected)
            .all(|(line, it)| line.starts_with(it));
        assert!(
            is_same && lines.len() == expected.len(),
            "{lines:#?}\n{expected:?}"
        );
        assert_eq!(
            motion.is_some(),
            expected[0].starts_with("PXD-W"),
            "{expected:?}"
        );
        if let Some(motion) = motion {
            let written = pxd::write_animation(&motion).unwrap();
            let (again, found) = animation(&written);
            assert_eq!(again.unwrap(), motion);
            assert_eq!(found.count(PxdRule::Layout), 0);
        }
    }
}

#[test]
fn faults_of_a_skeleton_are_found_where_they_are() {
    let file = pxd::write_skeleton(&small_skeleton()).unwrap();
    // Parents are at 0xa8, names at 0xb0, transforms at 0xf0, strings at 0x1b0.
    let cases: &[(usize, &[u8], &[&str])] = &[
        (
            0x50,
            &[3],
            &["PXD-E006 counts: skeleton.names at byte 112 (0x70): 4 names, but 3 parents"],
        ),
        (
            0x57,
            &[0x10],
            &["PXD-E007 limit: skeleton.parents at byte 80"],
        ),
        (
            0x48,
            &[0; 8],
            &["PXD-E005 offset: skeleton.parents at byte 72"],
        ),
        (0x58, &[5], &["PXD-W101 layout: file at byte 88"]),
        (
            0xa8,
            &[99],
            &[
                "PXD-E008 parent-range: skeleton.parents[0] at byte 168 (0xa8): 99, but there are 4 bones",
            ],
        ),
        (
            0xa8,
            &[0xfe, 0xff],
            &["PXD-E008 parent-range: skeleton.parents[0] at byte 168 (0xa8): -2"],
        ),
        (
            0xae,
            &[0, 0],
            &[
                "PXD-E009 parent-circle: skeleton.parents[0] at byte 168 (0xa8): bone 0 is its own ancestor",
            ],
        ),
        (
            0xb0,
            &[0; 8],
            &["PXD-E005 offset: skeleton.names[0] at byte 176"],
        ),
        (
            0xb3,
            &[1],
            &["PXD-E005 offset: skeleton.names[0] at byte 176"],
        ),
        (
            0x1b0,
            &[0xe9],
            &["PXD-W109 name-utf8: skeleton.names[0] at byte 176"],
        ),
        (
            0x1b0,
            &[0],
            &[
                "PXD-W110 name-duplicate: skeleton.names[0] at byte 176 (0xb0): a bone without a name",
                "PXD-W101",
            ],
        ),
        (
            0x1b5,
            b"arm\0",
            &[
                "PXD-W110 name-duplicate: skeleton.names[2] at byte 208 (0xd0): \"arm\" is also the name of bone 1",
                "PXD-W101",
            ],
        ),
        (
            0xf0,
            &f32::INFINITY.to_le_bytes(),
            &["PXD-W111 not-finite: skeleton.transforms[0] at byte 240"],
        ),
        (0xf0 + 12, &[1], &["PXD-W101 layout: file at byte 252"]),
        (
            0xf0 + 28,
            &[0; 4],
            &["PXD-W112 rotation-length: skeleton.transforms[0] at byte 256"],
        ),
    ];
    for (at, bytes, expected) in cases {
        let (skeleton_of, found) = skeleton(&with(&file, *at, bytes));
        let lines = said(&found);
        let is_same = lines
            .iter()
            .zip(*expected)
            .all(|(line, it)| line.starts_with(it));
        assert!(
            is_same && lines.len() == expected.len(),
            "{lines:#?}\n{expected:?}"
        );
        assert_eq!(
            skeleton_of.is_some(),
            expected[0].starts_with("PXD-W"),
            "{expected:?}"
        );
        if let Some(skeleton_of) = skeleton_of {
            let written = pxd::write_skeleton(&skeleton_of).unwrap();
            let (again, found) = skeleton(&written);
            assert_eq!(again.unwrap(), skeleton_of);
            assert_eq!(found.count(PxdRule::Layout), 0);
        }
    }
    let end = file.len() - 8;
    let unterminated = with(&file, end - 4, b"xxxx");
    let lines = said(&skeleton(&unterminated).1);
    assert!(
        lines[0].starts_with("PXD-E010 name-end: skeleton.names[3]"),
        "{lines:?}"
    );
}
