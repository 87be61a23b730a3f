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
mod carry;
mod command_line;
mod composite;
mod dialog;
mod egui_bridge;
mod errands;
mod error;
mod export;
mod files;
mod frame_costs;
mod graphics;
mod input;
mod keys;
mod load;
mod measure;
mod model;
mod options;
mod order;
mod panels;
mod picture_target;
mod problem;
mod rounding;
mod settings;
mod speeds;
mod stamp;
mod start;
mod state;
mod surface;
mod switch;
mod system_theme;
mod tab;
mod theme;
mod threads;
mod upload;
mod watch;
mod window_size;

pub use app::run;
pub use error::ViewerError;
pub use options::ViewerOptions;
