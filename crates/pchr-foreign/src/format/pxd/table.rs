//! The offset table: places of all pointers, as distances in units of four bytes.
//!
//! The two top bits of an entry's first byte give its length: 6 bits in one byte, 14 in two, 30 in four, the highest first.

/// Bytes between neighbouring places are a multiple of this.
const UNIT: u64 = 4;

/// Returns the places that a table lists, up to its end or to a truncated entry.
pub(super) fn places(table: &[u8]) -> impl Iterator<Item = u64> + Clone {
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
        let distance = bytes.fold(u64::from(first & 0x3f), |distance, byte| {
            (distance << 8) | u64::from(*byte)
        });
        place = place.saturating_add(distance.saturating_mul(UNIT));
        Some(place)
    })
}

/// Returns the table of places, which ascend. Each entry is as short as possible, and the table is padded to four bytes.
pub(super) fn write(places: &[u64]) -> Vec<u8> {
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
        let table = write(&places_of);
        assert_eq!(table.len(), 12);
        assert!(table.starts_with(&[0x44, 0x46, 0x42, 0x7f, 0x83]));
        assert!(places(&table).eq(places_of));
        let long = [0xc0, 0, 0, 4, 0x80, 6, 0x42, 0, 0];
        assert!(places(&long).eq([0x10, 0x28, 0x30]));
        assert!(places(&[0x44, 0xc0, 1]).eq([0x10]));
    }
}
