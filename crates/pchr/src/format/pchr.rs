//! PCHR v1: the sections of a file, read and written side by side.
//!
//! Reading walks the structure once and records offsets. The complete sections are checked against the rules afterwards.

use std::borrow::Cow;

use crate::bytes::{Limit, Reader, UnexpectedEnd, WriteError, Writer};
use crate::document::{
    AnimationEntry, AnimationParts, BoneEntry, BoneParts, Directory, Document, DocumentParts,
    FileSection, INDEX_SIZE, ImageEntry, ImageParts, MeshEntry, MeshParts, NameEntry, PchrRule,
    TRANSFORM_SIZE, VERTEX_SIZE, check,
};
use crate::finding::{Findings, Invalid, counted};

/// The first four bytes of a file.
pub const MAGIC: [u8; 4] = *b"PCHR";
/// The version that is read and written.
pub const VERSION: u32 = 1;

/// Reads a v1 file.
///
/// # Errors
/// [`Invalid`] with every finding if one of them is an error, and the bytes back.
pub fn read(bytes: Cow<'static, [u8]>) -> Result<Document, (Invalid, Cow<'static, [u8]>)> {
    let mut findings = Findings::default();
    if bytes.len() as u64 > u64::from(u32::MAX) {
        let message =
            || format!("{} bytes, expected at most {} bytes in a file", bytes.len(), u32::MAX);
        findings.add(PchrRule::Limit, 0, "file", message);
        return Err((Invalid(findings), bytes));
    }
    let mut directory = Directory::default();
    let mut section = FileSection::Header;
    if let Err(end) = read_all(&bytes, &mut directory, &mut findings, &mut section) {
        end.report(&mut findings);
    }
    check(&bytes, &directory, section, &mut findings);
    if findings.first_error().is_some() {
        return Err((Invalid(findings), bytes));
    }
    Ok(Document::new(bytes, directory, findings))
}

/// Reads one section after the other. `section` becomes the one that does not end, or what follows them all.
fn read_all(
    bytes: &[u8],
    directory: &mut Directory,
    findings: &mut Findings,
    section: &mut FileSection,
) -> Result<(), Ended> {
    let reader = &mut Reader::new(bytes);
    read_header(reader, directory, findings)?;
    if findings.first_error().is_some() {
        return Ok(()); // another magic or version: what follows means something else
    }
    *section = FileSection::Images;
    read_images(reader, &mut directory.images)?;
    *section = FileSection::Bones;
    read_bones(reader, &mut directory.bones)?;
    *section = FileSection::Meshes;
    read_meshes(reader, &mut directory.meshes)?;
    *section = FileSection::Animations;
    read_animations(reader, directory.bones.len(), &mut directory.animations)?;
    directory.end = offset(reader);
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
    write_header(&mut writer, parts.fps, parts.flags);
    write_images(&mut writer, &parts.images)?;
    write_bones(&mut writer, &parts.bones)?;
    write_meshes(&mut writer, &parts.meshes)?;
    write_animations(&mut writer, &parts.animations, parts.bones.len())?;
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
    write_animation(&mut writer, count.saturating_sub(1), animation, document.bones().len())?;
    writer.bytes(document.trailing());
    Ok(writer.finish())
}

/// Writes a document with its images replaced by `images`; everything else is unchanged, byte for byte.
///
/// # Errors
/// [`WriteError`] naming the first count or length that does not fit.
pub fn replace_images(document: &Document, images: &[ImageParts]) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::new();
    write_header(&mut writer, document.fps(), document.flags());
    let images_at = writer.len();
    write_images(&mut writer, images)?;
    // Without images there is their count alone.
    let count_end = (images_at as u64).saturating_add(2);
    let own = document.image_ids().last();
    let own_end =
        own.and_then(|id| document.image_ranges(id)).map_or(count_end, |ranges| ranges.all.end);
    let rest = usize::try_from(own_end).ok().and_then(|end| document.bytes().get(end..));
    writer.bytes(rest.unwrap_or_default());
    Ok(writer.finish())
}

/// The data ended inside a field.
struct Ended {
    path: String,
    end: UnexpectedEnd,
}

impl Ended {
    #[cold]
    fn report(self, findings: &mut Findings) {
        let UnexpectedEnd { offset, wanted, left } = self.end;
        let message = || {
            let more = counted(wanted.saturating_sub(left), "byte", "bytes");
            let ends_at = offset.saturating_add(left);
            format!(
                "the file ends at byte {ends_at}, {more} too early ({wanted} needed from byte {offset}, {left} left)"
            )
        };
        findings.add(PchrRule::UnexpectedEnd, offset, || self.path, message);
    }
}

/// Adds the path to an early end.
trait AtPath<T> {
    fn at(self, path: impl FnOnce() -> String) -> Result<T, Ended>;
}

impl<T> AtPath<T> for Result<T, UnexpectedEnd> {
    #[inline]
    fn at(self, path: impl FnOnce() -> String) -> Result<T, Ended> {
        self.map_err(
            #[cold]
            |end| Ended { path: path(), end },
        )
    }
}

/// Reads a section's `uint16` count and its elements.
///
/// Room is made only for a count that the bytes left can hold, at `min_size` bytes an element. For any other the
/// elements are walked without keeping them, to find the one that the data ends in.
fn elements<'a, T>(
    reader: &mut Reader<'a>,
    out: &mut Vec<T>,
    count_path: &str,
    min_size: usize,
    mut element: impl FnMut(&mut Reader<'a>, usize) -> Result<T, Ended>,
) -> Result<(), Ended> {
    let count = usize::from(reader.u16().at(|| count_path.into())?);
    if count.saturating_mul(min_size) <= reader.left() {
        out.reserve_exact(count);
        for index in 0..count {
            out.push(element(reader, index)?);
        }
    } else {
        for index in 0..count {
            element(reader, index)?;
        }
    }
    Ok(())
}

/// Reads the offset and length of a string. Its UTF-8 is checked later.
#[inline]
fn name(reader: &mut Reader<'_>) -> Result<NameEntry, UnexpectedEnd> {
    let mut ahead = *reader;
    let len = ahead.u16()?;
    let at = offset(&ahead);
    ahead.bytes(len.into())?;
    *reader = ahead;
    Ok(NameEntry { at, len })
}

/// Returns the reader's position; files are smaller than 4 GiB.
#[inline]
fn offset(reader: &Reader<'_>) -> u32 {
    u32::try_from(reader.position()).unwrap_or(u32::MAX)
}

fn read_header(
    reader: &mut Reader<'_>,
    directory: &mut Directory,
    findings: &mut Findings,
) -> Result<(), Ended> {
    // A file that is shorter, and does not begin like one, is not cut off.
    let mut ahead = *reader;
    let magic = match ahead.bytes(reader.left().min(MAGIC.len())) {
        Ok(start) if !MAGIC.starts_with(start) => start,
        _ => reader.bytes(MAGIC.len()).at(|| "magic".into())?,
    };
    if magic != MAGIC {
        let message = || format!("{:?}, expected \"PCHR\"", String::from_utf8_lossy(magic));
        findings.add(PchrRule::Magic, 0, "magic", message);
        return Ok(());
    }
    let version = reader.u32().at(|| "version".into())?;
    if version != VERSION {
        let swapped = if version.swap_bytes() == VERSION { " (1 written big-endian)" } else { "" };
        let message =
            || format!("version {version}{swapped}, but this program reads version {VERSION}");
        findings.add(PchrRule::Version, 4, "version", message);
        return Ok(());
    }
    directory.fps = reader.u16().at(|| "fps".into())?;
    directory.flags = reader.u16().at(|| "flags".into())?;
    Ok(())
}

fn write_header(writer: &mut Writer, fps: u16, flags: u16) {
    writer.bytes(&MAGIC);
    writer.u32(VERSION);
    writer.u16(fps);
    writer.u16(flags);
}

fn read_images(reader: &mut Reader<'_>, out: &mut Vec<ImageEntry>) -> Result<(), Ended> {
    // At least name length, width, height, format and data length.
    elements(reader, out, "imageCount", 2 + 2 + 2 + 1 + 4, |reader, i| {
        let name = name(reader).at(|| format!("images[{i}].name"))?;
        let width = reader.u16().at(|| format!("images[{i}].width"))?;
        let height = reader.u16().at(|| format!("images[{i}].height"))?;
        let format = reader.u8().at(|| format!("images[{i}].format"))?;
        let data_len = reader.u32().at(|| format!("images[{i}].dataLength"))?;
        let data_at = offset(reader);
        reader.skip(data_len as usize, 1).at(|| format!("images[{i}].data"))?;
        Ok(ImageEntry { name, width, height, format, data_at, data_len })
    })
}

fn write_images(writer: &mut Writer, images: &[ImageParts]) -> Result<(), WriteError> {
    writer.count16(images.len(), || "images".into())?;
    for (i, image) in images.iter().enumerate() {
        writer.string(&image.name, || format!("images[{i}].name"))?;
        writer.u16(image.width);
        writer.u16(image.height);
        writer.u8(image.format.number());
        writer.count32(image.data.len(), || format!("images[{i}].data"))?;
        writer.bytes(&image.data);
    }
    Ok(())
}

fn read_bones(reader: &mut Reader<'_>, out: &mut Vec<BoneEntry>) -> Result<(), Ended> {
    // At least name length and parent.
    elements(reader, out, "boneCount", 2 + 2, |reader, i| {
        let name = name(reader).at(|| format!("bones[{i}].name"))?;
        let parent = reader.i16().at(|| format!("bones[{i}].parent"))?;
        Ok(BoneEntry { name, parent })
    })
}

fn write_bones(writer: &mut Writer, bones: &[BoneParts]) -> Result<(), WriteError> {
    writer.count16(bones.len(), || "bones".into())?;
    for (i, bone) in bones.iter().enumerate() {
        writer.string(&bone.name, || format!("bones[{i}].name"))?;
        let parent = bone.parent.map_or(Ok(-1), |parent| {
            i16::try_from(parent).map_err(|_| WriteError {
                path: format!("bones[{i}].parent"),
                found: parent.into(),
                limit: Limit::AtMost(0x7fff),
            })
        })?;
        writer.i16(parent);
    }
    Ok(())
}

fn read_meshes(reader: &mut Reader<'_>, out: &mut Vec<MeshEntry>) -> Result<(), Ended> {
    // At least name length, image, vertex count and index count.
    elements(reader, out, "meshCount", 2 + 2 + 2 + 4, |reader, i| {
        let name = name(reader).at(|| format!("meshes[{i}].name"))?;
        let image = reader.u16().at(|| format!("meshes[{i}].image"))?;
        let vertex_count = reader.u16().at(|| format!("meshes[{i}].vertexCount"))?;
        let index_count = reader.u32().at(|| format!("meshes[{i}].indexCount"))?;
        let vertices_at = offset(reader);
        reader.skip(vertex_count.into(), VERTEX_SIZE).at(|| format!("meshes[{i}].vertices"))?;
        reader.skip(index_count as usize, 2).at(|| format!("meshes[{i}].indices"))?;
        Ok(MeshEntry { name, image, vertex_count, index_count, vertices_at })
    })
}

fn write_meshes(writer: &mut Writer, meshes: &[MeshParts]) -> Result<(), WriteError> {
    writer.count16(meshes.len(), || "meshes".into())?;
    for (i, mesh) in meshes.iter().enumerate() {
        writer.string(&mesh.name, || format!("meshes[{i}].name"))?;
        writer.u16(mesh.image);
        writer.count16(mesh.vertices.len(), || format!("meshes[{i}].vertices"))?;
        writer.count32(mesh.indices.len(), || format!("meshes[{i}].indices"))?;
        for vertex in &mesh.vertices {
            writer.bytes(&vertex.to_record());
        }
        mesh.indices.iter().for_each(|index| writer.u16(*index));
    }
    Ok(())
}

fn read_animations(
    reader: &mut Reader<'_>,
    bone_count: usize,
    out: &mut Vec<AnimationEntry>,
) -> Result<(), Ended> {
    let frame_size = bone_count.saturating_mul(TRANSFORM_SIZE);
    // At least name length, flags and frame count.
    elements(reader, out, "animationCount", 2 + 1 + 2, |reader, i| {
        let name = name(reader).at(|| format!("animations[{i}].name"))?;
        let flags = reader.u8().at(|| format!("animations[{i}].flags"))?;
        let frame_count = reader.u16().at(|| format!("animations[{i}].frameCount"))?;
        let frames_at = offset(reader);
        reader.skip(frame_count.into(), frame_size).at(|| format!("animations[{i}].frames"))?;
        Ok(AnimationEntry { name, flags, frame_count, frames_at })
    })
}

fn write_animations(
    writer: &mut Writer,
    animations: &[AnimationParts],
    bone_count: usize,
) -> Result<(), WriteError> {
    writer.count16(animations.len(), || "animations".into())?;
    for (i, animation) in animations.iter().enumerate() {
        write_animation(writer, i, animation, bone_count)?;
    }
    Ok(())
}

/// Writes the animation of index `i`.
fn write_animation(
    writer: &mut Writer,
    i: usize,
    animation: &AnimationParts,
    bone_count: usize,
) -> Result<(), WriteError> {
    writer.string(&animation.name, || format!("animations[{i}].name"))?;
    writer.u8(animation.flags);
    writer.u16(animation.frame_count);
    let wanted = usize::from(animation.frame_count).saturating_mul(bone_count);
    if animation.transforms.len() != wanted {
        return Err(WriteError {
            path: format!("animations[{i}].transforms"),
            found: animation.transforms.len() as u64,
            limit: Limit::Exactly(wanted as u64),
        });
    }
    for transform in &animation.transforms {
        writer.bytes(&transform.to_record());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BoneTransform;

    fn odd() -> DocumentParts {
        let (bones, trailing) = (vec![BoneParts::default()], vec![1, 2, 3]);
        DocumentParts { fps: 7, flags: 9, bones, trailing, ..DocumentParts::default() }
    }

    #[test]
    fn all_but_the_animation_stays() {
        let animation = |name: &str, frame_count: u16| {
            let transforms = vec![BoneTransform::default(); frame_count.into()];
            let name = name.into();
            AnimationParts { name, frame_count, transforms, ..AnimationParts::default() }
        };
        let mut parts = odd();
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
        let parts = |images: &[ImageParts]| DocumentParts { images: images.to_vec(), ..odd() };
        let lists = [vec![], vec![image("a", &[1])], vec![image("b", &[]), image("c", &[2; 300])]];
        for from in &lists {
            for to in &lists {
                let replaced = replace_images(&build(&parts(from)).unwrap(), to).unwrap();
                assert_eq!(replaced, build(&parts(to)).unwrap().bytes());
            }
        }
    }
}
