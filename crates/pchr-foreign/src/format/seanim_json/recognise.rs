//! Distinguishes mirrors from other JSON by their keys.

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use pchr::format::other::{start, without_mark};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_has_keys_that_no_other_json_has() {
        for (text, wanted) in [
            (r#"{"version":1,"headerSize":28,"animType":0"#, true),
            ("\u{feff} {\"bones\":[],\"framerate\":30}", true),
            (r#"{"notes":[],"bones":oops,"animType":0}"#, false),
            (r#"{"version":1,"fps":24,"frameCount":1}"#, false),
            (r#"{"bones":[{"frameCount":1}],"fps":24}"#, false),
            (r#"{"frames":{},"frameCount":1}"#, false),
            (r#"[{"animType":0}]"#, false),
            ("{}", false),
            ("SEAnim", false),
            ("", false),
        ] {
            assert_eq!(looks_like_a_mirror(text.as_bytes()), wanted, "{text}");
        }
    }
}
