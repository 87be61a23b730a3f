//! The canonical form of a file.

use pchr::format::Losses;

use super::write::{Unwritable, write};
use crate::motion::{Motion, SeanimLayout};

/// Writes a motion as the document defines it: with correct widths, counts and bits, and without meaningless parts. Names, keys and
/// notes stay in order, bit for bit. Also returns the content that was left out.
///
/// # Errors
/// As [`write()`].
pub fn write_canonical(motion: &Motion) -> Result<(Vec<u8>, Losses), Unwritable> {
    let mut canonical = motion.clone();
    canonical.layout = SeanimLayout::default();
    Ok((write(&canonical)?, left_out(&motion.layout)))
}

/// Lists the meaningless parts of a file.
pub(in crate::format) fn left_out(layout: &SeanimLayout) -> Losses {
    let mut losses = Losses::default();
    let [a, b, rest @ ..] = layout.reserved;
    for (path, bytes) in [("reserved1", &[a, b][..]), ("reserved2", &rest)] {
        let count = bytes.iter().filter(|byte| **byte != 0).count();
        add(&mut losses, "reserved header bytes", count, path);
    }
    let names = ["animFlags", "dataPresenceFlags", "dataPropertyFlags"];
    for (path, bits) in names.into_iter().zip(layout.reserved_bits) {
        let count = bits.count_ones() as usize;
        add(&mut losses, "reserved bits of flags", count, path);
    }
    let parts = [
        (
            "header bytes after the known fields",
            &layout.header_extra,
            "headerSize",
        ),
        ("bytes after the last block", &layout.trailing, "file"),
    ];
    for (what, bytes, path) in parts {
        add(&mut losses, what, bytes.len(), path);
    }
    losses
}

fn add(losses: &mut Losses, what: &'static str, count: usize, path: &str) {
    if count > 0 {
        losses.add_many(what, count as u64, || path.to_owned());
    }
}
