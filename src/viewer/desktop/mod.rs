//! The window's outer half: threads, files, dialogs, the clipboard, the adapter, and the event loop that puts the state into a
//! window. The inner half knows none of it, so that it can be put into a web page as well.

mod app;
mod composite;
mod dialog;
#[cfg(target_os = "linux")]
mod drops;
mod egui_bridge;
mod errands;
mod error;
mod events;
mod export;
mod files;
mod frame_costs;
mod ghosts;
#[cfg(target_os = "linux")]
mod gnome_contrast;
mod graphics;
mod load;
mod names;
mod picture_target;
mod places;
mod posted;
mod reference_target;
mod reveal;
mod saver;
mod surface;
mod system_theme;
mod threads;
mod upload;
mod watch;
mod window_size;

pub use app::run;
pub use error::ViewerError;
#[cfg(test)]
pub(super) use load::{load, load_done};
