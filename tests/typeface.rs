//! Tests of text in every script: font files, sound and damaged, and lines of text. `script/test` installs the Debian fonts.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what is not as it should be is a failed test"
)]

#[path = "support/font.rs"]
#[allow(unreachable_pub, dead_code, reason = "shared with the fuzz targets")]
mod font;
#[path = "typeface/fonts.rs"]
mod fonts;
#[path = "typeface/lines.rs"]
mod lines;
#[path = "typeface/support.rs"]
mod support;
