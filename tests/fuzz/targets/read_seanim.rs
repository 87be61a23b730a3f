use pchr_view::finding::{Findings, Severity};
use pchr_view::format::seanim;
use pchr_view::motion::{Key, Keys, Motion, SeanimRule};

/// Arbitrary bytes as SEAnim; what is read is written, and is the same when it is read again.
pub fn read_seanim(data: &[u8]) {
    let _ = seanim::is_seanim(data);
    match seanim::read(data.to_vec()) {
        Err(invalid) => {
            assert!(invalid.0.first_error().is_some(), "an error says why");
            check(&invalid.0, data);
        }
        Ok((motion, found)) => {
            assert_eq!(found.total(Severity::Error), 0);
            check(&found, data);
            look(&motion);
            write(&motion, &found, data);
        }
    }
}

fn check(found: &Findings, data: &[u8]) {
    for finding in found {
        assert!(finding.offset <= data.len() as u64, "{finding}");
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
        return; // without the fault, bytes behind the last block may be something
    }
    let (again, _) = seanim::read(bytes.clone()).expect("what is written can be read");
    assert!(again == *motion, "it is the same");
    assert_eq!(seanim::write(&again).expect("it was written"), bytes);
}

/// Asks for everything that a motion tells.
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

/// Asks for everything that keys tell.
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
