//! Distinguishes atlases from other JSON by their keys.

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use pchr::format::other::{start, without_mark};

/// Returns true if bytes are an atlas in JSON, possibly damaged: an object with `frames` or `textures`, and without the keys of a
/// character.
#[must_use]
pub fn looks_like_an_atlas(bytes: &[u8]) -> bool {
    if !start(bytes).starts_with(b"{") {
        return false;
    }
    let mut signs = Signs::default();
    // Text before damage is enough: in a character, reading stops at the first decisive key.
    let _ = serde_json::Deserializer::from_slice(without_mark(bytes)).deserialize_map(&mut signs);
    signs.atlas && !signs.character
}

/// Keys met so far.
#[derive(Default)]
struct Signs {
    atlas: bool,
    character: bool,
}

impl<'de> Visitor<'de> for &mut Signs {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "fps" | "images" | "bones" | "meshes" => {
                    self.character = true;
                    return Err(A::Error::custom("found"));
                }
                "frames" | "textures" => self.atlas = true,
                _ => {}
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_atlas_has_frames_and_nothing_of_a_character() {
        for (text, wanted) in [
            (r#"{"frames":{}}"#, true),
            ("\u{feff} {\"meta\":{},\"frames\":[]}", true),
            (r#"{"textures":[],"meta":{}}"#, true),
            (r#"{"frames":{"a":{"frame":oops"#, true),
            (r#"{"frames":{},"animations":{"walk":["a"]}}"#, true),
            (r#"{"frames":[],"bones":[]}"#, false),
            (
                r#"{"version":1,"fps":24,"animations":[{"frames":[]}]}"#,
                false,
            ),
            (r#"{"meta":{"frames":1}}"#, false),
            (r#"[{"frames":{}}]"#, false),
            ("{}", false),
            ("PCT:1.0\n", false),
            ("", false),
        ] {
            assert_eq!(looks_like_an_atlas(text.as_bytes()), wanted, "{text}");
        }
    }
}
