//! The timeline, by where it lies and by what the pointer does to it.

use super::*;

fn rail(harness: &Window) -> Rect {
    harness.get_by_role_and_label(Role::Slider, "Frame").rect()
}

/// Place of a frame on a timeline of 8 frames, whose ends lie 11 pixels within.
fn on_rail(rail: Rect, frame: f32) -> Pos2 {
    pos2(rail.left() + 11.0 + frame / 7.0 * (rail.width() - 22.0), rail.center().y)
}

fn place(harness: &Window, frame: f32) -> Pos2 {
    on_rail(rail(harness), frame)
}

#[test]
fn a_tap_a_touch_or_a_whole_drag_on_the_time_line_within_one_frame_seeks() {
    let mut harness = window(|_| ());
    let rail = rail(&harness);
    let at = |frame: f32| on_rail(rail, frame);
    at_once(&mut harness, stroke(at(5.0), at(5.0)));
    assert_eq!(frame(&harness), 5);
    at_once(&mut harness, stroke(at(1.0), at(3.0)));
    assert_eq!(frame(&harness), 3);
    // It ends over the picture, which stays where it is.
    let camera = harness.state().camera();
    let off = pos2(at(6.0).x, rail.center().y - 200.0);
    at_once(&mut harness, stroke(at(2.0), off));
    assert_eq!(frame(&harness), 6);
    assert_eq!(harness.state().camera(), camera);
    // A press that began elsewhere does not seek.
    at_once(&mut harness, stroke(off, at(1.0)));
    assert_eq!(frame(&harness), 6);
    at_once(&mut harness, stroke_with(at(2.0), at(4.0), PointerButton::Primary, Modifiers::SHIFT));
    assert_eq!(harness.state().playback().section, Some([2, 4]));
    assert_eq!(frame(&harness), 6);
    // Held down, it goes with the pointer.
    for (event, wanted) in stroke(at(1.0), at(2.0)).into_iter().zip([6, 1, 2]) {
        at_once(&mut harness, vec![event]);
        assert_eq!(frame(&harness), wanted);
    }
    let mut harness = window(|_| ());
    let at = place(&harness, 4.0);
    let touch = |phase| Event::Touch {
        device_id: egui::TouchDeviceId(1),
        id: egui::TouchId(1),
        phase,
        pos: at,
        force: None,
    };
    let mut events = vec![touch(egui::TouchPhase::Start)];
    events.extend(stroke(at, at));
    events.extend([touch(egui::TouchPhase::End), Event::PointerGone]);
    at_once(&mut harness, events);
    assert_eq!(frame(&harness), 4);
    harness.run_ok();
    assert!(harness.query_by_label_contains("Frame 4  ·").is_none());
}

#[test]
fn the_time_line_has_room_in_every_window_and_stays_as_long_while_the_counters_count() {
    let mut harness = window(|_| ());
    for size in [[700.0, 420.0], [720.0, 480.0], [800.0, 600.0], [1024.0, 640.0], [1600.0, 1000.0]]
    {
        for side in [250.0, 300.0, 460.0] {
            harness.state_mut().apply(Action::Looking(LookAction::SideWidth(side)));
            resize(&mut harness, size);
            let rail = rail(&harness);
            assert!(rail.width() >= 240.0, "{size:?} {side}: {rail:?}");
            let counter = harness.get_by_label("Go to a frame").rect();
            let curves = harness.get_by_label("Curves and keys").rect();
            assert!(!counter.intersects(rail) && !counter.intersects(curves));
            for name in ["First frame", "Curves and keys"] {
                let button = harness.get_by_label(name).rect();
                assert!(!button.intersects(rail), "{size:?}: {name}");
                assert!(button.bottom() < size[1] && button.left() >= 0.0);
            }
        }
    }
    let mut harness = window_of(hat().still("walk", true, 120).bytes().leak(), |_| ());
    let mut ends = Vec::new();
    for frame in [0.0, 9.0, 10.0, 99.0, 100.0, 119.0] {
        apply(&mut harness, PlaybackAction::Seek(frame));
        ends.push(rail(&harness).right());
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}

fn section(harness: &Window) -> Option<[u16; 2]> {
    harness.state().playback().section
}

fn with_section(section: [u16; 2]) -> Window {
    window(|state| state.apply(PlaybackAction::Section(Some(section))))
}

#[test]
fn the_label_tells_the_frame_under_the_pointer_at_once() {
    let mut harness = window(|_| ());
    let at = place(&harness, 3.2);
    harness.hover_at(at);
    harness.run_steps(2);
    let label = harness.get_by_label("Frame 3  ·  0.30 s").rect();
    assert!(label.bottom() < at.y - 10.0, "{label:?}");
    // At both ends it stays within the window.
    for frame in [0.0, 7.0] {
        harness.hover_at(place(&harness, frame));
        harness.run_steps(2);
        let label = format!("Frame {frame:.0}  ");
        let label = harness.get_by_label_contains(&label);
        assert!(label.rect().left() >= 0.0 && label.rect().right() <= 1024.0);
    }
    hover(&mut harness, pos2(300.0, 300.0));
    assert!(harness.query_by_label_contains("  ·  0.").is_none());
}

#[test]
fn marks_are_named_under_the_pointer_and_a_press_on_one_goes_to_its_frame() {
    let shown = |visible: bool| [BoneTransform { flags: visible.into(), ..at(0.0, 0.0) }];
    let frames: Vec<_> = (0..400).map(|frame| shown(frame < 101)).collect();
    let mut harness = window_of(hat().animation("blink", true, &frames).bytes().leak(), |_| ());
    let rail = rail(&harness);
    let x = rail.left() + 11.0 + 101.0 / 399.0 * (rail.width() - 22.0) + 2.0;
    let mark = pos2(x, rail.top() + 3.0);
    harness.hover_at(mark);
    harness.run_steps(2);
    harness.get_by_label_contains("Frame 101  ·  10.10 s\nroot hidden");
    at_once(&mut harness, stroke(mark, mark));
    assert_eq!(frame(&harness), 101);
}

#[test]
fn both_ends_of_a_section_are_dragged_and_do_not_pass_each_other() {
    let mut harness = with_section([2, 5]);
    let grip = |harness: &Window, name: &str| harness.get_by_label(name).rect().center();
    for (name, to, wanted) in [
        ("Start of the loop range", 3.0, [3, 5]),
        ("End of the loop range", 6.0, [3, 6]),
        ("End of the loop range", 0.0, [3, 3]),
        ("Start of the loop range", 7.0, [3, 3]),
        ("End of the loop range", 7.0, [3, 7]),
        ("Start of the loop range", 0.0, [0, 7]),
    ] {
        let from = grip(&harness, name);
        let now = section(&harness).unwrap()[usize::from(!name.starts_with("Start"))];
        let by = place(&harness, to).x - place(&harness, f32::from(now)).x;
        // Held down, then as a whole within one frame: the same.
        let events = stroke(from, from + vec2(by, -30.0));
        let before = section(&harness);
        events.iter().for_each(|event| at_once(&mut harness, vec![event.clone()]));
        assert_eq!(section(&harness), Some(wanted), "{name} to {to}");
        apply(&mut harness, PlaybackAction::Section(before));
        at_once(&mut harness, events);
        assert_eq!(section(&harness), Some(wanted), "{name} to {to} at once");
        assert_eq!(frame(&harness), 0, "a grip does not seek");
    }
}

#[test]
fn the_section_is_told_while_an_end_is_held_and_a_drag_is_one_step() {
    let mut harness = with_section([2, 5]);
    let from = harness.get_by_label("End of the loop range").rect().center();
    let by = place(&harness, 7.0).x - place(&harness, 5.0).x;
    let mut events = stroke(from, from + vec2(by, 0.0));
    let release = events.pop();
    events.insert(2, Event::PointerMoved(from + vec2(by / 2.0, 0.0)));
    events.into_iter().for_each(|event| at_once(&mut harness, vec![event]));
    assert!(harness.query_by_label_contains("2 – 7  ·  6 frames").is_some());
    at_once(&mut harness, release.into_iter().collect());
    harness.run_ok();
    harness.state_mut().apply(Action::Undo);
    assert_eq!(section(&harness), Some([2, 5]));
}

#[test]
fn arrows_move_the_end_that_has_the_keyboard() {
    let mut harness = with_section([2, 5]);
    focus(&mut harness, "Start of the loop range");
    for (key, wanted) in [
        (Key::ArrowRight, [3, 5]),
        (Key::ArrowLeft, [2, 5]),
        (Key::Home, [0, 5]),
        (Key::ArrowLeft, [0, 5]),
        (Key::End, [5, 5]),
    ] {
        press(&mut harness, Modifiers::NONE, key);
        assert_eq!(section(&harness), Some(wanted), "{key:?}");
    }
    assert_eq!(frame(&harness), 0);
    press(&mut harness, Modifiers::NONE, Key::Tab);
    assert_eq!(stop(&harness), "End of the loop range");
    press(&mut harness, Modifiers::NONE, Key::End);
    assert_eq!(section(&harness), Some([5, 7]));
}

/// Opens the field of the frame, types over what is there, and presses a key.
fn type_frame(harness: &mut Window, text: &str, key: Key) {
    type_text(harness, text);
    press_and_wait(harness, Modifiers::NONE, key);
}

#[test]
fn a_frame_is_typed_and_enter_goes_there() {
    let mut harness = window(|_| ());
    for (text, wanted) in [("5", 5), ("+1", 6), ("-4", 2), ("50%", 4), ("0.2s", 2), ("99", 7)] {
        let field = harness.get_by_label("Go to a frame").rect();
        at_once(&mut harness, stroke(field.center(), field.center()));
        harness.run_ok();
        let open = harness.get_by_role_and_label(Role::TextInput, "Go to a frame");
        assert!(open.is_focused());
        let open = open.rect();
        assert!((open.center() - field.center()).length() < 3.0, "{open:?} {field:?}");
        type_frame(&mut harness, text, Key::Enter);
        assert_eq!(frame(&harness), wanted, "{text}");
    }
    // Escape leaves all as it is, and so does the pointer elsewhere.
    press_and_wait(&mut harness, Modifiers::COMMAND, Key::G);
    type_frame(&mut harness, "1", Key::Escape);
    assert_eq!(frame(&harness), 7);
    // No control had the keyboard before, so keys are free again.
    assert_eq!(focused(&harness), None);
    focus(&mut harness, "Go to a frame");
    press_and_wait(&mut harness, Modifiers::NONE, Key::Enter);
    type_frame(&mut harness, "two", Key::Enter);
    assert_eq!(frame(&harness), 7, "it stays open");
    // The wrong text is selected, so that the next one takes its place.
    press(&mut harness, Modifiers::COMMAND, Key::G);
    type_frame(&mut harness, "2", Key::Enter);
    assert_eq!(frame(&harness), 2);
    // The control that had the keyboard has it again.
    assert_eq!(stop(&harness), "Go to a frame");
    assert!(!harness.state().playback().playing);
}
