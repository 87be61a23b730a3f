//! Writes a motion as a file.

use pchr::bytes::{Limit, WriteError, Writer};
use pchr::format::Losses;

use super::blocks::{CUSTOM, HIGH_PRECISION, LOC, LOOPED, NOTES, ROT, SCALE, SeanimHeader};
use crate::motion::{
    Channel, IndexWidth, KeyFormat, Keys, Motion, Name, Precision, SeanimLayout, pack_key,
};

/// A motion that SEAnim cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeanimUnwritable {
    /// A number that its field has no room for.
    #[error(transparent)]
    Limit(#[from] WriteError),
    /// A name with a NUL, which would end it.
    #[error("{path}: a name with a NUL cannot be written")]
    Nul {
        /// The name, like `bones[2].name`.
        path: String,
    },
    /// A track that knows its bone by index: a skeleton has the name.
    #[error("{path}: the motion does not name its bones; it needs its skeleton")]
    Unnamed {
        /// The missing name.
        path: String,
    },
    /// Samples, or keys at times: SEAnim has keys on frames.
    #[error(
        "a motion with samples or keys at times must be converted to keys on frames before it is written"
    )]
    Sampled,
}

/// Writes a motion. A motion that was read and is unchanged gives the same bytes, unless a block was repaired: modifiers that were
/// not counted, bones and notes without their bits, a custom block that is declared but missing.
///
/// # Errors
/// [`SeanimUnwritable`] if a number does not fit its field, or a name has a NUL.
pub fn write(motion: &Motion) -> Result<Vec<u8>, SeanimUnwritable> {
    let layout = &motion.layout;
    let tracks = motion.tracks();
    if motion.sampled().is_some() || motion.is_timed() {
        return Err(SeanimUnwritable::Sampled);
    }
    let too_many = |path: &str, found: usize, most: u64| {
        let limit = Limit::AtMost(most);
        let (path, found) = (path.to_owned(), found as u64);
        WriteError { path, found, limit }
    };
    let count32 = |count: usize, path| {
        u32::try_from(count).map_err(|_| too_many(path, count, u32::MAX.into()))
    };
    let modifiers = motion.modifiers.len();
    let header = SeanimHeader {
        animation_type: motion.animation_type.code(),
        flags: flags(motion),
        reserved: layout.reserved,
        rate: motion.rate,
        frame_count: motion.frame_count,
        bone_count: count32(tracks.len(), "boneCount")?,
        modifier_count: u8::try_from(modifiers)
            .map_err(|_| too_many("boneAnimModifierCount", modifiers, u8::MAX.into()))?,
        note_count: count32(motion.notes.len(), "noteCount")?,
        extra: &layout.header_extra,
    };
    let extra = layout.header_extra.len();
    let size = SeanimHeader::size(extra).ok_or_else(|| too_many("headerSize", extra, 65_507))?;
    let format = KeyFormat {
        frame: layout.frame_width.unwrap_or(IndexWidth::of_count(motion.frame_count)),
        precision: motion.precision(),
    };
    let bone_width = layout.bone_width.unwrap_or(IndexWidth::of_count(header.bone_count));
    let mut w = Writer::new();
    header.write(&mut w, size);
    for (index, track) in tracks.iter().enumerate() {
        let path = || format!("bones[{index}].name");
        let bone = track.target.name().ok_or_else(|| SeanimUnwritable::Unnamed { path: path() })?;
        name(&mut w, bone, path)?;
    }
    for (index, modifier) in motion.modifiers.iter().enumerate() {
        let path = || format!("modifiers[{index}]");
        number(&mut w, modifier.track, bone_width, path)?;
        w.u8(modifier.animation_type.code());
    }
    for (index, track) in tracks.iter().enumerate() {
        w.u8(track.flags);
        let path = |channel| format!("bones[{index}].{channel}");
        keys(&mut w, header.has(LOC), motion.translation(track), format, || path("loc"))?;
        keys(&mut w, header.has(ROT), motion.rotation(track), format, || path("rot"))?;
        keys(&mut w, header.has(SCALE), motion.scale(track), format, || path("scale"))?;
    }
    for (index, note) in motion.notes.iter().enumerate() {
        let path = || format!("notes[{index}]");
        number(&mut w, note.frame, format.frame, path)?;
        name(&mut w, &note.name, path)?;
    }
    if let Some(custom) = &motion.custom {
        w.count32(custom.len(), || "custom".into())?;
        w.bytes(custom);
    }
    w.bytes(&layout.trailing);
    Ok(w.finish())
}

/// Returns the three bytes of flags.
fn flags(motion: &Motion) -> [u8; 3] {
    let when = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    let layout = &motion.layout;
    let channels = motion.channels();
    // Bones without any channel would not be read: they get one that has no keys.
    let is_bare = channels.is_empty() && !motion.tracks().is_empty();
    let [flags, presence, properties] = layout.reserved_bits;
    let has_notes = layout.announces_notes || !motion.notes.is_empty();
    [
        flags | when(motion.looped, LOOPED),
        presence
            | when(channels.has(Channel::Translation) || is_bare, LOC)
            | when(channels.has(Channel::Rotation), ROT)
            | when(channels.has(Channel::Scale), SCALE)
            | when(has_notes, NOTES)
            | when(motion.custom.is_some(), CUSTOM),
        properties | when(motion.precision() == Precision::Double, HIGH_PRECISION),
    ]
}

fn name(
    w: &mut Writer,
    name: &Name,
    path: impl FnOnce() -> String,
) -> Result<(), SeanimUnwritable> {
    if name.as_bytes().contains(&0) {
        return Err(SeanimUnwritable::Nul { path: path() });
    }
    w.bytes(name.as_bytes());
    w.u8(0);
    Ok(())
}

fn number(
    w: &mut Writer,
    value: u32,
    width: IndexWidth,
    path: impl FnOnce() -> String,
) -> Result<(), WriteError> {
    fits(value, width, path)?;
    let bytes = value.to_le_bytes();
    w.bytes(bytes.get(..width.bytes()).unwrap_or_default());
    Ok(())
}

fn fits(value: u32, width: IndexWidth, path: impl FnOnce() -> String) -> Result<(), WriteError> {
    if value <= width.most() {
        return Ok(());
    }
    let limit = Limit::AtMost(width.most().into());
    Err(WriteError { path: path(), found: value.into(), limit })
}

/// Writes a list of keys, if the file has it: unchanged if it is packed as in the file.
fn keys<const N: usize>(
    w: &mut Writer,
    has_list: bool,
    keys: Option<Keys<'_, N>>,
    format: KeyFormat,
    path: impl Fn() -> String,
) -> Result<(), WriteError> {
    if !has_list {
        return Ok(());
    }
    let Some(keys) = keys else { return number(w, 0, format.frame, path) };
    let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
    number(w, count, format.frame, &path)?;
    let (packed, from) = keys.packed();
    if from == format {
        w.bytes(packed);
        return Ok(());
    }
    let mut bytes = Vec::with_capacity(keys.len().saturating_mul(format.stride(N)));
    for (index, key) in keys.iter().enumerate() {
        fits(key.frame, format.frame, || format!("{}[{index}]", path()))?;
        pack_key(&mut bytes, &key, format);
    }
    w.bytes(&bytes);
    Ok(())
}

/// Writes a motion as the document defines it: with correct widths, counts and bits, and without meaningless parts. Names, keys and
/// notes stay in order, bit for bit. Also returns the content that was left out.
///
/// # Errors
/// As [`write()`].
pub fn write_canonical(motion: &Motion) -> Result<(Vec<u8>, Losses), SeanimUnwritable> {
    let mut canonical = motion.clone();
    canonical.layout = SeanimLayout::default();
    Ok((write(&canonical)?, left_out(&motion.layout)))
}

/// Lists the meaningless parts of a file.
pub(in crate::format) fn left_out(layout: &SeanimLayout) -> Losses {
    let mut losses = Losses::default();
    let [a, b, rest @ ..] = layout.reserved;
    for (path, bytes) in [("reserved1", &[a, b][..]), ("reserved2", &rest)] {
        let count = bytes.iter().filter(|byte| **byte != 0).count() as u64;
        losses.add_many("reserved header bytes", count, || path.to_owned());
    }
    let names = ["animFlags", "dataPresenceFlags", "dataPropertyFlags"];
    for (path, bits) in names.into_iter().zip(layout.reserved_bits) {
        losses.add_many("reserved bits of flags", bits.count_ones().into(), || path.to_owned());
    }
    let parts = [
        ("header bytes after the known fields", &layout.header_extra, "headerSize"),
        ("bytes after the last block", &layout.trailing, "file"),
    ];
    for (what, bytes, path) in parts {
        losses.add_many(what, bytes.len() as u64, || path.to_owned());
    }
    losses
}
