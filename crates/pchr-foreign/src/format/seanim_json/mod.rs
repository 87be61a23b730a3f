//! The mirror of SEAnim in JSON, read and written.
//!
//! ```text
//! text ──recognise──► record ──pack──► SEAnim bytes ──seanim::read──► Motion, findings with lines and columns
//! Motion ──write──► text, and a list of what it cannot hold
//! ```
//!
//! It holds every value bit for bit: numbers are the exact doubles of their floats, and numbers that are not finite are strings. Bytes that mean
//! nothing (reserved ones, those behind the known fields of the header and behind the last block) are counted and not kept.

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use pchr::format::other::{start, without_mark};

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
    if !start(bytes).starts_with(b"{") {
        return false;
    }
    let mut found = false;
    // Text before damage is enough: reading stops at the first decisive key.
    let _ = serde_json::Deserializer::from_slice(without_mark(bytes)).deserialize_map(&mut Look {
        is_mirror: &mut found,
    });
    found
}

struct Look<'a> {
    is_mirror: &'a mut bool,
}

impl<'de> Visitor<'de> for &mut Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "animType" | "framerate" | "frameCount" | "highPrecision" | "frameIndexBytes"
                | "boneIndexBytes" | "customHex" => *self.is_mirror = true,
                "fps" | "images" | "meshes" | "animations" | "frames" | "textures" => {}
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            }
            return Err(A::Error::custom("found"));
        }
        Ok(())
    }
}
