//! A look at the files before anything is drawn: the baselines that each case uses, and what it asks for in vain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::cases::Case;
use super::file::Suite;
use super::unused::folded;
use crate::bytes::Budget;
use crate::image::ImageRooms;
use crate::open::Opened;
use crate::run::Failure;
use crate::run::input;
use crate::scene::{Subject, with_bind};
use crate::text::slashed;
use crate::view::args::CaptureArgs;
use crate::view::plan::{Plan, Target};
use crate::view::select::{self, Wishes};

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

/// An option that asks for what is not there.
struct Wrong {
    key: &'static str,
    failure: Failure,
}

/// Cases by the file that they are of.
type Group<'a> = (&'a Case, Vec<usize>);

fn by_file<'a>(cases: impl Iterator<Item = (usize, &'a Case)>) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(&Path, bool), Group<'a>> = BTreeMap::new();
    for (index, case) in cases {
        let key = (case.args.file.as_path(), case.args.input.allow_outside);
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
    let args = &case.args;
    input::open(&suite.disk, &args.file, &case.file, args.input)
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
        match names(&case.args, subject) {
            Ok(names) => Self {
                names,
                image_bytes: ImageRooms::new(&**subject, &Budget::default()).bytes(),
                failure: None,
            },
            Err(Wrong { key, failure }) => {
                let line = case.options.line(key).unwrap_or(case.line);
                let why = failure.to_string();
                let why = why.strip_prefix(&format!("--{key}: ")).unwrap_or(&why);
                let text = suite.place(line, &format!("{key}: {why}"));
                let bind = select::bind(&**subject, case.args.bind.as_deref());
                let subject = with_bind(subject, bind.unwrap_or_default());
                Self {
                    names: slashed_all(&Plan::paths_within(&case.args, &*subject)),
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

/// The baselines of a case; each option on its own, to say which one is wrong.
fn names(args: &CaptureArgs, subject: &Arc<dyn Subject>) -> Result<Vec<String>, Wrong> {
    let wrong = |key: &'static str| move |failure: Failure| Wrong { key, failure };
    let bound = subject;
    let subject = &**subject;
    let bind = select::bind(subject, args.bind.as_deref()).map_err(wrong("bind"))?;
    let none = Wishes {
        hide: &[],
        only: &[],
        show: &[],
        z_order: &[],
    };
    let wishes = [
        (
            "hide",
            Wishes {
                hide: &args.hide,
                ..none
            },
        ),
        (
            "only",
            Wishes {
                only: &args.only,
                ..none
            },
        ),
        (
            "show",
            Wishes {
                show: &args.show,
                ..none
            },
        ),
        (
            "z-order",
            Wishes {
                z_order: &args.z_order,
                ..none
            },
        ),
    ];
    for (key, wishes) in wishes {
        select::meshes(subject, wishes).map_err(wrong(key))?;
    }
    select::overlay(subject, &args.overlay, args.overlay_scale).map_err(wrong("overlay"))?;
    let target = Plan::target(args, &*with_bind(bound, bind));
    match target {
        Ok(Target::Files(paths)) => Ok(slashed_all(&paths)),
        Ok(Target::Stdout) => Ok(Vec::new()),
        Err(failure) => {
            // An animation that is there may still lack the frame.
            let alone = args.animation.as_deref().filter(|name| *name != "all");
            let there = alone.is_none_or(|name| select::animation(subject, name).is_ok());
            let key = if there { "frame" } else { "animation" };
            Err(Wrong { key, failure })
        }
    }
}

fn slashed_all(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| slashed(path)).collect()
}
