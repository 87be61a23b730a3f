//! `animationCount`, `animations`.

use super::section::{At, Ended, elements, name, offset};
use crate::bytes::{Limit, Reader, WriteError, Writer};
use crate::document::{AnimationEntry, AnimationParts, TRANSFORM_SIZE};

/// Name length, flags, frame count.
const MIN_SIZE: usize = 2 + 1 + 2;

pub(super) fn read(
    reader: &mut Reader<'_>,
    bone_count: usize,
    out: &mut Vec<AnimationEntry>,
) -> Result<(), Ended> {
    let frame_size = bone_count.saturating_mul(TRANSFORM_SIZE);
    elements(reader, out, "animationCount", MIN_SIZE, |reader, i| {
        let name = name(reader).at(|| format!("animations[{i}].name"))?;
        let flags = reader.u8().at(|| format!("animations[{i}].flags"))?;
        let frame_count = reader.u16().at(|| format!("animations[{i}].frameCount"))?;
        let frames_at = offset(reader);
        reader
            .skip(frame_count.into(), frame_size)
            .at(|| format!("animations[{i}].frames"))?;
        Ok(AnimationEntry {
            name,
            flags,
            frame_count,
            frames_at,
        })
    })
}

pub(super) fn write(
    writer: &mut Writer,
    animations: &[AnimationParts],
    bone_count: usize,
) -> Result<(), WriteError> {
    writer.count16(animations.len(), || "animations".into())?;
    for (i, animation) in animations.iter().enumerate() {
        write_one(writer, i, animation, bone_count)?;
    }
    Ok(())
}

/// Writes the animation of index `i`.
pub(super) fn write_one(
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
