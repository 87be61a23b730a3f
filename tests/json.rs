//! Tests of both JSON dialects and of legacy packed files: round trips lose nothing, and faults are reported at their
//! position.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test; the numbers are small"
)]

#[path = "support/fixture.rs"]
mod fixture;
#[path = "json/hostile.rs"]
mod hostile;
#[path = "json/memory.rs"]
mod memory;
#[path = "json/mutations.rs"]
mod mutations;
#[path = "json/refusals.rs"]
mod refusals;
#[path = "json/round_trip.rs"]
mod round_trip;
mod support;
