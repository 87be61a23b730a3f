//! `pchr-view compare`: the differences of two pictures, or of those in two folders.
//!
//! [`pairs`] matches them, [`compared`] compares two of them, [`report`] and [`text`] print the results.

mod args;
mod compared;
mod pairs;
mod report;
mod text;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

pub(super) use self::args::CompareArgs;
use self::compared::{Compared, Verdict, Wanted};
use self::pairs::{Pair, Pairs};
pub(in crate::cli) use self::report::schema;
use self::report::{CompareReport, CountsReport};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, failure, input, output};
use crate::threads;

/// Compares what `args` name.
pub(super) fn run(args: &CompareArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let picture_on_stdout = args.diff.as_deref().is_some_and(input::is_stdin);
    if picture_on_stdout && args.json {
        let text = "--json and --diff - both write to standard output";
        return Err(Failure::Usage(text.into()));
    }
    let pairs = Pairs::new(args, disk)?;
    pairs.notes.iter().for_each(|note| messages.note(note));
    let wanted = Wanted::new(args, pairs.of_folders, disk)?;
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
struct Outcome {
    pair: Pair,
    found: Result<Compared, Failure>,
}

/// Results of all pairs, sorted by path.
#[derive(Debug)]
struct Outcomes {
    of_folders: bool,
    of_pairs: Vec<Outcome>,
    alone: [Vec<PathBuf>; 2],
    counts: CountsReport,
}

impl Outcomes {
    /// Compares the pairs, several at once; they stay in order.
    fn new(args: &CompareArgs, wanted: &Wanted<'_>, pairs: Pairs) -> Self {
        let Pairs {
            of_folders,
            pairs,
            alone,
            ..
        } = pairs;
        let found = compare_all(wanted, &pairs);
        let of_pairs = pairs.into_iter().zip(found);
        let of_pairs: Vec<_> = of_pairs
            .map(|(pair, found)| Outcome { pair, found })
            .collect();
        let mut counts = CountsReport::default();
        for outcome in &of_pairs {
            let found = outcome.found.as_ref();
            *match found.map(|compared| compared.verdict(&args.allowed())) {
                Ok(Verdict::Same) => &mut counts.same,
                Ok(Verdict::Within) => &mut counts.within,
                Ok(Verdict::Differs) => &mut counts.differs,
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
            Some(failure::USAGE) => Err(Failure::Usage(text)),
            Some(_) => Err(Failure::Running(anyhow::Error::msg(text))),
        }
    }
}

/// Compares pairs on all threads. Only pictures of pairs that are being compared are in memory.
fn compare_all(wanted: &Wanted<'_>, pairs: &[Pair]) -> Vec<Result<Compared, Failure>> {
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
