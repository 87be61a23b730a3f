//! The gallery: typing filters, arrows move, Enter opens, and Escape comes back.

use std::path::PathBuf;

use egui::ColorImage;
use pchr_tools::thumbnail::{Facts, FileVersion};

use super::*;
use crate::viewer::action::GalleryAction;
use crate::viewer::gallery::Sketch;
use crate::viewer::loaded::Listing;

/// A window with the gallery of so many files, of which every fifth is broken.
fn gallery(count: usize) -> Window {
    let files: Vec<PathBuf> = (0..count).map(|i| format!("/art/file {i:04}.pchr").into()).collect();
    let mut window = window(|state| {
        state.apply(FileAction::Open(vec!["/art".into()]));
        let list = requested!(state, Request::List(id, _) => id);
        let listing = Listing { files, is_of_folder: true, ..Listing::default() };
        state.apply(FileAction::Listed(list, Ok(listing)));
        super::answer_load(state);
    });
    let id = window.state().gallery().id;
    let sketch = |file: usize| Sketch {
        file,
        version: Some(FileVersion { secs: 1, bytes: 1234 }),
        facts: match file % 5 {
            4 => Err("bones: cut off".to_owned()),
            _ => Ok(Facts { kind: "Characters".into(), bones: file, warnings: 0 }),
        },
        picture: (file < 40).then(|| Arc::new(ColorImage::default())),
    };
    apply(&mut window, Action::Gallery(GalleryAction::Drawn(id, (0..count).map(sketch).collect())));
    window
}

fn selected(window: &Window) -> String {
    let gallery = window.state().gallery();
    gallery.files[gallery.selected.unwrap()].name.clone()
}

fn loading(window: &Window) -> Option<PathBuf> {
    window.state().loading().and_then(Source::path).map(Into::into)
}

#[test]
fn a_folder_opens_as_a_gallery_of_which_only_rows_in_sight_are_laid_out() {
    let window = gallery(2000);
    assert!(window.state().is_on(Switch::Gallery) && has(&window, "2000 files"));
    assert!(has(&window, "file 0000.pchr") && !has(&window, "file 1999.pchr"));
    let sight = window.state().gallery().sight.clone();
    assert!(sight.start == 0 && (10..60).contains(&sight.end), "{sight:?}");
    assert!(!window.state().is_moving(), "nothing plays behind it");
}

#[test]
fn typing_filters_arrows_move_and_enter_opens() {
    let mut window = gallery(200);
    type_text(&mut window, "007");
    assert!(has(&window, "11 of 200 files"), "file 0007 and 0070 to 0079");
    assert_eq!(selected(&window), "file 0007.pchr");
    key(&mut window, Key::ArrowRight);
    assert_eq!(selected(&window), "file 0070.pchr");
    key(&mut window, Key::End);
    assert_eq!(selected(&window), "file 0079.pchr");
    key(&mut window, Key::Enter);
    assert!(!window.state().is_on(Switch::Gallery));
    assert_eq!(loading(&window), Some("/art/file 0079.pchr".into()));
    super::answer_load(window.state_mut());
    key(&mut window, Key::Escape);
    assert!(window.state().is_on(Switch::Gallery));
    assert_eq!(selected(&window), "file 0079.pchr");
    assert!(has(&window, "11 of 200 files"));
    key(&mut window, Key::Escape);
    assert!(!window.state().is_on(Switch::Gallery));
    key(&mut window, Key::Escape);
    assert!(!window.state().is_on(Switch::Gallery), "it was left");
    key(&mut window, Key::G);
    assert!(window.state().is_on(Switch::Gallery));
}

#[test]
fn a_click_opens_and_the_way_down_scrolls() {
    let mut window = gallery(200);
    for _ in 0..20 {
        key(&mut window, Key::ArrowDown);
    }
    let chosen = selected(&window);
    assert!(has(&window, &chosen), "{chosen} is in sight");
    assert!(!has(&window, "file 0000.pchr"));
    let before = window.state().gallery().sight.clone();
    click(&mut window, &chosen);
    assert_eq!(loading(&window), Some(format!("/art/{chosen}").into()));
    super::answer_load(window.state_mut());
    window.run_ok();
    key(&mut window, Key::Escape);
    assert_eq!(window.state().gallery().sight, before, "it comes back to the same place");
}

#[test]
fn choices_sort_and_filter_and_the_file_under_the_pointer_plays_unless_it_is_broken() {
    let mut window = gallery(20);
    assert!(window.query_all_by_label_contains("Sort by").count() == 4);
    click(&mut window, "Sort by bones");
    assert_eq!(window.state().gallery().shown[0], 18);
    click(&mut window, "Show those with warnings");
    assert_eq!(window.state().gallery().shown, [4, 9, 14, 19]);
    press(&mut window, Modifiers::COMMAND, Key::K);
    assert!(window.state().is_on(Switch::Palette), "actions can be searched for over it");
    key(&mut window, Key::Escape);
    assert!(window.state().is_on(Switch::Gallery));
    click(&mut window, "Close the gallery");
    assert!(!window.state().is_on(Switch::Gallery));
    let mut window = gallery(20);
    let mut played = |name: &str| {
        let _ = window.state_mut().take_requests();
        window.get_by_label(name).hover();
        window.run_ok();
        window.state_mut().take_requests().into_iter().find_map(|request| match request {
            Request::Play(play) => Some(play.map(|(_, path, side)| (path, side))),
            _ => None,
        })
    };
    assert_eq!(played("file 0001.pchr"), Some(Some(("/art/file 0001.pchr".into(), 128))));
    assert_eq!(played("file 0004.pchr"), Some(None));
}

#[test]
fn a_broken_file_behind_the_gallery_does_not_cover_it_and_a_chosen_one_says_why() {
    let mut window = gallery(20);
    let fail = |window: &mut Window| {
        let failed = Err(LoadError::Io("cut off".to_owned()));
        super::answer_load_with(window.state_mut(), failed);
        window.run_ok();
    };
    apply(&mut window, Action::Files(FileAction::Show(4)));
    fail(&mut window);
    assert_eq!(window.state().problem(), None);
    click(&mut window, "file 0009.pchr");
    fail(&mut window);
    assert!(window.state().problem().is_some());
    key(&mut window, Key::Escape);
    key(&mut window, Key::Escape);
    assert!(window.state().is_on(Switch::Gallery), "after the reason, it comes back");
    let files = vec![PathBuf::from("broken.pchr")];
    apply(&mut window, Action::Files(FileAction::Drop(files.clone(), [0.0; 2])));
    let list = requested!(window.state_mut(), Request::List(id, _) => id);
    let listing = Listing { files, ..Listing::default() };
    apply(&mut window, Action::Files(FileAction::Listed(list, Ok(listing))));
    fail(&mut window);
    assert!(window.state().problem().is_some(), "a file that is dropped says why, too");
}

#[test]
fn shift_and_enter_begin_a_stage_with_the_selected_file_and_escape_comes_back() {
    let mut window = gallery(20);
    for key in [Key::ArrowRight, Key::ArrowRight] {
        press(&mut window, Modifiers::NONE, key);
    }
    let chosen = selected(&window);
    press(&mut window, Modifiers::SHIFT, Key::Enter);
    assert!(!window.state().is_on(Switch::Gallery));
    let staged = requested!(window.state_mut(), Request::Load(_, _, wish) => wish.staged);
    assert_eq!(staged.unwrap().layout.names(), [chosen.trim_end_matches(".pchr")]);
}
