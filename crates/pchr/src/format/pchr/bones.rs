//! `boneCount`, `bones`.

use super::section::{At, Ended, elements, name};
use crate::bytes::{Limit, Reader, WriteError, Writer};
use crate::document::{BoneEntry, BoneParts};

/// Name length, parent.
const MIN_SIZE: usize = 2 + 2;

pub(super) fn read(reader: &mut Reader<'_>, out: &mut Vec<BoneEntry>) -> Result<(), Ended> {
    elements(reader, out, "boneCount", MIN_SIZE, |reader, i| {
        let name = name(reader).at(|| format!("bones[{i}].name"))?;
        let parent = reader.i16().at(|| format!("bones[{i}].parent"))?;
        Ok(BoneEntry { name, parent })
    })
}

pub(super) fn write(writer: &mut Writer, bones: &[BoneParts]) -> Result<(), WriteError> {
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
