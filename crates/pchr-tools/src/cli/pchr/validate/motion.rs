//! `--motion-quality`: notes about loops and frames that jump.

use std::path::Path;

use pchr::document::{AnimationId, BoneId, Document};
use pchr::finding::{Findings, quoted};
use pchr::scene::{ClipEnd, SmoothnessJob, SmoothnessRule, Subject};

use crate::cli::pchr::content::{self, Content};
use crate::run::input::InputArgs;
use crate::run::{Disk, Failure};
use crate::text::smoothness;

/// Returns the notes about the animations of a file.
pub(super) fn notes(
    content: &Content,
    disk: &Disk,
    path: &Path,
    args: InputArgs,
) -> Result<Findings, Failure> {
    match content {
        Content::Atlas(_) => Ok(Findings::default()),
        _ => content::judged(content, (disk, path, args), "--motion-quality", notes_of),
    }
}

fn notes_of(subject: &dyn Subject, document: Option<&Document>) -> Findings {
    let mut found = Findings::default();
    let mut add =
        |rule: SmoothnessRule, id: AnimationId, (frame, bone): (u16, BoneId), text: &str| {
            let clip = document.and_then(|document| document.animation(id));
            let offset = clip.map_or(0, |clip| clip.record_offset(frame, bone));
            let path = || format!("animations[{}].frames[{frame}][{}]", id.0, bone.0);
            let name = quoted(subject.animation_name(id));
            found.add(rule, offset, path, || format!("{name}: {text}"));
        };
    for (id, clip) in subject.animation_ids().zip(&SmoothnessJob { subject }.run()) {
        let end = clip.seam.as_ref().and_then(|seam| {
            let rule = match seam.end {
                ClipEnd::Jumps => SmoothnessRule::Loop,
                ClipEnd::Repeats if subject.loops(id) != Some(false) => SmoothnessRule::Loop,
                ClipEnd::Elsewhere if subject.loops(id).is_none() => SmoothnessRule::End,
                ClipEnd::Elsewhere | ClipEnd::Repeats | ClipEnd::Closes => return None,
            };
            Some((rule, seam.bones.first()?.bone, smoothness::end(subject, id, clip)?))
        });
        if let Some((rule, bone, text)) = end {
            add(rule, id, (0, bone), &format!("loop {text}"));
        }
        for pop in &clip.pops {
            let place = (pop.frame, pop.jump.bone);
            add(SmoothnessRule::Pop, id, place, &smoothness::pop(subject, pop));
        }
        if let Some(frame) = clip.left_out {
            let text = format!("too large: frame {frame} and later were not measured");
            add(SmoothnessRule::LeftOut, id, (frame, BoneId(0)), &text);
        }
    }
    found
}
