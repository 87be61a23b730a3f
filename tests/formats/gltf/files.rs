//! Tests of the corpus's motions: they come back unchanged.

use pchr_foreign::format::{pxd, seanim};
use pchr_foreign::motion::{Conventions, LocalKeys, Motion, Name, Skeleton};

use super::{assert_same, bone, distance, read, turn, write};
use crate::corpus;

/// A motion and a skeleton for it.
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) skeleton: Skeleton,
    pub(super) motion: Motion,
}

/// PXD motions of the corpus.
pub(super) fn of_pxd() -> Vec<Pair> {
    let (folder, index) = corpus::indexed("pxd");
    let pairs = index["fixtures"].as_array().unwrap().iter().map(|fixture| {
        let file =
            |name: &str| std::fs::read(folder.join(fixture[name].as_str().unwrap())).unwrap();
        let name = fixture["name"].as_str().unwrap().to_owned();
        let skeleton = pxd::read_skeleton(&file("skeleton")).unwrap().0;
        Pair { name, skeleton, motion: pxd::read_animation(&file("animation")).unwrap().0 }
    });
    let pairs: Vec<Pair> = pairs.collect();
    assert!(pairs.len() > 20);
    pairs
}

/// SEAnim motions of the corpus, each with a skeleton of its track names, in chains of three bones.
pub(super) fn of_seanim() -> Vec<Pair> {
    let sound = corpus::cases("seanim", 84).into_iter().filter(|case| case.expect == "ok");
    let pairs = sound.map(|case| {
        let (motion, _) = seanim::read(case.bytes).unwrap();
        let names = motion.tracks().iter().map(|it| it.target.name().cloned());
        let bones = (0_u32..).zip(names).map(|(index, name): (u32, Option<Name>)| {
            let parent = (index % 3 > 0).then(|| index - 1);
            let mut bone = bone("", parent, [f64::from(index), 0.5, 0.0]);
            bone.name = name.unwrap();
            bone.rest.rotation = turn(2, f64::from(index % 7));
            bone
        });
        let skeleton = Skeleton::new(bones.collect(), Conventions::default()).unwrap();
        Pair { name: case.file, skeleton, motion }
    });
    let pairs: Vec<Pair> = pairs.collect();
    assert!(pairs.len() > 30);
    pairs
}

pub(super) fn is_finite(keys: &LocalKeys) -> bool {
    keys.bones.iter().all(|keys| {
        let vectors = keys.translation.iter().chain(&keys.scale);
        let vectors = vectors.flat_map(|key| key.value);
        let rotations = keys.rotation.iter().flat_map(|key| key.value);
        { vectors.chain(rotations) }.all(|number| (number as f32).is_finite())
    })
}

/// Returns true for losses that change no key.
fn is_harmless(loss: &str) -> bool {
    let kinds =
        "types of motions|flags of bones|custom blocks|frame rates|uneven speed between keys";
    let mut kinds = kinds.split('|');
    kinds.any(|kind| loss.contains(kind))
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_motion_comes_back() {
    let mut exact = 0;
    for Pair { name, skeleton, motion } in of_pxd().into_iter().chain(of_seanim()) {
        let keys = super::keys(&skeleton, &motion);
        if !is_finite(&keys) {
            continue; // refused here; `made.rs` has some of these
        }
        let (file, losses) = write(&skeleton, &[(&name, &motion)]);
        let back = read(&file);
        if losses.iter().all(|loss| is_harmless(loss)) {
            assert_same(&name, &skeleton, &motion, &back, 0);
            exact += 1;
        }
        let has = |what| losses.iter().any(|loss| loss.contains(what));
        let sheared = has("shear");
        let clip = &back.clips[0].motion;
        if motion.frames() < 2000 && !has("uneven speed between keys") {
            let (place, angle) = distance((&skeleton, &motion), (&back.skeleton, clip), 1.0);
            assert!(place < 1e-5, "{name}: {place}");
            assert!(angle < 1e-5 || sheared, "{name}: {angle}");
        }
    }
    assert!(exact >= 45, "{exact}");
}
