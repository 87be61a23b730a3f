//! The window: shows a character, plays its animations and lets its parts be looked at.
//!
//! ```text
//! window and keys ──input──► Action ◄── panels (read &State)
//!                              │
//!  file ──load (a thread)──►   ▼
//!                            State::apply ──► State ──► graphics ──► screen
//! ```
//!
//! `State` is plain data that only its `apply` changes; it reads no clock, no file and no screen, so
//! everything that can be done is tested without a window. [`run`] puts it into an event loop.

mod action;
mod app;
mod background;
mod command_line;
mod composite;
mod egui_bridge;
mod error;
mod frame_costs;
mod graphics;
mod input;
mod load;
mod model;
mod options;
mod order;
mod panels;
mod picture_target;
mod playback;
mod problem;
mod rounding;
mod start;
mod state;
mod surface;
mod switch;
mod tab;
mod theme;

pub use app::run;
pub use error::ViewerError;
pub use options::ViewerOptions;
