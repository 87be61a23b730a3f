//! BINA containers of version 2: a payload, its strings, and a table of all pointers.

use pchr::bytes::{Reader, UnexpectedEnd, WriteError, Writer};
use pchr::finding::{Findings, Words, counted, quoted, there_are};

use super::{PxdOutline, PxdRule, VERSION};

/// Byte offsets of fields.
mod at {
    pub(super) const VERSION: u64 = 4;
    pub(super) const BYTE_ORDER: u64 = 7;
    pub(super) const FILE_SIZE: u64 = 8;
    pub(super) const BLOCK_COUNT: u64 = 0xc;
    pub(super) const BLOCK_SIZE: u64 = 0x14;
    pub(super) const PAYLOAD_SIZE: u64 = 0x18;
    pub(super) const STRINGS_SIZE: u64 = 0x1c;
    pub(super) const TABLE_SIZE: u64 = 0x20;
}

/// A container being read.
#[derive(Debug)]
pub(super) struct BinaContainer<'a> {
    bytes: &'a [u8],
    /// Offset of the payload in the file. All pointers count from here.
    base: u64,
    payload_end: u64,
    /// End of the strings after the payload, where the offset table begins, in the file.
    strings_end: u64,
    /// The offset table as stored in the file.
    pub(super) table: &'a [u8],
    /// Offsets of the pointers seen so far, in the payload.
    pointers: Vec<u64>,
    /// Bytes that lists and names may still take in total. They do not overlap in valid files.
    room: u64,
}

/// Bytes that lists and names may share.
const SHARED: u64 = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct BinaList {
    /// Offset of its pointer, in the payload.
    pub(super) pointer: u64,
    /// Value of the pointer.
    pub(super) offset: u64,
    pub(super) count: u64,
    /// Bytes per item.
    pub(super) size: u64,
}

impl<'a> BinaContainer<'a> {
    /// Reads the headers of a container and of its payload.
    pub(super) fn read(
        bytes: &'a [u8],
        magic: [u8; 4],
        kind: &str,
        found: &mut Findings,
    ) -> Option<Self> {
        let first = bytes.get(..MAGIC.len()).unwrap_or(bytes);
        if first != MAGIC {
            wrong_magic(PxdRule::Magic, "bina.magic", 0, first, "\"BINA\"", found);
            return None;
        }
        let container = match Self::headers(bytes, found) {
            Ok(container) => container?,
            Err(end) => {
                unexpected_end("bina", &end, found);
                return None;
            }
        };
        let mut r = container.payload("payload", 0, 8, found)?;
        let place = container.base;
        let first = r.bytes(4).unwrap_or_default();
        if first != magic {
            let wanted = format!("\"{}\" ({kind})", String::from_utf8_lossy(&magic));
            wrong_magic(PxdRule::Magic, "payload.magic", place, first, &wanted, found);
            return None;
        }
        let version = r.u32().unwrap_or_default();
        if version != VERSION {
            let message = || format!("{version:#x}, but this program reads version {VERSION:#x}");
            let place = place.saturating_add(4);
            found.add(PxdRule::Version, place, "payload.version", message);
            return None;
        }
        Some(container)
    }

    pub(super) fn headers(
        bytes: &'a [u8],
        found: &mut Findings,
    ) -> Result<Option<Self>, UnexpectedEnd> {
        let mut r = Reader::new(bytes);
        r.skip(MAGIC.len(), 1)?;
        let version = r.bytes(3)?;
        let order = r.u8()?;
        if order != b'L' {
            let message = || {
                let order = char::from(order).to_string();
                let big = if order == "B" { ", a big-endian container" } else { "" };
                format!("{}{big}, expected \"L\" (little-endian)", quoted(&order))
            };
            found.add(PxdRule::ByteOrder, at::BYTE_ORDER, "bina.byteOrder", message);
            return Ok(None);
        }
        if version != b"210" {
            let message = || {
                let text = String::from_utf8_lossy(version);
                let old = if version == b"200" { " has offsets of 32 bits" } else { "" };
                format!("{}{old}, but this program reads \"210\"", quoted(&text))
            };
            found.add(PxdRule::Version, at::VERSION, "bina.version", message);
            return Ok(None);
        }
        let file_size = r.u32()?;
        let block_count = r.u16()?;
        r.skip(2, 1)?;
        let block = r.bytes(DATA.len())?;
        if block != DATA {
            wrong_magic(PxdRule::Block, "bina.block", BLOCK, block, "\"DATA\"", found);
            return Ok(None);
        }
        let block_size = r.u32()?;
        let [payload, strings, table] = [r.u32()?, r.u32()?, r.u32()?].map(u64::from);
        let distance = r.u16()?;
        let length = bytes.len() as u64;
        let base = DISTANCE_FROM.saturating_add(distance.into());
        let payload_end = base.saturating_add(payload);
        let strings_end = payload_end.saturating_add(strings);
        let table_end = strings_end.saturating_add(table);
        let parts = [
            ("payloadSize", at::PAYLOAD_SIZE, base, payload, payload_end),
            ("stringsSize", at::STRINGS_SIZE, payload_end, strings, strings_end),
            ("offsetTableSize", at::TABLE_SIZE, strings_end, table, table_end),
        ];
        for (path, place, start, size, end) in parts {
            if end > length {
                let message = || {
                    let left = length.saturating_sub(start);
                    format!("{size} bytes from byte {start}, but {left} are left")
                };
                let path = || format!("bina.{path}");
                found.add(PxdRule::UnexpectedEnd, place, path, message);
                return Ok(None);
            }
        }
        let sizes = [
            ("fileSize", at::FILE_SIZE, u64::from(file_size), length, "the file has"),
            ("blockCount", at::BLOCK_COUNT, u64::from(block_count), 1, "PXD has"),
            (
                "blockSize",
                at::BLOCK_SIZE,
                u64::from(block_size),
                table_end.saturating_sub(BLOCK),
                "its parts have",
            ),
        ];
        for (path, place, stated, actual, what) in sizes {
            if stated != actual {
                let path = || format!("bina.{path}");
                let message = || format!("{stated}, but {what} {actual}");
                found.add(PxdRule::Sizes, place, path, message);
            }
        }
        let part = |start: u64, end: u64| {
            let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
            bytes.get(range)
        };
        Ok(Some(Self {
            bytes,
            base,
            payload_end,
            strings_end,
            table: part(strings_end, table_end).unwrap_or_default(),
            pointers: Vec::new(),
            room: length.saturating_add(SHARED),
        }))
    }

    pub(super) fn outline(&self) -> Option<PxdOutline> {
        let end = self.strings_end.saturating_add(self.table.len() as u64);
        Some(PxdOutline {
            version: String::from_utf8_lossy(self.bytes.get(4..8)?).into_owned(),
            header: 0..self.base,
            payload: self.base..self.payload_end,
            strings: self.payload_end..self.strings_end,
            offset_table: self.strings_end..end,
            pointers: places(self.table).count(),
            trailing: end..self.bytes.len() as u64,
        })
    }

    /// Converts an offset in the payload to one in the file.
    pub(super) fn offset(&self, place: u64) -> u64 {
        self.base.saturating_add(place)
    }

    /// Returns the end of the data and its strings, as an offset in the payload.
    pub(super) fn end(&self) -> u64 {
        self.strings_end.saturating_sub(self.base)
    }

    /// Returns the bytes of the file from an offset in the payload on.
    pub(super) fn from(&self, place: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(self.offset(place)).ok()?;
        self.bytes.get(start..)
    }

    /// Returns `size` bytes at an offset in the payload.
    pub(super) fn payload(
        &self,
        path: &str,
        place: u64,
        size: usize,
        found: &mut Findings,
    ) -> Option<Reader<'a>> {
        let from = self.from(place).unwrap_or_default();
        let bytes = from.get(..size);
        if bytes.is_none() {
            let end = UnexpectedEnd {
                offset: self.offset(place).min(self.bytes.len() as u64),
                wanted: size as u64,
                left: from.len() as u64,
            };
            unexpected_end(path, &end, found);
        }
        bytes.map(Reader::new)
    }

    /// Records a pointer at an offset in the payload. Null pointers are ignored.
    fn note_pointer(&mut self, place: u64, value: u64) {
        if value != 0 {
            self.pointers.push(place);
        }
    }

    /// Charges room for a copy of bytes at a pointer, so that a small file needs little memory.
    pub(super) fn take(
        &mut self,
        pointer: u64,
        bytes: &[u8],
        path: impl Words,
        found: &mut Findings,
    ) -> Option<()> {
        let room = self.room.checked_sub(bytes.len() as u64);
        self.room = room.unwrap_or(0);
        if room.is_none() {
            let message = "lists and names take more than the file has, so they overlap";
            found.add(PxdRule::Limit, self.offset(pointer), path, message);
        }
        room.map(|_| ())
    }

    /// Returns the bytes of a list. An empty list has none, at any offset.
    pub(super) fn list(
        &mut self,
        list: BinaList,
        path: impl Words,
        found: &mut Findings,
    ) -> Option<&'a [u8]> {
        let BinaList { pointer, offset, count, size } = list;
        self.note_pointer(pointer, offset);
        if count == 0 {
            return Some(&[]);
        }
        let place = self.offset(pointer);
        let from = self.from(offset).filter(|_| offset != 0);
        let Some(from) = from.filter(|from| !from.is_empty()) else {
            let message = || match offset {
                0 => format!("no offset, but {}", there_are(count, "item", "items")),
                _ => format!("{offset:#x}, but the data ends at {:#x}", self.end()),
            };
            found.add(PxdRule::Offset, place, path, message);
            return None;
        };
        let wanted = count.saturating_mul(size);
        let bytes = usize::try_from(wanted).ok().and_then(|size| from.get(..size));
        if bytes.is_none() {
            let message = || {
                let left = from.len();
                match count {
                    1 => format!("{wanted} bytes at {offset:#x}, but {left} are left"),
                    _ => format!("{count} items take {wanted} bytes, but {left} are left"),
                }
            };
            found.add(PxdRule::UnexpectedEnd, place, path, message);
        }
        bytes
    }

    /// Returns a name, without its NUL terminator.
    pub(super) fn name(
        &mut self,
        pointer: u64,
        offset: u64,
        path: impl Words,
        found: &mut Findings,
    ) -> Option<&'a [u8]> {
        self.note_pointer(pointer, offset);
        let place = self.offset(pointer);
        if offset == 0 || offset >= self.end() {
            let message = || match offset {
                0 => "no offset".into(),
                _ => format!("{offset:#x}, but the strings end at {:#x}", self.end()),
            };
            found.add(PxdRule::Offset, place, path, message);
            return None;
        }
        let size = usize::try_from(self.end().saturating_sub(offset)).unwrap_or(usize::MAX);
        let from = self.from(offset).unwrap_or_default();
        let strings = from.get(..size).unwrap_or(from);
        let Ok(name) = Reader::new(strings).c_string() else {
            found.add(PxdRule::NameEnd, place, path, "the strings end before the name does");
            return None;
        };
        self.take(pointer, name, path, found).map(|()| name)
    }

    /// Compares the offset table with the pointers that were found.
    pub(super) fn check_table(&mut self, found: &mut Findings) {
        self.pointers.sort_unstable();
        self.pointers.dedup();
        let wanted = || self.pointers.iter().copied();
        let listed = || places(self.table);
        if listed().eq(wanted()) {
            return;
        }
        let message = || {
            let (places, pointers) = (listed().count(), self.pointers.len());
            let ended = |places: Vec<u64>| places.into_iter().map(Some).chain([None]);
            let pairs = ended(listed().collect()).zip(ended(self.pointers.clone()));
            let other = { pairs }.find(|(listed, wanted)| listed != wanted);
            let place = other.and_then(|(listed, wanted)| listed.into_iter().chain(wanted).min());
            let place = place.unwrap_or(0);
            let places = counted(places, "place", "places");
            let there_are = there_are(pointers, "pointer", "pointers");
            format!("{places}, but {there_are}; the first that differs is {place:#x}")
        };
        found.add(PxdRule::OffsetTable, self.strings_end, "bina.offsetTable", message);
    }
}

fn wrong_magic(
    rule: PxdRule,
    path: &str,
    offset: u64,
    first: &[u8],
    wanted: &str,
    found: &mut Findings,
) {
    let message = || {
        let first = String::from_utf8_lossy(first);
        format!("{}, expected {wanted}", quoted(&first))
    };
    found.add(rule, offset, path, message);
}

fn unexpected_end(path: &str, end: &UnexpectedEnd, found: &mut Findings) {
    let message = || format!("{} needed, {} left", counted(end.wanted, "byte", "bytes"), end.left);
    found.add(PxdRule::UnexpectedEnd, end.offset, path, message);
}

/// First bytes of a file.
pub(super) const MAGIC: [u8; 4] = *b"BINA";
/// Version and byte order of written files.
const KIND: [u8; 4] = *b"210L";
/// Magic of a block of data.
const DATA: [u8; 4] = *b"DATA";
/// Offset of the block.
const BLOCK: u64 = 0x10;
/// Offset from which the distance of the payload counts.
const DISTANCE_FROM: u64 = 0x28;
/// Distance of the payload in written files.
const DISTANCE: u16 = 0x18;

/// Returns true if a container of either byte order holds a payload of this kind.
pub(super) fn holds(bytes: &[u8], magic: [u8; 4]) -> bool {
    let distance = bytes.get(0x24..).and_then(<[u8]>::first_chunk::<2>);
    let starts = distance.into_iter().flat_map(|distance| {
        [u16::from_le_bytes(*distance), u16::from_be_bytes(*distance), DISTANCE]
    });
    bytes.starts_with(&MAGIC)
        && starts.into_iter().any(|distance| {
            let start = usize::from(distance).saturating_add(0x28);
            bytes.get(start..).and_then(<[u8]>::first_chunk).is_some_and(|found: &[u8; 4]| {
                let [a, b, c, d] = magic;
                *found == magic || *found == [d, c, b, a]
            })
        })
}

/// Returns a container around a payload. `kept` is a table that was read. It is written again if it lists the same pointers, which
/// ascend.
pub(super) fn write(
    mut payload: Writer,
    mut strings: Writer,
    pointers: &[u64],
    kept: &[u8],
) -> Result<Vec<u8>, WriteError> {
    payload.zeros_to(payload.len().next_multiple_of(4));
    strings.zeros_to(strings.len().next_multiple_of(4));
    let is_same = !kept.is_empty() && places(kept).eq(pointers.iter().copied());
    let table = if is_same { kept.to_vec() } else { write_places(pointers) };
    let parts = [payload.len(), strings.len(), table.len()];
    let start = usize::from(DISTANCE).saturating_add(0x28);
    let size = parts.into_iter().fold(start, usize::saturating_add);
    let mut w = Writer::new();
    w.bytes(&MAGIC);
    w.bytes(&KIND);
    w.count32(size, || "bina.fileSize".into())?;
    w.u16(1);
    w.u16(0);
    w.bytes(&DATA);
    w.count32(size.saturating_sub(0x10), || "bina.blockSize".into())?;
    for part in parts {
        w.count32(part, || "bina.size".into())?;
    }
    w.u16(DISTANCE);
    w.zeros_to(start);
    w.append(&mut payload);
    w.append(&mut strings);
    w.bytes(&table);
    Ok(w.finish())
}

/// Bytes between neighbouring places are a multiple of this.
const UNIT: u64 = 4;

/// Returns the places that an offset table lists, up to its end or to a truncated entry. Entries are distances in units of four
/// bytes; the two top bits of the first byte give the length: 6 bits in one byte, 14 in two, 30 in four, the highest first.
fn places(table: &[u8]) -> impl Iterator<Item = u64> + Clone {
    let mut rest = table;
    let mut place = 0_u64;
    std::iter::from_fn(move || {
        let (first, _) = rest.split_first()?;
        let length = match first >> 6 {
            0 => return None,
            1 => 1,
            2 => 2,
            _ => 4,
        };
        let (entry, behind) = rest.split_at_checked(length)?;
        rest = behind;
        let bytes = entry.iter().skip(1);
        let distance = bytes
            .fold(u64::from(first & 0x3f), |distance, byte| (distance << 8) | u64::from(*byte));
        place = place.saturating_add(distance.saturating_mul(UNIT));
        Some(place)
    })
}

/// Returns the table of places, which ascend. Each entry is as short as possible, and the table is padded to four bytes.
fn write_places(places: &[u64]) -> Vec<u8> {
    let mut table = Vec::with_capacity(places.len());
    let mut before = 0;
    for place in places {
        let distance = place.saturating_sub(before) >> 2;
        before = *place;
        let [.., a, b, c, d] = distance.to_be_bytes();
        match distance {
            0..0x40 => table.push(0x40 | d),
            0x40..0x4000 => table.extend([0x80 | c, d]),
            _ => table.extend([0xc0 | a, b, c, d]), // of a payload below 4 GiB
        }
    }
    table.resize(table.len().next_multiple_of(4), 0);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_and_long_entries() {
        let places_of = [0x10, 0x28, 0x30, 0x30 + 0x3f * 4, 0x1000, 0x2_0000];
        let table = write_places(&places_of);
        assert_eq!(table.len(), 12);
        assert!(table.starts_with(&[0x44, 0x46, 0x42, 0x7f, 0x83]) && places(&table).eq(places_of));
        assert!(places(&[0xc0, 0, 0, 4, 0x80, 6, 0x42, 0, 0]).eq([0x10, 0x28, 0x30]));
        assert!(places(&[0x44, 0xc0, 1]).eq([0x10]));
    }
}
