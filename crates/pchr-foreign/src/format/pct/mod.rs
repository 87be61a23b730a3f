//! PCT 1.0, Phaser's Compact Texture atlas: text with one record per line.
//!
//! Read as Phaser 4.2.1 reads it (`src/textures/parsers/PCTDecode.js`): input that Phaser cannot load is an error, input that it
//! silently ignores or repairs a warning; see [`PctRule`](crate::atlas::PctRule). Written in few bytes.

mod fields;
mod lines;
mod names;
mod read;
mod records;
mod write;

pub use read::{decode, is_pct, looks_like_pct, read};
pub use write::{Subject, Unwritable, UnwritableNames, safe_names, unwritable_name, write};
