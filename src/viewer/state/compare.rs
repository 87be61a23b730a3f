//! Comparing the open file with another one: opening and ending it, its modes, its figures, and going through the list of changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::scene::{Bounds, Camera};
use pchr_tools::files::Seen;
use pchr_tools::view::Shown;

use super::{Ask, Request, State, Watched};
use crate::viewer::action::{Action, CompareAction, Message, PartAction, PlaybackAction};
use crate::viewer::compare::{
    ChangeRow, Changes, CompareId, CompareMode, Comparison, Counterpart, Figures, FiguresJob, Jump,
    Spot,
};
use crate::viewer::interface::narrow;
use crate::viewer::loaded::{LoadDone, LoadError, LoadId, Loaded, Source, Wish, is_input};
use crate::viewer::model::Model;
use crate::viewer::model::carry::Carry;
use crate::viewer::problem::Problem;

/// Part of the picture's width and height at each edge in which a place that a change leads to is not seen well.
const EDGE: f64 = 0.05;
/// Title of the problem that there is no commit of the file.
const NO_VERSION: &str = "No version in Git to compare with";

/// The comparison, and what it begins from.
#[derive(Debug, Default)]
pub(super) struct CompareState {
    id: CompareId,
    /// The last requested load.
    load: LoadId,
    /// The other side, until it is loaded.
    opening: Option<Counterpart>,
    pub(super) now: Option<Box<Comparison>>,
    mode: CompareMode,
    /// Place of the line between both, as a part of the width; `None` for the middle.
    split: Option<f32>,
    /// True while the other file is on show, if they blink.
    shows_other: bool,
    /// True if the changes are listed.
    pub(super) is_listed: bool,
    /// Row of the list that was gone to last, and its place in the picture.
    pub(super) jumped: Option<(usize, Option<Spot>)>,
    /// Reason why the other side is not its newest version.
    fault: Option<String>,
    /// File that is being opened, and the one to compare it with then: both are exchanged.
    exchanged: Option<[PathBuf; 2]>,
    /// The revision whose figures were asked for last, until they come.
    measuring: Option<u64>,
    /// Files of the other side.
    files: Vec<Seen>,
    /// The version before the last reload.
    pub(super) before: Option<Model>,
}

impl State {
    pub(crate) fn comparison(&self) -> Option<&Comparison> {
        self.compare.now.as_deref()
    }

    /// Returns the other side of the comparison, also while it is being loaded.
    pub(crate) fn counterpart(&self) -> Option<&Counterpart> {
        let Self { compare, .. } = self;
        compare.opening.as_ref().or(compare.now.as_ref().map(|now| &now.with))
    }

    /// Returns how two files share the picture, also while the other one is being loaded.
    pub(crate) fn compare_mode(&self) -> Option<CompareMode> {
        self.counterpart().map(|_| self.compare.mode)
    }

    /// Returns true if the other file lies beside the open one, so that the picture of each is half as wide.
    pub(crate) fn is_side_by_side(&self) -> bool {
        self.compare_mode() == Some(CompareMode::Side)
    }

    /// Returns the place of the line between both files, as a part of the width.
    pub(crate) fn split(&self) -> f32 {
        self.compare.split.unwrap_or(0.5)
    }

    /// Returns true if the other file is on show alone.
    pub(crate) fn shows_other(&self) -> bool {
        self.compare_mode() == Some(CompareMode::Blink) && self.compare.shows_other
    }

    pub(crate) fn lists_changes(&self) -> bool {
        self.compare.is_listed && self.compare.now.is_some()
    }

    /// Returns the reason why the other side is not its newest version.
    pub(crate) fn compare_fault(&self) -> Option<&str> {
        self.compare.fault.as_deref()
    }

    /// Returns the number of the row that was gone to last, while its frame is on show, and its place in the picture.
    pub(crate) fn jumped(&self) -> Option<(usize, Option<&Spot>)> {
        let (row, spot) = self.compare.jumped.as_ref()?;
        let (at, _) = self.model.as_ref()?.moment();
        let at = at.map(|at| (at.animation, at.frame));
        Some((*row, spot.as_ref().filter(|spot| spot.at.is_none() || spot.at == at)))
    }

    pub(super) fn on_compare(&mut self, action: CompareAction) {
        match action {
            CompareAction::With(with) => self.compare_with(with),
            CompareAction::Loaded(done) => self.counterpart_loaded(done),
            CompareAction::Changes(id, changes) => {
                if let Some(now) = self.compare.now.as_mut().filter(|_| self.compare.id == id) {
                    now.changes = Some(changes);
                }
            }
            CompareAction::Figures(id, figures) => self.measured_pictures(id, figures),
            CompareAction::Mode(mode) => self.set_compare_mode(mode),
            CompareAction::CycleMode => {
                let all = CompareMode::ALL.into_iter();
                let next = all.skip_while(|mode| *mode != self.compare.mode).nth(1);
                self.set_compare_mode(next.unwrap_or_default());
            }
            CompareAction::Split(at) => {
                self.compare.split = at.is_finite().then(|| at.clamp(0.0, 1.0));
            }
            CompareAction::Blink(other) => self.compare.shows_other = other,
            CompareAction::List if self.compare.now.is_none() => self.nothing_compared(),
            CompareAction::List => self.compare.is_listed = !self.compare.is_listed,
            CompareAction::Jump(row) => self.jump(row),
            CompareAction::WalkChanges(by) => self.walk_changes(by),
            CompareAction::Exchange => self.exchange(),
            CompareAction::End => self.end_comparison(),
        }
    }

    pub(super) fn nothing_compared(&mut self) {
        let ask = Action::Ask(Ask::Compare);
        self.said = Some(Message::new("Nothing to compare with").offering(ask));
    }

    fn set_compare_mode(&mut self, mode: CompareMode) {
        if self.counterpart().is_none() {
            return self.nothing_compared();
        }
        self.compare.mode = mode;
        self.compare.shows_other = false;
        self.measure_pictures_again();
    }

    /// Measures the difference of the pictures once more.
    pub(super) fn measure_pictures_again(&mut self) {
        if let Some(now) = &mut self.compare.now {
            now.figures = None;
        }
        self.touch();
        self.measure_pictures();
    }

    /// Begins to compare with a file or a version. What is compared already stays until that is loaded.
    fn compare_with(&mut self, with: Counterpart) {
        self.files.hovering.clear();
        let Some(model) = &self.model else {
            return self.say("Open a file before the one to compare it with");
        };
        let file = model.loaded().file().filter(|file| !is_input(file)).map(Path::to_owned);
        let source = match (&with, file) {
            (Counterpart::File(path), _) => Source::File(path.clone()),
            (Counterpart::Commit, Some(_)) if model.loaded().layout.is_some() => {
                let title = "The last commit of a stage cannot be shown";
                let why =
                    "Its characters would be read as they are today. Compare them one by one.";
                return self.problem = Some(Problem::new(title, why));
            }
            (Counterpart::Commit, Some(file)) => Source::Committed(file),
            (Counterpart::Commit, None) => {
                let why = "What is open comes from no file.";
                return self.problem = Some(Problem::new(NO_VERSION, why));
            }
            (Counterpart::BeforeReload, _) => return self.compare_with_before(),
        };
        let load = LoadId(self.compare.load.0.wrapping_add(1));
        let companions = self.files.companions.clone();
        let images = Some(model.loaded().swaps.clone());
        let wish = Wish { whole: true, companions, images, ..Wish::default() };
        (self.compare.load, self.compare.opening) = (load, Some(with));
        self.requests.push(Request::LoadCounterpart(load, source, wish));
        self.touch();
    }

    fn compare_with_before(&mut self) {
        let Some(before) = &self.compare.before else {
            return self.say("The file was not read again since it was opened");
        };
        let (loaded, images) = (Arc::clone(before.loaded()), before.images().to_vec());
        let bind = before.bind_choice();
        let id = self.next_comparison();
        let mut model = Model::new(loaded, id.0, bind).with_images(images);
        if let Some(first) = &self.model {
            let _ = model.set_instances(first.loaded().instances()); // or there is one
        }
        self.compare.files.clear();
        self.begin_comparison(Counterpart::BeforeReload, model);
    }

    fn next_comparison(&mut self) -> CompareId {
        self.compare.id.0 = self.compare.id.0.wrapping_add(1);
        self.compare.id
    }

    fn counterpart_loaded(&mut self, done: LoadDone) {
        if done.id != self.compare.load {
            return; // something newer was asked for in the meantime
        }
        let Some(with) = self.compare.opening.take() else { return };
        let loaded = match done.result {
            Ok(loaded) => loaded,
            Err(error) => return self.no_counterpart(&with, &done.source, &error, done.files),
        };
        let Some(first) = &self.model else { return };
        let is_spatial = |it: &Loaded| it.opened.subject.spatial().is_some();
        if is_spatial(&loaded) != is_spatial(first.loaded()) {
            let title = format!("{} cannot be compared with this file", done.source.name());
            let text = "One is flat, and the other a 3D motion. Choose a file of the same kind.";
            self.problem = Some(Problem::new(title, text));
            return self.touch();
        }
        self.compare.files = done.files;
        let subject = &*loaded.opened.subject;
        let bind = Carry::new(first.subject(), subject).bind(first.bind_choice(), subject);
        let instances = first.loaded().instances();
        let id = self.next_comparison();
        let mut model = Model::new(loaded, id.0, bind);
        let _ = model.set_instances(instances); // or there is one
        self.begin_comparison(with, model);
    }

    /// Keeps what is compared already. Of a file that was read again, the next version is waited for.
    fn no_counterpart(
        &mut self,
        with: &Counterpart,
        source: &Source,
        error: &LoadError,
        files: Vec<Seen>,
    ) {
        let is_again = self.comparison().is_some_and(|now| now.with == *with);
        if is_again {
            let is_gone = files.first().is_some_and(|seen| seen.stamp.is_none());
            let fault = if is_gone { "was deleted or moved" } else { "cannot be read" };
            let text = format!("{} {fault}, showing the last good version", source.name());
            self.compare.fault = Some(text);
            self.compare.files = files;
            self.watch_counterpart();
        } else {
            self.problem = Some(match (with, error) {
                (Counterpart::Commit, LoadError::Io(why)) => Problem::new(NO_VERSION, why),
                _ => Problem::of_load(source, error),
            });
        }
        self.refit();
        self.touch();
    }

    fn watch_counterpart(&mut self) {
        let files = if self.files.watch { self.compare.files.clone() } else { Vec::new() };
        self.requests.push(Request::Watch(Watched::Counterpart, files));
    }

    /// Compares with a model from now on.
    fn begin_comparison(&mut self, with: Counterpart, model: Model) {
        let Some(first) = &self.model else { return };
        let comparison = Comparison::new(with, first, model);
        let compare = &mut self.compare;
        compare.now = Some(Box::new(comparison));
        (compare.opening, compare.jumped, compare.measuring) = (None, None, None);
        compare.fault = None;
        let id = compare.id;
        self.watch_counterpart();
        self.requests.push(Request::Compare(id));
        self.show();
        self.refit();
    }

    pub(super) fn end_comparison(&mut self) {
        if self.counterpart().is_none() {
            return;
        }
        self.next_comparison();
        let compare = &mut self.compare;
        (compare.now, compare.opening, compare.jumped) = (None, None, None);
        (compare.is_listed, compare.measuring, compare.fault) = (false, None, None);
        compare.files.clear();
        self.requests.push(Request::Watch(Watched::Counterpart, Vec::new()));
        self.requests.push(Request::EndComparison);
        self.refit();
        self.touch();
    }

    /// Shows the other file as this one is shown, to be compared with the open one.
    fn exchange(&mut self) {
        let open = self.model.as_ref().and_then(|model| model.loaded().file());
        match (self.counterpart().cloned(), open.map(Path::to_owned)) {
            (None, _) => self.nothing_compared(),
            (Some(Counterpart::File(path)), Some(open)) if !is_input(&open) => {
                self.compare.exchanged = Some([path.clone(), open]);
                self.show_listed(path);
            }
            (Some(_), _) => self.say("Only two files can be exchanged"),
        }
    }

    /// Compares with the file that was open before both were exchanged.
    pub(super) fn compare_exchanged(&mut self) {
        let open = self.model.as_ref().and_then(|model| model.loaded().file());
        let exchanged = self.compare.exchanged.take();
        if let Some([_, with]) = exchanged.filter(|[opened, _]| open == Some(opened)) {
            self.compare_with(Counterpart::File(with));
        }
    }

    /// Keeps the version that was on show before the open file was read again, and compares with the new one.
    pub(super) fn compare_again(&mut self, old: Model) {
        let has_other_pictures = self.image_swaps() != old.loaded().swaps;
        self.compare.before = Some(old);
        let Some(now) = self.compare.now.take() else { return };
        match now.with.clone() {
            Counterpart::BeforeReload => self.compare_with_before(),
            // The same pictures are in place of images of both.
            with if has_other_pictures => {
                self.compare.now = Some(now);
                self.compare_with(with);
            }
            with => {
                let id = self.next_comparison();
                self.begin_comparison(with, now.model.with_serial(id.0));
            }
        }
    }

    /// Reads the other file again if it is the one that changed.
    pub(super) fn counterpart_changed(&mut self, path: &Path) {
        let Some(with @ Counterpart::File(of)) = self.counterpart() else { return };
        if of == path || self.compare.files.first().is_some_and(|seen| seen.path == path) {
            let with = with.clone();
            self.compare_with(with);
        }
    }

    /// Compares as a view asks for.
    pub(super) fn compare_as(&mut self, shown: &Shown, is_session: bool) {
        match &shown.against {
            Some(path) => {
                self.compare.mode = shown.against_mode().into();
                self.compare.split = Some(narrow(shown.against_split()));
                self.compare_with(Counterpart::File(path.clone()));
            }
            None if is_session => self.end_comparison(),
            None => {}
        }
    }

    /// Adds the other file to a view, if it has a path.
    pub(super) fn add_counterpart(&self, shown: &mut Shown) {
        if let Some(Counterpart::File(path)) = self.counterpart() {
            shown.against = Some(path.clone());
            let mode = self.compare.mode.option();
            shown.against_mode = Some(mode).filter(|mode| *mode != Default::default());
            let is_split = self.compare.mode == CompareMode::Split && self.split() != 0.5;
            shown.against_split = is_split.then(|| f64::from(self.split()));
            if let (true, Some(size)) = (self.is_side_by_side(), &mut shown.resolution) {
                let [width, height] = size.0;
                size.0 = [width.saturating_mul(2), height];
            }
        }
    }

    /// Shows the moment of the open file in the other one.
    pub(super) fn show_counterpart(&mut self) {
        if let Some((model, now)) = self.model.as_ref().zip(self.compare.now.as_mut()) {
            now.show(model.subject(), model.moment(), &self.parts.view);
        }
    }

    /// Returns bounds that hold the content of the other file, too.
    pub(super) fn with_counterpart(
        &self,
        bounds: Option<Bounds>,
        is_of_clip: bool,
    ) -> Option<Bounds> {
        let Some(now) = self.comparison() else { return bounds };
        let other = match is_of_clip {
            false => now.model.bounds_of_all(&now.view),
            true => {
                let clip = self.player.clip.animation.map(|id| now.carry.namesake(id));
                match clip {
                    Some(None) => None, // it has no such animation
                    clip => now.model.bounds(clip.flatten(), &now.view),
                }
            }
        };
        bounds.into_iter().chain(other).reduce(Bounds::union)
    }

    /// Asks for the figures of the pictures on show, unless others are under way.
    pub(super) fn measure_pictures(&mut self) {
        let is_wanted = self.compare_mode() == Some(CompareMode::Difference)
            && matches!(self.scene_camera(), Camera::Flat(_));
        let (Some(model), Some(now)) = (&self.model, &self.compare.now) else { return };
        if !is_wanted || self.compare.measuring.is_some() || self.view.size.contains(&0) {
            return;
        }
        let side = |model: &Model, view| {
            let (at, mix) = model.moment();
            (at, mix, view)
        };
        let first = Some(side(model, self.parts.view.clone()));
        let second = now.shown().map(|model| side(model, now.view.clone()));
        let job =
            FiguresJob { id: self.compare.id, sides: [first, second], picture: self.picture() };
        self.compare.measuring = Some(self.revision);
        self.requests.push(Request::Figures(Box::new(job)));
    }

    fn measured_pictures(&mut self, id: CompareId, figures: Option<Figures>) {
        if self.compare.id != id {
            return;
        }
        let of = self.compare.measuring.take();
        if let Some(now) = &mut self.compare.now {
            now.figures = figures;
        }
        if of != Some(self.revision) {
            self.measure_pictures(); // the picture has changed in the meantime
        }
    }

    fn rows(&self) -> &[ChangeRow] {
        let changes = self.comparison().and_then(|now| now.changes.as_deref());
        changes.map_or(&[], |changes: &Changes| &changes.rows)
    }

    pub(super) fn walk_changes(&mut self, by: isize) {
        if self.compare.now.is_none() {
            return self.nothing_compared();
        }
        let last = self.rows().len().checked_sub(1);
        let at = self.compare.jumped.as_ref().map(|(row, _)| *row);
        let next = match (at, last) {
            (_, None) => {
                let is_found = self.comparison().is_some_and(|now| now.changes.is_some());
                let text = if is_found { "No differences" } else { "Still comparing" };
                return self.say(text);
            }
            (None, Some(last)) if by < 0 => last,
            (None, Some(_)) => 0,
            (Some(at), Some(last)) => match at.checked_add_signed(by) {
                None => last,
                Some(next) if next > last => 0,
                Some(next) => next,
            },
        };
        self.compare.is_listed = true;
        self.jump(next);
    }

    /// Goes to the frame and the place of a change, and selects its part.
    pub(super) fn jump(&mut self, row: usize) {
        let row_of = self.rows().get(row).cloned();
        let Some(ChangeRow { jump, name, is_only_in_other, .. }) = row_of else { return };
        if jump == Jump::default() && is_only_in_other {
            let text = format!("{name} is only in the other file");
            let exchange = CompareAction::Exchange.into();
            self.said = Some(Message::new(text).offering(exchange));
        }
        if let Some((animation, frame)) = jump.moment {
            if self.player.clip.animation != Some(animation) {
                self.on_playback(&PlaybackAction::Animation(animation));
            }
            self.on_playback(&PlaybackAction::GoTo(frame.into()));
        }
        if jump.bone.is_some() || jump.mesh.is_some() {
            self.on_parts(PartAction::ChooseBone(jump.bone));
            self.on_parts(PartAction::ChooseMesh(jump.mesh));
        }
        if let Some(spot) = &jump.spot {
            self.bring_into_sight(spot);
        }
        self.compare.jumped = Some((row, jump.spot));
        self.touch();
    }

    /// Moves the camera so that a place is in sight, unless it is.
    fn bring_into_sight(&mut self, spot: &Spot) {
        let [x, y, _] = spot.middle;
        let [x, y] = self.view.camera.screen_at([x, y], self.view.size);
        let [width, height] = self.view.size.map(f64::from);
        let is_in = |at: f64, length: f64| (length * EDGE..=length * (1.0 - EDGE)).contains(&at);
        if self.view.orbit.is_some() || !(is_in(x, width) && is_in(y, height)) {
            let (_, zoom) = self.view.middle_and_zoom();
            self.view.put(spot.middle, zoom);
        }
    }
}
