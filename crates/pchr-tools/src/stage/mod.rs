//! Stages: several characters in one picture, each with its place, clip, speed and tint.
//!
//! ```text
//! [[character]] tables ──layout──► Layout ──subject──► Stage, one scene::Subject made of others
//!                                  └──members───► the moment of each member at a time
//! ```

mod cast_and_schedule;
pub(crate) mod layout;
mod subject;
#[cfg(test)]
mod subject_tests;

pub(crate) use cast_and_schedule::{Loops, finding_in, finding_of};
pub use cast_and_schedule::{MissingClip, StageError, broken_file};
pub use layout::{Layout, Member, PLACES, SCALES};
pub use subject::Stage;
