//! Sparse keys of tracks: a column of frames and a column of values for each channel.

use pchr::bytes::Reader;
use pchr::finding::Findings;

use super::PxdRule;
use super::container::{Container, List};
use crate::motion::{
    Channel, IndexWidth, KeyFormat, KeyPart, KeyRules, Motion, Place, Precision, Track, check_keys,
};

/// Size of a track's record: count, frames and values of three channels.
pub(super) const RECORD: u64 = 0x48;
/// Size of a channel in a record.
const CHANNEL: u64 = 0x18;
/// Size of a frame.
pub(super) const FRAME: u64 = 2;
/// Size of a value: four numbers, of which vectors use three.
pub(super) const VALUE: u64 = 16;

/// Packing of keys in a motion.
pub(super) const FORMAT: KeyFormat = KeyFormat {
    frame: IndexWidth::U16,
    precision: Precision::Single,
};

/// Rules for keys.
const RULES: KeyRules<PxdRule> = KeyRules {
    range: PxdRule::KeyRange,
    order: PxdRule::KeyOrder,
    unordered: "",
    duplicate: PxdRule::KeyDuplicate,
    not_finite: PxdRule::NotFinite,
    rotation_length: PxdRule::RotationLength,
};

/// The channels in the order of a record.
pub(super) const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

fn name(channel: Channel) -> &'static str {
    match channel {
        Channel::Translation => "translation",
        Channel::Rotation => "rotation",
        Channel::Scale => "scale",
    }
}

/// A track, as read: its keys in the packed bytes, and its columns in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Byte offset of the record.
    pub(super) offset: u64,
    pub(super) places: [Place; 3],
    /// Byte offsets of frames and of values.
    columns: [[u64; 2]; 3],
}

impl Record {
    /// Finds faults in the keys.
    pub(super) fn check(
        &self,
        motion: &Motion,
        track: &Track,
        path: &dyn Fn() -> String,
        found: &mut Findings,
    ) {
        let path = |(channel, key): (Channel, usize)| {
            let path = path();
            format!("{path}.{}[{key}]", name(channel))
        };
        let offset = |(channel, key): (Channel, usize), part| {
            let [translation, rotation, scale] = self.columns;
            let [frames, values] = match channel {
                Channel::Translation => translation,
                Channel::Rotation => rotation,
                Channel::Scale => scale,
            };
            let (start, size) = match part {
                KeyPart::Frame => (frames, FRAME),
                KeyPart::Value => (values, VALUE),
            };
            start.saturating_add((key as u64).saturating_mul(size))
        };
        check_keys(motion, track, &RULES, &path, &offset, found);
    }
}

/// Keys read from columns, packed in sequence.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
}

impl Packed {
    /// Reads the track whose record is at an offset in the payload.
    pub(super) fn track(
        &mut self,
        file: &mut Container<'_>,
        place: u64,
        record: &[u8],
        path: &dyn Fn() -> String,
        found: &mut Findings,
    ) -> Option<Record> {
        let mut r = Reader::new(record);
        let mut places = [Place::default(); 3];
        let mut columns = [[0; 2]; 3];
        let channels = CHANNELS.into_iter().zip(&mut places).zip(&mut columns);
        for (index, ((channel, packed), columns)) in (0_u64..).zip(channels) {
            let (count, frames, values) = (r.u64().ok()?, r.u64().ok()?, r.u64().ok()?);
            let start = place.saturating_add(index.saturating_mul(CHANNEL));
            let path = |column: &str| format!("{}.{}{column}", path(), name(channel));
            let list = |after: u64, offset, size| List {
                pointer: start.saturating_add(after),
                offset,
                count,
                size,
            };
            let frame_bytes = file.list(list(8, frames, FRAME), || path(".frames"), found)?;
            let value_bytes = file.list(list(16, values, VALUE), || path(".values"), found)?;
            file.take(
                start.saturating_add(16),
                value_bytes,
                || path(".values"),
                found,
            )?;
            *columns = [file.offset(frames), file.offset(values)];
            packed.at = self.bytes.len();
            packed.count = u32::try_from(count).ok()?;
            let frames = frame_bytes.as_chunks::<2>().0.iter();
            let size = channel.lanes().saturating_mul(4);
            for (frame, value) in frames.zip(value_bytes.as_chunks::<16>().0) {
                self.bytes.extend(frame);
                self.bytes.extend(value.get(..size).unwrap_or_default());
            }
        }
        Some(Record {
            offset: file.offset(place),
            places,
            columns,
        })
    }
}
