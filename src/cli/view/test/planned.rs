//! A look at the files before anything is drawn: which baselines each case has, what of it is not there, and, before an
//! update, whether anything would keep a case from being drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::args::Update;
use super::baseline::{self, Record};
use super::cases::Case;
use super::judge::slashed;
use super::suite::{Problems, Suite};
use crate::cli::Failure;
use crate::cli::input::{self, Input};
use crate::cli::view::args::CaptureArgs;
use crate::cli::view::plan::{Plan, Target};
use crate::cli::view::prepare::{Prepared, decode};
use crate::cli::view::select::{self, Wishes};
use crate::document::Document;
use crate::pose::BindPose;
use crate::scene::Camera2d;

/// Unused baselines that are named one by one.
const LISTED: usize = 20;

/// What a case is about to draw.
#[derive(Debug, Default)]
pub(super) struct Planned {
    /// Its baselines, by their paths from its folder, with `/`; none if its file cannot be read.
    pub(super) names: Vec<String>,
    /// Why its file cannot be read.
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

/// Looks at the files of all cases; each is read once, and not kept.
///
/// # Errors
/// [`Failure::Suite`] for what a file does not have, and for baselines that no case uses.
pub(super) fn look(suite: &Suite, cases: &[Case]) -> Result<Vec<Planned>, Failure> {
    let read = |(first, indices): Group<'_>| {
        let input = input::read(&first.args.file, first.args.input).map_err(Arc::new);
        let plan = |index: usize| {
            let names = match (&input, cases.get(index)) {
                (Ok(Input { document, .. }), Some(case)) => Ok(names(&case.args, document)),
                (Err(failure), _) => Err(failure.clone()),
                (Ok(_), None) => Ok(Ok(Vec::new())),
            };
            (index, names)
        };
        indices.into_iter().map(plan).collect::<Vec<_>>()
    };
    let groups = by_file((0..).zip(cases));
    let read: Vec<_> = groups.into_par_iter().flat_map_iter(read).collect();
    let mut planned: Vec<Planned> = cases.iter().map(|_| Planned::default()).collect();
    let mut problems = Problems::new(&suite.path);
    for (index, names) in read {
        let (Some(case), Some(planned)) = (cases.get(index), planned.get_mut(index)) else {
            continue;
        };
        match names {
            Ok(Ok(names)) => planned.names = names,
            Ok(Err(Wrong { key, failure })) => {
                let line = case.options.line(key).unwrap_or(case.line);
                let why = failure.to_string();
                let why = why.strip_prefix(&format!("--{key}: ")).unwrap_or(&why);
                problems.add(line, format!("{key}: {why} (case {:?})", case.name));
            }
            Err(failure) => planned.failure = Some(failure),
        }
    }
    unused(suite, cases, &planned, &mut problems)?;
    problems.into_result()?;
    Ok(planned)
}

/// The baselines of a case; each option on its own, to say which one is wrong.
fn names(args: &CaptureArgs, document: &Document) -> Result<Vec<String>, Wrong> {
    let wrong = |key: &'static str| move |failure: Failure| Wrong { key, failure };
    let bind = select::bind(document, args.bind.as_deref()).map_err(wrong("bind"))?;
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
        select::meshes(document, wishes).map_err(wrong(key))?;
    }
    select::overlay(document, &args.overlay, args.overlay_scale).map_err(wrong("overlay"))?;
    let target = Plan::target(args, document, &BindPose::new(document, bind));
    match target {
        Ok(Target::Files(paths)) => Ok(paths.iter().map(|path| slashed(path)).collect()),
        Ok(Target::Stdout) => Ok(Vec::new()),
        Err(failure) => {
            // An animation that is there may still lack the frame.
            let alone = args.animation.as_deref().filter(|name| *name != "all");
            let there = alone.is_none_or(|name| select::animation(document, name).is_ok());
            let key = if there { "frame" } else { "animation" };
            Err(Wrong { key, failure })
        }
    }
}

fn unused(
    suite: &Suite,
    cases: &[Case],
    planned: &[Planned],
    problems: &mut Problems,
) -> Result<(), Failure> {
    let mut used = BTreeSet::new();
    let mut unread = Vec::new();
    for (case, planned) in cases.iter().zip(planned) {
        used.insert(baseline::record_path(&case.name));
        used.extend(
            planned
                .names
                .iter()
                .map(|name| format!("{}/{name}", case.name)),
        );
        if planned.failure.is_some() || planned.names.is_empty() {
            // Which ones it would use is not known, or another mistake says more.
            unread.push(format!("{}/{}/", baseline::FOLDER, case.name));
        }
    }
    let mut unused = baseline::unused(&suite.folder, &used)?;
    unused.retain(|path| {
        !unread
            .iter()
            .any(|folder| path.starts_with(folder.as_str()))
    });
    for path in unused.iter().take(LISTED) {
        problems.add(
            0,
            format!("no case uses {path}: delete it, or bring its case back"),
        );
    }
    let more = unused.len().saturating_sub(LISTED);
    if more > 0 {
        problems.add(0, format!("and {more} more baselines that no case uses"));
    }
    Ok(())
}

/// Before an update: reads and decodes everything that the suite's cases need, also those that are left out this time. An update that finds a case undrawable half way
/// through would leave the baselines half old, half new.
///
/// # Errors
/// The first failure, and that nothing was updated.
pub(super) fn rehearse(
    suite: &Suite,
    planned: &[Planned],
    cases: &[Case],
    update: Update,
) -> Result<(), Failure> {
    let refused = |failure: &Failure| {
        let text = format!("{failure}; no baseline was updated");
        match failure.code() {
            4 => Failure::Rejected(text),
            2 => Failure::Usage(text),
            _ => Failure::Running(anyhow::Error::msg(text)),
        }
    };
    if let Some(failure) = planned.iter().find_map(|planned| planned.failure.as_ref()) {
        return Err(refused(failure));
    }
    let try_out = |(first, indices): Group<'_>| {
        let input = input::read(&first.args.file, first.args.input)?;
        decode(&input)?;
        for case in indices.iter().filter_map(|index| cases.get(*index)) {
            if update != Update::All {
                Record::read(&baseline::folder(&suite.folder, &case.name))?;
            }
            // What the camera is does not matter here.
            Prepared::new(&case.args, &input.document, &|_| Some(Camera2d::default()))?;
        }
        Ok::<_, Failure>(())
    };
    let tried = by_file((0..).zip(cases))
        .into_par_iter()
        .try_for_each(try_out);
    tried.map_err(|failure| refused(&failure))
}
