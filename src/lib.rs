//! The window of `pchr-view`, and the program as a whole: its command line and window over the kinds of content that it opens.
#![forbid(unsafe_code)]

pub mod program;
#[cfg(feature = "viewer")]
pub mod viewer;

#[cfg(test)]
#[path = "../tests/support/fixture.rs"]
mod fixture;
#[cfg(test)]
#[path = "../examples/own_content/quads.rs"]
mod quads;

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
