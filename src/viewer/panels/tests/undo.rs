//! Drags and bursts of the wheel as steps that are undone, by what pointer and keys do.

use super::space::drag;
use super::*;

#[test]
fn a_drag_is_a_step_and_a_burst_of_the_wheel_is_one() {
    let mut window = window(|_| ());
    let place = |window: &Window| {
        let camera = window.state().camera();
        (camera.center, camera.zoom)
    };
    let mut places = vec![place(&window)];
    for _ in 0..2 {
        drag(&mut window, PointerButton::Primary, Modifiers::NONE, [72.0, 4.0]);
        places.push(place(&window));
    }
    for _ in 0..2 {
        for _ in 0..4 {
            window.event(wheel(40.0, Modifiers::NONE));
            window.run_steps(2);
        }
        window.run_steps(8); // some moments of rest
        places.push(place(&window));
    }
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{places:?}");
    assert!(!window.state().is_in_gesture());
    for (wanted, said) in places.iter().rev().skip(1).zip(["Zoom", "Zoom", "Pan", "Pan"]) {
        press(&mut window, Modifiers::COMMAND, Key::Z);
        assert_eq!(place(&window), *wanted);
        assert!(has(&window, &format!("Undone: {said}")));
    }
    let keys = [(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z), (Modifiers::COMMAND, Key::Y)];
    for (wanted, (modifiers, key)) in places.iter().skip(1).zip(keys.into_iter().cycle()) {
        press(&mut window, modifiers, key);
        assert_eq!(place(&window), *wanted);
    }
    press(&mut window, Modifiers::COMMAND, Key::Y);
    assert!(has(&window, "Nothing to redo"));
    // Text that is typed is undone by itself.
    let moved = window.state().camera();
    type_into(&mut window, "Filter meshes", "ha");
    assert!(has(&window, "hat") && !has(&window, "shoe"));
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(window.state().camera(), moved);
}
