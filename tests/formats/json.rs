//! Tests of both JSON dialects and of legacy packed files: round trips lose nothing, and faults are reported at their
//! position.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test; the numbers are small"
)]

mod hostile;
mod memory;
mod mutations;
mod refusals;
mod round_trip;
