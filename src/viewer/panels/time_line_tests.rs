//! The time line, by where it lies and by what the pointer does to it.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::tests::{at_once, window, window_of};
use super::*;
use crate::fixture::{Builder, WHITE};
use crate::viewer::action::PlaybackAction;

/// A press at one place and a release at another, within one frame.
fn stroke(from: egui::Pos2, to: egui::Pos2, modifiers: egui::Modifiers) -> Vec<egui::Event> {
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers,
    };
    vec![
        egui::Event::PointerMoved(from),
        button(from, true),
        egui::Event::PointerMoved(to),
        button(to, false),
    ]
}

fn frame(harness: &Harness<'static, State>) -> u16 {
    let state = harness.state();
    let at = state.playback().frame_at(state.timelines());
    at.map_or(0, |at| at.frame)
}

#[test]
fn a_tap_or_a_whole_drag_on_the_time_line_within_one_frame_seeks() {
    let mut harness = window(|_| ());
    let rail = harness
        .get_by_role_and_label(egui::accesskit::Role::Slider, "Frame")
        .rect();
    // 8 frames between the ends, which lie 7 pixels within.
    let at = |frame: f32| {
        let part = frame / 7.0;
        egui::pos2(
            rail.left() + 7.0 + part * (rail.width() - 14.0),
            rail.center().y,
        )
    };
    let none = egui::Modifiers::NONE;
    at_once(&mut harness, stroke(at(5.0), at(5.0), none));
    assert_eq!(frame(&harness), 5);
    at_once(&mut harness, stroke(at(1.0), at(3.0), none));
    assert_eq!(frame(&harness), 3);
    // It ends over the picture, which stays where it is.
    let camera = harness.state().camera();
    let off = egui::pos2(at(6.0).x, rail.center().y - 200.0);
    at_once(&mut harness, stroke(at(2.0), off, none));
    assert_eq!(frame(&harness), 6);
    assert_eq!(harness.state().camera(), camera);
    // One that comes from elsewhere is no seek.
    at_once(&mut harness, stroke(off, at(1.0), none));
    assert_eq!(frame(&harness), 6);
    at_once(
        &mut harness,
        stroke(at(2.0), at(4.0), egui::Modifiers::SHIFT),
    );
    assert_eq!(harness.state().playback().section, Some([2, 4]));
    assert_eq!(frame(&harness), 6);
    // Held down, it goes with the pointer.
    let held = stroke(at(1.0), at(2.0), none);
    for (event, wanted) in held.into_iter().take(3).zip([6, 1, 2]) {
        at_once(&mut harness, vec![event]);
        assert_eq!(frame(&harness), wanted);
    }
}

#[test]
fn the_time_line_has_room_in_every_window() {
    let mut harness = window(|_| ());
    for size in [
        [700.0, 420.0],
        [720.0, 480.0],
        [800.0, 600.0],
        [1024.0, 640.0],
        [1600.0, 1000.0],
    ] {
        for side in [250.0, 300.0, 460.0] {
            let width = Action::Looking(LookAction::SideWidth(side));
            harness.state_mut().apply(width);
            harness.set_size(size.into());
            harness.run_ok();
            let role = egui::accesskit::Role::Slider;
            let rail = harness.get_by_role_and_label(role, "Frame").rect();
            assert!(rail.width() >= 240.0, "{size:?} {side}: {rail:?}");
            let counter = harness.get_by_label_contains(" / 7").rect();
            let curves = harness.get_by_label("Curves and keys").rect();
            assert!(!counter.intersects(rail) && !counter.intersects(curves));
            for name in ["First frame", "Curves and keys"] {
                let button = harness.get_by_label(name).rect();
                assert!(!button.intersects(rail), "{size:?}: {name}");
                assert!(button.bottom() < size[1] && button.left() >= 0.0);
            }
        }
    }
}

#[test]
fn the_time_line_stays_as_long_while_the_counters_count() {
    let mut harness = window_of(long(), |_| ());
    let mut ends = Vec::new();
    for frame in [0.0, 9.0, 10.0, 99.0, 100.0, 119.0] {
        let seek = Action::Playback(PlaybackAction::Seek(frame));
        harness.state_mut().apply(seek);
        harness.run_ok();
        let role = egui::accesskit::Role::Slider;
        ends.push(harness.get_by_role_and_label(role, "Frame").rect().right());
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}

fn long() -> &'static [u8] {
    Builder::new()
        .image(1, &[WHITE])
        .bone("root", None)
        .quad("hat", 0, 0, [0.0, 0.0], [40.0, 40.0])
        .still("walk", true, 120)
        .bytes()
        .leak()
}
