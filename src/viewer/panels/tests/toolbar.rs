//! The toolbar: labels where there is room, and a menu for what has none.

use super::*;
use crate::viewer::action::COMMANDS;

/// Names and places of the controls above the picture.
fn tools(window: &Window) -> Vec<(String, Rect)> {
    let is_tool =
        |node: &Node<'_>| is_control(node.accesskit_node().role()) && node.rect().bottom() <= 44.0;
    let named = |node: Node<'_>| (node.accesskit_node().label().unwrap_or_default(), node.rect());
    let mut found: Vec<_> = nodes(window).into_iter().filter(is_tool).map(named).collect();
    found.sort_by(|a, b| a.1.left().total_cmp(&b.1.left()));
    found
}

#[test]
fn no_tool_is_cut_off_or_covers_another_and_none_is_lost() {
    for (kind, mut window) in [
        ("character", window(|_| ())),
        ("atlas", window_of(ATLAS, |_| ())),
        ("motion", window_of(WALK, |_| ())),
    ] {
        resize(&mut window, vec2(2560.0, 1440.0));
        let all: Vec<String> = tools(&window).into_iter().map(|(name, _)| name).collect();
        assert!(!all.contains(&"More tools".to_owned()), "{kind}");
        let content = window.state().kind();
        for command in COMMANDS {
            let is_tool = command.tool.is_some_and(|tool| tool.kinds.contains(&content));
            let name = content.words(command.name);
            assert!(!is_tool || all.iter().any(|all| all == name), "{kind}: no button {name}");
        }
        for width in [500.0, 600.0, 640.0, 700.0, 1024.0, 1399.0, 1400.0, 1600.0] {
            resize(&mut window, vec2(width, 640.0));
            let shown = tools(&window);
            for ((a, left), (b, right)) in shown.iter().zip(&shown[1..]) {
                assert!(left.right() <= right.left(), "{kind}, {width}: {a} covers {b}");
            }
            let last = shown.last().expect("there are tools");
            assert!(last.1.right() <= width && shown[0].1.left() >= 0.0, "{kind}, {width}");
            let mut names: Vec<String> = shown.into_iter().map(|(name, _)| name).collect();
            if names.iter().any(|name| name == "More tools") {
                click(&mut window, "More tools");
                for name in &all {
                    let found = window.query_all_by_label(name).count();
                    assert!(found > 0, "{kind}, {width}: {name} is lost");
                }
                key(&mut window, Key::Escape);
            } else {
                names.sort();
                let mut all = all.clone();
                all.sort();
                assert_eq!(names, all, "{kind}, {width}");
            }
        }
    }
}

#[test]
fn groups_have_labels_from_1400_pixels_on_and_a_tool_in_the_menu_does_what_it_does_in_the_row() {
    let mut window = window(|_| ());
    for (width, labelled) in [(1399.0, false), (1400.0, true), (2560.0, true)] {
        resize(&mut window, vec2(width, 900.0));
        for name in ["FILE", "OVERLAYS", "VIEW", "BACKGROUND", "EXPORT", "WINDOW"] {
            assert_eq!(has(&window, name), labelled, "{name} at {width}");
        }
    }
    resize(&mut window, vec2(500.0, 420.0));
    click(&mut window, "More tools");
    key(&mut window, Key::End);
    window.get_by_label_contains("Y points down").click();
    window.run_ok();
    assert!(window.state().is_on(Switch::YDown));
}

#[test]
fn ctrl_with_plus_and_minus_resizes_the_interface_and_without_it_zooms_the_picture() {
    let mut window = window(|_| ());
    let camera = window.state().camera();
    let shift = Modifiers::COMMAND | Modifiers::SHIFT;
    for (modifiers, key, percent) in [
        (Modifiers::COMMAND, Key::Plus, 110),
        (Modifiers::COMMAND, Key::Equals, 125),
        (shift, Key::Plus, 150),
        (Modifiers::COMMAND, Key::Minus, 125),
        (Modifiers::COMMAND, Key::Num0, 100),
        (Modifiers::COMMAND, Key::Minus, 90),
    ] {
        press(&mut window, modifiers, key);
        assert_eq!(window.state().interface().scale.percent(), percent, "{modifiers:?} {key:?}");
    }
    assert_eq!(window.state().camera(), camera);
    press(&mut window, Modifiers::NONE, Key::Plus);
    assert_ne!(window.state().camera(), camera);
    assert_eq!(window.state().interface().scale.percent(), 90);
}
