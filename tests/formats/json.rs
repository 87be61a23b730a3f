//! Tests of both JSON dialects and of legacy packed files: round trips lose nothing, and faults are reported at their
//! position.

mod hostile;
mod memory;
mod mutations;
mod refusals;
pub(crate) mod round_trip;
