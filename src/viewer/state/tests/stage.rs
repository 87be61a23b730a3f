//! Stages in the window: made of the open file and others, placed, undone and saved.

use pchr_tools::crowd::Instances;
use pchr_tools::stage::{Layout, Member};

use super::image::paint;
use super::session::{folder, open};
use super::*;
use crate::viewer::action::{Grip, StageAction};
use crate::viewer::desktop::load_wished;

/// Carries out the last requested load, with its wish.
fn finish(state: &mut State) {
    let done = requested!(state, Request::Load(id, source, wish) =>
        LoadDone { id, ..load_wished(&source, wish) });
    state.apply(FileAction::Loaded(done));
}

fn load(state: &mut State) {
    finish(state);
    assert_eq!(state.problem(), None);
}

/// A window with a stage of two, made of an open character and another one.
fn made() -> (tempfile::TempDir, State) {
    let (folder, [hero, _]) = folder();
    let orc = folder.path().join("orc.pchr");
    fs::write(&orc, file()).unwrap();
    let mut state = open(&hero);
    read(&mut state, StageAction::Add(vec![orc]));
    (folder, state)
}

/// Carries out an action that reads the stage again.
fn read(state: &mut State, action: impl Into<Action>) {
    state.apply(action);
    load(state);
}

fn member(state: &State, index: usize) -> Member {
    state.layout().unwrap().members[index].clone()
}

fn set(state: &mut State, index: usize, member: Member) {
    state.apply(StageAction::Set(index, Box::new(member)));
}

/// Replaces an image by a red picture.
fn skin(folder: &tempfile::TempDir, image: &str) -> ImageAction {
    let file = folder.path().join("red.png");
    paint(&file, [2, 2], [255, 0, 0, 255]);
    ImageAction::Replace(ImageSwap { image: image.into(), file })
}

fn session(state: &State, path: &Path) -> Session {
    let (shown, playing) = state.session();
    let stage = state.layout().cloned();
    Session { file: path.to_owned(), stage, shown, playing, ..Session::default() }
}

fn places(state: &State) -> Vec<[f32; 2]> {
    state.layout().unwrap().members.iter().map(|member| member.at).collect()
}

#[test]
fn the_open_file_and_an_added_one_stand_beside_each_other() {
    let (folder, mut state) = made();
    let model = state.model().unwrap();
    let stage = model.stage().unwrap();
    let [hero, orc] = [0, 1].map(|member| stage.member_bounds(member).unwrap());
    assert!(orc.min[0] > hero.max[0] && orc.min[1] == hero.min[1], "{hero:?} {orc:?}");
    assert_eq!(state.layout().unwrap().names(), ["hero", "orc"]);
    assert!(state.is_stage_unsaved());
    assert_eq!(state.session_path(), Some(&*folder.path().join("hero-stage.pchr-view.toml")));
    // Another one joins them, and those before stay.
    let before = places(&state);
    read(&mut state, StageAction::Add(vec![folder.path().join("hero.pchr")]));
    assert_eq!(places(&state)[..2], before);
    assert_eq!(state.layout().unwrap().names(), ["hero", "orc", "hero 2"]);
}

#[test]
fn a_file_that_was_shown_as_figures_plays_on_what_the_one_at_the_origin_played() {
    let (folder, [hero, _]) = folder();
    let mut state = open(&hero);
    let many = Instances { count: 16, scattered: false };
    state.apply(PlaybackAction::Instances(many));
    let of_one = state.model().unwrap().moment_of_one().unwrap().animation;
    read(&mut state, StageAction::Add(vec![hero]));
    let animation = state.layout().unwrap().members[0].animation.clone();
    let name = ["bind", "walk", "once"][of_one.index()];
    assert_eq!(animation.as_deref(), Some(name));
    drop(folder);
}

#[test]
fn a_drag_moves_the_character_under_the_pointer_and_is_one_step() {
    let (_folder, mut state) = made();
    let before = places(&state);
    let serial = state.model().unwrap().serial();
    let meshes = state.model().unwrap().subject().mesh_count();
    let first = MeshId(u16::try_from(meshes / 2).unwrap());
    let model = state.model().unwrap();
    let mesh = model.subject().mesh(first).unwrap();
    let mut points = Vec::new();
    model.frame().pose().place(&mesh, &mut points);
    let count = points.len() as f32;
    let middle = [0, 1].map(|axis| points.iter().map(|at| at[axis]).sum::<f32>() / count);
    let camera = state.camera();
    let at = camera.screen_at(middle.map(f64::from), state.viewport());
    state.apply(StageAction::Grab(Grip::PlaceTop, at));
    assert_eq!(state.chosen_member(), Some(1));
    for step in 1..=4 {
        let by = camera.zoom * f64::from(step);
        state.apply(StageAction::Drag([at[0] + by * 2.0, at[1] - by * 3.0], false));
    }
    state.apply(Action::Rest);
    let [_, [x, y]] = before[..] else { panic!("{before:?}") };
    let moved = places(&state)[1];
    assert!((moved[0] - x - 8.0).abs() < 0.01 && (moved[1] - y - 12.0).abs() < 0.01, "{moved:?}");
    assert_eq!(state.model().unwrap().serial(), serial, "nothing is uploaded again");
    assert!(state.take_requests().iter().all(|it| !matches!(it, Request::Load(..))));
    state.apply(Action::Undo);
    assert_eq!(places(&state), before);
    state.apply(Action::Redo);
    assert_eq!(places(&state)[1], moved);
}

#[test]
fn order_and_removal_are_read_again_and_the_view_stays() {
    let (_folder, mut state) = made();
    let center = state.camera().center;
    state.apply(StageAction::Choose(Some(0)));
    read(&mut state, StageAction::Reorder(0, 1));
    assert_eq!(state.layout().unwrap().names(), ["orc", "hero"]);
    assert_eq!(state.chosen_member(), Some(1));
    assert_eq!(state.camera().center, center);
    read(&mut state, StageAction::Remove(1));
    assert_eq!(state.layout().unwrap().names(), ["orc"]);
    state.apply(StageAction::Remove(0));
    assert!(state.loading().is_none(), "the last one stays");
}

#[test]
fn clips_change_the_length_and_a_saved_stage_is_as_it_was_left() {
    let (folder, mut state) = made();
    let length = state.timelines()[0].frame_count;
    let fast = Member { speed: 0.5, ..member(&state, 0) };
    set(&mut state, 0, fast);
    assert_eq!(state.timelines()[0].frame_count, 2 * length);
    let path = folder.path().join("hero-stage.pchr-view.toml");
    fs::write(&path, session(&state, &path).text(folder.path()).unwrap()).unwrap();
    let saved = Session::parse(&fs::read_to_string(&path).unwrap(), &path).unwrap();
    state.apply(FileAction::SessionSaved(path.clone(), Box::new(saved)));
    assert!(!state.is_stage_unsaved());
    let again = open(&path);
    assert_eq!(again.layout(), state.layout());
    assert!(!again.is_stage_unsaved());
    // A changed stage is read again as it is here.
    let moved = Layout { members: vec![member(&state, 0)] };
    assert!(!moved.is_same_cast(state.layout().unwrap()));
}

#[test]
fn an_unsaved_stage_comes_back_and_closing_asks() {
    let (folder, mut state) = made();
    let placed = Member { at: [7.0, 8.0], ..member(&state, 1) };
    set(&mut state, 1, placed);
    let (unsaved, stage) = (places(&state), state.session_path().unwrap().to_owned());
    // Another file is opened: the stage says that it is kept, and how to go back.
    state.request(Source::File(folder.path().join("orc.pchr")), false);
    load(&mut state);
    assert!(state.layout().is_none());
    let back: Action = FileAction::Open(vec![stage.clone()]).into();
    assert_eq!(state.said().unwrap().offers, [back]);
    let quits = |state: &mut State| state.take_requests().contains(&Request::Quit);
    state.apply(Action::Quit);
    assert!(!quits(&mut state) && state.question().is_some(), "it asks");
    state.request(Source::File(stage), false);
    load(&mut state);
    assert_eq!(places(&state), unsaved);
    // The second time it closes.
    state.apply(Action::Quit);
    assert!(!quits(&mut state));
    state.apply(Action::Quit);
    assert!(quits(&mut state));
}

#[test]
fn undo_takes_back_a_tint_alone() {
    let (_folder, mut state) = made();
    let fast = Member { speed: 2.0, ..member(&state, 0) };
    set(&mut state, 0, fast.clone());
    state.apply(Action::Rest);
    set(&mut state, 0, Member { tint: [255, 0, 0], ..fast });
    load(&mut state);
    for (action, tint) in [(Action::Undo, [255; 3]), (Action::Redo, [255, 0, 0])] {
        read(&mut state, action);
        assert_eq!((member(&state, 0).tint, member(&state, 0).speed), (tint, 2.0));
    }
}

fn names(state: &State) -> Vec<String> {
    state.layout().unwrap().names()
}

fn hide(state: &mut State, name: &str) {
    let found = state.model().unwrap().subject().mesh_named(name).unwrap();
    state.apply(PartAction::ShowMesh(found, Some(false)));
}

fn hidden(state: &State) -> Vec<String> {
    state.shown().hide
}

#[test]
fn undo_goes_back_over_removals_other_orders_and_additions() {
    let (folder, mut state) = made();
    let hat = |name: &str| format!("{name}/square 0");
    hide(&mut state, &hat("hero"));
    hide(&mut state, &hat("orc"));
    read(&mut state, StageAction::Add(vec![folder.path().join("hero.pchr")]));
    let at = places(&state);
    state.apply(StageAction::Choose(Some(1)));
    read(&mut state, StageAction::Remove(0));
    assert_eq!(names(&state), ["orc", "hero 2"], "names stay");
    assert_eq!((state.chosen_member(), hidden(&state)), (Some(0), vec![hat("orc")]));
    apply!(state, StageAction::Reorder(0, 1), Action::Undo);
    assert_eq!(state.said().unwrap().text, "The stage is still being read");
    load(&mut state);
    assert_eq!(names(&state), ["hero 2", "orc"]);
    // Back to the start, and forward again.
    for expected in [&["orc", "hero 2"][..], &["hero", "orc", "hero 2"], &["hero", "orc"]] {
        read(&mut state, Action::Undo);
        assert_eq!(names(&state), expected);
    }
    assert_eq!(hidden(&state), [hat("hero"), hat("orc")]);
    state.apply(Action::Undo);
    assert_eq!(hidden(&state), [hat("hero")]);
    state.apply(Action::Redo);
    for _ in 0..3 {
        read(&mut state, Action::Redo);
    }
    assert_eq!(names(&state), ["hero 2", "orc"]);
    assert_eq!(places(&state), [at[2], at[1]]);
}

#[test]
fn replaced_images_stay_with_the_characters_that_show_them() {
    let (folder, mut state) = made();
    let images = |state: &State| -> Vec<String> {
        state.image_swaps().iter().map(|swap| swap.image.clone()).collect()
    };
    read(&mut state, StageAction::Add(vec![folder.path().join("hero.pchr")]));
    read(&mut state, skin(&folder, "hero/image 0"));
    assert_eq!(images(&state), ["hero/image 0"]);
    // The other one goes on with the picture that both had.
    read(&mut state, StageAction::Remove(0));
    assert_eq!(images(&state), ["hero 2/image 0"]);
    read(&mut state, Action::Undo);
    assert_eq!(images(&state), ["hero/image 0"]);
    // With images of its own it keeps the picture, and can lose it alone.
    let own = Member { own_images: true, ..member(&state, 2) };
    read(&mut state, StageAction::Set(2, Box::new(own)));
    assert_eq!(images(&state), ["hero/image 0", "hero 2/image 0"]);
    assert_eq!(state.model().unwrap().subject().image_count(), 3);
    read(&mut state, Action::Undo);
    assert_eq!(images(&state), ["hero/image 0"]);
}

#[test]
fn a_drag_turns_and_scales_about_the_origin_within_limits() {
    let (_folder, mut state) = made();
    state.apply(StageAction::Choose(Some(0)));
    let (camera, size) = (state.camera(), state.viewport());
    let at = |x: f64, y: f64| camera.screen_at([x, y], size);
    let member = |state: &State| member(state, 0);
    let drag = |state: &mut State, grip, from, to, snaps| {
        apply!(state, StageAction::Grab(grip, from), StageAction::Drag(to, snaps), Action::Rest);
    };
    drag(&mut state, Grip::Turn, at(0.0, 10.0), at(-10.0, 0.0), false);
    assert_eq!(member(&state).turn, 90.0);
    drag(&mut state, Grip::Turn, at(10.0, 0.0), at(9.0, 4.0), true);
    assert_eq!(member(&state).turn, 120.0, "23.96 degrees snap to 30");
    drag(&mut state, Grip::Scale, at(3.0, 4.0), at(0.0, 10.0), false);
    assert_eq!((member(&state).scale, member(&state).at), (2.0, [0.0; 2]));
    assert!(!member(&state).mirror, "turned by 120 degrees, its X axis leads to the upper left");
    drag(&mut state, Grip::Scale, at(-5.0, 9.0), at(5.0, -9.0), false);
    assert_eq!((member(&state).scale, member(&state).mirror), (2.0, true));
    state.apply(Action::Undo);
    drag(&mut state, Grip::Scale, at(10.0, 0.0), at(0.0, 0.0), false);
    assert_eq!(member(&state).scale, 0.001);
    drag(&mut state, Grip::Scale, at(0.0, 0.0), at(10.0, 0.0), false);
    assert_eq!(member(&state).scale, 0.001, "a drag from the origin says nothing");
    drag(&mut state, Grip::Place, [0.0; 2], [1e12, 0.0], false);
    assert_eq!(member(&state).at, [1e6, 0.0]);
    for _ in 0..5 {
        state.apply(Action::Undo);
    }
    assert_eq!(member(&state).at_origin(), member(&state));
}

/// Writes a stage of a character, with lines of its table, and opens it.
fn stage(more: &str) -> (tempfile::TempDir, PathBuf, State) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("party.pchr-view.toml");
    fs::write(folder.path().join("orc.pchr"), file()).unwrap();
    fs::write(&path, format!("[[character]]\nfile = \"orc.pchr\"\n{more}")).unwrap();
    let state = open(&path);
    (folder, path, state)
}

fn missing(state: &State) -> Vec<String> {
    let stage = state.model().unwrap().stage().unwrap();
    stage.missing().iter().map(ToString::to_string).collect()
}

/// Reads the stage again, and returns the note and the problem.
fn again(state: &mut State) -> (Option<String>, Option<String>) {
    state.apply(FileAction::Reload);
    finish(state);
    let title = state.problem().map(|problem| problem.title.clone());
    (state.note().map(|note| note.text.clone()), title)
}

#[test]
fn a_stage_is_shown_without_an_animation_that_a_file_lacks() {
    let (folder, _, mut state) = stage("animation = \"wlak\"\n");
    assert_eq!(state.problem(), None);
    assert_eq!(missing(&state), ["line 3: orc: has no animation \"wlak\"; closest: walk"]);
    let walks = Member { animation: Some("walk".into()), ..member(&state, 0) };
    set(&mut state, 0, walks);
    assert_eq!(missing(&state), [""; 0]);
    // The animation vanishes from the file: the stage goes on without it, and without a line of a text that has changes.
    let mut lacking = parts();
    lacking.animations.retain(|clip| clip.name != "walk");
    fs::write(folder.path().join("orc.pchr"), written(&lacking)).unwrap();
    assert_eq!(again(&mut state), (None, None));
    assert_eq!(missing(&state), ["orc: has no animation \"walk\""]);
}

#[test]
fn the_file_of_a_character_that_is_broken_or_missing_is_named() {
    let (folder, path, mut state) = stage("");
    let orc = folder.path().join("orc.pchr");
    let noted = |state: &mut State, fault: &str| {
        let note = format!("{fault}, showing the last good version");
        assert_eq!(again(state).0, Some(note));
    };
    fs::write(&orc, b"PCHR\x07\0\0\0 of a later version").unwrap();
    noted(&mut state, "orc.pchr is damaged");
    let title = "party.pchr-view.toml could not be opened: orc.pchr is damaged";
    assert_eq!(open(&path).problem().unwrap().title, title);
    fs::write(&orc, &file()[..100]).unwrap();
    noted(&mut state, "Export of orc.pchr incomplete");
    fs::remove_file(&orc).unwrap();
    noted(&mut state, "orc.pchr was deleted or moved");
    // The same with unsaved changes.
    let moved = Member { at: [7.0, 8.0], ..member(&state, 0) };
    set(&mut state, 0, moved);
    noted(&mut state, "orc.pchr is missing");
}

#[test]
fn changes_are_discarded_for_what_the_file_has() {
    let (_folder, path, mut state) = stage("at = [1, 2]\n");
    let discard = |state: &mut State| state.apply(StageAction::Discard);
    discard(&mut state);
    assert_eq!(state.said().unwrap().text, "No stage has unsaved changes");
    let moved = Member { at: [7.0, 8.0], ..member(&state, 0) };
    set(&mut state, 0, moved.clone());
    assert_eq!(again(&mut state), (None, None));
    assert!(!state.is_stage_behind() && state.is_stage_unsaved());
    discard(&mut state);
    finish(&mut state);
    assert!(!state.is_stage_unsaved());
    assert_eq!(places(&state), [[1.0, 2.0]]);
    // Another program changes the file: the changes here stay until they are discarded.
    set(&mut state, 0, moved.clone());
    fs::write(&path, "[[character]]\nfile = \"orc.pchr\"\nat = [3, 4]\n").unwrap();
    assert_eq!(again(&mut state), (None, None));
    assert!(state.is_stage_behind());
    assert_eq!(places(&state), [[7.0, 8.0]]);
    set(&mut state, 0, moved);
    assert!(state.is_stage_behind(), "it is remembered");
    discard(&mut state);
    finish(&mut state);
    assert!(!state.is_stage_behind() && !state.is_stage_unsaved());
    assert_eq!(places(&state), [[3.0, 4.0]]);
    assert_eq!(state.export_view().unwrap().stem, "party");
    // A new stage has no file.
    let (_folder, mut state) = made();
    discard(&mut state);
    let why = "The stage was never saved: there is nothing to go back to";
    assert_eq!(state.said().unwrap().text, why);
}

#[test]
fn hidden_meshes_and_replaced_images_are_unsaved_too_and_saving_may_close() {
    let (folder, mut state) = made();
    let path = folder.path().join("hero-stage.pchr-view.toml");
    let save = |state: &mut State| {
        let session = Box::new(session(state, &path));
        state.apply(FileAction::SessionSaved(path.clone(), session));
    };
    save(&mut state);
    assert!(!state.is_stage_unsaved());
    hide(&mut state, "hero/square 0");
    assert!(state.is_stage_unsaved());
    state.apply(Action::Quit);
    let save_and_close = StageAction::SaveAndQuit.into();
    assert!(state.question().unwrap().has_answer(&save_and_close));
    state.apply(save_and_close);
    assert!(!state.take_requests().contains(&Request::Quit), "not before it is saved");
    save(&mut state);
    assert!(!state.is_stage_unsaved() && state.take_requests().contains(&Request::Quit));
}

#[test]
fn a_tint_that_makes_characters_alike_takes_no_skin_from_the_other() {
    let (folder, mut state) = made();
    read(&mut state, StageAction::Add(vec![folder.path().join("hero.pchr")]));
    let tinted = |state: &mut State, tint| {
        let tinted = Member { tint, ..member(state, 0) };
        read(state, StageAction::Set(0, Box::new(tinted)));
    };
    tinted(&mut state, [9, 9, 9]);
    read(&mut state, skin(&folder, "hero 2/image 0"));
    tinted(&mut state, [255; 3]);
    assert_eq!([0, 2].map(|index| member(&state, index).own_images), [false, true]);
    assert_eq!(state.image_swaps()[0].image, "hero 2/image 0");
}
