//! Palette and sheet of keys, by what is typed.

use super::*;

fn up(pressed: Key) -> Event {
    let (physical_key, repeat, modifiers) = (None, false, Modifiers::NONE);
    Event::Key { key: pressed, physical_key, pressed: false, repeat, modifiers }
}

/// Keys with the letters that they type.
fn typed(word: &str) -> Vec<Event> {
    let keys = word.chars().map(|letter| letter.to_string()).flat_map(|letter| {
        let key = Key::from_name(&letter.to_uppercase()).unwrap_or(Key::Space);
        [down(key, Modifiers::NONE), Event::Text(letter), up(key)]
    });
    keys.collect()
}

#[test]
fn all_that_is_typed_after_the_key_of_the_palette_goes_to_it() {
    let mut harness = window(|_| ());
    focus(&mut harness, "Filter meshes");
    let ctrl = Modifiers::CTRL | Modifiers::COMMAND;
    for shown in [AnimationId(1), AnimationId(0)] {
        let before = harness.state().revision();
        let mut events = vec![down(Key::K, ctrl)];
        events.extend(typed(["show walk", "show run"][shown.index()]));
        events.push(down(Key::Enter, Modifiers::NONE));
        at_once(&mut harness, events);
        let state = harness.state();
        assert_eq!(state.playback().animation, Some(shown));
        assert!(!state.is_on(Switch::Palette) && !state.is_on(Switch::Overlay(Layer::Wireframe)));
        assert_eq!(state.looking().mesh_filter, "");
        assert_ne!(state.revision(), before);
        for key in [Key::K, Key::Enter] {
            at_once(&mut harness, vec![up(key)]);
        }
    }
    // And frame by frame, as a slow hand types.
    harness.key_press_modifiers(ctrl, Key::K);
    harness.step();
    typed("be").into_iter().for_each(|event| harness.event(event));
    harness.run_ok();
    assert!(!harness.state().is_on(Switch::Overlay(Layer::Bones)));
    assert_eq!(harness.state().looking().query, "be");
}

#[test]
fn the_palette_knows_the_words_of_other_programs() {
    let mut harness = window(|_| ());
    harness.state_mut().apply(Action::Toggle(Switch::Palette));
    for (words, found, is_found) in [
        ("save|export", "Screenshot", true),
        ("isolate|solo", "Isolate the selected mesh", true),
        ("revert", "Undo", true),
        ("record", "Copy as capture command", true),
        ("ghosting", "Onion skin", true),
        ("path of", "Motion path of the model", false), // for motions
    ] {
        for word in words.split('|') {
            apply(&mut harness, LookAction::Query(word.into()));
            let any = harness.query_all_by_label_contains(found).next();
            assert_eq!(any.is_some(), is_found, "{word}");
        }
    }
    apply(&mut harness, LookAction::Query("xyzzy".into()));
    assert!(has(&harness, "No results"));
    assert!(has(&harness, "All keys Window ?"), "it lists all actions");
    apply(&mut harness, LookAction::Query("wirefarme".into()));
    assert!(has(&harness, "No results. Did you mean:") && has(&harness, "Wireframe Overlays E"));
}

#[test]
fn a_sheet_has_its_height_again_after_a_search() {
    for switch in [Switch::Palette, Switch::Keys] {
        let mut harness = window(|_| ());
        let listed = |harness: &Window| {
            let list = harness.get_all_by_role(Role::Button).count();
            list + harness.get_all_by_role(Role::Label).count()
        };
        let mut counts = Vec::new();
        for _ in 0..2 {
            apply(&mut harness, Action::Toggle(switch));
            counts.push(listed(&harness));
            at_once(&mut harness, typed("quit"));
            counts.push(listed(&harness));
            key(&mut harness, Key::Escape);
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
    at_once(&mut harness, vec![down(Key::PageDown, Modifiers::NONE)]);
    assert!(top(&harness) < before - 100.0);
    at_once(&mut harness, vec![down(Key::Home, Modifiers::NONE)]);
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
    assert_eq!(harness.state().parts().mesh_rows[2], MeshId(0));
    at_once(&mut harness, vec![down(Key::Enter, Modifiers::NONE)]);
    assert_eq!(harness.state().parts().mesh_rows[1], MeshId(0));
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
                        let is_of_sheet = palette_and_key_sheet::is_text(whole);
                        assert!(!(is_of_sheet && text.galley.elided), "{size:?}: {whole}");
                        texts += usize::from(is_of_sheet);
                    }
                    _ => {}
                }
            }
            at_once(&mut harness, vec![down(Key::PageDown, Modifiers::NONE)]);
        }
        assert!(texts > 60, "{size:?}: {texts}");
    }
}
