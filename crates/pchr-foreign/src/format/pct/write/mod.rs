//! An atlas as PCT text: `names` takes names apart, writes many on a line and renames what cannot be written; `blocks` finds grids
//! in places, and chooses those that save bytes.

mod blocks;
mod names;

use std::collections::BTreeMap;

use self::blocks::{PctEntry, PctRecord, bytes, plan};
use self::names::{SpriteName, is_awkward, list, one};
use crate::atlas::{Atlas, Page, Rect, Sprite, Trim};

pub use names::{UnwritableName, UnwritableNames, safe_names, unwritable_name};

#[cfg(test)]
mod tests;

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
        let ([width, height], format) = (size, format_of(page));
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

fn format_of(page: &Page) -> &str {
    match page.format.as_str() {
        "" => "RGBA8888",
        format => format,
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
type EntryKind = (u32, [i32; 2], Option<([i32; 2], [i32; 2])>, bool);

fn kind(entry: &PctEntry<'_>) -> EntryKind {
    let Rect { width, height, .. } = entry.rect;
    let trim = entry.trim.map(|Trim { source, offset }| (source, offset));
    (entry.page, [width, height], trim, entry.rotated)
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
        let [(line, first, size), (other, second, _)] = pair else {
            continue;
        };
        let gap = i64::from(*second).saturating_sub((*first).into()).saturating_sub((*size).into());
        if line == other && (0..=MOST.saturating_mul(2)).contains(&gap) && gap % 2 == 0 {
            let padding = i32::try_from(gap / 2).unwrap_or(0);
            let count = counts.entry(padding).or_default();
            *count = count.saturating_add(1);
        }
    }
}
