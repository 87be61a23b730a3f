//! Stages: several characters in one picture, each with its place, clip, speed and tint.
//!
//! ```text
//! [[character]] tables ──members──► Layout ──subject────────────► Stage, one scene::Subject made of others
//!                                   └──cast_and_schedule──► the moment of each member at a time
//! ```

mod cast_and_schedule;
pub(crate) mod members;
mod subject;
#[cfg(test)]
mod subject_tests;

pub(crate) use cast_and_schedule::{Loops, finding_in, finding_of};
pub use cast_and_schedule::{MissingClip, StageError, broken_file};
pub use members::{Layout, Member, PLACES, SCALES};
pub use subject::Stage;
