//! Paths in a text, as lists of steps, and the places of the values at any number of them, found in one walk; objects and lists cut
//! into raw values, so that each has its place in the text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use crate::document::FileFormat;
use crate::finding::one_line;

/// Displayed path of the whole text.
const WHOLE: &str = "document";

/// Maximum number of bytes shown of a key.
const LONGEST_KEY: usize = 120;

/// A step from a value to one that it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PathStep {
    Key(Cow<'static, str>),
    Index(usize),
}

/// The steps from the document to a value. Values of a dialect lie at most six steps deep, and an unknown key one
/// more: its content is skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TextPath(Vec<PathStep>);

impl TextPath {
    /// Limit above the number of steps of any path.
    const MOST_STEPS: usize = 16;

    pub(super) fn steps(&self) -> &[PathStep] {
        &self.0
    }

    pub(super) fn last(&self) -> Option<&PathStep> {
        self.0.last()
    }

    pub(super) fn push(&mut self, step: PathStep) {
        if self.0.len() < Self::MOST_STEPS {
            self.0.push(step);
        }
    }

    /// Returns the path of a skipped key.
    pub(super) fn of_ignored(mut path: &serde_ignored::Path<'_>) -> Self {
        use serde_ignored::Path;
        let mut steps = Vec::new();
        loop {
            path = match path {
                Path::Root => break,
                Path::Seq { parent, index } => {
                    steps.push(PathStep::Index(*index));
                    parent
                }
                Path::Map { parent, key } => {
                    steps.push(PathStep::Key(key.clone().into()));
                    parent
                }
                Path::Some { parent }
                | Path::NewtypeStruct { parent }
                | Path::NewtypeVariant { parent } => parent,
            };
        }
        steps.into_iter().rev().collect()
    }

    /// Converts a path of the binary format to the terms of a dialect.
    pub(super) fn of_packed(dialect: FileFormat, path: &str) -> Self {
        if path == "end of file" {
            return Self(vec![PathStep::Key("trailing".into())]);
        }
        let section = path.split(['.', '[']).next().unwrap_or_default();
        let mut steps = Self::default();
        for word in path.split('.') {
            let mut parts = word.split('[');
            let name = parts.next().unwrap_or_default();
            steps.push(PathStep::Key(in_words_of(dialect, section, name)));
            for index in parts {
                let index = index.trim_end_matches(']').parse();
                steps.push(PathStep::Index(index.unwrap_or(usize::MAX)));
            }
        }
        steps
    }
}

impl FromIterator<PathStep> for TextPath {
    fn from_iter<I: IntoIterator<Item = PathStep>>(steps: I) -> Self {
        Self(steps.into_iter().take(Self::MOST_STEPS).collect())
    }
}

/// Steps within a value, as far as they are known: a key that cannot be read is left out.
impl From<&serde_path_to_error::Path> for TextPath {
    fn from(path: &serde_path_to_error::Path) -> Self {
        use serde_path_to_error::Segment;
        let step = |segment: &Segment| match segment {
            Segment::Seq { index } => Some(PathStep::Index(*index)),
            Segment::Map { key } => Some(PathStep::Key(key.clone().into())),
            Segment::Enum { .. } | Segment::Unknown => None,
        };
        path.iter().filter_map(step).collect()
    }
}

/// `meshes[2].vertices[17].x`; long keys are cut.
impl fmt::Display for TextPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(WHOLE);
        }
        for (i, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Index(index) => write!(f, "[{index}]")?,
                PathStep::Key(key) => {
                    let dot = if i == 0 { "" } else { "." };
                    write!(f, "{dot}{}", one_line(key, LONGEST_KEY))?;
                }
            }
        }
        Ok(())
    }
}

fn in_words_of(dialect: FileFormat, section: &str, name: &str) -> Cow<'static, str> {
    let pachario = dialect == FileFormat::PacharioJson;
    let word = match name {
        "imageCount" => "images",
        "boneCount" => "bones",
        "meshCount" => "meshes",
        "animationCount" => "animations",
        "vertexCount" => "vertices",
        "frameCount" => "frames",
        "data" | "dataLength" => "path",
        "indices" | "indexCount" if pachario => "triangles",
        "indexCount" => "indices",
        "boneIds" | "boneWeights" if pachario => "bones",
        "parent" if pachario => "parentIdx",
        "image" if pachario => "imageIdx",
        "flags" if pachario && section == "animations" => "loop",
        name => return name.to_owned().into(),
    };
    word.into()
}

/// Start of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValuePlace {
    /// Byte offset in the text.
    pub(super) at: usize,
    /// True if the value itself starts at `at`; false if that is the start of a value around it.
    pub(super) exact: bool,
}

/// Returns the byte offset of the value at each path. If there is no such value, it is that of the innermost existing value around
/// it, or the start if the text is not JSON up to there.
///
/// The text is walked once for each step of the longest path, and no deeper than that.
pub(super) fn locate(text: &str, paths: &[&TextPath]) -> Vec<ValuePlace> {
    let mut found = vec![ValuePlace::default(); paths.len()];
    if paths.is_empty() {
        return found;
    }
    let mut root = WantedValue::default();
    for (index, path) in paths.iter().enumerate() {
        let mut wanted = &mut root;
        for step in path.steps() {
            wanted = match step {
                PathStep::Key(key) => wanted.keys.entry(key).or_default(),
                PathStep::Index(index) => wanted.indices.entry(*index).or_default(),
            };
        }
        wanted.paths.push(index);
    }
    let start = text.as_ptr().addr();
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let space = text.bytes().take_while(is_space).count();
    root.mark(ValuePlace { at: space, exact: true }, &mut found);
    // Values found before the damage are kept.
    let find = Find { wanted: &root, start, found: &mut found };
    let _ = serde_json::Deserializer::from_str(text).deserialize_any(find);
    found
}

/// Values to find within another.
#[derive(Default)]
struct WantedValue<'p> {
    /// Paths that end here.
    paths: Vec<usize>,
    keys: BTreeMap<&'p str, WantedValue<'p>>,
    indices: BTreeMap<usize, WantedValue<'p>>,
}

impl WantedValue<'_> {
    /// Sets the start of the value of every path from here on.
    fn mark(&self, place: ValuePlace, found: &mut [ValuePlace]) {
        for path in &self.paths {
            if let Some(found) = found.get_mut(*path) {
                *found = place;
            }
        }
        let around = ValuePlace { exact: false, ..place };
        let inner = self.keys.values().chain(self.indices.values());
        inner.for_each(|inner| inner.mark(around, found));
    }
}

/// Finds values: as a seed in the next value, as a visitor in this one.
struct Find<'a, 'p> {
    wanted: &'a WantedValue<'p>,
    /// Address of the text.
    start: usize,
    found: &'a mut [ValuePlace],
}

impl<'de> DeserializeSeed<'de> for Find<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        // A raw value is a slice of the text; where it starts is what is looked for.
        let raw: &RawValue = serde::Deserialize::deserialize(value)?;
        let at = raw.get().as_ptr().addr().saturating_sub(self.start);
        self.wanted.mark(ValuePlace { at, exact: true }, self.found);
        if !self.wanted.keys.is_empty() || !self.wanted.indices.is_empty() {
            let mut inner = serde_json::Deserializer::from_str(raw.get());
            let _ = inner.deserialize_any(self);
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Find<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.wanted.keys.get(key.as_str()) {
                Some(wanted) => map.next_value_seed(Find {
                    wanted,
                    start: self.start,
                    found: &mut *self.found,
                })?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut index: usize = 0;
        loop {
            let more = match self.wanted.indices.get(&index) {
                Some(wanted) => seq
                    .next_element_seed(Find { wanted, start: self.start, found: &mut *self.found })?
                    .is_some(),
                None => seq.next_element::<IgnoredAny>()?.is_some(),
            };
            if !more {
                return Ok(());
            }
            index = index.saturating_add(1);
        }
    }
}

/// A step into a value.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// To the value of a key.
    Key(&'a str),
    /// To an element.
    Index(usize),
}

/// Returns the innermost value on a path that begins in a value.
pub fn inside<'t, 'p>(raw: &'t str, path: impl IntoIterator<Item = Step<'p>>) -> &'t str {
    let mut found = raw;
    for step in path {
        match step_into(found, step) {
            Some(next) => found = next,
            None => break,
        }
    }
    found
}

fn step_into<'t>(raw: &'t str, step: Step<'_>) -> Option<&'t str> {
    let next = match step {
        Step::Key(key) => {
            let Entries(entries) = serde_json::from_str(raw).ok()?;
            let mut entries = entries.into_iter().rev();
            entries.find(|(name, _)| name == key).map(|(_, raw)| raw)
        }
        Step::Index(index) => {
            let List(list) = serde_json::from_str(raw).ok()?;
            list.into_iter().nth(index)
        }
    };
    next.map(RawValue::get)
}

/// Returns the steps of a path that serde tracked.
pub fn steps(path: &serde_path_to_error::Path) -> impl Iterator<Item = Step<'_>> {
    use serde_path_to_error::Segment;
    path.iter().map_while(|segment| match segment {
        Segment::Map { key } => Some(Step::Key(key)),
        Segment::Seq { index } => Some(Step::Index(*index)),
        Segment::Enum { .. } | Segment::Unknown => None,
    })
}

/// Returns the message of an error without the parser's line and column, because the finding has its own.
pub fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text.get(..end).unwrap_or_default().to_owned()
}

/// The keys of an object with their values, in order.
#[derive(Debug, Default)]
pub struct Entries<'t>(pub Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Entries<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'t> Visitor<'t> for EntriesVisitor {
            type Value = Entries<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Entries<'t>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}

/// The elements of a list.
#[derive(Debug, Default, serde::Deserialize)]
pub struct List<'t>(#[serde(borrow)] pub Vec<&'t RawValue>);

#[cfg(test)]
mod tests {
    use super::*;

    fn path(steps: &[&str]) -> TextPath {
        let step = |step: &&str| match step.parse() {
            Ok(index) => PathStep::Index(index),
            Err(_) => PathStep::Key((*step).to_owned().into()),
        };
        steps.iter().map(step).collect()
    }

    #[test]
    fn values_are_found_by_their_paths_and_absent_ones_by_what_is_around_them() {
        let text = r#"{"a": 1, "b": [10, {"c": "x\n", "d" :  [ ] }], "e\u0041": {"f": null}, "a.b[0]": 7, "": 8}"#;
        let at = |steps: &[&str]| text.get(locate(text, &[&path(steps)])[0].at..).unwrap();
        assert!(at(&["a"]).starts_with("1,") && at(&["b"]).starts_with("[10"));
        assert!(at(&["b", "0"]).starts_with("10,") && at(&["b", "1", "c"]).starts_with("\"x"));
        assert!(at(&["b", "1", "d"]).starts_with("[ ]"));
        assert!(at(&["b", "1", "d", "3", "e"]).starts_with("[ ]"), "the array around it");
        assert!(at(&["b", "7"]).starts_with("[10") && at(&["eA", "f"]).starts_with("null"));
        assert!(at(&["a.b[0]"]).starts_with("7,"), "a key is one step");
        assert!(at(&[""]).starts_with("8}"), "also an empty one");
        assert!(at(&["nowhere"]).starts_with("{\"a\""));
        let many = [path(&["b", "1", "c"]), path(&["a"]), path(&["b", "0"]), path(&["a"])];
        let all: Vec<&TextPath> = many.iter().collect();
        let each: Vec<ValuePlace> = many.iter().map(|path| locate(text, &[path])[0]).collect();
        assert_eq!(locate(text, &all), each);
    }

    #[test]
    fn paths_are_given_in_the_words_of_the_file() {
        let pachario = |path| TextPath::of_packed(FileFormat::PacharioJson, path).to_string();
        for (path, words) in [
            ("bones[1].parent", "bones[1].parentIdx"),
            ("meshes[0].image", "meshes[0].imageIdx"),
            ("meshes[0].indices[2]", "meshes[0].triangles[2]"),
            ("meshes[0].indexCount", "meshes[0].triangles"),
            ("meshes[0].vertices[3].boneIds[1]", "meshes[0].vertices[3].bones[1]"),
            ("animations[0].frames[5][2].x", "animations[0].frames[5][2].x"),
            ("animations[0].flags", "animations[0].loop"),
            ("images[0].data", "images[0].path"),
            ("imageCount", "images"),
            ("end of file", "trailing"),
        ] {
            assert_eq!(pachario(path), words);
        }
        let pchr = |path| TextPath::of_packed(FileFormat::PchrJson, path).to_string();
        for (path, words) in [
            ("meshes[0].indexCount", "meshes[0].indices"),
            ("meshes[0].vertices[3].boneIds[1]", "meshes[0].vertices[3].boneIds[1]"),
            ("animations[0].frameCount", "animations[0].frames"),
        ] {
            assert_eq!(pchr(path), words);
        }
    }

    #[test]
    fn a_key_is_one_step_whatever_it_holds() {
        let steps =
            [PathStep::Key("bones".into()), PathStep::Index(1), PathStep::Key("a.b[0]\n".into())];
        let path: TextPath = steps.into_iter().collect();
        assert_eq!(path.to_string(), "bones[1].a.b[0]\\u{a}");
        let long: TextPath = [PathStep::Key("k".repeat(1000).into())].into_iter().collect();
        assert_eq!(long.to_string().chars().count(), 121);
        assert_eq!(TextPath::default().to_string(), "document");
    }
}
