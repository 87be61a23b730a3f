//! The mirror of SEAnim in JSON, read and written.
//!
//! ```text
//! text ──recognise──► record ──pack──► SEAnim bytes ──seanim::read──► Motion, findings with lines and columns
//! Motion ──write──► text, and a list of what it cannot hold
//! ```
//!
//! It holds every value bit for bit: numbers are the exact doubles of their floats, and numbers that are not finite are strings. Bytes that mean
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
