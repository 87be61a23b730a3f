//! Report of written files for `--json`, and remarks about the files that they were made of; findings folded: each broken rule once,
//! with its places. What JSON says is a contract.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::{Finding, Findings, Rule};
use pchr::format::{Loss, Losses, MovementError};

use crate::run::messages::Messages;
use crate::run::output::Complete;
use crate::run::{Failure, output};
use crate::text::{slashed, words};

/// Files written by `pchr pack`, `unpack` and `convert`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WrittenReport {
    /// The program's version.
    version: String,
    /// The file that was read.
    file: String,
    /// Format that was recognised: pchr, legacy-packed, pchr-json or pachario-json; pct, hash, array or multiatlas; seanim or
    /// seanim-json.
    format: String,
    /// The files that were written; the last names the others.
    pub(super) outputs: Vec<OutputReport>,
    /// Values that the written format cannot hold.
    not_carried_over: Vec<Loss>,
    /// Warnings about the file that was read.
    pub(super) warnings: Vec<String>,
    /// Sprites, or files of sprites, that were renamed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) renamed: Vec<RenamedReport>,
    /// Of a folder: its pages, sprites (aliases among them), sprites that share the pixels of another, and those that were renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub(super) packed: Option<serde_json::Value>,
}

impl WrittenReport {
    pub(super) fn new(file: &str, format: &str) -> Self {
        Self {
            version: crate::version().to_owned(),
            file: file.to_owned(),
            format: format.to_owned(),
            ..Self::default()
        }
    }

    /// Says the remarks, and prints the report if it is wanted. Of warnings, those of the remarks come first; other files are named.
    pub(super) fn finish(
        mut self,
        remarks: &Remarks,
        json: bool,
        messages: &Messages,
    ) -> Result<(), Failure> {
        remarks.say(messages);
        if !json {
            return Ok(());
        }
        let own = std::mem::take(&mut self.warnings);
        for about in &remarks.0 {
            let prefix = match about.name == self.file {
                true => String::new(),
                false => format!("{}: ", about.name),
            };
            self.warnings.extend(about.odd.iter().map(|finding| format!("{prefix}{finding}")));
            self.not_carried_over.extend(about.losses.iter().map(|loss| {
                let first = format!("{prefix}{}", loss.first);
                Loss { first, ..loss.clone() }
            }));
        }
        self.warnings.extend(own);
        output::write_json(&self)
    }
}

/// A name that was changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RenamedReport {
    /// The name that it would have had.
    from: String,
    /// Its name.
    to: String,
}

impl<A: ToString, B: ToString> From<&(A, B)> for RenamedReport {
    fn from((from, to): &(A, B)) -> Self {
        Self { from: from.to_string(), to: to.to_string() }
    }
}

/// A file that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct OutputReport {
    /// Path of the file.
    path: String,
    /// Its length in bytes.
    bytes: u64,
}

impl OutputReport {
    pub(super) fn new(file: &Complete) -> Self {
        Self { path: slashed(&file.name), bytes: file.len as u64 }
    }

    pub(super) fn all(files: &[(PathBuf, Vec<u8>)]) -> Vec<Self> {
        let files = files.iter();
        files.map(|(path, bytes)| Self { path: slashed(path), bytes: bytes.len() as u64 }).collect()
    }
}

/// Remarks about the input files, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks(Vec<About>);

/// Remarks about one file.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// Name of the file in messages.
    name: String,
    /// Warnings about it.
    pub(super) odd: Findings,
    /// Content that was not carried over.
    pub(super) losses: Losses,
}

impl Remarks {
    pub(super) fn about(name: &str, odd: Findings, losses: Losses) -> Self {
        let name = name.to_owned();
        Self(vec![About { name, odd, losses }])
    }

    pub(super) fn of(&mut self, name: &str) -> &mut About {
        let at = self.0.iter().position(|about| about.name == name);
        let at = at.unwrap_or_else(|| {
            self.0.push(About { name: name.to_owned(), ..About::default() });
            self.0.len().saturating_sub(1)
        });
        #[expect(clippy::indexing_slicing, reason = "it was found, or is the last")]
        &mut self.0[at]
    }

    pub(super) fn extend(&mut self, others: Self) {
        for other in others.0 {
            let about = self.of(&other.name);
            about.odd.extend(other.odd);
            about.losses.extend(other.losses);
        }
    }

    fn say(&self, messages: &Messages) {
        for about in &self.0 {
            messages.oddities(&about.name, &about.odd);
        }
        for about in &self.0 {
            for loss in &about.losses {
                let first = if loss.count == 1 { "" } else { "first " };
                let what = counted(loss.what, loss.count);
                let error = loss.error.map(error_in_words).unwrap_or_default();
                let (file, place) = (&about.name, &loss.first);
                messages
                    .warning(&format!("{file}: not carried over: {what} ({first}{place}{error})"));
            }
        }
    }
}

/// Formats the errors of movements that are not 0.
fn error_in_words(error: MovementError) -> String {
    let parts = [(error.degrees, " degrees"), (error.units, " units"), (error.scale, " in scale")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0.0);
    let parts = parts.map(|(number, unit)| format!("{}{unit}", short(number)));
    format!("; largest error {}", parts.collect::<Vec<_>>().join(", "))
}

/// Formats a number with three digits.
fn short(number: f64) -> String {
    let rounded: Result<f64, _> = format!("{number:.2e}").parse();
    rounded.unwrap_or(number).to_string()
}

/// Formats a count with its kind, which is given in the plural.
pub(super) fn counted(kind: &'static str, count: u64) -> String {
    let of = |text: &str, one, many| text.replace('#', &words::count(count, one, many));
    match kind {
        "paddings of pages" => of("the padding of #", "page", "pages"),
        "reserved flags of animations" => of("the reserved flags of #", "animation", "animations"),
        "reserved flags of transforms" => of("the reserved flags of #", "transform", "transforms"),
        "exact bytes of names that read the same as another name" => {
            of("exact bytes of # that read the same as another name", "name", "names")
        }
        _ => words::count(count, &singular(kind), kind),
    }
}

/// Kinds whose first plural is not the only word that changes.
const SINGULARS: [(&str, &str); 9] = [
    ("parts of polygon outlines", "part of a polygon outline"),
    ("rgba8888 images (they become PNG files)", "rgba8888 image (it becomes a PNG file)"),
    ("bone ids and signs of zero weights", "bone id and sign of a zero weight"),
    ("channels of extensions", "channel of an extension"),
    ("channels of nodes that are not bones", "channel of a node that is not a bone"),
    ("frame rates of one-frame motions", "frame rate of a one-frame motion"),
    ("bind matrices of bones with a scale of 0", "bind matrix of a bone with a scale of 0"),
    (
        "bones below scales that differ by axis or are 0: glTF shears them",
        "bone below scales that differ by axis or are 0: glTF shears it",
    ),
    (
        "types of motions (applied on top of the rest pose)",
        "type of a motion (applied on top of the rest pose)",
    ),
];

/// Returns a kind in the singular: its first word in the plural, and what depends on it.
fn singular(kind: &str) -> String {
    if let Some((_, one)) = SINGULARS.iter().find(|(many, _)| *many == kind) {
        return (*one).to_owned();
    }
    let plural = |word: &&str| word.ends_with('s');
    let one = match kind.split(' ').find(plural) {
        Some(many @ "meshes") => kind.replacen(many, "mesh", 1),
        Some(many @ "vertices") => kind.replacen(many, "vertex", 1),
        Some(many) => kind.replacen(many, many.trim_end_matches('s'), 1),
        None => kind.to_owned(),
    };
    let one = one.replace(" that are ", " that is ").replace(" their ", " its ");
    one.replace(" of bones", " of a bone")
}

/// All findings of one rule.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) rule: Rule,
    pub(super) count: u64,
    /// The first place, and its message.
    pub(super) first: Finding,
    /// The following ones that were kept.
    pub(super) others: Vec<Finding>,
}

impl Fold {
    /// Each broken rule, in the order in which they were first met.
    pub(super) fn all(findings: &Findings) -> Vec<Self> {
        let mut folds: Vec<Self> = Vec::new();
        for finding in findings {
            let rule = finding.rule;
            match folds.iter_mut().find(|fold| fold.rule == rule) {
                Some(fold) => fold.others.push(finding.clone()),
                None => folds.push(Self {
                    rule,
                    count: findings.count(rule),
                    first: finding.clone(),
                    others: Vec::new(),
                }),
            }
        }
        folds
    }

    /// The places that are known.
    pub(super) fn places(&self) -> impl Iterator<Item = &Finding> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Number of further places that break the rule.
    pub(super) fn more(&self) -> u64 {
        self.count.saturating_sub(1)
    }
}

/// All places in a file where one rule is broken.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct FindingReport<'a> {
    /// The rule's stable id, like "PCHR-W123".
    id: &'static str,
    /// The rule's readable name, as stable as its id.
    name: &'static str,
    /// True if it keeps the file from being loaded, or one of its images from being drawn.
    #[schemars(extend("enum" = ["note", "warning", "error"]))]
    severity: &'static str,
    /// The first place, and its message.
    #[serde(flatten)]
    first: FindingPlace<'a>,
    /// Number of places that break the rule.
    count: u64,
    /// The first places, this one included; at most 100.
    places: Vec<FindingPlace<'a>>,
}

/// A place where a rule is broken.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Place")]
struct FindingPlace<'a> {
    /// Section and element, like `meshes[2].indices[4]`.
    path: &'a str,
    /// The byte in the file.
    offset: u64,
    /// The line of a JSON file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The byte in this line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    /// Found and expected values.
    message: &'a str,
}

impl<'a> From<&'a Fold> for FindingReport<'a> {
    fn from(fold: &'a Fold) -> Self {
        Self {
            id: fold.rule.id(),
            name: fold.rule.name(),
            severity: fold.rule.severity().name(),
            first: FindingPlace::from(&fold.first),
            count: fold.count,
            places: fold.places().map(FindingPlace::from).collect(),
        }
    }
}

impl<'a> From<&'a Finding> for FindingPlace<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            path: &finding.path,
            offset: finding.offset,
            line: finding.text.map(|place| place.line),
            column: finding.text.map(|place| place.column),
            message: &finding.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_a_singular() {
        for (kind, one) in [
            ("meshes", "1 mesh"),
            (
                "images that cannot be decoded: their meshes are white",
                "1 image that cannot be decoded: its meshes are white",
            ),
            (
                "vertices whose weights do not sum to 1, which they do in glTF",
                "1 vertex whose weights do not sum to 1, which they do in glTF",
            ),
            ("nine-slice borders", "1 nine-slice border"),
            ("other files of a multi-pack", "1 other file of a multi-pack"),
            ("flags of bones", "1 flag of a bone"),
            ("hidden bones", "1 hidden bone"),
            (
                "transforms that are not finite (written as 0, a scale as 1)",
                "1 transform that is not finite (written as 0, a scale as 1)",
            ),
            ("paddings of pages", "the padding of 1 page"),
        ] {
            assert_eq!(counted(kind, 1), one);
        }
        assert_eq!(counted("flags of bones", 2), "2 flags of bones");
    }
}
