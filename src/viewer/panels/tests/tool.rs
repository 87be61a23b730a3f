//! Menus on the picture and on rows, the zoom field, eyes of bones and the tools, through their names.

use super::space::drag;
use super::*;

fn picture(window: &Window) -> Rect {
    window.query_all_by_label("Picture of Sample").map(|it| it.rect()).next().unwrap()
}

pub(super) fn show_reference(state: &mut State) {
    let pixels = Pixels { width: 2, height: 2, rgba: vec![9; 16] };
    let levels = Arc::new(Levels::with_mipmaps(pixels));
    state.apply(ReferenceAction::Show("front.png".into(), levels));
}

fn right_click(window: &mut Window, at: Pos2) {
    hover(window, at);
    let press = |down| button_with(at, down, PointerButton::Secondary, Modifiers::NONE);
    at_once(window, vec![press(true), press(false)]);
}

/// A place on the hat: the left one of two squares with a gap between them.
fn hat(window: &Window) -> Pos2 {
    let picture = picture(window);
    let [x, y] = window.state().camera().screen_at([20.0, 20.0], window.state().viewport());
    picture.min + Vec2::from([x, y].map(crate::viewer::interface::narrow))
}

#[test]
fn a_right_click_chooses_what_is_there_and_opens_its_menu_and_a_drag_does_not() {
    let mut window = window(|_| ());
    let at = hat(&window);
    let aside = at + vec2(60.0, 0.0);
    one_by_one(&mut window, stroke_with(at, aside, PointerButton::Secondary, Modifiers::NONE));
    window.run_ok();
    assert!(!has(&window, "Hide this mesh"));
    right_click(&mut window, at);
    assert_eq!(window.state().chosen_mesh(), Some(MeshId(0)));
    for entry in ["Isolate this mesh", "Centre here", "Copy the picture"] {
        assert!(has(&window, entry), "{entry}");
    }
    // A right click keeps the selection, although a click would select the next mesh.
    right_click(&mut window, at + vec2(-40.0, 0.0));
    right_click(&mut window, at);
    assert_eq!(window.state().chosen_mesh(), Some(MeshId(0)));
    click(&mut window, "Hide this mesh");
    assert_eq!(window.state().mesh_view(MeshId(0)).visible, Some(false));
    assert!(!has(&window, "Centre here"), "it has closed");
    // On empty space there is nothing to hide.
    let picture = picture(&window);
    right_click(&mut window, picture.min + vec2(4.0, 4.0));
    assert_eq!(window.state().chosen_mesh(), None);
    assert!(has(&window, "Centre here") && !has(&window, "Show this mesh"));
}

#[test]
fn a_key_opens_the_menu_of_the_row_or_of_the_picture() {
    let mut window = window(|state| state.apply(PartAction::ChooseBone(Some(BoneId(1)))));
    press_and_wait(&mut window, Modifiers::SHIFT, Key::F10);
    assert!(has(&window, "Follow with the camera"));
    press_and_wait(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!has(&window, "Follow with the camera"));
    press(&mut window, Modifiers::COMMAND, Key::Num1);
    press_and_wait(&mut window, Modifiers::NONE, Key::Menu);
    assert!(has(&window, "To the front"));
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(window.state().solo(), Some(MeshId(1)));
    let (name, _) = focused(&window).unwrap();
    assert_eq!(name, "shoe", "the row has the keyboard again");
}

#[test]
fn the_zoom_is_a_field_that_keeps_its_width() {
    let mut window = window(|_| ());
    let field = |window: &Window| {
        let field = window.get_by_role_and_label(Role::TextInput, "Zoom");
        (field.accesskit_node().value().unwrap_or_default(), field.rect())
    };
    let (_, before) = field(&window);
    for (typed, zoom, shown) in [("150", 1.5, "150 %"), ("2x", 2.0, "200 %"), ("4", 0.04, "4.0 %")]
    {
        click_role(&mut window, Role::TextInput, "Zoom");
        type_text(&mut window, typed);
        press_and_wait(&mut window, Modifiers::NONE, Key::Enter);
        assert!(window.state().camera().zoom == zoom, "{typed}");
        assert_eq!(field(&window), (shown.to_owned(), before));
    }
    click_role(&mut window, Role::TextInput, "Zoom");
    type_text(&mut window, "300");
    press_and_wait(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(field(&window).0, "4.0 %", "Escape leaves it as it was");
    click(&mut window, "Zoom levels");
    click(&mut window, "100 %");
    assert!((window.state().camera().zoom - 1.0).abs() < 1e-9);
}

#[test]
fn a_bone_has_an_eye_where_it_or_those_below_have_meshes() {
    let mut window = window(|state| state.apply(LookAction::Tab(Tab::Bones)));
    click(&mut window, "Hide the meshes of left");
    assert_eq!(visible(&window), [Some(false), None]);
    click(&mut window, "Show the meshes of left");
    assert_eq!(visible(&window), [None; 2]);
    // The root moves no meshes of its own.
    click(&mut window, "Hide the meshes of root");
    assert_eq!(visible(&window), [Some(false); 2]);
}

#[test]
fn the_tools_have_a_menu_and_a_reference_its_controls() {
    let mut window = window(show_reference);
    click(&mut window, "Tools");
    click(&mut window, "Grid");
    assert!(window.state().overlays(1).has(Layer::Grid));
    click(&mut window, "Tools");
    for control in ["Opacity of", "Size of", "X of", "Y of", "Hide"] {
        assert!(has(&window, &format!("{control} the reference")), "{control}");
    }
    click(&mut window, "Above");
    assert!(window.state().reference().unwrap().look.above);
    click(&mut window, "Remove the reference");
    assert!(window.state().reference().is_none());
}

#[test]
fn a_drag_measures_while_the_ruler_is_on_and_does_not_pan() {
    let mut window = window(|_| ());
    press(&mut window, Modifiers::NONE, Key::M);
    let before = window.state().camera();
    drag(&mut window, PointerButton::Primary, Modifiers::NONE, [60.0, 80.0]);
    let line = *window.state().ruler().unwrap();
    assert!((line.length() * before.zoom - 100.0).abs() < 1e-3, "{line:?}");
    assert_eq!(window.state().camera(), before);
    assert!(window.query_by_label_contains("Ruler: ").is_some());
    drag(&mut window, PointerButton::Primary, Modifiers::SHIFT, [80.0, 3.0]);
    assert_eq!(window.state().ruler().unwrap().angle(), 0.0);
    drag(&mut window, PointerButton::Middle, Modifiers::NONE, [10.0, 0.0]);
    assert_ne!(window.state().camera(), before, "the middle button pans");
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.state().ruler().is_none());
}

#[test]
fn controls_with_a_menu_of_their_own_open_it_by_key() {
    let entries = [
        ("Frame", "Start the loop range here"),
        ("Onion skin", "Frames between ghosts"),
        ("Screenshot", "Transparent"),
    ];
    for (control, entry) in entries {
        let mut harness = window(|_| ());
        focus(&mut harness, control);
        apply(&mut harness, LookAction::GoTo(Destination::Menu));
        assert!(has(&harness, entry), "{control}: {entry}");
        let menus = harness.query_all_by_label("Centre in the picture").count();
        assert_eq!(menus, 0, "the picture's menu stays closed");
    }
}
