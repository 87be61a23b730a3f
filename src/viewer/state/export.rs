//! The export dialog, its choices, and the export under way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::image::Pixels;
use pchr::scene::Bounds;
use pchr_tools::file_name;
use pchr_tools::view::element_names;

use super::{Request, State};
use crate::viewer::action::{ExportAction, ExportEvent, Message};
use crate::viewer::export_choices::{
    ExportChoices, ExportDone, ExportFormat, ExportPart, ExportPreset, ExportView, InBytes,
};
use crate::viewer::model::Model;
use crate::viewer::problem::Problem;
use crate::viewer::screenshot::{ScreenshotChoices, ShotFrame};
use crate::viewer::settings::{ExportMemory, ViewerSettings};
use crate::viewer::switch::Switch;

/// Exports of the window.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    /// True while the dialog is open.
    pub(crate) is_open: bool,
    /// The format that is chosen.
    pub(crate) format: ExportFormat,
    /// Choices of each format that has any.
    choices: BTreeMap<ExportFormat, ExportChoices>,
    /// Folder of the files; `None` for that of screenshots.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) presets: Vec<ExportPreset>,
    pub(crate) screenshot: ScreenshotChoices,
    /// Choices of a preset, until another format is chosen or one of them is changed. They are not remembered for the format.
    preset: Option<ExportChoices>,
    /// The view when the dialog was opened, or the file was read again.
    pub(crate) view: Option<ExportView>,
    /// Problem of the last export.
    failure: Option<Problem>,
    /// The export under way, or the preview of one.
    pub(crate) job: Option<ExportProgress>,
    /// Number of exports so far.
    count: u64,
}

/// An export under way. The file is made in a temporary folder; it takes its place when it is wanted.
#[derive(Debug, Default)]
pub(crate) struct ExportProgress {
    pub(crate) id: u64,
    /// Path that it gets, as soon as that is known.
    pub(crate) path: Option<PathBuf>,
    /// Pictures that were drawn, and all; 0 before that is known.
    pub(crate) drawn: [usize; 2],
    /// Bytes that the files will have, about.
    pub(crate) bytes: Option<u64>,
    /// Pictures by their number, as far as there is memory for them.
    pub(crate) pictures: Vec<Option<Arc<Pixels>>>,
    /// Size of the pictures in the file.
    pub(crate) size: Option<[u32; 2]>,
    /// Id of the export that the pictures are of: that before this one until there are new ones.
    pub(crate) pictured: u64,
    /// Choices that were lowered to keep to the largest size of a file.
    pub(crate) lowered: Option<ExportChoices>,
    pub(crate) result: Option<Result<ExportDone, Problem>>,
    /// True once it is to be kept.
    pub(crate) is_wanted: bool,
}

impl Exports {
    pub(super) fn new(settings: &ViewerSettings) -> Self {
        let memory = &settings.memory.export;
        let own = &settings.config.exports;
        let is_own = |usual: &ExportPreset| own.iter().any(|preset| preset.name == usual.name);
        let mut presets = ExportPreset::usual();
        presets.retain(|usual| !is_own(usual));
        presets.extend(own.iter().cloned());
        Self {
            format: memory.format,
            choices: memory.choices.iter().map(|(of, it)| (*of, it.clamped())).collect(),
            folder: memory.folder.clone(),
            presets,
            screenshot: settings.memory.screenshot.clamped(),
            ..Self::default()
        }
    }

    /// Returns the choices of the chosen format.
    pub(crate) fn choices(&self) -> ExportChoices {
        let own = self.preset.or_else(|| self.choices.get(&self.format).copied());
        own.unwrap_or(self.format.usual())
    }

    /// Returns the settings to remember for the next run.
    pub(crate) fn memory(&self) -> ExportMemory {
        ExportMemory {
            format: self.format,
            folder: self.folder.clone(),
            choices: self.choices.clone(),
        }
    }

    /// Returns the export that is wanted and not finished yet.
    pub(crate) fn under_way(&self) -> Option<&ExportProgress> {
        self.job.as_ref().filter(|job| job.is_wanted)
    }
}

impl State {
    pub(crate) fn exports(&self) -> &Exports {
        &self.exports
    }

    /// Returns the view to export; `None` if nothing is open.
    pub(crate) fn export_view(&self) -> Option<ExportView> {
        let model = self.model.as_ref()?;
        let (shown, playing) = self.session();
        let clip = self.player.clip.animation;
        let name = model.loaded().name();
        Some(ExportView {
            shown,
            playing,
            clip: clip.map(|id| element_names::animation(model.subject(), id)),
            stem: file_name::stem(Path::new(&name)),
            is_bare: self.is_bare() || model.subject().spatial().is_some(),
        })
    }

    /// Returns the picture that a screenshot is.
    pub(crate) fn shot_frame(&self, has_overlays: bool) -> ShotFrame {
        let choices = self.exports.screenshot;
        let model = self.model.as_ref().filter(|_| choices.cropped);
        let content = model.and_then(|model| model.bounds_now(&self.parts.view));
        let other = self.comparison().filter(|_| choices.cropped);
        let other = other.and_then(|now| now.shown()?.bounds_now(&now.view));
        let content = content.into_iter().chain(other).reduce(Bounds::union);
        choices.frame(self.view.size, self.scene_camera(), content, has_overlays)
    }

    pub(crate) fn can_export(&self, part: ExportPart) -> bool {
        let subject = self.model.as_ref().map(Model::subject);
        let any = subject.is_some_and(|subject| subject.default_animation().is_some());
        match part {
            ExportPart::Frame => true,
            ExportPart::Clip | ExportPart::All => any,
            ExportPart::Section => any && self.player.clip.section.is_some(),
        }
    }

    pub(super) fn on_export(&mut self, action: ExportAction) {
        match action {
            ExportAction::ChooseScreenshot(choices) => {
                self.exports.screenshot = choices.clamped();
                self.requests.push(Request::Remember);
            }
            ExportAction::Dialog if self.exports.is_open => self.close_export(),
            ExportAction::Dialog if self.model.is_none() => self.say("Nothing is open"),
            ExportAction::Dialog => {
                self.turn_off(Switch::Preview); // there is no room for it
                for over in [Switch::Palette, Switch::Keys] {
                    self.looking.set(over, false); // they would keep the keyboard
                }
                self.exports.is_open = true;
                self.exports.view = self.export_view();
                if self.exports.under_way().is_none() {
                    self.preview();
                }
            }
            ExportAction::Choose(format, choices) => {
                self.exports.format = format;
                self.exports.preset = None;
                if let Some(choices) = choices {
                    self.exports.choices.insert(format, choices.clamped());
                }
                self.preview();
            }
            ExportAction::Preset(index) => {
                if let Some(preset) = self.exports.presets.get(index) {
                    self.exports.format = preset.format;
                    self.exports.preset = Some(preset.choices.clamped());
                    self.preview();
                }
            }
            ExportAction::Folder(folder) => {
                self.exports.folder = Some(folder);
                self.requests.push(Request::Remember);
                // The dialog of the system may outlast that of exports.
                if self.exports.is_open && self.exports.under_way().is_none() {
                    self.preview();
                }
            }
            ExportAction::Start => self.start_export(),
            ExportAction::Cancel => {
                if let Some(job) = &mut self.exports.job {
                    job.is_wanted = false;
                }
                self.close_export();
            }
            ExportAction::Event(id, event) => {
                if self.exports.job.as_ref().is_some_and(|job| job.id == id) {
                    self.on_export_event(event);
                }
            }
            outside => self.requests.push(Request::Export(outside)),
        }
    }

    /// Closes the dialog. An export that is wanted goes on.
    pub(super) fn close_export(&mut self) {
        self.exports.is_open = false;
        if self.exports.under_way().is_none() {
            self.exports.job = None;
            self.requests.push(Request::Export(ExportAction::Stop));
        }
    }

    /// Begins to make the file of the choices.
    fn preview(&mut self) {
        let part = self.exports.choices().part;
        if !self.can_export(part) {
            let other = ExportPart::ALL.into_iter().skip(1).find(|part| self.can_export(*part));
            let part = other.unwrap_or(ExportPart::Frame);
            let choices = ExportChoices { part, ..self.exports.choices() };
            self.exports.preset = Some(choices);
        }
        self.exports.count = self.exports.count.wrapping_add(1);
        let id = self.exports.count;
        let before = self.exports.job.take();
        let (pictures, pictured) =
            before.map_or((Vec::new(), id), |job| (job.pictures, job.pictured));
        self.exports.job = Some(ExportProgress { id, pictures, pictured, ..Default::default() });
        self.requests.push(Request::Export(ExportAction::Make(id)));
    }

    fn start_export(&mut self) {
        let Some(job) = &mut self.exports.job else { return };
        match &job.result {
            Some(Err(_)) => return, // the dialog says why
            Some(Ok(_)) => self.requests.push(Request::Export(ExportAction::Write)),
            None => {}
        }
        job.is_wanted = true;
        job.pictures.clear();
        self.exports.is_open = false;
        let failure = self.exports.failure.take();
        self.problem = self.problem.take().filter(|problem| Some(problem) != failure.as_ref());
        self.requests.push(Request::Remember);
    }

    fn on_export_event(&mut self, event: ExportEvent) {
        let Some(job) = &mut self.exports.job else { return };
        match event {
            ExportEvent::Named(path) => job.path = Some(path),
            ExportEvent::Progress(drawn, bytes) => (job.drawn, job.bytes) = (drawn, bytes),
            ExportEvent::Picture(number, pixels, size) => {
                job.size = Some(size);
                if job.pictured != job.id {
                    job.pictured = job.id;
                    job.pictures.clear();
                }
                if !job.is_wanted {
                    let length = job.pictures.len().max(number.saturating_add(1));
                    job.pictures.resize(length, None);
                    if let Some(place) = job.pictures.get_mut(number) {
                        *place = Some(pixels);
                    }
                }
            }
            ExportEvent::Again(choices) => {
                job.lowered = Some(choices);
                job.pictures.clear();
            }
            ExportEvent::Done(result) => match (result, job.is_wanted) {
                (Err(problem), true) => self.end_export(Err(problem)),
                (result, is_wanted) => {
                    job.result = Some(result);
                    if is_wanted {
                        self.requests.push(Request::Export(ExportAction::Write));
                    }
                }
            },
            ExportEvent::Written(result) => {
                let done = job.result.as_ref().and_then(|done| done.as_ref().ok());
                let (bytes, lowered) = (done.map_or(0, |done| done.bytes), job.lowered);
                self.end_export(result.map(|path| (path, bytes, lowered)));
            }
        }
    }

    /// Ends an export, and closes its progress. Says where its file is, or what went wrong.
    fn end_export(&mut self, result: Result<(PathBuf, u64, Option<ExportChoices>), Problem>) {
        self.exports.job = None;
        self.exports.is_open = false;
        self.exports.failure = result.as_ref().err().cloned();
        let (path, bytes, lowered) = match result {
            Ok(exported) => exported,
            Err(problem) => return self.problem = Some(problem),
        };
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut text = format!("Exported {name}, {}", InBytes(bytes));
        if let Some(lowered) = lowered {
            text = format!("{text} ({})", in_words(&lowered));
        }
        let most = self.exports.choices().max_bytes;
        if let Some(most) = most.filter(|most| bytes > *most) {
            text = format!("{text}, more than {}", InBytes(most));
        }
        self.said = Some(Message::of_export(text));
        self.saved = Some(path);
    }

    /// Makes the export again after the open file was reloaded.
    pub(super) fn export_again(&mut self) {
        if self.exports.is_open && self.exports.under_way().is_none() {
            self.exports.view = self.export_view();
            self.preview();
        }
    }

    /// Returns the number of pictures and their rate, once the file is made.
    pub(crate) fn export_length(&self) -> Option<(usize, Option<f64>)> {
        match &self.exports.job.as_ref()?.result {
            Some(Ok(done)) => Some((done.pictures, done.rate)),
            _ => None,
        }
    }
}

pub(crate) fn in_words(choices: &ExportChoices) -> String {
    match choices.fps {
        Some(fps) => format!("at {} %, {fps} fps", choices.scale),
        None => format!("at {} %", choices.scale),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::open;
    use super::*;
    use crate::viewer::action::{Action, PlaybackAction};
    use crate::viewer::export_choices::ExportDone;

    const DONE: ExportDone = ExportDone { pictures: 10, rate: Some(10.0), bytes: 1_234, files: 1 };

    /// Exports that are requested since the last call.
    fn requested(state: &mut State) -> Vec<ExportAction> {
        let exports = state.take_requests().into_iter().filter_map(|request| match request {
            Request::Export(export) => Some(export),
            _ => None,
        });
        exports.collect()
    }

    fn apply(state: &mut State, action: ExportAction) -> Vec<ExportAction> {
        let _ = state.take_requests();
        state.apply(action);
        requested(state)
    }

    fn happens(state: &mut State, id: u64, event: ExportEvent) -> Vec<ExportAction> {
        apply(state, ExportAction::Event(id, event))
    }

    #[test]
    fn a_choice_makes_the_file_anew_and_exporting_keeps_it() {
        let mut state = open();
        assert_eq!(apply(&mut state, ExportAction::Dialog), [ExportAction::Make(1)]);
        let choices = ExportChoices { scale: 50, ..state.exports().choices() };
        let choose = ExportAction::Choose(ExportFormat::Webp, Some(choices));
        assert_eq!(apply(&mut state, choose), [ExportAction::Make(2)]);
        // What the first one still says does not matter.
        happens(&mut state, 1, ExportEvent::Done(Ok(DONE)));
        assert_eq!(state.exports().job.as_ref().unwrap().result, None);
        happens(&mut state, 2, ExportEvent::Done(Ok(DONE)));
        assert_eq!(state.export_length(), Some((10, Some(10.0))));
        assert_eq!(apply(&mut state, ExportAction::Start), [ExportAction::Write]);
        assert!(!state.exports().is_open);
        happens(&mut state, 2, ExportEvent::Written(Ok("/pictures/hero.webp".into())));
        let said = state.said().unwrap();
        assert_eq!(said.text, "Exported hero.webp, 1.2 KB");
        let offers: Vec<_> = said.offers.iter().map(Action::name).collect();
        assert_eq!(offers, ["Show in folder", "Copy file", "Copy command"]);
        assert_eq!(state.exports().memory().choices[&ExportFormat::Webp].scale, 50);
        assert!(state.exports().job.is_none());
    }

    #[test]
    fn an_export_goes_on_without_the_dialog_until_it_is_cancelled_and_escape_ends_what_is_unwanted()
    {
        let mut state = open();
        apply(&mut state, ExportAction::Dialog);
        assert_eq!(apply(&mut state, ExportAction::Start), []);
        assert_eq!(state.exports().under_way().map(|job| job.id), Some(1));
        // The dialog shows the progress of it, and makes nothing else.
        assert_eq!(apply(&mut state, ExportAction::Dialog), []);
        state.apply(Action::Dismiss);
        assert_eq!(requested(&mut state), []);
        assert_eq!(happens(&mut state, 1, ExportEvent::Done(Ok(DONE))), [ExportAction::Write]);
        assert_eq!(apply(&mut state, ExportAction::Cancel), [ExportAction::Stop]);
        assert!(state.exports().job.is_none());
        // Escape ends what is not wanted.
        apply(&mut state, ExportAction::Dialog);
        state.apply(Action::Dismiss);
        assert_eq!(requested(&mut state), [ExportAction::Stop]);
        assert!(!state.exports().is_open && state.exports().job.is_none());
    }

    #[test]
    fn a_preset_does_not_change_what_is_remembered_and_a_part_that_does_not_exist_is_another_one() {
        let mut state = open();
        state.apply(ExportAction::Dialog);
        let index = state.exports().presets.iter().position(|preset| preset.name == "Picture");
        state.apply(ExportAction::Preset(index.unwrap()));
        assert_eq!(state.exports().format, ExportFormat::Png);
        assert_eq!(state.exports().choices().part, ExportPart::Frame);
        assert!(state.exports().memory().choices.is_empty());
        state.apply(ExportAction::Choose(ExportFormat::Png, None));
        assert_eq!(state.exports().choices().part, ExportPart::Clip);
        // A part that does not exist is another one.
        let part = ExportPart::Section;
        for (section, shown) in [(None, ExportPart::Clip), (Some([2, 5]), part)] {
            state.apply(PlaybackAction::Section(section));
            let choices = ExportChoices { part, ..ExportChoices::default() };
            state.apply(ExportAction::Choose(ExportFormat::Gif, Some(choices)));
            assert_eq!(state.exports().choices().part, shown);
        }
    }

    #[test]
    fn the_dialog_shows_the_moment_at_which_it_was_opened_and_closes_the_palette() {
        let mut state = open();
        state.apply(Action::Toggle(Switch::Palette));
        state.apply(PlaybackAction::Seek(3.0));
        state.apply(ExportAction::Dialog);
        assert!(!state.is_on(Switch::Palette));
        let view = state.exports().view.clone().unwrap().shown;
        state.apply(PlaybackAction::Seek(5.0));
        state.apply(ExportAction::Choose(ExportFormat::Png, None));
        assert_eq!(state.exports().view.clone().unwrap().shown, view);
        let id = state.exports().job.as_ref().unwrap().id;
        // The file is read again.
        state.export_again();
        assert_ne!(state.exports().view.clone().unwrap().shown, view);
        assert_ne!(state.exports().job.as_ref().unwrap().id, id);
    }

    #[test]
    fn a_failure_is_said_where_one_looks() {
        let mut state = open();
        let problem = Problem::new("This cannot be exported", "why");
        apply(&mut state, ExportAction::Dialog);
        happens(&mut state, 1, ExportEvent::Done(Err(problem.clone())));
        assert_eq!(state.problem(), None);
        assert_eq!(apply(&mut state, ExportAction::Start), []);
        assert!(state.exports().is_open);
        apply(&mut state, ExportAction::Choose(ExportFormat::Gif, None));
        apply(&mut state, ExportAction::Start);
        happens(&mut state, 2, ExportEvent::Done(Err(problem.clone())));
        assert_eq!(state.problem(), Some(&problem));
        // It goes with the next export; another problem stays.
        let other = Problem::new("Another", "why");
        for (shown, left) in [(problem, None), (other.clone(), Some(&other))] {
            state.apply(Action::Report(shown));
            apply(&mut state, ExportAction::Dialog);
            apply(&mut state, ExportAction::Start);
            assert_eq!(state.problem(), left);
            apply(&mut state, ExportAction::Cancel);
        }
    }
}
