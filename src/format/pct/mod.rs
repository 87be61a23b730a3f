//! PCT 1.0, Phaser's Compact Texture atlas: a text with a record a line.
//!
//! Read as Phaser 4.2.1 reads it (`src/textures/parsers/PCTDecode.js`): what it bears in silence is a warning, what it fails on an
//! error; see [`PctRule`](crate::atlas::PctRule). Written in few bytes.

mod cells;
mod fields;
mod lines;
mod names;
mod number;
mod read;
mod records;
mod write;

pub use read::{decode, is_pct, looks_like_pct, read};
pub use write::{Subject, Unwritable, UnwritableNames, safe_names, unwritable_name, write};
