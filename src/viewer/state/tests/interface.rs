//! Size, contrast and motion of the interface, and what is remembered of it.

use super::*;
use crate::viewer::action::InterfaceAction;
use crate::viewer::interface::{Comfort, InterfaceScale};
use crate::viewer::switch::Destination;

/// Returns the remembered settings, after a round trip through the file.
fn remembered(state: &State) -> ViewerSettings {
    let mut memory = Memory::default();
    state.interface().remember(&mut memory);
    ViewerSettings { memory: Memory::parse(&memory.text()).unwrap(), ..ViewerSettings::default() }
}

#[test]
fn a_size_without_room_is_not_gone_to_and_what_fits_is_said() {
    let mut state = State::new(&ViewerOptions::default());
    state.apply(InterfaceAction::Room([700.0, 420.0]));
    for _ in 0..3 {
        state.apply(InterfaceAction::StepScale(true));
        assert_eq!(state.interface().scale.percent(), 110);
    }
    // One that was chosen in a larger window: the next smaller one is smaller than what is shown.
    for scale in [None, Some(200)] {
        if let Some(scale) = scale {
            state.apply(InterfaceAction::Scale(InterfaceScale::of(scale)));
        }
        assert_eq!(state.said().unwrap().text, "No room for more than 110 %");
        state.apply(InterfaceAction::StepScale(false));
        assert_eq!(state.interface().scale.percent(), 100);
    }
}

#[test]
fn the_interface_grows_and_shrinks_in_steps_and_the_size_outlives_the_program() {
    let mut state = State::new(&ViewerOptions::default());
    apply!(state, InterfaceAction::StepScale(true), InterfaceAction::StepScale(true));
    assert_eq!(state.interface().scale.percent(), 125);
    assert_eq!(state.said().map(|message| &*message.text), Some("Interface at 125 %"));
    assert!(state.take_requests().contains(&Request::Remember));
    let again = State::with_settings(&ViewerOptions::default(), &remembered(&state));
    assert_eq!(again.interface().scale.percent(), 125);
    state.apply(InterfaceAction::Scale(InterfaceScale::USUAL));
    assert_eq!(remembered(&state).memory.scale, None);
}

#[test]
fn contrast_and_motion_follow_the_system_until_they_are_chosen() {
    let mut state = State::new(&ViewerOptions::default());
    let wishes = |more_contrast, less_motion| {
        InterfaceAction::System(Comfort { more_contrast, less_motion })
    };
    let shown = |state: &State| {
        let comfort = state.interface().comfort();
        (comfort.more_contrast, comfort.less_motion)
    };
    state.apply(wishes(true, true));
    assert_eq!(shown(&state), (true, true));
    assert_eq!(remembered(&state).memory, Memory::default());
    state.apply(InterfaceAction::ToggleContrast);
    assert_eq!(shown(&state), (false, true));
    state.apply(wishes(true, false));
    assert_eq!(shown(&state), (false, false));
    let again = State::with_settings(&ViewerOptions::default(), &remembered(&state));
    assert_eq!(again.interface().comfort(), Comfort::default());
    state.apply(InterfaceAction::Contrast(None));
    assert_eq!(shown(&state), (true, false));
    // The user's file counts for more than what is remembered.
    let mut settings = remembered(&state);
    settings.memory.motion = Some(false);
    settings.config.motion = Some(true);
    assert_eq!(shown(&State::with_settings(&ViewerOptions::default(), &settings)), (false, true));
}

#[test]
fn colours_are_remembered_and_a_background_without_opacity_is_none() {
    let mut state = State::new(&ViewerOptions::default());
    for color in [[1, 2, 3], [4, 5, 6], [1, 2, 3]] {
        state.apply(InterfaceAction::KeepColor(color));
    }
    let again = State::with_settings(&ViewerOptions::default(), &remembered(&state));
    assert_eq!(again.interface().colors, [[4, 5, 6], [1, 2, 3]]);
    for color in 10..30 {
        state.apply(InterfaceAction::KeepColor([color; 3]));
    }
    assert_eq!(state.interface().colors.len(), 8);
    let background = Some(pchr_tools::view::Background::Color([9, 9, 9, 0]));
    let state = State::new(&of_look(Shown { background, ..Shown::default() }));
    assert_eq!(state.looking().background, Background::Transparent);
    assert_eq!(state.picture().clear, [0; 4]);
}

#[test]
fn a_preview_window_has_no_panels_and_ends_in_many_ways() {
    let mut state = State::new(&ViewerOptions::default());
    state.take_requests();
    let is_preview = |state: &State| state.is_on(Switch::Preview);
    for end in [
        Action::Toggle(Switch::Preview),
        Action::Toggle(Switch::Panels),
        LookAction::GoTo(Destination::TimeLine).into(),
        LookAction::Tab(Tab::Bones).into(),
    ] {
        state.apply(Action::Toggle(Switch::Preview));
        assert!(is_preview(&state) && !state.is_on(Switch::Panels), "{end:?}");
        assert_eq!(state.take_requests(), [Request::Preview(true)], "{end:?}");
        assert!(state.said().is_some(), "{end:?}: its key is said");
        state.apply(end.clone());
        assert!(!is_preview(&state) && state.is_on(Switch::Panels), "{end:?}");
        assert_eq!(state.take_requests(), [Request::Preview(false)], "{end:?}");
        assert!(state.said().is_none(), "{end:?}");
    }
    // Panels that were hidden before stay so. Escape first takes the message away.
    apply!(state, Action::Toggle(Switch::Panels), Action::Toggle(Switch::Preview), Action::Dismiss);
    assert!(is_preview(&state));
    state.apply(Action::Dismiss);
    assert!(!is_preview(&state) && !state.is_on(Switch::Panels));
}

#[test]
fn a_window_is_a_preview_or_fills_the_screen() {
    let mut state = State::new(&ViewerOptions { preview: true, ..ViewerOptions::default() });
    assert!(state.is_on(Switch::Preview), "it starts so");
    state.take_requests();
    state.apply(Action::Toggle(Switch::FullScreen));
    assert_eq!(state.take_requests(), [Request::Preview(false), Request::FullScreen(true)]);
    state.apply(Action::Toggle(Switch::Preview));
    assert_eq!(state.take_requests(), [Request::FullScreen(false), Request::Preview(true)]);
    assert!(!state.is_on(Switch::FullScreen));
}

#[test]
fn a_preview_keeps_the_part_of_the_world_that_was_in_sight_and_returns_to_it() {
    let mut state = super::open();
    state.apply(CameraAction::ZoomTo(2.0));
    let (before, size) = (state.camera(), state.viewport());
    state.apply(Action::Toggle(Switch::Preview));
    // The panels go before the window gets its size.
    for size in [[600, 500], [200, 200]] {
        state.apply(CameraAction::Viewport(size));
    }
    let [width, height] = size.map(f64::from);
    let wanted = 2.0 * (200.0 / width).min(200.0 / height);
    assert!((state.camera().zoom - wanted).abs() < 1e-9, "{}", state.camera().zoom);
    assert_eq!(state.camera().center, before.center);
    apply!(state, Action::Toggle(Switch::Preview), CameraAction::Viewport(size));
    assert_eq!(state.camera(), before);
}
