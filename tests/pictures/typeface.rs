//! Tests of text in every script: font files, sound and damaged, and lines of text. `script/test` installs the Debian fonts.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what is not as it should be is a failed test"
)]

mod fonts;
mod lines;
mod support;
