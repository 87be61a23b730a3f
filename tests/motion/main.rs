//! Tests of poses and 3D motions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

mod adapt;
mod armature;
#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/fixture.rs"]
mod fixture;
mod pose;
mod poses;
#[path = "../support/rig.rs"]
mod rig;
