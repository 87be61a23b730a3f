//! Lists, the timeline and the border between a list and its details, by keys and by the pointer.

use super::*;
use crate::viewer::model::meshes::MeshFacts;

fn go(window: &mut Window, key: Key) -> String {
    press(window, Modifiers::COMMAND, key);
    stop(window)
}

/// A root with so many bones on it.
fn fan(bones: u16) -> &'static [u8] {
    let fan = (0..bones).fold(Builder::new().bone("root", None), |builder, bone| {
        builder.bone(&format!("bone {bone}"), Some(0))
    });
    let frame = |x: u8| vec![at(f32::from(x), 0.0); usize::from(bones) + 1];
    fan.animation("move", true, &[frame(1), frame(2)]).bytes().leak()
}

#[test]
fn a_key_goes_to_the_list_whose_are_those_after_it_arrows_walk_space_hides_and_enter_chooses() {
    let mut window = window(|_| ());
    assert_eq!(go(&mut window, Key::Num1), "shoe");
    assert_eq!(key(&mut window, Key::ArrowDown), "hat");
    assert_eq!(key(&mut window, Key::ArrowDown), "hat", "it is the last one");
    assert_eq!(key(&mut window, Key::Space), "hat");
    assert_eq!(window.state().mesh_view(MeshId(0)).visible, Some(false));
    assert_eq!(window.state().chosen_mesh(), None);
    key(&mut window, Key::Space);
    assert_eq!(window.state().mesh_view(MeshId(0)).visible, None);
    key(&mut window, Key::Enter);
    assert_eq!(window.state().chosen_mesh(), Some(MeshId(0)));
    assert_eq!(key(&mut window, Key::Home), "shoe");
    assert!(!window.state().playback().playing);
    // Its own controls come next, then what is below the list.
    assert_eq!(key(&mut window, Key::Tab), "Hide shoe");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(go(&mut window, Key::Num1), "hat", "the one that is chosen");
    // Keys for the selected mesh select the row first.
    assert_eq!(key(&mut window, Key::Home), "shoe");
    key(&mut window, Key::H);
    let state = window.state();
    assert_eq!(state.chosen_mesh(), Some(MeshId(1)));
    assert_eq!([0, 1].map(|mesh| state.mesh_view(MeshId(mesh)).visible), [None, Some(false)]);
    let mut window = super::window(|_| ());
    let command = Modifiers::COMMAND | Modifiers::CTRL;
    let [end, space] = [Key::End, Key::Space].map(|key| down(key, Modifiers::NONE));
    at_once(&mut window, vec![down(Key::Num1, command), end, space]);
    window.run_ok();
    assert_eq!(window.state().mesh_view(MeshId(0)).visible, Some(false));
    assert!(!window.state().playback().playing);
}

#[test]
fn the_keyboard_goes_along_with_a_choice_that_is_made_elsewhere() {
    let mut window = window(|_| ());
    assert_eq!(go(&mut window, Key::Num1), "shoe");
    let hat = Action::Parts(PartAction::ChooseMesh(Some(MeshId(0))));
    apply(&mut window, hat);
    assert_eq!(stop(&window), "hat");
    // Not without a selection, and not from another control.
    apply(&mut window, PartAction::ChooseNothing);
    assert_eq!(stop(&window), "hat");
    press(&mut window, Modifiers::NONE, Key::Escape);
    let shoe = Action::Parts(PartAction::ChooseMesh(Some(MeshId(1))));
    apply(&mut window, shoe);
    assert!(focused(&window).is_none_or(|(name, _)| name != "shoe"));
}

#[test]
fn arrows_go_through_bones_that_are_not_laid_out_and_fold_the_tree() {
    let mut window = window_of(fan(200), |_| ());
    assert_eq!(go(&mut window, Key::Num2), "root");
    assert_eq!(key(&mut window, Key::End), "bone 199");
    assert_eq!(key(&mut window, Key::ArrowUp), "bone 198");
    let (_, place) = focused(&window).unwrap();
    assert!(place.bottom() < 640.0 && place.top() > 200.0, "{place:?}");
    // The wheel takes it out of sight, and the next key brings it back.
    window.hover_at(place.center());
    window.event(wheel(9000.0, Modifiers::NONE));
    window.run_steps(40);
    assert!(has(&window, "bone 0"));
    assert_eq!(key(&mut window, Key::ArrowUp), "bone 197");
    for _ in 0..3 {
        window.key_press(Key::ArrowDown);
    }
    window.run_ok();
    assert_eq!(stop(&window), "bone 199");
    key(&mut window, Key::Enter);
    assert_eq!(window.state().chosen_bone(), Some(BoneId(200)));
    assert_eq!(key(&mut window, Key::Home), "root");
    key(&mut window, Key::ArrowLeft);
    assert!(window.state().parts().folded.contains(&BoneId(0)));
    key(&mut window, Key::ArrowLeft);
    assert!(window.state().parts().folded.contains(&BoneId(0)));
    key(&mut window, Key::ArrowRight);
    assert!(!window.state().parts().folded.contains(&BoneId(0)));
}

#[test]
fn keys_go_to_the_time_line_and_to_the_animations() {
    let mut window = window(|state| state.apply(Action::Toggle(Switch::Panels)));
    assert_eq!(go(&mut window, Key::Num4), "Frame");
    assert!(window.state().is_on(Switch::Panels));
    let frame = |window: &Window| window.state().playback().position(window.state().timelines());
    let keys = [(Key::End, 7.0), (Key::ArrowLeft, 6.0), (Key::Home, 0.0), (Key::ArrowRight, 1.0)];
    for (pressed, wanted) in keys {
        assert_eq!(key(&mut window, pressed), "Frame");
        assert!((frame(&window) - wanted).abs() < 1e-9, "{pressed:?}");
    }
    key(&mut window, Key::Space);
    assert!(window.state().playback().playing);
    key(&mut window, Key::Space);
    assert!(go(&mut window, Key::Num3).starts_with("walk"));
}

const BORDER: &str = "Border between list and details";

fn chosen() -> Window {
    window(|state| state.apply(PartAction::ChooseBone(Some(BoneId(1)))))
}

fn border(window: &Window) -> Pos2 {
    window.get_by_label(BORDER).rect().center()
}

#[test]
fn the_border_is_dragged_and_a_double_click_puts_it_back() {
    let mut window = chosen();
    let usual = border(&window);
    drag(&mut window, usual, usual + Vec2::new(0.0, 30.0));
    assert!((border(&window).y - usual.y - 30.0).abs() < 1.5);
    let height = window.state().details_height();
    let asked = window.state_mut().take_requests();
    assert!(asked.contains(&crate::viewer::state::Request::Remember));
    // Another choice has the same height.
    apply(&mut window, PartAction::ChooseMesh(Some(MeshId(1))));
    assert_eq!(window.state().details_height(), height);
    // Neither the list nor the details go away.
    for to in [pos2(usual.x, 20.0), pos2(usual.x, 630.0)] {
        let from = border(&window);
        drag(&mut window, from, to);
        assert!(has(&window, "hat"), "{to}");
        let now = border(&window);
        assert!(now.y < 620.0 && now.y > 340.0, "{now}");
    }
    let at = border(&window);
    hover(&mut window, at);
    at_once(&mut window, [true, false, true, false].map(|pressed| button(at, pressed)).to_vec());
    assert_eq!(window.state().details_height(), None, "{at}");
    assert!((border(&window).y - usual.y).abs() < 0.5);
}

#[test]
fn keys_move_the_border_and_a_low_window_keeps_list_and_details() {
    let mut window = chosen();
    let usual = border(&window);
    go(&mut window, Key::Num2);
    let way: Vec<String> = (0..6).map(|_| key(&mut window, Key::Tab)).collect();
    assert!(way.iter().any(|name| name == BORDER), "{way:?}");
    focus(&mut window, BORDER);
    assert_eq!(key(&mut window, Key::ArrowUp), BORDER);
    assert!((usual.y - border(&window).y - 16.0).abs() < 1.5);
    key(&mut window, Key::ArrowDown);
    key(&mut window, Key::ArrowDown);
    assert!((border(&window).y - usual.y - 16.0).abs() < 1.5);
    key(&mut window, Key::Enter);
    assert_eq!(window.state().details_height(), None);
    resize(&mut window, Vec2::new(700.0, 420.0));
    for y in [0.0, 420.0] {
        if has(&window, BORDER) {
            let from = border(&window);
            drag(&mut window, from, pos2(from.x, y));
            assert!(has(&window, "Filter bones"));
        }
        assert!(has(&window, "Deselect bone"), "{y}");
    }
}

#[test]
fn the_pointer_on_a_row_lights_up_its_mesh_and_on_the_picture_its_row() {
    let mut window = window(|_| ());
    let row = window.get_by_label("hat").rect().center();
    hover(&mut window, row);
    let state = window.state();
    assert_eq!(state.parts().pointed, Some(MeshId(0)));
    assert_eq!(state.overlays_and_pointed(1).mesh, Some(MeshId(0)));
    assert_eq!(state.overlays(1).mesh, None, "not in screenshots");
    hover(&mut window, pos2(5.0, 5.0));
    assert_eq!(window.state().parts().pointed, None);
    apply(&mut window, PartAction::PointInPicture(Some([-1000.0, 5.0])));
    assert_eq!(window.state().parts().pointed, None);
}

#[test]
fn alternatives_of_a_mesh_are_one_row_with_a_switch() {
    let rig = Builder::new().image(1, &[[255; 4]]).bone("root", None).bones(2);
    let rig = (0..2)
        .fold(rig, |rig, eye: u16| rig.quad(&format!("eye#{eye}"), 0, eye + 1, [0.0; 2], [9.0; 2]));
    let frame = vec![at(0.0, 0.0), at(0.0, 0.0), crate::fixture::hidden()];
    let file = rig.animation("walk", true, &[frame]).bytes().leak();
    let mut window = window_of(file, |state| {
        let model = state.model().unwrap();
        let facts = MeshFacts::new(&*model.loaded().opened.subject, model.images());
        state.apply(PartAction::Facts(model.serial(), facts.into()));
    });
    assert!(has(&window, "eye#0") && !has(&window, "eye#1"));
    click(&mut window, "Alternatives of eye#0");
    click(&mut window, "eye#1");
    assert_eq!(visible(&window), [Some(false), Some(true)]);
    assert!(has(&window, "eye#1") && !has(&window, "eye#0"));
    click(&mut window, "Alternatives of eye#1");
    click(&mut window, "Follow the file");
    assert_eq!(visible(&window), [None, None]);
    apply(&mut window, PartAction::Filter(crate::viewer::switch::Tab::Meshes, "eye".into()));
    assert!(has(&window, "eye#0") && has(&window, "eye#1"), "a filter finds all of them");
}
