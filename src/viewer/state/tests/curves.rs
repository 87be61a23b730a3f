//! Curves, keys and marks follow the current clip and bone.

use pchr::scene::MarkKind;

use super::*;
use crate::viewer::settings::CurvesMemory;

/// A motion of two bones: `arm` has keys on frames 0, 4 and 9, `leg` has none. Two notes lie on frame 3, one of them with a
/// character that turns text round, and one on frame 9.
pub(in crate::viewer) const MOTION: &[u8] = br#"{"version":1,"animType":0,"looped":true,"framerate":30.0,"frameCount":10,
"presence":{"loc":true,"rot":true,"scale":false,"note":true,"custom":false},"highPrecision":false,"modifiers":[],
"bones":[
{"name":"arm","flags":0,"loc":[[0,0.5,1.25,-2.0],[4,1.5,-0.75,3.0]],"rot":[[0,0.0,0.0,0.0,1.0],[9,0.0,1.0,0.0,0.0]],"scale":null},
{"name":"leg","flags":0,"loc":[],"rot":[],"scale":null}],
"notes":[[3,"step"],[3,"so\u202eund"],[9,"end"]],"customHex":null}"#;

fn open(bytes: &'static [u8]) -> State {
    let mut state = State::new(&ViewerOptions {
        playing: Playing { paused: Some(true), ..Playing::default() },
        ..ViewerOptions::default()
    });
    state.apply(CameraAction::Viewport(SIZE));
    finish(&mut state, bytes);
    assert!(state.model().is_some(), "{:?}", state.problem());
    state
}

/// Goes to another mark. Returns its frame.
fn walk(state: &mut State, by: i32) -> u16 {
    state.apply(PlaybackAction::WalkMarks(by));
    state.playback().frame_at(state.timelines()).unwrap().frame
}

fn choose(state: &mut State, bone: u16) {
    state.apply(PartAction::ChooseBone(Some(BoneId(bone))));
}

#[test]
fn curves_are_those_of_the_chosen_bone_while_they_are_shown() {
    let mut state = open(file());
    choose(&mut state, 0);
    assert!(state.tracks().curves.is_empty(), "nobody looks");
    state.apply(Action::Toggle(Switch::Curves));
    let x = &state.tracks().curves[0];
    assert_eq!((x.name, x.values.len(), x.values[3]), ("x", 10, 30.0));
    let revision = state.tracks().revision;
    apply!(state, PlaybackAction::Step(1), PlaybackAction::Seek(3.0));
    assert_eq!(state.tracks().revision, revision, "the same curves");
    choose(&mut state, 1);
    assert_eq!(state.tracks().curves[0].values, [0.0; 10]);
    state.apply(PlaybackAction::Animation(AnimationId(2)));
    assert_eq!(state.tracks().curves[0].values.len(), 4);
    state.apply(PartAction::ChooseNothing);
    assert!(state.tracks().curves.is_empty());
    assert_ne!(state.tracks().revision, revision);
}

#[test]
fn marks_are_known_without_curves_and_change_with_the_clip() {
    let mut state = open(file());
    let marks = &state.tracks().marks;
    assert_eq!(marks.len(), 1);
    assert_eq!((marks[0].frame, marks[0].kind), (5, MarkKind::Visible));
    assert_eq!(marks[0].text, "bone 2 hidden");
    state.apply(PlaybackAction::Animation(AnimationId(2)));
    assert_eq!(state.tracks().marks[0].frame, 2);
    assert_eq!(state.tracks().mark_frames, [vec![], vec![], vec![2], vec![]]);
    state.apply(PlaybackAction::Animation(AnimationId(0)));
    assert!(state.tracks().marks.is_empty());
}

#[test]
fn the_next_and_the_previous_mark_are_gone_to() {
    let mut state = open(MOTION);
    // What loops goes round.
    for (by, to) in [(1, 3), (1, 9), (1, 3), (1, 9), (-1, 3)] {
        assert_eq!(walk(&mut state, by), to);
    }
    assert!(!state.playback().playing);
    assert_eq!(state.said().unwrap().text, "Frame 3: step, so\\u{202e}und");
    let on = state.tracks().marks_on(3).iter().map(|mark| mark.text.as_str());
    assert!(on.eq(["step", "so\\u{202e}und"]), "notes are marks");
    assert!(state.tracks().marks_on(4).is_empty());
    assert_eq!(state.tracks().mark_frames[1], [3, 9]);

    let mut once = open(file());
    once.apply(PlaybackAction::Animation(AnimationId(2)));
    for (by, to) in [(-1, 0), (1, 2), (1, 2), (-1, 2)] {
        assert_eq!(walk(&mut once, by), to);
    }
}

#[test]
fn keys_are_listed_for_bones_that_have_some_and_filtered_like_the_bones() {
    let mut state = open(MOTION);
    state.apply(Action::Toggle(Switch::Curves));
    assert_eq!(state.tracks().row_count(), 0, "curves are shown");
    state.apply(CurvesAction::Keys(true));
    let frames = |state: &State| -> Vec<(u16, Vec<u16>)> {
        let rows = state.tracks().rows(0..state.tracks().row_count());
        rows.map(|row| (row.bone.0, row.keys.iter().map(|key| key.frame).collect())).collect()
    };
    assert_eq!(frames(&state), [(0, vec![0, 4, 9])]);
    let first = state.tracks().rows(0..1).next().unwrap().keys[0];
    assert!(first.kinds.has(CurveKind::Translation) && first.kinds.has(CurveKind::Rotation));
    assert!(!first.kinds.has(CurveKind::Scale));
    assert_eq!(state.tracks().row_of(BoneId(0)), Some(0));
    let filter = |text: &str| Action::Parts(PartAction::Filter(Tab::Bones, text.into()));
    state.apply(filter("LEG"));
    assert_eq!((state.tracks().row_count(), state.tracks().keys.rows.is_empty()), (0, false));
    state.apply(filter(" Arm"));
    assert_eq!(state.tracks().row_count(), 1);
    state.apply(CurvesAction::Keys(false));
    assert!(state.tracks().keys.rows.is_empty());
}

#[test]
fn another_clip_is_shown_whole_and_another_bone_with_all_its_values() {
    let mut state = open(file());
    state.apply(Action::Toggle(Switch::Curves));
    choose(&mut state, 0);
    state.apply(CurvesAction::Frames(Some([2.0, 8.0])));
    state.apply(CurvesAction::Values(CurveKind::Translation, Some([0.0, 1.0])));
    choose(&mut state, 1);
    assert_eq!(state.curves_view().frames(9), [2.0, 8.0]);
    assert_eq!(state.curves_view().values(CurveKind::Translation), None);
    state.apply(PlaybackAction::Animation(AnimationId(2)));
    assert_eq!(state.curves_view().frames(3), [0.0, 3.0]);
}

#[test]
fn height_and_kinds_are_remembered() {
    let mut settings = ViewerSettings::default();
    settings.memory.curves = Some(CurvesMemory { height: 150.0, shown: vec!["scale".into()] });
    let mut state = State::with_settings(&ViewerOptions::default(), &settings);
    assert_eq!(state.curves_view().height, 150.0);
    let _ = state.take_requests();
    apply!(state, CurvesAction::Show(CurveKind::Order), CurvesAction::Height(200.0));
    assert_eq!(state.take_requests(), [Request::Remember, Request::Remember]);
    let memory = state.curves_view().memory();
    assert_eq!((memory.height, memory.shown), (200.0, vec!["scale".into(), "order".into()]));
}

#[test]
fn a_long_clip_is_no_work_from_frame_to_frame() {
    let frames: Vec<_> = (0..u16::MAX).map(|frame| [at(f32::from(frame % 100), 0.0)]).collect();
    let mut state = open(Builder::new().bones(1).animation("long", true, &frames).bytes().leak());
    state.apply(Action::Toggle(Switch::Curves));
    choose(&mut state, 0);
    assert_eq!(state.tracks().curves[0].values.len(), 65_535);
    let revision = state.tracks().revision;
    for _ in 0..1000 {
        state.apply(PlaybackAction::Step(1));
    }
    assert_eq!(state.tracks().revision, revision);
    state.apply(CurvesAction::Keys(true));
    let row = state.tracks().rows(0..1).next().unwrap();
    assert_eq!(row.keys.len(), 65_534);
}

#[test]
fn an_atlas_and_no_file_have_no_curves() {
    let mut state = State::new(&ViewerOptions::default());
    state.apply(Action::Toggle(Switch::Curves));
    assert!(!state.shows_curves());
    state.apply(PlaybackAction::WalkMarks(1));
    finish(&mut state, super::page::ATLAS);
    assert!(!state.shows_curves());
    state.apply(PlaybackAction::WalkMarks(1));
}
