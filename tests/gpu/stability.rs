//! Tests of stability: each renderer draws the same twice, two renderers agree within a tolerance, and no plausible mistake
//! hides in that tolerance.
//!
//! `cargo test --test gpu stability -- --nocapture` prints the tables; `PCHR_STABILITY_RUNS=20` draws everything 20 times.
#![allow(
    clippy::print_stdout,
    reason = "what a test needs and does not get is a failed test; tables are for people"
)]

mod faults;
mod runs;
