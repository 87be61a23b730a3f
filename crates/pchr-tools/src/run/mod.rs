//! Shared by every run of a program: inputs, outputs, messages and exit codes.
//!
//! `disk` remembers input files so that none is overwritten, and removes temporary files after an interruption. `input` reads files,
//! `output` writes them as a whole, also within a folder that may come from elsewhere. `walk` searches a folder. `messages` prints to
//! stderr, reports panics and maps kinds of failure to exit codes, and `junit_xml` writes reports that many tools read. `prepare` and
//! `device` prepare character, images and renderer for pictures.

pub(crate) mod device;
pub(crate) mod disk;
pub(crate) mod input;
pub(crate) mod junit_xml;
pub(crate) mod messages;
pub(crate) mod output;
pub(crate) mod prepare;
pub(crate) mod walk;

pub(crate) use disk::Disk;
pub use messages::Failure;
