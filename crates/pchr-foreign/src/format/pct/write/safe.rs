//! Replacement of names that a PCT file cannot hold.

use std::collections::BTreeSet;

use super::name::Name;
use crate::atlas::{Atlas, Sprites};

/// Renames only the sprites that a PCT file cannot name; names stay unique. Returns old and new names.
///
/// A rotated sprite can only have a name without `|`.
pub fn safe_names(atlas: &mut Atlas) -> Vec<(String, String)> {
    let is_safe = |name: &str, rotated: bool| {
        let name = Name::new(name);
        name.problem().is_none() && (!rotated || name.fits_line())
    };
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (name, sprite) in atlas.sprites.iter() {
        if is_safe(name, sprite.rotated) {
            taken.insert(name.to_owned());
        }
    }
    let mut changed = Vec::new();
    let mut sprites = Sprites::default();
    for (name, sprite) in atlas.sprites.iter() {
        if is_safe(name, sprite.rotated) {
            sprites.insert(name, sprite.clone());
            continue;
        }
        let safe = safe(name, sprite.rotated);
        let numbered = (2_u64..).map(|number| with_number(&safe, number));
        let mut names = std::iter::once(safe.clone()).chain(numbered);
        let new = names.find(|name| taken.insert(name.clone()));
        let new = new.unwrap_or(safe);
        sprites.insert(&new, sprite.clone());
        changed.push((name.to_owned(), new));
    }
    atlas.sprites = sprites;
    changed
}

/// Returns a name with `_` in place of special characters of the format.
fn safe(name: &str, rotated: bool) -> String {
    let name = name.replace(['\n', '\r'], "_");
    let rest = name.rfind('/').map_or(0, |slash| slash.saturating_add(1));
    let (folder, rest) = name.split_at_checked(rest).unwrap_or(("", &name));
    let mut safe = folder.to_owned() + &rest.replace([',', '#', '|'], "_");
    if Name::new(&safe).problem().is_some() {
        safe.push('_'); // behind what looks like the number of an extension
    }
    if rotated && !Name::new(&safe).fits_line() {
        safe = safe.replacen(':', "_", 1); // of what looks like another record
    }
    safe
}

/// Returns a name with a number before its extension.
fn with_number(name: &str, number: u64) -> String {
    let ending = Name::new(name).ending.map_or("", |ending| ending.text());
    let stem = name.strip_suffix(ending).unwrap_or(name);
    format!("{stem}_{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::Sprite;

    #[test]
    fn only_names_that_cannot_be_written_change() {
        let mut atlas = Atlas::default();
        let names = [
            "a,b|c",
            "a_b_c",
            "a\r\nb.png",
            "a__b.png",
            "x~1",
            "#a",
            "P:a,b",
            "k|v",
            "a,b/c\n",
            "fine",
            "a#|_c",
        ];
        for name in names {
            atlas.sprites.insert(name, Sprite::default());
        }
        atlas.sprites.insert(
            "r|s",
            Sprite {
                rotated: true,
                ..Sprite::default()
            },
        );
        let changed = safe_names(&mut atlas);
        let changed: Vec<_> = changed
            .iter()
            .map(|(old, new)| (old.as_str(), new.as_str()))
            .collect();
        assert_eq!(
            changed,
            [
                ("a,b|c", "a_b_c_2"),
                ("a\r\nb.png", "a__b_2.png"),
                ("x~1", "x~1_"),
                ("#a", "_a"),
                ("P:a,b", "P:a_b"),
                ("a,b/c\n", "a,b/c_"),
                ("a#|_c", "a___c"),
                ("r|s", "r_s"),
            ]
        );
        assert_eq!(atlas.sprites.len(), names.len() + 1);
        assert_eq!(atlas.sprites.get_index(5).unwrap().0, "_a");
        assert_eq!(safe_names(&mut atlas), []);
    }
}
