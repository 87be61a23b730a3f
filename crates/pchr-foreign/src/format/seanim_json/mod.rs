//! The mirror of SEAnim in JSON, read and written.
//!
//! ```text
//! text ──recognise──► record ──pack──► SEAnim bytes ──seanim::read──► Motion, findings with lines and columns
//! Motion ──write──► text, and a list of what it cannot hold
//! ```
//!
//! It holds every value bit for bit: numbers are the exact doubles of their floats, and numbers that are not finite are strings. Bytes that mean
//! nothing (reserved ones, those behind the known fields of the header and behind the last block) are counted and not kept.

use std::ops::ControlFlow;

use super::json_text::each_key;

pub use read::{Mirror, read};
pub use write::write;

mod read;
mod record;
#[cfg(test)]
mod tests;
mod write;

/// Returns true if bytes are the mirror of a motion, possibly damaged: an object with a key that only mirrors have, before any that
/// only characters or atlases have.
#[must_use]
pub fn looks_like_a_mirror(bytes: &[u8]) -> bool {
    let mut is_mirror = false;
    each_key(bytes, |key| {
        match key {
            "animType" | "framerate" | "frameCount" | "highPrecision" | "frameIndexBytes"
            | "boneIndexBytes" | "customHex" => is_mirror = true,
            "fps" | "images" | "meshes" | "animations" | "frames" | "textures" => {}
            _ => return ControlFlow::Continue(()),
        }
        ControlFlow::Break(())
    });
    is_mirror
}
