//! Tests of the GPU renderer: its shaders, its pictures, and the tolerance between renderers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what is not as it should be is a failed test, and its numbers are small"
)]

#[cfg(feature = "render")]
#[path = "../support/captured.rs"]
mod captured;
#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/fixture.rs"]
mod fixture;
mod gpu_corpus;
mod renderer;
mod shaders;
#[cfg(feature = "render")]
mod stability;
#[path = "../support/gpu.rs"]
mod support;
