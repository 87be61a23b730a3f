//! Cards over the picture: moved, docked, resized and zoomed, by the pointer and by keys.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pchr::document::MeshId;

use super::focus_tests::press;
use super::tests::window;
use super::*;
use crate::viewer::action::{InterfaceAction, PartAction};
use crate::viewer::interface::{Card, PageZoom, Place, Side};
use crate::viewer::problem::Problem;
use crate::viewer::state::Request;

type Window = Harness<'static, State>;

fn cards(switches: &[Switch]) -> Window {
    window(|state| {
        for switch in switches {
            state.apply(Action::Toggle(*switch));
        }
        state.apply(PartAction::ChooseMesh(Some(MeshId(0))));
    })
}

fn area(window: &Window, card: Card) -> Rect {
    let id = egui::Id::unique(("card", card as u8));
    let area = egui::AreaState::load(&window.ctx, id);
    area.expect("the card is shown").rect()
}

fn picture(window: &Window) -> Rect {
    window.get_by_label_contains("Picture of").rect()
}

/// Presses at a place, goes to another one in steps, and lets go there.
fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    window.event(Event::PointerMoved(from));
    window.run_ok();
    window.event(button(from, true));
    window.run_ok();
    for part in [0.3, 0.7, 1.0] {
        window.event(Event::PointerMoved(from.lerp(to, part)));
        window.run_ok();
    }
    window.event(button(to, false));
    window.run_ok();
    window.run_ok();
}

#[test]
fn a_card_is_dragged_by_its_title_and_docks_near_an_edge() {
    let mut window = cards(&[Switch::Hud]);
    let picture = picture(&window);
    let title = window.get_by_label("Move the statistics").rect();
    let before = area(&window, Card::Statistics);
    drag(
        &mut window,
        title.center(),
        title.center() - vec2(150.0, -100.0),
    );
    let moved = area(&window, Card::Statistics);
    assert!(
        (moved.min - before.min - vec2(-150.0, 100.0)).length() < 2.0,
        "{moved:?}"
    );
    let place = window.state().interface().place(Card::Statistics);
    assert!(!place.is_docked());
    // To the lower left, not quite at the corner.
    let title = window.get_by_label("Move the statistics").rect();
    let corner = pos2(picture.left() + 12.0, picture.bottom() - 12.0);
    let by = corner - moved.left_bottom() + vec2(9.0, -7.0);
    drag(&mut window, title.center(), title.center() + by);
    let place = window.state().interface().place(Card::Statistics);
    assert_eq!(place, Place::corner([Side::Start, Side::End]));
    let docked = area(&window, Card::Statistics);
    assert!((docked.left_bottom() - corner).length() < 1.5, "{docked:?}");
    let requests = window.state_mut().take_requests();
    assert!(requests.contains(&Request::Remember));
}

#[test]
fn a_card_stays_within_the_picture_whatever_size_the_window_gets() {
    let mut window = cards(&[Switch::Hud, Switch::Atlas]);
    let place = Place {
        offset: [-40.0, 300.0],
        ..Card::Statistics.usual()
    };
    let action = InterfaceAction::Card(Card::Statistics, place);
    window.state_mut().apply(action);
    for size in [[1600.0, 1000.0], [1024.0, 640.0], [700.0, 420.0]] {
        window.set_size(size.into());
        window.run_ok();
        window.run_ok();
        let picture = picture(&window).expand(1.0);
        for card in [Card::Statistics, Card::Atlas] {
            let area = area(&window, card);
            assert!(
                area.min.x >= picture.min.x && area.max.x <= picture.max.x,
                "{size:?}: {area:?}"
            );
            assert!(
                area.min.y >= picture.min.y,
                "{size:?}: {area:?} in {picture:?}"
            );
            let fits = picture.height() > 320.0;
            assert!(
                !fits || area.max.y <= picture.max.y,
                "{size:?}: {area:?} in {picture:?}"
            );
        }
    }
}

#[test]
fn arrows_move_a_card_plus_and_minus_zoom_and_home_puts_it_back() {
    let mut window = cards(&[Switch::Atlas]);
    let usual = Card::Atlas.usual();
    window.get_by_label("Move the atlas page").focus();
    window.run_ok();
    let before = area(&window, Card::Atlas);
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowDown] {
        press(&mut window, Modifiers::NONE, key);
    }
    let moved = area(&window, Card::Atlas);
    assert!((moved.min - before.min - vec2(16.0, 32.0)).length() < 1.5);
    assert!(!window.state().playback().playing);
    let camera = window.state().camera();
    press(&mut window, Modifiers::NONE, Key::Home);
    assert_eq!(window.state().interface().place(Card::Atlas), usual);
    // The picture has nothing of it.
    press(&mut window, Modifiers::NONE, Key::Plus);
    press(&mut window, Modifiers::NONE, Key::Minus);
    assert_eq!(window.state().camera(), camera);
    window.key_press(Key::Escape);
    window.run_ok();
    press(&mut window, Modifiers::NONE, Key::Plus);
    assert_ne!(window.state().camera(), camera);
}

#[test]
fn the_atlas_card_is_resized_by_its_corner() {
    let mut window = cards(&[Switch::Atlas]);
    let before = area(&window, Card::Atlas);
    let corner = before.max - Vec2::splat(3.0);
    drag(&mut window, corner, corner + vec2(80.0, 40.0));
    let after = area(&window, Card::Atlas);
    assert!((after.min - before.min).length() < 1.5, "{after:?}");
    assert!(
        (after.max - before.max - vec2(80.0, 40.0)).length() < 5.0,
        "{before:?} {after:?}"
    );
    let place = window.state().interface().place(Card::Atlas);
    assert_eq!(place.at, [Side::Start, Side::Start]);
    assert!(place.size.is_some());
}

#[test]
fn statistics_are_still_while_nothing_moves_and_name_the_adapter() {
    let mut window = cards(&[Switch::Hud]);
    assert!(window.query_by_label("paused").is_some());
    assert!(window.query_by_label("An adapter").is_some());
    window.get_by_label("Play").click();
    window.run_steps(3);
    assert!(window.query_by_label("paused").is_none());
    window.get_by_label("Pause").click();
    window.run_ok();
    window.get_by_label("Close the statistics").click();
    window.run_ok();
    assert!(!window.state().is_on(Switch::Hud));
}

#[test]
fn the_page_zoom_is_kept_in_the_state() {
    let mut window = cards(&[Switch::Atlas]);
    let zoom = PageZoom {
        zoom: 4.0,
        middle: [0.25, 0.25],
    };
    let action = InterfaceAction::PageZoom(zoom);
    window.state_mut().apply(action);
    window.run_ok();
    assert_eq!(window.state().interface().page, zoom);
}

/// The card of an error, which is shown.
fn problem(window: &Window) -> Rect {
    super::notice::rect_of(&window.ctx, "problem").expect("the problem is shown")
}

#[test]
fn cards_lie_below_an_error_and_go_back_when_it_is_put_away() {
    let mesh = Some(MeshId(0));
    for (size, mesh, places) in [
        ([1024.0, 640.0], mesh, 2),
        ([1600.0, 1000.0], mesh, 2),
        ([2560.0, 1440.0], mesh, 2),
        ([700.0, 420.0], mesh, 0),
        ([700.0, 420.0], None, 0),
    ] {
        let mut window = cards(&[Switch::Hud, Switch::Atlas]);
        let choose = Action::Parts(PartAction::ChooseMesh(mesh));
        window.state_mut().apply(choose);
        window.set_size(size.into());
        window.run_ok();
        window.run_ok();
        let all = [Card::Statistics, Card::Atlas];
        let before = all.map(|card| area(&window, card));
        let said = Problem::new("The file cannot be read", "It is not there. ".repeat(20));
        window.state_mut().apply(Action::Report(said));
        for _ in 0..4 {
            window.run_ok();
        }
        let problem = problem(&window);
        let names = ["Close the statistics", "Close the atlas page"];
        let mut seen = 0;
        for (card, name) in all.into_iter().zip(names) {
            if window.query_by_label(name).is_some() {
                let area = area(&window, card);
                assert!(!area.intersects(problem), "{size:?}: {area} {problem}");
                assert!(picture(&window).expand(1.0).contains_rect(area), "{size:?}");
                seen += 1;
            }
        }
        assert!(seen >= places, "{size:?}: {seen} cards");
        let [a, b] = all.map(|card| area(&window, card));
        assert!(seen < 2 || !a.intersects(b), "{size:?}: {a} {b}");
        window.state_mut().apply(Action::Dismiss);
        for _ in 0..4 {
            window.run_ok();
        }
        for (card, before) in all.into_iter().zip(before) {
            let after = area(&window, card);
            assert!((after.min - before.min).length() < 1.5, "{after} {before}");
        }
    }
}

#[test]
fn without_panels_a_message_lies_above_an_error_and_above_cards() {
    let mut window = cards(&[Switch::Hud, Switch::Panels]);
    window.state_mut().apply(Action::Unsay);
    let said = Problem::new("The file cannot be read", "It is not there");
    window.state_mut().apply(Action::Report(said));
    let long = "The command was copied ".repeat(8);
    let message = crate::viewer::action::Message::new(long.trim());
    window.state_mut().apply(Action::Say(message));
    for _ in 0..4 {
        window.step();
    }
    let message = super::notice::rect_of(&window.ctx, "messages").unwrap();
    let problem = problem(&window);
    let card = area(&window, Card::Statistics);
    assert!(!message.intersects(problem), "{message} {problem}");
    assert!(!card.intersects(message) && !card.intersects(problem));
}

#[test]
fn the_legend_of_weights_leaves_the_label_of_the_grid_free() {
    let mut window = cards(&[Switch::Weights]);
    let legend = |window: &Window| {
        window
            .get_by_label("Select a bone to see its weights")
            .rect()
    };
    let before = legend(&window);
    window.state_mut().apply(Action::Toggle(Switch::Grid));
    window.run_ok();
    let after = legend(&window);
    // The label is 13 high and 7 above the edge, on a scale of 1.
    assert!(after.bottom() < picture(&window).bottom() - 22.0);
    assert!(after.bottom() < before.bottom());
}

#[test]
fn one_escape_closes_a_card_and_gives_the_keyboard_back() {
    for (switch, close) in [
        (Switch::Hud, "Close the statistics"),
        (Switch::Atlas, "Close the atlas page"),
    ] {
        let mut window = cards(&[switch]);
        window.get_by_label("Play").focus();
        window.run_ok();
        window.get_by_label(close).focus();
        window.run_ok();
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(!window.state().is_on(switch), "{switch:?}");
        assert_eq!(window.state().chosen_mesh(), Some(MeshId(0)));
        let focused = super::focus_tests::focused(&window).map(|(name, _)| name);
        assert_eq!(focused.as_deref(), Some("Play"), "{switch:?}");
        // Elsewhere Escape only drops the ring.
        window.state_mut().apply(Action::Toggle(switch));
        window.run_ok();
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(window.state().is_on(switch), "{switch:?}");
    }
}

#[test]
fn a_problem_lies_above_the_picture_unless_that_is_low() {
    let mut window = cards(&[]);
    let before = picture(&window);
    let said = Problem::new("notes.txt could not be opened", "Its format is not known.");
    window.state_mut().apply(Action::Report(said));
    window.run_ok();
    window.run_ok();
    let (card, below) = (problem(&window), picture(&window));
    assert!(
        card.bottom() <= below.top() && card.top() >= before.top(),
        "{card:?} {below:?}"
    );
    assert!(below.bottom() == before.bottom() && below.height() > 200.0);
    window.state_mut().apply(Action::Dismiss);
    window.run_ok();
    assert_eq!(picture(&window), before);
    // In a low window it lies over the picture.
    window.set_size(vec2(700.0, 300.0));
    let said = Problem::new("notes.txt could not be opened", "Its format is not known.");
    window.state_mut().apply(Action::Report(said));
    window.run_ok();
    window.run_ok();
    assert!(problem(&window).intersects(picture(&window)));
}
