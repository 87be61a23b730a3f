//! A look at the files before anything is drawn: the baselines that each case uses, and what it asks for in vain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::cases::Case;
use super::file::Suite;
use super::unused::folded;
use crate::bytes::Budget;
use crate::character::Character;
use crate::image::ImageRooms;
use crate::pose::BindChoice;
use crate::run::Failure;
use crate::run::input::{self, Input};
use crate::run::prepare::Parts;
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
fn read(suite: &Suite, case: &Case) -> Result<Input, Failure> {
    input::read_as(&suite.disk, &case.path, case.file.clone(), case.input)
}

/// Looks at the files of all cases; each is read once, and not kept.
pub(super) fn look(suite: &Suite, cases: &[Case]) -> Vec<Planned> {
    let look_at = |(first, indices): Group<'_>| {
        let read = read(suite, first).map_err(Arc::new);
        let character =
            read.map(|Input { document, .. }| Character::new(document, BindChoice::Auto));
        let plan = |index: usize| {
            let planned = match (&character, cases.get(index)) {
                (Ok(character), Some(case)) => Planned::of(suite, case, character),
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
    fn of(suite: &Suite, case: &Case, character: &Character) -> Self {
        let document = character.document();
        match names(case, character) {
            Ok(names) => Self {
                names,
                image_bytes: ImageRooms::new(document, &Budget::default()).bytes(),
                failure: None,
            },
            Err(error) => {
                let key = error.option;
                let line = case.options.line(key).unwrap_or(case.line);
                let why = error.to_string();
                let why = why.strip_prefix(&format!("--{key}: ")).unwrap_or(&why);
                let text = suite.place(line, &format!("{key}: {why}"));
                let bind = select::bind(character, &case.view);
                let character = character.with_bind(bind.unwrap_or(BindChoice::Auto));
                Self {
                    names: slashed_all(&case.plan().paths_within(&character)),
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
        self.names.iter().map(|name| folded(name)).collect()
    }
}

/// The baselines of a case.
fn names(case: &Case, character: &Character) -> Result<Vec<String>, ViewError> {
    let parts = Parts::new(&case.view, character)?;
    Ok(match case.plan().target(&parts.character)? {
        Target::Files(paths) => slashed_all(&paths),
        Target::Stdout => Vec::new(),
    })
}

fn slashed_all(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| slashed(path)).collect()
}
