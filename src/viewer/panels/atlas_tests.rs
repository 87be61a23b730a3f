//! The panels of an atlas, by what a screen reader says of them.

use egui_kittest::kittest::Queryable as _;

use pchr::document::MeshId;

use super::tests::{Window, check_controls, nodes, texts, window_of};
use super::*;
use crate::viewer::action::PartAction;
use crate::viewer::state::page_tests::ATLAS;

fn window(setup: impl FnOnce(&mut State)) -> Window {
    window_of(ATLAS, setup)
}

fn page(state: &mut State) {
    state.apply(Action::Toggle(Switch::Atlas));
}

#[test]
fn a_click_in_the_list_chooses_a_sprite_and_says_all_about_it() {
    let mut harness = window(|_| ());
    harness.get_by_label("blade").click();
    harness.run_ok();
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(7)));
    for text in ["blade", "0 · a.png", "16 × 8 at 0, 16", "16 × 8", "sword"] {
        assert!(harness.query_all_by_label_contains(text).count() > 0, "{text}");
    }
    harness.get_by_role_and_label(egui::accesskit::Role::Link, "sword").click();
    harness.run_ok();
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(4)));
    harness.get_by_label("shield").click();
    harness.run_ok();
    assert!(harness.query_by_label("at 4, 4 in the source").is_some());
}

#[test]
fn folders_fold_and_the_filter_leaves_sprites_of_a_name() {
    let mut harness = window(|_| ());
    harness.get_by_label("Fold hero").click();
    harness.run_ok();
    assert!(harness.query_by_label("hero/walk_9").is_none());
    harness.get_by_label("Unfold hero").click();
    harness.run_ok();
    harness.get_by_label("Filter sprites").focus();
    harness.run_ok();
    harness.get_by_label("Filter sprites").type_text("spa");
    harness.run_ok();
    assert!(harness.query_by_label("hero/fx/spark").is_some());
    assert!(harness.query_by_label("hero/walk_9").is_none());
    assert!(harness.query_by_label("1 of 8 sprites").is_some());
}

#[test]
fn the_page_view_says_how_full_a_page_is_and_shows_others() {
    let mut harness = window(page);
    assert!(harness.query_by_label_contains("21.9 % used").is_some());
    assert!(harness.query_by_label("Page a.png").is_some());
    harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Page").click();
    harness.run_ok();
    harness.get_by_label_contains("1 · b.png").click();
    harness.run_ok();
    assert!(harness.query_by_label("Page b.png").is_some());
    assert!(harness.query_by_label_contains("50.0 % used").is_some());
    harness.get_by_label("Close the page").click();
    harness.run_ok();
    assert!(!harness.state().is_on(Switch::Atlas));
}

#[test]
fn an_atlas_has_no_words_of_characters_and_every_control_a_name_and_room() {
    let chosen = |state: &mut State| {
        page(state);
        state.apply(Action::Toggle(Switch::Hud));
        state.apply(PartAction::ChooseMesh(Some(MeshId(5))));
    };
    let keys = |state: &mut State| state.apply(Action::Toggle(Switch::Keys));
    let palette = |state: &mut State| state.apply(Action::Toggle(Switch::Palette));
    type Change<'a> = &'a dyn Fn(&mut State);
    let states: [(&str, Change<'_>); 4] =
        [("start", &|_| ()), ("page", &chosen), ("keys", &keys), ("palette", &palette)];
    for (name, setup) in states {
        let harness = window(setup);
        check_controls(&harness, name);
        let texts: Vec<String> = nodes(&harness).iter().flat_map(texts).collect();
        // Ids of a settings file are the same for all content.
        let is_id = |text: &str| text.starts_with("In the settings file");
        let of_meshes = |text: &&String| text.to_lowercase().contains("mesh") && !is_id(text);
        let mesh = texts.iter().find(of_meshes);
        assert_eq!(mesh, None, "{name}");
    }
    let harness = window(|_| ());
    for absent in ["Tree of bones", "Bones", "Weights of the selected bone"] {
        assert!(harness.query_by_label(absent).is_none(), "{absent}");
    }
    assert!(harness.query_by_label_contains("8 sprites  ·  2 pages  ·  1 flip-book").is_some());
}

#[test]
fn a_page_that_is_missing_is_named_in_the_picture() {
    let harness = window(|_| ());
    let said = harness.query_by_label("a.png is missing: a placeholder is drawn");
    assert!(said.is_some());
}
