//! The panels of an atlas, by what a screen reader says of them.

use super::*;

fn window(setup: impl FnOnce(&mut State)) -> Window {
    window_of(ATLAS, setup)
}

fn page(state: &mut State) {
    state.apply(Action::Toggle(Switch::Atlas));
}

#[test]
fn folders_fold_a_click_in_the_list_chooses_a_sprite_and_the_filter_leaves_sprites_of_a_name() {
    let mut harness = window(|_| ());
    click(&mut harness, "Fold hero");
    assert!(!has(&harness, "hero/walk_9"));
    click(&mut harness, "Unfold hero");
    click(&mut harness, "blade");
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(7)));
    for text in ["blade", "0 · a.png", "16 × 8 at 0, 16", "16 × 8", "sword"] {
        assert!(harness.query_all_by_label_contains(text).count() > 0, "{text}");
    }
    click_role(&mut harness, Role::Link, "sword");
    assert_eq!(harness.state().chosen_mesh(), Some(MeshId(4)));
    click(&mut harness, "shield");
    assert!(has(&harness, "at 4, 4 in the source"));
    type_into(&mut harness, "Filter sprites", "spa");
    assert!(has(&harness, "hero/fx/spark") && !has(&harness, "hero/walk_9"));
    assert!(has(&harness, "1 of 8 sprites"));
}

#[test]
fn the_page_view_says_how_full_a_page_is_and_which_is_missing_and_shows_others() {
    let mut harness = window(page);
    assert!(has(&harness, "a.png is missing: a placeholder is drawn"));
    assert!(harness.query_by_label_contains("21.9 % used").is_some());
    assert!(has(&harness, "Page a.png"));
    click_role(&mut harness, Role::ComboBox, "Page");
    harness.get_by_label_contains("1 · b.png").click();
    harness.run_ok();
    assert!(has(&harness, "Page b.png"));
    assert!(harness.query_by_label_contains("50.0 % used").is_some());
    click(&mut harness, "Close the page");
    assert!(!harness.state().is_on(Switch::Atlas));
}

#[test]
fn an_atlas_has_no_words_of_characters_and_every_control_a_name_and_room() {
    let chosen = |state: &mut State| {
        page(state);
        apply!(state, Action::Toggle(Switch::Hud), PartAction::ChooseMesh(Some(MeshId(5))));
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
        assert_eq!(texts.iter().find(of_meshes), None, "{name}");
    }
    let harness = window(|_| ());
    for absent in ["Tree of bones", "Bones", "Weights of the selected bone"] {
        assert!(!has(&harness, absent), "{absent}");
    }
    assert!(harness.query_by_label_contains("8 sprites  ·  2 pages  ·  1 flip-book").is_some());
}
