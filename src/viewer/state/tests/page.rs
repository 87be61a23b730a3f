//! Sprites in the list, on their pages and in the picture: what is chosen in one is chosen in all.

use super::*;
use crate::viewer::sprites::{Row, SpriteList};

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
    state.parts().rows.iter().map(row).collect()
}

fn choose(state: &mut State, mesh: MeshId) {
    state.apply(PartAction::ChooseMesh(Some(mesh)));
}

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
    let all = "blade shield sword hero/ hero/walk_9 hero/walk_10 hero/walk_11 hero/walk_12 hero/fx/ \
               hero/fx/spark";
    let all: Vec<&str> = all.split(' ').collect();
    assert_eq!(rows(&state), all);
    state.apply(PartAction::FoldFolder("hero".into()));
    let folded = [&all[..4], &all[8..]].concat();
    assert_eq!(rows(&state), folded);
    let filter = |text: &str| Action::Parts(PartAction::Filter(Tab::Meshes, text.into()));
    let found = ["hero/", "hero/walk_10", "hero/walk_11", "hero/walk_12"];
    for (text, left) in [(" WALK_1", &found[..]), ("nothing", &[]), ("", &folded)] {
        state.apply(filter(text));
        assert_eq!(rows(&state), left);
    }
    // A selection made elsewhere is shown.
    choose(&mut state, WALK);
    assert_eq!(rows(&state), all);
}

#[test]
fn a_page_is_as_full_as_its_places_make_it_and_drawn_without_mipmaps() {
    assert!(super::open().picture().mipmaps, "a character");
    let state = open();
    assert!(!state.picture().mipmaps, "they would mix sprites with their neighbours");
    let pages = &sprites(&state).pages;
    assert_eq!(pages[0].fill(), 448.0 / 20.48, "aliases have no place");
    assert_eq!((pages[0].blocks.len(), pages[0].sprites.len()), (1, 6));
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
    assert_eq!((state.page().unwrap().image, state.image_shown()), (ImageId(1), Some(ImageId(1))));
    // In the animation of all sprites, playback goes there.
    let all = AnimationId(5);
    state.apply(PlaybackAction::Animation(all));
    choose(&mut state, SHIELD);
    assert_eq!(state.playback().animation, Some(all));
    assert_eq!((frame(&state), drawn(&state)), (5, vec![5]));
    assert_eq!(state.page().unwrap().image, ImageId(0));
}

#[test]
fn a_click_on_the_page_chooses_and_another_the_next_one_there_and_in_the_picture_without_a_pause() {
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
    let mut state = open();
    apply!(state, PartAction::FoldFolder("hero".into()), PageAction::Show(ImageId(1)));
    state.apply(PartAction::Pick(SIZE.map(|side| f64::from(side) / 2.0)));
    assert_eq!(state.chosen_mesh(), Some(WALK));
    assert!(state.playback().playing && !state.parts().folded_folders.contains("hero"));
    assert_eq!(state.page().unwrap().image, ImageId(0));
}

#[test]
fn a_page_that_is_zoomed_moves_to_what_is_chosen_and_stays_where_that_is_seen() {
    let mut state = open();
    state.apply(PageAction::Camera(CameraAction::Zoom(8.0, [0.0, 0.0])));
    let zoom = state.page().unwrap().camera().zoom;
    for _ in 0..2 {
        choose(&mut state, SHIELD);
        let after = state.page().unwrap().camera();
        assert_eq!((after.center, after.zoom), ([20.0, 20.0], zoom));
    }
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
        reload_with(state, text.as_bytes().to_vec().leak());
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
    for plays in [true, false] {
        assert!(state.playback().playing);
        if !plays {
            state.apply(PlaybackAction::TogglePlay);
        }
        choose(&mut state, SHIELD);
        assert!(!state.playback().playing);
        state.apply(PlaybackAction::Animation(AnimationId(0)));
        assert_eq!(state.playback().playing, plays);
    }
}
