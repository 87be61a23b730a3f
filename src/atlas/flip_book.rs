//! Flip-books: sprites whose names differ in their last number only.

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

/// The flip-books of an atlas, in the order of their first sprites. Each sprite is in one, even if alone.
#[must_use]
pub fn flip_books(atlas: &Atlas) -> Vec<FlipBook> {
    let mut books: Vec<Book<'_>> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, (name, _)) in (0..).zip(atlas.sprites.iter()) {
        let number = last_number(name);
        let text = |range: Range<usize>| name.get(range).unwrap_or_default();
        let key = match &number {
            Some(at) => (text(0..at.start), text(at.end..name.len())),
            None => (name, "/"), // no end of a file's name
        };
        let digits = text(number.unwrap_or_default());
        let book = *known.entry(key).or_insert_with(|| {
            books.push(Book::default());
            books.len().saturating_sub(1)
        });
        if let Some(book) = books.get_mut(book) {
            book.sprites.push((digits, index, name));
        }
    }
    let mut named: Vec<FlipBook> = books.into_iter().map(Book::finish).collect();
    without_endings(&mut named);
    named
}

/// Sprites of one flip-book: the digits of their number, index and name.
#[derive(Default)]
struct Book<'a> {
    sprites: Vec<(&'a str, u32, &'a str)>,
}

impl Book<'_> {
    fn finish(mut self) -> FlipBook {
        // Compared as numbers of any length: without leading zeros, the longer one is larger.
        let number = |digits: &str| digits.trim_start_matches('0').to_owned();
        self.sprites.sort_by_cached_key(|(digits, index, _)| {
            let number = number(digits);
            (number.len(), number, *index)
        });
        let name = match self.sprites.as_slice() {
            [(_, _, only)] => (*only).to_owned(),
            [(_, _, first), ..] => {
                let mut name = (*first).to_owned();
                name.replace_range(last_number(first).unwrap_or_default(), "*");
                name
            }
            [] => String::new(),
        };
        let sprites = self
            .sprites
            .into_iter()
            .map(|(_, index, _)| index)
            .collect();
        FlipBook { name, sprites }
    }
}

/// The last digits of a name, in its last part and before its extension.
fn last_number(name: &str) -> Option<Range<usize>> {
    let file = name.rfind('/').map_or(0, |slash| slash.saturating_add(1));
    let stem = stem_end(name);
    let bytes = name.as_bytes().get(file..stem)?;
    let end = bytes
        .iter()
        .rposition(u8::is_ascii_digit)?
        .saturating_add(1);
    let start = bytes
        .get(..end)?
        .iter()
        .rposition(|byte| !byte.is_ascii_digit());
    let start = start.map_or(0, |at| at.saturating_add(1));
    Some(file.saturating_add(start)..file.saturating_add(end))
}

/// Start of the extension of a picture's file; the end of a name that has none.
fn stem_end(name: &str) -> usize {
    let Some(dot) = name.rfind('.') else {
        return name.len();
    };
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
        let atlas = Atlas {
            sprites: sprites.collect(),
            ..Atlas::default()
        };
        let books = flip_books(&atlas);
        books
            .into_iter()
            .map(|book| (book.name, book.sprites))
            .collect()
    }

    #[test]
    fn sprites_that_differ_in_their_last_number_are_sorted_by_it() {
        let found = books(&["walk/10.png", "sword.png", "walk/9.png", "walk/1.png"]);
        assert_eq!(
            found,
            [("walk/*".into(), vec![3, 2, 0]), ("sword".into(), vec![1])]
        );
        let found = books(&["hero2/run_02", "hero1/run_01", "hero2/run_01"]);
        assert_eq!(
            found,
            [
                ("hero2/run_*".into(), vec![2, 0]),
                ("hero1/run_01".into(), vec![1])
            ]
        );
        let found = books(&[
            "a1b2c",
            "a1b10c",
            "a2b1c",
            "99999999999999999999999",
            "100000000000000000000000",
        ]);
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a1b*c", "a2b1c", "*"]);
        assert_eq!(found[2].1, [3, 4]);
    }

    #[test]
    fn names_that_are_alike_without_their_endings_keep_them() {
        let found = books(&[
            "a1.png", "a2.png", "a1.webp", "b.png", "b", "v1.2", ".png", "c1.png", "c2.png",
            "c1.gif", "c2.gif",
        ]);
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["a*", "a1", "b.png", "b", "v1.2", ".png", "c*.png", "c*.gif"]
        );
    }
}
