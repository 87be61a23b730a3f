//! Playback of numbered animations: the frame at a time, loop modes, sections, direction and speed.
//!
//! ```text
//! seconds ──Timeline::at──► FrameAt
//! time passed ──Playback::advance──► Playback ──Playback::frame_at──► FrameAt
//! time passed ──Player::advance──► Happened; Player ──Player::moment──► FrameAt, Mix
//! ```
//!
//! [`Playback`] plays one animation, [`Player`] one after the other with cross-fades and a queue.
//!
//! Playback is pure: an animation is its number and its [`Timeline`], and time is an argument. `pose::timelines` makes the time
//! lines of a document.

mod course;
mod frame_at;
mod frame_spec;
mod happened;
mod player;
mod position;
mod state;
mod timeline;

pub use course::LoopMode;
pub use frame_at::{FrameAt, Mix};
pub use frame_spec::{FrameNumber, FrameSpec, FrameSpecError};
pub use happened::Happened;
pub use player::{Fade, FadeCurve, FadeOptions, Player};
pub use state::{FPS_RANGE, Playback, SPEED_RANGE};
pub use timeline::Timeline;

#[cfg(test)]
mod tests;
