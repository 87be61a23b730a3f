//! Flip-books: sprites whose names differ in one number only.

use std::collections::HashMap;
use std::ops::Range;

use super::Atlas;

/// Sprites that are shown one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipBook {
    /// The names of its sprites with `*` instead of the number; of one alone, its name. Without the extension where no two flip-books
    /// are called alike then.
    pub name: String,
    /// Indices of its sprites, by number; those of one number in the order of the file.
    pub sprites: Vec<u32>,
}

/// Numbers of a name that may count its frames: the last ones.
const NUMBERS: usize = 4;

/// The flip-books of an atlas, in the order of their first sprites. Each sprite is in one, even if alone.
///
/// Frames are counted by the last number that is another one in another sprite whose name is the same otherwise: `run_01_v2` and
/// `run_02_v2` are one flip-book. The scale in names like `walk_01@2x` counts nothing.
#[must_use]
pub fn flip_books(atlas: &Atlas) -> Vec<FlipBook> {
    let mut count: HashMap<(&str, &str), u32> = HashMap::new();
    for name in atlas.sprites.names() {
        for number in numbers(name) {
            let times = count.entry(around(name, &number)).or_default();
            *times = times.saturating_add(1);
        }
    }
    let mut books: Vec<Vec<NumberedSprite<'_>>> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, name) in (0..).zip(atlas.sprites.names()) {
        let varies = |number: &Range<usize>| count.get(&around(name, number)) > Some(&1);
        let number = numbers(name).find(varies);
        let key = match &number {
            Some(number) => around(name, number),
            None => (name, "/"), // no end of a file's name
        };
        let book = *known.entry(key).or_insert_with(|| {
            books.push(Vec::new());
            books.len().saturating_sub(1)
        });
        if let Some(book) = books.get_mut(book) {
            book.push((number.unwrap_or_default(), index, name));
        }
    }
    let mut named: Vec<FlipBook> = books.into_iter().map(finished).collect();
    without_endings(&mut named);
    named
}

/// Parts of a name before and after a number.
fn around<'a>(name: &'a str, number: &Range<usize>) -> (&'a str, &'a str) {
    let part = |part: Option<&'a str>| part.unwrap_or_default();
    (part(name.get(..number.start)), part(name.get(number.end..)))
}

/// A sprite of a flip-book: the place of its number, its index and name.
type NumberedSprite<'a> = (Range<usize>, u32, &'a str);

fn finished(mut sprites: Vec<NumberedSprite<'_>>) -> FlipBook {
    // Compared as numbers of any length: without leading zeros, the longer one is larger.
    let number = |digits: &str| digits.trim_start_matches('0').to_owned();
    sprites.sort_by_cached_key(|(digits, index, name)| {
        let number = number(name.get(digits.clone()).unwrap_or_default());
        (number.len(), number, *index)
    });
    let name = match sprites.as_slice() {
        [(_, _, only)] => (*only).to_owned(),
        [(number, _, first), ..] => {
            let (before, after) = around(first, number);
            format!("{before}*{after}")
        }
        [] => String::new(),
    };
    FlipBook { name, sprites: sprites.into_iter().map(|(_, index, _)| index).collect() }
}

/// The numbers of a name in its last part and before its extension, the last first, without its scale.
fn numbers(name: &str) -> impl Iterator<Item = Range<usize>> {
    let file = name.rfind('/').map_or(0, |slash| slash.saturating_add(1));
    let bytes = name.as_bytes();
    let mut end = stem_end(name);
    let next = move || {
        let digit = bytes.get(file..end)?.iter().rposition(u8::is_ascii_digit)?;
        let last = file.saturating_add(digit).saturating_add(1);
        let start = bytes.get(file..last)?.iter().rposition(|byte| !byte.is_ascii_digit());
        end = start.map_or(file, |at| file.saturating_add(at).saturating_add(1));
        Some(end..last)
    };
    let is_scale = move |number: &Range<usize>| {
        let (before, after) = around(name, number);
        before.ends_with('@') && after.starts_with('x')
    };
    std::iter::from_fn(next).filter(move |number| !is_scale(number)).take(NUMBERS)
}

/// Start of the extension of a picture's file; the end of a name that has none.
fn stem_end(name: &str) -> usize {
    let Some(dot) = name.rfind('.') else { return name.len() };
    let ending = name.get(dot..).unwrap_or_default();
    let letters = ending.bytes().skip(1);
    // ".png" is an extension, ".01" a number and ". 2" a sentence.
    let is_ending = ending.len() > 1
        && ending.len() <= 6
        && letters.clone().all(|byte| byte.is_ascii_alphanumeric())
        && letters.clone().any(|byte| byte.is_ascii_alphabetic());
    if is_ending { dot } else { name.len() }
}

/// Removes extensions from names that stay unique without them.
fn without_endings(books: &mut [FlipBook]) {
    let mut count: HashMap<String, u32> = HashMap::new();
    let short = |name: &str| name.get(..stem_end(name)).unwrap_or(name).to_owned();
    for book in &*books {
        let times = count.entry(short(&book.name)).or_default();
        *times = times.saturating_add(1);
    }
    for book in books {
        let name = short(&book.name);
        if count.get(&name) == Some(&1) && !name.is_empty() && !name.ends_with('/') {
            book.name = name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::Sprite;

    fn books(names: &[&str]) -> Vec<(String, Vec<u32>)> {
        let sprites = names.iter().map(|name| (name, Sprite::default()));
        let atlas = Atlas { sprites: sprites.collect(), ..Atlas::default() };
        flip_books(&atlas).into_iter().map(|book| (book.name, book.sprites)).collect()
    }

    #[test]
    fn sprites_that_differ_in_a_number_are_sorted_by_it() {
        let found = books(&["walk/10.png", "sword.png", "walk/9.png", "walk/1.png"]);
        assert_eq!(found, [("walk/*".into(), vec![3, 2, 0]), ("sword".into(), vec![1])]);
        let found = books(&["hero2/run_02", "hero1/run_01", "hero2/run_01"]);
        assert_eq!(found, [("hero2/run_*".into(), vec![2, 0]), ("hero1/run_01".into(), vec![1])]);
        let numbers = ["99999999999999999999999", "100000000000000000000000"];
        let found = books(&[&["a1b2c", "a1b10c", "a2b1c"], &numbers[..]].concat());
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a1b*c", "a2b1c", "*"]);
        assert_eq!(found[2].1, [3, 4]);
    }

    #[test]
    fn the_number_that_varies_counts_the_frames() {
        let names = |names: &[&str]| {
            let books = books(names).into_iter();
            books.map(|(name, sprites)| (name, sprites.len())).collect::<Vec<_>>()
        };
        let one = |name: &str, count: usize| vec![(name.to_owned(), count)];
        assert_eq!(names(&["walk_01@2x.png", "walk_02@2x.png"]), one("walk_*@2x", 2));
        assert_eq!(names(&["run_01_v2", "run_02_v2", "run_10_v2"]), one("run_*_v2", 3));
        assert_eq!(names(&["run_01_v2", "run_01_v3"]), one("run_01_v*", 2));
        let scales = names(&["a_1@1x", "a_1@2x", "a_2@1x", "a_2@2x"]);
        assert_eq!(scales, [("a_*@1x".to_owned(), 2), ("a_*@2x".to_owned(), 2)]);
        // If several do, the last of them.
        let both = names(&["a1b1", "a1b2", "a2b1", "a2b2", "a3b7"]);
        let all = [("a1b*", 2), ("a2b*", 2), ("a3b7", 1)];
        assert_eq!(both, all.map(|(name, count)| (name.to_owned(), count)));
    }

    #[test]
    fn names_that_are_alike_without_their_endings_keep_them() {
        let found = books(&[
            "a1.png", "a2.png", "a1.webp", "b.png", "b", "v1.2", ".png", "c1.png", "c2.png",
            "c1.gif", "c2.gif",
        ]);
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a*", "a1", "b.png", "b", "v1.2", ".png", "c*.png", "c*.gif"]);
    }
}
