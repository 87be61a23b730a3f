//! What is open, and what is being opened.

use std::path::PathBuf;

use super::{Request, State};
use crate::document::{Rule, Severity};
use crate::viewer::action::Action;
use crate::viewer::load::{LoadDone, LoadId, Loaded, Source};
use crate::viewer::model::Model;
use crate::viewer::options::ViewerOptions;
use crate::viewer::problem::Problem;
use crate::viewer::start::Start;
use crate::viewer::switch::Switch;

/// The list of files, and the load that is under way.
#[derive(Debug)]
pub(super) struct Files {
    sample: &'static [u8],
    list: Vec<PathBuf>,
    /// The file of the list that was asked for last; it may not have opened.
    asked: usize,
    /// The file of the list that is on show.
    shown: usize,
    pub(super) load: LoadId,
    loading: Option<Source>,
    /// What the command line asked for, until the first file is there.
    start: Option<Start>,
    hovering: Option<PathBuf>,
}

impl Files {
    pub(super) fn new(options: &ViewerOptions) -> Self {
        Self {
            sample: options.sample,
            list: options.files.clone(),
            asked: 0,
            shown: 0,
            load: LoadId::default(),
            loading: None,
            start: Some(Start::new(options)),
            hovering: None,
        }
    }

    pub(super) fn loading(&self) -> Option<&Source> {
        self.loading.as_ref()
    }

    pub(super) fn recent(&self) -> &[PathBuf] {
        &[]
    }

    pub(super) fn hovering(&self) -> Option<&PathBuf> {
        self.hovering.as_ref()
    }

    pub(super) fn shown(&self) -> Option<(usize, usize)> {
        (self.list.len() > 1).then_some((self.shown, self.list.len()))
    }
}

impl State {
    /// Asks for the first file, or for the sample.
    pub(super) fn open_first(&mut self) {
        match self.files.list.first() {
            Some(path) => self.request(Source::File(path.clone())),
            None => self.request(Source::Sample(self.files.sample)),
        }
    }

    pub(super) fn on_files(&mut self, action: Action) {
        match action {
            Action::Open(paths) => self.open(paths),
            Action::OpenSample => {
                self.files.list.clear();
                self.open_first();
            }
            Action::NextFile => self.walk(1),
            Action::PreviousFile => self.walk(-1),
            Action::Loaded(done) => self.loaded(done),
            Action::Hover(path) => self.files.hovering = path,
            _ => {}
        }
    }

    fn open(&mut self, paths: Vec<PathBuf>) {
        self.files.hovering = None;
        if let Some(first) = paths.first() {
            self.request(Source::File(first.clone()));
            self.files.list = paths;
            self.files.asked = 0;
        }
    }

    /// Shows a neighbour in the list; without a list the picture moves instead.
    fn walk(&mut self, by: i8) {
        if self.files.list.len() < 2 {
            return self.apply(Action::Nudge([by, 0]));
        }
        let to = self.files.asked.checked_add_signed(by.into());
        if let Some((to, path)) = to.and_then(|to| Some((to, self.files.list.get(to)?.clone()))) {
            self.files.asked = to;
            self.request(Source::File(path));
        }
    }

    fn request(&mut self, source: Source) {
        let load = LoadId(self.files.load.0.wrapping_add(1));
        self.files.load = load;
        self.files.loading = Some(source.clone());
        self.requests.push(Request::Load(load, source));
    }

    fn loaded(&mut self, done: LoadDone) {
        if done.id != self.files.load {
            return; // something newer was opened meanwhile
        }
        self.files.loading = None;
        match done.result {
            // A bad file leaves everything as it is.
            Err(error) => self.problem = Some(Problem::of_load(&done.source, &error)),
            Ok(loaded) => {
                self.files.shown = self.files.asked;
                self.problem = image_problem(&loaded);
                self.looking.set(Switch::Findings, false);
                self.parts = Default::default();
                let mut model = Model::new(loaded, done.id.0, Default::default());
                self.playback.open(model.default_animation());
                let start = self.files.start.take();
                if let Some(start) = &start {
                    let asked = start.apply(&mut model, &mut self.playback);
                    self.problem = asked.err().or(self.problem.take());
                }
                self.model = Some(model);
                self.fit();
                if let Some(start) = start.filter(Start::has_camera) {
                    start.place(&mut self.view.camera);
                    self.view.fitted = false;
                }
                self.show();
            }
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
