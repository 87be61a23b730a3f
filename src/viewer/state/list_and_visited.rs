//! The list of files: opened files become the list once one can be shown. Stepping back to a file that was shown before restores its state.

use std::path::{Path, PathBuf};

use pchr::finding::counted;
use pchr::scene::Subject;
use pchr_tools::files::Companions;
use pchr_tools::session::Session;
use pchr_tools::view::element_names;

use super::page::PageLeft;
use super::parts::PartsState;
use super::shown::KeptView;
use super::undo::Steps;
use super::{Request, State};
use crate::viewer::action::{Message, ViewPart};
use crate::viewer::command_line::Start;
use crate::viewer::curves::CurvesZoom;
use crate::viewer::loaded::{ListId, Listing, Loaded, Source, is_input};
use crate::viewer::model::carry::{Carry, PartNames};

/// A list whose first file is being opened. Until it is loaded, the open file and its list stay.
#[derive(Debug)]
pub(super) struct Next {
    listing: Listing,
    /// Files and folders that it was asked for with.
    of: Vec<PathBuf>,
    /// Index of the file that was asked for, if the list has it.
    asked: Option<usize>,
    /// Number of files that were named, without neighbours.
    named: usize,
    is_of_folder: bool,
    pub(super) companions: Companions,
}

/// Reason why a file is requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It is opened, as if for the first time.
    #[default]
    Opened,
    /// It was chosen in the list.
    Chosen,
    /// It is next to the one before.
    Walked,
}

impl State {
    pub(super) fn open_list(&mut self, paths: Vec<PathBuf>) {
        self.files.dropped_motions.clear();
        if !paths.is_empty() {
            self.question = None;
            self.request_list(paths);
        }
    }

    pub(super) fn request_list(&mut self, paths: Vec<PathBuf>) {
        let id = ListId(self.files.listing.0.0.wrapping_add(1));
        self.files.listing = (id, false);
        self.files.list_asked.clone_from(&paths);
        self.requests.push(Request::List(id, paths));
    }

    /// Notes the files and folders named on the command line, so that they can be listed again.
    pub(crate) fn list_is_of(&mut self, named: Vec<PathBuf>) {
        self.files.list_of = named;
        self.note_list();
    }

    /// Notes what the list is of, for *Reopen last files*.
    fn note_list(&mut self) {
        let files = &mut self.files;
        let [now, before] = &mut files.last;
        if !files.list_of.is_empty()
            && files.list_of != *now
            && !files.list_of.iter().any(|path| is_input(path))
        {
            let left = std::mem::replace(now, files.list_of.clone());
            if !left.is_empty() {
                *before = left;
            }
        }
    }

    /// Lists the files again: some may have been added or removed.
    pub(super) fn list_again(&mut self) {
        let files = &self.files;
        let on_show = files.shown.and_then(|shown| files.list.get(shown));
        let paths = match (files.list_of.as_slice(), on_show) {
            ([], _) => return,
            // The file that was named may be gone.
            ([one], Some(on_show)) if one.parent() == on_show.parent() => vec![on_show.clone()],
            (list_of, _) => list_of.to_vec(),
        };
        if files.next.is_none() {
            self.request_list(paths);
            self.files.listing.1 = true;
        }
    }

    /// A list comes once with the files that were named, and where that is a single one again with its neighbours.
    pub(super) fn listed(&mut self, mut listing: Listing) {
        let named = listing.files.get(listing.chosen).cloned();
        let skeleton = Self::skeleton_of_list(&mut listing);
        let Some(path) = listing.files.get(listing.chosen).cloned() else { return };
        if std::mem::replace(&mut self.files.listing.1, true) {
            let asked = (named == Some(path)).then_some(listing.chosen);
            return self.neighbours(listing, asked);
        }
        if let Some(text) = unread(&listing.unread).or_else(|| skipped(&listing.skipped)) {
            self.said = Some(Message::new(text));
        }
        let mut companions = self.fresh_companions();
        companions.skeleton = skeleton.or(companions.skeleton);
        self.files.next = Some(Next {
            named: listing.files.len(),
            is_of_folder: listing.is_of_folder,
            of: self.files.list_asked.clone(),
            asked: Some(listing.chosen),
            listing,
            companions,
        });
        self.request(Source::File(path), false);
    }

    /// Takes a list that has the neighbours of the file that was named, which may be `asked` of them, or a skeleton beside them.
    fn neighbours(&mut self, listing: Listing, asked: Option<usize>) {
        let files = &mut self.files;
        if let Some(next) = &mut files.next {
            next.listing = listing;
            next.asked = asked;
            return;
        }
        let on_show = files.shown.and_then(|shown| files.list.get(shown));
        let place = |path: &PathBuf| listing.files.iter().position(|file| file == path);
        files.shown = on_show.and_then(place);
        files.asked = files.shown.or(asked);
        files.list = listing.files;
    }

    /// The file of a list that was asked for is there, or none of the list before is shown.
    pub(super) fn take_next(&mut self) {
        if let Some(next) = self.files.next.take() {
            self.files.asked = next.asked;
            self.files.list_of = next.of;
            self.note_list();
            self.files.skeletons.clear();
            self.files.list = next.listing.files;
            self.looking.motion_filter.clear();
            self.files.shown = None;
            self.files.companions = next.companions;
            self.gallery.returns = false;
            if next.is_of_folder && self.files.list.len() > 1 {
                self.open_gallery();
                self.gallery.is_beginning = true;
            }
        }
    }

    /// The first file of a list cannot be shown: a single one leaves the list as it is, and several can be walked through.
    pub(super) fn refuse_next(&mut self) {
        let named = self.files.next.as_ref().map_or(0, |next| next.named);
        if named > 1 || self.model.is_none() {
            self.take_next();
        }
    }

    pub(super) fn show_file(&mut self, index: usize, arrival: Arrival) {
        if let Some(path) = self.files.list.get(index).cloned() {
            self.files.next = None;
            self.files.asked = Some(index);
            self.forget_question();
            self.ask(Source::File(path), false, arrival);
        }
    }

    /// Shows a file of the list, which takes it at its end if it is not there.
    pub(super) fn show_listed(&mut self, path: PathBuf) {
        let list = &mut self.files.list;
        let index = list.iter().position(|listed| *listed == path).unwrap_or(list.len());
        if index == list.len() {
            list.push(path);
        }
        self.show_file(index, Arrival::Chosen);
    }

    /// Shows a neighbour in the list.
    pub(super) fn walk(&mut self, by: isize) {
        if let Some(to) = self.files.place(by) {
            self.show_file(to, Arrival::Walked);
        }
    }

    /// Drops a question about the open file, because another one is shown.
    pub(super) fn forget_question(&mut self) {
        self.question.take_if(|question| question.of_file);
    }
}

/// Returns a message about folders whose files are missing from a list.
fn unread(folders: &[PathBuf]) -> Option<String> {
    let [first, others @ ..] = folders else { return None };
    let more = match others.len() {
        0 => String::new(),
        more => format!(" and {}", counted(more, "other folder", "other folders")),
    };
    let first = first.display();
    Some(format!("{first}{more} cannot be read: files may be missing from the list"))
}

/// Returns a message about files of a list that are not shown.
fn skipped(files: &[PathBuf]) -> Option<String> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match files {
        [] => None,
        [one] => Some(format!("{} cannot be opened by itself: skipped", name(one)?)),
        [first, others @ ..] => Some(format!(
            "{} and {} cannot be opened by themselves: skipped",
            name(first)?,
            counted(others.len(), "other file", "other files")
        )),
    }
}

/// Maximum number of files that are remembered.
const MOST: usize = 100;

/// Values of files, in the order in which the files were left.
pub(super) type Visited<T> = Vec<(PathBuf, T)>;

pub(super) fn take<T>(visited: &mut Visited<T>, path: &Path) -> Option<T> {
    let index = visited.iter().position(|(known, _)| known == path)?;
    Some(visited.remove(index).1)
}

/// Keeps the value of a file that is left. Of `most` files, the one that was left first is forgotten.
pub(super) fn put<T>(visited: &mut Visited<T>, path: PathBuf, value: T, most: usize) {
    let _ = take(visited, &path);
    if visited.len() >= most {
        visited.remove(0);
    }
    visited.push((path, value));
}

/// A file as it was left.
#[derive(Debug)]
pub(super) struct Left {
    names: PartNames,
    /// How it played, and where the camera was.
    pub(super) view: KeptView,
    frame: u16,
    /// The same, and how far it is to the next one.
    position: f64,
    backwards: bool,
    parts: PartsState,
    steps: Steps,
    pub(super) page: Option<PageLeft>,
    /// Part of the curves that was in sight.
    pub(super) curves: CurvesZoom,
    /// A session as it was read, and its view as it was left.
    pub(super) session: Option<(Session, Start)>,
}

impl State {
    /// Stores the state of the open file before another file replaces it. Returns it if that is another version of it, next to it in
    /// the list.
    pub(super) fn leave(&mut self, next: &Loaded) -> Option<Left> {
        let mut view = self.keep(ViewPart::Bind);
        view.shown.view = None; // the direction goes along to the next file
        let model = self.model.as_ref()?;
        let loaded = model.loaded();
        let path = loaded.source.path().map(Path::to_owned)?;
        let session = loaded.session.clone().map(|session| {
            let (shown, playing) = self.session();
            let start = Start { shown, playing, is_session: true };
            (session, start)
        });
        let left = Left {
            session,
            names: PartNames::of(model.subject()),
            view,
            frame: model.frame().pose().at().map_or(0, |at| at.frame),
            position: self.player.clip.position(&loaded.timelines),
            backwards: self.player.clip.backwards,
            parts: std::mem::take(&mut self.parts),
            steps: std::mem::take(&mut self.steps),
            page: self.page_left(),
            curves: self.curves.zoom,
        };
        let subject = &*next.opened.subject;
        let is_step = self.files.arrival != Arrival::Opened && subject.spatial().is_none();
        let has_session = left.session.is_some() || next.session.is_some();
        let is_version = is_step && !has_session && left.names.is_version_of(subject);
        let version = is_version.then(|| Left {
            names: left.names.clone(),
            view: left.view.clone(),
            parts: left.parts.clone(),
            steps: Steps::default(),
            session: None,
            ..left
        });
        put(&mut self.files.visited, path, left, MOST);
        version
    }

    /// Returns the file as it was left, on return along the list; forgets it if the file is opened again.
    pub(super) fn came_back(&mut self, path: Option<&Path>) -> Option<Left> {
        let left = take(&mut self.files.visited, path?);
        left.filter(|_| self.files.arrival != Arrival::Opened)
    }
}

impl Left {
    /// Animation and frame.
    pub(super) fn moment(&self) -> (Option<String>, u16) {
        (self.view.shown.animation.clone(), self.frame)
    }

    /// Overrides and choices.
    pub(super) fn parts(&mut self, subject: &dyn Subject, in_place: bool) -> PartsState {
        let mut parts = std::mem::take(&mut self.parts);
        parts.carry_over(&Carry::of_names(&self.names, subject), subject);
        parts.view.in_place = in_place;
        parts
    }

    /// Steps that can be undone; none if its parts are others by now.
    pub(super) fn steps(&mut self, subject: &dyn Subject) -> Steps {
        let steps = std::mem::take(&mut self.steps);
        if self.names == PartNames::of(subject) { steps } else { Steps::default() }
    }

    /// Replaces the steps that can be undone by those of a file.
    pub(super) fn with_steps(self, own: Option<Self>) -> Self {
        let own = own.filter(|own| own.names == self.names);
        Self { steps: own.map_or_else(Steps::default, |own| own.steps), ..self }
    }

    /// Returns true if it is a session that is now as it was read then.
    pub(super) fn is_of(&self, now: &Session) -> bool {
        { self.session.as_ref() }.is_some_and(|(session, _)| session == now)
    }
}

impl State {
    /// Plays as the file did; whether it does, how fast, how smoothly and if it loops is not the file's.
    pub(super) fn play_as_left(&mut self, left: &Left) {
        let mut view = left.view.clone();
        self.keep_pace(&mut view.shown, &mut view.playing);
        let wanted = view.shown.animation.take();
        let _ = self.show_instances(view.shown.instances); // or there is one
        let Some(model) = &self.model else { return };
        let animation =
            wanted.and_then(|name| element_names::find_animation(model.subject(), &name));
        let timelines = model.loaded().timelines.as_slice();
        let timeline = animation.and_then(|id| timelines.get(id.index()));
        if timeline.is_some_and(|timeline| timeline.frame_count > 0) {
            view.shown.animation =
                animation.map(|id| element_names::animation(model.subject(), id));
            self.restore(ViewPart::Playing, &view);
            self.player.clip.backwards = left.backwards;
            if let Some(model) = &self.model {
                self.player.clip.seek(&model.loaded().timelines, left.position);
            }
        }
    }

    /// Puts the camera where it was, unless it followed the fit of the file before that changed. Beside another version it stays.
    pub(super) fn look_as_left(&mut self, left: &Left, is_version: bool) {
        let is_same = { self.model.as_ref() }
            .is_some_and(|model| left.names == PartNames::of(model.subject()));
        if is_same || is_version || !left.view.is_fitted() {
            self.restore(ViewPart::Place, &left.view);
        }
    }
}
