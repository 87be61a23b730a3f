use pchr::document::{AnimationParts, BoneParts, BoneTransform, DocumentParts};
use pchr::finding::Findings;
use pchr::format::pchr::build;
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::{seanim, seanim_json};
use pchr_foreign::motion::{Key, Keys, Motion, SeanimRule};
use pchr_foreign::plane::{self, ApplyOptions};

use super::{accepted, places, refused};

/// Reads arbitrary bytes as SEAnim, writes the result, and checks that it is the same when read again.
pub fn read_seanim(data: &[u8]) {
    let _ = seanim::is_seanim(data);
    read_mirror(data);
    match seanim::read(data.to_vec()) {
        Err(invalid) => refused(&invalid.0, data),
        Ok((motion, found)) => {
            accepted(&found, data);
            look(&motion);
            outline(data);
            mirror(&motion);
            write(&motion, &found, data);
            on_a_character(&motion);
        }
    }
}

/// Reads arbitrary bytes as the JSON mirror of SEAnim.
fn read_mirror(data: &[u8]) {
    if !seanim_json::looks_like_a_mirror(data) {
        return;
    }
    match seanim_json::read(data) {
        Err(invalid) => refused(&invalid.0, data),
        Ok(read) => {
            places(&read.warnings, data);
            look(&read.motion);
            mirror(&read.motion);
        }
    }
}

/// Checks that the blocks fill a file without gaps.
fn outline(data: &[u8]) {
    let outline = seanim::outline(data).expect("what is read has blocks");
    let mut end = 0;
    for block in outline.blocks {
        assert_eq!(block.bytes.start, end);
        end = block.bytes.end;
    }
    assert_eq!(end, data.len() as u64);
}

/// Checks that a motion that can be written survives its JSON mirror.
fn mirror(motion: &Motion) {
    let Ok((bytes, _)) = seanim::write_canonical(motion) else { return };
    let mut text = Vec::new();
    let losses = seanim_json::write(motion, &mut text).expect("writing to memory succeeds");
    let keeps_names = { losses.iter() }.all(|loss| !loss.what.contains("names"));
    let read = seanim_json::read(&text).expect("a mirror can be read");
    if keeps_names {
        assert!(read.motion == *motion, "it is the same");
        let (again, _) = seanim::write_canonical(&read.motion).expect("it was written");
        assert_eq!(again, bytes);
    }
}

/// Applies a motion to a character whose bones have the names of the first tracks. It may be refused.
fn on_a_character(motion: &Motion) {
    const MOST_FRAMES: u32 = 1000; // keeps a run short
    if motion.frames() > MOST_FRAMES {
        return;
    }
    let bones = (0..).zip(motion.tracks().iter().take(4)).map(|(index, track)| BoneParts {
        name: track.target.text().chars().take(40).collect(),
        parent: (index % 2 == 1).then_some(0_u16),
    });
    let bones: Vec<BoneParts> = bones.collect();
    let bind = AnimationParts {
        frame_count: 1,
        transforms: vec![BoneTransform::default(); bones.len()],
        ..AnimationParts::default()
    };
    let parts =
        DocumentParts { fps: 30, bones, animations: vec![bind], ..DocumentParts::default() };
    let document = build(&parts).expect("a small character");
    let bind = BindPose::new(&document, BindChoice::Auto);
    let Ok(applied) = plane::apply(&document, &bind, motion, "new", &ApplyOptions::default())
    else {
        return;
    };
    let added = plane::add(&document, &applied.animation).expect("it fits");
    for it in added.animations().flat_map(|it| it.transforms()) {
        let numbers = [it.x, it.y, it.rotation, it.scale_x, it.scale_y];
        assert!(numbers.into_iter().all(f32::is_finite), "{it:?}");
    }
}

/// Rules whose faults are repaired when a motion is written.
const REPAIRED: [SeanimRule; 6] = [
    SeanimRule::ModifierCount,
    SeanimRule::ModifierRange,
    SeanimRule::BonesWithoutKeys,
    SeanimRule::NotesWithoutBit,
    SeanimRule::CustomMissing,
    SeanimRule::CountUnused,
];

fn write(motion: &Motion, found: &Findings, data: &[u8]) {
    let is_repaired = REPAIRED.iter().any(|rule| found.count(*rule) > 0);
    let Ok(bytes) = seanim::write(motion) else {
        assert!(is_repaired, "what needs no repair can be written again");
        return;
    };
    if !is_repaired {
        assert_eq!(bytes, data);
        return;
    }
    if !motion.layout.trailing.is_empty() {
        return; // without the fault, the bytes after the last block may mean something
    }
    let (again, _) = seanim::read(bytes.clone()).expect("what is written can be read");
    assert!(again == *motion, "it is the same");
    assert_eq!(seanim::write(&again).expect("it was written"), bytes);
}

/// Reads everything in a motion.
fn look(motion: &Motion) {
    assert!(motion.frames() > 0 && motion.duration_secs() >= 0.0);
    assert_eq!(motion.notes_by_frame().len(), motion.notes.len());
    for track in motion.tracks() {
        let name = track.target.name().expect("SEAnim names its bones");
        assert!(name.text().len() >= name.fault().unwrap_or(0));
        keys(motion.translation(track));
        keys(motion.rotation(track));
        keys(motion.scale(track));
    }
    for modifier in &motion.modifiers {
        assert!((modifier.track as usize) < motion.tracks().len());
    }
}

/// Calls everything that keys offer.
pub(super) fn keys<const N: usize>(keys: Option<Keys<'_, N>>) {
    let Some(keys) = keys else { return };
    let all: Vec<Key<N>> = keys.iter().collect();
    assert_eq!(all.len(), keys.len());
    let last = keys.get(keys.len().saturating_sub(1));
    assert_eq!(all.last().is_some(), last.is_some());
    assert!(all.last().zip(last).is_none_or(|(a, b)| a.is_same(&b)));
    let ascend = |keys: &[Key<N>]| keys.is_sorted_by(|a, b| a.frame < b.frame);
    assert!(ascend(&keys.sorted()));
    assert_eq!(keys.is_sorted(), ascend(&all));
}
