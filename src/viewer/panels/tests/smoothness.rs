//! The loop check: a sign in the list of animations, and marks on the timeline.

use pchr::scene::SmoothnessJob;

use super::*;

const HAND: BoneId = BoneId(1);

/// A character whose hand jumps to frame 3, and from the last frame to the first.
fn jumping() -> Window {
    let places = [0.0, 2.0, 4.0, 34.0, 36.0, 38.0, 40.0, 42.0];
    let frames: Vec<_> = places.iter().map(|x| vec![at(0.0, 0.0), at(*x, 0.0)]).collect();
    let rig = Builder::new().image(1, &[WHITE]).bone("root", None).bone("hand", Some(0));
    let rig = rig.quad("a", 0, 1, [0.0, 0.0], [100.0, 100.0]);
    let still = [vec![at(0.0, 0.0), at(0.0, 0.0)]];
    let rig = rig.animation("walk", true, &frames).animation("still", true, &still);
    window_of(rig.bytes().leak(), |state| state.apply(Action::Toggle(Switch::LoopCheck)))
}

fn measured(window: &mut Window) {
    let asked = window.state_mut().take_requests();
    assert!(asked.contains(&Request::Smoothness), "{asked:?}");
    let model = window.state().model().unwrap();
    let clips = SmoothnessJob { subject: model.subject() }.run();
    let answer = PartAction::Smoothness(model.serial(), clips.into());
    apply(window, answer);
    assert!(has(window, "Loop check: 1 of 2 animations jumps"));
}

#[test]
fn animations_that_jump_have_a_sign_and_a_tip_while_the_check_is_on() {
    let mut window = jumping();
    assert!(has(&window, "walk, 8 frames, 0.80 s"), "not measured yet");
    measured(&mut window);
    assert!(has(&window, "walk, 8 frames, 0.80 s, jumps"));
    assert!(has(&window, "still, 1 frame, 0.10 s"));
    let row = window.get_by_label("walk, 8 frames, 0.80 s, jumps").rect().center();
    window.hover_at(row);
    window.run_steps(60);
    let text = "Loop jumps: bone \"hand\" by 42.0 px from the last frame to the first";
    assert!(window.query_by_label_contains(text).is_some());
    let text = "Frame 3: bone \"hand\" jumps by 30.0 px, at most 2.0 px before and after";
    assert!(window.query_by_label_contains(text).is_some());
    apply(&mut window, Action::Toggle(Switch::LoopCheck));
    assert!(has(&window, "walk, 8 frames, 0.80 s") && window.state().tracks().marks.is_empty());
    apply(&mut window, Action::Toggle(Switch::LoopCheck));
    assert!(has(&window, "walk, 8 frames, 0.80 s, jumps"), "it is not measured again");
}

#[test]
fn a_click_on_a_mark_goes_to_the_frame_and_selects_the_bone() {
    let mut window = jumping();
    measured(&mut window);
    let frames: Vec<u16> = window.state().tracks().marks.iter().map(|mark| mark.frame).collect();
    assert_eq!(frames, [3, 7]);
    let rail = window.get_by_role_and_label(Role::Slider, "Frame").rect();
    let on = |frame: f32, y: f32| pos2(rail.left() + 11.0 + frame / 7.0 * (rail.width() - 22.0), y);
    click_at(&mut window, on(3.0, rail.center().y));
    assert_eq!((frame(&window), window.state().chosen_bone()), (3, None), "below the marks");
    click_at(&mut window, on(7.0, rail.top() + 3.5));
    assert_eq!((frame(&window), window.state().chosen_bone()), (7, Some(HAND)));
    apply(&mut window, PartAction::ChooseNothing);
    click_at(&mut window, on(3.0, rail.top() + 3.5));
    assert_eq!((frame(&window), window.state().chosen_bone()), (3, Some(HAND)));
}
