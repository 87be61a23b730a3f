//! Tests of ACL decoding: results equal those of ACL's own decoder bit for bit, and hostile clips are refused.
#![allow(
    clippy::print_stdout,
    reason = "a failed expectation is a failed test; figures are printed"
)]

mod corpus;
mod encoded;
mod hostile;
