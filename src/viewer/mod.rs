//! The window: shows a file, plays its animations and inspects its parts.
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
mod backgrounds_and_rulers;
mod command_line;
mod compare;
mod curves;
mod desktop;
mod export_choices;
mod focus;
mod gallery;
mod input;
mod interface;
mod kept;
mod loaded;
mod model;
mod panels;
mod playback;
mod problem;
mod question;
mod screenshot;
mod settings;
mod sprites;
mod state;
mod switch;
mod theme;

pub use command_line::ViewerOptions;
pub use desktop::{ViewerError, run};
