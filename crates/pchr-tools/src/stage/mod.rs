//! Stages: several characters in one picture, each with its place, clip, speed and tint.
//!
//! ```text
//! [[character]] tables ──text──► Layout ──subject──► Stage, one scene::Subject made of others
//!                                  └──schedule──► the moment of each member at a time
//! ```

mod cast;
mod layout;
mod schedule;
mod subject;
#[cfg(test)]
mod subject_tests;
pub(crate) mod text;

pub use cast::{MissingClip, StageError, broken_file};
pub(crate) use cast::{finding_in, finding_of};
pub use layout::{Layout, Member};
pub(crate) use schedule::Loops;
pub use subject::Stage;
pub use text::{PLACES, SCALES};
