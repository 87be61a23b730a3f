//! Tests of the renderer inside another program, with that program's device, passes, views and depth.
//!
//! `WGPU_BACKEND` chooses the adapter. The device panics at the first validation error, as wgpu's do by default.
#![cfg(feature = "render")]
#![allow(
    clippy::print_stdout,
    reason = "a failed expectation is a failed test, and its figures are printed"
)]

mod crowd;
mod host;
mod linear;
mod looks;
mod targets;
pub(crate) mod views;
