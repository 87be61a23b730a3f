//! Files that were shown before: stepping back to one restores its state.

use std::path::{Path, PathBuf};

use pchr::document::AnimationId;
use pchr::playback::Playback;
use pchr::pose::BindChoice;
use pchr::scene::{Bounds, Subject};

use super::State;
use super::list::Arrival;
use super::page::PageLeft;
use super::parts::Parts;
use super::undo::Steps;
use crate::viewer::carry::{Carry, Names};
use crate::viewer::curves::CurvesZoom;
use crate::viewer::model::Model;

/// Maximum number of files that are remembered; the one that was left first is forgotten first.
const MOST: usize = 100;

/// Files by the order in which they were left.
#[derive(Debug, Default)]
pub(super) struct Visited(Vec<(PathBuf, Left)>);

/// A file as it was left.
#[derive(Debug)]
pub(super) struct Left {
    names: Names,
    /// Name of the animation.
    animation: Option<String>,
    playback: Playback,
    frame: u16,
    /// The same, and how far it is to the next one.
    position: f64,
    bind: BindChoice,
    parts: Parts,
    steps: Steps,
    page: Option<PageLeft>,
    curves: CurvesZoom,
    /// Middle of the picture and zoom, if it does not follow the fit.
    place: Option<([f64; 3], f64)>,
    /// Bounds of the fit, if it does: meshes may have been hidden since.
    fitted: Option<Bounds>,
}

impl Visited {
    /// Animation and frame of a file.
    pub(super) fn moment(&self, path: &Path) -> Option<(Option<String>, u16)> {
        let (_, left) = self.0.iter().find(|(known, _)| known == path)?;
        Some((left.animation.clone(), left.frame))
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
    /// Stores the state of the open file before another file replaces it.
    pub(super) fn leave(&mut self) {
        let playing = self.playing_name();
        let Some(model) = &self.model else {
            return;
        };
        let loaded = model.loaded();
        let Some(path) = loaded.source.path().map(Path::to_owned) else {
            return;
        };
        let place = match self.view.orbit {
            _ if self.view.fitted => None,
            Some(orbit) => Some((orbit.target, orbit.zoom)),
            None => {
                let [x, y] = self.view.camera.center;
                Some(([x, y, 0.0], self.view.camera.zoom))
            }
        };
        let left = Left {
            names: Names::of(model.subject()),
            animation: playing,
            frame: model.pose().at().map_or(0, |at| at.frame),
            position: self.player.clip.position(&loaded.timelines),
            playback: self.player.clip.clone(),
            bind: model.bind_choice(),
            parts: std::mem::take(&mut self.parts),
            steps: std::mem::take(&mut self.steps),
            page: self.page_left(),
            curves: self.curves.zoom(),
            place,
            fitted: self.view.bounds.filter(|_| self.view.fitted),
        };
        self.files.visited.put(path, left);
    }

    /// Returns the file as it was left, on return along the list; forgets it if the file is opened again.
    pub(super) fn came_back(&mut self, path: Option<&Path>) -> Option<Left> {
        let left = self.files.visited.take(path?);
        left.filter(|_| self.files.arrival != Arrival::Opened)
    }
}

impl Left {
    pub(super) fn carry(&self, subject: &dyn Subject) -> Carry {
        Carry::of_names(&self.names, subject)
    }

    /// The bind pose that was chosen.
    pub(super) fn bind(&self, carry: &Carry, subject: &dyn Subject) -> BindChoice {
        carry.bind(self.bind, subject)
    }

    /// Animation, frame and how it plays; whether it does is not the file's.
    pub(super) fn play(&self, carry: &Carry, model: &Model, playback: &mut Playback) {
        let timelines = &model.loaded().timelines;
        let has_frames = |id: &AnimationId| {
            timelines
                .get(id.index())
                .is_some_and(|it| it.frame_count > 0)
        };
        let animation = self.playback.animation.and_then(|id| carry.animation(id));
        if let Some(id) = animation.filter(has_frames) {
            playback.animation = Some(id);
            playback.backwards = self.playback.backwards;
            playback.fps = self.playback.fps;
            playback.mode = self.playback.mode;
            playback.section = self.playback.section;
            playback.seek(timelines, self.position);
        }
    }

    /// Overrides and choices.
    pub(super) fn parts(&mut self, carry: &Carry, subject: &dyn Subject, in_place: bool) -> Parts {
        let mut parts = std::mem::take(&mut self.parts);
        parts.carry_over(carry, subject);
        parts.view.in_place = in_place;
        parts
    }

    /// Steps that can be undone; none if its parts are others by now.
    pub(super) fn steps(&mut self, subject: &dyn Subject) -> Steps {
        let steps = std::mem::take(&mut self.steps);
        match self.names == Names::of(subject) {
            true => steps,
            false => Steps::default(),
        }
    }

    /// The page view.
    pub(super) fn page(&self) -> Option<PageLeft> {
        self.page
    }

    /// Part of the curves that was in sight.
    pub(super) fn curves(&self) -> CurvesZoom {
        self.curves
    }

    /// Middle of the picture and zoom, unless it followed the fit.
    pub(super) fn place(&self) -> Option<([f64; 3], f64)> {
        self.place
    }

    /// Bounds of the fit that the picture followed, if they can be those of this version of the file.
    pub(super) fn fitted(&self, subject: &dyn Subject) -> Option<Bounds> {
        self.fitted.filter(|_| self.names == Names::of(subject))
    }
}
