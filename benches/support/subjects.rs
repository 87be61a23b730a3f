//! Subjects of the benches: the sample, generated characters, and files of the corpus that `PCHR_CORPUS` names.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::cast_precision_loss,
    reason = "each bench takes a part; what cannot be read ends the bench"
)]

use std::io::Read as _;
use std::path::{Path, PathBuf};

use pchr::document::{AnimationId, Document};
use pchr::format;
use pchr::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob};

use crate::character::Character;

/// A file in memory.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: &'static str,
    pub bytes: &'static [u8],
}

impl Subject {
    pub fn document(&self) -> Document {
        format::read(self.bytes).expect("a valid file")
    }
}

/// The sample, a generated character, and any characters of the corpus.
pub fn subjects() -> Vec<Subject> {
    let subject = |name, bytes: Vec<u8>| Subject { name, bytes: bytes.leak() };
    let sample = include_bytes!("../../assets/sample.pchr").to_vec();
    let mut all =
        vec![subject("sample", sample), subject("generated", Character::default().bytes())];
    let Some(corpus) = std::env::var_os("PCHR_CORPUS").map(PathBuf::from) else {
        eprintln!("PCHR_CORPUS is not set: only the sample and generated data are measured");
        return all;
    };
    for (name, path) in [
        ("many-bones", "synthetic/many-bones.pchr"),
        ("heavy-mesh", "synthetic/heavy-mesh.pchr.gz"),
        ("you_xin_suit1", "characters/you_xin_suit1/you_xin_suit1.pchr"),
    ] {
        all.push(subject(name, unpacked(&corpus.join(path))));
    }
    all
}

fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_none_or(|extension| extension != "gz") {
        return bytes;
    }
    let mut plain = Vec::new();
    let mut decoder = flate2::read::GzDecoder::new(bytes.as_slice());
    decoder.read_to_end(&mut plain).expect("a whole gzip file");
    plain
}

/// Character of `bones` bones with arbitrary rest rotations, as in real characters.
pub fn skeleton(bones: u16) -> Subject {
    let mut parts = Character { bones, meshes: 4, atlas: 8, ..Character::default() }.parts();
    for animation in &mut parts.animations {
        for (bone, transform) in (0..u32::from(bones)).cycle().zip(&mut animation.transforms) {
            let turn = (bone.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0;
            transform.rotation += 360.0 * turn - 180.0;
        }
    }
    let bytes = format::pchr::write(&parts).expect("the character can be written");
    Subject { name: if bones == 64 { "64 bones" } else { "1024 bones" }, bytes: bytes.leak() }
}

/// Animation with the most frames.
pub fn longest(document: &Document) -> AnimationId {
    let by_length = document.animation_ids().zip(document.animations());
    by_length
        .max_by_key(|(_, animation)| animation.frame_count())
        .map_or(AnimationId(0), |(id, _)| id)
}

/// Up to 100 frames of the longest animation, posed.
pub fn poses(document: &Document) -> Vec<Pose> {
    let bind = BindPose::new(document, BindChoice::Auto);
    let animation = longest(document);
    let count = document.animation(animation).map_or(0, |animation| animation.frame_count());
    let pose = |frame| {
        let mut pose = Pose::default();
        let at = Some(FrameAt::exact(animation, frame));
        PoseJob { document, bind: &bind, at, mix: None }.run(&mut pose);
        pose
    };
    (0..count.min(100)).map(pose).collect()
}
