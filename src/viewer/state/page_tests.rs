//! Sprites in the list, on their pages and in the picture: what is chosen in one is chosen in all.

use pchr::document::{AnimationId, ImageId};

use super::tests::{SIZE, drawn, empty, finish, frame};
use super::*;
use crate::viewer::action::{CameraAction, FileAction, PageAction, PlaybackAction};
use crate::viewer::sprites::Row;
use crate::viewer::sprites::SpriteList;
use crate::viewer::switch::Tab;

/// Two pages; a block of four, a sprite that is trimmed, one that has an alias, and one in a deeper folder.
pub(in crate::viewer) const ATLAS: &[u8] = b"PCT:1.0
P:a.png,RGBA8888,64,32,0
P:b.png,RGBA8888,16,16,0
F:hero
F:hero/fx
#0
B:0,0,4,8,8
0/walk_#9-12
sword|0|0,16,16,8
shield|2|16,16,8,8|16,16,4,4
#1
1/spark|0|0,0,16,8
A:sword=blade
";

const WALK: MeshId = MeshId(0);
const SWORD: MeshId = MeshId(4);
const SHIELD: MeshId = MeshId(5);
const SPARK: MeshId = MeshId(6);
const BLADE: MeshId = MeshId(7);

fn open() -> State {
    let mut state = empty();
    finish(&mut state, ATLAS);
    state.apply(PageAction::Camera(CameraAction::Viewport(SIZE)));
    state
}

fn sprites(state: &State) -> &SpriteList {
    state.model().unwrap().loaded().sprites.as_ref().unwrap()
}

/// The rows of the list, folders by their paths.
fn rows(state: &State) -> Vec<String> {
    let subject = state.model().unwrap().subject();
    let row = |row: &Row| match row {
        Row::Folder(index) => format!("{}/", sprites(state).folders[*index].path),
        Row::Sprite(mesh) => subject.mesh(*mesh).unwrap().name().to_owned(),
    };
    state.sprite_rows().iter().map(row).collect()
}

fn choose(state: &mut State, mesh: MeshId) {
    state.apply(PartAction::ChooseMesh(Some(mesh)));
}

/// Clicks a point of the current page.
fn pick(state: &mut State, [x, y]: [f64; 2]) {
    let page = state.page().unwrap();
    let ([cx, cy], zoom) = (page.camera().center, page.camera().zoom);
    let [width, height] = page.size().map(f64::from);
    state.apply(PageAction::Pick([(x - cx) * zoom + width / 2.0, (y - cy) * zoom + height / 2.0]));
}

fn clip(state: &State) -> String {
    state.model().unwrap().subject().animation_name(state.playback().animation.unwrap()).to_owned()
}

#[test]
fn sprites_are_listed_by_folder_and_sorted_as_people_do() {
    let mut state = open();
    let all: Vec<&str> = "blade shield sword hero/ hero/walk_9 hero/walk_10 hero/walk_11 \
                          hero/walk_12 hero/fx/ hero/fx/spark"
        .split(' ')
        .collect();
    assert_eq!(rows(&state), all);
    state.apply(PartAction::FoldFolder("hero".into()));
    let folded = [&all[..4], &all[8..]].concat();
    assert_eq!(rows(&state), folded);
    let filter = |text: &str| Action::Parts(PartAction::Filter(Tab::Meshes, text.into()));
    state.apply(filter(" WALK_1"));
    assert_eq!(rows(&state), ["hero/", "hero/walk_10", "hero/walk_11", "hero/walk_12"]);
    state.apply(filter("nothing"));
    assert!(rows(&state).is_empty());
    state.apply(filter(""));
    assert_eq!(rows(&state), folded);
    // A selection made elsewhere is shown.
    choose(&mut state, WALK);
    assert_eq!(rows(&state), all);
}

#[test]
fn a_page_is_as_full_as_its_places_make_it() {
    let state = open();
    let pages = &sprites(&state).pages;
    assert_eq!(pages[0].fill(), 448.0 / 20.48, "aliases have no place");
    assert_eq!((pages[0].blocks, pages[0].sprites.len()), (1, 6));
    assert_eq!(pages[1].fill(), 50.0);
    assert!(pages.iter().all(|page| page.missing && page.size[0] > 0));
    assert_eq!((sprites(&state).aliases(SWORD), sprites(&state).aliases(BLADE)), (1, 0));
}

#[test]
fn a_sprite_of_the_list_is_shown_in_its_frame_and_on_its_page() {
    let mut state = open();
    assert!(state.playback().playing);
    choose(&mut state, MeshId(2));
    assert_eq!((clip(&state).as_str(), frame(&state)), ("hero/walk_*", 2));
    assert!(!state.playback().playing);
    assert_eq!(drawn(&state), [2]);
    choose(&mut state, SPARK);
    assert_eq!((clip(&state).as_str(), frame(&state)), ("hero/fx/spark", 0));
    assert_eq!(state.page().unwrap().image, ImageId(1));
    assert_eq!(state.image_shown(), Some(ImageId(1)));
    // In the animation of all sprites, playback goes there.
    let all = AnimationId(5);
    state.apply(PlaybackAction::Animation(all));
    choose(&mut state, SHIELD);
    assert_eq!(state.playback().animation, Some(all));
    assert_eq!((frame(&state), drawn(&state)), (5, vec![5]));
    assert_eq!(state.page().unwrap().image, ImageId(0));
}

#[test]
fn a_click_on_the_page_chooses_and_another_the_next_one_there() {
    let mut state = open();
    pick(&mut state, [10.0, 4.0]);
    assert_eq!(state.chosen_mesh(), Some(MeshId(1)));
    assert_eq!((clip(&state).as_str(), frame(&state)), ("hero/walk_*", 1));
    for chosen in [SWORD, BLADE, SWORD] {
        pick(&mut state, [1.0, 17.0]);
        assert_eq!(state.chosen_mesh(), Some(chosen));
        assert_eq!(drawn(&state), [chosen.0]);
    }
    pick(&mut state, [60.0, 30.0]);
    assert_eq!(state.chosen_mesh(), None);
    state.apply(PageAction::Show(ImageId(1)));
    pick(&mut state, [15.5, 7.5]);
    assert_eq!(state.chosen_mesh(), Some(SPARK));
    pick(&mut state, [15.5, 8.5]);
    assert_eq!(state.chosen_mesh(), None);
}

#[test]
fn a_sprite_of_the_picture_is_chosen_without_a_pause_and_its_folder_opens() {
    let mut state = open();
    state.apply(PartAction::FoldFolder("hero".into()));
    state.apply(PageAction::Show(ImageId(1)));
    state.apply(PartAction::Pick(SIZE.map(|side| f64::from(side) / 2.0)));
    assert_eq!(state.chosen_mesh(), Some(WALK));
    assert!(state.playback().playing);
    assert!(!state.is_folder_folded("hero"));
    assert_eq!(state.page().unwrap().image, ImageId(0));
}

#[test]
fn a_page_that_is_zoomed_moves_to_what_is_chosen_and_stays_where_that_is_seen() {
    let mut state = open();
    state.apply(PageAction::Camera(CameraAction::Zoom(8.0, [0.0, 0.0])));
    let before = state.page().unwrap().camera();
    choose(&mut state, SHIELD);
    let after = state.page().unwrap().camera();
    assert_eq!((after.center, after.zoom), ([20.0, 20.0], before.zoom));
    choose(&mut state, SHIELD);
    assert_eq!(state.page().unwrap().camera(), after);
    state.apply(PageAction::Camera(CameraAction::Fit));
    assert_eq!(state.page().unwrap().camera().center, [32.0, 16.0]);
}

#[test]
fn a_view_that_follows_the_fit_holds_the_sprites_that_are_shown() {
    let mut state = open();
    let zoom = |state: &State| state.camera().zoom;
    let of_eight = zoom(&state);
    choose(&mut state, SWORD);
    assert!(zoom(&state) < of_eight, "twice as wide");
    state.apply(PlaybackAction::Animation(AnimationId(0)));
    assert_eq!(zoom(&state), of_eight);
    state.apply(CameraAction::ZoomBy(1));
    let own = zoom(&state);
    choose(&mut state, SWORD);
    assert_eq!(zoom(&state), own, "a camera of one's own stays");
}

#[test]
fn what_is_chosen_folded_and_looked_at_outlives_another_version() {
    let mut state = open();
    choose(&mut state, SPARK);
    state.apply(PartAction::FoldFolder("hero".into()));
    state.apply(PageAction::Camera(CameraAction::Zoom(3.0, [10.0, 10.0])));
    let camera = state.page().unwrap().camera();
    let again = |text: &str, state: &mut State| {
        state.apply(FileAction::Reload);
        finish(state, text.as_bytes().to_vec().leak());
    };
    let text = std::str::from_utf8(ATLAS).unwrap();
    again(&text.replace("sword", "a_sword"), &mut state);
    assert_eq!(state.chosen_mesh(), Some(SPARK));
    assert_eq!(state.page().unwrap().image, ImageId(1));
    assert_eq!(state.page().unwrap().camera(), camera);
    assert!(rows(&state).contains(&"a_sword".into()));
    assert!(!rows(&state).contains(&"hero/walk_9".into()));
    // A page of another size is seen whole; one that is gone is not.
    again(&text.replace("16,16,0", "16,64,0"), &mut state);
    assert_eq!(state.page().unwrap().camera().center, [8.0, 32.0]);
    let one = text.replace("P:b.png,RGBA8888,16,16,0\n", "");
    again(&one.replace("#1\n1/spark|0|0,0,16,8\n", ""), &mut state);
    assert_eq!(state.page().unwrap().image, ImageId(0));
}

#[test]
fn a_flip_book_that_is_chosen_after_a_sprite_plays_unless_the_user_paused() {
    let mut state = open();
    let play = Action::Playback(PlaybackAction::TogglePlay);
    assert!(state.playback().playing);
    let sprite = Action::Parts(PartAction::ChooseMesh(Some(SHIELD)));
    let book = Action::Playback(PlaybackAction::Animation(AnimationId(0)));
    state.apply(sprite.clone());
    assert!(!state.playback().playing);
    state.apply(book.clone());
    assert!(state.playback().playing);
    state.apply(play);
    state.apply(sprite);
    state.apply(book);
    assert!(!state.playback().playing);
}

#[test]
fn sprites_are_drawn_without_mipmaps_which_would_mix_them_with_their_neighbours() {
    assert!(!open().picture().mipmaps);
    assert!(super::tests::open().picture().mipmaps, "a character");
}
