//! The mirror of SEAnim in JSON, read and written.
//!
//! ```text
//! text ──recognise──► record ──pack──► SEAnim bytes ──seanim::read──► Motion, findings with lines and columns
//! Motion ──write──► text, and what it has no words for
//! ```
//!
//! It says every value bit for bit: numbers are the exact doubles of their floats, and what is not finite is a string. Bytes that mean
//! nothing (reserved ones, those behind the known fields of the header and behind the last block) are counted and not kept.

mod number;
mod pack;
mod read;
mod recognise;
mod record;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Mirror, read};
pub use recognise::looks_like_a_mirror;
pub use write::write;
