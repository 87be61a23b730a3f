//! Tests of file formats: what is read, written and refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

mod acl;
#[path = "../support/corpus.rs"]
mod corpus;
mod dragonbones;
#[path = "../support/acl.rs"]
mod encoder;
#[path = "../support/fixture.rs"]
mod fixture;
mod gltf;
#[path = "../support/golden.rs"]
mod golden;
mod json;
mod malformed;
mod pct;
mod plane;
mod properties;
mod pxd;
mod seanim;
