//! Tests of steady blends in the window: two animations in phase, as long as they are shown.

use pchr::playback::Mix;

use super::fade::FADE;
use super::*;

const BIND: AnimationId = AnimationId(0);
const WALK: AnimationId = AnimationId(1);
const ONCE: AnimationId = AnimationId(2);

fn with(with: AnimationId) -> PlaybackAction {
    PlaybackAction::Blend(Some(Blend { with, amount: 0.4 }))
}

/// Plays `walk` (10 frames) with 40 % of `once` (4 frames).
fn blended() -> State {
    let mut state = open();
    state.apply(with(ONCE));
    state
}

/// The moment on screen, which is the one that a capture of it has.
fn moment(state: &State) -> (FrameAt, Option<Mix>) {
    let model = state.model().unwrap();
    let (at, mix) = model.moment();
    let (captured, captured_mix) = state.shown().moment(model.subject()).unwrap().unwrap();
    let at = at.unwrap();
    let whole = FrameAt::exact(at.animation, at.frame);
    assert_eq!(captured, if at.blend > 0.0 { at } else { whole });
    assert_eq!(captured_mix, mix);
    (at, mix)
}

fn positions(state: &State) -> [f64; 2] {
    let (at, mix) = moment(state);
    [at.position(), mix.unwrap().to.position()]
}

fn positions_after(state: &mut State, action: PlaybackAction) -> [f64; 2] {
    state.apply(action);
    positions(state)
}

#[test]
fn it_goes_on_for_whole_loops_at_the_same_phase_and_steps_seeks_and_ranges_are_those_of_the_first()
{
    for is_smooth in [false, true] {
        let mut state = blended();
        if is_smooth {
            state.apply(Action::Toggle(Switch::Smooth));
        }
        let mut seen = Vec::new();
        for _ in 0..50 {
            let [own, other] = positions_after(&mut state, PlaybackAction::Advance(0.07));
            assert!((other - (own * 0.4).min(3.0)).abs() < 1e-6, "{own} {other}");
            assert_eq!(moment(&state).1.unwrap().amount, 0.4);
            seen.push(own);
        }
        assert!(seen.windows(2).filter(|pair| pair[1] < pair[0]).count() >= 2, "it looped");
    }
    let mut state = blended();
    assert_eq!(positions_after(&mut state, PlaybackAction::Seek(5.0)), [5.0, 2.0]);
    assert_eq!(positions_after(&mut state, PlaybackAction::Step(-1)), [4.0, f64::from(1.6_f32)]);
    assert_eq!(positions_after(&mut state, PlaybackAction::LastFrame), [9.0, 3.0]);
    state.apply(PlaybackAction::Section(Some([5, 6])));
    assert_eq!(positions_after(&mut state, PlaybackAction::FirstFrame), [5.0, 2.0]);
}

#[test]
fn another_first_animation_keeps_it_unless_it_is_the_second_and_a_fade_ends() {
    for is_paused in [false, true] {
        let mut state = blended();
        state.apply(LookAction::Fade(FADE));
        if is_paused {
            state.apply(PlaybackAction::TogglePlay);
        }
        state.apply(PlaybackAction::Animation(BIND));
        assert!(state.fade().is_none());
        assert_eq!(positions(&state), [0.0, 0.0]);
        state.apply(PlaybackAction::Animation(ONCE));
        assert_eq!((state.blend(), state.playback().animation), (None, Some(ONCE)));
        state.apply(with(ONCE));
        assert_eq!(state.blend(), None, "with itself");
        state.apply(with(AnimationId(9)));
        assert_eq!(state.blend(), None, "with one that is not there");
    }
    // A fade ends when it begins.
    let mut state = open();
    apply!(state, LookAction::Fade(FADE), PlaybackAction::Animation(ONCE));
    assert!(state.fade().is_some());
    state.apply(with(WALK));
    assert!(state.fade().is_none());
    assert_eq!(moment(&state).0.animation, ONCE);
}

#[test]
fn it_is_kept_by_name_where_the_file_is_read_again_or_another_version_of_it() {
    let mut state = blended();
    state.apply(PlaybackAction::Seek(5.0));
    let mut other = parts();
    other.animations.swap(0, 2);
    let swapped = written(&other);
    reload_with(&mut state, swapped);
    assert_eq!(state.blend(), Some(Blend { with: BIND, amount: 0.4 }));
    assert_eq!(positions(&state), [5.0, 2.0]);
    other.animations.drain(..2);
    reload_with(&mut state, written(&other));
    assert_eq!(state.blend(), None);
    let mut state = showing(&["a", "b"], file());
    state.apply(with(ONCE));
    read_as(&mut state, FileAction::NextFile, swapped);
    assert_eq!(state.blend(), Some(Blend { with: BIND, amount: 0.4 }), "a version");
    state.apply(FileAction::OpenSample);
    finish(&mut state, stranger());
    assert_eq!(state.blend(), None, "another file");
}

#[test]
fn undo_covers_it_and_a_drag_of_its_weight_is_one_step() {
    let mut state = open();
    apply!(state, with(ONCE), Action::Rest);
    for amount in [0.5, 0.6, 0.7] {
        state.apply(PlaybackAction::Blend(Some(Blend { with: ONCE, amount })));
    }
    apply!(state, Action::Rest, PlaybackAction::Blend(None));
    assert_eq!(moment(&state).1, None);
    let mut undone = Vec::new();
    for _ in 0..3 {
        state.apply(Action::Undo);
        undone.push(state.blend().map(|blend| blend.amount));
    }
    assert_eq!(undone, [Some(0.7), Some(0.4), None]);
    state.apply(Action::Redo);
    assert_eq!(positions_after(&mut state, PlaybackAction::Seek(5.0)), [5.0, 2.0]);
}

#[test]
fn a_window_starts_with_one_and_without_sync_in_a_fade() {
    let shown = Shown { mix: Some("walk:once:0.4".parse().unwrap()), ..Shown::default() };
    let state = open_with(of_look(shown.clone()));
    assert!(state.fade().is_some() && state.blend().is_none());
    let state = open_with(of_look(Shown { mix_sync: Some(true), ..shown }));
    assert!(state.fade().is_none());
    assert_eq!(state.blend(), Some(Blend { with: ONCE, amount: 0.4 }));
    assert_eq!(state.playback().animation, Some(WALK));
}
