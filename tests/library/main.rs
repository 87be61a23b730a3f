//! Tests of the library as other programs embed it: guide, examples, and content of their own.

mod embed;
#[cfg(feature = "viewer")]
mod examples;
mod figures;
#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/own.rs"]
mod own;
mod own_content;
