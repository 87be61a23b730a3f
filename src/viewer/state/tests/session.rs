//! Sessions, without a window: a view that was saved is the same when it is opened.

use proptest::prelude::*;

use super::undo::any_action;
use super::*;

pub(super) fn open(path: &Path) -> State {
    let mut state = State::new(&of_files(&[path.to_str().unwrap()]));
    state.apply(CameraAction::Viewport(SIZE));
    load_last(&mut state);
    state
}

/// A folder with a character, and the paths of that and of a session beside it.
pub(super) fn folder() -> (tempfile::TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let [hero, path] = ["hero.pchr", "hero.pchr-view.toml"].map(|name| folder.path().join(name));
    fs::write(&hero, file()).unwrap();
    (folder, [hero, path])
}

/// A changed session is read again.
fn reread(state: &mut State, path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    state.apply(FileAction::Changed(path.to_owned()));
    load_last(state);
}

/// Saves the view, as the window does.
fn save(state: &State, path: &Path, file: &Path) {
    let (shown, playing) = state.session();
    let session = Session { file: file.to_owned(), shown, playing, ..Session::default() };
    fs::write(path, session.text(path.parent().unwrap()).unwrap()).unwrap();
}

/// Everything that decides about the picture, and how it goes on.
fn view(state: &State) -> String {
    let playing = state.playback();
    let whole = |at: FrameAt| {
        if at.next == at.frame { FrameAt::exact(at.animation, at.frame) } else { at }
    };
    let (at, mix) = state.model().unwrap().moment();
    let mix = mix.map(|mix| (whole(mix.to), mix.amount));
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        state.session(),
        (at.map(whole), mix),
        state.scene_camera(),
        OverlayOptions {
            mesh: None, // by its name above
            ..state.overlays(1)
        },
        (state.picture().filter, state.picture().clear),
        (playing.animation, playing.section, playing.mode),
    )
}

/// Actions that change the picture.
fn any_change() -> impl Strategy<Value = Action> {
    use Switch::{InPlace, Nearest, Onion, Overlay, Perspective, Smooth, YDown, ZUp};
    let layers = [Layer::Bones, Layer::Names, Layer::Grid, Layer::Path, Layer::Origin];
    let others = [Onion, Nearest, YDown, InPlace, Perspective, ZUp, Smooth];
    let switches = layers.map(Overlay).into_iter().chain(others).collect::<Vec<_>>();
    let switches = prop::sample::select(switches);
    prop_oneof![
        3 => any_action(),
        2 => switches.prop_map(Action::Toggle),
        1 => (0.0..2.0).prop_map(|seconds| Action::Playback(PlaybackAction::Advance(seconds))),
        1 => Just(Action::Looking(LookAction::CycleBackground)),
        1 => Just(Action::Playback(PlaybackAction::WalkAnimations(1))),
        1 => Just(Action::Parts(PartAction::ChooseBone(Some(BoneId(1))))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_saved_view_is_the_same_view(
        actions in prop::collection::vec(any_change(), 0..30),
        in_space in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (name, bytes) = if in_space { ("walk.gltf", WALK) } else { ("hero.pchr", file()) };
        let hero = folder.path().join(name);
        fs::write(&hero, bytes).unwrap();
        let mut state = open(&hero);
        for action in actions {
            state.apply(action);
        }
        state.apply(PlaybackAction::Advance(0.0));
        let path = folder.path().join("hero.pchr-view.toml");
            save(&state, &path, &hero);
        let opened = open(&path);
        prop_assert!(opened.problem().is_none(), "{:?}", opened.problem().map(|it| it.text()));
        prop_assert_eq!(view(&opened), view(&state), "{}", fs::read_to_string(&path).unwrap());
    }
}

#[test]
fn a_blend_is_saved_as_one() {
    let (_folder, [hero, path]) = folder();
    let mut state = open(&hero);
    let blend = Blend { with: AnimationId(2), amount: 0.4 };
    apply!(state, PlaybackAction::Blend(Some(blend)), PlaybackAction::Advance(0.35));
    save(&state, &path, &hero);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("mix = \"walk:once:0.4\"\nmix-sync = true\n"), "{text}");
    let opened = open(&path);
    assert_eq!((opened.blend(), view(&opened)), (Some(blend), view(&state)));
}

#[test]
fn a_larger_window_shows_the_same_part_of_the_world() {
    let (_folder, [hero, path]) = folder();
    let mut state = open(&hero);
    state.apply(CameraAction::Pan([30.0, 10.0]));
    save(&state, &path, &hero);
    let text = fs::read_to_string(&path).unwrap();
    let [width, height] = SIZE;
    let half = format!("resolution = \"{}x{}\"", width / 2, height / 2);
    fs::write(&path, text.replace(&format!("resolution = \"{width}x{height}\""), &half)).unwrap();
    let opened = open(&path);
    assert_eq!(opened.camera().center, state.camera().center);
    assert_eq!(opened.camera().zoom, state.camera().zoom * 2.0);
}

#[test]
fn missing_files_are_asked_for_and_used_from_where_they_are() {
    let (folder, [hero, path]) = folder();
    fs::write(&path, "file = \"gone/hero.pchr\"\nzoom = 2\n").unwrap();
    let mut state = open(&path);
    let missing = folder.path().join("gone/hero.pchr");
    let answer = state.question().unwrap().answers[0].action.clone();
    assert_eq!(answer, Action::Ask(Ask::Missing(missing.clone())));
    let _ = state.take_requests();
    state.apply(answer);
    assert!(state.take_requests().contains(&Request::Ask(Ask::Missing(missing.clone()))));
    // Where there is no dialog, dropping or pasting a file of that name does the same.
    state.apply(Action::Report(Problem::new("No file dialog", "there is none")));
    assert_eq!(state.question(), None, "the problem is seen");
    let located = FileAction::Located(missing.clone(), hero.clone());
    for answer in [FileAction::Open(vec![hero.clone()]), located] {
        state.apply(answer);
        let requests = state.take_requests();
        let relocated = &wish_of(&requests).unwrap().relocated;
        assert_eq!(*relocated, [(missing.clone(), hero.clone())]);
    }
}

#[test]
fn a_session_that_another_program_changes_is_followed_and_one_that_was_saved_here_is_not() {
    let (_folder, [_, path]) = folder();
    fs::write(&path, "file = \"hero.pchr\"\nframe = 2\n[window]\npaused = true\n").unwrap();
    let mut state = open(&path);
    assert_eq!(frame(&state), 2);
    let text = "file = \"hero.pchr\"\nframe = 5\n[window]\npaused = true\n";
    let session = Session::parse(text, &path).unwrap();
    assert!(!state.knows_session(session.clone()));
    reread(&mut state, &path, text);
    assert!(frame(&state) == 5 && state.knows_session(session.clone()));
    state.apply(FileAction::SessionSaved(path.clone(), Box::new(session.clone())));
    assert_eq!(state.session_path(), Some(&*path));
    state.apply(PlaybackAction::Seek(1.0));
    reread(&mut state, &path, text);
    assert_eq!(frame(&state), 1, "the view stays");
    let beside = path.with_file_name("hero-2.pchr-view.toml");
    state.apply(FileAction::SessionSaved(beside.clone(), Box::new(session)));
    assert_eq!(state.session_path(), Some(&*beside));
    assert!(state.said().unwrap().text.contains("was changed in another program"));
}

#[test]
fn sessions_come_back_as_they_were_left_and_leave_the_look_of_the_window_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("hero.pchr"), file()).unwrap();
    let session = |name: &str, text: &str| {
        fs::write(at(name), format!("file = \"hero.pchr\"\n{text}")).unwrap();
    };
    let a = "background = \"#ff8800\"\noverlay = [\"bones\"]\n[window]\nspeed = 0.5\n";
    let b = "background = \"#0044ff\"\nfilter = \"nearest\"\nmirror = true\noverlay = [\"grid,onion=3,1\"]\n[window]\nfade = \"2,smooth\"\n";
    session("a.pchr-view.toml", a);
    session("b.pchr-view.toml", b);
    let files = ["hero.pchr", "a.pchr-view.toml", "b.pchr-view.toml"];
    let mut state =
        State::new(&ViewerOptions { files: files.map(at).to_vec(), ..ViewerOptions::default() });
    state.apply(CameraAction::Viewport(SIZE));
    load_last(&mut state);
    let go = |state: &mut State, action: FileAction| {
        state.apply(action);
        load_last(state);
        view(state)
    };
    let lasting = |state: &State| {
        let mut memory = Memory::default();
        state.remember_look(&mut memory);
        memory
    };
    let (own, before) = (view(&state), lasting(&state));
    let as_a = go(&mut state, FileAction::NextFile);
    let as_b = go(&mut state, FileAction::NextFile);
    assert_eq!(lasting(&state), before, "not what a session brings");
    assert_eq!(go(&mut state, FileAction::PreviousFile), as_a);
    assert_eq!(go(&mut state, FileAction::PreviousFile), own);
    state.apply(Action::Toggle(Switch::Overlay(Layer::Names)));
    go(&mut state, FileAction::NextFile);
    state.apply(Action::Toggle(Switch::Overlay(Layer::Origin)));
    let left = view(&state);
    assert_eq!(go(&mut state, FileAction::NextFile), as_b);
    assert_eq!(go(&mut state, FileAction::PreviousFile), left);
    session("b.pchr-view.toml", "background = \"#00ff00\"\n");
    go(&mut state, FileAction::NextFile);
    let (shown, _) = state.session();
    assert!(shown.mirror.is_none() && shown.overlay.is_empty(), "it was changed since");
}

#[test]
fn a_session_without_a_camera_is_fitted_when_it_is_read_again() {
    let (_folder, [hero, path]) = folder();
    let fitted = open(&hero).camera();
    fs::write(&path, "file = \"hero.pchr\"\nzoom = 100\ncenter = [90, 0]\n").unwrap();
    let mut state = open(&path);
    assert_eq!(state.camera().zoom, 100.0);
    reread(&mut state, &path, "file = \"hero.pchr\"\nframe = 900\n");
    assert_eq!(state.camera(), fitted);
    assert!(state.problem().is_some(), "there is no frame 900");
    reread(&mut state, &path, "file = \"hero.pchr\"\nframe = 1\n");
    assert!(state.problem().is_none());
}

#[test]
fn a_session_with_names_that_are_gone_shows_all_the_rest_and_stays_as_it_is() {
    let (folder, [_, path]) = folder();
    let text = "file = \"hero.pchr\"\nanimation = \"walk\"\nframe = 2\nhide = [\"nope*\", \"#0\"]\n\
                overlay = [\"pin=nope:3,bones\"]\nmirror = true\n";
    fs::write(&path, text).unwrap();
    let mut state = open(&path);
    let problem = state.problem().unwrap();
    let lines: Vec<&str> = problem.message.lines().collect();
    let [hide, pin] = lines[..] else { panic!("{lines:?}") };
    assert!(hide.contains("nope*") && pin.contains("\"nope\""), "{lines:?}");
    let model = state.model().unwrap();
    assert_eq!(model.moment().0.unwrap().frame, 2);
    assert!(!model.shown(pchr::document::MeshId(0)).visible, "hidden by its number");
    assert!(state.is_on(Switch::Overlay(Layer::Bones)) && !state.is_on(Switch::Pin));
    assert!(state.scene_camera().flat().mirror);
    // Saving writes another file, so that nothing of this one is lost.
    let session = Session::parse(text, &folder.path().join("view.pchr-view.toml")).unwrap();
    assert!(!state.knows_session(session.clone()));
    let beside = folder.path().join("hero-2.pchr-view.toml");
    let saved = Session { shown: state.session().0, ..session };
    state.apply(FileAction::SessionSaved(beside.clone(), Box::new(saved.clone())));
    assert!(state.said().unwrap().text.contains("asks for what the file lacks"));
    assert_eq!((state.session_path(), state.knows_session(saved)), (Some(&*beside), true));
}

#[test]
fn a_session_whose_file_lost_what_it_asks_for_says_so_and_is_not_replaced() {
    let (folder, [hero, path]) = folder();
    let text = "file = \"hero.pchr\"\nanimation = \"walk\"\nframe = 9\nhide = [\"square 1\"]\n";
    fs::write(&path, text).unwrap();
    let mut state = open(&path);
    assert!(state.problem().is_none());
    let session = Session::parse(text, &folder.path().join("view.pchr-view.toml")).unwrap();
    // Fewer frames are not lacking, as the window plays on.
    let mut parts = parts();
    parts.animations[1].frame_count = 5;
    parts.animations[1].transforms.truncate(15);
    for is_lost in [false, true] {
        if is_lost {
            parts.meshes[1].name = "quad 1".to_owned();
        }
        fs::write(&hero, written(&parts)).unwrap();
        state.apply(FileAction::Reload);
        load_last(&mut state);
        let says_so = state.problem().is_some_and(|it| it.message.contains("hide"));
        assert_eq!((says_so, state.knows_session(session.clone())), (is_lost, !is_lost));
    }
}

#[test]
fn figures_that_a_new_version_is_too_long_for_are_named() {
    let (_folder, [hero, path]) = folder();
    fs::write(&path, "file = \"hero.pchr\"\ninstances = 16\n").unwrap();
    let mut state = open(&path);
    assert_eq!(state.model().unwrap().loaded().instances().count, 16);
    // 69 MB of matrices.
    let long = vec![[at(0.0, 0.0); 60]; 36_000];
    let large = Builder::new().image(1, &[WHITE]).bones(60).animation("long", true, &long);
    fs::write(&hero, large.bytes()).unwrap();
    state.apply(FileAction::Reload);
    load_last(&mut state);
    assert_eq!(state.model().unwrap().loaded().instances().count, 1);
    let problem = state.problem().unwrap();
    assert!(problem.message.contains("64.0 MiB"), "{problem:?}");
}
