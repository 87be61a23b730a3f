use pchr::finding::{Findings, Invalid};
use pchr_foreign::format::pxd::{self, PxdKind, PxdRule};
use pchr_foreign::motion::{Motion, Sampled, Skeleton};

use super::read_seanim::keys;
use super::{accepted, refused};

/// Reads arbitrary bytes as a PXD skeleton and as an animation, writes the result, and checks that it is the same when read
/// again. Clips are sampled.
pub fn read_pxd(data: &[u8]) {
    assert!(pxd::is_bina(data) || PxdKind::of(data).is_none());
    read(data, PxdKind::Skeleton, pxd::read_skeleton, look, pxd::write_skeleton);
    read(data, PxdKind::Animation, pxd::read_animation, play, pxd::write_animation);
}

/// A file that was read, with what was found in it.
type Read<T> = Result<(T, Findings), Invalid>;

fn read<T: PartialEq, E: std::fmt::Debug>(
    data: &[u8],
    kind: PxdKind,
    read: fn(&[u8]) -> Read<T>,
    look: fn(&T),
    write: fn(&T) -> Result<Vec<u8>, E>,
) {
    match read(data) {
        Err(invalid) => refused(&invalid.0, data),
        Ok((content, found)) => {
            accepted(&found, data);
            look(&content);
            let written = write(&content).expect("it was read");
            let again = read(&written).expect("it was written");
            assert!(again.0 == content && PxdKind::of(&written) == Some(kind));
            let rewritten = write(&again.0).expect("it was read");
            is_kept(data, &written, &rewritten, [&found, &again.1]);
        }
    }
}

/// Rules about files that are not written back byte for byte.
const REWRITTEN: [PxdRule; 5] =
    [PxdRule::Layout, PxdRule::Sizes, PxdRule::OffsetTable, PxdRule::RootOffset, PxdRule::Additive];

/// Checks that a file is written unchanged unless a finding explains it, and that a second write changes nothing.
fn is_kept(data: &[u8], written: &[u8], rewritten: &[u8], [found, again]: [&Findings; 2]) {
    let is_other = |found: &Findings| REWRITTEN.iter().any(|rule| found.count(*rule) > 0);
    assert!(is_other(found) || written == data);
    assert!(!is_other(again) && rewritten == written);
}

fn look(skeleton: &Skeleton) {
    let bones = skeleton.bones();
    let mut is_placed = vec![false; bones.len()];
    for bone in skeleton.parents_first() {
        let parent = bones[*bone as usize].parent;
        assert!(parent.is_none_or(|parent| is_placed[parent as usize]));
        assert!(!std::mem::replace(&mut is_placed[*bone as usize], true));
    }
    assert!(is_placed.into_iter().all(|is_placed| is_placed));
}

/// Reads everything in a motion.
fn play(motion: &Motion) {
    assert!(motion.frames() > 0 && motion.duration_secs() >= 0.0);
    let root = motion.root();
    for track in motion.tracks().iter().chain(root.and_then(|root| root.keys())) {
        keys(motion.translation(track));
        keys(motion.rotation(track));
        keys(motion.scale(track));
    }
    let sampled = root.and_then(|root| root.sampled());
    for sampled in motion.sampled().into_iter().chain(sampled) {
        sample(sampled);
    }
}

/// Samples a few frames and times.
fn sample(sampled: &Sampled) {
    let clip = &sampled.clip;
    let last = sampled.frames() - 1;
    let mut pose = Vec::new();
    for frame in [0, 1, last / 2, last, u32::MAX] {
        clip.sample_frame(frame, &mut pose);
        assert_eq!(pose.len(), sampled.tracks() as usize);
    }
    let end = clip.duration();
    for time in [-1.0, end * 0.3, end * 0.999, end + 1.0, f32::NAN] {
        clip.sample(time, &mut pose);
        assert_eq!(pose.len(), sampled.tracks() as usize);
    }
}
