//! Checks the files before anything is drawn: the baselines that each case uses, and options that do not match the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use pchr::bytes::Budget;
use pchr::image::ImageRooms;
use pchr::scene::{Subject, with_bind};

use super::source;
use crate::file_name;
use crate::files::Companions;
use crate::open::Opened;
use crate::run::Failure;
use crate::suite::cases::case::Case;
use crate::suite::cases::file::Suite;
use crate::text::slashed;
use crate::view::plan::PictureTarget;
use crate::view::{ViewError, select};

/// The pictures of a case.
#[derive(Debug, Default)]
pub(crate) struct Planned {
    /// Its baselines, by their paths relative to its folder, with `/`. For a case with invalid options, those that it would still
    /// use.
    pub(crate) names: Vec<String>,
    /// Bytes of the decoded images of its file.
    pub(crate) image_bytes: u64,
    /// Reason why it cannot be drawn.
    pub(crate) failure: Option<Arc<Failure>>,
}

/// A file's cases.
type FileCases<'a> = (&'a Case, Vec<usize>);

fn by_file<'a>(cases: impl Iterator<Item = (usize, &'a Case)>) -> Vec<FileCases<'a>> {
    let mut groups: BTreeMap<(&Path, bool, Companions), FileCases<'a>> = BTreeMap::new();
    for (index, case) in cases {
        let (_, indices) = (groups.entry(case.source())).or_insert((case, Vec::new()));
        indices.push(index);
    }
    groups.into_values().collect()
}

/// Opens the file of a case, by its name in the suite.
fn open(suite: &Suite, case: &Case) -> Result<Opened, Failure> {
    let file = (case.path.as_path(), case.file.as_str());
    source::open(&suite.disk, file, case.input, &case.shown.companions())
}

/// Checks the files of all cases. Each is read once, and not kept.
pub(crate) fn look(suite: &Suite, cases: &[Case]) -> Vec<Planned> {
    let look_at = |(first, indices): FileCases<'_>| {
        let opened = open(suite, first).map_err(Arc::new);
        let plan = |index: usize| {
            let planned = match (&opened, cases.get(index)) {
                (Ok(opened), Some(case)) => Planned::of(suite, case, &opened.subject),
                (Err(failure), Some(case)) => {
                    let mistaken = mistaken(suite, case, Vec::new());
                    let mistaken = mistaken.filter(|_| !is_unread(failure));
                    Planned::unread(mistaken.or_else(|| Some(failure.clone())))
                }
                (_, None) => Planned::default(),
            };
            (index, planned)
        };
        indices.into_iter().map(plan).collect::<Vec<_>>()
    };
    let lost = |case| Planned::unread(mistaken(suite, case, Vec::new()));
    let mut planned: Vec<Planned> = cases.iter().map(lost).collect();
    let there = (0..).zip(cases).filter(|(_, case)| case.is_there);
    let groups = by_file(there);
    let read: Vec<_> = groups.into_par_iter().flat_map_iter(look_at).collect();
    for (index, read) in read {
        if let Some(planned) = planned.get_mut(index) {
            *planned = read;
        }
    }
    planned
}

impl Planned {
    fn of(suite: &Suite, case: &Case, subject: &Arc<dyn Subject>) -> Self {
        let bind = select::bind(&**subject, &case.shown);
        let bound = with_bind(subject, bind.unwrap_or_default());
        let plan = case.plan();
        let mut errors = select::mistakes(&**subject, &case.shown);
        let names = match plan.target(&*bound) {
            Ok(PictureTarget::Files(paths)) => paths,
            Ok(PictureTarget::Stdout | PictureTarget::Sheet(..)) => Vec::new(),
            Err(error) => {
                errors.push(error);
                plan.paths_within(&*bound)
            }
        };
        let failure = mistaken(suite, case, errors);
        let rooms = ImageRooms::new(&**subject, &Budget::default());
        Self {
            names: names.iter().map(|path| slashed(path)).collect(),
            image_bytes: failure.as_ref().map_or_else(|| rooms.bytes(), |_| 0),
            failure,
        }
    }

    /// Returns the plan of a case whose file cannot be read: it uses no baselines.
    fn unread(failure: Option<Arc<Failure>>) -> Self {
        Self {
            failure,
            ..Self::default()
        }
    }

    /// Returns true if a file of the case could not be read.
    pub(crate) fn is_unread(&self) -> bool {
        self.failure.as_deref().is_some_and(is_unread)
    }

    /// Returns the baselines that the case uses, in the form in which paths are compared.
    pub(crate) fn used(&self) -> BTreeSet<String> {
        self.names.iter().map(|name| file_name::key(name)).collect()
    }
}

fn is_unread(failure: &Failure) -> bool {
    matches!(failure, Failure::Running(_))
}

/// Returns all errors of a case, a line each in suite order; `errors` are those found with its file. A file that could not be read
/// comes before them.
fn mistaken(suite: &Suite, case: &Case, errors: Vec<ViewError>) -> Option<Arc<Failure>> {
    if let Some((line, why)) = &case.faults.unread {
        let text = suite.place(*line, why);
        return Some(Arc::new(Failure::Running(anyhow::Error::msg(text))));
    }
    let in_words = |error: ViewError| {
        let key = error.option;
        let line = case.options.line(key).unwrap_or(case.line);
        (line, format!("{key}: {}", error.why()))
    };
    let mut mistakes = case.faults.mistakes.clone();
    mistakes.extend(errors.into_iter().map(in_words));
    mistakes.sort_by_key(|(line, _)| *line);
    let lines = mistakes.iter().map(|(line, text)| suite.place(*line, text));
    let lines: Vec<_> = lines.collect();
    (!lines.is_empty()).then(|| Arc::new(Failure::Suite(lines)))
}
