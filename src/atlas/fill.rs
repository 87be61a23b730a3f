//! Use of pages.

use std::collections::HashSet;

use super::{Atlas, Sprite};

/// Pixels of each page that sprites cover; those of one place are counted once. `sizes` are the pages' widths and heights.
#[must_use]
pub fn covered_pixels(atlas: &Atlas, sizes: &[[u32; 2]]) -> Vec<u64> {
    let mut covered = vec![0_u64; sizes.len()];
    let mut known = HashSet::new();
    let own = |sprite: &&Sprite| sprite.alias_of.is_none();
    for sprite in atlas.sprites.values().filter(own) {
        let page = sprite.page as usize;
        let (Some(size), Some(sum)) = (sizes.get(page), covered.get_mut(page)) else {
            continue;
        };
        let rect = sprite.covered();
        if known.insert((page, rect)) {
            let [left, top, right, bottom] = rect.edges();
            let side = |from: i64, to: i64, most: u32| {
                let side = to.min(most.into()).saturating_sub(from.max(0));
                side.max(0).unsigned_abs()
            };
            let pixels = side(left, right, size[0]).saturating_mul(side(top, bottom, size[1]));
            *sum = sum.saturating_add(pixels);
        }
    }
    let area = |[width, height]: &[u32; 2]| u64::from(*width).saturating_mul((*height).into());
    let all = covered.iter().zip(sizes);
    all.map(|(sum, size)| (*sum).min(area(size))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::Rect;

    #[test]
    fn pixels_are_counted_once_and_on_the_page() {
        let sprite = |x, width, alias_of| Sprite {
            rect: Rect {
                x,
                y: -4,
                width,
                height: 8,
            },
            alias_of,
            ..Sprite::default()
        };
        let mut atlas = Atlas::default();
        for (name, sprite) in [
            ("a", sprite(0, 10, None)),
            ("b", sprite(0, 10, None)),
            ("c", sprite(0, 10, Some(0))),
            ("d", sprite(95, 10, None)),
            ("e", sprite(0, -10, None)),
        ] {
            atlas.sprites.insert(name.into(), sprite);
        }
        assert_eq!(covered_pixels(&atlas, &[[100, 100], [8, 8]]), [60, 0]);
        assert_eq!(covered_pixels(&atlas, &[[1, 2]]), [2]);
    }
}
