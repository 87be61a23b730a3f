//! Text in every script: font files good and bad, and lines as a reader sees them. The fonts are Debian's; `script/test` installs them.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what is not as it should be is a failed test"
)]

#[path = "typeface/fonts.rs"]
mod fonts;
#[path = "typeface/lines.rs"]
mod lines;
#[path = "typeface/support.rs"]
mod support;
