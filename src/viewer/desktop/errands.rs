//! Requests of the state for files, dialogs and the clipboard. They run on other threads and are answered with actions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use pchr::bytes::Budget;
use pchr::image::{Levels, Pixels, decode_picture};
use pchr::scene::{Crowded as _, SmoothnessJob};
use pchr_tools::files::{Kind, Reading, Seen};
use pchr_tools::open::Openers;
use pchr_tools::view::ImageSwap;

use super::compare;
use super::events::Posted;
use super::load::Loader;
use super::places::Saver;
use super::thumbnails::{self, Thumbnails};
use super::watch::Watcher;
use super::{events, files};
use crate::viewer::action::{
    Action, CompareAction, ExportAction, FileAction, ImageAction, LookAction, PartAction,
    ReferenceAction, StageAction,
};
use crate::viewer::backgrounds_and_rulers::Background;
use crate::viewer::compare::{Counterpart, FiguresJob};
use crate::viewer::loaded::{ListId, Listing};
use crate::viewer::model::meshes::MeshFacts;
use crate::viewer::problem::Problem;
use crate::viewer::settings::{Memory, WindowMemory};
use crate::viewer::state::{Ask, Request, State, Watched};

/// Loader, watchers and saver that carry out requests.
pub(crate) struct Errands {
    proxy: EventLoopProxy<Posted>,
    loader: Loader,
    /// Loader of the other side of a comparison.
    counterparts: Loader,
    /// Jobs for the thread of a comparison.
    comparing: Option<Sender<Box<FiguresJob>>>,
    /// Watchers, started when there is something to watch.
    watchers: BTreeMap<Watched, Watcher>,
    pub memory: Memory,
    /// True if the window before this one had no graphics hardware either.
    knows_software: bool,
    saver: Option<Saver>,
    thumbnails: Thumbnails,
}

impl Errands {
    /// Starts with the `memory` read from the file at `place`. Without a place nothing is remembered.
    pub(crate) fn new(
        proxy: EventLoopProxy<Posted>,
        loader: Loader,
        memory: Memory,
        place: Option<PathBuf>,
    ) -> Self {
        let posts = proxy.clone();
        let post = move |action| drop(posts.send_event(Posted::Action(action)));
        Self {
            comparing: None,
            counterparts: Loader::new(loader.openers, loader.allow_outside),
            thumbnails: Thumbnails::new(loader.openers, thumbnails::folder(), post),
            proxy,
            loader,
            watchers: BTreeMap::new(),
            knows_software: memory.software,
            saver: place.map(|place| Saver::new(place, memory.clone())),
            memory,
        }
    }

    /// Returns true for an adapter that is to be warned of: one in software, the first time.
    pub(crate) fn warns_of(&mut self, is_software: bool) -> bool {
        if self.memory.software != is_software {
            self.memory.software = is_software;
            if let Some(saver) = &mut self.saver {
                saver.save(&self.memory);
            }
        }
        is_software && !self.knows_software
    }

    /// Carries out a request for files, dialogs or the clipboard; the program carries out the others, once there is a window.
    pub(crate) fn run(&mut self, request: Request, state: &State, window: Option<&Arc<Window>>) {
        match request {
            Request::Load(id, source, wish) => {
                let post = self.post();
                self.loader.start(id, source, wish, move |event| post(Action::Files(event)));
            }
            Request::List(id, paths) => {
                let openers = self.loader.openers;
                self.start(move |post| list(openers, id, &paths, post));
            }
            Request::Watch(of, files) => self.watch(of, files),
            Request::Remember => self.remember(state, None),
            Request::Ask(ask) => self.ask(ask, state, window),
            Request::ReadBackground(path) => self.start(move |post| post(background(&path))),
            Request::ShowInFolder(path) => self.start(move |post| {
                if let Err(error) = files::reveal(&path) {
                    let title = "The folder cannot be shown";
                    let message = format!("{}: {error}", path.display());
                    post(Action::Report(Problem::new(title, message)));
                }
            }),
            Request::ReadReference(path) => self.start(move |post| post(reference(&path))),
            Request::LoadCounterpart(id, source, wish) => {
                let post = self.post();
                self.counterparts.start(id, source, wish, move |event| {
                    if let FileAction::Loaded(done) = event {
                        post(Action::Compare(CompareAction::Loaded(done)));
                    }
                });
            }
            Request::Compare(id) => {
                let sides = state.model().zip(state.comparison());
                let started = sides.map(|sides| compare::start(id, sides, self.post()));
                match started.transpose() {
                    Ok(comparing) => self.comparing = comparing,
                    Err(problem) => self.post()(Action::Report(problem)),
                }
            }
            Request::Figures(job) => {
                // The thread ends only when it panics, which is a bug that was reported then.
                drop(self.comparing.as_ref().map(|jobs| jobs.send(job)));
            }
            Request::EndComparison => self.comparing = None,
            Request::MeshFacts => {
                let Some(model) = state.model() else { return };
                let (serial, loaded) = (model.serial(), Arc::clone(model.loaded()));
                let images = model.images().to_vec();
                self.start(move |post| {
                    let facts = MeshFacts::new(&*loaded.opened.subject, &images);
                    post(Action::Parts(PartAction::Facts(serial, Arc::new(facts))));
                });
            }
            Request::Smoothness => {
                let Some(model) = state.model() else { return };
                let (serial, loaded) = (model.serial(), Arc::clone(model.loaded()));
                self.start(move |post| {
                    // The loop of a crowd's own animation is only the nearest.
                    let subject =
                        loaded.figures.as_ref().map_or(&loaded.opened.subject, |it| it.one());
                    let clips = SmoothnessJob { subject: &**subject }.run();
                    post(Action::Parts(PartAction::Smoothness(serial, clips.into())));
                });
            }
            Request::PastePath => self.start(move |post| post(paste())),
            Request::Thumbnails { id, side, files, first } => {
                self.thumbnails.draw(id, side, files, first);
            }
            Request::Play(play) => self.thumbnails.play(play),
            Request::Export(_) | Request::FullScreen(_) | Request::Preview(_) | Request::Quit => {}
        }
    }

    /// Saves the remembered settings. `window` is given when the window has a new size.
    pub(crate) fn remember(&mut self, state: &State, window: Option<WindowMemory>) {
        let (memory, looking) = (&mut self.memory, state.looking());
        // A value from the user's config file is not a choice made in the window.
        if memory.theme().unwrap_or_default() != looking.theme && looking.chose_theme {
            memory.set_theme(looking.theme);
        }
        memory.side = Some(looking.side);
        memory.details = looking.details;
        memory.details_in_space = looking.details_in_space;
        memory.clips = looking.clips;
        state.interface().remember(memory);
        memory.hints = state.hints().memory();
        memory.export = state.exports().memory();
        memory.screenshot = state.exports().screenshot;
        memory.curves = Some(state.curves_view().memory());
        state.remember_look(memory);
        memory.recent = state.recent().to_vec();
        if let now @ [_, ..] = state.opened_last() {
            memory.last = now.to_vec();
        }
        memory.window = window.or(memory.window);
        if let Some(saver) = &mut self.saver {
            saver.save(memory);
        }
    }

    /// Asks with a dialog of the system, and posts the answer.
    fn ask(&self, ask: Ask, state: &State, window: Option<&Arc<Window>>) {
        let Some(window) = window else { return };
        let (post, asked) = (self.post(), ask.clone());
        let answer = move |answer: files::Picked| match answer {
            Err(problem) => post(Action::Report(problem)),
            Ok(paths) => chosen(ask, paths).into_iter().for_each(post),
        };
        files::open_dialog((&asked, self.loader.openers), window, folder(state), answer);
    }

    /// Sends the files to watch to their watcher, which starts with the first files.
    fn watch(&mut self, of: Watched, files: Vec<Seen>) {
        if !files.is_empty() && !self.watchers.contains_key(&of) {
            let post = self.post();
            let started = Watcher::start(move |path| {
                post(Action::Files(FileAction::Changed(path.to_owned())));
            });
            match started {
                Ok(started) => drop(self.watchers.insert(of, started)),
                Err(Problem { title, message, .. }) => {
                    self.post()(Action::Report(Problem::new(
                        "A changed file is not read again by itself",
                        format!("{title}: {message}; press F5 to read it again"),
                    )));
                }
            }
        }
        if let Some(watcher) = self.watchers.get(&of) {
            watcher.watch(files);
        }
    }

    /// Runs `work` on its own thread.
    fn start(&self, work: impl FnOnce(&dyn Fn(Action)) + Send + 'static) {
        let post = self.post();
        if let Err(problem) = events::start(move || work(&post)) {
            self.post()(Action::Report(problem));
        }
    }

    /// Returns a function that posts actions to the state from any thread.
    fn post(&self) -> impl Fn(Action) + Clone + Send + Sync + 'static {
        let proxy = self.proxy.clone();
        // The loop is gone only when the program ends.
        move |action| drop(proxy.send_event(Posted::Action(action)))
    }
}

/// Returns the action for what was chosen in a dialog, if anything was.
fn chosen(ask: Ask, paths: Vec<PathBuf>) -> Option<Action> {
    let first = paths.first().cloned()?;
    Some(match ask {
        Ask::Files | Ask::Folder => Action::Files(FileAction::Open(paths)),
        Ask::Stage => Action::Stage(StageAction::Add(paths)),
        Ask::ExportFolder => Action::Export(ExportAction::Folder(first)),
        Ask::Picture => background(&first),
        Ask::Reference => reference(&first),
        Ask::Compare => Action::Compare(CompareAction::With(Counterpart::File(first))),
        Ask::Image(image) => Action::Image(ImageAction::Replace(ImageSwap { image, file: first })),
        Ask::Missing(missing) => Action::Files(FileAction::Located(missing, first)),
    })
}

/// Returns the folder of the open file, or of the last one.
fn folder(state: &State) -> Option<PathBuf> {
    let near = state.model().and_then(|model| model.loaded().source.path());
    let near = near.or_else(|| state.recent().first().map(PathBuf::as_path));
    near.and_then(|path| path.parent()).map(PathBuf::from)
}

/// Posts the list of files at once. For a single file, posts its neighbours as soon as they are found.
fn list(openers: Openers, id: ListId, paths: &[PathBuf], post: &dyn Fn(Action)) {
    let listed = files::list_openable(openers, paths);
    let is_one = |listing: &&Listing| paths.len() == listing.skipped.len().saturating_add(1);
    let single = listed.as_ref().ok().filter(is_one);
    let single = match single.map(|listing| listing.files.as_slice()) {
        Some([path]) if path.as_os_str() != "-" => Some(path.clone()),
        _ => None,
    };
    post(Action::Files(FileAction::Listed(id, listed)));
    if let Some(listing) = single.and_then(|path| files::siblings(openers, &path)) {
        post(Action::Files(FileAction::Listed(id, Ok(listing))));
    }
}

/// Reads a background picture and returns the action for it.
fn background(path: &Path) -> Action {
    picture(path, "background", |pixels| {
        let picture = Background::Picture(path.to_owned(), Arc::new(pixels));
        Action::Looking(LookAction::Background(picture))
    })
}

/// Reads a reference picture and returns the action for it.
fn reference(path: &Path) -> Action {
    picture(path, "reference picture", |pixels| {
        let levels = Arc::new(Levels::with_mipmaps(pixels));
        Action::Reference(ReferenceAction::Show(path.to_owned(), levels))
    })
}

/// Reads a picture, and returns the action for its premultiplied pixels; where it cannot be read, the problem of its `purpose`.
fn picture(path: &Path, purpose: &str, action: impl FnOnce(Pixels) -> Action) -> Action {
    let png = Reading::of(path, Kind::Picture).run().map_err(|error| error.to_string());
    let decoded = png.and_then(|png| {
        decode_picture(&png, &Budget::default()).map_err(|error| error.to_string())
    });
    let failed = |error: String| {
        let title = format!("{} cannot be used as a {purpose}", path.display());
        Action::Report(Problem::new(title, error))
    };
    decoded.map_or_else(failed, action)
}

/// Opens the files or the text with paths on the clipboard.
fn paste() -> Action {
    let read = || -> Result<Vec<PathBuf>, arboard::Error> {
        let mut clipboard = arboard::Clipboard::new()?;
        if let Ok(files) = clipboard.get().file_list()
            && !files.is_empty()
        {
            return Ok(files);
        }
        let home = directories::UserDirs::new();
        let home = home.as_ref().map(directories::UserDirs::home_dir);
        let mut paths = files::pasted(&clipboard.get_text()?, home);
        // Other text is not a path.
        let has_folder = |path: &PathBuf| path.components().nth(1).is_some();
        paths.retain(|path| has_folder(path) || path.exists());
        Ok(paths)
    };
    let nothing = "Copy a file, or the path of one.";
    match read() {
        Ok(paths) if !paths.is_empty() => Action::Files(FileAction::Open(paths)),
        Ok(_) | Err(arboard::Error::ContentNotAvailable) => {
            Action::Report(Problem::new("No path on the clipboard", nothing))
        }
        Err(error) => {
            Action::Report(Problem::new("The clipboard cannot be read", error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(paths: &[PathBuf]) -> Vec<(usize, usize)> {
        let posted = std::cell::RefCell::new(Vec::new());
        list(Openers::ALL, ListId(1), paths, &|action| {
            if let Action::Files(FileAction::Listed(ListId(1), Ok(listing))) = action {
                posted.borrow_mut().push((listing.files.len(), listing.chosen));
            }
        });
        posted.into_inner()
    }

    #[test]
    fn one_file_is_listed_at_once_and_again_with_its_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.pchr", "b.pchr"].map(|name| folder.path().join(name));
        std::fs::write(&a, b"").unwrap();
        std::fs::write(&b, b"").unwrap();
        assert_eq!(listed(std::slice::from_ref(&b)), [(1, 0), (2, 1)]);
        assert_eq!(listed(&[a, b]), [(2, 0)]);
        assert_eq!(listed(&[folder.path().to_owned()]), [(2, 0)]);
        assert_eq!(listed(&["-".into()]), [(1, 0)]);
    }

    #[test]
    fn a_background_is_a_png_and_what_is_none_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        assert!(matches!(background(&path), Action::Report(_)));
        std::fs::write(&path, b"no picture").unwrap();
        assert!(matches!(background(&path), Action::Report(_)));
        let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), 1, 1);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[255, 0, 0, 0]).unwrap();
        writer.finish().unwrap();
        let Action::Looking(LookAction::Background(Background::Picture(of, pixels))) =
            background(&path)
        else {
            panic!("it is a picture");
        };
        assert_eq!((of, &pixels.rgba), (path, &vec![0; 4]));
    }
}
