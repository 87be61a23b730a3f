//! Files of cases: opened, and checked before anything is drawn: the baselines that each case uses, and options that do not match the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use pchr::bytes::Budget;
use pchr::document::{ImageFault, ImageId};
use pchr::image::{ImageRooms, Pixels};
use pchr::raster::RasterModel;
use pchr::scene::Subject;

use crate::changes::{self, Version};
use crate::file_name;
use crate::files::Companions;
use crate::git;
use crate::open::Opened;
use crate::run::input::{self, InputArgs};
use crate::run::{Disk, Failure, prepare};
use crate::suite::cases::Case;
use crate::suite::cases::file::Suite;
use crate::text::slashed;
use crate::view::{ViewError, select};

/// Digits of a commit that are shown.
const SHORT: usize = 8;

pub(crate) struct CaseSource<'a> {
    disk: &'a Disk,
    /// The first case that has the file.
    case: &'a Case,
    state: Mutex<SourceState>,
}

#[derive(Default)]
struct SourceState {
    /// Cases that still need the file.
    users: usize,
    opened: Option<Arc<Opened>>,
    /// Models for the CPU renderer, without and with smaller copies of the images.
    models: [Option<Arc<RasterModel>>; 2],
}

/// Returns the file of each case, in the order of the cases.
pub(crate) fn of<'a>(
    disk: &'a Disk,
    cases: impl Iterator<Item = &'a Case>,
) -> Vec<Arc<CaseSource<'a>>> {
    let mut sources = BTreeMap::new();
    let of = |case: &'a Case| {
        let new = || Arc::new(CaseSource { disk, case, state: Mutex::default() });
        let source: &mut Arc<CaseSource<'a>> = sources.entry(case.source()).or_insert_with(new);
        let mut state = source.state.lock();
        state.users = state.users.saturating_add(1);
        drop(state);
        source.clone()
    };
    cases.map(of).collect()
}

/// Opens a file by its path; messages use the name in the suite.
///
/// # Errors
/// Errors of opening; [`Failure::Rejected`] for a motion whose skeleton is missing, because the picture would be different without
/// it.
pub(crate) fn open(
    disk: &Disk,
    (path, name): (&Path, &str),
    args: InputArgs,
    companions: &Companions,
) -> Result<Opened, Failure> {
    let opened = input::open(disk, path, name, args, companions)?;
    if opened.subject.spatial().is_some_and(|it| it.lacks_skeleton()) {
        return Err(Failure::Rejected(format!(
            "{name}: the motion refers to its bones by number, and no .skl.pxd beside it matches its name; choose one with skeleton = \"FILE.skl.pxd\""
        )));
    }
    Ok(opened)
}

fn open_case(disk: &Disk, case: &Case) -> Result<Opened, Failure> {
    let file = (case.path.as_path(), case.file.as_str());
    open(disk, file, case.input, &case.shown.companions())
}

impl CaseSource<'_> {
    pub(crate) fn opened(&self) -> Result<Arc<Opened>, Failure> {
        let mut state = self.state.lock();
        if let Some(opened) = &state.opened {
            return Ok(opened.clone());
        }
        let opened = Arc::new(open_case(self.disk, self.case)?);
        state.opened = Some(opened.clone());
        Ok(opened)
    }

    /// Returns a sentence about what changed in the file since the commit that last changed `baselines`; `None` if that is unknown:
    /// outside a Git repository, and while the baselines differ from those in it.
    pub(super) fn changed_since(&self, baselines: &Path) -> Option<String> {
        if !git::is_clean(baselines).ok()? {
            return None;
        }
        let commit = git::last_commit(baselines).ok()?;
        let short = commit.get(..SHORT).unwrap_or(&commit);
        if git::is_shallow(baselines) == Ok(true) {
            return Some(
                "to say what changed in the file, Git needs its history: fetch all commits (fetch-depth: 0)".to_owned(),
            );
        }
        let since = format!("changes since the baselines (commit {short})");
        Some(match self.compared(&commit) {
            Ok(words) => format!("{since}: {words}"),
            Err(failure) => format!("{since}: unknown: {failure}"),
        })
    }

    /// Compares the file with its version in a commit. Files that it names are read as they are now.
    fn compared(&self, commit: &str) -> Result<String, Failure> {
        let Case { path, file, input: args, shown, .. } = self.case;
        let bytes = git::version(path, commit).map_err(anyhow::Error::msg)?;
        let file = (path.as_path(), file.as_str());
        let old = input::open_bytes(self.disk, file, bytes, *args, &shown.companions())?;
        let new = self.opened()?;
        let version = |opened: &Opened| {
            let images = self.decoded(opened)?;
            Ok::<_, Failure>(Version::new(opened.subject.clone(), images))
        };
        let diff = changes::compare(&version(&old)?, &version(&new)?);
        Ok(changes::summary(&diff, changes::unit(&*new.subject)))
    }

    /// Returns the file's model for the CPU renderer.
    ///
    /// # Errors
    /// [`Failure::Invalid`] if an image cannot be decoded, [`Failure::Rejected`] if its file is missing.
    pub(crate) fn model(
        &self,
        opened: &Opened,
        mipmaps: bool,
    ) -> Result<Arc<RasterModel>, Failure> {
        let mut state = self.state.lock();
        let [plain, mipped] = &mut state.models;
        let model = if mipmaps { mipped } else { plain };
        if let Some(model) = model {
            return Ok(model.clone());
        }
        let images = self.decoded(opened)?;
        let made = Arc::new(prepare::cpu_model(&*opened.subject, images, mipmaps));
        *model = Some(made.clone());
        Ok(made)
    }

    /// Returns the decoded images. Elsewhere a placeholder replaces a missing image; here it would become a baseline.
    pub(super) fn decoded(&self, opened: &Opened) -> Result<Vec<Pixels>, Failure> {
        let (pixels, _) = prepare::decode(opened, &self.case.file)?;
        let images = opened.images();
        let is_missing =
            |id: &ImageId| (images.image(*id)).is_some_and(|image| image.data().is_empty());
        match images.image_ids().find(is_missing) {
            None => Ok(pixels),
            Some(id) => {
                let finding = images.image_finding(id, ImageFault::Data, "it has no data".into());
                Err(Failure::Rejected(format!("{}: {finding}", self.case.file)))
            }
        }
    }

    /// Counts a case as done with the file.
    pub(crate) fn release(&self) {
        let mut state = self.state.lock();
        state.users = state.users.saturating_sub(1);
        if state.users == 0 {
            *state = SourceState::default();
        }
    }
}

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

/// Checks the files of all cases. Each is read once, and not kept.
pub(crate) fn look(suite: &Suite, cases: &[Case]) -> Vec<Planned> {
    let look_at = |(first, indices): (&Case, Vec<usize>)| {
        let opened = open_case(&suite.disk, first).map_err(Arc::new);
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
    let mut by_file = BTreeMap::new();
    for (index, case) in cases.iter().enumerate().filter(|(_, case)| case.is_there) {
        let (_, indices) = by_file.entry(case.source()).or_insert((case, Vec::new()));
        indices.push(index);
    }
    let files: Vec<_> = by_file.into_values().collect();
    let read: Vec<_> = files.into_par_iter().flat_map_iter(look_at).collect();
    for (index, read) in read {
        if let Some(planned) = planned.get_mut(index) {
            *planned = read;
        }
    }
    planned
}

impl Planned {
    fn of(suite: &Suite, case: &Case, subject: &Arc<dyn Subject>) -> Self {
        let plan = case.plan();
        let (bound, mut errors) = match case.shown.subject(subject) {
            Ok(bound) => (bound, Vec::new()),
            Err(error) => (Arc::clone(subject), vec![error]),
        };
        let others = select::mistakes(&*bound, &case.shown).into_iter();
        let others: Vec<_> = others.filter(|error| !errors.contains(error)).collect();
        errors.extend(others);
        let names = match plan.paths(&*bound) {
            Ok(paths) => paths,
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
        Self { failure, ..Self::default() }
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
    let lines: Vec<_> = mistakes.iter().map(|(line, text)| suite.place(*line, text)).collect();
    (!lines.is_empty()).then(|| Arc::new(Failure::Suite(lines)))
}
