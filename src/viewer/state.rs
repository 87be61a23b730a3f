//! All that the window knows. Changed by [`State::apply`] alone; reads no clock, no file and no screen.

mod camera;
mod companions;
mod curves;
mod files;
mod followed;
mod list;
mod looking;
mod orbit;
mod page;
mod parts;
mod playing;
mod reload;
mod undo;
mod visited;

use std::path::PathBuf;

use self::camera::View;
use self::files::Files;
pub(crate) use self::looking::{Looking, PANELS_HIDDEN};
use self::orbit::Orbit;
pub(crate) use self::page::PageView;
use self::parts::Parts;
use self::undo::Steps;
use super::action::{Action, PartAction};
use super::curves::{CurvesView, CurvesZoom};
use super::kind::Kind;
use super::listing::ListId;
use super::loaded::{LoadId, Progress, Source, Wish};
use super::measure;
use super::model::Model;
use super::options::ViewerOptions;
use super::problem::Problem;
use super::question::Question;
use super::settings::Settings;
use super::sprites::Row;
use super::switch::Switch;
use super::tracks::Tracks;
use crate::document::{BoneId, MeshId};
use crate::files::{Companions, Seen};
use crate::overlay::OverlayOptions;
use crate::playback::{Playback, Timeline};
use crate::scene::{Camera, Camera2d, Filter, MeshView, Pick, Picture, ViewOptions};
use crate::text::visible;

/// What the state wants from the world outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Load this, and answer with `FileAction::Loading`, `FileAction::Loaded` and `FileAction::LoadedImage`.
    Load(LoadId, Source, Wish),
    /// Find the files that these paths mean, and answer with `FileAction::Listed`.
    List(ListId, Vec<PathBuf>),
    /// Watch these files, of which these states were read, and no others; when one changes say `FileAction::Changed` of
    /// the first.
    Watch(Vec<Seen>),
    /// Look at the watched files again, which are these if there are any: what was read of them last is not to be shown.
    WatchAgain(Vec<Seen>),
    /// Watch these files, too, of which these states could not be shown; or no such files any longer. When one changes say
    /// `FileAction::Changed` of the first.
    Await(Vec<Seen>),
    /// Keep what is remembered for the next run.
    Remember,
    /// Ask for files, and answer with `FileAction::Open`.
    OpenDialog,
    /// Ask for a folder, and answer with `FileAction::Open`.
    OpenFolderDialog,
    /// Ask for a picture, and answer with `LookAction::Background`.
    BackgroundDialog,
    /// Read this picture, and answer with `LookAction::Background`.
    ReadBackground(PathBuf),
    /// Read paths off the clipboard, and answer with `FileAction::Open`.
    PastePath,
    /// Write what the window shows to a file, with or without what is drawn over it.
    Screenshot { overlays: bool },
    /// Put what the window shows on the clipboard.
    CopyPicture,
    /// Put the command on the clipboard that captures what the window shows.
    CopyCommandLine,
    /// Fill the screen, or no longer.
    FullScreen(bool),
    /// End the program.
    Quit,
}

/// Ghosts before and after the frame on screen.
const ONION: [u16; 2] = [2, 2];

/// The state of the window.
#[derive(Debug)]
pub(crate) struct State {
    model: Option<Model>,
    files: Files,
    playback: Playback,
    /// As it was before it was started or stopped last.
    before_play: Option<Playback>,
    parts: Parts,
    /// Name of the bone in space that was chosen last, also where what is on show has none of it.
    followed: Option<String>,
    view: View,
    page: PageView,
    /// Steps that can be undone, of the file on show.
    steps: Steps,
    looking: Looking,
    curves: CurvesView,
    /// Part of the curves to be shown of a file that is come back to.
    curves_kept: Option<CurvesZoom>,
    tracks: Tracks,
    problem: Option<Problem>,
    question: Option<Question>,
    /// What was done outside, to be read in passing.
    said: Option<String>,
    requests: Vec<Request>,
    /// Changes whenever the picture may.
    revision: u64,
}

impl State {
    /// The state at the start, without settings.
    #[cfg(test)]
    pub(crate) fn new(options: &ViewerOptions) -> Self {
        Self::with_settings(options, &Settings::default())
    }

    /// The state at the start: a load is requested, nothing is shown. `settings` are what the user wants and what is
    /// remembered of the last run.
    pub(crate) fn with_settings(options: &ViewerOptions, settings: &Settings) -> Self {
        let camera = Camera2d {
            y_down: options.y_down,
            ..Camera2d::default()
        };
        let mut state = Self {
            model: None,
            files: Files::new(options, settings),
            playback: Playback {
                playing: !options.paused,
                smooth: options.smooth,
                ..Playback::default()
            },
            before_play: None,
            parts: Parts::new(options.in_place),
            followed: None,
            view: View {
                kept: Orbit::new(options),
                ..View::new(camera)
            },
            page: PageView::default(),
            steps: Steps::default(),
            looking: Looking::new(options, settings),
            curves: CurvesView::new(settings.memory.curves.as_ref()),
            curves_kept: None,
            tracks: Tracks::default(),
            problem: None,
            question: None,
            said: None,
            requests: Vec::new(),
            revision: 0,
        };
        state.playback.set_speed(options.speed);
        let picture = options.background_picture.clone();
        state.requests.extend(picture.map(Request::ReadBackground));
        state.open_first();
        state
    }

    pub(crate) fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    pub(crate) fn playback(&self) -> &Playback {
        &self.playback
    }

    /// Time lines of the animations of the file on show; empty while nothing is open.
    pub(crate) fn timelines(&self) -> &[Timeline] {
        let model = self.model.as_ref();
        model.map_or(&[], |model| &model.loaded().timelines)
    }

    /// What is shown otherwise than the file has it.
    pub(crate) fn view(&self) -> &ViewOptions {
        &self.parts.view
    }

    /// The wishes for one mesh.
    pub(crate) fn mesh_view(&self, mesh: MeshId) -> MeshView {
        self.parts.of(mesh)
    }

    /// The mesh that is shown alone.
    pub(crate) fn solo(&self) -> Option<MeshId> {
        self.parts.solo()
    }

    pub(crate) fn chosen_mesh(&self) -> Option<MeshId> {
        self.parts.mesh
    }

    pub(crate) fn chosen_bone(&self) -> Option<BoneId> {
        self.parts.bone
    }

    /// What was under the pointer when the chosen mesh was picked off the picture.
    pub(crate) fn pick(&self) -> Option<&Pick> {
        self.parts.pick.as_ref()
    }

    /// Whether the bones below a bone are folded away.
    pub(crate) fn is_folded(&self, bone: BoneId) -> bool {
        self.parts.folded.contains(&bone)
    }

    /// Returns true if the sprites of a folder are folded away.
    pub(crate) fn is_folder_folded(&self, path: &str) -> bool {
        self.parts.folded_folders.contains(path)
    }

    /// The rows of the list of meshes: topmost first, in the order on screen or in one that was.
    pub(crate) fn mesh_rows(&self) -> &[MeshId] {
        &self.parts.mesh_rows
    }

    /// True while the pointer is over these.
    pub(crate) fn points_at_meshes(&self) -> bool {
        self.parts.points_at_meshes
    }

    /// The rows of the list of sprites.
    pub(crate) fn sprite_rows(&self) -> &[Row] {
        &self.parts.rows
    }

    pub(crate) fn camera(&self) -> Camera2d {
        self.view.camera
    }

    /// Kind of what is open.
    pub(crate) fn kind(&self) -> Kind {
        self.model.as_ref().map_or_else(Kind::default, Model::kind)
    }

    /// Returns true for a file with bones and no meshes, whose bones are always drawn.
    pub(crate) fn is_bare(&self) -> bool {
        let model = self.model.as_ref();
        model.is_some_and(|model| measure::is_bare(model.subject()))
    }

    /// The camera that the picture is drawn with.
    pub(crate) fn scene_camera(&self) -> Camera {
        self.view.scene_camera()
    }

    /// Size of the picture in screen pixels.
    pub(crate) fn viewport(&self) -> [u32; 2] {
        self.view.size
    }

    /// How the character becomes a picture.
    pub(crate) fn picture(&self) -> Picture {
        Picture {
            size: self.view.size,
            camera: self.view.camera,
            filter: if self.is_on(Switch::Nearest) {
                Filter::Nearest
            } else {
                Filter::Linear
            },
            mipmaps: true,
            clear: self.looking.background.clear(),
        }
    }

    /// What is drawn over the character; `scale` screen pixels are a logical one.
    pub(crate) fn overlays(&self, scale: u32) -> OverlayOptions {
        // An atlas has no bones, and draws none whatever is turned on.
        let kind = match self.kind() {
            Kind::Motion => Kind::Motion,
            Kind::Character | Kind::Atlas => Kind::Character,
        };
        let wanted = |switch| self.is_on(switch) && Action::Toggle(switch).concerns(kind);
        OverlayOptions {
            bones: wanted(Switch::Bones) || self.is_bare(),
            names: wanted(Switch::Names),
            wireframe: wanted(Switch::Wireframe),
            bounds: wanted(Switch::Bounds),
            origin: wanted(Switch::Origin),
            order: wanted(Switch::Order),
            axes: wanted(Switch::Axes),
            grid: wanted(Switch::Grid),
            path: wanted(Switch::Path),
            trail: self.parts.bone.filter(|_| wanted(Switch::Trail)),
            onion: if wanted(Switch::Onion) { ONION } else { [0; 2] },
            weights: self.parts.bone.filter(|_| wanted(Switch::Weights)),
            mesh: self.parts.mesh,
            bone: self.parts.bone,
            light: false,
            scale,
        }
    }

    /// The files that were opened last, newest first.
    pub(crate) fn recent(&self) -> &[PathBuf] {
        self.files.recent()
    }

    /// How the picture is looked at.
    pub(crate) fn looking(&self) -> &Looking {
        &self.looking
    }

    /// Whether the theme was chosen in the window.
    pub(crate) fn chose_theme(&self) -> bool {
        self.looking.chose_theme
    }

    /// Whether something is turned on.
    pub(crate) fn is_on(&self, switch: Switch) -> bool {
        match switch {
            Switch::Smooth => self.playback.smooth,
            Switch::YDown => self.view.camera.y_down,
            Switch::InPlace => self.parts.view.in_place,
            Switch::Perspective => self.is_perspective(),
            Switch::ZUp => self.is_z_up(),
            switch => self.looking.is_on(switch),
        }
    }

    pub(crate) fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// Something that only the user knows.
    pub(crate) fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Files that the one on show is shown with.
    pub(crate) fn companions(&self) -> &Companions {
        &self.files.companions
    }

    /// What was done outside.
    pub(crate) fn said(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// What is being loaded.
    pub(crate) fn loading(&self) -> Option<&Source> {
        self.files.loading()
    }

    /// Why the file on show is not its newest version.
    pub(crate) fn note(&self) -> Option<&str> {
        self.files.note.as_deref()
    }

    /// How far that is.
    pub(crate) fn progress(&self) -> Option<Progress> {
        self.files.progress()
    }

    /// Place of the pointer over the picture, in screen pixels.
    pub(crate) fn pointer(&self) -> Option<[f64; 2]> {
        self.view.pointer
    }

    /// The files that hover over the window.
    pub(crate) fn hovering(&self) -> &[PathBuf] {
        self.files.hovering()
    }

    /// Position in the list of files of the one on show, and its length, if there are several.
    pub(crate) fn file_of(&self) -> Option<(usize, usize)> {
        self.files.shown()
    }

    /// The files to walk through, and the one of them that is on show.
    pub(crate) fn listed_files(&self) -> (&[PathBuf], Option<usize>) {
        self.files.list()
    }

    /// Seconds until the picture changes by itself; `None` when it does not.
    pub(crate) fn until_change(&self) -> Option<f64> {
        self.playback.until_change(self.timelines())
    }

    /// Another number than before when the picture may look otherwise than before.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// What was requested since the last call.
    pub(crate) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Carries out an action.
    pub(crate) fn apply(&mut self, action: Action) {
        let (name, gesture) = (action.name(), Self::gesture(&action));
        let before = self.before(&action);
        match action {
            Action::OpenDialog => self.requests.push(Request::OpenDialog),
            Action::OpenFolderDialog => self.requests.push(Request::OpenFolderDialog),
            Action::PastePath => self.requests.push(Request::PastePath),
            Action::BackgroundDialog => self.requests.push(Request::BackgroundDialog),
            Action::Screenshot { overlays } => {
                self.requests.push(Request::Screenshot { overlays });
            }
            Action::CopyPicture => self.requests.push(Request::CopyPicture),
            Action::CopyCommandLine => self.requests.push(Request::CopyCommandLine),
            Action::Quit => self.requests.push(Request::Quit),
            Action::Report(problem) => self.problem = Some(problem),
            Action::Say(text) => self.said = Some(visible(&text).into_owned()),
            Action::Unsay => self.said = None,
            Action::Dismiss => self.dismiss(),
            Action::Files(action) => self.on_files(action),
            Action::Playback(action) => self.on_playback(&action),
            Action::Camera(action) => self.on_camera(&action),
            Action::Parts(action) => self.on_parts(action),
            Action::Looking(action) => self.on_looking(action),
            Action::Page(action) => self.on_page(&action),
            Action::Curves(action) => self.on_curves(&action),
            Action::Toggle(switch) => self.toggle(switch),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Rest => self.steps.rest(),
        }
        if let Some(before) = before {
            self.did(before, name, gesture);
        }
        self.update_tracks();
    }

    /// Puts away the uppermost of what lies over the picture.
    fn dismiss(&mut self) {
        let over = [Switch::Palette, Switch::Keys];
        if let Some(open) = over.into_iter().find(|switch| self.is_on(*switch)) {
            self.apply(Action::Toggle(open));
        } else if self.question.take().is_some()
            || self.problem.take().is_some()
            || self.said.take().is_some()
        {
        } else if let Some(open) = [Switch::Findings, Switch::Atlas]
            .into_iter()
            .find(|switch| self.is_on(*switch))
        {
            self.apply(Action::Toggle(open));
        } else if self.is_on(Switch::FullScreen) {
            self.apply(Action::Toggle(Switch::FullScreen));
        } else {
            self.apply(Action::Parts(PartAction::ChooseNothing));
        }
    }

    /// The picture may look otherwise from now on.
    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Poses the frame that is to be shown.
    fn show(&mut self) {
        if let Some(model) = &mut self.model {
            let at = self.playback.frame_at(&model.loaded().timelines);
            model.show(at, &self.parts.view);
        }
        self.arrange_meshes();
        self.touch();
    }
}

#[cfg(test)]
mod companion_tests;
#[cfg(test)]
pub(in crate::viewer) mod curves_tests;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
pub(in crate::viewer) mod orbit_tests;
#[cfg(test)]
pub(in crate::viewer) mod page_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod undo_tests;
#[cfg(test)]
mod view_tests;
#[cfg(test)]
mod walk_tests;
