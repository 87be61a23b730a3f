//! The panel of curves by what a screen reader says of it, and by what pointer and wheel do.

use pchr::scene::CurveKind;

use super::*;
use crate::viewer::action::CurvesAction;

fn choose(bone: u16) -> Action {
    Action::Parts(PartAction::ChooseBone(Some(BoneId(bone))))
}

fn open(more: &'static [Action]) -> Window {
    let mut harness = window_of(MOTION, |state| {
        state.apply(Action::Toggle(Switch::Curves));
        for action in more {
            state.apply(action.clone());
        }
    });
    harness.run_ok();
    harness
}

fn chosen() -> Window {
    open(&[Action::Parts(PartAction::ChooseBone(Some(BoneId(0))))])
}

#[test]
fn the_panel_is_opened_by_its_key_and_its_button_and_says_what_it_wants() {
    let mut harness = window_of(MOTION, |_| ());
    assert!(!has(&harness, "Select a bone to see its curves"));
    key(&mut harness, Key::C);
    assert!(has(&harness, "Select a bone to see its curves"));
    apply(&mut harness, choose(1));
    assert!(has(&harness, "leg has no keys in this animation"));
    apply(&mut harness, choose(0));
    assert!(has(&harness, "Curves of arm"));
    click(&mut harness, "Curves and keys");
    assert!(!has(&harness, "Curves of arm"));
}

#[test]
fn kinds_are_shown_and_hidden() {
    let mut harness = chosen();
    let shown = |harness: &Window, kind| harness.state().curves_view().shown.has(kind);
    assert!(shown(&harness, CurveKind::Translation));
    harness.get_by_label("Curves of position").click();
    click(&mut harness, "Curves of scale");
    assert!(!shown(&harness, CurveKind::Translation) && shown(&harness, CurveKind::Scale));
    assert!(!has(&harness, "Curves of draw order"));
    for kind in ["rotation", "scale"] {
        harness.get_by_label(&format!("Curves of {kind}")).click();
    }
    harness.run_ok();
    assert!(has(&harness, "No curves are shown"));
}

#[test]
fn the_wheel_zooms_about_the_pointer_and_a_button_fits() {
    let mut harness = chosen();
    let plot = harness.get_by_label("Curves of arm").rect();
    let wheel = |harness: &mut Window, by: f32, modifiers| {
        hover(harness, plot.center());
        harness.event_modifiers(super::wheel(by, modifiers), modifiers);
        harness.run_steps(20);
    };
    wheel(&mut harness, 120.0, Modifiers::NONE);
    let [from, to] = harness.state().curves_view().frames(9);
    assert!(from > 0.5 && to < 8.5, "{from}..{to}");
    assert!((from + to - 9.0).abs() < 0.1, "about the middle");
    let values = |harness: &Window| {
        let view = harness.state().curves_view();
        CurveKind::ALL.map(|kind| view.values(kind).is_some())
    };
    assert_eq!(values(&harness), [false; 5]);
    wheel(&mut harness, 120.0, Modifiers::COMMAND | Modifiers::CTRL);
    assert!(values(&harness)[1] || values(&harness)[0]);
    assert!(harness.state().curves_view().is_zoomed());
    click(&mut harness, "All frames and values");
    assert!(!harness.state().curves_view().is_zoomed());
}

#[test]
fn a_click_on_the_ruler_seeks_and_the_arrows_step() {
    let mut harness = chosen();
    let ruler = harness.get_by_label("Frame").rect();
    let at = pos2(ruler.right() - 11.0, ruler.center().y);
    hover(&mut harness, at);
    harness.drag_at(at);
    harness.run_ok();
    assert_eq!(frame(&harness), 9);
    harness.drop_at(at);
    harness.run_ok();
    focus(&mut harness, "Frame");
    key(&mut harness, Key::ArrowLeft);
    assert_eq!(frame(&harness), 8);
}

#[test]
fn a_diamond_seeks_and_chooses_its_bone() {
    let mut harness = open(&[Action::Curves(CurvesAction::Keys(true))]);
    let row = harness.get_by_role_and_label(Role::ListBoxOption, "arm, keys on 3 frames");
    let ruler = harness.get_by_label("Frame").rect();
    let at = pos2(ruler.right() - 10.0, row.rect().center().y);
    click_at(&mut harness, at);
    assert_eq!((frame(&harness), harness.state().chosen_bone()), (9, Some(BoneId(0))));
}

#[test]
fn marks_are_named_near_the_pointer_and_walked_by_keys() {
    let mut harness = window_of(MOTION, |_| ());
    press(&mut harness, Modifiers::COMMAND | Modifiers::CTRL, Key::Period);
    assert_eq!(frame(&harness), 3);
    let rail = harness.get_by_label("Frame").rect();
    let x = rail.left() + 11.0 + (rail.width() - 22.0) * 3.0 / 9.0;
    harness.hover_at(pos2(x, rail.center().y));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Frame 3  ·  ").is_some());
    assert!(harness.query_by_label_contains("\nNote: step\nNote: so\\u{202e}und").is_some());
}

/// The motion with a place of the arm on each of so many frames.
fn dense(frames: u16) -> &'static [u8] {
    let keys: Vec<String> =
        (1..frames).map(|frame| format!("[{frame},0.0,0.0,{frame}.0]")).collect();
    let text = String::from_utf8_lossy(MOTION).replace(":10,", &format!(":{frames},"));
    text.replace("[4,1.5,-0.75,3.0]", &keys.join(",")).into_bytes().leak()
}

#[test]
fn the_curves_say_where_keys_are_left_out() {
    let mut harness = window_of(dense(2000), |state| {
        apply!(state, Action::Toggle(Switch::Curves), choose(0));
    });
    harness.run_ok();
    let hint = "Zoom in to see keys";
    assert!(has(&harness, hint));
    apply(&mut harness, CurvesAction::Frames(Some([0.0, 20.0])));
    assert!(!has(&harness, hint));
}

#[test]
fn everything_has_a_name_and_room_in_windows_of_any_size() {
    for size in [[700.0, 420.0], SIZE, [2560.0, 1440.0]] {
        for keys in [false, true] {
            let mut harness = chosen();
            harness.set_size(size.into());
            apply(&mut harness, CurvesAction::Keys(keys));
            assert!(has(&harness, "Frame"));
            check_controls(&harness, "curves");
            for name in ["Close the curves", "All frames and values"] {
                let rect = harness.get_by_label(name).rect();
                assert!(rect.right() <= size[0] && rect.bottom() <= size[1], "{name}: {rect:?}");
            }
            let picture = harness.state().viewport();
            assert!(picture[1] >= 140, "{size:?}: the picture keeps {picture:?}");
        }
    }
}

#[test]
fn a_double_click_shows_all_frames_and_values_again() {
    let twice = |harness: &mut Window, pos| {
        at_once(harness, vec![Event::PointerMoved(pos)]);
        at_once(harness, [true, false, true, false].map(|pressed| button(pos, pressed)).to_vec());
    };
    for keys in [false, true] {
        let mut harness = chosen();
        let state = harness.state_mut();
        apply!(state, CurvesAction::Keys(keys), CurvesAction::Frames(Some([1.0, 8.0])));
        state.apply(CurvesAction::Values(CurveKind::Rotation, Some([0.0, 1.0])));
        harness.run_ok();
        assert!(harness.state().curves_view().is_zoomed());
        let ruler = harness.get_by_label("Frame").rect();
        let y = match keys {
            true => harness.get_by_role_and_label(Role::ListBoxOption, "arm, keys on 3 frames"),
            false => harness.get_by_label("Curves of arm"),
        };
        let at = pos2(ruler.center().x, y.rect().center().y);
        twice(&mut harness, at);
        assert!(!harness.state().curves_view().is_zoomed(), "{keys}");
    }
}
