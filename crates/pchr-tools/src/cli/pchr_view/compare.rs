//! `pchr-view compare`: the differences of two pictures, or of those in two folders.
//!
//! [`pairs`] matches and compares them, [`text`] prints the results, and [`CompareReport`] is their JSON.

mod pairs;
mod text;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::compare::{DifferenceReport, MaxOutliers, Region, Tolerance};

use self::pairs::{CompareJob, ComparedPair, PairVerdict, PicturePair, PicturePairs};
use crate::run::input::size;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, input, output};
use crate::text::slashed;
use crate::threads;
use crate::view::cameras::PictureView;

pub(super) fn run(args: &CompareArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let picture_on_stdout = args.diff.as_deref().is_some_and(input::is_stdin);
    if picture_on_stdout && args.json {
        return Err(Failure::Usage("--json and --diff - both write to standard output".into()));
    }
    let pairs = PicturePairs::new(args, disk)?;
    pairs.notes.iter().for_each(|note| messages.note(note));
    let wanted = CompareJob::new(args, pairs.of_folders, disk)?;
    let outcomes = Outcomes::new(args, &wanted, pairs);
    if args.json {
        output::write_json(&CompareReport::new(args, &outcomes))?;
    } else if !picture_on_stdout {
        let mut out = String::new();
        let _ = text::write(&mut out, args, &outcomes, messages); // a string takes everything
        output::write_text(out.as_bytes())?;
    }
    if args.allowed().accepts_all(outcomes.pixels()) {
        messages.warning(
            "the tolerance accepts every picture; choose --tolerance below 255 and --max-outliers below 100% of the pixels",
        );
    }
    outcomes.finish(args, messages)
}

/// Result of a pair.
#[derive(Debug)]
struct PairOutcome {
    pair: PicturePair,
    found: Result<ComparedPair, Failure>,
}

/// Results of all pairs, sorted by path.
#[derive(Debug)]
struct Outcomes {
    of_folders: bool,
    of_pairs: Vec<PairOutcome>,
    alone: [Vec<PathBuf>; 2],
    counts: CountsReport,
}

impl Outcomes {
    /// Compares the pairs, several at once; they stay in order.
    fn new(args: &CompareArgs, wanted: &CompareJob<'_>, pairs: PicturePairs) -> Self {
        let PicturePairs { of_folders, pairs, alone, .. } = pairs;
        let found = compare_all(wanted, &pairs);
        let of_pairs = pairs.into_iter().zip(found);
        let of_pairs: Vec<_> = of_pairs.map(|(pair, found)| PairOutcome { pair, found }).collect();
        let mut counts = CountsReport::default();
        for outcome in &of_pairs {
            let found = outcome.found.as_ref();
            *match found.map(|compared| compared.verdict(&args.allowed())) {
                Ok(PairVerdict::Same) => &mut counts.same,
                Ok(PairVerdict::Within) => &mut counts.within,
                Ok(PairVerdict::Differs) => &mut counts.differs,
                Err(_) => &mut counts.unreadable,
            } += 1;
        }
        Self { of_folders, of_pairs, alone, counts }
    }

    /// Returns the number of pixels of the largest pictures that were compared.
    fn pixels(&self) -> u64 {
        let compared = self.of_pairs.iter().filter_map(|of| of.found.as_ref().ok());
        let sizes = compared.flat_map(|compared| compared.sizes);
        sizes.map(|size| size.map(u64::from).iter().product()).max().unwrap_or(u64::MAX)
    }

    fn passed(&self) -> bool {
        let are_paired = self.alone.iter().all(Vec::is_empty);
        self.counts.differs == 0 && self.counts.unreadable == 0 && are_paired
    }

    /// Result of the command. Failed comparisons outrank differences.
    fn finish(self, args: &CompareArgs, messages: &Messages) -> Result<(), Failure> {
        if self.passed() {
            return Ok(());
        }
        let text = text::failure(args, &self);
        let failures = self.of_pairs.into_iter().filter_map(|of| of.found.err());
        let mut failures: Vec<_> = failures.collect();
        if !self.of_folders
            && let Some(failure) = failures.pop()
        {
            return Err(failure);
        }
        failures.iter().for_each(|failure| messages.failure(failure));
        match failures.iter().map(Failure::code).min() {
            None => Err(Failure::Differ(text)),
            Some(crate::run::messages::USAGE) => Err(Failure::Usage(text)),
            Some(_) => Err(Failure::Running(anyhow::Error::msg(text))),
        }
    }
}

/// Compares pairs on all threads. Only pictures of pairs that are being compared are in memory.
fn compare_all(job: &CompareJob<'_>, pairs: &[PicturePair]) -> Vec<Result<ComparedPair, Failure>> {
    let found: Mutex<Vec<_>> = Mutex::new(pairs.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    // Not the pool's own threads: those take up another pair while they wait for the parts of one.
    threads::together(rayon::current_num_threads().min(pairs.len()), || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(pair) = pairs.get(index) else { return };
            let compared = job.compare(pair);
            if let Some(place) = found.lock().get_mut(index) {
                *place = Some(compared);
            }
        }
    });
    let lost = || Err(Failure::Running(anyhow::anyhow!("a pair was not compared")));
    let found = found.into_inner().into_iter();
    found.map(|found| found.unwrap_or_else(lost)).collect()
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view compare old.png new.png
  pchr-view compare old.png new.png --max-outliers 0.1% --diff diff.png
  pchr-view compare old new --diff diff       # all PNG files in two folders
  pchr-view compare old new --tolerance 0     # only identical pixels pass
  pchr-view compare old.png new.png --ignore 0,0,64x16 --mask clock.png
  pchr-view compare old new --json | jq '.pairs[] | select(.verdict == \"differs\") | .name'
  pchr-view capture hero.pchr --renderer cpu -o - | pchr-view compare old.png -

The difference between two pixels is the largest difference in any of their four channels. Colours are multiplied by alpha first, since only the product is visible; the stored colour of a nearly transparent pixel is mostly rounding. Pixels whose stored bytes differ always count as differing by at least 1, so --tolerance 0 requires the same bytes. A pixel that differs by more than the tolerance is an outlier.

Printed for each pair that differs at all: its outliers, the largest difference with its position, channel and both pixels (RGBA), the number of pixels by size of difference, and the mean ꟻLIP error: how visible the difference is when the two alternate on a screen (0 invisible, 1 maximal; the larger of those over black and over white). -v also lists equal pairs; -q only those that fail.

The picture of --diff shows A in dim grey, differences within the tolerance in blue, and outliers from orange to nearly white (the lighter, the larger). Ignored pixels are hatched. Of two sizes, what only one picture has is striped.

PNG files that capture wrote say their camera and moment: if those of a pair differ, so may the pictures although the content is the same. To keep the camera, capture with --camera-of.

PNG files of every colour type are read; 16-bit channels are compared by their upper 8 bits. Files in folders are matched by their paths. --ignore and --mask apply to every pair.

Exit codes: 0 no picture differs beyond the tolerance, 1 a picture could not be read, 2 usage, 3 a picture differs or is in one folder only")]
pub(in crate::cli::pchr_view) struct CompareArgs {
    /// Expected: a PNG file, or a folder of PNG files; - reads a file from standard input
    #[arg(value_name = "A")]
    pub(super) expected: PathBuf,
    /// Actual: a PNG file or a folder, to compare with A
    #[arg(value_name = "B")]
    pub(super) actual: PathBuf,
    /// Largest difference at which pixels count as equal, 0 to 255
    #[arg(long, value_name = "N", default_value_t = Tolerance::default().channel)]
    pub(super) tolerance: u8,
    /// How many pixels of each picture may differ by more than --tolerance: a number, or a percentage like 0.1%
    #[arg(long, value_name = "N|P%", default_value_t)]
    pub(super) max_outliers: MaxOutliers,
    /// Ignore a rectangle of both pictures: pixels from the left and the top, then width and height (repeatable)
    #[arg(long, value_name = "X,Y,WxH")]
    pub(super) ignore: Vec<Region>,
    /// Ignore the painted pixels of a PNG of the same size: all that are neither black nor transparent
    #[arg(long, value_name = "FILE")]
    pub(super) mask: Option<PathBuf>,
    /// Write a picture of the differences; for folders, a folder with one picture for each pair that differs; - writes it to standard output
    #[arg(long, value_name = "OUT.png")]
    pub(super) diff: Option<PathBuf>,
    /// Read pictures of up to this size, like 512MiB or 3GiB [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) max_size: Option<u64>,
    /// Print a JSON report of the results
    #[arg(long)]
    pub(super) json: bool,
}

impl CompareArgs {
    pub(super) fn allowed(&self) -> Tolerance {
        Tolerance { channel: self.tolerance, max_outliers: self.max_outliers }
    }
}

/// The compared files, the tolerance, and the difference of each pair.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct CompareReport {
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

impl CompareReport {
    fn new(args: &CompareArgs, outcomes: &Outcomes) -> Self {
        let all = |paths: &Vec<PathBuf>| paths.iter().map(|path| slashed(path)).collect();
        let [only_expected, only_actual] = outcomes.alone.each_ref().map(all);
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
            pairs: pairs.map(|outcome| PairReport::new(args, outcome)).collect(),
        }
    }
}

impl PairReport {
    fn new(args: &CompareArgs, PairOutcome { pair, found }: &PairOutcome) -> Self {
        let compared = found.as_ref().ok();
        let size = |of: fn(&[[u32; 2]; 2]) -> [u32; 2]| compared.map(|it| of(&it.sizes));
        let measured = compared.and_then(|compared| compared.difference.as_ref());
        // Of two sizes there is no measure, but always a picture.
        let is_shown = compared.is_some() && measured.is_none_or(|measured| measured.shown);
        let shown = pair.diff.as_ref().filter(|_| is_shown);
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
