//! Faults in the layout of an atlas on its pages, independent of the text format.

use pchr::finding::{Findings, quoted};

use super::overlap::overlaps;
use super::{Atlas, Page, PctRule, Sprite};

/// Finds sprites that are empty, leave their page or their source, or overlap.
pub fn check(atlas: &Atlas, found: &mut Findings) {
    if atlas.pages.is_empty() {
        let message = || "no pages; nothing can be drawn".into();
        found.add(PctRule::PagesNone, 0, || "pages".into(), message);
    }
    if atlas.sprites.is_empty() {
        let message = || "no sprites; nothing plays".into();
        found.add(PctRule::SpritesNone, 0, || "sprites".into(), message);
    }
    for (name, sprite) in atlas.sprites.iter() {
        if name == "__proto__" {
            let message = || "Phaser loses sprites with this name".into();
            found.add(
                PctRule::NameJavaScript,
                sprite.offset,
                || path(name),
                message,
            );
        }
        if sprite.alias_of.is_some() {
            continue; // its original is reported
        }
        let page = atlas.pages.get(sprite.page as usize);
        if sprite.rect.is_empty() {
            let message = || format!("{} pixels cannot be drawn", size_of(sprite));
            found.add(PctRule::SpriteEmpty, sprite.offset, || path(name), message);
        } else if let Some(page) = page.filter(|page| leaves(sprite, page)) {
            let message = || {
                let (x, y) = (sprite.rect.x, sprite.rect.y);
                let (index, file) = (sprite.page, quoted(&page.file));
                let [width, height] = page.size;
                let size = size_of(sprite);
                format!(
                    "{size} at {x},{y} lies partly outside page {index} {file} ({width} x {height})"
                )
            };
            found.add(
                PctRule::SpriteOutside,
                sprite.offset,
                || path(name),
                message,
            );
        }
        if leaves_source(sprite) {
            let message = || {
                let ([x, y], [width, height]) = (sprite.source_offset(), sprite.source_size());
                let size = size_of(sprite);
                format!("{size} at {x},{y} lies partly outside its source of {width} x {height}")
            };
            found.add(PctRule::TrimOutside, sprite.offset, || path(name), message);
        }
    }
    for [first, second] in overlaps(atlas) {
        let (Some((first, _)), Some((name, sprite))) = (
            atlas.sprites.get_index(first),
            atlas.sprites.get_index(second),
        ) else {
            continue;
        };
        let message = || format!("overlaps {} on page {}", quoted(first), sprite.page);
        found.add(
            PctRule::SpriteOverlap,
            sprite.offset,
            || path(name),
            message,
        );
    }
}

fn path(name: &str) -> String {
    format!("sprite {}", quoted(name))
}

fn size_of(sprite: &Sprite) -> String {
    format!("{} x {}", sprite.rect.width, sprite.rect.height)
}

/// Returns whether a sprite is not whole on its page. A page that states no size holds any.
fn leaves(sprite: &Sprite, page: &Page) -> bool {
    let [left, top, right, bottom] = sprite.covered().edges();
    let [width, height] = page.size.map(i64::from);
    page.size != [0, 0] && (left < 0 || top < 0 || right > width || bottom > height)
}

/// Returns whether a trimmed sprite is not whole in its source.
fn leaves_source(sprite: &Sprite) -> bool {
    let Some(trim) = sprite.trim else {
        return false;
    };
    let fits = |offset: i32, size: i32, source: i32| {
        let end = i64::from(offset).saturating_add(size.into());
        offset >= 0 && end <= i64::from(source)
    };
    let ([x, y], [width, height]) = (trim.offset, trim.source);
    !(fits(x, sprite.rect.width, width) && fits(y, sprite.rect.height, height))
}
