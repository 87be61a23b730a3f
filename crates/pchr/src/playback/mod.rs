//! Playback of numbered animations: the frame at a time, loop modes, sections, direction and speed.
//!
//! ```
//! use pchr::character::Character;
//! use pchr::format;
//! use pchr::playback::{FadeCurve, FadeOptions, Player};
//! use pchr::pose::{BindChoice, timelines};
//! use pchr::scene::{Frame, ViewOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let document = format::read(std::fs::read("../../assets/sample.pchr")?)?;
//! let walk = document.animation_named("walk").ok_or("no walk")?;
//! let jump = document.animation_named("jump").ok_or("no jump")?;
//! let timelines = timelines(&document);
//! let fox = Character::new(document, BindChoice::Auto);
//!
//! // The fox walks, jumps once, and walks on. From one to the other takes a fifth of a second.
//! let fade = FadeOptions { seconds: 0.2, curve: FadeCurve::Smooth };
//! let mut player = Player::default();
//! player.start(walk, FadeOptions::default());
//! player.start(jump, fade);
//! player.queue(walk, fade);
//!
//! // For each picture: the time that passed, the events in it, and the pose.
//! let mut frame = Frame::default();
//! let mut landed = false;
//! for _ in 0..120 {
//!     let happened = player.advance(&timelines, 1.0 / 60.0);
//!     landed |= happened.started > 0;
//!     if let Some((at, mix)) = player.moment(&timelines) {
//!         frame.fill(&fox, Some(at), &ViewOptions { mix, ..ViewOptions::default() });
//!     }
//! }
//! assert!(landed && player.clip.animation == Some(walk));
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! seconds ──Timeline::at──► FrameAt
//! time passed ──Playback::advance──► Playback ──Playback::frame_at──► FrameAt
//! time passed ──Player::advance──► Happened; Player ──Player::moment──► FrameAt, Mix
//! ```
//!
//! [`Playback`] plays one animation, [`Player`] one after the other with cross-fades and a queue, or two at once in a steady
//! [`Blend`].
//!
//! Playback is pure: an animation is its number and its [`Timeline`], and time is an argument. `pose::timelines` makes the time
//! lines of a document.

mod course;
mod frame_spec;
mod player;
mod state;
mod timeline;

pub use course::{Happened, LoopMode};
pub use frame_spec::{FrameAt, FrameNumber, FrameSpec, FrameSpecError, Mix};
pub use player::{Blend, Fade, FadeCurve, FadeOptions, Player};
pub use state::{FPS_RANGE, Playback, SPEED_RANGE};
pub use timeline::Timeline;

#[cfg(test)]
mod tests;
