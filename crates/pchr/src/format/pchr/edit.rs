//! A file with one more animation, or with other images.

use super::sections;
use crate::bytes::{WriteError, Writer};
use crate::document::{AnimationParts, Document, FileSection, ImageParts};

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
    sections::write_animation(
        &mut writer,
        count.saturating_sub(1),
        animation,
        document.bones().len(),
    )?;
    writer.bytes(document.trailing());
    Ok(writer.finish())
}

/// Writes a document with its images replaced by `images`; everything else is unchanged, byte for byte.
///
/// # Errors
/// [`WriteError`] naming the first count or length that does not fit.
pub fn replace_images(document: &Document, images: &[ImageParts]) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::new();
    sections::write_header(&mut writer, document.fps(), document.flags());
    let images_at = writer.len();
    sections::write_images(&mut writer, images)?;
    // Without images there is their count alone.
    let count_end = (images_at as u64).saturating_add(2);
    let own = document.image_ids().last();
    let own_end = own
        .and_then(|id| document.image_ranges(id))
        .map_or(count_end, |ranges| ranges.all.end);
    let rest = usize::try_from(own_end)
        .ok()
        .and_then(|end| document.bytes().get(end..));
    writer.bytes(rest.unwrap_or_default());
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

    #[test]
    fn all_but_the_images_stays() {
        let image = |name: &str, data: &[u8]| ImageParts {
            name: name.into(),
            data: data.into(),
            ..ImageParts::default()
        };
        let parts = |images: &[ImageParts]| DocumentParts {
            fps: 7,
            flags: 9,
            images: images.to_vec(),
            bones: vec![BoneParts::default()],
            trailing: vec![1, 2, 3],
            ..DocumentParts::default()
        };
        let lists = [
            vec![],
            vec![image("a", &[1])],
            vec![image("b", &[]), image("c", &[2; 300])],
        ];
        for from in &lists {
            for to in &lists {
                let replaced = replace_images(&build(&parts(from)).unwrap(), to).unwrap();
                assert_eq!(replaced, build(&parts(to)).unwrap().bytes());
            }
        }
    }
}
