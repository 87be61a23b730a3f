//! `--json`: an array with an object for each file.

use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::{Rule, Severity};

use super::verdict::{FileVerdict, FilterArgs, Grade};
use super::{FileOutcome, ValidateRun};
use crate::cli::pchr::report::FindingReport;
use crate::run::Failure;

/// The findings about a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct FileReport<'a> {
    /// The file, as it was named.
    file: String,
    /// The worst finding, or that the file could not be read.
    verdict: Grade,
    /// Reason why the file could not be read; absent if it could.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// True if it can be loaded. A file that cannot is not fully checked.
    loads: bool,
    /// Number of errors, counting every place.
    errors: u64,
    /// Number of warnings, counting every place.
    warnings: u64,
    /// Number of notes, counting every place; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    notes: u64,
    /// Broken rules: errors first, then in the order of a file's sections.
    findings: Vec<FindingReport<'a>>,
    /// Number of broken rules that `--max-findings` left out of `findings`.
    unlisted: usize,
    /// Broken rules that the filters ignore.
    ignored: Vec<IgnoredRule>,
    /// The filters that were used, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    filters: Option<Filters>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// An ignored rule.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ignored")]
struct IgnoredRule {
    /// The rule's stable id.
    id: &'static str,
    /// The rule's readable name.
    name: &'static str,
    /// Number of places that break it.
    count: u64,
}

/// The options of the run.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Filters {
    /// Ids of the only rules that are checked; all, if the list is empty.
    only: Vec<&'static str>,
    /// Ids of the rules that are ignored.
    ignore: Vec<&'static str>,
    /// True if warnings fail.
    strict: bool,
    /// True if the smoothness of animations was checked; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    motion_quality: bool,
    /// Maximum number of broken rules listed for each file.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_findings: Option<usize>,
}

impl Filters {
    /// The options of the run, if there are any.
    pub(super) fn of(report: &ValidateRun<'_>) -> Option<Self> {
        let FilterArgs { only, ignore } = &report.args.filter;
        let (strict, max_findings) = (report.args.strict, report.args.max_findings);
        let motion_quality = report.args.motion_quality;
        let used = strict || motion_quality || max_findings.is_some();
        let used = used || !only.is_empty() || !ignore.is_empty();
        used.then(|| Self {
            only: FilterArgs::ids(only),
            ignore: FilterArgs::ids(ignore),
            strict,
            motion_quality,
            max_findings,
        })
    }

    /// The same in words: names and values.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'static str, String)> {
        let ids = |name, ids: &[&str]| (!ids.is_empty()).then(|| (name, ids.join(",")));
        let entries = [
            ids("only", &self.only),
            ids("ignore", &self.ignore),
            self.strict.then(|| ("strict", "true".to_owned())),
            self.motion_quality.then(|| ("motion-quality", "true".to_owned())),
            self.max_findings.map(|most| ("max-findings", most.to_string())),
        ];
        entries.into_iter().flatten()
    }
}

impl<'a> FileReport<'a> {
    fn new(outcome: &'a FileOutcome, filters: Option<Filters>) -> Self {
        let verdict = outcome.verdict.as_ref();
        let total = |severity| verdict.map_or(0, |verdict| verdict.total(severity));
        let ignored = |(rule, count): &(Rule, u64)| IgnoredRule {
            id: rule.id(),
            name: rule.name(),
            count: *count,
        };
        let listed = verdict.into_iter().flat_map(|verdict| verdict.listed());
        let all_ignored = verdict.into_iter().flat_map(|verdict| &verdict.ignored);
        Self {
            file: outcome.name(),
            verdict: verdict.map_or(Grade::Unreadable, FileVerdict::grade),
            message: verdict.err().map(ToString::to_string),
            loads: verdict.is_ok_and(|verdict| verdict.loads),
            errors: total(Severity::Error),
            warnings: total(Severity::Warning),
            notes: total(Severity::Note),
            findings: listed.map(Into::into).collect(),
            unlisted: verdict.map_or(0, FileVerdict::unlisted),
            ignored: all_ignored.map(ignored).collect(),
            filters,
        }
    }
}

pub(super) fn render(report: &ValidateRun<'_>) -> Result<Vec<u8>, Failure> {
    let files = report.outcomes.iter();
    let files: Vec<_> =
        files.map(|outcome| FileReport::new(outcome, Filters::of(report))).collect();
    let mut text = serde_json::to_vec_pretty(&files).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(text)
}
