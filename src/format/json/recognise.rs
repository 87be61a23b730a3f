//! Tells the dialects apart by their keys.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::document::FileFormat;

/// Whether JSON seems to start: an object, behind white space and perhaps a byte order mark.
pub(crate) fn looks_like_json(bytes: &[u8]) -> bool {
    let text = without_mark(bytes);
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// The text behind a UTF-8 byte order mark.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The dialect of a text. It is read up to the first key that only one dialect has. Where there is none, images decide:
/// in PCHR JSON they have a format. Without any, it is taken for PCHR JSON.
pub(super) fn dialect(text: &[u8]) -> FileFormat {
    let (mut dialect, mut plain_images) = (None, false);
    let look = Look {
        section: "",
        dialect: &mut dialect,
        plain_images: &mut plain_images,
    };
    let _ = look.deserialize(&mut serde_json::Deserializer::from_slice(text));
    dialect.unwrap_or(if plain_images {
        FileFormat::PacharioJson
    } else {
        FileFormat::PchrJson
    })
}

/// The dialect that has `key` in an element of `section`, if only one has.
fn telling(section: &str, key: &str) -> Option<FileFormat> {
    match (section, key) {
        ("images", "format")
        | ("bones", "parent")
        | ("meshes", "image" | "indices")
        | ("animations" | "", "flags")
        | ("", "trailing") => Some(FileFormat::PchrJson),
        ("bones", "parentIdx") | ("meshes", "imageIdx" | "triangles") | ("animations", "loop") => {
            Some(FileFormat::PacharioJson)
        }
        _ => None,
    }
}

/// Looks at the keys of the document and of its sections' elements, and stops at one that tells.
struct Look<'a> {
    section: &'a str,
    dialect: &'a mut Option<FileFormat>,
    /// Whether there was an image without a format.
    plain_images: &'a mut bool,
}

impl Look<'_> {
    fn inside<'b>(&'b mut self, section: &'b str) -> Look<'b> {
        Look {
            section,
            dialect: self.dialect,
            plain_images: self.plain_images,
        }
    }
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

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            *self.dialect = telling(self.section, &key);
            if self.dialect.is_some() {
                return Err(A::Error::custom("found"));
            }
            let list = matches!(key.as_str(), "images" | "bones" | "meshes" | "animations");
            if self.section.is_empty() && list {
                map.next_value_seed(self.inside(&key))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        *self.plain_images |= self.section == "images";
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        let section = self.section;
        while seq.next_element_seed(self.inside(section))?.is_some() {}
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
            ("{}", PchrJson),
        ];
        for (text, wanted) in cases {
            assert_eq!(dialect(text.as_bytes()), wanted, "{text}");
        }
    }

    #[test]
    fn a_telling_key_counts_though_the_text_is_damaged_behind_it() {
        let text = br#"{"bones":[{"name":"a","parentIdx":-1},{"#;
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
