//! Distinguishes documents from other JSON by their beginning.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::format::text::without_mark;

/// Returns true if the text appears to begin a document of one of the dialects. The first kilobytes of a file are enough.
///
/// A damaged text counts too, so that its errors can be reported.
#[must_use]
pub fn begins_a_document(start: &[u8]) -> bool {
    let mut signs = Signs::default();
    let text = without_mark(start);
    let look = Look {
        at: Place::Document,
        signs: &mut signs,
    };
    let looked = look.deserialize(&mut serde_json::Deserializer::from_slice(text));
    // A truncated text is not evidence.
    let is_damaged = looked.is_err_and(|error| error.is_syntax());
    signs.are_enough() || (is_damaged && has_own_key(start))
}

/// Returns true if a text that is not JSON has a key that only documents have.
fn has_own_key(text: &[u8]) -> bool {
    const OWN: [&[u8]; 4] = [
        b"\"parentIdx\"",
        b"\"imageIdx\"",
        b"\"boneIds\"",
        b"\"boneWeights\"",
    ];
    // UTF-16 has zeros between the letters.
    let letters: Vec<u8> = text.iter().copied().filter(|byte| *byte != 0).collect();
    OWN.iter()
        .any(|key| letters.windows(key.len()).any(|part| part == *key))
}

/// Signs seen so far.
#[derive(Debug, Default)]
struct Signs {
    fps: bool,
    /// A `version` or `fps` that is not a number, as in other files.
    odd: bool,
    /// A list that a document has, and the three that only documents have together.
    list: bool,
    three: [bool; 3],
    /// An element in such a list that other files do not have.
    element: bool,
}

impl Signs {
    fn are_enough(&self) -> bool {
        self.element || self.three == [true; 3] || (self.fps && self.list && !self.odd)
    }

    /// Returns an error as soon as there are enough signs.
    fn stop<E: Error>(&self) -> Result<(), E> {
        if self.are_enough() {
            return Err(E::custom("found"));
        }
        Ok(())
    }
}

/// Position of a value in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Document,
    Images,
    Image,
    Bones,
    Bone,
    Meshes,
    Mesh,
    Animations,
    Animation,
    Frames,
    Frame,
}

impl Place {
    /// Returns the list with this name in a document or an animation.
    fn list(self, key: &str) -> Option<Self> {
        Some(match (self, key) {
            (Self::Document, "images") => Self::Images,
            (Self::Document, "bones") => Self::Bones,
            (Self::Document, "meshes") => Self::Meshes,
            (Self::Document, "animations") => Self::Animations,
            (Self::Animation, "frames") => Self::Frames,
            _ => return None,
        })
    }

    /// Returns the element type of a list.
    fn element(self) -> Self {
        match self {
            Self::Images => Self::Image,
            Self::Bones => Self::Bone,
            Self::Meshes => Self::Mesh,
            Self::Animations => Self::Animation,
            _ => Self::Frame,
        }
    }
}

/// Visits the value at a position, and stops as soon as there are enough signs.
struct Look<'a> {
    at: Place,
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
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { at, signs } = self;
        while let Some(key) = map.next_key::<String>()? {
            if let Some(at) = at.list(&key) {
                map.next_value_seed(List(Look { at, signs }))?;
                continue;
            }
            match (at, key.as_str()) {
                (Place::Document, key @ ("version" | "fps")) => {
                    signs.fps |= key == "fps";
                    signs.odd |= !map.next_value::<Value>()?.is_number();
                }
                (Place::Bone, "parent") | (Place::Mesh, "image") => {
                    signs.element |= map.next_value::<Value>()?.is_number();
                }
                (Place::Bone, "parentIdx") | (Place::Mesh, "imageIdx") => {
                    map.next_value::<IgnoredAny>()?;
                    signs.element = true;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            signs.stop()?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self { at, signs } = self;
        // A frame is a list of transforms; `frames` elsewhere means something else.
        signs.element |= at == Place::Frame;
        signs.list |= at != Place::Frames;
        let three = [Place::Images, Place::Bones, Place::Meshes];
        for (there, place) in signs.three.iter_mut().zip(three) {
            *there |= at == place;
        }
        signs.stop()?;
        let at = at.element();
        while seq.next_element_seed(Look { at, signs })?.is_some() {}
        Ok(())
    }
}

/// A value that is an array in every document.
struct List<'a>(Look<'a>);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_seq(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let wide = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>()
        };
        assert!(begins_a_document(&wide(
            "\u{feff}{\"bones\":[{\"parentIdx\":0}]}"
        )));
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
