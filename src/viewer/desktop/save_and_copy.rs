//! Saves and copies what the window shows: screenshots, exports and sessions to files, pictures and the command that captures them to
//! the clipboard.

use std::borrow::Cow;
#[cfg(target_os = "linux")]
use std::error::Error;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{fs, io};

use winit::event_loop::EventLoopProxy;
#[cfg(target_os = "linux")]
use winit::window::Window;

use pchr::image::{Effort, Pixels, encode_png};
use pchr::overlay::{Layer, OverlayOptions};
use pchr_tools::capture::Finish;
use pchr_tools::file_name;
use pchr_tools::open::Openers;
use pchr_tools::session::{self, Session};
use pchr_tools::stage::Layout;
use pchr_tools::text::shell::line;
use pchr_tools::view::{self, Shown};

#[cfg(target_os = "linux")]
use super::drag_and_drop::{Drag, x11_id};
use super::events;
use super::events::Posted;
#[cfg(target_os = "linux")]
use super::export_job::MadeExport;
use super::export_job::{ExportRequest, ExportRun, ExportSource, builder};
use super::graphics::Graphics;
use crate::viewer::action::{Action, ExportAction, ExportEvent, FileAction, Message};
use crate::viewer::command_line::{ViewerOptions, picture_words, window_words};
use crate::viewer::compare::CompareMode;
use crate::viewer::loaded::Source;
use crate::viewer::problem::Problem;
use crate::viewer::state::State;

/// Time that the end of the program waits for an export to end, at most.
const CLOSING: Duration = Duration::from_secs(5);
/// Number of names that a screenshot tries before it gives up.
const MOST: u32 = 10_000;

/// Exporter of pictures and commands.
pub(crate) struct Export {
    proxy: EventLoopProxy<Posted>,
    /// Clipboard, opened on first use. On some systems copied content lives only as long as this value.
    clipboard: Option<arboard::Clipboard>,
    folder: Option<PathBuf>,
    /// Name of the backend, as requested.
    backend: Option<String>,
    adapter: Option<String>,
    allow_outside: bool,
    openers: Openers,
    /// The export that is being made.
    making: Option<ExportRun>,
    /// Thread of one that was stopped.
    ending: Option<JoinHandle<()>>,
    /// Exports that were dragged to other programs, which may read them until this one ends.
    #[cfg(target_os = "linux")]
    dragged: Vec<Arc<MadeExport>>,
    #[cfg(target_os = "linux")]
    drag: Option<Drag>,
    /// Window on X11.
    #[cfg(target_os = "linux")]
    window: Option<u32>,
    /// The last export that was made, and its command.
    exported: Option<(Vec<PathBuf>, Option<Vec<String>>)>,
}

impl Export {
    /// Creates an exporter. Screenshots go to `folder` instead of the system's folder for pictures.
    pub(crate) fn new(
        proxy: EventLoopProxy<Posted>,
        folder: Option<PathBuf>,
        options: &ViewerOptions,
    ) -> Self {
        Self {
            proxy,
            clipboard: None,
            folder,
            backend: options.gpu.backend.map(|backend| backend.to_string()),
            adapter: options.gpu.adapter.clone(),
            allow_outside: options.allow_outside,
            openers: options.openers,
            making: None,
            ending: None,
            #[cfg(target_os = "linux")]
            dragged: Vec::new(),
            #[cfg(target_os = "linux")]
            drag: None,
            #[cfg(target_os = "linux")]
            window: None,
            exported: None,
        }
    }

    /// Exports from this window from now on.
    #[cfg(target_os = "linux")]
    pub(crate) fn set_window(&mut self, window: &Window) {
        self.window = x11_id(window);
    }

    /// Exports it, and reports the result.
    pub(crate) fn run(&mut self, export: ExportAction, graphics: &mut Graphics, state: &State) {
        match export {
            ExportAction::Screenshot { overlays } => self.screenshot(overlays, graphics, state),
            ExportAction::Session => match self.save_session(graphics, state) {
                Ok((path, session)) => {
                    let saved = FileAction::SessionSaved(path, Box::new(session));
                    post(&self.proxy, Action::Files(saved));
                }
                Err(problem) => post(&self.proxy, Action::Report(problem)),
            },
            ExportAction::CopyPicture => {
                let said = shot(true, graphics, state).and_then(|shot| self.copy_picture(shot));
                self.say(Message::new("The picture was copied"), said);
            }
            ExportAction::CopyCommandLine => {
                let command = self.command(graphics, state);
                let said = command.and_then(|words| self.copy_words(&words));
                let is_blinking = state.compare_mode() == Some(CompareMode::Blink);
                let done = match is_blinking {
                    true => {
                        "The command was copied. It draws both files in one picture, which cannot blink."
                    }
                    false => "The command was copied",
                };
                self.say(Message::new(done), said);
            }
            ExportAction::CopyWindowCommand => {
                let command = self.window_command(state);
                let said = command.and_then(|words| self.copy_words(&words));
                self.say(Message::new("The command was copied"), said);
            }
            ExportAction::Make(id) => self.make(id, graphics, state),
            ExportAction::Stop => self.stop(),
            ExportAction::Write => self.write(state),
            #[cfg(target_os = "linux")] // elsewhere no panel offers it
            ExportAction::Drag => {
                if let Err(problem) = self.drag() {
                    post(&self.proxy, Action::Report(problem));
                }
            }
            ExportAction::CopyFile => {
                let said = self.copy_file();
                self.say(Message::of_export("The file was copied"), said);
            }
            ExportAction::CopyExport => {
                let said = self.copy_export();
                self.say(Message::of_export("The command was copied"), said);
            }
            _ => {} // the state carries out the others
        }
    }

    /// Makes the file of the choices in the dialog.
    fn make(&mut self, id: u64, graphics: &Graphics, state: &State) {
        let Some(mut view) = state.exports().view.clone() else { return };
        let has_background = view.shown.background.is_some();
        view.shown = as_drawn(view.shown, graphics, state);
        // Behind an export the checkerboard of the window would only be in the way.
        view.shown.background = view.shown.background.filter(|_| has_background);
        let loaded = state.model().map(|model| model.loaded());
        let source = match loaded.map(|loaded| &loaded.source) {
            Some(Source::Sample(bytes)) => Ok(ExportSource::Sample(bytes)),
            _ if state.layout().is_some() => Ok(ExportSource::Stage(Box::new(Session {
                stage: playable(state),
                allow_outside: self.allows_outside(state),
                ..Session::default()
            }))),
            _ => open_file(state, "This cannot be exported")
                .map(|file| ExportSource::File(file, self.allows_outside(state))),
        };
        let exports = state.exports();
        let source = match source {
            Ok(source) => source,
            Err(problem) => {
                let event = ExportEvent::Done(Err(problem));
                return post(&self.proxy, Action::Export(ExportAction::Event(id, event)));
            }
        };
        let request = ExportRequest {
            id,
            view,
            source,
            format: exports.format,
            choices: exports.choices(),
            folder: exports.folder.clone().unwrap_or_else(|| self.folder()),
            openers: self.openers,
        };
        self.stop();
        let (proxy, after) = (self.proxy.clone(), self.ending.take());
        self.making = Some(ExportRun::start(request, after, move |action| post(&proxy, action)));
    }

    /// Ends what is being made, before the program ends.
    pub(crate) fn close(&mut self) {
        self.stop();
        let (start, ending) = (Instant::now(), self.ending.take());
        let is_at_work = |thread: &JoinHandle<()>| !thread.is_finished();
        while ending.as_ref().is_some_and(is_at_work) && start.elapsed() < CLOSING {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Drags the files that were made out of the window.
    #[cfg(target_os = "linux")]
    fn drag(&mut self) -> Result<(), Problem> {
        let Some(made) = self.making.as_ref().and_then(ExportRun::made) else { return Ok(()) };
        let title = "The export cannot be dragged out of the window";
        let no_x11 = || {
            Problem::new(title, "Only windows on X11 can do that. Export the file, then copy it.")
        };
        let window = self.window.ok_or_else(no_x11)?;
        let proxy = self.proxy.clone();
        let failed = move |error: Box<dyn Error>| {
            post(&proxy, Action::Report(Problem::new(title, error.to_string())));
        };
        self.drag = Some(Drag::start(&made.made(), window, failed)?);
        self.dragged.push(made);
        Ok(())
    }

    fn stop(&mut self) {
        #[cfg(target_os = "linux")]
        drop(self.drag.take());
        if let Some(run) = self.making.take() {
            self.ending = run.stop();
        }
    }

    /// Gives the file that was made its name and place.
    fn write(&mut self, state: &State) {
        let made = self.making.take().and_then(|run| run.made());
        let id = state.exports().job.as_ref().map(|job| job.id);
        let Some((made, id)) = made.zip(id) else { return };
        let proxy = self.proxy.clone();
        self.exported = Some((made.placed(), made.words.clone()));
        let event = move |result| {
            let event = ExportEvent::Written(result);
            post(&proxy, Action::Export(ExportAction::Event(id, event)));
        };
        let refused = event.clone();
        // Copying takes long on some disks.
        if let Err(problem) = events::start(move || event(made.write())) {
            refused(Err(problem));
        }
    }

    fn copy_file(&mut self) -> Result<(), Problem> {
        let (paths, _) = self.exported.clone().ok_or_else(nothing_exported)?;
        self.copy(|clipboard| clipboard.set().file_list(&paths))
    }

    fn copy_export(&mut self) -> Result<(), Problem> {
        let (_, words) = self.exported.as_ref().ok_or_else(nothing_exported)?;
        let why = "The sample is built in; of a stage, capture the saved session.";
        let words = words.clone().ok_or_else(|| Problem::new("No command for this file", why))?;
        self.copy_words(&words)
    }

    fn copy_words(&mut self, words: &[String]) -> Result<(), Problem> {
        self.copy(|clipboard| clipboard.set_text(line(words)))
    }

    fn screenshot(&self, overlays: bool, graphics: &mut Graphics, state: &State) {
        let title = "The screenshot could not be taken";
        let taken = shot(overlays, graphics, state);
        let (folder, stem, proxy) = (self.folder(), stem(state), self.proxy.clone());
        // Encoding and writing take long for a large window.
        let started = events::start(move || {
            let written = taken.and_then(|shot| {
                write(&folder, &stem, shot)
                    .map_err(|error| Problem::new(title, format!("{}: {error}", folder.display())))
            });
            post(&proxy, written.map_or_else(Action::Report, Action::Saved));
        });
        if let Err(problem) = started {
            post(&self.proxy, Action::Report(problem));
        }
    }

    fn folder(&self) -> PathBuf {
        let folders = directories::UserDirs::new();
        let pictures = || {
            let folders = folders.as_ref()?;
            let pictures = folders.picture_dir().map(Path::to_owned);
            Some(pictures.unwrap_or_else(|| folders.home_dir().to_owned()))
        };
        let named = || named_folder(std::env::var_os("XDG_PICTURES_DIR"));
        let folder = self.folder.clone().or_else(named).or_else(pictures);
        folder.unwrap_or_else(|| PathBuf::from("."))
    }

    /// Puts something on the clipboard.
    fn copy(
        &mut self,
        put: impl FnOnce(&mut arboard::Clipboard) -> Result<(), arboard::Error>,
    ) -> Result<(), Problem> {
        let put = match &mut self.clipboard {
            Some(clipboard) => put(clipboard),
            None => arboard::Clipboard::new().and_then(|made| put(self.clipboard.insert(made))),
        };
        put.map_err(|error| Problem::new("The clipboard cannot be written", error.to_string()))
    }

    fn copy_picture(&mut self, shot: Screenshot) -> Result<(), Problem> {
        let pixels = shot.finished();
        let image = arboard::ImageData {
            width: pixels.width as usize,
            height: pixels.height as usize,
            bytes: Cow::Owned(pixels.rgba),
        };
        self.copy(|clipboard| clipboard.set_image(image))
    }

    /// Returns the command that captures the picture in the window.
    fn command(&self, graphics: &Graphics, state: &State) -> Result<Vec<String>, Problem> {
        let title = "No command for this picture";
        let file = open_file(state, title)?;
        let mut shown = as_drawn(state.shown(), graphics, state);
        // A capture has no background anyway.
        let is_none = shown.background == Some(view::Background::Transparent);
        shown.background = shown.background.filter(|_| !is_none);
        check_stage(state, &shown, title)?;
        let device = [self.backend.as_deref(), self.adapter.as_deref()];
        Ok(picture_words(&file, shown, device, self.allows_outside(state)))
    }

    /// Returns the command that opens a window with this view.
    fn window_command(&self, state: &State) -> Result<Vec<String>, Problem> {
        let title = "No command for this view";
        let file = open_file(state, title)?;
        let (mut shown, playing) = state.session();
        check_stage(state, &shown, title)?;
        if state.is_fitted() && state.layout().is_none() {
            (shown.center, shown.zoom) = (None, None);
        }
        make_absolute(&mut shown);
        let allow_outside = self.allows_outside(state);
        Ok(window_words(&Session { file, stage: None, allow_outside, shown, playing }))
    }

    /// Writes the view to a session: the open one, or a new one beside the open file. One that was changed in another program stays.
    fn save_session(
        &self,
        graphics: &Graphics,
        state: &State,
    ) -> Result<(PathBuf, Session), Problem> {
        let title = "The session could not be saved";
        let session = self.session(graphics, state, title)?;
        let open = state.session_path();
        let folder = open.unwrap_or(&session.file).parent();
        let folder = folder.unwrap_or(Path::new("")).to_owned();
        let is_known = |path: &Path| match fs::read_to_string(path) {
            Ok(there) => Session::parse(&there, path).is_ok_and(|it| state.knows_session(it)),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        let written = session.text(&folder).and_then(|text| match open {
            Some(path) if is_known(path) => replace(path, text.as_bytes()).map(|path| (path, text)),
            _ => {
                let stem = file_name::stem(&session.file);
                let path = write_new(&folder, &stem, session::ENDING, text.as_bytes());
                path.map(|path| (path, text))
            }
        });
        let failed = |error| Problem::new(title, format!("{}: {error}", folder.display()));
        let (path, text) = written.map_err(failed)?;
        // As it is read again: paths and numbers may be written in another way.
        let saved = Session::parse(&text, &path).unwrap_or(session);
        Ok((path, saved))
    }

    /// Keeps the view for the next start; nothing if there is no file to show again.
    pub(crate) fn keep(&self, path: &Path, graphics: &Graphics, state: &State) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new(""));
        match self.session(graphics, state, "") {
            Ok(mut session) => {
                // The session of a stage is named, so that Ctrl+S saves to it again.
                session.stage = None;
                fs::create_dir_all(folder)?;
                replace(path, session.text(folder)?.as_bytes()).map(drop)
            }
            Err(_) if path.exists() => fs::remove_file(path),
            Err(_) => Ok(()),
        }
    }

    fn session(&self, graphics: &Graphics, state: &State, title: &str) -> Result<Session, Problem> {
        let (shown, playing) = state.session();
        Ok(Session {
            file: open_file(state, title)?,
            stage: state.layout().cloned(),
            allow_outside: self.allows_outside(state),
            shown: as_drawn(shown, graphics, state),
            playing,
        })
    }

    /// Returns true if images may lie outside the folder of the open file: by the command line or the session.
    fn allows_outside(&self, state: &State) -> bool {
        let session = { state.model() }.and_then(|model| model.loaded().session.as_ref());
        self.allow_outside || session.is_some_and(|session| session.allow_outside)
    }

    /// Says what was done, or reports why it was not.
    fn say(&self, done: Message, result: Result<(), Problem>) {
        post(&self.proxy, result.map_or_else(Action::Report, |()| Action::Say(done)));
    }
}

fn nothing_exported() -> Problem {
    Problem::new("Nothing was exported yet", "Ctrl+E opens the dialog of exports.")
}

/// Checks that a command, which shows the session of a stage with the options of a view, shows that view.
fn check_stage(state: &State, shown: &Shown, title: &str) -> Result<(), Problem> {
    let session = state.stage_session();
    if session.is_some_and(|session| state.is_stage_unsaved() || session.has_more_than(shown)) {
        let why = "The stage or its view was changed. Save it first (Ctrl+S).";
        return Err(Problem::new(title, why));
    }
    Ok(())
}

fn open_file(state: &State, title: &str) -> Result<PathBuf, Problem> {
    let loaded = state.model().map(|model| model.loaded());
    let why = match loaded.map(|loaded| (&loaded.source, loaded.file())) {
        Some((_, Some(path))) if path.as_os_str() != "-" => {
            return Ok(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        }
        Some((Source::File(_) | Source::Committed(_), _)) => {
            "The file was read from standard input."
        }
        Some((Source::Sample(_), _)) => "The sample is built in. Open one of your files.",
        None => "Nothing is open.",
    };
    Err(Problem::new(title, why))
}

/// Returns the characters of the open session as the window shows them, if it is a stage: without the animations that they lack.
fn playable(state: &State) -> Option<Layout> {
    let stage = state.model()?.stage()?;
    Some(stage.playable(state.layout()?))
}

/// Adds the colours of the theme and the size of the interface, and makes paths absolute.
fn as_drawn(mut shown: Shown, graphics: &Graphics, state: &State) -> Shown {
    shown.background.get_or_insert_with(|| graphics.checker().background());
    let has_overlays = !graphics.overlays(state).is_empty() || state.orbit().is_some();
    let scale = Some(graphics.scale()).filter(|scale| has_overlays && *scale != 1);
    shown.overlay_scale = scale;
    make_absolute(&mut shown);
    shown
}

fn make_absolute(shown: &mut Shown) {
    for path in shown.paths_mut() {
        *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
    }
}

/// Returns a pictures folder from the environment if its path is absolute. Other values are ignored, as the XDG base
/// directories require.
fn named_folder(named: Option<std::ffi::OsString>) -> Option<PathBuf> {
    named.map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Posts an action. The event loop is gone only when the program ends.
fn post(proxy: &EventLoopProxy<Posted>, action: Action) {
    drop(proxy.send_event(Posted::Action(action)));
}

/// A picture and the steps to finish it.
struct Screenshot {
    pixels: Pixels,
    finish: Finish,
}

impl Screenshot {
    /// Returns the picture for a file or the clipboard.
    fn finished(mut self) -> Pixels {
        self.finish.run(&mut self.pixels);
        self.pixels
    }
}

fn shot(overlays: bool, graphics: &mut Graphics, state: &State) -> Result<Screenshot, Problem> {
    if state.model().is_some() && !graphics.is_ready(state) {
        let title = "The picture is not ready";
        return Err(Problem::new(title, "Its images are still loading."));
    }
    let choices = state.exports().screenshot;
    let mut options = match overlays && choices.overlays {
        true => graphics.overlays(state),
        false => OverlayOptions::default(),
    };
    if choices.cropped {
        // These go through the whole picture.
        options.layers.set(Layer::Grid, false);
        options.layers.set(Layer::Origin, false);
    }
    let mut frame = state.shot_frame(!options.is_empty());
    let clear = if choices.transparent { [0; 4] } else { state.picture().clear };
    let nothing = || Problem::new("Nothing to crop to", "Nothing is drawn in this frame.");
    // Of two files in a picture, their bounds are good enough.
    let is_alone = state.comparison().is_none();
    if choices.cropped && !frame.trims && frame.camera.orbit().is_none() && is_alone {
        // The content within a fixed size: what can be seen of it, not the corners of its meshes.
        let all = graphics.shot(state, &frame, OverlayOptions::default(), [0; 4])?;
        frame = frame.around(all.visible().ok_or_else(nothing)?);
    }
    let mut pixels = graphics.shot(state, &frame, options, clear)?;
    if frame.trims {
        let mut blank = Pixels::empty();
        blank.clear([pixels.width, pixels.height], clear);
        pixels = pixels.cut(pixels.changed(&blank).ok_or_else(nothing)?);
    }
    let finish = graphics.finish(state, [pixels.width, pixels.height], frame.factor);
    Ok(Screenshot { pixels, finish })
}

/// Returns the stem of a screenshot's file name: the file, the animation and the frame.
fn stem(state: &State) -> String {
    let Some(model) = state.model() else { return "pchr-view".into() };
    let name = model.loaded().name();
    let mut stem = file_name::stem(Path::new(&name));
    // Of a cross-fade, the animation that is faded to.
    let playing = state.playback().frame_at(state.timelines());
    if let Some(at) = playing.or(model.frame().pose().at()) {
        let animation = model.subject().animation_name(at.animation);
        stem = format!("{stem}-{animation}-{:04}", at.frame);
    }
    file_name::simple(&stem)
}

/// Writes a picture to a file with an unused name. Returns its path.
fn write(folder: &Path, stem: &str, shot: Screenshot) -> io::Result<PathBuf> {
    let mut png = Vec::new();
    encode_png(&shot.finished(), Effort::Least, &mut png).map_err(io::Error::other)?;
    write_new(folder, stem, ".png", &png)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut file = builder().tempfile_in(path.parent().unwrap_or(Path::new("")))?;
    io::Write::write_all(&mut file, bytes)?;
    file.persist(path)?;
    Ok(path.to_owned())
}

/// Writes a file with an unused name. Returns its path.
fn write_new(folder: &Path, stem: &str, ending: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let mut file = builder().tempfile_in(folder)?;
    io::Write::write_all(&mut file, bytes)?;
    for number in 1..=MOST {
        let name = match number {
            1 => format!("{stem}{ending}"),
            number => format!("{stem}-{number}{ending}"),
        };
        let path = folder.join(name);
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use pchr_tools::capture::Backdrop;

    use super::*;

    #[test]
    fn a_screenshot_takes_a_name_that_is_free_and_holds_what_lies_behind() {
        let folder = tempfile::tempdir().unwrap();
        let shot = || Screenshot {
            pixels: Pixels { width: 1, height: 1, rgba: vec![0; 4] },
            finish: Finish {
                backdrop: Backdrop::Checker { even: [1, 2, 3], odd: [4, 5, 6], size: 1 },
            },
        };
        let first = write(folder.path(), "a", shot()).unwrap();
        let second = write(folder.path(), "a", shot()).unwrap();
        assert_eq!(first, folder.path().join("a.png"));
        assert_eq!(second, folder.path().join("a-2.png"));
        let png = fs::read(first).unwrap();
        let pixels = pchr::image::decode_picture(&png, &pchr::bytes::Budget::new(1000)).unwrap();
        assert_eq!(pixels.rgba, [1, 2, 3, 255]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // It has the same permissions as other new files.
        let other = folder.path().join("other");
        fs::write(&other, b"").unwrap();
        let permissions = |path: &Path| fs::metadata(path).unwrap().permissions();
        assert_eq!(permissions(&second), permissions(&other));
    }

    #[test]
    fn the_environment_may_name_the_folder_for_pictures() {
        let absolute = std::env::temp_dir();
        let named = |path: &Path| named_folder(Some(path.into()));
        assert_eq!(named(&absolute), Some(absolute.clone()));
        assert_eq!(named(Path::new("pictures")), None);
        assert_eq!(named(Path::new("")), None);
        assert_eq!(named_folder(None), None);
    }
}
