//! Animations of characters become motions and come back, and any motion becomes an animation, projected on the plane.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failed expectation is a failed test; figures are printed"
)]

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/fixture.rs"]
mod fixture;

use std::borrow::Cow;

use pchr_view::document::{AnimationId, BoneTransform, Document};
use pchr_view::format::{self, seanim};
use pchr_view::motion::Motion;
use pchr_view::plane::{self, ApplyOptions, Extras};
use pchr_view::pose::{BindChoice, BindPose};

/// An animation, by way of a SEAnim file and back.
fn there_and_back(document: &Document, id: AnimationId) -> (Document, plane::Applied) {
    let (motion, losses) = plane::motion_of(document, id, Extras::Keep).unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    let file = seanim::write(&motion).unwrap();
    let (read, warnings) = seanim::read(Cow::Owned(file)).unwrap();
    let odd: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let mut again = read.clone();
    again.conventions = motion.conventions;
    assert!(again == motion, "{odd:?}"); // a file says nothing of axes
    let bind = BindPose::new(document, BindChoice::Auto);
    let name = document.animation(id).unwrap().name();
    let applied = plane::apply(document, &bind, &read, name, &ApplyOptions::default()).unwrap();
    (plane::add(document, &applied.animation).unwrap(), applied)
}

/// Compares the last animation of a document with an older one; returns the number of transforms, and of unequal ones.
fn compare(document: &Document, id: AnimationId) -> (usize, usize) {
    let old = document.animation(id).unwrap();
    let new = document.animations().last().unwrap();
    assert_eq!(old.frame_count(), new.frame_count());
    assert_eq!(old.flags(), new.flags());
    let records = |it: pchr_view::document::Animation<'_>| -> Vec<_> {
        it.transforms()
            .map(|it| BoneTransform::to_record(&it))
            .collect()
    };
    let (old, new) = (records(old), records(new));
    let unequal = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    (old.len(), unequal)
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn all_animations_of_the_corpus_come_back() {
    let mut files: Vec<_> = corpus::characters().into_iter().map(|it| it.pchr).collect();
    let synthetic = std::fs::read_dir(corpus::root().join("synthetic")).unwrap();
    let synthetic = synthetic.map(|entry| entry.unwrap().path());
    files.extend(synthetic.filter(|path| path.extension().is_some_and(|it| it == "pchr")));
    files.sort();
    let (mut animations, mut transforms, mut unequal) = (0, 0, 0);
    for file in files {
        let document = format::read(std::fs::read(&file).unwrap()).unwrap();
        for id in document.animation_ids() {
            let (added, applied) = there_and_back(&document, id);
            assert!(applied.report.uses_block, "{}", file.display());
            let found: Vec<String> = applied
                .report
                .findings
                .iter()
                .map(ToString::to_string)
                .collect();
            assert!(found.is_empty(), "{}: {found:?}", file.display());
            let (compared, differ) = compare(&added, id);
            animations += 1;
            transforms += compared;
            unequal += differ;
            if differ > 0 {
                println!(
                    "{} {}: {differ} of {compared} unequal",
                    file.display(),
                    id.0
                );
            }
        }
    }
    println!("{animations} animations, {transforms} transforms, {unequal} unequal");
    assert_eq!(unequal, 0);
    assert!(transforms > 10_000);
}
