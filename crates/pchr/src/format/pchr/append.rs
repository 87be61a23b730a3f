//! A file with one more animation.

use super::animations;
use crate::bytes::{WriteError, Writer};
use crate::document::{AnimationParts, Document, FileSection};

/// Writes a document with `animation` after its own; everything else is unchanged, byte for byte.
///
/// # Errors
/// [`WriteError`] naming the count or length that does not fit.
pub fn append_animation(
    document: &Document,
    animation: &AnimationParts,
) -> Result<Vec<u8>, WriteError> {
    let range = document.section_range(FileSection::Animations);
    let part = |from: u64, to: u64| {
        let place = |at| usize::try_from(at).unwrap_or(usize::MAX);
        let bytes = document.bytes();
        bytes.get(place(from)..place(to)).unwrap_or_default()
    };
    let count = document.animations().len().saturating_add(1);
    let mut writer = Writer::new();
    writer.bytes(part(0, range.start));
    writer.count16(count, || "animations".into())?;
    writer.bytes(part(range.start.saturating_add(2), range.end));
    animations::write_one(
        &mut writer,
        count.saturating_sub(1),
        animation,
        document.bones().len(),
    )?;
    writer.bytes(document.trailing());
    Ok(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BoneParts, BoneTransform, DocumentParts};
    use crate::format::pchr::build;

    #[test]
    fn all_but_the_animation_stays() {
        let animation = |name: &str, frame_count: u16| AnimationParts {
            name: name.into(),
            frame_count,
            transforms: vec![BoneTransform::default(); frame_count.into()],
            ..AnimationParts::default()
        };
        let mut parts = DocumentParts {
            fps: 7,
            flags: 9,
            bones: vec![BoneParts::default()],
            trailing: vec![1, 2, 3],
            ..DocumentParts::default()
        };
        for next in [animation("a", 2), animation("b", 0), animation("", 1)] {
            let appended = append_animation(&build(&parts).unwrap(), &next).unwrap();
            parts.animations.push(next);
            assert_eq!(appended, build(&parts).unwrap().bytes());
        }
        parts.animations = vec![AnimationParts::default(); usize::from(u16::MAX)];
        let full = build(&parts).unwrap();
        let error = append_animation(&full, &AnimationParts::default()).unwrap_err();
        assert_eq!(error.path, "animations");
    }
}
