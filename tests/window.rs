//! Tests of the real window: `pchr-view` runs on an X server with a software adapter, receives real input events, and is
//! checked by the pixels on the screen.

#![cfg(all(target_os = "linux", feature = "viewer"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test may fail, and world and screen coordinates are small"
)]

#[path = "window/command.rs"]
mod command;
#[path = "window/compare_and_stage.rs"]
mod compare_and_stage;
#[path = "window/desk.rs"]
mod desk;
#[path = "window/drop.rs"]
mod drop;
#[path = "window/fixture.rs"]
mod fixture;
#[path = "window/look.rs"]
mod look;
#[path = "window/open.rs"]
mod open;
#[path = "support/own.rs"]
mod own;
#[path = "window/own_content.rs"]
mod own_content;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "support/rig.rs"]
mod rig;
#[path = "window/session.rs"]
mod session;
#[path = "window/x11.rs"]
mod x11;
