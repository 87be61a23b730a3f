//! Written texts mean the atlas that they were written from, in few bytes.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a panic is a failed test"
)]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{safe_names, write};
use crate::atlas::{Atlas, Page, PctRule, Rect, Sprite, Trim};
use crate::format::pct::read;

/// Page, place, trim, and whether rotated.
type Frame = (u32, Rect, Option<Trim>, bool);

/// Returns the sprites of an atlas by name, since their order may differ.
fn frames(atlas: &Atlas) -> BTreeMap<&str, Frame> {
    atlas
        .sprites
        .iter()
        .map(|(name, sprite)| (name, (sprite.page, sprite.rect, sprite.trim, sprite.rotated)))
        .collect()
}

fn page(padding: i32) -> Page {
    Page {
        file: "a.png".into(),
        format: "RGBA8888".into(),
        size: [1024, 512],
        padding: Some(padding),
        ..Page::default()
    }
}

fn sprite(x: i32, y: i32, width: i32, height: i32) -> Sprite {
    Sprite { rect: Rect { x, y, width, height }, ..Sprite::default() }
}

/// Returns an atlas of one page with padding 2.
fn atlas(sprites: &[(&str, Sprite)]) -> Atlas {
    Atlas {
        pages: vec![page(2)],
        sprites: (sprites.iter()).map(|(name, sprite)| (name, sprite.clone())).collect(),
        ..Atlas::default()
    }
}

/// Findings about the atlas itself, not about its text.
const OF_THE_ATLAS: [PctRule; 9] = [
    PctRule::BlockRecord,
    PctRule::NameEmpty,
    PctRule::PagesNone,
    PctRule::Rotated,
    PctRule::SpriteEmpty,
    PctRule::SpriteOutside,
    PctRule::SpriteOverlap,
    PctRule::SpritesNone,
    PctRule::TrimOutside,
];

/// Writes an atlas, and holds what is read from that against the atlas. Returns the lines behind the pages.
fn written(atlas: &Atlas) -> String {
    let text = write(atlas).unwrap();
    let (again, findings) = read(text.as_bytes()).unwrap();
    assert_eq!(frames(&again), frames(atlas), "{text}");
    for finding in &findings {
        let known = OF_THE_ATLAS.iter().any(|rule| rule.rule() == finding.rule);
        assert!(known, "{finding} of {text}");
    }
    assert_eq!(write(&again).unwrap(), text, "written again");
    text.split_inclusive('\n').skip(1).filter(|line| !line.starts_with("P:")).collect()
}

/// Returns sprites of 16 x 16 in a grid.
fn grid<'a>(
    names: impl IntoIterator<Item = &'a str>,
    columns: i32,
    at: [i32; 2],
) -> Vec<(&'a str, Sprite)> {
    let place = |index: i32| {
        let [x, y] = at;
        sprite(x + index % columns * 20, y + index / columns * 20, 16, 16)
    };
    let names = (0..).zip(names);
    names.map(|(index, name)| (name, place(index))).collect()
}

#[test]
fn a_grid_becomes_a_block() {
    let names: Vec<String> = (1..=10).map(|n| format!("w/idle_{n:02}.png")).collect();
    let sprites = grid(names.iter().map(String::as_str), 4, [4, 4]);
    assert_eq!(written(&atlas(&sprites)), "B:2,2,4,16,16\nw/idle_#01-10~1\n");
}

#[test]
fn a_trim_is_of_the_block_and_a_turned_sprite_is_in_none() {
    let mut sprites = grid(["a1", "a2", "a3", "a4"], 4, [4, 4]);
    for (_, sprite) in &mut sprites {
        sprite.trim = Some(Trim { source: [20, 30], offset: [2, -3] });
    }
    sprites[3].1.rotated = true;
    assert_eq!(
        written(&atlas(&sprites)),
        "B:2,2,3,16,16|20,30,2,-3\na#1-3\na4|3|64,4,16,16|20,30,2,-3\n"
    );
}

#[test]
fn flip_books_side_by_side_are_blocks_and_below_each_other_one() {
    let names =
        |letter: &str| -> Vec<String> { (1..=16).map(|n| format!("{letter}{n}")).collect() };
    let (a, b) = (names("a"), names("b"));
    let (a, b) = (|| a.iter().map(String::as_str), b.iter().map(String::as_str));
    let below = [grid(a(), 4, [4, 4]), grid(b.clone(), 4, [4, 84])].concat();
    assert_eq!(written(&atlas(&below)), "B:2,2,4,16,16\na#1-16,b#1-16\n");
    let beside = [grid(a(), 4, [4, 4]), grid(b, 4, [84, 4])].concat();
    assert_eq!(written(&atlas(&beside)), "B:2,2,4,16,16\na#1-16\nB:82,2,4,16,16\nb#1-16\n");
}

#[test]
fn sprites_that_are_the_same_become_aliases() {
    let mut sprites = grid(["a", "b", "c", "d"], 4, [4, 4]);
    sprites.push(("e=f", sprites[1].1.clone()));
    sprites.push(("g", sprites[1].1.clone()));
    assert_eq!(written(&atlas(&sprites)), "B:2,2,4,16,16\na,b,c,d\nA:b=e=f,g\n");
    // One that no alias can name is the original.
    sprites.push(("h,i", sprites[1].1.clone()));
    assert_eq!(
        written(&atlas(&sprites)),
        "a|0|4,4,16,16\nB:42,2,2,16,16\nc,d\nh,i|0|24,4,16,16\nA:h,i=b,e=f,g\n"
    );
}

#[test]
fn folders_are_listed_where_that_saves_bytes() {
    let sprites = grid(["deep/a", "deep/b", "deep/c", "once/d", "7/e"], 5, [4, 4]);
    assert_eq!(written(&atlas(&sprites)), "F:deep\nF:7\nB:2,2,5,16,16\n0/a,0/b,0/c,once/d,1/e\n");
    // The most used have the shortest numbers.
    let names: Vec<String> = (0..12)
        .flat_map(|folder| (0..=folder).map(move |n| format!("folder{folder:02}/{n}x")))
        .collect();
    let text = written(&atlas(&grid(names.iter().map(String::as_str), 9, [4, 4])));
    assert!(text.starts_with("F:folder11\nF:folder10\n"), "{text}");
}

#[test]
fn awkward_names_find_a_record() {
    let names = [
        "a,b", "a#b", "c|d", "P:q", "A:", "12/foo", "d/#x", "x~1.png", "#b/x|y", "k=v", "a,b/c",
        "~1x", "", ".gif", "d/", "d//", "/x", "//y", "/12/z", "0", "a b", "ü.webp", "e/0/1",
        "B:d/q", "a=b/c", "v1.2.tga", "p#/.png",
    ];
    let mut sprites = Vec::new();
    for (index, name) in (0..).zip(names) {
        sprites.push((name, sprite(index * 30, index * 7, 8 + index % 3, 8)));
    }
    written(&atlas(&sprites));
    written(&atlas(&grid(names, 5, [4, 4])));
    let same: Vec<_> = names.map(|name| (name, sprite(1, 2, 3, 4))).into();
    written(&atlas(&same));
}

#[test]
fn what_cannot_be_written_is_named_with_its_reason() {
    let turned = Sprite { rotated: true, ..sprite(1, 1, 2, 2) };
    let mut atlas = atlas(&[
        ("fine", sprite(1, 1, 2, 2)),
        ("a,b|c", sprite(1, 1, 2, 2)),
        ("r|s", turned),
        ("far|away", sprite(i32::MIN, 1, 2, 2)),
    ]);
    atlas.pages[0].file = "a,b.png".into();
    let error = write(&atlas).unwrap_err();
    let said: Vec<String> = error.0.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "page \"a,b.png\": contains \",\", which ends a field",
            "sprite \"a,b|c\": contains both \",\" and \"|\"",
            "sprite \"r|s\": is rotated, but only a block could hold its name, and blocks have no rotated sprites",
            "sprite \"far|away\": needs a block for its name, but its position does not fit one",
        ]
    );
    assert_eq!(error.to_string(), format!("{}; and 3 more", said[0]));
}

#[test]
fn pages_are_selected_where_there_are_several() {
    let mut atlas = atlas(&[
        ("a", sprite(1, 2, 3, 4)),
        ("b", Sprite { page: 1, ..sprite(1, 2, 3, 4) }),
        ("c", sprite(9, 2, 3, 4)),
    ]);
    atlas.pages.push(page(0));
    assert_eq!(written(&atlas), "a|0|1,2,3,4\nc|0|9,2,3,4\n#1\nb|0|1,2,3,4\n");
    assert_eq!(write(&Atlas::default()).unwrap(), "PCT:1.0\n");
}

#[test]
fn a_page_without_padding_gets_the_one_that_its_grids_have() {
    let mut atlas = atlas(&grid(["a1", "a2", "a3", "a4", "a5"], 3, [0, 0]));
    atlas.pages[0].padding = None;
    assert_eq!(
        write(&atlas).unwrap(),
        "PCT:1.0\nP:a.png,RGBA8888,1024,512,2\nB:-2,-2,3,16,16\na#1-5\n"
    );
}

fn any_atlas() -> impl Strategy<Value = Atlas> {
    let name = prop_oneof![
        3 => ("(a|b|run/|run/a_|walk/|12/|x,y/)", 0_u32..14, 0_usize..4, "(|\\.png|\\.jpg|\\.tga)").prop_map(
            |(stem, number, width, ending)| format!("{stem}{number:0width$}{ending}")
        ),
        1 => "[ab0-2~#,|=/:.PFBA]{0,6}(|\\.png|~1|~1\\.gif)",
    ];
    let place = prop_oneof![
        4 => (0..6, 0..6).prop_map(|(x, y)| (x * 12, y * 14)),
        1 => (-20..80, -20..80),
    ];
    let size = prop_oneof![6 => Just((8, 10)), 1 => (-1..10, 0..12)];
    let trim = prop_oneof![
        4 => Just(None),
        1 => Just(Some(Trim { source: [20, 20], offset: [3, 4] })),
        1 => Just(Some(Trim { source: [8, 10], offset: [0, 0] })),
    ];
    let fields = (0..3_u32, place, size, trim, prop::bool::weighted(0.05));
    let sprite = fields.prop_map(|(page, (x, y), (width, height), trim, rotated)| Sprite {
        page: page / 2,
        trim,
        rotated,
        ..sprite(x, y, width, height)
    });
    let sprites = prop::collection::vec((name, sprite), 0..60);
    (sprites, 0..3).prop_map(|(sprites, padding)| Atlas {
        pages: vec![page(2), page(padding)],
        sprites: (sprites.into_iter())
            .map(|(name, sprite)| (name.into_boxed_str(), sprite))
            .collect(),
        ..Atlas::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_name_keeps_its_fields(mut atlas in any_atlas()) {
        if let Err(unwritable) = write(&atlas) {
            for name in unwritable.0 {
                prop_assert!(atlas.sprites.get(&name.name).is_some());
            }
            let before: Vec<Sprite> = atlas.sprites.values().cloned().collect();
            safe_names(&mut atlas);
            prop_assert!(atlas.sprites.values().eq(&before));
        }
        written(&atlas);
    }
}
