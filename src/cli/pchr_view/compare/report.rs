//! What `--json` says about a comparison.

use schemars::JsonSchema;
use serde::Serialize;

use super::args::CompareArgs;
use super::compared::Measured;
use super::pairs::Pair;
use super::{Counts, Outcome, Outcomes};
use crate::compare::BUCKETS;
use crate::run::{input, output};
use crate::text::slashed;

/// What was compared, under which tolerance, and how each pair differs.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompareReport {
    /// Version of the program, with the commit that it was built from.
    version: &'static str,
    /// The file or folder that is expected, as it was named on the command line; stdin for -.
    expected: String,
    /// The file or folder that is held against it.
    actual: String,
    /// Difference up to which a pixel is as good as equal.
    tolerance: u8,
    /// Pixels that may differ by more in each picture: a number, or a share that ends in %.
    max_outliers: String,
    /// Rectangles that were not compared, each X,Y,WxH.
    ignore: Vec<String>,
    /// The picture that masks pixels that were not compared; null without one.
    mask: Option<String>,
    /// Whether nothing differs beyond the tolerance, all have partners and all could be read.
    passed: bool,
    /// Number of pairs by verdict.
    counts: CountsReport,
    /// Paths in the first folder that have no partner in the second.
    only_expected: Vec<String>,
    /// Paths in the second folder that have no partner in the first.
    only_actual: Vec<String>,
    /// The pairs, sorted by path.
    pairs: Vec<PairReport>,
}

/// Number of pairs by verdict.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Counts")]
struct CountsReport {
    /// Pairs with the same pixels.
    same: usize,
    /// Pairs that differ within the tolerance.
    within: usize,
    /// Pairs that differ beyond it.
    differs: usize,
    /// Pairs that could not be compared.
    unreadable: usize,
}

/// How two pictures differ.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Pair")]
struct PairReport {
    /// The path that both have in their folders; of two files, both paths.
    name: String,
    /// Path of the picture that is expected.
    expected: String,
    /// Path of the picture that is held against it.
    actual: String,
    /// same: equal pixels; within: they differ within the tolerance; differs: beyond it, or in size; unreadable: they could
    /// not be compared.
    #[schemars(extend("enum" = ["same", "within", "differs", "unreadable"]))]
    verdict: &'static str,
    /// Reason why they could not be compared, or the picture of their difference could not be written.
    error: Option<String>,
    /// Width and height of what is expected; null if it could not be read.
    expected_size: Option<[u32; 2]>,
    /// Width and height of what is held against it; null if it could not be read.
    actual_size: Option<[u32; 2]>,
    /// How they differ; null if their sizes do.
    difference: Option<DifferenceReport>,
}

/// How two pictures of one size differ.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Difference")]
struct DifferenceReport {
    /// Pixels of each picture that were compared.
    pixels: u64,
    /// Pixels of each picture that were not.
    ignored: u64,
    /// Pixels that are not the same.
    differing: u64,
    /// Pixels that differ by more than the tolerance.
    outliers: u64,
    /// As many outliers as are allowed in a picture of this size.
    allowed_outliers: u64,
    /// Whether they differ, but nowhere in a stored colour.
    alpha_only: bool,
    /// The first pixel with the largest difference; null if there is none.
    largest: Option<LargestReport>,
    /// Mean FLIP error of the pixels that were compared, 0 to 1: how visible the difference is.
    mean_flip: f64,
    /// Pixels that differ, by the size of the difference.
    histogram: Vec<BucketReport>,
    /// Path of the picture of the difference, if it was written.
    picture: Option<String>,
}

/// The first pixel, row by row, with the largest difference.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Largest difference")]
struct LargestReport {
    /// The difference, 1 to 255.
    difference: u8,
    /// Column from the left and row from the top, from 0.
    at: [u32; 2],
    /// The channel that has it.
    #[schemars(extend("enum" = ["red", "green", "blue", "alpha"]))]
    channel: &'static str,
    /// The pixel that is expected: red, green, blue, alpha; as it is stored.
    expected: [u8; 4],
    /// The pixel that is there.
    actual: [u8; 4],
}

/// Pixels whose difference is within bounds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Bucket")]
struct BucketReport {
    /// The smallest difference.
    from: u8,
    /// The largest difference, included.
    to: u8,
    /// Number of pixels.
    pixels: u64,
}

/// The schema of the report.
pub(in crate::cli) fn schema() -> schemars::Schema {
    output::schema::<CompareReport>()
}

impl CompareReport {
    pub(super) fn new(args: &CompareArgs, outcomes: &Outcomes) -> Self {
        let Counts {
            same,
            within,
            differs,
            unreadable,
        } = outcomes.counts;
        let [only_expected, only_actual] = outcomes.alone.each_ref().map(|paths| {
            let paths = paths.iter().map(|path| slashed(path));
            paths.collect()
        });
        let pairs = outcomes.of_pairs.iter();
        Self {
            version: env!("PCHR_VERSION"),
            expected: input::name(&args.expected),
            actual: input::name(&args.actual),
            tolerance: args.tolerance,
            max_outliers: args.max_outliers.to_string(),
            ignore: args.ignore.iter().map(ToString::to_string).collect(),
            mask: args.mask.as_deref().map(input::name),
            passed: outcomes.passed(),
            counts: CountsReport {
                same,
                within,
                differs,
                unreadable,
            },
            only_expected,
            only_actual,
            pairs: pairs
                .map(|outcome| PairReport::new(args, outcome))
                .collect(),
        }
    }
}

impl PairReport {
    fn new(args: &CompareArgs, Outcome { pair, found }: &Outcome) -> Self {
        let compared = found.as_ref().ok();
        let size = |of: fn(&[[u32; 2]; 2]) -> [u32; 2]| compared.map(|it| of(&it.sizes));
        let difference = compared.and_then(|compared| compared.difference.as_ref());
        Self {
            name: pair.name.clone(),
            expected: input::name(&pair.expected),
            actual: input::name(&pair.actual),
            verdict: compared.map_or("unreadable", |it| it.verdict(&args.allowed()).name()),
            error: found.as_ref().err().map(ToString::to_string),
            expected_size: size(|[expected, _]| *expected),
            actual_size: size(|[_, actual]| *actual),
            difference: difference.map(|measured| DifferenceReport::new(args, pair, measured)),
        }
    }
}

impl DifferenceReport {
    fn new(args: &CompareArgs, pair: &Pair, measured: &Measured) -> Self {
        let difference = &measured.difference;
        let largest = || {
            let [expected, actual] = measured.largest?;
            Some(LargestReport {
                difference: difference.largest(),
                at: difference.largest_at()?,
                channel: difference.largest_channel()?.name(),
                expected,
                actual,
            })
        };
        let bucket = |(bounds, pixels): (&std::ops::RangeInclusive<u8>, u64)| BucketReport {
            from: *bounds.start(),
            to: *bounds.end(),
            pixels,
        };
        let shown = pair.diff.as_ref().filter(|_| measured.shown);
        Self {
            pixels: difference.pixels(),
            ignored: difference.ignored(),
            differing: difference.differing(),
            outliers: difference.outliers(args.tolerance),
            allowed_outliers: args.max_outliers.of(difference.pixels()),
            alpha_only: difference.alpha_only(),
            largest: largest(),
            mean_flip: rounded(measured.mean_flip),
            histogram: BUCKETS
                .iter()
                .zip(difference.histogram())
                .map(bucket)
                .collect(),
            picture: shown.map(|path| slashed(path)),
        }
    }
}

/// Nine digits: the rest is rounding.
fn rounded(error: f64) -> f64 {
    (error * 1e9).round() / 1e9
}
