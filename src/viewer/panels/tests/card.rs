//! Cards over the picture: moved and resized by the pointer, zoomed and closed by keys.

use pchr_tools::view::ImageSwap;

use super::*;
use crate::viewer::action::ImageAction;
use crate::viewer::settings::ViewerSettings;
use crate::viewer::state::Ask;
use crate::viewer::state::tests::image::{answer, paint};

fn cards(switches: &[Switch]) -> Window {
    window(|state| {
        for switch in switches {
            state.apply(Action::Toggle(*switch));
        }
        state.apply(PartAction::ChooseMesh(Some(MeshId(0))));
    })
}

fn area(window: &Window, card: Switch) -> Rect {
    egui::AreaState::load(&window.ctx, cards::id(card)).expect("the card is shown").rect()
}

fn picture(window: &Window) -> Rect {
    window.get_by_label_contains("Picture of").rect()
}

#[test]
fn the_atlas_card_is_moved_by_its_title_and_resized_by_its_corner_within_the_picture() {
    let mut window = cards(&[Switch::Atlas]);
    window.run_ok();
    let before = area(&window, Switch::Atlas);
    let title = before.center_top() + vec2(0.0, 12.0);
    drag(&mut window, title, title + vec2(60.0, 40.0));
    let moved = area(&window, Switch::Atlas);
    assert!((moved.min - before.min - vec2(60.0, 40.0)).length() < 2.0);
    let corner = moved.max - Vec2::splat(1.0);
    drag(&mut window, corner, corner + vec2(80.0, 40.0));
    let after = area(&window, Switch::Atlas);
    assert!((after.min - moved.min).length() < 1.5, "{after:?}");
    assert!((after.max - moved.max - vec2(80.0, 40.0)).length() < 5.0, "{moved:?} {after:?}");
    resize(&mut window, vec2(700.0, 420.0));
    assert!(picture(&window).expand(1.0).contains_rect(area(&window, Switch::Atlas)));
}

#[test]
fn the_atlas_page_and_the_statistics_lie_beside_each_other() {
    for size in [[1024.0, 640.0], [1600.0, 1000.0]] {
        let mut window = cards(&[Switch::Hud, Switch::Atlas]);
        resize(&mut window, size);
        let [page, costs] = [Switch::Atlas, Switch::Hud].map(|card| area(&window, card));
        assert!(!page.intersects(costs), "{size:?}: {page} {costs}");
    }
}

#[test]
fn plus_and_minus_zoom_the_page_that_has_the_keyboard_and_home_shows_all_of_it() {
    let mut window = cards(&[Switch::Atlas]);
    let camera = window.state().camera();
    window.get_by_label_contains("Image ").focus();
    window.run_ok();
    press(&mut window, Modifiers::SHIFT, Key::Plus);
    press(&mut window, Modifiers::NONE, Key::Plus);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert!(window.state().interface().page.zoom > 1.2);
    press(&mut window, Modifiers::NONE, Key::Home);
    assert!(window.state().interface().page.zoom < 1.001);
    assert_eq!(window.state().camera(), camera);
}

#[test]
fn statistics_are_still_while_nothing_moves_and_name_the_adapter() {
    let mut window = cards(&[Switch::Hud]);
    assert!(has(&window, "paused") && has(&window, "An adapter"));
    window.get_by_label("Play").click();
    window.run_steps(3);
    assert!(!has(&window, "paused") && window.state().playback().playing);
    click(&mut window, "Pause");
    assert!(!window.state().playback().playing);
    click(&mut window, "Close window");
    assert!(!window.state().is_on(Switch::Hud));
}

#[test]
fn the_card_names_the_picture_in_place_of_its_image_and_takes_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("red.png");
    paint(&file, [2, 3], [255, 0, 0, 255]);
    let mut window = cards(&[Switch::Atlas]);
    window.run_ok();
    let card = area(&window, Switch::Atlas) * window.ctx.pixels_per_point();
    assert_eq!(window.state().kept().image_area, Some(card));
    assert!(!has(&window, "Original image"));
    click(&mut window, "Replace image…");
    let image = "image 0".to_owned();
    let asked = Request::Ask(Ask::Image(image.clone()));
    assert!(window.state_mut().take_requests().contains(&asked), "the dialog opens");
    apply(&mut window, ImageAction::Replace(ImageSwap { image, file }));
    answer(window.state_mut());
    window.run_ok();
    assert!(has(&window, "Replaced by red.png, 2 × 3"));
    click(&mut window, "Original image");
    answer(window.state_mut());
    window.run_ok();
    assert!(!has(&window, "Replaced by red.png, 2 × 3") && !has(&window, "Original image"));
}

fn problem(window: &Window) -> Rect {
    problem_and_empty_cards::rect_of(&window.ctx, "problem").expect("the problem is shown")
}

#[test]
fn without_panels_a_message_lies_above_an_error_and_above_cards() {
    let mut window = cards(&[Switch::Hud, Switch::Panels]);
    let state = window.state_mut();
    state.apply(Action::Unsay);
    state.apply(Action::Report(Problem::new("The file cannot be read", "It is not there")));
    state.apply(Action::Say(Message::new("The command was copied ".repeat(8).trim())));
    window.run_steps(4);
    let message = problem_and_empty_cards::rect_of(&window.ctx, "messages").unwrap();
    let problem = problem(&window);
    let card = area(&window, Switch::Hud);
    assert!(!message.intersects(problem), "{message} {problem}");
    assert!(!card.intersects(message) && !card.intersects(problem));
}

#[test]
fn the_legend_of_weights_leaves_the_label_of_the_grid_free() {
    let mut window = cards(&[Switch::Weights]);
    let legend = |window: &Window| window.get_by_label("Select a bone to see its weights").rect();
    let before = legend(&window);
    apply(&mut window, Action::Toggle(Switch::Overlay(Layer::Grid)));
    let after = legend(&window);
    // The label is 13 high and 7 above the edge, on a scale of 1.
    assert!(after.bottom() < picture(&window).bottom() - 22.0 && after.bottom() < before.bottom());
}

#[test]
fn one_escape_closes_a_card_and_gives_the_keyboard_back() {
    for switch in [Switch::Hud, Switch::Atlas] {
        let mut window = cards(&[switch]);
        focus(&mut window, "Play");
        focus(&mut window, "Close window");
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(!window.state().is_on(switch), "{switch:?}");
        assert_eq!(window.state().chosen_mesh(), Some(MeshId(0)));
        assert_eq!(stop(&window), "Play", "{switch:?}");
        // Elsewhere Escape only drops the ring.
        apply(&mut window, Action::Toggle(switch));
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(window.state().is_on(switch), "{switch:?}");
    }
}

#[test]
fn a_problem_lies_over_the_picture_which_stays() {
    for size in [vec2(1024.0, 640.0), vec2(700.0, 300.0)] {
        let mut window = cards(&[]);
        resize(&mut window, size);
        let (before, camera) = (picture(&window), window.state().camera());
        let said = Problem::new("notes.txt could not be opened", "Its format is not known.");
        apply_and_wait(&mut window, Action::Report(said));
        assert!(before.contains_rect(problem(&window)), "{:?} {before:?}", problem(&window));
        assert_eq!((picture(&window), window.state().camera()), (before, camera));
    }
}

#[test]
fn an_empty_window_offers_what_can_be_opened_below_the_reason() {
    let mut settings = ViewerSettings::default();
    settings.memory.recent.push("/a/cat.pchr".into());
    settings.trouble = Some(Problem::new("Nothing to show in /b", "no file can be opened"));
    let mut window = window(|state| {
        *state = State::with_settings(&ViewerOptions::default(), &settings);
    });
    assert!(window.query_all_by_label("Nothing to show in /b").count() > 0);
    assert!(has(&window, "Open the sample"));
    click(&mut window, "cat.pchr");
    let requests = window.state_mut().take_requests();
    let opens = |request: &Request| matches!(request, Request::List(..) | Request::Load(..));
    assert!(requests.iter().any(opens), "{requests:?}");
}
