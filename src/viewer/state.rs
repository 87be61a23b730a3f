//! All that the window knows. Changed by [`State::apply`] alone; reads no clock, no file and no screen.

use std::path::PathBuf;

use super::action::Action;
use super::load::{LoadDone, LoadId, Loaded, Source};
use super::model::Model;
use super::options::ViewerOptions;
use super::order::{Direction, moved};
use super::playback::Playback;
use super::problem::Problem;
use super::start::Start;
use crate::document::{MeshId, Rule, Severity};
use crate::scene::{Bounds, Camera2d, MeshView, ViewOptions};

/// What the state wants from the world outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Load this, and answer with [`Action::Loaded`].
    Load(LoadId, Source),
    /// End the program.
    Quit,
}

/// The state of the window.
#[derive(Debug)]
pub(crate) struct State {
    model: Option<Model>,
    playback: Playback,
    view: ViewOptions,
    camera: Camera2d,
    /// Whether the camera follows the fit, as it does until it is moved.
    fitted: bool,
    bounds: Option<Bounds>,
    viewport: [u32; 2],
    background: Option<[u8; 4]>,
    files: Vec<PathBuf>,
    /// The file of the list that was asked for last; it may not have opened.
    file: usize,
    /// The file of the list that is on show.
    shown_file: usize,
    load: LoadId,
    loading: Option<Source>,
    /// What the command line asked for, until the first file is there.
    start: Option<Start>,
    problem: Option<Problem>,
    findings_open: bool,
    hovering: Option<PathBuf>,
    requests: Vec<Request>,
}

impl State {
    /// The state at the start: a load is requested, nothing is shown.
    pub(crate) fn new(options: &ViewerOptions) -> Self {
        let mut state = Self {
            model: None,
            playback: Playback {
                playing: !options.paused,
                smooth: options.smooth,
                speed: if options.speed > 0.0 && options.speed.is_finite() {
                    options.speed
                } else {
                    1.0
                },
                ..Playback::default()
            },
            view: ViewOptions::default(),
            camera: Camera2d {
                y_down: options.y_down,
                ..Camera2d::default()
            },
            fitted: true,
            bounds: None,
            viewport: [0; 2],
            background: options.background,
            files: options.files.clone(),
            file: 0,
            shown_file: 0,
            load: LoadId::default(),
            loading: None,
            start: Some(Start::new(options)),
            problem: None,
            findings_open: false,
            hovering: None,
            requests: Vec::new(),
        };
        match state.files.first() {
            Some(path) => state.request(Source::File(path.clone())),
            None => state.request(Source::Sample(options.sample)),
        }
        state
    }

    pub(crate) fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    pub(crate) fn playback(&self) -> &Playback {
        &self.playback
    }

    pub(crate) fn view(&self) -> &ViewOptions {
        &self.view
    }

    /// The wishes for one mesh.
    pub(crate) fn mesh_view(&self, mesh: MeshId) -> MeshView {
        self.view
            .meshes
            .get(mesh.index())
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn camera(&self) -> Camera2d {
        self.camera
    }

    /// Size of the picture in screen pixels.
    pub(crate) fn viewport(&self) -> [u32; 2] {
        self.viewport
    }

    pub(crate) fn background(&self) -> Option<[u8; 4]> {
        self.background
    }

    /// What is being loaded.
    pub(crate) fn loading(&self) -> Option<&Source> {
        self.loading.as_ref()
    }

    pub(crate) fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    pub(crate) fn findings_open(&self) -> bool {
        self.findings_open
    }

    /// The file that hovers over the window.
    pub(crate) fn hovering(&self) -> Option<&PathBuf> {
        self.hovering.as_ref()
    }

    /// Position in the list of files of the one on show, and its length, if there are several.
    pub(crate) fn file_of(&self) -> Option<(usize, usize)> {
        (self.files.len() > 1).then_some((self.shown_file, self.files.len()))
    }

    /// Seconds until the picture changes by itself; `None` when it does not.
    pub(crate) fn until_change(&self) -> Option<f64> {
        self.playback.until_change(self.model.as_ref()?.document())
    }

    /// What was requested since the last call.
    pub(crate) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Carries out an action.
    pub(crate) fn apply(&mut self, action: Action) {
        match action {
            Action::Open(paths) => self.open(paths),
            Action::NextFile => self.walk(1),
            Action::PreviousFile => self.walk(-1),
            Action::Loaded(done) => self.loaded(done),
            Action::Report(problem) => self.problem = Some(problem),
            Action::Dismiss => self.dismiss(),
            Action::ToggleFindings => self.findings_open = !self.findings_open,
            Action::Hover(path) => self.hovering = path,
            Action::Quit => self.requests.push(Request::Quit),
            Action::Viewport(size) => self.resize(size),
            Action::Pan(by) => {
                self.fitted = false;
                self.camera.pan(by);
            }
            Action::Zoom(factor, at) => {
                self.fitted = false;
                self.camera.zoom_about(factor, at, self.viewport);
            }
            Action::Fit => self.fit(),
            Action::YDown(y_down) => {
                self.camera.y_down = y_down;
                self.refit();
            }
            Action::Advance(_)
            | Action::Animation(_)
            | Action::TogglePlay
            | Action::Step(_)
            | Action::FirstFrame
            | Action::LastFrame
            | Action::Seek(_)
            | Action::Fps(_)
            | Action::Looping(_)
            | Action::Smooth(_)
            | Action::Bind(_) => self.play(&action),
            Action::ShowMesh(mesh, visible) => {
                self.override_mesh(mesh, |view| view.visible = visible);
            }
            Action::MoveMesh(mesh, direction) => self.move_mesh(mesh, direction),
            Action::ResetMesh(mesh) => self.override_mesh(mesh, |view| *view = MeshView::default()),
            Action::ResetMeshes => {
                self.view.meshes.clear();
                self.show();
            }
        }
    }

    fn open(&mut self, paths: Vec<PathBuf>) {
        self.hovering = None;
        if let Some(first) = paths.first() {
            self.request(Source::File(first.clone()));
            self.files = paths;
            self.file = 0;
        }
    }

    fn walk(&mut self, by: isize) {
        let to = self.file.checked_add_signed(by);
        if let Some((to, path)) = to.and_then(|to| Some((to, self.files.get(to)?.clone()))) {
            self.file = to;
            self.request(Source::File(path));
        }
    }

    fn request(&mut self, source: Source) {
        self.load = LoadId(self.load.0.wrapping_add(1));
        self.loading = Some(source.clone());
        self.requests.push(Request::Load(self.load, source));
    }

    fn loaded(&mut self, done: LoadDone) {
        if done.id != self.load {
            return; // something newer was opened meanwhile
        }
        self.loading = None;
        match done.result {
            // A bad file leaves everything as it is.
            Err(error) => self.problem = Some(Problem::of_load(&done.source, &error)),
            Ok(loaded) => {
                self.shown_file = self.file;
                self.problem = image_problem(&loaded);
                self.findings_open = false;
                self.view.meshes.clear();
                self.playback.fps = None;
                self.playback.looping = None;
                self.playback.seconds = 0.0;
                let mut model = Model::new(loaded, done.id.0, Default::default());
                self.playback.animation = model.default_animation();
                let start = self.start.take();
                if let Some(start) = &start {
                    let asked = start.apply(&mut model, &mut self.playback);
                    self.problem = asked.err().or(self.problem.take());
                }
                self.model = Some(model);
                self.fit();
                if let Some(start) = start.filter(Start::has_camera) {
                    start.place(&mut self.camera);
                    self.fitted = false;
                }
                self.show();
            }
        }
    }

    fn dismiss(&mut self) {
        if self.problem.take().is_none() {
            self.findings_open = false;
        }
    }

    fn play(&mut self, action: &Action) {
        let Some(model) = &mut self.model else {
            return;
        };
        let playback = &mut self.playback;
        let document = model.document();
        match action {
            Action::Advance(dt) => playback.advance(document, *dt),
            Action::Animation(id) => {
                playback.animation = Some(*id);
                playback.seconds = 0.0;
            }
            Action::TogglePlay => playback.toggle(document),
            Action::Step(frames) => playback.step(document, *frames),
            Action::FirstFrame => {
                playback.playing = false;
                playback.seek(document, 0.0);
            }
            Action::LastFrame => {
                playback.playing = false;
                playback.seek(document, f64::INFINITY);
            }
            Action::Seek(frames) => playback.seek(document, *frames),
            Action::Fps(fps) => playback.set_fps(document, *fps),
            Action::Looping(looping) => playback.looping = *looping,
            Action::Smooth(smooth) => playback.smooth = *smooth,
            Action::Bind(choice) => {
                model.set_bind(*choice);
                self.refit();
            }
            _ => {}
        }
        self.show();
    }

    fn resize(&mut self, size: [u32; 2]) {
        if size != self.viewport {
            self.viewport = size;
            self.place();
        }
    }

    /// Measures what is to be shown, and shows it whole.
    fn fit(&mut self) {
        self.fitted = true;
        self.refit();
    }

    /// Measures again if the camera follows the fit.
    fn refit(&mut self) {
        if let Some(model) = self.model.as_ref().filter(|_| self.fitted) {
            self.bounds = model.bounds(self.playback.animation, &self.view);
            self.place();
        }
    }

    fn place(&mut self) {
        if self.fitted && self.viewport.iter().all(|side| *side > 0) {
            self.camera = Camera2d::fit(self.bounds, self.viewport, self.camera.y_down);
        }
    }

    fn show(&mut self) {
        if let Some(model) = &mut self.model {
            let at = self.playback.at(model.document());
            model.show(at, &self.view);
        }
    }

    fn override_mesh(&mut self, mesh: MeshId, change: impl FnOnce(&mut MeshView)) {
        let Some(model) = &self.model else {
            return;
        };
        let count = model.document().meshes().len();
        self.view.meshes.resize(count, MeshView::default());
        if let Some(view) = self.view.meshes.get_mut(mesh.index()) {
            change(view);
        }
        self.show();
    }

    fn move_mesh(&mut self, mesh: MeshId, direction: Direction) {
        let Some(model) = &self.model else {
            return;
        };
        let with_order = |id: &MeshId| (*id, model.scene().z_order(*id).unwrap_or(0.0));
        let back_to_front: Vec<_> = model.rows().iter().rev().map(with_order).collect();
        for (id, z_order) in moved(&back_to_front, mesh, direction) {
            self.override_mesh(id, |view| view.z_order = Some(z_order));
        }
    }
}

/// An image that does not decode does not keep the file from being shown, but it is said.
fn image_problem(loaded: &Loaded) -> Option<Problem> {
    let serious = |rule: Rule| rule.severity() == Severity::Error;
    let mut errors = loaded.image_findings.iter().filter(|f| serious(f.rule));
    let first = errors.next()?;
    let title = format!("{}: an image cannot be shown", loaded.source.name());
    let more = errors.count().try_into().unwrap_or(u64::MAX);
    Some(Problem::of_finding(title, first, more))
}

#[cfg(test)]
mod tests;
