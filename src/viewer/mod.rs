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
mod background;
mod card;
mod carry;
mod comfort;
mod command_line;
mod curves;
mod desktop;
mod facing;
mod fade;
mod focus;
mod frame_entry;
mod hints;
mod history;
mod input;
mod interface_scale;
mod key_order;
mod keys;
mod kind;
mod listing;
mod loaded;
mod measure;
mod model;
mod note;
mod on_screen;
mod onion;
mod options;
mod order;
mod over;
mod panels;
mod problem;
mod question;
mod reference;
mod rounding;
mod ruler;
mod settings;
mod speeds;
mod sprites;
mod start;
mod state;
mod switch;
mod tab;
mod target;
mod theme;
mod tracks;

pub use desktop::{ViewerError, run};
pub use options::ViewerOptions;
