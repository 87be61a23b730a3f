//! Comparisons, without a window: the same moment of both files, what ends them, and the changes that the list leads to.

use pchr_tools::capture::AgainstMode;
use pchr_tools::changes::{Version, compare};
use pchr_tools::crowd::Instances;

use super::session::open;
use super::*;
use crate::viewer::command_line::Start;
use crate::viewer::compare::{Changes, CompareMode, Counterpart};

/// The character with the first square at another place, and without its second animation.
fn moved() -> DocumentParts {
    let mut parts = parts();
    parts.animations.pop();
    for vertex in &mut parts.meshes[0].vertices {
        vertex.position[1] += 200.0;
    }
    parts
}

fn folder() -> (tempfile::TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.pchr", "b.pchr"].map(|name| folder.path().join(name));
    fs::write(&paths[0], file()).unwrap();
    fs::write(&paths[1], written(&moved())).unwrap();
    (folder, paths)
}

/// Carries out the requested load of the other side.
fn load_other(state: &mut State) {
    let (id, source) = requested!(state, Request::LoadCounterpart(id, source, _) => (id, source));
    state.apply(CompareAction::Loaded(LoadDone { id, ..load_done(&source, || true) }));
}

fn compare_with(state: &mut State, counterpart: Counterpart) {
    state.apply(CompareAction::With(counterpart));
    load_other(state);
}

fn compared([a, b]: &[PathBuf; 2]) -> State {
    let mut state = open(a);
    compare_with(&mut state, Counterpart::File(b.clone()));
    state
}

/// Finds the changes, as the thread does.
fn find_changes(state: &mut State) {
    let id = requested!(state, Request::Compare(id) => id);
    let version = |model: &Model| {
        let images = model.images().iter().map(|levels| levels.base().clone()).collect();
        Version::new(model.subject_shared(), images)
    };
    let now = state.comparison().unwrap();
    let (open, other) = (version(state.model().unwrap()), version(&now.model));
    let (of, is_after) = (now.left_and_right().map(str::to_owned), now.is_first());
    let diff = if is_after { compare(&other, &open) } else { compare(&open, &other) };
    let changes = Changes::new(&diff, &*open.subject, is_after, of);
    state.apply(CompareAction::Changes(id, Arc::new(changes)));
}

#[test]
fn both_files_show_the_same_frame_with_the_same_parts_hidden_and_the_fit_holds_both() {
    let (_folder, paths) = folder();
    let mut state = compared(&paths);
    let walk = AnimationId(1);
    apply!(state, PlaybackAction::Animation(walk), PlaybackAction::Seek(4.0));
    state.apply(PartAction::ShowMesh(MeshId(1), Some(false)));
    let now = state.comparison().unwrap();
    let (at, _) = now.model.moment();
    assert_eq!(at.map(|at| (at.animation, at.frame)), Some((walk, 4)));
    assert!(!now.model.shown(MeshId(1)).visible && now.model.shown(MeshId(0)).visible);
    // An animation without a partner shows nothing.
    state.apply(PlaybackAction::Animation(AnimationId(2)));
    assert!(state.comparison().unwrap().shown().is_none());
    state.apply(PlaybackAction::Animation(walk));
    assert!(state.comparison().unwrap().shown().is_some());
    let top = |state: &State| state.view.bounds.unwrap().max[1];
    assert_eq!(top(&state), 220.0);
    state.apply(CompareAction::End);
    assert_eq!(top(&state), 20.0);
}

#[test]
fn another_file_ends_a_comparison_and_a_reload_goes_on_with_it() {
    let (_folder, paths) = folder();
    let mut state = compared(&paths);
    state.apply(FileAction::Reload);
    load_last(&mut state);
    assert!(state.comparison().is_some());
    let compares = |request: &Request| matches!(request, Request::Compare(_));
    assert!(state.take_requests().iter().any(compares), "the changes are found again");
    apply!(state, FileAction::Open(vec![paths[1].clone()]), FileAction::Show(0));
    state.request(Source::File(paths[1].clone()), false);
    load_last(&mut state);
    assert!(state.counterpart().is_none());
}

#[test]
fn the_version_before_the_reload_is_compared_with() {
    let (_folder, [a, _]) = folder();
    let mut state = open(&a);
    state.apply(CompareAction::With(Counterpart::BeforeReload));
    assert!(state.said().is_some() && state.comparison().is_none());
    fs::write(&a, written(&moved())).unwrap();
    state.apply(FileAction::Reload);
    load_last(&mut state);
    state.apply(CompareAction::With(Counterpart::BeforeReload));
    let now = state.comparison().unwrap();
    assert_eq!((now.model.subject().animation_count(), state.timelines().len()), (3, 2));
}

#[test]
fn rows_lead_to_frames_and_parts_and_a_file_equals_itself() {
    let (_folder, paths) = folder();
    let mut state = compared(&paths);
    find_changes(&mut state);
    let changes = Arc::clone(state.comparison().unwrap().changes.as_ref().unwrap());
    assert!(changes.of == ["a.pchr", "b.pchr"]);
    let row = |text: &str| {
        let found = changes.rows.iter().position(|row| row.text.contains(text));
        found.unwrap_or_else(|| panic!("{text}: {changes:?}"))
    };
    assert_eq!(changes.rows[row("removed")].name, "once");
    state.apply(CompareAction::Jump(row("vertices moved by up to 200 px")));
    assert_eq!(state.chosen_mesh(), Some(MeshId(0)));
    let moved = changes.rows.iter().position(|row| row.name == "walk" && row.jump.spot.is_some());
    state.apply(CompareAction::Jump(moved.unwrap()));
    let (at, _) = state.model().unwrap().moment();
    assert_eq!(at.unwrap().animation, AnimationId(1));
    assert!(!state.playback().playing);
    let (_, spot) = state.jumped().unwrap();
    let [x, y, _] = spot.unwrap().middle;
    let [x, y] = state.camera().screen_at([x, y], SIZE);
    assert!((0.0..400.0).contains(&x) && (0.0..300.0).contains(&y), "{x} {y}");
    // The mark belongs to its frame.
    state.apply(PlaybackAction::Step(1));
    assert_eq!(state.jumped().unwrap().1, None);
    // Walking goes round.
    apply!(state, CompareAction::Jump(changes.rows.len() - 1), CompareAction::WalkChanges(1));
    assert_eq!(state.jumped().unwrap().0, 0);
    let [a, _] = paths;
    let mut state = compared(&[a.clone(), a]);
    find_changes(&mut state);
    let changes = state.comparison().unwrap().changes.clone().unwrap();
    assert!(changes.rows.is_empty() && changes.summary == "No differences", "{changes:?}");
}

#[test]
fn both_files_are_exchanged() {
    let (_folder, [a, b]) = folder();
    let mut state = open(&a);
    state.apply(PlaybackAction::Instances(Instances { count: 9, scattered: false }));
    compare_with(&mut state, Counterpart::File(b.clone()));
    let hidden = |state: &State| {
        let model = state.model().unwrap();
        (model.loaded().instances().count, model.shown(MeshId(1)).visible)
    };
    state.apply(CompareAction::Mode(CompareMode::Blink));
    state.apply(PartAction::ShowMesh(MeshId(1), Some(false)));
    for [open, other] in [[&b, &a], [&a, &b], [&b, &a]] {
        state.apply(CompareAction::Exchange);
        load_last(&mut state);
        assert_eq!(state.model().unwrap().loaded().file(), Some(&**open));
        load_other(&mut state);
        assert_eq!(state.comparison().unwrap().with, Counterpart::File(other.clone()));
        assert_eq!(state.compare_mode(), Some(CompareMode::Blink));
        assert_eq!(hidden(&state), (9, false), "it stays as it was shown");
    }
    find_changes(&mut state);
    // The second animation is only in the other file now.
    let rows = &state.comparison().unwrap().changes.as_ref().unwrap().rows;
    let added = rows.iter().position(|row| row.is_only_in_other).unwrap();
    assert_eq!((rows[added].name.as_str(), rows[added].text.as_str()), ("once", "added"));
    state.apply(CompareAction::Jump(added));
    assert_eq!(state.said().unwrap().offers, [CompareAction::Exchange.into()]);
}

#[test]
fn a_damaged_version_of_the_other_file_is_said_until_it_is_mended() {
    let (_folder, paths) = folder();
    let mut state = compared(&paths);
    let change = |state: &mut State, bytes: &[u8]| {
        fs::write(&paths[1], bytes).unwrap();
        state.apply(FileAction::Changed(paths[1].clone()));
        load_other(state);
    };
    change(&mut state, b"PCHR");
    let fault = state.compare_fault().unwrap();
    assert_eq!(fault, "b.pchr cannot be read, showing the last good version");
    assert!(state.comparison().is_some() && state.problem().is_none());
    change(&mut state, file());
    assert_eq!(state.compare_fault(), None);
    assert_eq!(state.comparison().unwrap().model.subject().animation_count(), 3);
}

#[test]
fn views_name_the_other_file_and_start_with_it() {
    let (_folder, paths) = folder();
    let mut state = compared(&paths);
    apply!(state, CompareAction::Mode(CompareMode::Split), CompareAction::Split(0.25));
    let shown = state.shown();
    assert_eq!(shown.against_split, Some(0.25));
    assert_eq!(shown.against.as_ref(), Some(&paths[1]));
    assert_eq!(shown.against_mode, Some(AgainstMode::Split));
    assert_eq!(shown.resolution.unwrap().0, SIZE);
    // Side by side, the whole picture is twice as wide as that of each.
    state.apply(CompareAction::Mode(CompareMode::Side));
    assert_eq!(state.shown().resolution.unwrap().0, [2 * SIZE[0], SIZE[1]]);
    let mut other = open(&paths[0]);
    let start = Start { shown, is_session: true, ..Start::default() };
    other.show_as(&start);
    assert_eq!(other.compare_mode(), Some(CompareMode::Split), "it is asked for");
    load_other(&mut other);
    assert!(other.comparison().is_some());
    assert_eq!(other.split(), 0.25);
    other.show_as(&Start { shown: Shown::default(), ..start });
    assert!(other.counterpart().is_none());
}

#[test]
fn what_cannot_be_compared_says_why_and_nothing_else_changes() {
    let (folder, paths) = folder();
    let mut state = compared(&paths);
    let broken = folder.path().join("broken.pchr");
    fs::write(&broken, b"PCHR").unwrap();
    compare_with(&mut state, Counterpart::File(broken));
    assert_eq!(state.problem().unwrap().title, "broken.pchr could not be opened");
    assert_eq!(state.counterpart(), Some(&Counterpart::File(paths[1].clone())));
    compare_with(&mut state, Counterpart::Commit);
    assert_eq!(state.problem().unwrap().title, "No version in Git to compare with");
    // Escape closes the message, then the comparison.
    apply!(state, Action::Dismiss, Action::Dismiss);
    assert!(state.counterpart().is_none());
}

#[test]
fn figures_are_asked_for_one_at_a_time_and_follow_the_picture() {
    let (_folder, paths) = folder();
    let mut state = compared(&paths);
    state.take_requests();
    state.apply(CompareAction::Mode(CompareMode::Difference));
    let asked = |state: &mut State| {
        let requests = state.take_requests().into_iter();
        let jobs = requests.filter_map(|request| match request {
            Request::Figures(job) => Some(job.id),
            _ => None,
        });
        jobs.collect::<Vec<_>>()
    };
    let [id] = asked(&mut state)[..] else { panic!("one is asked for") };
    apply!(state, PlaybackAction::Step(1), PlaybackAction::Step(1));
    assert!(asked(&mut state).is_empty(), "one is under way");
    for (count, why) in [(1, "the picture has changed since"), (0, "it has not")] {
        state.apply(CompareAction::Figures(id, None));
        assert_eq!(asked(&mut state).len(), count, "{why}");
    }
}
