//! Tests of the library as other programs embed it: guide, examples, and content of their own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

#[cfg(feature = "render")]
#[path = "../support/captured.rs"]
mod captured;
mod embed;
#[cfg(feature = "viewer")]
mod examples;
mod figures;
#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/own.rs"]
mod own;
mod own_content;
