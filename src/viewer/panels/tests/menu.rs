//! Menus by keys: opening, moving, filtering and closing.

use pchr::playback::LoopMode;

use super::*;

/// So many animations, of which the one in the middle plays.
fn many(count: u16) -> Window {
    let playing = Action::Playback(PlaybackAction::Animation(AnimationId(count / 2)));
    window_of(clips(count), |state| state.apply(playing))
}

#[test]
fn the_animations_open_at_the_one_that_plays_and_are_filtered_by_typing() {
    let mut window = many(300);
    resize(&mut window, vec2(700.0, 420.0));
    press_and_wait(&mut window, Modifiers::COMMAND, Key::Num3);
    let (name, place) = focused(&window).expect("the animation that plays");
    assert!(name.starts_with("clip 00150"), "{name}");
    assert!(place.top() > 60.0 && place.bottom() < 420.0, "{place:?}");
    assert!(key(&mut window, Key::ArrowDown).starts_with("clip 00151"));
    assert!(key(&mut window, Key::End).starts_with("clip 00299"));
    assert!(key(&mut window, Key::PageUp).starts_with("clip 00289"));
    assert!(key(&mut window, Key::Home).starts_with("clip 00000"));
    assert!(type_text(&mut window, "27").starts_with("clip 00027"));
    assert!(key(&mut window, Key::ArrowDown).starts_with("clip 00127"));
    assert!(window.query_by_label_contains("clip 00028").is_none());
    assert_eq!(playing(&window), Some(150));
    assert_eq!(key(&mut window, Key::Enter), "Animation");
    assert_eq!(playing(&window), Some(127));
    assert!(window.query_by_label_contains("clip 00027").is_none(), "it is closed");
    // Escape leaves all as it is, and gives the focus back.
    press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
    assert!(focused(&window).unwrap().0.starts_with("clip 00127"));
    key(&mut window, Key::ArrowDown);
    assert_eq!(key(&mut window, Key::Escape), "Animation");
    assert_eq!(playing(&window), Some(127));
    assert!(window.query_by_label_contains("clip 00128").is_none());
}

#[test]
fn a_short_menu_is_chosen_from_by_arrows_and_by_typing() {
    let mut window = window(|_| ());
    window.get_by_role_and_label(Role::ComboBox, "Loop").focus();
    window.run_ok();
    press_and_wait(&mut window, Modifiers::NONE, Key::Space);
    assert_eq!(stop(&window), "Loop");
    assert_eq!(key(&mut window, Key::ArrowDown), "Ping-pong");
    assert_eq!(key(&mut window, Key::ArrowUp), "Loop");
    assert_eq!(key(&mut window, Key::Home), "Once");
    assert_eq!(type_text(&mut window, "p"), "Loop", "it is chosen, and left");
    assert_eq!(type_text(&mut window, "ing"), "Ping-pong");
    assert_eq!(key(&mut window, Key::Enter), "Loop");
    let state = window.state();
    assert_eq!(state.playback().mode(state.timelines()), LoopMode::PingPong);
    assert!(!state.playback().playing && !state.is_on(Switch::Overlay(Layer::Path)));
}

#[test]
fn the_menu_of_backgrounds_begins_at_the_one_on_show() {
    let grey = Background::Color([128, 128, 128, 255]);
    let choose = LookAction::Background(grey.clone());
    let mut window = window(|state| state.apply(choose));
    let open = |window: &mut Window| {
        focus(window, "Background");
        press_and_wait(window, Modifiers::NONE, Key::Enter);
    };
    open(&mut window);
    assert_eq!(stop(&window), "Grey");
    assert_eq!(key(&mut window, Key::ArrowDown), "White");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().looking().background, Background::Color([255; 4]));
    open(&mut window);
    assert_eq!(type_text(&mut window, "gr"), "Grey");
    assert_eq!(key(&mut window, Key::Escape), "Background");
    assert_ne!(window.state().looking().background, grey);
}

#[test]
fn a_menu_of_a_row_is_gone_through_by_arrows() {
    let mut window = window(|_| ());
    let row = |window: &mut Window| {
        window.get_by_role_and_label(Role::ListBoxOption, "hat").click_secondary();
        window.run_ok();
        window.run_ok();
    };
    row(&mut window);
    assert_eq!(stop(&window), "Hide hat");
    assert_eq!(key(&mut window, Key::ArrowDown), "Isolate hat");
    assert_eq!(key(&mut window, Key::ArrowDown), "To the front");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().parts().mesh_rows[0].0, 0);
    assert!(!has(&window, "To the back"));
    // The same entries show a hidden mesh, or end its isolation.
    let mesh = MeshId(0);
    for (word, downs, visible, solo) in [
        ("Hide hat", 0, Some(false), false),
        ("Show hat", 0, None, false),
        ("Hide hat", 1, Some(true), true),
    ] {
        row(&mut window);
        assert_eq!(stop(&window), word);
        (0..downs).for_each(|_| drop(key(&mut window, Key::ArrowDown)));
        key(&mut window, Key::Enter);
        assert_eq!(window.state().mesh_view(mesh).visible, visible);
        assert_eq!(window.state().solo().is_some(), solo);
    }
    row(&mut window);
    assert_eq!(key(&mut window, Key::ArrowDown), "Show the others again");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().solo(), None);
}
