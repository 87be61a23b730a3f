//! The text of a suite, and the cases that it means.

pub(crate) mod case;
pub(crate) mod file;
pub(crate) mod options;
pub(crate) mod patterns;
