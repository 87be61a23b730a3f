//! Controls of the cross-fade and of the blend, through their names.

use pchr::playback::{Blend, FadeCurve, FadeOptions};

use super::*;

/// Chooses `run` while `walk` plays, with a fade of a second.
fn fade(state: &mut State) {
    let fade = FadeOptions { seconds: 1.0, curve: FadeCurve::Linear };
    apply!(state, LookAction::Fade(fade), PlaybackAction::TogglePlay);
    apply!(state, PlaybackAction::Animation(AnimationId(1)), PlaybackAction::Advance(0.3));
    state.apply(PlaybackAction::TogglePlay);
}

#[test]
fn length_and_curve_are_set_beside_rate_and_loop() {
    let mut window = window(|_| ());
    assert!(!has(&window, "Fade 0 %"));
    window.get_by_role_and_label(Role::SpinButton, "Cross-fade").focus();
    window.run_ok();
    key(&mut window, Key::ArrowUp);
    assert!(window.state().looking().fade.seconds > 0.0);
    click(&mut window, "Reset");
    assert_eq!(window.state().looking().fade.seconds, 0.0);
    key(&mut window, Key::J);
    key(&mut window, Key::J);
    assert_eq!(window.state().looking().fade.seconds, 0.2);
    click(&mut window, "Curve of the cross-fade");
    window
        .query_all_by_label("Smooth")
        .max_by(|a, b| a.rect().top().total_cmp(&b.rect().top()))
        .unwrap()
        .click();
    window.run_ok();
    assert_eq!(window.state().looking().fade.curve, FadeCurve::Smooth);
}

#[test]
fn a_low_window_has_them_in_the_menu() {
    let mut window = window(|_| ());
    resize(&mut window, vec2(700.0, 420.0));
    assert!(!has(&window, "Cross-fade"));
    click(&mut window, "More animation settings");
    assert!(has(&window, "Cross-fade"));
    click(&mut window, "Smooth fade");
    assert_eq!(window.state().looking().fade.curve, FadeCurve::Smooth);
}

#[test]
fn its_per_cent_is_shown_while_it_is_held_and_gone_afterwards() {
    for size in [[700.0, 420.0], [1024.0, 640.0], [2560.0, 1440.0]] {
        let mut window = window(fade);
        resize(&mut window, size);
        assert!(has(&window, "Fade 30 %"), "{size:?}");
        let rect = window.get_by_label("Fade 30 %").rect();
        assert!(rect.left() >= 0.0 && rect.right() <= size[0], "{rect:?}");
        apply(&mut window, PlaybackAction::Seek(5.0));
        assert!(!has(&window, "Fade 30 %"));
        window.state_mut().apply(PlaybackAction::TogglePlay);
        apply(&mut window, PlaybackAction::Advance(2.0));
        let faded = window.query_all_by_label_contains("Fade ").count();
        assert_eq!(faded, 0, "{size:?}");
    }
}

#[test]
fn an_animation_to_blend_with_is_chosen_weighed_and_left_out_and_a_file_with_one_has_none() {
    let mut window = window(|_| ());
    assert!(!has(&window, "Weight of the blend"));
    click(&mut window, "Blend with");
    click(&mut window, "run");
    let run = |amount| Some(Blend { with: AnimationId(1), amount });
    assert_eq!(window.state().blend(), run(0.5));
    let halves = window.query_all_by_label("Weight of the blend");
    let left = halves.map(|half| half.rect()).min_by(|a, b| a.left().total_cmp(&b.left()));
    let left = left.unwrap().left_center();
    drag(&mut window, left + vec2(8.0, 0.0), left + vec2(44.0, 0.0));
    window.run_ok();
    assert!(window.state().blend().unwrap().amount > 0.7);
    click(&mut window, "Blend with");
    click(&mut window, "None");
    assert_eq!(window.state().blend(), None);
    // A weight that a file or a command gave stays as it is.
    apply(&mut window, PlaybackAction::Blend(run(0.12345)));
    assert_eq!(window.state().blend(), run(0.12345));
    let window = window_of(hat().still("walk", true, 8).bytes().leak(), |_| ());
    assert!(!has(&window, "Cross-fade") && !has(&window, "Blend with"));
}

#[test]
fn a_command_opens_the_choice_in_a_low_window_too() {
    for size in [[1024.0, 760.0], [700.0, 420.0]] {
        let mut window = window(|_| ());
        resize(&mut window, size);
        assert_eq!(window.query_all_by_role_and_label(Role::Button, "run").count(), 0);
        apply_and_wait(&mut window, LookAction::GoTo(Destination::Blend));
        assert!(window.query_all_by_role_and_label(Role::Button, "run").count() > 0, "{size:?}");
    }
}
