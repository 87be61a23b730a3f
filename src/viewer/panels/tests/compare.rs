//! The bar, the line between both files, and the list of changes.

use super::*;
use crate::viewer::action::CompareAction;
use crate::viewer::compare::{ChangeRow, Changes, CompareId, CompareMode, Counterpart, Jump};
use crate::viewer::desktop::load_done;

/// A window that compares a file with itself.
fn comparison() -> (Window, CompareId) {
    let mut id = CompareId::default();
    let window = window(|state| {
        state.apply(CompareAction::With(Counterpart::File("/old/hero.pchr".into())));
        let load = requested!(state, Request::LoadCounterpart(id, ..) => id);
        let done = LoadDone { id: load, ..load_done(&Source::Sample(file()), || true) };
        state.apply(CompareAction::Loaded(done));
        id = requested!(state, Request::Compare(id) => id);
    });
    (window, id)
}

fn changes(names: &[&str]) -> Arc<Changes> {
    let row = |name: &&str| ChangeRow {
        section: "Bones",
        name: (*name).to_owned(),
        text: "added".to_owned(),
        jump: Jump::default(),
        is_only_in_other: false,
    };
    Arc::new(Changes {
        of: ["old".to_owned(), "new".to_owned()],
        summary: "a bone was added".to_owned(),
        rows: names.iter().map(row).collect(),
    })
}

#[test]
fn the_bar_has_the_modes_of_which_one_blinks_and_ends_it() {
    let (mut window, id) = comparison();
    assert!(has(&window, "Comparing…"));
    let half = window.state().viewport();
    click(&mut window, "Compare in two halves");
    assert_eq!(window.state().compare_mode(), Some(CompareMode::Split));
    let whole = window.state().viewport();
    assert!(whole[0] >= 2 * half[0] && whole[1] == half[1], "{half:?} {whole:?}");
    apply(&mut window, CompareAction::Mode(CompareMode::Blink));
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..200 {
        window.step();
        seen.insert(window.state().shows_other());
    }
    assert_eq!(seen.len(), 2);
    apply(&mut window, CompareAction::Changes(id, changes(&[])));
    assert!(has(&window, "a bone was added"), "its summary");
    click(&mut window, "End the comparison");
    assert!(window.state().counterpart().is_none() && !has(&window, "Compare in two halves"));
}

#[test]
fn a_drag_and_keys_move_the_line() {
    let (mut window, _) = comparison();
    apply(&mut window, CompareAction::Mode(CompareMode::Split));
    let line = window.get_by_label("Line between both files");
    let from = line.rect().center();
    drag(&mut window, from, from + vec2(100.0, 0.0));
    let moved = window.state().split();
    assert!(moved > 0.55, "{moved}");
    focus(&mut window, "Line between both files");
    key(&mut window, Key::ArrowLeft);
    assert!(window.state().split() < moved);
    key(&mut window, Key::Enter);
    assert_eq!(window.state().split(), 0.5);
}

#[test]
fn the_list_leads_to_changes() {
    let (mut window, id) = comparison();
    apply(&mut window, CompareAction::Changes(id, changes(&["arm", "leg"])));
    click(&mut window, "2 changes");
    assert!(has(&window, "From old to new"));
    click(&mut window, "leg: added");
    let row = |window: &Window| window.state().jumped().map(|(row, _)| row);
    assert_eq!(row(&window), Some(1));
    key(&mut window, Key::F8);
    assert_eq!(row(&window), Some(0), "after the last comes the first");
    key(&mut window, Key::Escape);
    assert!(!window.state().lists_changes() && window.state().comparison().is_some());
}
