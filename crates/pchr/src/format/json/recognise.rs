//! Distinguishes the dialects by their keys.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::document::FileFormat;
use crate::format::text::{start, without_mark};

/// Returns true if JSON appears to start: an object, after white space and an optional byte order mark.
pub(crate) fn looks_like_json(bytes: &[u8]) -> bool {
    let text = start(bytes);
    // A zero after the brace is half of a UTF-16 character.
    text.starts_with(b"{") && text.get(1) != Some(&0)
}

/// Returns true if bytes are valid JSON.
pub(crate) fn is_sound(bytes: &[u8]) -> bool {
    std::str::from_utf8(without_mark(bytes)).is_ok_and(|text| damage(text).is_none())
}

/// Returns the reason why a text is not valid JSON. It is walked without recursion, regardless of its nesting.
pub(super) fn damage(text: &str) -> Option<serde_json::Error> {
    serde_json::from_str::<IgnoredAny>(text).err()
}

/// Returns true if an object has none of the keys of a document.
pub(super) fn is_something_else(text: &str) -> bool {
    struct Keys;

    impl<'de> Visitor<'de> for Keys {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
            const KEYS: [&str; 5] = ["fps", "images", "bones", "meshes", "animations"];
            let mut other = true;
            while let Some(key) = map.next_key::<String>()? {
                other &= !KEYS.contains(&key.as_str());
                map.next_value::<IgnoredAny>()?;
            }
            Ok(other)
        }
    }

    let mut json = serde_json::Deserializer::from_str(text);
    json.deserialize_map(Keys).unwrap_or(false)
}

/// Returns the dialect of a text. It is read up to the first element that only one dialect has.
///
/// Pachario JSON may have any keys beside its own, PCHR JSON none: a key that only Pachario has decides, regardless of the keys beside
/// it. Without a decisive key, reserved flags and formats of images speak for PCHR JSON, images without a format for
/// Pachario JSON.
pub(super) fn dialect(text: &str) -> FileFormat {
    let mut signs = Signs::default();
    let look = Look {
        section: "",
        in_list: false,
        signs: &mut signs,
    };
    let _ = look.deserialize(&mut serde_json::Deserializer::from_str(text));
    match signs {
        Signs { pachario: true, .. } => FileFormat::PacharioJson,
        Signs { mirror: true, .. } | Signs { reserved: true, .. } => FileFormat::PchrJson,
        Signs {
            bare_image: true, ..
        } => FileFormat::PacharioJson,
        _ => FileFormat::PchrJson,
    }
}

/// Signs seen so far.
#[derive(Debug, Default)]
struct Signs {
    /// A key that every element of its kind has in Pachario JSON, and none in PCHR JSON.
    pachario: bool,
    /// A key that every element of its kind has in PCHR JSON, and none in Pachario JSON.
    mirror: bool,
    /// A key of PCHR JSON that could be an additional one in Pachario JSON.
    reserved: bool,
    /// An image without a format.
    bare_image: bool,
}

impl Signs {
    /// Counts `key` of an element of `section`.
    fn meet(&mut self, section: &str, key: &str) {
        match (section, key) {
            ("bones", "parentIdx")
            | ("meshes", "imageIdx" | "triangles")
            | ("animations", "loop") => self.pachario = true,
            ("bones", "parent") | ("meshes", "image" | "indices") | ("animations", "flags") => {
                self.mirror = true;
            }
            ("images", "format") | ("", "flags" | "trailing") => self.reserved = true,
            _ => {}
        }
    }
}

/// Looks at the keys of the document and of its sections' elements, and stops after a decisive element.
struct Look<'a> {
    section: &'a str,
    /// True if it is an element of a list: a list in its place is skipped, however deep it is.
    in_list: bool,
    signs: &'a mut Signs,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_format = false;
        while let Some(key) = map.next_key::<String>()? {
            self.signs.meet(self.section, &key);
            has_format |= key == "format";
            let list = matches!(key.as_str(), "images" | "bones" | "meshes" | "animations");
            if self.section.is_empty() && list {
                let signs = &mut *self.signs;
                map.next_value_seed(Look {
                    section: &key,
                    in_list: false,
                    signs,
                })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        self.signs.bare_image |= self.section == "images" && !has_format;
        if self.signs.pachario || self.signs.mirror {
            return Err(A::Error::custom("found"));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self {
            section,
            in_list,
            signs,
        } = self;
        if in_list {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        }
        while seq
            .next_element_seed(Look {
                section,
                in_list: true,
                signs: &mut *signs,
            })?
            .is_some()
        {}
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_that_only_one_dialect_has_is_enough() {
        use FileFormat::{PacharioJson, PchrJson};
        let cases = [
            (r#"{"images":[{"name":"a","format":"png"}]}"#, PchrJson),
            (
                r#"{"images":[{"name":"format"}],"bones":[{"name":"a","parentIdx":-1}]}"#,
                PacharioJson,
            ),
            (r#"{"bones":[{"name":"a","parent":-1}]}"#, PchrJson),
            (
                r#"{"bones":[],"meshes":[{"vertices":[{"parent":1}],"triangles":[]}]}"#,
                PacharioJson,
            ),
            (r#"{"meshes":[{"image":0}]}"#, PchrJson),
            (r#"{"animations":[{"name":"a","loop":true}]}"#, PacharioJson),
            (
                r#"{"animations":[{"name":"a","frames":[[{"flags":1}]],"flags":1}]}"#,
                PchrJson,
            ),
            (r#"{"version":1,"flags":1}"#, PchrJson),
            (r#"{"images":[{"name":"a"}],"bones":[]}"#, PacharioJson),
            (
                r#"{"images":[{"name":"a"}],"bones":[{"parent":-1}]}"#,
                PchrJson,
            ),
            // Keys beside one that only Pachario has are ignored.
            (
                r#"{"flags":0,"images":[{"format":"png"}],"bones":[{"parent":-1,"parentIdx":-1}]}"#,
                PacharioJson,
            ),
            (
                r#"{"trailing":"","images":[],"animations":[{"flags":0,"loop":true}]}"#,
                PacharioJson,
            ),
            ("{}", PchrJson),
        ];
        for (text, wanted) in cases {
            assert_eq!(dialect(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_telling_key_counts_though_the_text_is_damaged_behind_it() {
        let text = r#"{"bones":[{"name":"a","parentIdx":-1},{"#;
        assert_eq!(dialect(text), FileFormat::PacharioJson);
    }

    #[test]
    fn json_starts_with_a_brace() {
        for (bytes, wanted) in [
            ("{}", true),
            (" \n\t{", true),
            ("\u{feff}{", true),
            ("[{}]", false),
            ("", false),
            ("PCHR{", false),
        ] {
            assert_eq!(looks_like_json(bytes.as_bytes()), wanted, "{bytes:?}");
        }
    }
}
