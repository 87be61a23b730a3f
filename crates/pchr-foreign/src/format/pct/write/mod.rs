//! An atlas as PCT text: `names` takes names apart, writes many on a line and renames what cannot be written; `blocks` finds grids
//! in places, and chooses those that save bytes.

mod blocks;
mod names;

use std::collections::BTreeMap;

use self::blocks::{PctEntry, PctRecord, bytes, plan};
use self::names::{SpriteName, is_awkward, list, one};
use crate::atlas::{Atlas, Page, Rect, Sprite, Trim};

pub use names::{UnwritableName, UnwritableNames, safe_names, unwritable_name};

/// Writes an atlas as a PCT file, as short as this writer can make it. The same atlas gives the same text, and so does an atlas
/// that was read from it.
///
/// Blocks are found from the positions of sprites, whether or not [`Sprite::block`] has a number. Sprites that share position, size
/// and trim become aliases of the first of them, whether or not [`Sprite::alias_of`] is set. Each name keeps page, rectangle, trim
/// and rotation. The order is that of the atlas as far as the format allows: page by page, sprites of a block after the first of
/// them, aliases last. A page without padding gets one that suits its grids.
///
/// # Errors
/// [`UnwritableNames`] with every name that no record can hold; [`safe_names`](safe_names) changes them.
pub fn write(atlas: &Atlas) -> Result<String, UnwritableNames> {
    let paddings: Vec<i32> = (0..)
        .zip(&atlas.pages)
        .map(|(index, page)| page.padding.unwrap_or_else(|| padding(atlas, index)))
        .collect();
    let entries: Vec<PctEntry<'_>> = (atlas.sprites.iter().enumerate())
        .map(|(index, (name, sprite))| entry(index, name, sprite, &paddings))
        .collect();
    check(atlas, &entries)?;

    let folders = Folders::of(&entries);
    let marked = |folder: &str| folders.marked(folder);
    let (sprites, aliases) = without_aliases(entries);
    let mut records: BTreeMap<(u32, usize), PctRecord> = BTreeMap::new();
    for equal in sprites.chunk_by(|a, b| kind(a) == kind(b)) {
        let page = equal.first().map_or(0, |entry| entry.page);
        let found = plan(equal, &marked).into_iter();
        records.extend(found.map(|record| ((page, record.first), record)));
    }

    let mut body = String::new();
    let mut current = 0;
    for ((page, _), record) in &records {
        if *page != current {
            body += &format!("#{page}\n");
            current = *page;
        }
        body += &record.text;
    }
    let order = records.values().flat_map(|record| &record.members);
    for (original, others) in order.filter_map(|index| aliases.get(index)) {
        let names: Vec<SpriteName<'_>> = others.iter().map(|entry| entry.name).collect();
        let (original, others) = (one(original.name, &marked), list(&names, &marked));
        body += &format!("A:{original}={others}\n");
    }

    let mut text = "PCT:1.0\n".to_owned();
    for (page, padding) in atlas.pages.iter().zip(paddings) {
        let Page { file, size, .. } = page;
        let ([width, height], format) = (size, page.format());
        text += &format!("P:{file},{format},{width},{height},{padding}\n");
    }
    Ok(text + &folders.resolve(&body))
}

fn entry<'a>(index: usize, name: &'a str, sprite: &Sprite, paddings: &[i32]) -> PctEntry<'a> {
    let page = usize::try_from(sprite.page).unwrap_or(usize::MAX);
    PctEntry {
        index,
        name: SpriteName::new(name),
        page: sprite.page,
        padding: paddings.get(page).copied(),
        rect: sprite.rect,
        trim: sprite.trim,
        rotated: sprite.rotated,
    }
}

fn check(atlas: &Atlas, entries: &[PctEntry<'_>]) -> Result<(), UnwritableNames> {
    let of_page = |page: &Page| {
        let has = |c: &[char]| page.file.contains(c) || page.format.contains(c);
        let reason = match (has(&['\n', '\r']), has(&[','])) {
            (true, _) => Some("has a line break"),
            (_, true) => Some("contains \",\", which ends a field"),
            _ => None,
        };
        Some(("page", page.file.clone(), reason?))
    };
    let of_sprite =
        |(name, entry): (&str, &PctEntry<'_>)| Some(("sprite", name.to_owned(), entry.problem()?));
    let names = atlas.sprites.names().zip(entries);
    let found = atlas.pages.iter().filter_map(of_page);
    let found: Vec<UnwritableName> = found
        .chain(names.filter_map(of_sprite))
        .map(|(subject, name, reason)| UnwritableName { subject, name, reason })
        .collect();
    match found.is_empty() {
        true => Ok(()),
        false => Err(UnwritableNames(found)),
    }
}

/// An original, and its equal sprites.
type Aliases<'a> = BTreeMap<usize, (PctEntry<'a>, Vec<PctEntry<'a>>)>;

/// Removes sprites that share everything with an earlier one, if aliases can name both, and returns them by the index of the
/// original. The others are sorted by kind.
fn without_aliases(mut entries: Vec<PctEntry<'_>>) -> (Vec<PctEntry<'_>>, Aliases<'_>) {
    let place = |entry: &PctEntry<'_>| (kind(entry), [entry.rect.x, entry.rect.y]);
    entries.sort_unstable_by_key(|entry| (place(entry), entry.index));
    let mut sprites = Vec::with_capacity(entries.len());
    let mut aliases = Aliases::new();
    for equal in entries.chunk_by(|a, b| place(a) == place(b)) {
        let named = |entry: &&PctEntry<'_>| entry.name.fits_original();
        // One that is written alone anyway is the better original.
        let original =
            (equal.iter().filter(named)).min_by_key(|entry| (entry.name.fits_list(), entry.index));
        let is_alias = |entry: &PctEntry<'_>| {
            original.is_some_and(|original| original.index != entry.index) && entry.name.fits_list()
        };
        sprites.extend(equal.iter().filter(|entry| !is_alias(entry)));
        let others: Vec<PctEntry<'_>> =
            equal.iter().filter(|entry| is_alias(entry)).copied().collect();
        if let Some(original) = original.filter(|_| !others.is_empty()) {
            aliases.insert(original.index, (*original, others));
        }
    }
    (sprites, aliases)
}

/// Properties that sprites of a block share: page, size, trim and rotation.
type EntryKind = (u32, [i32; 2], Option<Trim>, bool);

fn kind(entry: &PctEntry<'_>) -> EntryKind {
    let Rect { width, height, .. } = entry.rect;
    (entry.page, [width, height], entry.trim, entry.rotated)
}

/// The folders of all names. Until the dictionary is known they are marked by `\r`, a number and a slash. No name contains `\r`.
struct Folders<'a> {
    numbers: BTreeMap<&'a str, usize>,
}

impl<'a> Folders<'a> {
    fn of(entries: &[PctEntry<'a>]) -> Self {
        let folders = entries.iter().filter_map(|entry| entry.name.folder);
        let mut numbers: BTreeMap<&str, usize> = folders.map(|folder| (folder, 0)).collect();
        for (number, value) in (0..).zip(numbers.values_mut()) {
            *value = number;
        }
        Self { numbers }
    }

    fn marked(&self, folder: &str) -> String {
        let number = self.numbers.get(folder).copied().unwrap_or(0);
        format!("\r{number}/")
    }

    /// Returns the dictionary, and the text with folders as text or as dictionary indices.
    fn resolve(&self, body: &str) -> String {
        let mut parts = body.split('\r');
        let first = parts.next().unwrap_or_default();
        let parts: Vec<(usize, &str)> = parts
            .filter_map(|part| {
                let (number, rest) = part.split_once('/')?;
                Some((number.parse().ok()?, rest))
            })
            .collect();
        let mut uses: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (place, (number, _)) in parts.iter().enumerate() {
            let (count, _) = uses.entry(*number).or_insert((0, place));
            *count = count.saturating_add(1);
        }
        let names: Vec<&str> = self.numbers.keys().copied().collect();
        let digits = uses.len().saturating_sub(1).to_string().len();
        let mut listed: Vec<(usize, (usize, usize))> = uses.into_iter().collect();
        listed.retain(|(number, (count, _))| {
            let name = names.get(*number).copied().unwrap_or_default();
            let saved = count.saturating_mul(name.len());
            let line = "F:\n".len().saturating_add(name.len());
            is_awkward(name) || saved > line.saturating_add(count.saturating_mul(digits))
        });
        // Those that are used most have the shortest numbers, if numbers differ in length.
        let differ = listed.len() > 10;
        listed.sort_by_key(|(_, (count, place))| {
            let rarity = differ.then_some(usize::MAX.saturating_sub(*count));
            (rarity, *place)
        });
        let mut text = String::new();
        let mut written: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        for (index, (number, _)) in listed.iter().enumerate() {
            if let Some(name) = written.get_mut(*number) {
                text += &format!("F:{name}\n");
                *name = index.to_string();
            }
        }
        text += first;
        for (number, rest) in parts {
            text += written.get(number).map_or("", String::as_str);
            text.push('/');
            text += rest;
        }
        debug_assert!(bytes(&text) == text.len());
        text
    }
}

/// Largest padding that is tried.
const MOST: i64 = 64;

/// Returns half the most common distance between adjacent equal sprites; 0 if there is none.
pub(super) fn padding(atlas: &Atlas, page: u32) -> i32 {
    let rects = atlas.sprites.values().filter(|sprite| sprite.page == page);
    let rects: Vec<Rect> = rects.map(|sprite| sprite.rect).collect();
    let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
    let row = |rect: &Rect| ([rect.width, rect.height, rect.y], rect.x, rect.width);
    let column = |rect: &Rect| ([rect.width, rect.height, rect.x], rect.y, rect.height);
    count(rects.iter().map(row).collect(), &mut counts);
    count(rects.iter().map(column).collect(), &mut counts);
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(0, |(padding, _)| padding)
}

/// Counts the distances along one axis. Each item has its line, its position on it, and its size along it.
fn count(mut places: Vec<([i32; 3], i32, i32)>, counts: &mut BTreeMap<i32, u32>) {
    places.sort_unstable();
    for pair in places.windows(2) {
        let [(line, first, size), (other, second, _)] = pair else { continue };
        let gap = i64::from(*second).saturating_sub((*first).into()).saturating_sub((*size).into());
        if line == other && (0..=MOST.saturating_mul(2)).contains(&gap) && gap % 2 == 0 {
            let padding = i32::try_from(gap / 2).unwrap_or(0);
            let count = counts.entry(padding).or_default();
            *count = count.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    //! Written texts mean the atlas that they were written from, in few bytes.
    #![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test fails")]

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
        let sprites = sprites.iter().map(|(name, sprite)| (name, sprite.clone()));
        Atlas { pages: vec![page(2)], sprites: sprites.collect(), ..Atlas::default() }
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
        let wanted = "B:2,2,3,16,16|20,30,2,-3\na#1-3\na4|3|64,4,16,16|20,30,2,-3\n";
        assert_eq!(written(&atlas(&sprites)), wanted);
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
        let wanted = "a|0|4,4,16,16\nB:42,2,2,16,16\nc,d\nh,i|0|24,4,16,16\nA:h,i=b,e=f,g\n";
        assert_eq!(written(&atlas(&sprites)), wanted);
    }

    #[test]
    fn folders_are_listed_where_that_saves_bytes() {
        let sprites = grid(["deep/a", "deep/b", "deep/c", "once/d", "7/e"], 5, [4, 4]);
        let wanted = "F:deep\nF:7\nB:2,2,5,16,16\n0/a,0/b,0/c,once/d,1/e\n";
        assert_eq!(written(&atlas(&sprites)), wanted);
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
            "a,b", "a#b", "c|d", "P:q", "A:", "12/foo", "d/#x", "x~1.png", "#b/x|y", "k=v",
            "a,b/c", "~1x", "", ".gif", "d/", "d//", "/x", "//y", "/12/z", "0", "a b", "ü.webp",
            "e/0/1", "B:d/q", "a=b/c", "v1.2.tga", "p#/.png",
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
        let wanted = [
            "page \"a,b.png\": contains \",\", which ends a field",
            "sprite \"a,b|c\": contains both \",\" and \"|\"",
            "sprite \"r|s\": is rotated, but only a block could hold its name, and blocks have no rotated sprites",
            "sprite \"far|away\": needs a block for its name, but its position does not fit one",
        ];
        assert_eq!(said, wanted);
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
        let wanted = "PCT:1.0\nP:a.png,RGBA8888,1024,512,2\nB:-2,-2,3,16,16\na#1-5\n";
        assert_eq!(write(&atlas).unwrap(), wanted);
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
        let trim = |source, offset| Just(Some(Trim { source, offset }));
        let trim =
            prop_oneof![4 => Just(None), 1 => trim([20, 20], [3, 4]), 1 => trim([8, 10], [0, 0])];
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
}
