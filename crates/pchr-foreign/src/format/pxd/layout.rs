//! Canonical layout: compares a file with what would be written for it.

use pchr::finding::Findings;

use super::PxdRule;
use super::unwritable::Unwritable;

/// Rules whose faults a writer repairs. Their findings already mean that the bytes are not kept.
const REPAIRED: [PxdRule; 4] = [
    PxdRule::Sizes,
    PxdRule::OffsetTable,
    PxdRule::RootOffset,
    PxdRule::Additive,
];

/// Finds the first byte that would be written differently, unless another finding explains it.
pub(super) fn check(bytes: &[u8], written: Result<Vec<u8>, Unwritable>, found: &mut Findings) {
    let is_repaired = REPAIRED.iter().any(|rule| found.count(*rule) > 0);
    let written = match written {
        Ok(written) if written != bytes && !is_repaired => written,
        Ok(_) => return,
        Err(error) => {
            let message = || format!("cannot be written again: {error}");
            found.add(PxdRule::Layout, 0, || "file".into(), message);
            return;
        }
    };
    let same = { bytes.iter().zip(&written) }.take_while(|(a, b)| a == b);
    let offset = same.count();
    let message = || {
        let other = match (bytes.get(offset), written.get(offset)) {
            (Some(found), Some(written)) => format!("{found:#04x}, written as {written:#04x}"),
            _ => format!("{} bytes, written as {}", bytes.len(), written.len()),
        };
        format!(
            "{other}: writing the file again does not keep unused bytes, gaps or the order of parts"
        )
    };
    found.add(PxdRule::Layout, offset as u64, || "file".into(), message);
}
