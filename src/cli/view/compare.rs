//! `pchr-view compare`: how two pictures, or those of two folders, differ.
//!
//! [`pairs`] says which belong together, [`compared`] what is found out about two of them, [`report`] and [`text`] say it.

mod args;
mod compared;
mod pairs;
mod report;
mod text;

use std::path::PathBuf;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

pub(super) use self::args::CompareArgs;
use self::compared::{Compared, Verdict};
use self::pairs::{Pair, Pairs};
use self::report::CompareReport;
pub(in crate::cli) use self::report::schema;
use crate::cli::messages::Messages;
use crate::cli::{Failure, input, output};

/// Compares what `args` name.
pub(super) fn run(args: &CompareArgs, messages: &Messages) -> Result<(), Failure> {
    let picture_on_stdout = args.diff.as_deref().is_some_and(input::is_stdin);
    if picture_on_stdout && args.json {
        let text = "--json and --diff - both write to stdout";
        return Err(Failure::Usage(text.into()));
    }
    let outcomes = Outcomes::new(args, Pairs::new(args)?);
    if args.json {
        output::write_json(&CompareReport::new(args, &outcomes))?;
    } else if !picture_on_stdout {
        let text = text::render(args, &outcomes, messages);
        output::write_stdout(text.as_bytes())?;
    }
    outcomes.finish(args, messages)
}

/// What became of a pair.
#[derive(Debug)]
struct Outcome {
    pair: Pair,
    found: Result<Compared, Failure>,
}

/// Number of pairs by verdict.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    same: usize,
    within: usize,
    differs: usize,
    unreadable: usize,
}

/// What became of all, sorted by path.
#[derive(Debug)]
struct Outcomes {
    of_folders: bool,
    of_pairs: Vec<Outcome>,
    alone: [Vec<PathBuf>; 2],
    counts: Counts,
}

impl Outcomes {
    /// Compares the pairs, several at once; they stay in order.
    fn new(args: &CompareArgs, pairs: Pairs) -> Self {
        let Pairs {
            of_folders,
            pairs,
            alone,
        } = pairs;
        let compare = |pair: Pair| {
            let found = Compared::new(&pair, args.tolerance, of_folders);
            Outcome { pair, found }
        };
        let of_pairs: Vec<_> = pairs.into_par_iter().map(compare).collect();
        let mut counts = Counts::default();
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

    fn passed(&self) -> bool {
        self.counts.differs == 0 && self.counts.unreadable == 0 && self.are_paired()
    }

    fn are_paired(&self) -> bool {
        self.alone.iter().all(Vec::is_empty)
    }

    /// How the program ends. What could not be read counts more than what differs.
    fn finish(self, args: &CompareArgs, messages: &Messages) -> Result<(), Failure> {
        if self.passed() {
            return Ok(());
        }
        let text = text::failure(args, &self);
        let mut unreadable = self.of_pairs.into_iter().filter_map(|of| of.found.err());
        match (unreadable.next(), self.of_folders) {
            (None, _) => Err(Failure::Differ(text)),
            (Some(failure), false) => Err(failure),
            (Some(failure), true) => {
                messages.failure(&failure);
                unreadable.for_each(|failure| messages.failure(&failure));
                Err(Failure::Running(anyhow::Error::msg(text)))
            }
        }
    }
}
