//! Tests of the project itself: layers, rules and fuzz targets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

mod fuzz_seeds;
#[path = "../support/golden.rs"]
mod golden;
mod layers;
mod rules;
