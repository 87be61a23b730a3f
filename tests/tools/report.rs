//! Tests of a report's page in a real browser, driven by real events and checked by the pixels on the screen.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test may fail, and places on the screen are small"
)]

mod access;
mod bound;
mod list;
mod made;
mod page;
mod pictures;
mod whole;
