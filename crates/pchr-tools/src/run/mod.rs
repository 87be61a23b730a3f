//! Shared by every run of a program: inputs, outputs, messages and exit codes.
//!
//! `failure` maps kinds of failure to exit codes. `disk` remembers input files so that none is overwritten (`overwriting`). `input`
//! reads files, `output` writes them as a whole, and `temps` removes temporary files after an interruption. `inside` stays within a
//! folder, and `walk` searches one. `messages` and `progress` print to stderr, `fault` reports
//! panics, and `junit` writes reports that many tools read. `skeletons` lists candidates if none was selected. `prepare` and
//! `device` prepare character, images and renderer for pictures. `watchdog` ends the program if a driver does not answer.

pub(crate) mod device;
pub(crate) mod disk;
pub(crate) mod failure;
pub(crate) mod input;
pub(crate) mod inside;
pub(crate) mod junit;
pub(crate) mod messages;
pub(crate) mod output;
mod path;
pub(crate) mod prepare;
pub(crate) mod sheet;
mod temps;
pub(crate) mod walk;
#[cfg(feature = "render")]
pub(crate) mod watchdog;

pub(crate) use disk::Disk;
pub use failure::Failure;
