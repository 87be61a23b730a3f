//! BINA containers of version 2: a payload, its strings, and a table of all pointers.

use pchr::bytes::{WriteError, Writer};

use super::table;

/// First bytes of a file.
pub(super) const MAGIC: [u8; 4] = *b"BINA";
/// Version and byte order of written files.
const KIND: [u8; 4] = *b"210L";
/// Magic of a block of data.
pub(super) const DATA: [u8; 4] = *b"DATA";
/// Offset of the block.
pub(super) const BLOCK: u64 = 0x10;
/// Offset from which the distance of the payload counts.
pub(super) const DISTANCE_FROM: u64 = 0x28;
/// Distance of the payload in written files.
const DISTANCE: u16 = 0x18;

/// Returns true if a container of either byte order holds a payload of this kind.
pub(super) fn holds(bytes: &[u8], magic: [u8; 4]) -> bool {
    let distance = bytes.get(0x24..).and_then(<[u8]>::first_chunk::<2>);
    let starts = distance.into_iter().flat_map(|distance| {
        [
            u16::from_le_bytes(*distance),
            u16::from_be_bytes(*distance),
            DISTANCE,
        ]
    });
    bytes.starts_with(&MAGIC)
        && starts.into_iter().any(|distance| {
            let start = usize::from(distance).saturating_add(0x28);
            bytes
                .get(start..)
                .and_then(<[u8]>::first_chunk)
                .is_some_and(|found: &[u8; 4]| {
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
    let is_same = !kept.is_empty() && table::places(kept).eq(pointers.iter().copied());
    let table = if is_same {
        kept.to_vec()
    } else {
        table::write(pointers)
    };
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
