//! Tests of cross-fades in the window: they start with another animation, are held, scrubbed and ended.

use super::*;

const WALK: AnimationId = AnimationId(1);
const ONCE: AnimationId = AnimationId(2);

/// A fade of four frames.
pub(super) const FADE: FadeOptions = FadeOptions { seconds: 0.4, curve: FadeCurve::Linear };

/// Plays `walk`, with a fade.
fn fading() -> State {
    let mut state = open();
    apply!(state, LookAction::Fade(FADE), PlaybackAction::Advance(0.2));
    state
}

/// The same a frame after `once` was chosen.
fn faded() -> State {
    let mut state = fading();
    apply!(state, PlaybackAction::Animation(ONCE), PlaybackAction::Advance(0.1));
    state
}

/// Frames of both clips on screen and the weight of the second.
fn shown(state: &State) -> (u16, Option<(u16, f32)>) {
    let (at, mix) = state.model().unwrap().moment();
    (at.unwrap().frame, mix.map(|mix| (mix.to.frame, mix.amount)))
}

fn shown_after(state: &mut State, action: PlaybackAction) -> (u16, Option<(u16, f32)>) {
    state.apply(action);
    shown(state)
}

#[test]
fn another_animation_is_faded_to_while_one_plays() {
    let mut state = fading();
    assert_eq!(shown_after(&mut state, PlaybackAction::Animation(ONCE)), (2, Some((0, 0.0))));
    assert_eq!(state.until_change(), Some(0.0));
    assert_eq!(shown_after(&mut state, PlaybackAction::Advance(0.1)), (3, Some((1, 0.25))));
    state.apply(PlaybackAction::Advance(0.25));
    // It has ended, and the fade goes on.
    state.apply(PlaybackAction::Advance(0.01));
    assert!(state.fade().is_some() && state.is_moving());
    assert_eq!(shown_after(&mut state, PlaybackAction::Advance(0.1)), (3, None));
    assert!(!state.is_moving() && state.until_change().is_none());
}

#[test]
fn the_length_is_within_two_seconds_and_remembered_and_goes_by_steps() {
    let mut state = open();
    assert_eq!(state.looking().fade, FadeOptions::default());
    let mut set = |action| {
        state.take_requests();
        state.apply(action);
        (state.looking().fade.seconds, state.take_requests().contains(&Request::Remember))
    };
    let of = |seconds| LookAction::Fade(FadeOptions { seconds, ..FadeOptions::default() });
    assert_eq!(set(of(7.0)), (2.0, true));
    assert_eq!(set(of(f64::NAN)), (2.0, false));
    assert_eq!(set(of(-1.0)), (0.0, true));
    assert_eq!(set(LookAction::WalkFade(1)), (0.1, true));
    assert_eq!(state.said().unwrap().text, "Cross-fade: 0.1 s, linear");
    state.apply(LookAction::WalkFade(-1));
    assert_eq!(state.said().unwrap().text, "Cross-fade: off");
    state.apply(LookAction::CycleFadeCurve);
    assert_eq!(state.looking().fade.curve, FadeCurve::Smooth);
}

#[test]
fn without_a_length_while_paused_and_by_undo_it_is_cut() {
    let mut state = open();
    state.apply(PlaybackAction::Animation(ONCE));
    assert!(state.fade().is_none() && state.playback().playing);
    let mut state = fading();
    state.apply(PlaybackAction::TogglePlay);
    assert_eq!(shown_after(&mut state, PlaybackAction::WalkAnimations(1)), (0, None));
    assert!(!state.playback().playing);
    let mut state = fading();
    apply!(state, PlaybackAction::Speed(0.5), PlaybackAction::Animation(ONCE));
    assert!(state.fade().is_some());
    state.apply(Action::Undo);
    assert_eq!(state.playback().animation, Some(WALK));
    assert!(state.fade().is_none());
}

#[test]
fn a_pause_holds_the_fade_unless_its_key_is_taken_back_and_the_time_line_moves_it() {
    let mut state = faded();
    apply!(state, PlaybackAction::TogglePlay, PlaybackAction::UndoPlay);
    assert!(state.playback().playing);
    assert_eq!(shown(&state), (3, Some((1, 0.25))));
    // Seeking pauses.
    state.apply(PlaybackAction::Seek(2.0));
    assert!(!state.playback().playing && state.until_change().is_none());
    assert_eq!(shown(&state), (4, Some((2, 0.5))));
    assert_eq!(shown_after(&mut state, PlaybackAction::Advance(9.0)), (4, Some((2, 0.5))));
    assert_eq!(shown_after(&mut state, PlaybackAction::LastFrame), (5, Some((3, 0.75))));
    assert_eq!(shown_after(&mut state, PlaybackAction::Step(-2)), (3, Some((1, 0.25))));
    assert_eq!(shown_after(&mut state, PlaybackAction::GoTo(0.0)), (2, Some((0, 0.0))));
    apply!(state, PlaybackAction::TogglePlay, PlaybackAction::Advance(0.5));
    assert!(state.fade().is_none());
}

#[test]
fn it_outlives_a_file_that_is_read_again_and_ends_with_another_file() {
    let mut state = faded();
    let before = shown(&state);
    reload_with(&mut state, file());
    assert_eq!(shown(&state), before);
    state.apply(PlaybackAction::TogglePlay);
    reload_with(&mut state, file());
    assert_eq!(shown(&state), before);
    state.apply(FileAction::OpenSample);
    finish(&mut state, file());
    assert!(state.fade().is_none());
    // The fade's first clip is gone.
    let mut state = fading();
    state.apply(PlaybackAction::Animation(ONCE));
    let mut parts = super::parts();
    parts.animations.remove(usize::from(WALK.0));
    reload_with(&mut state, written(&parts));
    assert!(state.fade().is_none());
    assert_eq!(state.playback().animation, Some(AnimationId(1)));
}
