//! PCHR v1, read and written side by side.
//!
//! Reading walks the structure once and records offsets. The complete sections are checked against the rules afterwards.

mod sections;

use std::borrow::Cow;

use crate::bytes::{Reader, WriteError, Writer};
use crate::document::{
    AnimationParts, Directory, Document, DocumentParts, FileSection, INDEX_SIZE, ImageParts,
    PchrRule, TRANSFORM_SIZE, VERTEX_SIZE, check,
};
use crate::finding::{Findings, Invalid};

pub use sections::{MAGIC, VERSION};

/// Reads a v1 file.
///
/// # Errors
/// [`Invalid`] with every finding if one of them is an error, and the bytes back.
pub fn read(bytes: Cow<'static, [u8]>) -> Result<Document, (Invalid, Cow<'static, [u8]>)> {
    let mut findings = Findings::default();
    if bytes.len() as u64 > u64::from(u32::MAX) {
        let message =
            || format!("{} bytes, expected at most {} bytes in a file", bytes.len(), u32::MAX);
        findings.add(PchrRule::Limit, 0, || "file".into(), message);
        return Err((Invalid(findings), bytes));
    }
    let mut directory = Directory::default();
    let whole = sections(&bytes, &mut directory, &mut findings);
    check(&bytes, &directory, whole, &mut findings);
    if findings.first_error().is_some() {
        return Err((Invalid(findings), bytes));
    }
    Ok(Document::new(bytes, directory, findings))
}

/// Reads the sections; the first that does not end is reported and returned, or what follows them all.
fn sections(bytes: &[u8], directory: &mut Directory, findings: &mut Findings) -> FileSection {
    let mut section = FileSection::Header;
    if let Err(end) = read_all(bytes, directory, findings, &mut section) {
        end.report(findings);
    }
    section
}

/// Reads one section after the other, and notes which.
fn read_all(
    bytes: &[u8],
    directory: &mut Directory,
    findings: &mut Findings,
    section: &mut FileSection,
) -> Result<(), sections::Ended> {
    let reader = &mut Reader::new(bytes);
    sections::read_header(reader, directory, findings)?;
    if findings.first_error().is_some() {
        return Ok(()); // another magic or version: what follows means something else
    }
    *section = FileSection::Images;
    sections::read_images(reader, &mut directory.images)?;
    *section = FileSection::Bones;
    sections::read_bones(reader, &mut directory.bones)?;
    *section = FileSection::Meshes;
    sections::read_meshes(reader, &mut directory.meshes)?;
    *section = FileSection::Animations;
    sections::read_animations(reader, directory.bones.len(), &mut directory.animations)?;
    directory.end = sections::offset(reader);
    *section = FileSection::Trailing;
    Ok(())
}

/// Writes a v1 file. Nothing is checked but that every count fits its field and that frames are whole;
/// [`crate::format::read`] checks the rest, and [`build`] does both.
///
/// # Errors
/// [`WriteError`] naming the first count or length that does not fit.
pub fn write(parts: &DocumentParts) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::with_capacity(size(parts));
    sections::write_header(&mut writer, parts.fps, parts.flags);
    sections::write_images(&mut writer, &parts.images)?;
    sections::write_bones(&mut writer, &parts.bones)?;
    sections::write_meshes(&mut writer, &parts.meshes)?;
    sections::write_animations(&mut writer, &parts.animations, parts.bones.len())?;
    writer.bytes(&parts.trailing);
    Ok(writer.finish())
}

/// Returns about the size of a file.
fn size(parts: &DocumentParts) -> usize {
    // Enough for the header, and for the counts of an element.
    const COUNTS: usize = 20;
    let images = parts
        .images
        .iter()
        .map(|i| COUNTS.saturating_add(i.name.len()).saturating_add(i.data.len()));
    let bones = parts.bones.iter().map(|bone| COUNTS.saturating_add(bone.name.len()));
    let meshes = parts.meshes.iter().map(|mesh| {
        let vertices = mesh.vertices.len().saturating_mul(VERTEX_SIZE);
        let indices = mesh.indices.len().saturating_mul(INDEX_SIZE);
        COUNTS.saturating_add(mesh.name.len()).saturating_add(vertices).saturating_add(indices)
    });
    let animations = parts.animations.iter().map(|animation| {
        let transforms = animation.transforms.len().saturating_mul(TRANSFORM_SIZE);
        COUNTS.saturating_add(animation.name.len()).saturating_add(transforms)
    });
    let elements = images.chain(bones).chain(meshes).chain(animations);
    elements.fold(COUNTS.saturating_add(parts.trailing.len()), usize::saturating_add)
}

/// Reason why parts do not make a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The parts do not fit into a file.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The parts break a rule. Byte offsets are those of the file that [`write()`] makes from them.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// Makes a document from parts: writes them and reads the result, so that they are checked like any file.
///
/// # Errors
/// [`BuildError`] with all that is wrong with them.
pub fn build(parts: &DocumentParts) -> Result<Document, BuildError> {
    let bytes = write(parts)?;
    read(bytes.into()).map_err(|(invalid, _)| invalid.into())
}

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
    let own_end =
        own.and_then(|id| document.image_ranges(id)).map_or(count_end, |ranges| ranges.all.end);
    let rest = usize::try_from(own_end).ok().and_then(|end| document.bytes().get(end..));
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
        let lists = [vec![], vec![image("a", &[1])], vec![image("b", &[]), image("c", &[2; 300])]];
        for from in &lists {
            for to in &lists {
                let replaced = replace_images(&build(&parts(from)).unwrap(), to).unwrap();
                assert_eq!(replaced, build(&parts(to)).unwrap().bytes());
            }
        }
    }
}
