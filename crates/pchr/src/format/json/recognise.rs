//! Distinguishes documents from other JSON, and the dialects, by their keys.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::path::Entries;
use crate::document::FileFormat;
use crate::format::other::{start, without_mark};

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
    const KEYS: [&str; 5] = ["fps", "images", "bones", "meshes", "animations"];
    serde_json::from_str(text).is_ok_and(|Entries(entries)| {
        let mut keys = entries.iter().map(|(key, _)| key.as_str());
        !keys.any(|key| KEYS.contains(&key))
    })
}

/// Returns the dialect of a text. It is read up to the first element that only one dialect has.
///
/// Pachario JSON may have any keys beside its own, PCHR JSON none: a key that only Pachario has decides, regardless of the keys beside
/// it. Without a decisive key, reserved flags and formats of images speak for PCHR JSON, images without a format for
/// Pachario JSON.
pub(super) fn dialect(text: &str) -> FileFormat {
    let (signs, _) = KeySigns::of(text.as_bytes(), KeyQuestion::Dialect);
    match signs {
        KeySigns { pachario: true, .. } => FileFormat::PacharioJson,
        KeySigns { mirror: true, .. } | KeySigns { reserved: true, .. } => FileFormat::PchrJson,
        KeySigns { bare_image: true, .. } => FileFormat::PacharioJson,
        _ => FileFormat::PchrJson,
    }
}

/// Returns true if the text appears to begin a document of one of the dialects. The first kilobytes of a file are enough.
///
/// A damaged text counts too, so that its errors can be reported.
#[must_use]
pub fn begins_a_document(start: &[u8]) -> bool {
    let (signs, is_damaged) = KeySigns::of(without_mark(start), KeyQuestion::Document);
    signs.are_enough() || (is_damaged && has_own_key(start))
}

/// Returns true if a text that is not JSON has a key that only documents have.
fn has_own_key(text: &[u8]) -> bool {
    const OWN: [&[u8]; 4] = [b"\"parentIdx\"", b"\"imageIdx\"", b"\"boneIds\"", b"\"boneWeights\""];
    // UTF-16 has zeros between the letters.
    let letters: Vec<u8> = text.iter().copied().filter(|byte| *byte != 0).collect();
    OWN.iter().any(|key| letters.windows(key.len()).any(|part| part == *key))
}

/// Question that a text is walked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum KeyQuestion {
    /// Its kind, as soon as there are enough signs.
    #[default]
    Document,
    /// Its dialect, after the first element that decides.
    Dialect,
}

/// Signs seen so far.
#[derive(Debug, Default)]
struct KeySigns {
    wanted: KeyQuestion,
    /// A key that every element of its kind has in Pachario JSON, and none in PCHR JSON.
    pachario: bool,
    /// A key that every element of its kind has in PCHR JSON, and none in Pachario JSON.
    mirror: bool,
    /// A key of PCHR JSON that could be an additional one in Pachario JSON.
    reserved: bool,
    /// An image without a format.
    bare_image: bool,
    fps: bool,
    /// A `version` or `fps` that is not a number, as in other files.
    odd: bool,
    /// The lists of images, bones, meshes and animations.
    lists: [bool; 4],
    /// An element in such a list that other files do not have.
    element: bool,
}

impl KeySigns {
    /// Returns the signs in a text, and true if it is damaged. A truncated text is not.
    fn of(text: &[u8], wanted: KeyQuestion) -> (Self, bool) {
        let mut signs = Self { wanted, ..Self::default() };
        let look = KeyLook { at: KeyPlace::Document, is_list: false, signs: &mut signs };
        let looked = look.deserialize(&mut serde_json::Deserializer::from_slice(text));
        (signs, looked.is_err_and(|error| error.is_syntax()))
    }

    /// Returns true if only a document has the signs.
    fn are_enough(&self) -> bool {
        let [images, bones, meshes, animations] = self.lists;
        let three = images && bones && meshes;
        let list = images || bones || meshes || animations;
        self.element || three || (self.fps && list && !self.odd)
    }

    /// Notes a key of the value at a place.
    fn key(&mut self, at: KeyPlace, key: &str, is_number: bool) {
        match (at, key) {
            (KeyPlace::Document, "version") => self.odd |= !is_number,
            (KeyPlace::Document, "fps") => {
                self.fps = true;
                self.odd |= !is_number;
            }
            (KeyPlace::Document, "flags" | "trailing") | (KeyPlace::Image, "format") => {
                self.reserved = true;
            }
            (KeyPlace::Bone, "parentIdx") | (KeyPlace::Mesh, "imageIdx") => {
                self.pachario = true;
                self.element = true;
            }
            (KeyPlace::Bone, "parent") | (KeyPlace::Mesh, "image") => {
                self.mirror = true;
                self.element |= is_number;
            }
            (KeyPlace::Mesh, "triangles") | (KeyPlace::Animation, "loop") => self.pachario = true,
            (KeyPlace::Mesh, "indices") | (KeyPlace::Animation, "flags") => self.mirror = true,
            _ => {}
        }
    }

    /// Returns an error as soon as the question is answered.
    fn stop<E: Error>(&self, wanted: KeyQuestion, found: bool) -> Result<(), E> {
        if self.wanted == wanted && found {
            return Err(E::custom("found"));
        }
        Ok(())
    }
}

/// Position of a value in a document: the document, or an element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyPlace {
    Document,
    Image,
    Bone,
    Mesh,
    Animation,
    Frame,
}

impl KeyPlace {
    /// Returns the elements of the list with this name in a document or an animation.
    fn elements(self, key: &str) -> Option<Self> {
        Some(match (self, key) {
            (Self::Document, "images") => Self::Image,
            (Self::Document, "bones") => Self::Bone,
            (Self::Document, "meshes") => Self::Mesh,
            (Self::Document, "animations") => Self::Animation,
            (Self::Animation, "frames") => Self::Frame,
            _ => return None,
        })
    }
}

/// Visits the value at a position, and stops as soon as there are enough signs.
struct KeyLook<'a> {
    at: KeyPlace,
    /// True for the whole list of elements at that position.
    is_list: bool,
    signs: &'a mut KeySigns,
}

impl<'de> DeserializeSeed<'de> for KeyLook<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        // Lists are lists in every document.
        match self.is_list {
            true => value.deserialize_seq(self),
            false => value.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for KeyLook<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { at, signs, .. } = self;
        let mut has_format = false;
        while let Some(key) = map.next_key::<String>()? {
            // Frames do not differ between the dialects, and may be long.
            let is_looked_at =
                |at: &KeyPlace| *at != KeyPlace::Frame || signs.wanted == KeyQuestion::Document;
            if let Some(at) = at.elements(&key).filter(is_looked_at) {
                map.next_value_seed(KeyLook { at, is_list: true, signs })?;
                continue;
            }
            let value = map.next_value::<&RawValue>()?.get();
            let is_number = value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
            signs.key(at, &key, is_number);
            has_format |= key == "format";
            signs.stop(KeyQuestion::Document, signs.are_enough())?;
        }
        signs.bare_image |= at == KeyPlace::Image && !has_format;
        signs.stop(KeyQuestion::Dialect, signs.pachario || signs.mirror)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self { at, is_list, signs } = self;
        // A frame is a list of transforms; `frames` elsewhere means something else.
        signs.element |= at == KeyPlace::Frame && !is_list;
        let lists = [KeyPlace::Image, KeyPlace::Bone, KeyPlace::Mesh, KeyPlace::Animation];
        for (there, elements) in signs.lists.iter_mut().zip(lists) {
            *there |= at == elements && is_list;
        }
        signs.stop(KeyQuestion::Document, signs.are_enough())?;
        if is_list {
            while seq.next_element_seed(KeyLook { at, is_list: false, signs })?.is_some() {}
        } else {
            // A list in place of an element is skipped, however deep it is.
            while seq.next_element::<IgnoredAny>()?.is_some() {}
        }
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
            (r#"{"bones":[],"meshes":[{"vertices":[{"parent":1}],"triangles":[]}]}"#, PacharioJson),
            (r#"{"meshes":[{"image":0}]}"#, PchrJson),
            (r#"{"animations":[{"name":"a","loop":true}]}"#, PacharioJson),
            (r#"{"animations":[{"name":"a","frames":[[{"flags":1}]],"flags":1}]}"#, PchrJson),
            (r#"{"version":1,"flags":1}"#, PchrJson),
            (r#"{"images":[{"name":"a"}],"bones":[]}"#, PacharioJson),
            (r#"{"images":[{"name":"a"}],"bones":[{"parent":-1}]}"#, PchrJson),
            // Keys beside one that only Pachario has are ignored.
            (
                r#"{"flags":0,"images":[{"format":"png"}],"bones":[{"parent":-1,"parentIdx":-1}]}"#,
                PacharioJson,
            ),
            (r#"{"trailing":"","images":[],"animations":[{"flags":0,"loop":true}]}"#, PacharioJson),
            ("{}", PchrJson),
            // A key counts though the text is damaged behind it.
            (r#"{"bones":[{"name":"a","parentIdx":-1},{"#, PacharioJson),
        ];
        for (text, wanted) in cases {
            assert_eq!(dialect(text), wanted, "{text}");
        }
    }

    #[test]
    fn json_starts_with_a_brace() {
        let texts = ["{}", " \n\t{", "\u{feff}{", "[{}]", "", "PCHR{"];
        let found = texts.map(|text| looks_like_json(text.as_bytes()));
        assert_eq!(found, [true, true, true, false, false, false]);
    }

    #[test]
    fn documents_are_told_by_their_beginning_whatever_comes_first_in_them() {
        for text in [
            r#"{"version":1,"fps":24,"images":["#,
            r#"{"images":[],"fps":24"#,
            "\u{feff}\n{\"bones\": [ {\"name\": \"a\", \"parentIdx\": -1",
            r#"{"bones":[{"parent":-1,"#,
            r#"{"meshes":[{"vertices":[{"x":1}],"imageIdx":0,"#,
            r#"{"animations":[{"name":"walk","frames":[[{"x":1"#,
            // The faults of these can be reported.
            r#"{"version":7,"fps":24,"images":[{}}"#,
            r#"{"fps":24,"bones":[1,2"#,
            r#"{"version":"1","fps":null,"bones":[{"parentIdx":"none"}]}"#,
            r#"{"fps":"24","images":[],"bones":[],"meshes":[],"animations":[]}"#,
            r#"{"fps":24, // frames
                "bones":[{"name":"a","parentIdx":-1}]}"#,
            r#"{"fps":24,"meshes":[{"vertices":[{"boneIds":[0,]}]}]}"#,
            "{\n<<<<<<< HEAD\n\"fps\":24,\n=======\n\"bones\":[{\"parentIdx\":0}]",
        ] {
            assert!(begins_a_document(text.as_bytes()), "{text}");
        }
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        assert!(begins_a_document(&wide("\u{feff}{\"bones\":[{\"parentIdx\":0}]}")));
        assert!(!begins_a_document(&wide("{\"name\":\"package\"}")));
    }

    #[test]
    fn json_about_something_else_is_none() {
        for text in [
            "",
            "{}",
            "[]",
            "12",
            r#"[{"fps":24,"bones":[]}]"#,
            r#"{"name":"x","version":"1.0.0","fps":24,"bones":[]}"#,
            r#"{"compilerOptions":{"fps":1,"images":[]}}"#,
            // Other programs' skeletons, models, flip books and vector animations.
            r#"{"skeleton":{"fps":24},"bones":[{"name":"root"},{"name":"hip","parent":"root"}]}"#,
            r#"{"asset":{"version":"2.0"},"images":[{"uri":"a.png"}],"meshes":[{"primitives":[]}],"animations":[{"channels":[]}]}"#,
            r#"{"animations":[{"name":"walk","loop":true,"frames":[0,1,2]}]}"#,
            r#"{"frames":{"a.png":{}},"animations":{"walk":["a.png"]},"meta":{}}"#,
            r#"{"v":"5.5.7","fr":30,"layers":[]}"#,
            r#"{"fps":"24","bones":[]}"#,
            r#"{"fps":24,"bones":{}}"#,
            r#"{"properties":{"parentIdx":{"type":"integer"}}}"#,
            "{ // a comment\n\"compilerOptions\":{}}",
        ] {
            assert!(!begins_a_document(text.as_bytes()), "{text}");
        }
    }
}
