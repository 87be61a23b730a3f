//! Tests of text in every script: font files, sound and damaged, and lines of text. `script/test` installs the Debian fonts.
#![cfg(target_os = "linux")]

mod fonts;
mod lines;
mod support;
