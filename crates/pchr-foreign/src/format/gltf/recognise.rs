//! Distinguishes glTF from other files.

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use pchr::format::other::{start, without_mark};

use super::container::MAGIC;

/// Returns true if bytes are glTF, possibly damaged: they begin like binary glTF, or are JSON with the version of an asset.
#[must_use]
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    if bytes.starts_with(&MAGIC) {
        return true;
    }
    if !start(bytes).starts_with(b"{") {
        return false;
    }
    let mut found = false;
    // Text before damage is enough: reading stops at the first decisive key.
    let _ = serde_json::Deserializer::from_slice(without_mark(bytes)).deserialize_map(Look {
        is_gltf: &mut found,
        within_asset: false,
    });
    found
}

struct Look<'a> {
    is_gltf: &'a mut bool,
    within_asset: bool,
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match (self.within_asset, key.as_str()) {
                (false, "asset") => map.next_value_seed(Look {
                    is_gltf: &mut *self.is_gltf,
                    within_asset: true,
                })?,
                (true, "version") => {
                    *self.is_gltf = map.next_value::<String>().is_ok();
                    return Err(A::Error::custom("found"));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> serde::de::DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asset_with_a_version_tells() {
        for (text, wanted) in [
            (r#"{"asset":{"version":"2.0"}}"#, true),
            (
                "\u{feff}\n{\"nodes\":[{}],\"asset\":{\"generator\":\"x\",\"version\":\"1.0\"",
                true,
            ),
            (r#"{"asset":{"version":2}}"#, false),
            (r#"{"asset":{},"version":"2.0"}"#, false),
            (r#"{"version":1,"bones":[]}"#, false),
            ("[]", false),
            ("glTF", true),
            ("glT", false),
            ("", false),
        ] {
            assert_eq!(looks_like_gltf(text.as_bytes()), wanted, "{text}");
        }
    }
}
