//! The mirror of SEAnim in JSON, read and written.
//!
//! ```text
//! text ──recognise──► record ──pack──► SEAnim bytes ──seanim::read──► Motion, findings with lines and columns
//! Motion ──write──► text, and a list of what it cannot hold
//! ```
//!
//! It holds every value bit for bit: numbers are the exact doubles of their floats, and numbers that are not finite are strings. Bytes that mean
//! nothing (reserved ones, those behind the known fields of the header and behind the last block) are counted and not kept.

mod read;
mod record;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use pchr::format::Losses;

use self::record::MirrorNumber;
use crate::format::json_text::{AfterKey, each_key, hex};
use crate::format::seanim::left_out;
use crate::motion::{IndexWidth, Keys, Motion, Name, Precision};

pub use read::read;

/// Returns true if bytes are the mirror of a motion, possibly damaged: an object with a key that only mirrors have, before any that
/// only characters or atlases have.
#[must_use]
pub fn looks_like_a_mirror(bytes: &[u8]) -> bool {
    let mut is_mirror = false;
    each_key(bytes, |_, key| {
        match key {
            "animType" | "framerate" | "frameCount" | "highPrecision" | "frameIndexBytes"
            | "boneIndexBytes" | "customHex" => is_mirror = true,
            "fps" | "images" | "meshes" | "animations" | "frames" | "textures" => {}
            _ => return AfterKey::Next,
        }
        AfterKey::Stop
    });
    is_mirror
}

/// Writes a motion, and returns the content that the mirror cannot express.
///
/// # Errors
/// Errors of `out`.
pub fn write(motion: &Motion, out: &mut dyn Write) -> io::Result<Losses> {
    let mut losses = left_out(&motion.layout);
    let layout = &motion.layout;
    let bone_count = u32::try_from(motion.tracks().len()).unwrap_or(u32::MAX);
    let frame_width = layout.frame_width;
    let frame_width = frame_width.unwrap_or(IndexWidth::of_count(motion.frame_count));
    let bone_width = layout.bone_width;
    let bone_width = bone_width.unwrap_or(IndexWidth::of_count(bone_count));
    let channels = motion.channels();
    let has_notes = layout.announces_notes || !motion.notes.is_empty();
    let header_size = layout.header_extra.len().saturating_add(28);
    let precision = motion.precision();
    write!(
        out,
        "{{\"version\":1,\"headerSize\":{header_size},\"animType\":{},\"looped\":{},\"framerate\":",
        motion.animation_type.code(),
        motion.looped
    )?;
    let rate = MirrorNumber::single(motion.rate.to_bits());
    serde_json::to_writer(&mut *out, &rate.spelled(Precision::Single))?;
    write!(
        out,
        ",\"frameCount\":{},\n\"presence\":{{\"loc\":{},\"rot\":{},\"scale\":{},\"note\":{has_notes},\"custom\":{}}},\n\"highPrecision\":{},\"frameIndexBytes\":{},\"boneIndexBytes\":{},\n\"modifiers\":[",
        motion.frame_count,
        channels.translation,
        channels.rotation,
        channels.scale,
        motion.custom.is_some(),
        precision == Precision::Double,
        frame_width.bytes(),
        bone_width.bytes(),
    )?;
    for (index, modifier) in motion.modifiers.iter().enumerate() {
        let (track, code) = (modifier.track, modifier.animation_type.code());
        write!(out, "{}[{track},{code}]", comma(index))?;
    }
    out.write_all(b"],\n\"bones\":[")?;
    for (index, track) in motion.tracks().iter().enumerate() {
        write!(out, "{}\n{{\"name\":", comma(index))?;
        serde_json::to_writer(&mut *out, &track.target.text())?;
        write!(out, ",\"flags\":{},\n\"loc\":", track.flags)?;
        keys(motion.translation(track), out)?;
        out.write_all(b",\n\"rot\":")?;
        keys(motion.rotation(track), out)?;
        out.write_all(b",\n\"scale\":")?;
        keys(motion.scale(track), out)?;
        out.write_all(b"}")?;
    }
    out.write_all(b"],\n\"notes\":[")?;
    for (index, note) in motion.notes.iter().enumerate() {
        write!(out, "{}\n[{},", comma(index), note.frame)?;
        serde_json::to_writer(&mut *out, &note.name.text())?;
        out.write_all(b"]")?;
    }
    out.write_all(b"],\n\"customHex\":")?;
    match &motion.custom {
        Some(bytes) => write!(out, "\"{}\"", hex(bytes))?,
        None => out.write_all(b"null")?,
    }
    write!(out, ",\"trailingBytes\":{}", layout.trailing.len())?;
    let names = not_utf8(motion, &mut losses);
    if !names.is_empty() {
        out.write_all(b",\n\"notUtf8\":")?;
        serde_json::to_writer(&mut *out, &names)?;
    }
    out.write_all(b"}\n")?;
    Ok(losses)
}

/// Returns the text before an element of a list.
const fn comma(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

/// Writes keys, each as a list of its frame and its numbers; null if the channel is not stored.
fn keys<const N: usize>(keys: Option<Keys<'_, N>>, out: &mut dyn Write) -> io::Result<()> {
    let Some(keys) = keys else {
        return out.write_all(b"null");
    };
    let (packed, format) = keys.packed();
    let values = packed.chunks_exact(format.stride(N));
    out.write_all(b"[")?;
    for (index, (key, packed)) in keys.iter().zip(values).enumerate() {
        write!(out, "{}[{}", comma(index), key.frame)?;
        let numbers = packed.get(format.frame.bytes()..).unwrap_or_default();
        for number in numbers.chunks_exact(format.precision.bytes()) {
            let number = match (number.first_chunk(), number.first_chunk()) {
                (_, Some(double)) => MirrorNumber::double(u64::from_le_bytes(*double)),
                (Some(single), None) => MirrorNumber::single(u32::from_le_bytes(*single)),
                (None, None) => continue,
            };
            out.write_all(b",")?;
            serde_json::to_writer(&mut *out, &number.spelled(format.precision))?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"]")
}

/// Returns the bytes of names that are not UTF-8, by their replacement text. Names that share it with others are lost.
fn not_utf8(motion: &Motion, losses: &mut Losses) -> BTreeMap<String, String> {
    let tracks = motion.tracks().iter().enumerate();
    let tracks = tracks.filter_map(|(index, track)| Some((track.target.name()?, "bones", index)));
    let notes = motion.notes.iter().enumerate();
    let all = tracks.chain(notes.map(|(index, note)| (&note.name, "notes", index)));
    let odd = all.clone().filter(|(name, ..)| name.fault().is_some());
    let texts: BTreeSet<String> = odd.map(|(name, ..)| name.text().into_owned()).collect();
    let mut names: BTreeMap<String, &Name> = BTreeMap::new();
    if texts.is_empty() {
        return BTreeMap::new();
    }
    for (name, list, index) in all {
        let text = name.text();
        if !texts.contains(&*text) {
            continue;
        }
        let kept = names.entry(text.into_owned()).or_insert(name);
        if *kept != name {
            losses.add("exact bytes of names that read the same as another name", || {
                format!("{list}[{index}]")
            });
        }
    }
    let kept = names.into_iter().filter(|(_, name)| name.fault().is_some());
    kept.map(|(text, name)| (text, hex(name.as_bytes()))).collect()
}
