//! Tests of ACL decoding: results equal those of ACL's own decoder bit for bit, and hostile clips are refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failed expectation is a failed test; figures are printed"
)]

mod corpus;
mod encoded;
mod hostile;
