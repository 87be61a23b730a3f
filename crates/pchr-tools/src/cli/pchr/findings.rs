//! Findings folded: each broken rule once, with its places. What JSON says of one is a contract.

use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::{Finding, Findings, Rule};

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
    #[schemars(extend("enum" = ["warning", "error"]))]
    severity: &'static str,
    /// The first place, and its message.
    #[serde(flatten)]
    first: Place<'a>,
    /// Number of places that break the rule.
    count: u64,
    /// The first places, this one included; at most 100.
    places: Vec<Place<'a>>,
}

/// A place where a rule is broken.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
struct Place<'a> {
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
            first: Place::from(&fold.first),
            count: fold.count,
            places: fold.places().map(Place::from).collect(),
        }
    }
}

impl<'a> From<&'a Finding> for Place<'a> {
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
