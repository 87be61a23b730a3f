//! The open file, and the file that is being opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::finding::{Rule, Severity};
use pchr::pose::BindChoice;
use pchr_tools::files::{Companions, Seen};
use pchr_tools::session::{FolderLook, Session};
use pchr_tools::stage::Layout;
use pchr_tools::view::ImageSwap;

use super::companions_and_images::Played;
use super::list_and_visited::{Arrival, Left, Next, Visited};
use super::parts::PartsState;
use super::shown::{KeptView, SavedSession};
use super::{Request, State, Watched};
use crate::viewer::action::{FileAction, ViewPart};
use crate::viewer::command_line::{Start, ViewerOptions};
use crate::viewer::loaded::{
    ListId, Listing, LoadDone, LoadError, LoadId, Loaded, LoadedImage, Progress, Source, Staged,
    Wish, is_input,
};
use crate::viewer::model::Model;
use crate::viewer::problem::{Note, Problem};
use crate::viewer::question::Question;
use crate::viewer::settings::{ViewerSettings, remember};
use crate::viewer::switch::{Switch, Tab};

/// The list of files, and the current load.
#[derive(Debug, Default)]
pub(super) struct Files {
    sample: &'static [u8],
    pub(super) list: Vec<PathBuf>,
    /// Files and folders that the list is of, and those of the last requested list.
    pub(super) list_of: Vec<PathBuf>,
    pub(super) list_asked: Vec<PathBuf>,
    /// Last requested list, and true if a file of it was requested.
    pub(super) listing: (ListId, bool),
    /// Index of the last requested file in the list; it may not have opened. `None` for a skeleton beside the motions of the list.
    pub(super) asked: Option<usize>,
    /// Index of the open file in the list, if it is in the list.
    pub(super) shown: Option<usize>,
    /// List that replaces the current one when its first file is shown.
    pub(super) next: Option<Next>,
    /// Reason of the last requested load.
    pub(super) arrival: Arrival,
    pub(super) visited: Visited<Left>,
    pub(super) load: LoadId,
    pub(super) loading: Option<Source>,
    /// True while the open file is being read again.
    pub(super) reloading: bool,
    pub(super) progress: Option<Progress>,
    /// Names of the options of looks that the command line gives: they hold for all files.
    pub(super) given: Vec<String>,
    /// Names of the options of looks that are not remembered: those, and those that the settings fix.
    pub(super) fixed: Vec<String>,
    /// Requests of the command line, until the first file is shown.
    start: Option<Start>,
    /// The session that was opened with them, which they apply to when it is read again.
    started: Option<(Source, Start)>,
    pub(super) hovering: Vec<PathBuf>,
    pub(super) recent: Vec<PathBuf>,
    /// Files and folders of this list, or else of the one before.
    pub(super) last: [Vec<PathBuf>; 2],
    /// Problem from before the first picture, until it is shown.
    pub(super) mistakes: Option<Problem>,
    /// True if a file is read again when it changes.
    pub(super) watch: bool,
    /// True if the open file changed while another one was being opened.
    pub(super) changed: bool,
    /// Explains why an older version of the file is shown.
    pub(super) note: Option<Note>,
    /// Files that are shown with other files.
    pub(super) companions: Companions,
    /// Skeletons that were chosen for single motions of the list, by motion.
    pub(super) skeletons: BTreeMap<PathBuf, PathBuf>,
    /// Skeleton before the one that was chosen last, until the motion was read with that.
    pub(super) skeleton_before: Option<Option<PathBuf>>,
    /// Motions that were dropped together with the character that is being opened.
    pub(super) dropped_motions: Vec<PathBuf>,
    /// True if the user is asked for a skeleton once the current motion was read again.
    pub(super) asks_skeleton: bool,
    /// Motions that were chosen for one character.
    pub(super) played: Option<Played>,
    /// Those before, until the character was read with the ones that are played now.
    pub(super) played_before: Option<Option<Played>>,
    /// File that could not be opened. It is shown as soon as it can be.
    pub(super) awaited: Option<PathBuf>,
    /// Session with missing files, and the first of these.
    pub(super) unlocated: Option<(PathBuf, PathBuf)>,
    /// Missing files of sessions, and where the user found them.
    pub(super) relocated: Vec<(PathBuf, PathBuf)>,
    /// Pictures that are to take the place of images, until the open file was read with them.
    pub(super) swaps: Option<Vec<ImageSwap>>,
    /// True if the file lacks a part of the session on show, which is not overwritten then.
    pub(super) lacks_view: bool,
    /// The session that was saved last.
    pub(super) saved: Option<SavedSession>,
    /// Stage of the next load.
    pub(super) staged: Option<Box<Staged>>,
    /// Layout of the stage that is being read again.
    pub(super) layout_asked: Option<Layout>,
    /// View that it is to have then.
    pub(super) cast_asked: Option<Box<KeptView>>,
    /// True once meshes or images of the open stage were changed since it was saved.
    pub(super) is_stage_touched: bool,
    /// True if the window closes once the session is saved.
    pub(super) quits_when_saved: bool,
    /// Stages that were left unsaved, by the paths of their sessions.
    pub(super) drafts: BTreeMap<PathBuf, Box<Staged>>,
}

impl Files {
    /// Returns the missing file of a session that these paths, a single one, are named like.
    fn missing_named(&self, paths: &[PathBuf]) -> Option<PathBuf> {
        let (_, missing) = self.unlocated.as_ref()?;
        let [path] = paths else { return None };
        (path.file_name() == missing.file_name()).then(|| missing.clone())
    }

    /// Returns the view of a session, with the options of the command line if it was opened by them.
    pub(super) fn start_of(&self, session: &Session, source: &Source) -> Start {
        match &self.started {
            Some((of, start)) if of == source => start.clone().over(session),
            _ => Start::of(session),
        }
    }

    pub(super) fn new(options: &ViewerOptions, settings: &ViewerSettings) -> Self {
        let mut companions = options.shown.companions();
        // Companions from the command line apply to all files that it names, but not to their neighbours.
        let played = match options.files.as_slice() {
            [path] if !companions.motions.is_empty() => Some(Played {
                on: Source::File(path.clone()),
                motions: std::mem::take(&mut companions.motions),
            }),
            _ => None,
        };
        Self {
            sample: options.sample,
            list: options.files.clone(),
            list_of: options.files.clone(),
            asked: Some(0),
            given: options.given_look(),
            fixed: [options.given_look(), settings.config.view.names()].concat(),
            start: Some(Start {
                shown: options.shown.clone(),
                playing: options.playing.clone(),
                is_session: false,
            }),
            recent: settings.memory.recent.clone(),
            last: [Vec::new(), settings.memory.last.clone()],
            mistakes: settings.problem(),
            watch: settings.config.watch.unwrap_or(true),
            companions,
            played,
            ..Self::default()
        }
    }

    /// Returns the place in the list so many steps from the last requested file.
    pub(super) fn place(&self, by: isize) -> Option<usize> {
        match self.asked {
            Some(asked) => asked.checked_add_signed(by),
            None => usize::try_from(by).ok()?.checked_sub(1),
        }
    }
}

impl State {
    /// Requests the first file, or the sample.
    pub(super) fn open_first(&mut self) {
        let mut listing =
            Listing { files: std::mem::take(&mut self.files.list), ..Listing::default() };
        let skeleton = Self::skeleton_of_list(&mut listing);
        self.files.companions.skeleton = skeleton.or(self.files.companions.skeleton.take());
        self.files.list = listing.files;
        match self.files.list.as_slice() {
            [] => self.request(Source::Sample(self.files.sample), false),
            [path, ..] => {
                let path = path.clone();
                self.request(Source::File(path.clone()), false);
                if self.files.list.len() == 1 && !is_input(&path) {
                    self.files.list_of = vec![path];
                    self.list_again();
                }
            }
        }
    }

    pub(super) fn on_files(&mut self, action: FileAction) {
        match action {
            FileAction::Open(paths) => {
                self.files.hovering.clear();
                if let Some(missing) = self.files.missing_named(&paths) {
                    self.located(missing, paths.into_iter().next().unwrap_or_default());
                } else if !self.companions_dropped(&paths) && !self.dropped_with_motions(&paths) {
                    self.open_list(paths);
                }
            }
            FileAction::Drop(paths, at) => {
                self.files.hovering.clear();
                if self.gallery.is_open {
                    self.leave_gallery(true); // what is dropped is seen; a folder opens it again
                }
                if !self.dropped_on_image(&paths, at) {
                    self.on_files(FileAction::Open(paths));
                }
            }
            FileAction::OpenPlain(paths) => self.open_list(paths),
            FileAction::Skeleton(path) => self.answer_skeleton(path),
            FileAction::Located(missing, found) => self.located(missing, found),
            FileAction::SessionSaved(path, session) => self.session_saved(path, session),
            FileAction::ChooseSkeleton => self.choose_skeleton(),
            FileAction::PlayMotions(paths) => self.play_motions(paths),
            FileAction::Listed(id, result) if id == self.files.listing.0 => match result {
                Ok(listing) => self.listed(listing),
                Err(problem) => self.problem = Some(problem),
            },
            FileAction::OpenSample => {
                self.forget_list();
                self.open_first();
            }
            FileAction::Reload => {
                self.list_again();
                self.reload();
            }
            FileAction::Changed(path) => self.changed(&path),
            FileAction::ReopenLast => match self.files.last.clone() {
                [_, before] if before.is_empty() => self.say("No files were open before"),
                [_, before] => self.open_list(before),
            },
            FileAction::ClearRecent => {
                self.files.recent.clear();
                self.requests.push(Request::Remember);
            }
            FileAction::Show(index) => self.show_file(index, Arrival::Chosen),
            FileAction::NextFile => self.walk(1),
            FileAction::PreviousFile => self.walk(-1),
            FileAction::Loading(load, progress) if load == self.files.load => {
                self.files.progress = self.files.loading.is_some().then_some(progress);
            }
            FileAction::Loaded(done) => self.loaded(done),
            FileAction::LoadedImage(image) => self.loaded_image(image),
            FileAction::Hover(Some(path)) => self.files.hovering.push(path),
            FileAction::Hover(None) => self.files.hovering.clear(),
            // Of an earlier request.
            FileAction::Listed(..) | FileAction::Loading(..) => {}
        }
    }

    /// Forgets the list of files, for content that is in none.
    pub(super) fn forget_list(&mut self) {
        self.question = None;
        self.files.companions = self.fresh_companions();
        self.files.next = None;
        self.files.list.clear();
        self.files.list_of.clear();
        self.files.listing.0.0 = self.files.listing.0.0.wrapping_add(1);
    }

    /// Requests a file. `again` is true for the open file.
    pub(super) fn request(&mut self, source: Source, again: bool) {
        self.ask(source, again, Arrival::Opened);
    }

    /// Does the same with a reason, which does not matter for the open file.
    pub(super) fn ask(&mut self, source: Source, again: bool, arrival: Arrival) {
        let subject = self.model.as_ref().map(Model::subject);
        let clip = subject.and_then(|subject| subject.animation(self.player.clip.animation?));
        let playing = clip.map(|clip| clip.name.to_owned());
        let found = self.found_skeleton();
        let swaps = self.image_swaps().to_vec();
        self.give_up_motions();
        let files = &mut self.files;
        let path = source.path().filter(|_| arrival != Arrival::Opened);
        let left = path.and_then(|path| files.visited.iter().find(|(known, _)| known == path));
        let left = left.map(|(_, left)| left.moment());
        if !again {
            files.swaps = None;
            files.arrival = arrival;
            if files.awaited.take().is_some() {
                self.requests.push(Request::Watch(Watched::Awaited, Vec::new()));
            }
        }
        files.load = LoadId(files.load.0.wrapping_add(1));
        files.loading = Some(source.clone());
        files.reloading = again;
        files.progress = None;
        files.changed &= !again;
        let next = files.next.as_ref().filter(|_| !again);
        let companions = next.map_or(&files.companions, |next| &next.companions);
        let mut companions = companions.clone();
        if let Some(played) = files.played.as_ref().filter(|played| played.on == source) {
            companions.motions.clone_from(&played.motions);
        }
        let own = source.path().filter(|_| next.is_none());
        if let Some(own) = own.and_then(|path| files.skeletons.get(path)) {
            companions.skeleton = Some(own.clone());
        }
        if again {
            companions.skeleton = companions.skeleton.or(found);
        }
        files.asks_skeleton &= again;
        let skeletons = files.asks_skeleton;
        let start = files.start.as_ref();
        let wish = match start.filter(|_| !again) {
            Some(start) => start.wish(),
            None => {
                let goes_on = again || arrival != Arrival::Opened;
                let (animation, frame) = left.unwrap_or((playing.filter(|_| goes_on), 0));
                Wish { animation, frame, whole: again, ..Wish::default() }
            }
        };
        let images = if again { Some(swaps) } else { wish.images };
        let draft = source.path().and_then(|path| files.drafts.get(path)).filter(|_| !again);
        let (relocated, draft) = (files.relocated.clone(), draft.cloned());
        let staged = files.staged.take().or(draft);
        let wish = Wish { companions, skeletons, relocated, images, staged, ..wish };
        self.requests.push(Request::Load(files.load, source, wish));
    }

    fn loaded_image(&mut self, image: LoadedImage) {
        let model = self.model.as_mut();
        if let Some(model) = model.filter(|model| model.serial() == image.load.0) {
            model.set_image(image);
            self.touch();
            self.ask_mesh_facts();
        }
    }

    fn loaded(&mut self, done: LoadDone) {
        if done.id != self.files.load {
            return; // something newer was opened in the meantime
        }
        self.files.loading = None;
        let members = self.layout().map_or(usize::MAX, |layout| layout.members.len());
        let cast = self.files.cast_asked.take().filter(|_| self.files.reloading);
        self.files.progress = None;
        let again = std::mem::take(&mut self.files.reloading);
        let LoadDone { id, source, files, .. } = done;
        match done.result {
            Ok(loaded) if again => match self.spoilt(&loaded, &files) {
                Some(problem) => self.not_reloaded(&problem, files),
                None if self.is_of_kind(&loaded) => {
                    self.reloaded(loaded, id, files);
                    if let Some(cast) = cast {
                        self.restore(ViewPart::Meshes, &cast);
                    }
                    if self.files.layout_asked.is_some() {
                        self.settle_cast();
                    }
                    if self.layout().map_or(0, |layout| layout.members.len()) > members {
                        self.fit(); // who came may stand out of sight
                    }
                }
                None => {
                    self.files.arrival = Arrival::Opened;
                    self.opened(loaded, id, files);
                }
            },
            Ok(loaded) => {
                self.take_next();
                let list = &mut self.files;
                list.shown = list.asked.filter(|_| !list.list.is_empty());
                self.opened(loaded, id, files);
            }
            Err(error) if again => self.not_reloaded(&Problem::of_load(&source, &error), files),
            Err(error) => self.not_opened(&source, &error, files),
        }
        self.files.layout_asked = None;
        if self.model.as_ref().is_some_and(|model| model.serial() == id.0) {
            self.ask_mesh_facts();
            self.ask_smoothness();
        }
    }

    /// Returns true if the current content is of the same kind.
    fn is_of_kind(&self, loaded: &Loaded) -> bool {
        let model = self.model.as_ref();
        model.is_some_and(|model| model.loaded().opened.kind() == loaded.opened.kind())
    }

    /// Reports a file that could not be opened, and waits for its next version. Everything else stays.
    fn not_opened(&mut self, source: &Source, error: &LoadError, files: Vec<Seen>) {
        let problem = Problem::of_load(source, error);
        self.files.dropped_motions.clear();
        self.problem = Some(match self.give_up_motions() {
            Some(motions) => {
                problem.titled(format!("{motions} cannot be played on {}", source.name()))
            }
            None => problem,
        });
        self.refuse_next();
        if self.is_on(Switch::Gallery) {
            self.problem = None; // its place in the gallery says why
        }
        if self.files.unlocated.take().is_some() {
            self.question = None; // it was about another session
        }
        if let (LoadError::Missing(missing), Some(path)) = (error, source.path()) {
            let first = missing.first().cloned();
            self.files.unlocated = first.map(|first| (path.to_owned(), first));
            self.question = Question::of_missing(&source.name(), missing);
        }
        let on_show = self.model.as_ref().map(|model| &model.loaded().source);
        if self.files.watch && !files.is_empty() && on_show != Some(source) {
            self.files.awaited = source.path().map(Path::to_owned);
            self.requests.push(Request::Watch(Watched::Awaited, files));
        }
        if std::mem::take(&mut self.files.changed) {
            self.reload(); // the file on show changed in the meantime
        }
    }

    fn opened(&mut self, loaded: Arc<Loaded>, id: LoadId, read: Vec<Seen>) {
        self.forget_question();
        if self.files.unlocated.take().is_some() {
            self.question = None;
        }
        self.files.asks_skeleton = false;
        self.files.skeleton_before = None;
        self.files.played_before = None;
        self.files.note = None;
        self.files.changed = false;
        self.files.swaps = None;
        self.files.is_stage_touched = false;
        self.watch(read);
        let path = loaded.source.path().filter(|path| !is_input(path) && !loaded.is_draft);
        if let Some(path) = path {
            remember(&mut self.files.recent, path);
            self.requests.push(Request::Remember);
        }
        self.problem = image_problem(&loaded).or_else(|| look_problem(&loaded));
        self.looking.set(Switch::Findings, false);
        let in_place = self.parts.view.in_place;
        let before = self.model.as_ref();
        let before = before.and_then(|model| model.loaded().source.path().map(Path::to_owned));
        self.change_reference(before, loaded.source.path());
        self.ruler = None;
        self.end_comparison();
        self.compare.before = None;
        self.keep_draft();
        self.clear_filters(&loaded);
        let version = self.leave(&loaded);
        self.change_look(&loaded);
        self.adopt(&loaded);
        let subject = &*loaded.opened.subject;
        let came_back = self.came_back(loaded.source.path());
        let is_version = version.is_some();
        let mut left = match version {
            Some(version) => Some(version.with_steps(came_back)),
            None => came_back,
        };
        let parts = left.as_mut().map(|left| left.parts(subject, in_place));
        self.parts = parts.unwrap_or_else(|| PartsState::new(in_place));
        let steps = left.as_mut().map(|left| left.steps(subject));
        self.steps = steps.unwrap_or_default();
        let model = Model::new(Arc::clone(&loaded), id.0, BindChoice::Auto);
        self.player.end_fade();
        self.player.set_blend(None);
        let mode = self.player.clip.mode;
        self.player.clip.open(model.subject().default_animation());
        self.player.clip.set_mode(&loaded.timelines, mode);
        let kept = self.view.kept;
        self.view.orbit = { model.subject().spatial() }.map(|spatial| kept.camera(spatial));
        (self.view.fitted, self.view.fits_clip) = (true, false);
        self.model = Some(model);
        if let Some(left) = &left {
            self.play_as_left(left);
        }
        self.follow_bone();
        self.fit();
        if let Some(left) = &left {
            self.look_as_left(left, is_version);
        }
        self.curves_kept = left.as_ref().map(|left| left.curves);
        let mut as_left = None;
        let start = match (&loaded.session, self.files.start.take()) {
            (None, start) => start,
            (Some(session), Some(start)) => {
                self.files.started = Some((loaded.source.clone(), start));
                Some(self.files.start_of(session, &loaded.source))
            }
            (Some(session), None) => {
                as_left = left.as_ref().filter(|left| left.is_of(session));
                let start = as_left.and_then(|left| left.session.as_ref());
                let start = start.map(|(_, start)| start.clone());
                Some(start.unwrap_or_else(|| self.files.start_of(session, &loaded.source)))
            }
        };
        if loaded.layout.is_some() {
            self.looking.tab = Tab::Stage;
        }
        self.files.lacks_view = false;
        if let Some(start) = start {
            let problem = Start::problem(&self.show_as(&start));
            let problem = problem.map(|problem| problem.of(&loaded.source));
            self.problem = problem.or(self.problem.take());
        }
        if let Some(left) = as_left.filter(|left| left.view.is_fitted()) {
            self.look_as_left(left, false);
        }
        self.problem = self.problem.take().or_else(|| self.files.mistakes.take());
        self.compare_exchanged();
        self.show();
        self.open_page(None);
        if let Some(page) = left.as_ref().and_then(|left| left.page) {
            self.return_to_page(&page);
        }
        self.ask_for_skeleton();
        self.ask_about_dropped_motions();
    }

    /// Starts exactly with the view of the options: what it lacks is not shown.
    pub(crate) fn start_exactly(&mut self) {
        if let Some(start) = &mut self.files.start {
            start.is_session = true;
        }
    }

    /// Notes the companions of a session as those of its file.
    fn adopt(&mut self, loaded: &Loaded) {
        let (Some(session), Some(path)) = (&loaded.session, loaded.source.path()) else { return };
        let Companions { skeleton, motions, .. } = session.shown.companions();
        if let Some(skeleton) = skeleton {
            self.files.skeletons.insert(path.to_owned(), skeleton);
        }
        if !motions.is_empty() {
            let on = loaded.source.clone();
            self.files.played = Some(Played { on, motions });
        }
    }

    /// Takes the place of a file of a session that was missing, and opens the session again.
    fn located(&mut self, missing: PathBuf, found: PathBuf) {
        self.question = None;
        self.files.relocated.retain(|(path, _)| *path != missing);
        self.files.relocated.push((missing, found));
        if let Some((session, _)) = self.files.unlocated.clone() {
            self.request(Source::File(session), false);
        }
    }

    /// Requests a watch on these files and no others.
    pub(super) fn watch(&mut self, files: Vec<Seen>) {
        let watched = if self.files.watch { files } else { Vec::new() };
        self.requests.push(Request::Watch(Watched::Open, watched));
    }
}

/// Returns the problem of a folder's look that is not understood.
pub(super) fn look_problem(loaded: &Loaded) -> Option<Problem> {
    let FolderLook { path, look } = loaded.folder_look.as_ref()?;
    let why = look.as_ref().err()?;
    let lines = why.lines().map(|line| format!("{}: {line}", path.display()));
    let problem = Problem::of_lines("The look of this folder was ignored", lines);
    Some(problem.of(&loaded.source))
}

/// Returns the problem of an image, or of a picture in its place, that cannot be decoded. The file is shown nevertheless.
pub(super) fn image_problem(loaded: &Loaded) -> Option<Problem> {
    if let Some((file, why)) = &loaded.unread {
        let title = format!("{} cannot be shown as an image", Source::File(file.clone()).name());
        return Some(Problem::new(title, why).of(&loaded.source));
    }
    let serious = |rule: Rule| rule.severity() == Severity::Error;
    let mut errors = loaded.image_findings.iter().filter(|f| serious(f.rule));
    let first = errors.next()?;
    let title = format!("{}: an image cannot be shown", loaded.source.name());
    let more = errors.count().try_into().unwrap_or(u64::MAX);
    Some(Problem::of_finding(title, first, more).of(&loaded.source))
}
