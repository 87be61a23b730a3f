//! What is found about one file: at most one entry for each rule.

use std::path::Path;

use serde::Serialize;

use super::ValidateArgs;
use crate::bytes::Budget;
use crate::cli::pchr::findings::Fold;
use crate::finding::{Findings, Rule, Severity};
use crate::image::decode_each;
use crate::open::Opened;
use crate::run::{Disk, Failure, input};

/// The verdict in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Grade {
    /// Nothing was found.
    Valid,
    /// Only warnings were found.
    Warnings,
    /// Errors were found.
    Invalid,
}

/// What is found about a file.
#[derive(Debug)]
pub(super) struct Verdict {
    /// Whether it loads. One that does not is not checked to the end.
    pub(super) loads: bool,
    /// What counts: errors first, then in the order of a file's sections.
    folds: Vec<Fold>,
    /// How many of them are listed.
    listed: usize,
    /// How often rules were broken that do not count.
    pub(super) ignored: Vec<(Rule, u64)>,
}

impl Verdict {
    /// Reads a file and judges all of it, its images within a budget. A file that is `alone` has all threads for its
    /// images; of many, each has one.
    pub(super) fn of(
        disk: &Disk,
        path: &Path,
        alone: bool,
        args: &ValidateArgs,
        budget: &Budget,
    ) -> Result<Self, Failure> {
        let opened = input::open_within(disk, path, &input::name(path), args.input, budget);
        let (loads, findings) = match opened {
            Ok(opened) => {
                let mut all = opened.subject.warnings().clone();
                all.extend(later_findings(&opened, alone, &budget.sibling()));
                (true, all)
            }
            Err(Failure::Invalid { findings, .. }) => (false, findings),
            Err(failure) => return Err(failure),
        };
        Ok(Self::new(loads, &findings, args))
    }

    fn new(loads: bool, findings: &Findings, args: &ValidateArgs) -> Self {
        let mut all = Fold::all(findings);
        all.sort_by_key(|fold| fold.rule);
        let (folds, ignored): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|fold| args.filter.keeps(fold.rule));
        Self {
            loads,
            folds,
            listed: args.max_findings.unwrap_or(usize::MAX),
            ignored: ignored.iter().map(|fold| (fold.rule, fold.count)).collect(),
        }
    }

    /// The verdict in a word.
    pub(super) fn grade(&self) -> Grade {
        match self.folds.first().map(|fold| fold.rule.severity()) {
            Some(Severity::Error) => Grade::Invalid,
            Some(Severity::Warning) => Grade::Warnings,
            None => Grade::Valid,
        }
    }

    /// How many findings of a severity count.
    pub(super) fn total(&self, severity: Severity) -> u64 {
        let of_severity = self
            .folds
            .iter()
            .filter(|fold| fold.rule.severity() == severity);
        of_severity.map(|fold| fold.count).sum()
    }

    /// What is listed.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Fold> {
        self.folds.iter().take(self.listed)
    }

    /// How many rules are broken that are not listed.
    pub(super) fn unlisted(&self) -> usize {
        self.folds.len().saturating_sub(self.listed)
    }

    /// Whether an error that does not count kept the file from being loaded.
    pub(super) fn stopped_by_ignored(&self) -> bool {
        let mut ignored = self.ignored.iter();
        !self.loads && ignored.any(|(rule, _)| rule.severity() == Severity::Error)
    }
}

/// What reading a file does not tell: about its images' pixels, and its bind pose.
fn later_findings(opened: &Opened, alone: bool, budget: &Budget) -> Findings {
    let mut findings = Findings::default();
    decode_each(opened.images(), budget, alone, &mut findings, |_, _, _| ());
    findings.extend(opened.bind_warnings(&*opened.subject));
    findings
}
