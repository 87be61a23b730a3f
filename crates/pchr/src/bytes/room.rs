//! Checks for free memory.

/// Returns true if parts of these sizes in bytes fit in memory together: they are allocated as a test, and freed. An allocation that
/// cannot report failure would end the program.
pub fn has_room_for(parts: impl IntoIterator<Item = u64>) -> bool {
    let mut held: Vec<Vec<u8>> = Vec::new();
    parts.into_iter().all(|bytes| {
        let mut part = Vec::new();
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let fits = part.try_reserve_exact(bytes).is_ok();
        held.push(part);
        fits
    })
}
