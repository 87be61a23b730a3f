//! Tests of pictures and of what stands in them, drawn without the programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

#[path = "../support/captured.rs"]
mod captured;
#[path = "../support/corpus.rs"]
mod corpus;
mod fade;
#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/font.rs"]
mod font;
mod onion;
mod overlays;
mod overlays_spatial;
mod pick;
#[path = "../../assets/make_sample/puppet/mod.rs"]
mod puppet;
mod raster;
mod sample;
mod sheet;
#[path = "../support/sprite.rs"]
mod sprite;
mod subject;
#[path = "../support/gpu.rs"]
mod support;
mod typeface;
