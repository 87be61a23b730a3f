//! Paths in a text, as steps. A key may hold anything, also what separates the steps where a path is shown.

use std::borrow::Cow;
use std::fmt;

use crate::document::FileFormat;
use crate::finding::one_line;

/// Displayed path of the whole text.
const WHOLE: &str = "document";

/// Maximum number of bytes shown of a key.
const LONGEST_KEY: usize = 120;

/// A step from a value to one that it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

/// The steps from the document to a value. Values of a dialect lie at most six steps deep, and an unknown key one
/// more: its content is skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Path(Vec<Step>);

impl Path {
    /// Limit above the number of steps of any path.
    const MOST_STEPS: usize = 16;

    pub(super) fn steps(&self) -> &[Step] {
        &self.0
    }

    pub(super) fn last(&self) -> Option<&Step> {
        self.0.last()
    }

    pub(super) fn push(&mut self, step: Step) {
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
                    steps.push(Step::Index(*index));
                    parent
                }
                Path::Map { parent, key } => {
                    steps.push(Step::Key(key.clone().into()));
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
            return Self(vec![Step::Key("trailing".into())]);
        }
        let section = path.split(['.', '[']).next().unwrap_or_default();
        let mut steps = Self::default();
        for word in path.split('.') {
            let mut parts = word.split('[');
            let name = parts.next().unwrap_or_default();
            steps.push(Step::Key(in_words_of(dialect, section, name)));
            for index in parts {
                let index = index.trim_end_matches(']').parse();
                steps.push(Step::Index(index.unwrap_or(usize::MAX)));
            }
        }
        steps
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(steps.into_iter().take(Self::MOST_STEPS).collect())
    }
}

/// Steps within a value, as far as they are known: a key that cannot be read is left out.
impl From<&serde_path_to_error::Path> for Path {
    fn from(path: &serde_path_to_error::Path) -> Self {
        use serde_path_to_error::Segment;
        let step = |segment: &Segment| match segment {
            Segment::Seq { index } => Some(Step::Index(*index)),
            Segment::Map { key } => Some(Step::Key(key.clone().into())),
            Segment::Enum { .. } | Segment::Unknown => None,
        };
        path.iter().filter_map(step).collect()
    }
}

/// `meshes[2].vertices[17].x`; long keys are cut.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(WHOLE);
        }
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_given_in_the_words_of_the_file() {
        let pachario = |path| Path::of_packed(FileFormat::PacharioJson, path).to_string();
        for (path, words) in [
            ("bones[1].parent", "bones[1].parentIdx"),
            ("meshes[0].image", "meshes[0].imageIdx"),
            ("meshes[0].indices[2]", "meshes[0].triangles[2]"),
            ("meshes[0].indexCount", "meshes[0].triangles"),
            (
                "meshes[0].vertices[3].boneIds[1]",
                "meshes[0].vertices[3].bones[1]",
            ),
            (
                "animations[0].frames[5][2].x",
                "animations[0].frames[5][2].x",
            ),
            ("animations[0].flags", "animations[0].loop"),
            ("images[0].data", "images[0].path"),
            ("imageCount", "images"),
            ("end of file", "trailing"),
        ] {
            assert_eq!(pachario(path), words);
        }
        let pchr = |path| Path::of_packed(FileFormat::PchrJson, path).to_string();
        for (path, words) in [
            ("meshes[0].indexCount", "meshes[0].indices"),
            (
                "meshes[0].vertices[3].boneIds[1]",
                "meshes[0].vertices[3].boneIds[1]",
            ),
            ("animations[0].frameCount", "animations[0].frames"),
        ] {
            assert_eq!(pchr(path), words);
        }
    }

    #[test]
    fn a_key_is_one_step_whatever_it_holds() {
        let steps = [
            Step::Key("bones".into()),
            Step::Index(1),
            Step::Key("a.b[0]\n".into()),
        ];
        let path: Path = steps.into_iter().collect();
        assert_eq!(path.to_string(), "bones[1].a.b[0]\\u{a}");
        let long: Path = [Step::Key("k".repeat(1000).into())].into_iter().collect();
        assert_eq!(long.to_string().chars().count(), 121);
        assert_eq!(Path::default().to_string(), "document");
    }
}
