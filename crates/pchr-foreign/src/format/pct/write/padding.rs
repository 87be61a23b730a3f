//! Padding for pages that state none.

use std::collections::BTreeMap;

use crate::atlas::{Atlas, Rect};

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
        let gap = i64::from(*second)
            .saturating_sub((*first).into())
            .saturating_sub((*size).into());
        if line == other && (0..=MOST.saturating_mul(2)).contains(&gap) && gap % 2 == 0 {
            let padding = i32::try_from(gap / 2).unwrap_or(0);
            let count = counts.entry(padding).or_default();
            *count = count.saturating_add(1);
        }
    }
}
