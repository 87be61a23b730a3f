//! `pchr-view compare`: the differences of two pictures, or of those in two folders.
//!
//! [`pairs`] matches and compares them, [`report`] and [`text`] print the results.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use parking_lot::Mutex;

use pchr::compare::{MaxOutliers, Region, Tolerance};

use self::pairs::{CompareJob, ComparedPair, PairVerdict, Pairs, PicturePair};
use self::report::{CompareReport, CountsReport};
use crate::run::input::size;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, input, output};
use crate::threads;

pub(in crate::cli) use report::schema;

mod pairs;
mod report;
mod text;

/// Compares what `args` name.
pub(super) fn run(args: &CompareArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let picture_on_stdout = args.diff.as_deref().is_some_and(input::is_stdin);
    if picture_on_stdout && args.json {
        let text = "--json and --diff - both write to standard output";
        return Err(Failure::Usage(text.into()));
    }
    let pairs = Pairs::new(args, disk)?;
    pairs.notes.iter().for_each(|note| messages.note(note));
    let wanted = CompareJob::new(args, pairs.of_folders, disk)?;
    let outcomes = Outcomes::new(args, &wanted, pairs);
    if args.json {
        output::write_json(&CompareReport::new(args, &outcomes))?;
    } else if !picture_on_stdout {
        let text = text::render(args, &outcomes, messages);
        output::write_text(text.as_bytes())?;
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
    fn new(args: &CompareArgs, wanted: &CompareJob<'_>, pairs: Pairs) -> Self {
        let Pairs {
            of_folders,
            pairs,
            alone,
            ..
        } = pairs;
        let found = compare_all(wanted, &pairs);
        let of_pairs = pairs.into_iter().zip(found);
        let of_pairs: Vec<_> = of_pairs
            .map(|(pair, found)| PairOutcome { pair, found })
            .collect();
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
        Self {
            of_folders,
            of_pairs,
            alone,
            counts,
        }
    }

    /// Returns the number of pixels of the largest pictures that were compared.
    fn pixels(&self) -> u64 {
        let compared = self.of_pairs.iter().filter_map(|of| of.found.as_ref().ok());
        let sizes = compared.flat_map(|compared| compared.sizes);
        let pixels = sizes.map(|size| size.map(u64::from).iter().product());
        pixels.max().unwrap_or(u64::MAX)
    }

    fn passed(&self) -> bool {
        self.counts.differs == 0 && self.counts.unreadable == 0 && self.are_paired()
    }

    fn are_paired(&self) -> bool {
        self.alone.iter().all(Vec::is_empty)
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
        failures
            .iter()
            .for_each(|failure| messages.failure(failure));
        match failures.iter().map(Failure::code).min() {
            None => Err(Failure::Differ(text)),
            Some(crate::run::messages::USAGE) => Err(Failure::Usage(text)),
            Some(_) => Err(Failure::Running(anyhow::Error::msg(text))),
        }
    }
}

/// Compares pairs on all threads. Only pictures of pairs that are being compared are in memory.
fn compare_all(
    wanted: &CompareJob<'_>,
    pairs: &[PicturePair],
) -> Vec<Result<ComparedPair, Failure>> {
    let found: Mutex<Vec<_>> = Mutex::new(pairs.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    // Not the pool's own threads: those take up another pair while they wait for the parts of one.
    threads::together(rayon::current_num_threads().min(pairs.len()), || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(pair) = pairs.get(index) else { return };
            let compared = wanted.compare(pair);
            if let Some(place) = found.lock().get_mut(index) {
                *place = Some(compared);
            }
        }
    });
    let lost = || Err(Failure::Running(anyhow::anyhow!("a pair was not compared")));
    let found = found.into_inner().into_iter();
    found.map(|found| found.unwrap_or_else(lost)).collect()
}

/// Arguments of `compare`.
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
        Tolerance {
            channel: self.tolerance,
            max_outliers: self.max_outliers,
        }
    }
}
