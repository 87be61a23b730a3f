//! Files that were shown before: stepping back to one restores its state.

use std::path::{Path, PathBuf};

use pchr::document::AnimationId;
use pchr::scene::Subject;
use pchr_tools::session::Session;
use pchr_tools::view::naming;

use super::State;
use super::list::Arrival;
use super::page::PageLeft;
use super::parts::PartsState;
use super::shown::{KeptView, ViewPart};
use super::undo::Steps;
use crate::viewer::carry::{Carry, PartNames};
use crate::viewer::command_line::Start;
use crate::viewer::curves::CurvesZoom;
use crate::viewer::loaded::Loaded;

/// Maximum number of files that are remembered; the one that was left first is forgotten first.
const MOST: usize = 100;

/// Files by the order in which they were left.
#[derive(Debug, Default)]
pub(super) struct Visited(Vec<(PathBuf, Left)>);

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

impl Visited {
    /// Animation and frame of a file.
    pub(super) fn moment(&self, path: &Path) -> Option<(Option<String>, u16)> {
        let (_, left) = self.0.iter().find(|(known, _)| known == path)?;
        Some((left.view.shown.animation.clone(), left.frame))
    }

    fn take(&mut self, path: &Path) -> Option<Left> {
        let index = self.0.iter().position(|(known, _)| known == path)?;
        Some(self.0.remove(index).1)
    }

    fn put(&mut self, path: PathBuf, left: Left) {
        let _ = self.take(&path);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push((path, left));
    }
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
            frame: model.pose().at().map_or(0, |at| at.frame),
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
        self.files.visited.put(path, left);
        version
    }

    /// Returns the file as it was left, on return along the list; forgets it if the file is opened again.
    pub(super) fn came_back(&mut self, path: Option<&Path>) -> Option<Left> {
        let left = self.files.visited.take(path?);
        left.filter(|_| self.files.arrival != Arrival::Opened)
    }
}

impl Left {
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
        match self.names == PartNames::of(subject) {
            true => steps,
            false => Steps::default(),
        }
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
        let Some(model) = &self.model else {
            return;
        };
        let animation = wanted.and_then(|name| naming::find_animation(model.subject(), &name));
        let timelines = model.loaded().timelines.as_slice();
        let has_frames = |id: &AnimationId| {
            let line = timelines.get(id.index());
            line.is_some_and(|line| line.frame_count > 0)
        };
        if animation.as_ref().is_some_and(has_frames) {
            view.shown.animation = animation.map(|id| naming::animation(model.subject(), id));
            self.restore(ViewPart::Playing, &view);
            let Some(model) = &self.model else {
                return;
            };
            let timelines = model.loaded().timelines.as_slice();
            self.player.clip.backwards = left.backwards;
            self.player.clip.seek(timelines, left.position);
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
