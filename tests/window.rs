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

#[path = "window/atlas.rs"]
mod atlas;
#[path = "window/camera.rs"]
mod camera;
#[path = "window/command.rs"]
mod command;
#[path = "window/desk.rs"]
mod desk;
#[path = "window/drop.rs"]
mod drop;
#[path = "window/fade.rs"]
mod fade;
#[path = "window/fixture.rs"]
mod fixture;
#[path = "window/formats.rs"]
mod formats;
#[path = "window/interface.rs"]
mod interface;
#[path = "window/keyboard.rs"]
mod keyboard;
#[path = "window/look.rs"]
mod look;
#[path = "window/looking.rs"]
mod looking;
#[path = "window/motion.rs"]
mod motion;
#[path = "window/open.rs"]
mod open;
#[path = "support/own.rs"]
mod own;
#[path = "window/own_content.rs"]
mod own_content;
#[path = "window/parts.rs"]
mod parts;
#[path = "window/playback.rs"]
mod playback;
#[path = "window/reload.rs"]
mod reload;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "support/rig.rs"]
mod rig;
#[path = "window/session.rs"]
mod session;
#[path = "support/atlas.rs"]
mod sheet;
#[path = "window/tools.rs"]
mod tools;
#[path = "window/undo.rs"]
mod undo;
#[path = "window/x11.rs"]
mod x11;
