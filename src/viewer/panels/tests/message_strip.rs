//! The strip above the picture, its messages, and hints.

use super::*;

#[test]
fn a_message_comes_and_goes_above_the_picture_which_stays_in_its_place() {
    let mut harness = window(|_| ());
    let before = harness.state().viewport();
    apply(&mut harness, Action::Say(Message::new("The command was copied")));
    let picture = harness.get_by_label_contains("Picture of").rect();
    let message = harness.get_by_label("The command was copied").rect();
    assert!(message.bottom() <= picture.top(), "{message} {picture}");
    assert_eq!(harness.state().viewport(), before);
    harness.run_steps(40); // a quarter of a second each
    assert!(!has(&harness, "The command was copied"));
    assert_eq!(harness.state().said(), None);
    assert_eq!(harness.state().viewport(), before);
}

#[test]
fn a_saved_screenshot_can_be_shown_in_its_folder_by_button_and_later_by_name() {
    let mut harness = window(|_| ());
    apply(&mut harness, Action::ShowInFolder);
    assert!(has(&harness, "Nothing was saved yet"));
    apply(&mut harness, Action::Saved("/a/b c.png".into()));
    assert!(has(&harness, "Saved /a/b c.png"));
    let _ = harness.state_mut().take_requests();
    click(&mut harness, "Show in folder");
    let shown = Request::ShowInFolder("/a/b c.png".into());
    assert!(harness.state_mut().take_requests().contains(&shown));
    apply!(harness.state_mut(), Action::Unsay, Action::ShowInFolder);
    assert!(harness.state_mut().take_requests().contains(&shown));
}

#[test]
fn questions_and_messages_are_told_to_assistive_technology() {
    use egui::accesskit::{Live, Role};
    let mut harness = window(|state| {
        let picture = FileAction::Open(vec!["x/sky.png".into()]);
        apply!(state, picture, Action::Say(Message::new("The picture was copied")));
    });
    let text = "sky.png is a picture. Use it as…";
    assert!(harness.query_by_role_and_label(Role::AlertDialog, text).is_some());
    let message = harness.get_by_label("The picture was copied");
    assert_eq!(message.accesskit_node().data().live(), Some(Live::Polite));
    harness.state_mut().apply(Action::Dismiss);
    apply(&mut harness, Action::Toggle(Switch::Palette));
    assert!(harness.query_by_role_and_label(Role::Dialog, "All actions").is_some());
}

#[test]
fn hints_go_one_by_one_when_they_are_followed_and_all_by_a_button() {
    let mut harness = window(|_| ());
    let hints = |harness: &Window| {
        harness.query_by_label_contains("Scroll to zoom")?.accesskit_node().value()
    };
    let text = hints(&harness).unwrap();
    assert!(text.starts_with("Drop a file here, or press Ctrl+O   ·   Space plays"));
    let state = harness.state_mut();
    let _ = state.take_requests();
    apply!(state, PlaybackAction::TogglePlay, CameraAction::Pan([3.0, 0.0]));
    assert_eq!(state.take_requests(), [Request::Remember, Request::Remember]);
    harness.run_ok();
    let left =
        "Drop a file here, or press Ctrl+O   ·   Scroll to zoom   ·   Ctrl+K finds every action";
    assert_eq!(hints(&harness).as_deref(), Some(left));
    click(&mut harness, "Turn hints off");
    assert_eq!(hints(&harness), None);
    assert!(!harness.state().is_on(Switch::Hints) && harness.state().hints().memory().off);
}

#[test]
fn a_message_that_is_too_long_has_two_lines_or_is_cut() {
    let long = "The picture of the page is missing: a placeholder is drawn here";
    let mut harness = window(|_| ());
    harness.set_size(vec2(700.0, 420.0));
    apply(&mut harness, Action::Say(Message::new(long)));
    let message = harness.get_by_label(long).rect();
    assert!(message.height() > 18.0 && message.height() < 24.5, "{message}");
    assert!(message.width() < 300.0, "{message}");
    resize(&mut harness, vec2(1600.0, 420.0));
    let message = harness.get_by_label(long).rect();
    assert!(message.height() < 18.0, "{message}");
    // One that is much too long is cut within the window, and said in full.
    let long = format!("Saved /{}.png", "long name ".repeat(60));
    for size in [[700.0, 420.0], [2560.0, 1440.0]] {
        resize(&mut harness, size);
        apply(&mut harness, Action::Say(Message::new(&long)));
        let message = harness.get_by_label(&long).rect();
        assert!(message.left() > 0.0 && message.height() < 24.0, "{size:?}: {message}");
    }
}
