//! The sections of a file, read and written side by side: header, images, bones, meshes, animations.

use crate::bytes::{Limit, Reader, UnexpectedEnd, WriteError, Writer};
use crate::document::{
    AnimationEntry, AnimationParts, BoneEntry, BoneParts, Directory, ImageEntry, ImageParts,
    MeshEntry, MeshParts, NameEntry, PchrRule, TRANSFORM_SIZE, VERTEX_SIZE,
};
use crate::finding::{Findings, counted};

/// The data ended inside a field.
pub(super) struct Ended {
    path: String,
    end: UnexpectedEnd,
}

impl Ended {
    #[cold]
    pub(super) fn report(self, findings: &mut Findings) {
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
pub(super) trait AtPath<T> {
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
pub(super) fn elements<'a, T>(
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
pub(super) fn name(reader: &mut Reader<'_>) -> Result<NameEntry, UnexpectedEnd> {
    let mut ahead = *reader;
    let len = ahead.u16()?;
    let at = offset(&ahead);
    ahead.bytes(len.into())?;
    *reader = ahead;
    Ok(NameEntry { at, len })
}

/// Returns the reader's position; files are smaller than 4 GiB.
#[inline]
pub(super) fn offset(reader: &Reader<'_>) -> u32 {
    u32::try_from(reader.position()).unwrap_or(u32::MAX)
}

/// The first four bytes of a file.
pub const MAGIC: [u8; 4] = *b"PCHR";
/// The version that is read and written.
pub const VERSION: u32 = 1;

pub(super) fn read_header(
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
        findings.add(PchrRule::Magic, 0, || "magic".into(), message);
        return Ok(());
    }
    let version = reader.u32().at(|| "version".into())?;
    if version != VERSION {
        let swapped = if version.swap_bytes() == VERSION { " (1 written big-endian)" } else { "" };
        let message =
            || format!("version {version}{swapped}, but this program reads version {VERSION}");
        findings.add(PchrRule::Version, 4, || "version".into(), message);
        return Ok(());
    }
    directory.fps = reader.u16().at(|| "fps".into())?;
    directory.flags = reader.u16().at(|| "flags".into())?;
    Ok(())
}

pub(super) fn write_header(writer: &mut Writer, fps: u16, flags: u16) {
    writer.bytes(&MAGIC);
    writer.u32(VERSION);
    writer.u16(fps);
    writer.u16(flags);
}

/// Name length, width, height, format, data length.
const MIN_IMAGE: usize = 2 + 2 + 2 + 1 + 4;

pub(super) fn read_images(reader: &mut Reader<'_>, out: &mut Vec<ImageEntry>) -> Result<(), Ended> {
    elements(reader, out, "imageCount", MIN_IMAGE, |reader, i| {
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

pub(super) fn write_images(writer: &mut Writer, images: &[ImageParts]) -> Result<(), WriteError> {
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

/// Name length, parent.
const MIN_BONE: usize = 2 + 2;

pub(super) fn read_bones(reader: &mut Reader<'_>, out: &mut Vec<BoneEntry>) -> Result<(), Ended> {
    elements(reader, out, "boneCount", MIN_BONE, |reader, i| {
        let name = name(reader).at(|| format!("bones[{i}].name"))?;
        let parent = reader.i16().at(|| format!("bones[{i}].parent"))?;
        Ok(BoneEntry { name, parent })
    })
}

pub(super) fn write_bones(writer: &mut Writer, bones: &[BoneParts]) -> Result<(), WriteError> {
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

/// Name length, image, vertex count, index count.
const MIN_MESH: usize = 2 + 2 + 2 + 4;

pub(super) fn read_meshes(reader: &mut Reader<'_>, out: &mut Vec<MeshEntry>) -> Result<(), Ended> {
    elements(reader, out, "meshCount", MIN_MESH, |reader, i| {
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

pub(super) fn write_meshes(writer: &mut Writer, meshes: &[MeshParts]) -> Result<(), WriteError> {
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

/// Name length, flags, frame count.
const MIN_ANIMATION: usize = 2 + 1 + 2;

pub(super) fn read_animations(
    reader: &mut Reader<'_>,
    bone_count: usize,
    out: &mut Vec<AnimationEntry>,
) -> Result<(), Ended> {
    let frame_size = bone_count.saturating_mul(TRANSFORM_SIZE);
    elements(reader, out, "animationCount", MIN_ANIMATION, |reader, i| {
        let name = name(reader).at(|| format!("animations[{i}].name"))?;
        let flags = reader.u8().at(|| format!("animations[{i}].flags"))?;
        let frame_count = reader.u16().at(|| format!("animations[{i}].frameCount"))?;
        let frames_at = offset(reader);
        reader.skip(frame_count.into(), frame_size).at(|| format!("animations[{i}].frames"))?;
        Ok(AnimationEntry { name, flags, frame_count, frames_at })
    })
}

pub(super) fn write_animations(
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
pub(super) fn write_animation(
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
