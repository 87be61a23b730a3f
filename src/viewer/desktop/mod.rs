//! The window's outer half: threads, files, dialogs, the clipboard, the adapter, and the event loop that puts the state into a
//! window. The inner half knows none of it, so that it can be put into a web page as well.

mod app;
mod compare;
mod composite;
#[cfg(target_os = "linux")]
mod drag_and_drop;
mod drawn_model;
mod egui_bridge;
mod errands;
mod events;
mod export_job;
mod files;
mod graphics;
mod load;
mod places;
mod save_and_copy;
mod surface;
mod thumbnails;
mod uploads_and_targets;
mod watch;

pub use app::run;
pub use events::ViewerError;
#[cfg(test)]
pub(super) use load::tests::{load, load_as, load_done, load_wished};
