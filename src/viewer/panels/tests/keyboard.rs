//! The keyboard where controls are disabled, details are long, or the pointer is far: focus, scrolling and tooltips.

use super::focus::way;
use super::space::tracks;
use super::*;

#[test]
fn tab_goes_on_within_a_row_that_is_not_chosen_and_beside_a_button_that_became_disabled() {
    let mut window = window(|_| ());
    focus(&mut window, "shoe");
    assert!(window.state().chosen_mesh().is_none());
    let way = [Key::Tab; 3].map(|pressed| key(&mut window, pressed));
    assert_eq!(way, ["Hide shoe", "Move shoe down", "Isolate shoe"]);
    press(&mut window, Modifiers::SHIFT, Key::Tab);
    press(&mut window, Modifiers::SHIFT, Key::Tab);
    assert_eq!(stop(&window), "Hide shoe");
    focus(&mut window, "hat");
    let up = "Move hat up";
    let stops = (0..9).map(|_| key(&mut window, Key::Tab)).find(|stop| stop == up);
    assert_eq!(stops.as_deref(), Some(up));
    let first = |window: &Window| window.state().parts().mesh_rows.first().copied();
    assert_eq!(first(&window), Some(MeshId(1)));
    key(&mut window, Key::Enter);
    assert_eq!(first(&window), Some(MeshId(0)));
    // It is at the top.
    assert!(key(&mut window, Key::Tab).contains("hat"));
}

/// Presses keys on an edge. Returns the size that it says after each.
fn sizes<const N: usize>(window: &mut Window, edge: &str, keys: [Key; N]) -> [f64; N] {
    focus(window, edge);
    keys.map(|pressed| {
        assert_eq!(key(window, pressed), edge);
        window.run_ok();
        window.get_by_label(edge).accesskit_node().data().numeric_value().unwrap()
    })
}

#[test]
fn keys_move_the_edges_of_panels() {
    let mut window = window(|state| state.apply(Action::Toggle(Switch::Curves)));
    resize(&mut window, vec2(1280.0, 1000.0));
    let keys = [Key::ArrowLeft, Key::ArrowLeft, Key::ArrowRight, Key::Enter];
    assert_eq!(sizes(&mut window, "Edge of the side panel", keys), [316.0, 332.0, 316.0, 300.0]);
    assert_eq!(window.state().looking().side, 300.0);
    let keys = [Key::ArrowUp, Key::ArrowDown, Key::ArrowDown, Key::Enter];
    assert_eq!(sizes(&mut window, "Edge of the curves", keys), [236.0, 220.0, 204.0, 220.0]);
    // Not beyond the range of sizes.
    assert_eq!(sizes(&mut window, "Edge of the side panel", [Key::ArrowRight; 9])[8], 250.0);
    // Tab comes to them.
    let mut seen = Vec::new();
    for _ in 0..120 {
        seen.push(key(&mut window, Key::Tab));
    }
    for edge in ["Edge of the side panel", "Edge of the curves"] {
        assert!(seen.iter().any(|name| name == edge), "{edge}: {seen:?}");
    }
}

#[test]
fn keys_scroll_the_details_that_are_longer_than_their_room() {
    let mut window = small_with_details();
    focus(&mut window, "Details");
    let top = |window: &Window| window.get_by_label("Deselect mesh").rect().top();
    let before = top(&window);
    let mut last = before;
    for pressed in [Key::ArrowDown, Key::PageDown, Key::End] {
        assert_eq!(key(&mut window, pressed), "Details");
        assert!(top(&window) < last, "{pressed:?}");
        last = top(&window);
    }
    for pressed in [Key::ArrowUp, Key::PageUp] {
        assert_eq!(key(&mut window, pressed), "Details");
        assert!(top(&window) > last, "{pressed:?}");
        last = top(&window);
    }
    key(&mut window, Key::Home);
    assert!((top(&window) - before).abs() < 1.0);
    // Details that fit are not a stop.
    window.state_mut().apply(LookAction::Details(Some(700.0)));
    resize(&mut window, vec2(1024.0, 1200.0));
    assert!(!has(&window, "Details"));
}

#[test]
fn tab_brings_the_tooltip_after_a_while_and_the_next_key_takes_it_away() {
    let mut window = window(|_| ());
    let is_told = |window: &Window, text: &str| {
        let mut texts = window.query_all_by_label_contains(text).map(|node| node.rect());
        texts.any(|text| text.height() > 1.0 && text.top() > 36.0)
    };
    window.ctx.all_styles_mut(|style| style.interaction.tooltip_delay = 3.0);
    press(&mut window, Modifiers::NONE, Key::Tab);
    assert_eq!(focused(&window).expect("it has the keyboard").0, "Open…");
    assert!(!is_told(&window, "Open…"), "not at once");
    window.run_steps(60);
    assert!(is_told(&window, "Open…"));
    key(&mut window, Key::B);
    window.step();
    assert!(!is_told(&window, "Open…"));
    // The button of a row has one, too, beside the side panel.
    focus(&mut window, "hat");
    let left = window.get_by_label("Hide hat").rect().left();
    press(&mut window, Modifiers::NONE, Key::Tab);
    window.run_steps(60);
    let mut tips = window.query_all_by_label_contains("Hide hat");
    assert!(tips.any(|tip| tip.rect().right() < left));
}

#[test]
fn tab_comes_round_within_the_window_for_every_kind_of_content() {
    let kinds: [(&str, &'static [u8]); 3] = [
        ("character", include_bytes!("../../../../assets/sample.pchr")),
        ("atlas", ATLAS),
        ("motion", tracks(12)),
    ];
    for (kind, bytes) in kinds {
        for size in [[1280.0, 720.0], [700.0, 420.0]] {
            let mut window = window_of(bytes, |state| {
                for switch in [Switch::Hud, Switch::Atlas] {
                    state.apply(Action::Toggle(switch));
                }
                state.apply(PartAction::ChooseMesh(Some(MeshId(0))));
                state.apply(PartAction::ChooseBone(Some(BoneId(1))));
            });
            resize(&mut window, size);
            let inside = Rect::from_min_size(Pos2::ZERO, size.into()).expand(1.0);
            let there = way(&mut window);
            assert!(there.len() > 20, "{kind} {size:?}: {there:?}");
            for (name, place) in &there {
                let is_in = inside.contains_rect(*place);
                assert!(is_in, "{kind} {size:?}: {name} at {place:?}");
            }
        }
    }
}

#[test]
fn tab_goes_on_from_where_the_keyboard_was() {
    let mut window = window(|state| state.apply(PartAction::ChooseMesh(Some(MeshId(0)))));
    focus(&mut window, "Play");
    let next = key(&mut window, Key::Tab);
    assert_ne!(next, "Open…");
    focus(&mut window, "Play");
    assert_eq!(key(&mut window, Key::Escape), "");
    assert_eq!(key(&mut window, Key::Tab), next);
    // A control that is gone.
    focus(&mut window, "Deselect mesh");
    assert_eq!(key(&mut window, Key::Enter), "");
    assert!(window.state().chosen_mesh().is_none());
    let after = key(&mut window, Key::Tab);
    assert!(!after.is_empty() && after != "Open…", "{after}");
    // A menu of the secondary button gives the keyboard back.
    focus(&mut window, "Onion skin");
    press_and_wait(&mut window, Modifiers::SHIFT, Key::F10);
    assert_ne!(key(&mut window, Key::Tab), "Onion skin");
    assert_eq!(key(&mut window, Key::Escape), "Onion skin");
}

#[test]
fn space_hides_the_meshes_of_a_bone_and_enter_chooses_it() {
    let mut window = window(|state| state.apply(LookAction::Tab(Tab::Bones)));
    let left = BoneId(1);
    assert_eq!(window.state().is_bone_shown(left, false), Some(true));
    window.get_by_role_and_label(Role::TreeItem, "left").focus();
    window.run_ok();
    key(&mut window, Key::Space);
    assert_eq!(window.state().is_bone_shown(left, false), Some(false));
    assert_eq!(window.state().chosen_bone(), None);
    key(&mut window, Key::Enter);
    assert_eq!(window.state().chosen_bone(), Some(left));
}
