//! The `--json` report of a comparison.

use schemars::JsonSchema;
use serde::Serialize;

use pchr::compare::DifferenceReport;

use super::{CompareArgs, Outcomes, PairOutcome};
use crate::run::{input, output};
use crate::text::slashed;
use crate::view::cameras::PictureView;

/// The compared files, the tolerance, and the difference of each pair.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompareReport {
    /// Version of the program, with the commit that it was built from.
    version: &'static str,
    /// The file or folder that is expected, as it was named on the command line; stdin for -.
    expected: String,
    /// The file or folder that is compared with it.
    actual: String,
    /// Largest difference of a pixel that counts as equal.
    tolerance: u8,
    /// Pixels of each picture that may differ by more than the tolerance: a number, or a percentage that ends in %.
    max_outliers: String,
    /// Rectangles that were not compared, each X,Y,WxH.
    ignore: Vec<String>,
    /// The picture that masks pixels that were not compared; null without one.
    mask: Option<String>,
    /// True if nothing differs beyond the tolerance, no picture is missing from a folder and all could be read.
    passed: bool,
    /// Number of pairs by verdict.
    counts: CountsReport,
    /// Paths in the first folder that are missing from the second.
    only_expected: Vec<String>,
    /// Paths in the second folder that are missing from the first.
    only_actual: Vec<String>,
    /// The pairs, sorted by path.
    pairs: Vec<PairReport>,
}

/// Number of pairs by verdict.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Counts")]
pub(super) struct CountsReport {
    /// Pairs with the same pixels.
    pub(super) same: usize,
    /// Pairs that differ within the tolerance.
    pub(super) within: usize,
    /// Pairs that differ by more than the tolerance allows.
    pub(super) differs: usize,
    /// Pairs that could not be compared.
    pub(super) unreadable: usize,
}

/// Result of a pair.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Pair")]
struct PairReport {
    /// The path that both have in their folders; of two files, both paths.
    name: String,
    /// Path of the picture that is expected.
    expected: String,
    /// Path of the picture that is compared with it.
    actual: String,
    /// same: equal pixels; within: they differ within the tolerance; differs: beyond it, or in size; unreadable: they could
    /// not be compared.
    #[schemars(extend("enum" = ["same", "within", "differs", "unreadable"]))]
    verdict: &'static str,
    /// Reason why they could not be compared, or the picture of their difference could not be written.
    error: Option<String>,
    /// Width and height of the expected picture; null if it could not be read.
    expected_size: Option<[u32; 2]>,
    /// Width and height of the picture that is compared with it; null if it could not be read.
    actual_size: Option<[u32; 2]>,
    /// Camera and moment of the expected picture; null if its file does not say them.
    expected_view: Option<PictureView>,
    /// Camera and moment of the picture that is compared with it; null if its file does not say them.
    actual_view: Option<PictureView>,
    /// True if both cameras are known and differ, so that a difference may be one of the view alone.
    cameras_differ: bool,
    /// True if both moments are known and differ.
    moments_differ: bool,
    /// Their difference; null if their sizes differ.
    difference: Option<DifferenceReport>,
    /// Path of the difference picture, if it was written.
    difference_picture: Option<String>,
}

/// The schema of the report.
pub(in crate::cli) fn schema() -> schemars::Schema {
    output::schema::<CompareReport>()
}

impl CompareReport {
    pub(super) fn new(args: &CompareArgs, outcomes: &Outcomes) -> Self {
        let [only_expected, only_actual] = outcomes.alone.each_ref().map(|paths| {
            let paths = paths.iter().map(|path| slashed(path));
            paths.collect()
        });
        let pairs = outcomes.of_pairs.iter();
        Self {
            version: crate::version(),
            expected: input::name(&args.expected),
            actual: input::name(&args.actual),
            tolerance: args.tolerance,
            max_outliers: args.max_outliers.to_string(),
            ignore: args.ignore.iter().map(ToString::to_string).collect(),
            mask: args.mask.as_deref().map(input::name),
            passed: outcomes.passed(),
            counts: outcomes.counts,
            only_expected,
            only_actual,
            pairs: pairs
                .map(|outcome| PairReport::new(args, outcome))
                .collect(),
        }
    }
}

impl PairReport {
    fn new(args: &CompareArgs, PairOutcome { pair, found }: &PairOutcome) -> Self {
        let compared = found.as_ref().ok();
        let size = |of: fn(&[[u32; 2]; 2]) -> [u32; 2]| compared.map(|it| of(&it.sizes));
        let measured = compared.and_then(|compared| compared.difference.as_ref());
        let shown = pair.diff.as_ref();
        // Of two sizes there is no measure, but always a picture.
        let shown =
            shown.filter(|_| compared.is_some() && measured.is_none_or(|measured| measured.shown));
        Self {
            name: pair.name.clone(),
            expected: input::name(&pair.expected),
            actual: input::name(&pair.actual),
            verdict: compared.map_or("unreadable", |it| it.verdict(&args.allowed()).name()),
            error: found.as_ref().err().map(ToString::to_string),
            expected_size: size(|[expected, _]| *expected),
            actual_size: size(|[_, actual]| *actual),
            expected_view: compared.and_then(|it| it.views.first()?.clone()),
            actual_view: compared.and_then(|it| it.views.last()?.clone()),
            cameras_differ: compared.is_some_and(|it| it.cameras().is_some()),
            moments_differ: compared.is_some_and(|it| it.moments().is_some()),
            difference: measured.map(|measured| {
                let flip = Some(measured.mean_flip);
                DifferenceReport::new(&measured.difference, &args.allowed(), flip)
            }),
            difference_picture: shown.map(|path| slashed(path)),
        }
    }
}
