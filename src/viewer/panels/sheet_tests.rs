//! Palette and sheet of keys, by what is typed.

use egui_kittest::kittest::Queryable as _;
use pchr::overlay::Layer;

use pchr::document::{AnimationId, MeshId};

use super::tests::{Window, apply, at_once, down, focus, has, hat, key, resize, window, window_of};
use super::*;

/// Keys with the letters that they type.
fn typed(word: &str) -> Vec<egui::Event> {
    let keys = word.chars().map(|letter| letter.to_string()).flat_map(|letter| {
        let key = egui::Key::from_name(&letter.to_uppercase()).unwrap_or(egui::Key::Space);
        let mut up = down(key, egui::Modifiers::NONE);
        if let egui::Event::Key { pressed, .. } = &mut up {
            *pressed = false;
        }
        [down(key, egui::Modifiers::NONE), egui::Event::Text(letter), up]
    });
    keys.collect()
}

#[test]
fn all_that_is_typed_after_the_key_of_the_palette_goes_to_it() {
    let mut harness = window(|_| ());
    focus(&mut harness, "Filter meshes");
    let ctrl = egui::Modifiers::CTRL | egui::Modifiers::COMMAND;
    for shown in [AnimationId(1), AnimationId(0)] {
        let before = harness.state().revision();
        let mut events = vec![down(egui::Key::K, ctrl)];
        events.extend(typed(["show walk", "show run"][shown.index()]));
        events.push(down(egui::Key::Enter, egui::Modifiers::NONE));
        at_once(&mut harness, events);
        let state = harness.state();
        assert_eq!(state.playback().animation, Some(shown));
        assert!(!state.is_on(Switch::Palette) && !state.is_on(Switch::Overlay(Layer::Wireframe)));
        assert_eq!(state.looking().mesh_filter, "");
        assert_ne!(state.revision(), before);
        for key in [egui::Key::K, egui::Key::Enter] {
            let mut up = down(key, egui::Modifiers::NONE);
            if let egui::Event::Key { pressed, .. } = &mut up {
                *pressed = false;
            }
            at_once(&mut harness, vec![up]);
        }
    }
    // And frame by frame, as a slow hand types.
    harness.key_press_modifiers(ctrl, egui::Key::K);
    harness.step();
    for event in typed("be") {
        harness.event(event);
    }
    harness.run_ok();
    assert!(!harness.state().is_on(Switch::Overlay(Layer::Bones)));
    assert_eq!(harness.state().looking().query, "be");
}

#[test]
fn the_palette_knows_the_words_of_other_programs() {
    let mut harness = window(|_| ());
    harness.state_mut().apply(Action::Toggle(Switch::Palette));
    for (word, found) in [
        ("save", "Screenshot"),
        ("export", "Screenshot"),
        ("isolate", "Isolate the selected mesh"),
        ("solo", "Isolate the selected mesh"),
        ("revert", "Undo"),
        ("record", "Copy as capture command"),
        ("ghosting", "Onion skin"),
        ("path of", "Motion path of the model"),
    ] {
        apply(&mut harness, LookAction::Query(word.into()));
        let any = harness.query_all_by_label_contains(found).next();
        let concerned = word != "path of"; // of motions
        assert_eq!(any.is_some(), concerned, "{word}");
    }
    apply(&mut harness, LookAction::Query("xyzzy".into()));
    assert!(has(&harness, "No results"));
    assert!(has(&harness, "All keys Window ?"), "it lists all actions");
    apply(&mut harness, LookAction::Query("wirefarme".into()));
    assert!(has(&harness, "No results. Did you mean:"));
    assert!(has(&harness, "Wireframe Overlays E"));
}

#[test]
fn a_sheet_has_its_height_again_after_a_search() {
    for (switch, words) in [(Switch::Palette, "quit"), (Switch::Keys, "quit")] {
        let mut harness = window(|_| ());
        let listed = |harness: &Window| {
            let list = harness.get_all_by_role(egui::accesskit::Role::Button).count();
            list + harness.get_all_by_role(egui::accesskit::Role::Label).count()
        };
        let mut counts = Vec::new();
        for _ in 0..2 {
            apply(&mut harness, Action::Toggle(switch));
            counts.push(listed(&harness));
            at_once(&mut harness, typed(words));
            counts.push(listed(&harness));
            key(&mut harness, egui::Key::Escape);
            assert!(!harness.state().is_on(switch));
        }
        assert!(counts[1] < counts[0], "{counts:?}");
        assert_eq!(counts[2..], counts[..2], "{switch:?}");
    }
}

#[test]
fn the_sheet_of_keys_is_scrolled_by_keys_and_gives_the_keyboard_back() {
    let mut harness = window(|_| ());
    harness.set_size([1000.0, 420.0].into());
    focus(&mut harness, "Filter meshes");
    let filter = harness.ctx.memory(|memory| memory.focused());
    apply(&mut harness, Action::Toggle(Switch::Keys));
    let top = |harness: &Window| harness.get_by_label("Play or pause").rect().top();
    let before = top(&harness);
    at_once(&mut harness, vec![down(egui::Key::PageDown, egui::Modifiers::NONE)]);
    assert!(top(&harness) < before - 100.0);
    at_once(&mut harness, vec![down(egui::Key::Home, egui::Modifiers::NONE)]);
    assert!((top(&harness) - before).abs() < 1.0);
    apply(&mut harness, LookAction::Query("xyzzy".into()));
    assert!(has(&harness, "No results"));
    apply(&mut harness, Action::Dismiss);
    assert_eq!(harness.ctx.memory(|memory| memory.focused()), filter);
}

#[test]
fn an_arrow_of_a_row_keeps_the_keyboard_while_the_row_moves() {
    let coat = hat().quad("coat", 0, 0, [0.0, 0.0], [40.0, 40.0]);
    let shoe = coat.quad("shoe", 0, 0, [0.0, 0.0], [40.0, 40.0]);
    let file = shoe.still("walk", true, 2).bytes();
    let mut harness = window_of(file.leak(), |_| ());
    focus(&mut harness, "hat");
    focus(&mut harness, "Move hat up");
    let focused = harness.ctx.memory(|memory| memory.focused());
    let row =
        |harness: &Window| harness.state().mesh_rows().iter().position(|mesh| *mesh == MeshId(0));
    assert_eq!(row(&harness), Some(2));
    at_once(&mut harness, vec![down(egui::Key::Enter, egui::Modifiers::NONE)]);
    assert_eq!(row(&harness), Some(1));
    assert!(focused.is_some());
    assert_eq!(harness.ctx.memory(|memory| memory.focused()), focused);
}

#[test]
fn no_text_in_the_sheet_of_keys_is_cut() {
    for size in [[1024.0, 640.0], [700.0, 420.0], [640.0, 360.0]] {
        let mut harness = window(|state| state.apply(Action::Toggle(Switch::Keys)));
        resize(&mut harness, size);
        let mut texts = 0;
        for _ in 0..8 {
            let shapes = harness.output().shapes.iter();
            let mut open: Vec<egui::Shape> = shapes.map(|clipped| clipped.shape.clone()).collect();
            while let Some(shape) = open.pop() {
                match shape {
                    egui::Shape::Vec(shapes) => open.extend(shapes),
                    egui::Shape::Text(text) => {
                        let whole = &text.galley.job.text;
                        let is_of_sheet = super::sheets::is_text(whole);
                        assert!(!(is_of_sheet && text.galley.elided), "{size:?}: {whole}");
                        texts += usize::from(is_of_sheet);
                    }
                    _ => {}
                }
            }
            at_once(&mut harness, vec![down(egui::Key::PageDown, egui::Modifiers::NONE)]);
        }
        assert!(texts > 60, "{size:?}: {texts}");
    }
}
