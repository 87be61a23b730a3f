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

#[path = "report/access.rs"]
mod access;
#[path = "report/bound.rs"]
mod bound;
#[path = "support/browser.rs"]
mod browser;
#[path = "support/desk.rs"]
mod desk;
#[path = "support/fixture.rs"]
mod fixture;
#[path = "report/list.rs"]
mod list;
#[path = "report/made.rs"]
mod made;
#[path = "report/page.rs"]
mod page;
#[path = "report/pictures.rs"]
mod pictures;
#[path = "report/whole.rs"]
mod whole;
