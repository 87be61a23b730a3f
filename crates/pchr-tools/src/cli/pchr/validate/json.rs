//! `--json`: an array with an object for each file.

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use pchr::finding::{Rule, Severity};

use super::ValidateRun;
use super::verdict::{FileVerdict, FilterArgs, Grade};
use crate::cli::pchr::report::FindingReport;
use crate::run::{Failure, output};

/// The findings about a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FileReport<'a> {
    /// The file, as it was named.
    file: String,
    /// The worst finding, or that the file could not be read.
    verdict: Word,
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
    ignored: Vec<Ignored>,
    /// The filters that were used, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    filters: Option<Filters>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The verdict in a word.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(title = "Verdict")]
enum Word {
    /// Nothing was found, or only notes.
    Valid,
    /// Only warnings were found.
    Warnings,
    /// Errors were found.
    Invalid,
    /// The file could not be read, and nothing is known about it.
    Unreadable,
}

impl From<Grade> for Word {
    fn from(grade: Grade) -> Self {
        match grade {
            Grade::Valid => Self::Valid,
            Grade::Warnings => Self::Warnings,
            Grade::Invalid => Self::Invalid,
        }
    }
}

/// An ignored rule.
#[derive(Debug, Serialize, JsonSchema)]
struct Ignored {
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
    fn new(file: String, verdict: &'a FileVerdict, filters: Option<Filters>) -> Self {
        let ignored = |(rule, count): &(Rule, u64)| Ignored {
            id: rule.id(),
            name: rule.name(),
            count: *count,
        };
        Self {
            file,
            verdict: verdict.grade().into(),
            message: None,
            loads: verdict.loads,
            errors: verdict.total(Severity::Error),
            warnings: verdict.total(Severity::Warning),
            notes: verdict.total(Severity::Note),
            findings: verdict.listed().map(Into::into).collect(),
            unlisted: verdict.unlisted(),
            ignored: verdict.ignored.iter().map(ignored).collect(),
            filters,
        }
    }

    fn unreadable(file: String, failure: &Failure, filters: Option<Filters>) -> Self {
        Self {
            file,
            verdict: Word::Unreadable,
            message: Some(failure.to_string()),
            loads: false,
            errors: 0,
            warnings: 0,
            notes: 0,
            findings: Vec::new(),
            unlisted: 0,
            ignored: Vec::new(),
            filters,
        }
    }
}

/// The report as JSON.
pub(super) fn render(report: &ValidateRun<'_>) -> Result<Vec<u8>, Failure> {
    let mut files = Vec::new();
    for outcome in &report.outcomes {
        let (name, filters) = (outcome.name(), Filters::of(report));
        files.push(match &outcome.verdict {
            Ok(verdict) => FileReport::new(name, verdict, filters),
            Err(failure) => FileReport::unreadable(name, failure, filters),
        });
    }
    let mut text = serde_json::to_vec_pretty(&files).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(text)
}

/// The schema of the report.
pub(in crate::cli) fn schema() -> Schema {
    output::schema::<Vec<FileReport<'_>>>()
}
