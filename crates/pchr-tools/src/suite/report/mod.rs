//! Reports of a run: `report.json`, `index.html` and the pictures in one folder, JUnit, and text.
//!
//! [`SuiteReport`] is `report.json` and the basis of the others. It contains no times and no machine: the same pictures give the same
//! report, and the parts of a suite that was split over machines merge into the report of the whole.

pub(crate) mod folder;
pub(crate) mod html;
pub(crate) mod merge;
pub(crate) mod text_and_junit;

use std::collections::BTreeSet;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::compare::DifferenceReport;
use pchr::finding::counted;

use crate::run::device::DrawnBy;
use crate::run::{Failure, output};
use crate::text::slashed;

/// The results of a run of a suite of captures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Report")]
pub(crate) struct SuiteReport {
    /// Version of the program, with the commit that it was built from.
    pub(crate) version: String,
    /// Name of the suite file, without its folder.
    pub(crate) suite: String,
    /// Part of the suite; null for the whole.
    pub(crate) shard: Option<Shard>,
    /// The whole run, of which this may be a part; null in reports of earlier versions.
    #[serde(default)]
    pub(crate) plan: Option<SuitePlan>,
    /// Exit code of the run: 0 to 6.
    pub(crate) exit_code: u8,
    /// Reasons why nothing was run, one line each: mistakes in the suite, for example. Empty if the suite was run. Where parts
    /// are merged, those of parts that could not run and are missing from `cases`.
    pub(crate) errors: Vec<String>,
    /// Frames by result.
    pub(crate) summary: Summary,
    /// The cases, sorted by name.
    pub(crate) cases: Vec<CaseReport>,
}

/// Properties that all parts of a run have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Plan")]
pub(crate) struct SuitePlan {
    /// Text that the names of its cases contain; null for the whole suite.
    pub(crate) filter: Option<String>,
    /// Its cases, and the folders of baselines that belong to no case.
    pub(crate) cases: u64,
    /// Frames of cases that can be drawn.
    pub(crate) frames: u64,
    /// A hash of the names, files, options and frames of the cases, equal for two runs of the same cases.
    pub(crate) digest: String,
}

/// A part of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Shard {
    /// Number of the part, from 1.
    pub(crate) index: u32,
    /// Number of parts.
    pub(crate) total: u32,
}

/// Number of results of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Summary {
    /// All cases.
    pub(crate) cases: u64,
    /// All frames, without unused and removed baselines; a case that could not be drawn counts as one.
    pub(crate) frames: u64,
    /// Frames that match their baselines.
    pub(crate) passed: u64,
    /// Frames that differ from their baselines.
    pub(crate) failed: u64,
    /// Frames without a baseline.
    pub(crate) missing: u64,
    /// Frames whose baselines were written by this run.
    pub(crate) updated: u64,
    /// Frames that were skipped because there was no adapter.
    pub(crate) skipped: u64,
    /// Cases that could not be drawn, and frames that could not be compared.
    pub(crate) errors: u64,
    /// Baselines that no picture was compared with.
    pub(crate) unused: u64,
    /// Unused baselines that this run removed.
    pub(crate) removed: u64,
}

/// One case: frames of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CaseReport {
    /// Its name, which is its folder among the baselines, with / between folders.
    pub(crate) name: String,
    /// The file that was captured, from the suite's folder; empty for baselines that belong to no case.
    pub(crate) file: String,
    /// The renderer or adapter that drew the pictures; null if nothing was drawn.
    pub(crate) drawn_by: Option<DrawnBy>,
    /// Notes about the whole case, for example that another class of adapter made the baselines.
    pub(crate) notes: Vec<String>,
    /// Other versions of the program that made baselines of it.
    pub(crate) baseline_versions: Vec<String>,
    /// Reason why nothing could be drawn, a line for each mistake; null if it could.
    pub(crate) error: Option<String>,
    /// Its frames, in the order in which they play, followed by unused baselines.
    pub(crate) frames: Vec<FrameResult>,
}

/// One picture, compared with its baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "FrameReport")]
pub(crate) struct FrameResult {
    /// Its name within the case: its path below the case's folder without the extension, like 0003 or walk/0003.
    pub(crate) name: String,
    /// The animation; null if the file has none, and vertices are drawn as stored.
    pub(crate) animation: Option<String>,
    /// The frame, from 0; null with the animation.
    pub(crate) frame: Option<u16>,
    /// Result of the frame.
    pub(crate) status: Status,
    /// The problem, in a line; empty if there is none.
    pub(crate) message: String,
    /// The command that takes the picture alone; null where there is nothing to look into.
    pub(crate) command: Option<String>,
    /// Difference from the baseline; null if there is none, or it could not be compared.
    pub(crate) difference: Option<DifferenceReport>,
    /// Pictures beside the report; null where there is nothing to look into.
    pub(crate) pictures: Option<FramePictures>,
}

/// Result of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Status {
    /// It matches its baseline.
    #[default]
    Passed,
    /// It differs from its baseline.
    Failed,
    /// Without a baseline.
    Missing,
    /// Its baseline was written by this run.
    Updated,
    /// No adapter could draw it.
    Skipped,
    /// Its baseline could not be read.
    Error,
    /// A baseline that no case uses, or that of a case that could not be drawn.
    Unused,
    /// An unused baseline that this run removed.
    Removed,
}

/// Paths of PNG files, from the report's folder, with / between folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Pictures")]
pub(crate) struct FramePictures {
    /// The baseline; null if there is none.
    pub(crate) expected: Option<String>,
    /// The picture that was drawn.
    pub(crate) actual: String,
    /// The difference of both; null if there is no baseline, or it has another size.
    pub(crate) difference: Option<String>,
}

impl FrameResult {
    /// Creates the report of a frame of which only the result is known, with the problem in a line.
    pub(crate) fn new(name: String, status: Status, message: String) -> Self {
        Self { name, status, message, ..Self::default() }
    }
}

impl CaseReport {
    /// Returns true if something in it failed.
    pub(crate) fn is_wrong(&self) -> bool {
        self.error.is_some() || self.frames.iter().any(|frame| frame.status.code() != 0)
    }

    /// Returns the number of its frames, without baselines that no frame was compared with.
    pub(crate) fn drawn(&self) -> u64 {
        let is_drawn =
            |frame: &&FrameResult| !matches!(frame.status, Status::Unused | Status::Removed);
        self.frames.iter().filter(is_drawn).count() as u64
    }
}

impl Summary {
    /// Counts the frames by their status.
    pub(crate) fn of(cases: &[CaseReport]) -> Self {
        let mut summary = Self::default();
        for case in cases {
            let error = u64::from(case.error.is_some());
            summary.cases += u64::from(!case.file.is_empty());
            summary.frames += case.drawn() + error;
            summary.errors += error;
            for frame in &case.frames {
                *match frame.status {
                    Status::Passed => &mut summary.passed,
                    Status::Failed => &mut summary.failed,
                    Status::Missing => &mut summary.missing,
                    Status::Updated => &mut summary.updated,
                    Status::Skipped => &mut summary.skipped,
                    Status::Error => &mut summary.errors,
                    Status::Unused => &mut summary.unused,
                    Status::Removed => &mut summary.removed,
                } += 1;
            }
        }
        summary
    }
}

impl SuiteReport {
    /// Creates a report of cases, and sorts them.
    pub(crate) fn new(
        suite: String,
        shard: Option<Shard>,
        plan: Option<SuitePlan>,
        exit_code: u8,
        mut cases: Vec<CaseReport>,
    ) -> Self {
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Self {
            version: crate::version().to_owned(),
            suite,
            shard,
            plan,
            exit_code,
            errors: Vec::new(),
            summary: Summary::of(&cases),
            cases,
        }
    }

    /// Returns true for the report of a run; false if the suite, or all parts of it, could not be run.
    pub(crate) fn has_run(&self) -> bool {
        self.errors.is_empty() || !self.cases.is_empty()
    }

    /// Returns the names of the failed cases, and of folders with unused baselines.
    pub(crate) fn failed(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().filter(|case| case.is_wrong()).map(|case| case.name.as_str())
    }

    /// Returns the sentence about baselines that other versions of the program made, if there are any.
    pub(crate) fn versions_note(&self) -> Option<String> {
        let others = self.cases.iter().map(|case| &case.baseline_versions);
        let others: Vec<_> = others.filter(|versions| !versions.is_empty()).collect();
        let versions: BTreeSet<&str> =
            others.iter().flat_map(|it| it.iter().map(String::as_str)).collect();
        let versions: Vec<&str> = versions.into_iter().collect();
        if others.is_empty() {
            return None;
        }
        let cases = counted(others.len(), "case", "cases");
        Some(format!(
            "baselines of {cases} were made by pchr-view {}; this is {}",
            versions.join(" and "),
            self.version
        ))
    }

    /// Returns the paths of all its pictures, relative to its folder.
    pub(crate) fn picture_paths(&self) -> impl Iterator<Item = &str> {
        let frames = self.cases.iter().flat_map(|case| &case.frames);
        frames.filter_map(|frame| frame.pictures.as_ref()).flat_map(FramePictures::paths)
    }

    /// Returns the report of a suite that could not be run.
    pub(crate) fn of_failure(suite: String, failure: &Failure) -> Self {
        let errors = match failure {
            Failure::Suite(problems) => problems.clone(),
            other => vec![other.to_string()],
        };
        Self { errors, ..Self::new(suite, None, None, failure.code(), Vec::new()) }
    }
}

impl FramePictures {
    /// Returns the paths: expected, actual, difference.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let Self { expected, actual, difference } = self;
        let paths = [expected.as_ref(), Some(actual), difference.as_ref()];
        paths.into_iter().flatten().map(String::as_str)
    }
}

pub(crate) fn schema() -> schemars::Schema {
    output::schema::<SuiteReport>()
}

/// Returns the most serious exit code: a failure while running, then an invalid file, a difference, a missing baseline, and last an
/// option that does not match.
pub(crate) fn worst(codes: impl IntoIterator<Item = u8>) -> u8 {
    let rank = |code: &u8| match code {
        0 => 0,
        2 => 1,
        6 => 2,
        3 => 3,
        4 => 4,
        _ => 5,
    };
    codes.into_iter().max_by_key(rank).unwrap_or(0)
}

/// Returns the name of a frame in reports, from the path of its baseline.
pub(crate) fn frame_name(path: &Path) -> String {
    slashed(&path.with_extension(""))
}

impl Status {
    /// Returns the exit code of a frame.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Passed | Self::Updated | Self::Skipped | Self::Removed => 0,
            Self::Unused => 2,
            Self::Failed => 3,
            Self::Missing => 6,
            Self::Error => 1,
        }
    }
}
