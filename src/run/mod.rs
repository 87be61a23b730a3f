//! Shared by every run of a program: inputs, outputs, messages, and how it ends.
//!
//! `failure` says which exit code each kind of failure has, `disk` remembers which files were read so that none is written over (`overwriting`), `input`
//! reads files, `output` writes them whole, `temps` removes what an interruption leaves, `inside` keeps to a folder, `walk` searches one,
//! `messages` and `progress` say things on stderr, `threads` starts what parallel work runs on, `fault` reports panics, `junit` writes
//! reports that many tools read, `skeletons` lists those among which nobody chose. `prepare` and `device` get character, images and renderer ready for pictures, and `watchdog` ends the
//! program where a driver does not answer.

#[cfg(feature = "raster")]
pub(crate) mod device;
pub(crate) mod disk;
pub(crate) mod failure;
pub(crate) mod fault;
pub(crate) mod input;
pub(crate) mod inside;
pub(crate) mod junit;
pub(crate) mod messages;
pub(crate) mod output;
mod overwriting;
mod path;
#[cfg(feature = "raster")]
pub(crate) mod prepare;
pub(crate) mod progress;
pub(crate) mod sheet;
pub(crate) mod skeletons;
mod temps;
pub(crate) mod threads;
pub(crate) mod walk;
#[cfg(all(feature = "raster", feature = "render"))]
pub(crate) mod watchdog;

pub(crate) use disk::Disk;
pub use failure::Failure;
