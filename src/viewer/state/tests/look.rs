//! Looks, without a window: of the last run, of the settings, and of folders.

use pchr_tools::session::{FOLDER_LOOK, WindowLook};

use super::*;

/// Two folders with a character each, the first also with a second one.
fn folders() -> (tempfile::TempDir, [PathBuf; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a/hero.pchr", "a/other.pchr", "b/hero.pchr"].map(|name| folder.path().join(name));
    for path in &paths {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file()).unwrap();
    }
    (folder, paths)
}

fn of_file(path: &Path) -> ViewerOptions {
    of_files(&[path.to_str().unwrap()])
}

/// The look that is remembered, beside this.
fn remembered(state: &State, mut memory: Memory) -> Memory {
    state.remember_look(&mut memory);
    memory
}

fn start(options: &ViewerOptions, settings: &ViewerSettings) -> State {
    let mut state = State::with_settings(options, settings);
    state.apply(CameraAction::Viewport(SIZE));
    load_last(&mut state);
    state
}

fn show(state: &mut State, path: &Path) {
    state.request(Source::File(path.to_owned()), false);
    load_last(state);
}

fn look(text: &str) -> WindowLook {
    WindowLook::parse(text, Path::new("")).unwrap()
}

fn settings(memory: &str, config: &str) -> ViewerSettings {
    let mut settings = ViewerSettings::default();
    (settings.memory.view, settings.config.view) = (look(memory), look(config));
    settings
}

/// Background, filter, bones, ghosts, loop mode and speed.
fn seen(state: &State) -> (Background, bool, bool, bool, Option<LoopMode>, f64) {
    let on = |switch| state.is_on(switch);
    let clip = state.playback();
    (
        state.looking().background.clone(),
        on(Switch::Nearest),
        on(Switch::Overlay(Layer::Bones)),
        on(Switch::Onion),
        clip.mode,
        clip.speed,
    )
}

const RED: [u8; 4] = [255, 0, 0, 255];

#[test]
fn what_a_window_looks_like_is_what_the_next_one_starts_with() {
    let (_folder, [hero, other, _]) = folders();
    let options = of_file(&hero);
    let mut state = start(&options, &ViewerSettings::default());
    state.take_requests();
    for action in [
        Action::Toggle(Switch::Nearest),
        Action::Toggle(Switch::Overlay(Layer::Bones)),
        Action::Looking(LookAction::Background(Background::Color(RED))),
        Action::Looking(LookAction::Onion(Onion { step: 3, ..Onion::of(1, 4) })),
        Action::Playback(PlaybackAction::Looping(Some(LoopMode::PingPong))),
        Action::Playback(PlaybackAction::Speed(0.5)),
    ] {
        let name = format!("{action:?}");
        state.apply(action);
        assert!(state.take_requests().contains(&Request::Remember), "{name}");
    }
    let wanted = (Background::Color(RED), true, true, true, Some(LoopMode::PingPong), 0.5);
    assert_eq!(seen(&state), wanted);
    show(&mut state, &other);
    assert_eq!(seen(&state), wanted, "in the next file, too");
    let memory = Memory::parse(&remembered(&state, Memory::default()).text()).unwrap();
    let settings = ViewerSettings { memory, ..ViewerSettings::default() };
    let state = start(&options, &settings);
    assert_eq!(seen(&state), wanted);
    assert_eq!(state.looking().onion, Onion { step: 3, ..Onion::of(1, 4) });
}

#[test]
fn the_settings_replace_what_is_remembered_and_the_command_line_both() {
    let (_folder, [hero, ..]) = folders();
    let settings = settings(
        "background = \"#0000ff\"\nfilter = \"nearest\"\n[window]\nspeed = 2\n",
        "background = \"#00ff00\"\noverlay = \"names\"\n[window]\nspeed = 4\n",
    );
    let options = of_file(&hero);
    let state = start(&options, &settings);
    let green = Background::Color([0, 255, 0, 255]);
    assert_eq!(seen(&state), (green, true, false, false, None, 4.0));
    assert!(state.is_on(Switch::Overlay(Layer::Names)));
    let (background, overlay) = ("#ff0000".parse().unwrap(), vec!["bones".parse().unwrap()]);
    let shown = Shown { background: Some(background), overlay, ..Shown::default() };
    let given = ViewerOptions { shown, ..of_file(&hero) };
    let state = start(&given, &settings);
    assert_eq!(seen(&state), (Background::Color(RED), true, true, false, None, 4.0));
    assert!(!state.is_on(Switch::Overlay(Layer::Names)), "overlays that are given are all");
    let memory = remembered(&state, settings.memory.clone());
    assert_eq!(memory.view, settings.memory.view, "neither the command line nor the settings");
    let fresh = ViewerOptions { no_defaults: true, ..options };
    let mut settings = settings;
    settings.memory.set_fade(FadeOptions { seconds: 0.5, ..FadeOptions::default() });
    let state = start(&fresh, &settings);
    assert_eq!(seen(&state), (Background::Checker, false, false, false, None, 1.0));
    assert_eq!(state.looking().fade, FadeOptions::default());
    assert_eq!(remembered(&state, settings.memory.clone()), settings.memory);
}

#[test]
fn the_files_that_were_open_before_open_again() {
    let (_folder, [hero, other, elsewhere]) = folders();
    let paths = |path: &PathBuf| vec![path.clone()];
    let mut settings = ViewerSettings::default();
    settings.memory.last = paths(&elsewhere);
    let mut state = start(&of_file(&hero), &settings);
    state.list_is_of(paths(&hero));
    state.take_requests();
    let reopen = |state: &mut State, wanted: &PathBuf| {
        state.apply(FileAction::ReopenLast);
        let (id, of) = requested!(state, Request::List(id, of) => (id, of));
        assert_eq!(of, paths(wanted));
        let listing = crate::viewer::loaded::Listing { files: of, ..Default::default() };
        state.apply(FileAction::Listed(id, Ok(listing)));
        load_last(state);
        assert_eq!(state.opened_last(), paths(wanted));
    };
    reopen(&mut state, &elsewhere);
    reopen(&mut state, &hero);
    let mut state = start(&of_file(&other), &ViewerSettings::default());
    state.apply(FileAction::ReopenLast);
    assert_eq!(state.said().unwrap().text, "No files were open before");
}

#[test]
fn a_folder_has_its_own_look_and_the_window_keeps_its_own_for_others() {
    let (_folder, [hero, other, elsewhere]) = folders();
    let folder = hero.parent().unwrap();
    fs::write(folder.join(FOLDER_LOOK), "background = \"#ff0000\"\n[window]\nspeed = 0.5\n")
        .unwrap();
    let options = of_file(&elsewhere);
    let mut state = start(&options, &settings("overlay = \"bones\"\n", ""));
    let own = seen(&state);
    assert_eq!(own, (Background::Checker, false, true, false, None, 1.0));
    show(&mut state, &hero);
    assert_eq!(seen(&state), (Background::Color(RED), false, true, false, None, 0.5));
    state.apply(PlaybackAction::Speed(2.0));
    show(&mut state, &other);
    assert_eq!(seen(&state).5, 2.0, "in the folder, what was changed stays");
    let memory = remembered(&state, Memory::default());
    assert_eq!(memory.view, look("overlay = \"bones\"\n"));
    show(&mut state, &elsewhere);
    assert_eq!(seen(&state), own);
    fs::write(folder.join(FOLDER_LOOK), "\nzoom = 2\n").unwrap();
    show(&mut state, &hero);
    assert_eq!(seen(&state), own);
    let problem = state.problem().unwrap();
    assert_eq!(problem.title, "The look of this folder was ignored");
    assert!(problem.message.ends_with("line 2: zoom: is for sessions only"), "{problem:?}");
    fs::write(folder.join(FOLDER_LOOK), "filter = \"nearest\"\n").unwrap();
    state.reload();
    load_last(&mut state);
    assert!(state.problem().is_none() && state.is_on(Switch::Nearest), "it is mended");
    fs::write(folder.join(FOLDER_LOOK), [0xff]).unwrap();
    state.reload();
    load_last(&mut state);
    assert!(state.problem().is_some() && !state.is_on(Switch::Nearest));
}

#[test]
fn a_picture_that_is_gone_is_said_and_stays_remembered_until_another_is_chosen() {
    let (folder, [hero, ..]) = folders();
    let wall = folder.path().join("wall.png");
    let settings = settings(&format!("background = '{}'\n", wall.display()), "");
    let mut state = State::with_settings(&of_file(&hero), &settings);
    assert!(state.take_requests().contains(&Request::ReadBackground(wall)));
    state.apply(Action::Report(Problem::new("The picture cannot be read", "")));
    state.apply(CameraAction::Viewport(SIZE));
    load_last(&mut state);
    assert_eq!(state.problem().unwrap().title, "The picture cannot be read");
    let memory = remembered(&state, Memory::default());
    assert_eq!(memory.view, settings.memory.view);
    state.apply(LookAction::CycleBackground);
    assert_ne!(remembered(&state, memory).view, settings.memory.view);
}

#[test]
fn the_loop_check_is_remembered_and_measures_the_first_file() {
    let (_folder, [hero, ..]) = folders();
    let options = of_file(&hero);
    let mut state = start(&options, &ViewerSettings::default());
    let _ = state.take_requests();
    state.apply(Action::Toggle(Switch::LoopCheck));
    assert_eq!(state.take_requests(), [Request::Remember, Request::Smoothness]);
    let mut settings = ViewerSettings::default();
    state.remember_look(&mut settings.memory);
    let mut state = start(&options, &settings);
    assert!(state.is_on(Switch::LoopCheck) && state.take_requests().contains(&Request::Smoothness));
}
