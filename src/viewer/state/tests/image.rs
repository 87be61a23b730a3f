//! Pictures in place of images, without a window: read by the loader as the window does.

use egui::{Rect, pos2};

use super::*;
use crate::viewer::desktop::load_as;
use crate::viewer::kept::Keep;

/// A folder with a character of one image, and with two pictures.
struct Skins {
    folder: tempfile::TempDir,
}

const IMAGE: &str = "image 0";

/// Writes a picture of one colour.
pub(in crate::viewer) fn paint(path: &Path, [width, height]: [u32; 2], color: [u8; 4]) {
    let rgba = color.repeat((width * height) as usize);
    let mut png = Vec::new();
    encode_png(&Pixels { width, height, rgba }, Effort::Least, &mut png).unwrap();
    fs::write(path, png).unwrap();
}

impl Skins {
    fn new() -> Self {
        let skins = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(skins.path("hero.pchr"), file()).unwrap();
        fs::write(skins.path("other.pchr"), file()).unwrap();
        skins.paint("red.png", [2, 3], [255, 0, 0, 255]);
        skins.paint("blue.png", [5, 1], [0, 0, 255, 255]);
        skins
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn paint(&self, name: &str, size: [u32; 2], color: [u8; 4]) {
        paint(&self.path(name), size, color);
    }

    fn swap(&self, name: &str) -> ImageSwap {
        ImageSwap { image: IMAGE.into(), file: self.path(name) }
    }

    fn replace(&self, state: &mut State, name: &str) {
        state.apply(ImageAction::Replace(self.swap(name)));
        answer(state);
    }

    fn open(&self, name: &str, image: Vec<ImageSwap>) -> State {
        let options = of_files(&[self.path(name).to_str().unwrap()]);
        let shown = Shown { image, ..options.shown };
        let mut state = State::new(&ViewerOptions { shown, ..options });
        state.apply(CameraAction::Viewport(SIZE));
        answer(&mut state);
        state
    }
}

/// Carries out all requested loads. Returns the files that are watched then.
pub(in crate::viewer) fn answer(state: &mut State) -> Vec<PathBuf> {
    let mut watched = Vec::new();
    loop {
        let mut loads = false;
        for request in state.take_requests() {
            match request {
                Request::Load(id, source, wish) => {
                    let done = LoadDone { id, ..load_as(&source, wish, || true) };
                    state.apply(FileAction::Loaded(done));
                    loads = true;
                }
                Request::Watch(Watched::Open, files) => {
                    watched = files.into_iter().map(|it| it.path).collect()
                }
                _ => {}
            }
        }
        if !loads {
            return watched;
        }
    }
}

/// The character has changed, and is read again.
fn change(skins: &Skins, state: &mut State) -> Vec<PathBuf> {
    state.apply(FileAction::Changed(skins.path("hero.pchr")));
    answer(state)
}

/// Width and first texel of the image.
fn image(state: &State) -> (u32, [u8; 4]) {
    let levels: &Arc<Levels> = &state.model().unwrap().images()[0];
    let Pixels { width, rgba, .. } = levels.base();
    (*width, rgba[..4].try_into().unwrap())
}

const WHITE: (u32, [u8; 4]) = (1, [255; 4]);
const RED: (u32, [u8; 4]) = (2, [255, 0, 0, 255]);
const BLUE: (u32, [u8; 4]) = (5, [0, 0, 255, 255]);

#[test]
fn a_picture_takes_the_place_of_an_image_and_undo_takes_it_back() {
    let skins = Skins::new();
    let mut state = skins.open("hero.pchr", Vec::new());
    state.apply(ImageAction::Ask);
    assert_eq!(state.take_requests(), [Request::Ask(Ask::Image(IMAGE.into()))], "the only image");
    for (name, shown) in [("red.png", RED), ("blue.png", BLUE)] {
        skins.replace(&mut state, name);
        assert_eq!((image(&state), state.shown().image), (shown, vec![skins.swap(name)]));
    }
    for (action, shown) in [
        (Action::Undo, RED),
        (Action::Undo, WHITE),
        (Action::Redo, RED),
        (ImageAction::Original.into(), WHITE),
        (Action::Undo, RED),
        (Action::Undo, WHITE),
    ] {
        state.apply(action);
        answer(&mut state);
        assert_eq!(image(&state), shown);
    }
    assert!(state.shown().image.is_empty());
}

#[test]
fn a_reload_keeps_it_and_reads_it_again_and_another_file_drops_it() {
    let skins = Skins::new();
    let mut state = skins.open("hero.pchr", Vec::new());
    state.apply(ImageAction::Replace(skins.swap("red.png")));
    assert!(answer(&mut state).contains(&skins.path("red.png")), "it is watched");
    skins.paint("red.png", [5, 1], [0, 0, 255, 255]);
    change(&skins, &mut state);
    assert_eq!(image(&state), BLUE);
    let files = ["hero.pchr", "other.pchr"].map(|name| skins.path(name));
    super::open_files(&mut state, &files.each_ref().map(|it| it.to_str().unwrap()), 1);
    answer(&mut state);
    assert_eq!((image(&state), state.shown().image), (WHITE, Vec::new()));
    state.apply(FileAction::PreviousFile);
    answer(&mut state);
    assert_eq!(image(&state), WHITE);
}

#[test]
fn a_picture_or_standard_input_that_cannot_be_read_is_said_once_and_the_old_image_stays() {
    let skins = Skins::new();
    let mut state = skins.open("hero.pchr", Vec::new());
    skins.replace(&mut state, "red.png");
    fs::write(skins.path("broken.png"), "no picture").unwrap();
    for name in ["broken.png", "nowhere.png"] {
        skins.replace(&mut state, name);
        let title = format!("{name} cannot be shown as an image");
        assert_eq!(state.problem().map(|problem| &problem.title), Some(&title));
        assert_eq!((image(&state), state.shown().image), (RED, vec![skins.swap("red.png")]));
        state.apply(Action::Dismiss);
        assert!(state.problem().is_none() && state.note().is_none());
    }
    // One that breaks later, while it is written.
    fs::write(skins.path("red.png"), "no picture").unwrap();
    assert!(change(&skins, &mut state).contains(&skins.path("red.png")));
    let note = state.note().unwrap();
    assert_eq!(note.text, "red.png cannot be read, showing the last good version");
    assert_eq!((image(&state), state.problem()), (RED, None));
    skins.paint("red.png", [5, 1], [0, 0, 255, 255]);
    change(&skins, &mut state);
    assert_eq!((image(&state), state.note()), (BLUE, None));
    let mut state = super::open();
    super::show(&mut state, &["-"], file());
    state.apply(ImageAction::Replace(skins.swap("red.png")));
    let problem = state.problem().unwrap();
    assert_eq!(problem.title, "Standard input cannot be read again");
    assert!(state.image_swaps().is_empty());
}

#[test]
fn command_lines_and_sessions_open_with_it() {
    let skins = Skins::new();
    let none = ImageSwap { image: "nope".into(), file: skins.path("red.png") };
    let state = skins.open("hero.pchr", vec![skins.swap("red.png"), none]);
    assert_eq!((image(&state), state.shown().image), (RED, vec![skins.swap("red.png")]));
    let problem = state.problem().unwrap();
    assert!(problem.title.contains("No image is named \"nope\""), "{problem:?}");

    let session = skins.path("hero.pchr-view.toml");
    let text = |skin: &str| format!("file = \"hero.pchr\"\nimage = [\"{IMAGE}={skin}\"]\n");
    fs::write(&session, text("blue.png")).unwrap();
    let mut state = skins.open("hero.pchr-view.toml", Vec::new());
    assert_eq!((image(&state), state.session().0.image), (BLUE, vec![skins.swap("blue.png")]));
    let over = skins.open("hero.pchr-view.toml", vec![skins.swap("red.png")]);
    assert_eq!(image(&over), RED, "options take precedence");
    // The choice in the window stays until the session itself is changed.
    state.apply(ImageAction::Original);
    answer(&mut state);
    state.apply(FileAction::Reload);
    answer(&mut state);
    assert_eq!(image(&state), WHITE);
    fs::write(&session, text("red.png")).unwrap();
    state.apply(FileAction::Changed(session));
    answer(&mut state);
    assert_eq!(image(&state), RED);
}

#[test]
fn a_picture_that_is_dropped_on_the_card_replaces_the_image_and_elsewhere_it_is_asked_about() {
    let skins = Skins::new();
    let mut state = skins.open("hero.pchr", Vec::new());
    let area = Rect::from_min_max(pos2(10.0, 10.0), pos2(60.0, 60.0));
    state.apply(Action::Keep(Keep::ImageArea(Some(area))));
    let dropped = |state: &mut State, at| {
        state.apply(FileAction::Hover(Some(skins.path("red.png"))));
        state.apply(FileAction::Drop(vec![skins.path("red.png")], at));
        answer(state);
        assert!(state.hovering().is_empty());
        let asks = state.question().map(|question| question.answers.len());
        state.apply(Action::Dismiss);
        (image(state), asks)
    };
    assert_eq!(dropped(&mut state, [30.0, 30.0]), (WHITE, Some(2)), "no card is open");
    state.apply(Action::Toggle(Switch::Atlas));
    assert_eq!(dropped(&mut state, [90.0, 30.0]), (WHITE, Some(3)));
    state.apply(Action::Toggle(Switch::Preview));
    assert_eq!(dropped(&mut state, [30.0, 30.0]), (WHITE, Some(3)), "a preview has no card");
    state.apply(Action::Toggle(Switch::Preview));
    assert_eq!(dropped(&mut state, [30.0, 30.0]), (RED, None));
    let loaded = state.model().unwrap().loaded();
    assert_eq!(loaded.picture_of(ImageId(0)), Some(&*skins.path("red.png")));
}
