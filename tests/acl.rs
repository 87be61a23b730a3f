//! ACL clips are decoded as ACL's own decoder does, bit for bit, and hostile ones are refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "a failed expectation is a failed test"
)]

#[path = "support/acl.rs"]
mod encoder;

#[path = "acl/corpus.rs"]
mod corpus;
#[path = "acl/encoded.rs"]
mod encoded;
#[path = "acl/hostile.rs"]
mod hostile;
