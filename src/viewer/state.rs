//! The whole state of the window. Only [`State::apply`] changes it. It reads no clock, no file and no screen.

mod animation_list_and_fades;
mod camera;
mod companions_and_images;
mod compare;
mod export;
mod files;
mod gallery;
mod interface;
mod list_and_visited;
mod looking;
mod page;
mod parts;
mod reload;
mod ruler_and_reference;
mod shown;
mod stage;
mod undo;

use std::path::{Path, PathBuf};

#[cfg(test)]
use pchr::document::{BoneId, MeshId};
use pchr::overlay::{Layer, Layers, Onion, OverlayOptions, Trail};
use pchr::playback::{Blend, Fade, Playback, Player, Timeline};
use pchr::scene::{Camera, Camera2d, Filter, Picture};
#[cfg(test)]
use pchr::scene::{MeshView, ViewOptions};
#[cfg(test)]
use pchr_tools::files::Companions;
use pchr_tools::session::FolderLook;

use self::camera::{CameraState, Orbit};
use self::compare::CompareState;
pub(crate) use self::export::{ExportProgress, Exports, in_words};
use self::files::Files;
pub(crate) use self::interface::Interface;
use self::list_and_visited::Visited;
use self::looking::OwnLook;
pub(crate) use self::looking::{Looking, SIDE, onion_in_words};
pub(crate) use self::page::PageView;
use self::parts::PartsState;
use self::stage::MemberDrag;
use self::undo::Steps;
use super::action::{Action, CompareAction, LookAction, Message, PartAction, PlaybackAction};
pub(crate) use super::action::{Ask, Request, Watched};
use super::command_line::ViewerOptions;
use super::curves::{CurvesView, CurvesZoom};
use super::gallery::Gallery;
use super::loaded::{Progress, Source, is_input, told_apart};
use super::settings::ViewerSettings;
use crate::viewer::backgrounds_and_rulers::{Reference, Ruler};
use crate::viewer::curves::Tracks;
use crate::viewer::kept::PanelMemory;
use crate::viewer::model;
use crate::viewer::model::Model;
use crate::viewer::problem::{Note, Problem};
use crate::viewer::question::{Hints, Question};
use crate::viewer::state::camera::Joint;
use crate::viewer::switch::{ContentKind, Switch};
use animation_list_and_fades::ClipRows;

/// The state of the window.
#[derive(Debug, Default)]
pub(crate) struct State {
    model: Option<Model>,
    files: Files,
    /// The current clip, and the cross-fade to it.
    player: Player,
    /// The same before it was last started or stopped.
    before_play: Option<Player>,
    parts: PartsState,
    /// The chosen character of a stage.
    chosen_member: Option<usize>,
    member_drag: Option<MemberDrag>,
    /// Name of the bone in space that was chosen last, even if the current content has no such bone.
    followed: Option<String>,
    view: CameraState,
    page: PageView,
    /// Picture to compare with the open file, and those of files that were shown before.
    reference: Option<Reference>,
    references: Visited<Reference>,
    compare: CompareState,
    ruler: Option<Ruler>,
    /// Vertices of the mesh that was measured last. Kept so that nothing is allocated.
    measured: Vec<[f32; 2]>,
    /// Place of the bone that the camera goes along with.
    along: Option<Joint>,
    /// Steps of the open file that can be undone.
    steps: Steps,
    looking: Looking,
    /// Look of the window itself, while a session is shown or a file of a folder with a look.
    own_look: Option<OwnLook>,
    /// Look of the folder of the shown file.
    folder_look: Option<FolderLook>,
    interface: Interface,
    gallery: Gallery,
    curves: CurvesView,
    /// Visible part of the curves, kept for a file that is shown again.
    curves_kept: Option<CurvesZoom>,
    tracks: Tracks,
    clips: ClipRows,
    problem: Option<Problem>,
    question: Option<Question>,
    /// Message that is shown for some seconds.
    said: Option<Message>,
    /// File of the last screenshot, session or export.
    saved: Option<PathBuf>,
    exports: Exports,
    hints: Hints,
    kept: PanelMemory,
    requests: Vec<Request>,
    /// Changes whenever the picture may change.
    revision: u64,
}

impl State {
    /// Creates the initial state, without settings.
    #[cfg(test)]
    pub(crate) fn new(options: &ViewerOptions) -> Self {
        Self::with_settings(options, &ViewerSettings::default())
    }

    /// Creates the initial state: a load is requested, nothing is shown. `settings` are the user's settings and the
    /// remembered state of the last run.
    pub(crate) fn with_settings(options: &ViewerOptions, settings: &ViewerSettings) -> Self {
        let camera = Camera2d { y_down: options.shown.y_down == Some(true), ..Camera2d::default() };
        let mut player = Player::default();
        player.clip.playing = options.playing.paused != Some(true);
        let mut state = Self {
            files: Files::new(options, settings),
            player,
            parts: PartsState::new(options.shown.in_place == Some(true)),
            view: CameraState { kept: Orbit::new(&options.shown), ..CameraState::new(camera) },
            looking: Looking::new(settings, options.no_defaults),
            interface: Interface::new(settings),
            curves: CurvesView::new(settings.memory.curves.as_ref()),
            exports: Exports::new(settings),
            hints: Hints::new(&settings.memory.hints, !options.files.is_empty()),
            ..Self::default()
        };
        let look = settings.look().without(&options.given_look());
        state.take_look(&look.under(&options.look()));
        state.looking.set(Switch::Preview, options.preview);
        state.said = options.preview.then(Message::previewing);
        match &settings.trouble {
            Some(_) => state.problem = state.files.mistakes.take(),
            None => state.open_first(),
        }
        state
    }

    pub(crate) fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    pub(crate) fn playback(&self) -> &Playback {
        &self.player.clip
    }

    pub(crate) fn fade(&self) -> Option<&Fade> {
        self.player.fade()
    }

    /// Returns the animation that the current one is mixed with.
    pub(crate) fn blend(&self) -> Option<Blend> {
        self.player.blend()
    }

    /// Returns true while time changes the picture: an animation plays, or a fade continues after the animation has ended.
    pub(crate) fn is_moving(&self) -> bool {
        let clip = &self.player.clip;
        !self.is_on(Switch::Gallery) && (clip.playing || clip.ended && self.fade().is_some())
    }

    /// Returns the timelines of all animations of the open file; empty while nothing is open.
    pub(crate) fn timelines(&self) -> &[Timeline] {
        let model = self.model.as_ref();
        model.map_or(&[], |model| &model.loaded().timelines)
    }

    pub(crate) fn camera(&self) -> Camera2d {
        self.view.camera
    }

    pub(crate) fn kind(&self) -> ContentKind {
        self.model.as_ref().map_or_else(ContentKind::default, Model::kind)
    }

    /// Returns true for a file with bones and no meshes, whose bones are always drawn.
    pub(crate) fn is_bare(&self) -> bool {
        let model = self.model.as_ref();
        model.is_some_and(|model| model::is_bare(model.subject()))
    }

    /// Returns true while the camera follows the fit.
    pub(crate) fn is_fitted(&self) -> bool {
        self.view.fitted
    }

    /// Returns the camera that draws the picture.
    pub(crate) fn scene_camera(&self) -> Camera {
        self.view.scene_camera()
    }

    /// Returns the size of the picture in screen pixels.
    pub(crate) fn viewport(&self) -> [u32; 2] {
        self.view.size
    }

    /// Returns the settings with which the character is drawn.
    pub(crate) fn picture(&self) -> Picture {
        Picture {
            size: self.view.size,
            camera: self.view.camera,
            filter: if self.is_on(Switch::Nearest) { Filter::Nearest } else { Filter::Linear },
            mipmaps: { self.model.as_ref() }.is_none_or(|model| model.subject().allows_mipmaps()),
            clear: self.looking.background.clear(),
        }
    }

    /// Returns the point whose path is shown while trails are.
    pub(crate) fn trail(&self) -> Option<Trail> {
        let vertex = self.parts.vertex;
        let vertex = vertex.map(|(mesh, vertex)| Trail::Vertex(mesh, vertex));
        vertex.or(self.parts.bone.map(Trail::Bone))
    }

    /// Returns the overlays of the character. A logical pixel has `scale` screen pixels.
    pub(crate) fn overlays(&self, scale: u32) -> OverlayOptions {
        // An atlas has no bones, so none are drawn even if the switch is on.
        let kind = match self.kind() {
            ContentKind::Motion => ContentKind::Motion,
            ContentKind::Character | ContentKind::Atlas => ContentKind::Character,
        };
        let wanted = |switch| self.is_on(switch) && Action::Toggle(switch).concerns(kind);
        let mut layers: Layers =
            Layer::ALL.into_iter().filter(|layer| wanted(Switch::Overlay(*layer))).collect();
        if self.is_bare() {
            layers.set(Layer::Bones, true);
        }
        OverlayOptions {
            layers,
            trail: self.trail().filter(|_| wanted(Switch::Trail)),
            onion: if wanted(Switch::Onion) { self.looking.onion } else { Onion::NONE },
            pin: self.parts.pin.filter(|_| wanted(Switch::Pin)),
            weights: self.parts.bone.filter(|_| wanted(Switch::Weights)),
            mesh: self.parts.mesh,
            bone: self.parts.bone,
            light: false,
            scale,
        }
    }

    /// Returns the overlays on screen: the mesh whose row the pointer is on stands out, which no screenshot shows.
    pub(crate) fn overlays_and_pointed(&self, scale: u32) -> OverlayOptions {
        let pointed = self.parts.pointed.filter(|_| self.view.pointer.is_none());
        OverlayOptions { mesh: pointed.or(self.parts.mesh), ..self.overlays(scale) }
    }

    /// Returns the recent files, newest first.
    pub(crate) fn recent(&self) -> &[PathBuf] {
        &self.files.recent
    }

    /// Returns the name of a source, with folders where a recent file, or one that was opened with it, has the same name.
    pub(crate) fn name_of(&self, source: &Source) -> String {
        match source.path().filter(|path| !is_input(path)) {
            Some(path) => told_apart(path, &[self.opened_last(), self.recent()].concat()),
            None => source.name(),
        }
    }

    /// Returns the files and folders that the list is of.
    pub(crate) fn opened_last(&self) -> &[PathBuf] {
        let [now, _] = &self.files.last;
        now
    }

    pub(crate) fn looking(&self) -> &Looking {
        &self.looking
    }

    pub(crate) fn is_on(&self, switch: Switch) -> bool {
        match switch {
            Switch::Smooth => self.player.clip.smooth,
            Switch::YDown => self.view.camera.y_down,
            Switch::InPlace => self.parts.view.in_place,
            Switch::Perspective => self.is_perspective(),
            Switch::ZUp => self.is_z_up(),
            Switch::Hints => self.hints.is_on(),
            Switch::Pin => self.parts.pin.is_some() && self.looking.is_on(switch),
            Switch::Gallery => self.gallery.is_open && !self.looking.is_on(Switch::Preview),
            Switch::Panels => {
                self.looking.is_on(Switch::Panels) && !self.looking.is_on(Switch::Preview)
            }
            Switch::Overlay(Layer::Grid) if self.kind() != ContentKind::Motion => {
                self.looking.plane_grid
            }
            switch => self.looking.is_on(switch),
        }
    }

    pub(crate) fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    pub(crate) fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Returns the files that are shown with the open file.
    #[cfg(test)]
    pub(crate) fn companions(&self) -> &Companions {
        &self.files.companions
    }

    /// Returns the message that is shown for some seconds.
    pub(crate) fn said(&self) -> Option<&Message> {
        let is_over = |said: &&Message| match said.about {
            Some(Switch::Panels) => self.is_on(Switch::Panels),
            Some(Switch::Preview) => !self.is_on(Switch::Preview),
            _ => false,
        };
        self.said.as_ref().filter(|said| !is_over(said))
    }

    pub(crate) fn hints(&self) -> &Hints {
        &self.hints
    }

    pub(crate) fn loading(&self) -> Option<&Source> {
        self.files.loading.as_ref()
    }

    /// Returns the reason why the open file is not its newest version.
    pub(crate) fn note(&self) -> Option<&Note> {
        self.files.note.as_ref()
    }

    pub(crate) fn progress(&self) -> Option<Progress> {
        self.files.progress
    }

    /// Returns the pointer's position over the picture in screen pixels.
    pub(crate) fn pointer(&self) -> Option<[f64; 2]> {
        self.view.pointer
    }

    pub(crate) fn hovering(&self) -> &[PathBuf] {
        &self.files.hovering
    }

    /// Returns the position in the list of the open file, and the length of the list, if there are several files. While
    /// none of them is shown, it is the position of the one that could not be opened.
    pub(crate) fn file_of(&self) -> Option<(usize, usize)> {
        let files = &self.files;
        let on_show = files.shown.filter(|_| files.loading.is_some());
        let at = on_show.or(files.asked)?;
        (files.list.len() > 1).then_some((at, files.list.len()))
    }

    /// Returns the file at that position if it could not be opened and another one is shown.
    pub(crate) fn unopened_file(&self) -> Option<&Path> {
        let on_show = self.model.as_ref()?.loaded().source.path();
        let files = &self.files;
        let is_other = files.shown != files.asked && files.loading.is_none();
        let path = files.list.get(files.asked?).map(PathBuf::as_path);
        path.filter(|path| is_other && files.list.len() > 1 && on_show != Some(path))
    }

    /// Returns the number of files in a list that the open file is not one of: its skeleton lies beside them.
    pub(crate) fn files_beside(&self) -> Option<usize> {
        let is_beside = self.files.asked.is_none() && !self.files.list.is_empty();
        is_beside.then_some(self.files.list.len())
    }

    /// Returns true if there is a file this many places further in the list.
    pub(crate) fn can_walk(&self, by: isize) -> bool {
        self.files.place(by).is_some_and(|to| to < self.files.list.len())
    }

    /// Returns the list of files, and the index of the open file.
    pub(crate) fn listed_files(&self) -> (&[PathBuf], Option<usize>) {
        (&self.files.list, self.files.shown)
    }

    /// Returns the seconds until the picture changes by itself; `None` if it does not.
    pub(crate) fn until_change(&self) -> Option<f64> {
        match self.fade() {
            Some(_) => self.is_moving().then_some(0.0),
            None if self.is_on(Switch::Gallery) => None,
            None => self.player.clip.until_change(self.timelines()),
        }
    }

    /// Returns a number that changes when the picture may change.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the requests since the last call.
    pub(crate) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Returns what the panels keep from frame to frame.
    pub(crate) fn kept(&self) -> &PanelMemory {
        &self.kept
    }

    /// Carries out an action.
    pub(crate) fn apply(&mut self, action: impl Into<Action>) {
        self.carry_out(action.into());
    }

    fn carry_out(&mut self, action: Action) {
        if let Action::Keep(keep) = action {
            return self.kept.keep(keep);
        }
        let (name, before, revision) = (action.name(), self.before(&action), self.revision);
        if self.hints.take(&action) || is_of_look(&action) {
            self.requests.push(Request::Remember);
        }
        match action {
            Action::Ask(ask) => self.requests.push(Request::Ask(ask)),
            Action::PastePath => self.requests.push(Request::PastePath),
            Action::Export(action) => self.on_export(action),
            Action::Stage(action) => self.on_stage(action),
            Action::Quit if self.asks_to_quit() => {}
            Action::Quit => self.requests.push(Request::Quit),
            Action::Report(problem) => {
                self.files.quits_when_saved = false;
                if self.files.unlocated.is_some() {
                    self.question = None; // it would hide the problem, such as that there is no dialog
                }
                if self.model.is_none() {
                    self.files.mistakes.get_or_insert(problem.clone()); // the first file would hide it
                }
                self.problem = Some(problem);
            }
            Action::Say(message) => self.said = Some(message),
            Action::Unsay => self.said = None,
            Action::Saved(path) => self.saved(path),
            Action::ShowInFolder => match &self.saved {
                Some(path) => self.requests.push(Request::ShowInFolder(path.clone())),
                None => self.say("Nothing was saved yet"),
            },
            Action::Dismiss => self.dismiss(),
            Action::Files(action) => {
                self.on_files(action);
                self.follow_list();
            }
            Action::Gallery(action) => self.on_gallery(action),
            Action::Playback(action) => {
                self.on_playback(&action);
                if matches!(action, PlaybackAction::Speed(_)) {
                    self.export_again();
                }
            }
            Action::Camera(action) => self.on_camera(&action),
            Action::Parts(action) => self.on_parts(action),
            Action::Looking(action) => self.on_looking(action),
            Action::Interface(action) => self.on_interface(action),
            Action::Page(action) => self.on_page(&action),
            Action::Reference(action) => self.on_reference(action),
            Action::Compare(action) => self.on_compare(action),
            Action::Image(action) => self.on_image(action),
            Action::Ruler(action) => self.on_ruler(&action),
            Action::Curves(action) => self.on_curves(&action),
            Action::Toggle(switch) => self.toggle(switch),
            Action::Undo => self.walk_steps(true),
            Action::Redo => self.walk_steps(false),
            Action::Rest => self.steps.rest(),
            Action::Keep(_) => {} // carried out above
        }
        self.go_along();
        if self.revision != revision {
            self.measure_pictures();
            self.measure_again();
        }
        if let Some(before) = before {
            self.did(before, name);
        }
        self.update_tracks();
        self.clips.update(self.model.as_ref(), &self.looking.clip_filter);
    }

    /// Closes the topmost item over the picture.
    fn dismiss(&mut self) {
        if self.exports.is_open {
            return self.close_export();
        }
        let over = [Switch::Palette, Switch::Keys];
        if let Some(open) = over.into_iter().find(|switch| self.is_on(*switch)) {
            self.apply(Action::Toggle(open));
        } else if self.question.take().is_some() || self.problem.take().is_some() {
        } else if self.is_on(Switch::Gallery) {
            self.toggle_gallery();
        } else if self.said.take().is_some() || self.ruler.take().is_some() {
        } else if self.is_on(Switch::Preview) {
            self.apply(Action::Toggle(Switch::Preview));
        } else if self.lists_changes() {
            self.on_compare(CompareAction::List);
        } else if let Some(open) = [Switch::Ruler, Switch::Findings, Switch::Atlas]
            .into_iter()
            .find(|switch| self.is_on(*switch))
        {
            self.apply(Action::Toggle(open));
        } else if self.counterpart().is_some() {
            self.end_comparison();
        } else if self.gallery.returns && self.parts.mesh.is_none() && self.parts.bone.is_none() {
            self.open_gallery();
        } else if self.is_on(Switch::FullScreen) {
            self.apply(Action::Toggle(Switch::FullScreen));
        } else {
            self.apply(PartAction::ChooseNothing);
        }
    }

    /// Shows a text for some seconds.
    fn say(&mut self, text: impl AsRef<str>) {
        self.said = Some(Message::new(text));
    }

    fn saved(&mut self, path: PathBuf) {
        let message = Message::new(format!("Saved {}", path.display()));
        self.said = Some(message.offering(Action::ShowInFolder));
        self.saved = Some(path);
    }

    /// Marks the picture as possibly changed.
    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Poses the frame to show.
    fn show(&mut self) {
        if let Some(model) = &mut self.model {
            let moment = self.player.moment(&model.loaded().timelines);
            let (at, mix) = moment.map_or((None, None), |(at, mix)| (Some(at), mix));
            model.show(at, mix, &self.parts.view);
        }
        self.show_counterpart();
        self.arrange_meshes();
        self.touch();
    }
}

/// Returns true for an action that may change what the next window starts with.
fn is_of_look(action: &Action) -> bool {
    match action {
        Action::Toggle(switch) => switch.is_shown() || *switch == Switch::Smooth,
        Action::Undo | Action::Redo => true,
        Action::Looking(action) => {
            matches!(action, LookAction::Background(_) | LookAction::CycleBackground)
        }
        Action::Playback(action) => matches!(
            action,
            PlaybackAction::WalkSpeed(_)
                | PlaybackAction::Speed(_)
                | PlaybackAction::Looping(_)
                | PlaybackAction::CycleLoop
        ),
        _ => false,
    }
}

#[cfg(test)]
pub(in crate::viewer) mod tests;
