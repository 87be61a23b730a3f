//! Settings of onion skin, without a window.

use pchr::overlay::MOST_GHOSTS;

use super::*;

fn said(state: &State) -> Option<&str> {
    state.said().map(|message| &*message.text)
}

#[test]
fn it_is_off_at_first_with_two_frames_on_each_side_and_what_is_set_turns_it_on_and_is_remembered() {
    let mut state = open();
    let before = state.revision();
    for shown in [Onion::NONE, Onion::of(2, 2), Onion::NONE] {
        assert_eq!(state.overlays(1).onion, shown);
        state.apply(Action::Toggle(Switch::Onion));
        assert_ne!(state.revision(), before);
    }
    let mut state = open();
    let _ = state.take_requests();
    let onion = Onion { before: 1, after: 4, step: 3, tints: [[1, 2, 3], [4, 5, 6]] };
    state.apply(LookAction::Onion(onion));
    assert!(state.is_on(Switch::Onion));
    assert_eq!(state.overlays(1).onion, onion);
    assert_eq!(state.take_requests(), [Request::Remember]);
    // It stays when it is turned off, and for other files.
    apply!(state, Action::Toggle(Switch::Onion), Action::Toggle(Switch::Onion));
    for bytes in [file(), WALK] {
        show(&mut state, &["x"], bytes);
        assert_eq!(state.overlays(1).onion, onion);
    }
}

#[test]
fn more_and_fewer_ghosts_keep_within_the_limits_and_say_so() {
    let mut state = open();
    for text in ["Onion skin: 2 before, 2 after", "Onion skin: 3 before, 3 after"] {
        state.apply(LookAction::MoreGhosts);
        assert_eq!(said(&state), Some(text));
    }
    for _ in 0..2 * MOST_GHOSTS {
        state.apply(LookAction::MoreGhosts);
    }
    let Onion { before, after, .. } = state.overlays(1).onion;
    assert_eq!([before, after], [MOST_GHOSTS; 2]);
    for _ in 0..2 * MOST_GHOSTS {
        state.apply(LookAction::FewerGhosts);
    }
    assert_eq!(said(&state), Some("Onion skin: 0 before, 0 after"));
    assert!(!state.overlays(1).onion.is_on() && state.is_on(Switch::Onion));
}

#[test]
fn the_step_goes_round() {
    let mut state = open();
    state.apply(Action::Toggle(Switch::Onion));
    let mut steps = Vec::new();
    for _ in 0..7 {
        steps.push(state.overlays(1).onion.step);
        state.apply(LookAction::CycleGhostStep);
    }
    assert_eq!(steps, [1, 2, 3, 4, 6, 8, 1]);
    // After a typed step, the next larger preset follows.
    state.apply(LookAction::Onion(Onion { step: 5, ..Onion::of(1, 3) }));
    state.apply(LookAction::CycleGhostStep);
    assert_eq!(said(&state), Some("Onion skin: 1 before, 3 after, 6 frames apart"));
}

fn pinned(state: &State) -> Option<(u16, u16)> {
    state.overlays(1).pin.map(|pin| (pin.animation.0, pin.frame))
}

#[test]
fn a_pinned_frame_stays_while_others_play_and_the_same_key_takes_it_away() {
    let mut state = open();
    let pin = Action::Looking(LookAction::PinFrame);
    apply!(state, PlaybackAction::Animation(AnimationId(1)), PlaybackAction::Seek(3.0));
    state.apply(pin.clone());
    assert_eq!(pinned(&state), Some((1, 3)));
    assert_eq!(said(&state), Some("Pinned walk, frame 3"));
    state.apply(PlaybackAction::Animation(AnimationId(2)));
    assert_eq!(pinned(&state), Some((1, 3)));
    let overlays: Vec<String> = state.shown().overlays().map(ToString::to_string).collect();
    assert!(overlays.contains(&"pin=walk:3".to_owned()), "{overlays:?}");
    state.apply(Action::Toggle(Switch::Pin));
    assert_eq!(pinned(&state), None);
    state.apply(Action::Toggle(Switch::Pin));
    assert_eq!(pinned(&state), Some((1, 3)), "it is remembered");
    state.apply(pin.clone());
    assert_eq!(pinned(&state), Some((2, 0)), "another frame");
    state.apply(LookAction::PinTint([1, 2, 3]));
    assert_eq!(state.shown().pin_tint.map(|tint| tint.0), Some([1, 2, 3]));
    state.apply(pin);
    assert_eq!((pinned(&state), state.parts().pin), (None, None));
}

#[test]
fn a_pinned_frame_is_found_by_name_in_another_version_and_gone_in_another_file() {
    let mut state = super::showing(&["a.pchr"], file());
    apply!(state, PlaybackAction::Animation(AnimationId(1)), LookAction::PinFrame);
    read_as(&mut state, FileAction::Reload, file());
    assert_eq!(pinned(&state), Some((1, 0)));
    show(&mut state, &["other.pchr"], super::stranger());
    assert_eq!(pinned(&state), None);
}
