//! A look at the files before anything is drawn: the baselines that each case uses, and what it asks for in vain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::cases::Case;
use super::file::Suite;
use crate::bytes::Budget;
use crate::file_name;
use crate::image::ImageRooms;
use crate::open::Opened;
use crate::run::Failure;
use crate::run::input;
use crate::run::prepare::Parts;
use crate::scene::{Subject, with_bind};
use crate::text::slashed;
use crate::view::plan::Target;
use crate::view::{ViewError, select};

/// The pictures of a case.
#[derive(Debug, Default)]
pub(super) struct Planned {
    /// Its baselines, by their paths from its folder, with `/`: of a case that asks for too much, those that it would
    /// still use.
    pub(super) names: Vec<String>,
    /// Bytes that the images of its file take, decoded.
    pub(super) image_bytes: u64,
    /// Reason why it cannot be drawn.
    pub(super) failure: Option<Arc<Failure>>,
}

/// Cases by the file that they are of.
type Group<'a> = (&'a Case, Vec<usize>);

fn by_file<'a>(cases: impl Iterator<Item = (usize, &'a Case)>) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(&Path, bool), Group<'a>> = BTreeMap::new();
    for (index, case) in cases {
        let key = (case.path.as_path(), case.input.allow_outside);
        groups
            .entry(key)
            .or_insert((case, Vec::new()))
            .1
            .push(index);
    }
    groups.into_values().collect()
}

/// The file of a case, by the name that the suite gives it.
fn open(suite: &Suite, case: &Case) -> Result<Opened, Failure> {
    input::open(&suite.disk, &case.path, &case.file, case.input)
}

/// Looks at the files of all cases; each is read once, and not kept.
pub(super) fn look(suite: &Suite, cases: &[Case]) -> Vec<Planned> {
    let look_at = |(first, indices): Group<'_>| {
        let opened = open(suite, first).map_err(Arc::new);
        let plan = |index: usize| {
            let planned = match (&opened, cases.get(index)) {
                (Ok(opened), Some(case)) => Planned::of(suite, case, &opened.subject),
                (Err(failure), _) => Planned::unread(failure.clone()),
                (Ok(_), None) => Planned::default(),
            };
            (index, planned)
        };
        indices.into_iter().map(plan).collect::<Vec<_>>()
    };
    let mut planned: Vec<Planned> = cases.iter().map(Planned::mistaken).collect();
    let sound = (0..).zip(cases).filter(|(_, case)| case.mistake.is_none());
    let groups = by_file(sound);
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
        match names(case, subject) {
            Ok(names) => Self {
                names,
                image_bytes: ImageRooms::new(&**subject, &Budget::default()).bytes(),
                failure: None,
            },
            Err(error) => {
                let key = error.option;
                let line = case.options.line(key).unwrap_or(case.line);
                let why = error.to_string();
                let why = why.strip_prefix(&format!("--{key}: ")).unwrap_or(&why);
                let text = suite.place(line, &format!("{key}: {why}"));
                let bind = select::bind(&**subject, &case.view);
                let subject = with_bind(subject, bind.unwrap_or_default());
                Self {
                    names: slashed_all(&case.plan().paths_within(&*subject)),
                    image_bytes: 0,
                    failure: Some(Arc::new(Failure::Usage(text))),
                }
            }
        }
    }

    /// A case whose file cannot be read: it uses none.
    fn unread(failure: Arc<Failure>) -> Self {
        Self {
            failure: Some(failure),
            ..Self::default()
        }
    }

    /// A case that the suite has a mistake in: it uses none. A sound case is not known yet.
    fn mistaken(case: &Case) -> Self {
        let mistake = case.mistake.clone().map(Failure::Usage);
        Self {
            names: Vec::new(),
            image_bytes: 0,
            failure: mistake.map(Arc::new),
        }
    }

    /// The baselines that the case uses, as paths are compared.
    pub(super) fn used(&self) -> BTreeSet<String> {
        self.names.iter().map(|name| file_name::key(name)).collect()
    }
}

/// The baselines of a case.
fn names(case: &Case, subject: &Arc<dyn Subject>) -> Result<Vec<String>, ViewError> {
    let parts = Parts::new(&case.view, subject)?;
    Ok(match case.plan().target(&*parts.subject)? {
        Target::Files(paths) => slashed_all(&paths),
        Target::Stdout => Vec::new(),
    })
}

fn slashed_all(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| slashed(path)).collect()
}
