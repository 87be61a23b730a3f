//! The list of a stage's characters and the fields of the chosen one; dragging with Shift.

use super::*;
use crate::viewer::action::StageAction;
use crate::viewer::desktop::load_wished;
use crate::viewer::interface::narrow;

fn load(state: &mut State) {
    for request in state.take_requests() {
        if let Request::Load(id, source, wish) = request {
            let done = LoadDone { id, ..load_wished(&source, wish) };
            state.apply(FileAction::Loaded(done));
        }
    }
    assert_eq!(state.problem(), None);
}

/// A window with a stage of two hats, and its list in front.
fn stage() -> (tempfile::TempDir, Window) {
    let folder = tempfile::tempdir().unwrap();
    let files = ["hero.pchr", "orc.pchr"].map(|name| folder.path().join(name));
    let bytes = hat().still("idle", true, 3).still("walk", true, 6).bytes();
    files.iter().for_each(|file| std::fs::write(file, &bytes).unwrap());
    let window = window(|state| {
        state.apply(StageAction::Add(files.to_vec()));
        load(state);
        state.apply(LookAction::Tab(Tab::Stage));
    });
    (folder, window)
}

#[test]
fn a_chosen_character_has_fields_and_others_have_not() {
    let (_folder, mut window) = stage();
    assert!(has(&window, "hero") && has(&window, "orc"));
    assert!(window.query_by_role_and_label(Role::SpinButton, "X").is_none());
    click_role(&mut window, Role::Button, "orc");
    assert_eq!(window.state().chosen_member(), Some(1));
    for name in ["X", "Y", "Turn", "Scale", "Start", "Speed of the character"] {
        assert!(window.query_by_role_and_label(Role::SpinButton, name).is_some(), "{name}");
    }
    click_role(&mut window, Role::CheckBox, "Mirror");
    let members = &window.state().layout().unwrap().members;
    assert_eq!([members[0].mirror, members[1].mirror], [false, true]);
    click_role(&mut window, Role::Button, "Bring orc backwards");
    load(window.state_mut());
    assert_eq!(window.state().layout().unwrap().names(), ["orc", "hero"]);
}

#[test]
fn curves_say_where_the_keys_are() {
    let (_folder, mut window) = stage();
    let state = window.state_mut();
    apply!(state, Action::Toggle(Switch::Curves), PartAction::ChooseBone(Some(BoneId(0))));
    window.run_ok();
    assert!(has(&window, "hero has no keys on a stage"));
    assert!(has(&window, "Open the character's own file to see its keys"));
}

#[test]
fn a_drag_with_shift_moves_a_character_and_one_without_the_picture() {
    let (_folder, mut window) = stage();
    let first = |window: &Window| window.state().layout().unwrap().members[0].at;
    // The first hat is 40 wide; the camera fits both.
    let camera = window.state().camera();
    let zoom = narrow(camera.zoom);
    let at = camera.screen_at([20.0, 20.0], window.state().viewport()).map(narrow);
    let at = window.get_by_role(Role::Image).rect().min + Vec2::from(at);
    let drag = |window: &mut Window, modifiers: Modifiers| {
        let button = |pos, down| button_with(pos, down, PointerButton::Primary, modifiers);
        let by = vec2(50.0, 0.0);
        let moves = (1..6_u8).map(|step| Event::PointerMoved(at + by * f32::from(step) / 5.0));
        let mut events = vec![Event::PointerMoved(at), button(at, true)];
        events.extend(moves);
        events.push(button(at + by, false));
        one_by_one(window, events);
    };
    drag(&mut window, Modifiers::SHIFT);
    assert_eq!(window.state().chosen_member(), Some(0));
    let moved = first(&window);
    assert!((moved[0] - 50.0 / zoom).abs() < 0.5 && moved[1] == 0.0, "{moved:?}");
    assert_eq!(window.state().camera().center, camera.center);
    // In the frame of the chosen one it moves without Shift, too.
    drag(&mut window, Modifiers::NONE);
    let again = first(&window);
    assert!((again[0] - 100.0 / zoom).abs() < 0.5 && again[1] == 0.0, "{again:?}");
    apply(&mut window, StageAction::Choose(None));
    drag(&mut window, Modifiers::NONE);
    assert_eq!(first(&window), again);
    assert_ne!(window.state().camera().center, camera.center);
}

#[test]
fn an_animation_of_the_file_is_chosen_and_a_play_list_made_and_taken_apart() {
    let (_folder, mut window) = stage();
    apply(&mut window, StageAction::Choose(Some(0)));
    click(&mut window, "Animation of the character");
    click(&mut window, "walk");
    let animation = |window: &Window| window.state().layout().unwrap().members[0].animation.clone();
    assert_eq!(animation(&window).as_deref(), Some("walk"));
    apply(&mut window, Action::Undo);
    assert_eq!(animation(&window), None);
    let play = |window: &Window| window.state().layout().unwrap().members[0].play.clone();
    for _ in 0..2 {
        click_role(&mut window, Role::Button, "Add an animation");
    }
    assert_eq!(play(&window), ["idle", "idle"]);
    assert_eq!(window.state().timelines().len(), 2, "the stage has the animation play");
    click(&mut window, "Animation 2 of the play list");
    click_role(&mut window, Role::Button, "walk");
    assert_eq!(play(&window), ["idle", "walk"]);
    assert!(window.query_by_role_and_label(Role::SpinButton, "Fade of the play list").is_some());
    click(&mut window, "Take animation 1 off the play list");
    assert_eq!(play(&window), ["walk"]);
    window.state_mut().apply(Action::Undo);
    assert_eq!(play(&window), ["idle", "walk"]);
}

#[test]
fn lasting_notes_say_what_a_stage_lacks_and_that_its_file_was_changed() {
    let (folder, mut window) = stage();
    let path = folder.path().join("hero-stage.pchr-view.toml");
    let write = |window: &mut Window, animation: &str| {
        let table = "[[character]]\nfile = \"orc.pchr\"\nanimation = ";
        std::fs::write(&path, format!("{table}\"{animation}\"\n")).unwrap();
        window.state_mut().apply(FileAction::Reload);
        load(window.state_mut());
        apply(window, Action::Unsay);
    };
    write(&mut window, "wlak");
    assert!(has(&window, "hero-stage.pchr-view.toml was changed in another program"));
    assert_eq!(window.state().layout().unwrap().names(), ["hero", "orc"]);
    click(&mut window, "Discard changes");
    load(window.state_mut());
    window.run_ok();
    let lacks = "line 3: orc: has no animation \"wlak\"; closest: walk";
    assert!(has(&window, lacks) && !has(&window, "Discard changes"));
    write(&mut window, "walk");
    assert!(!has(&window, lacks));
}
