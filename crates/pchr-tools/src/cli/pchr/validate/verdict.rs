//! Findings about one file: at most one entry for each rule.

use std::path::Path;

use serde::Serialize;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::Images;
use pchr::finding::{Findings, Rule, Severity};
use pchr::image::decode_each;
use pchr::pose::BindChoice;
use pchr::scene::Subject as _;

use super::ValidateArgs;
use crate::cli::pchr::content::{self, Content};
use crate::cli::pchr::findings::Fold;
use crate::run::{Disk, Failure};

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

/// Findings about a file.
#[derive(Debug)]
pub(super) struct Verdict {
    /// True if it loads. A file that does not is not fully checked.
    pub(super) loads: bool,
    /// Findings that count: errors first, then in the order of a file's sections.
    folds: Vec<Fold>,
    /// Number of them that are listed.
    listed: usize,
    /// Number of findings of ignored rules.
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
        let (loads, findings) = match content::read_within(disk, path, args.input, budget) {
            Ok(content) => (true, all_findings(&content, disk, alone, &budget.sibling())),
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

    /// Returns the number of findings of a severity that count.
    pub(super) fn total(&self, severity: Severity) -> u64 {
        let of_severity = self
            .folds
            .iter()
            .filter(|fold| fold.rule.severity() == severity);
        of_severity.map(|fold| fold.count).sum()
    }

    /// Returns the listed findings.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Fold> {
        self.folds.iter().take(self.listed)
    }

    /// Returns the number of broken rules that are not listed.
    pub(super) fn unlisted(&self) -> usize {
        self.folds.len().saturating_sub(self.listed)
    }

    /// Returns true if an ignored error kept the file from being loaded.
    pub(super) fn stopped_by_ignored(&self) -> bool {
        let mut ignored = self.ignored.iter();
        !self.loads && ignored.any(|(rule, _)| rule.severity() == Severity::Error)
    }
}

/// Findings about a whole file: also about what reading does not tell, its images' pixels and its bind pose.
fn all_findings(content: &Content, disk: &Disk, alone: bool, budget: &Budget) -> Findings {
    let decode = |images: &dyn Images, found: &mut Findings| {
        decode_each(images, budget, alone, found, |_, _, _| ());
    };
    match content {
        Content::Character(input) => {
            let mut all = input.document.warnings().clone();
            let mut of_images = Findings::default();
            decode(&*input.document, &mut of_images);
            all.extend(input.in_file(of_images));
            let character = Character::new(input.document.clone(), BindChoice::Auto);
            let mut of_bones = Findings::default();
            character.bind().report(&input.document, &mut of_bones);
            all.extend(input.in_file(of_bones));
            all
        }
        Content::Atlas(file) => {
            let sheet = file.sheet(disk);
            let mut all = sheet.warnings().clone();
            decode(&sheet, &mut all);
            all
        }
        Content::Motion(input) => input.file.warnings.clone(),
        Content::Pxd(input) => input.warnings.clone(),
        Content::Gltf(input) => input.file.warnings.clone(),
    }
}
