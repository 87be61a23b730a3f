//! The pixels of a sprite, cut out of its page.

use pchr::image::Pixels;
use pchr_foreign::atlas::{Rect, Sprite};

/// A picture of a `size` with a sprite at an `offset`. What lies outside the picture, or of the page, is left out.
pub(super) fn draw(page: &Pixels, sprite: &Sprite, offset: [i32; 2], size: [u32; 2]) -> Pixels {
    let [width, height] = size;
    let mut picture = Pixels {
        width,
        height,
        rgba: vec![0; bytes_of(width, height)],
    };
    let Rect {
        width: across,
        height: down,
        ..
    } = sprite.rect;
    let columns = visible(offset[0], across, width);
    for row in visible(offset[1], down, height) {
        if !sprite.rotated {
            copy_row(page, sprite, &mut picture, offset, row);
            continue;
        }
        for column in columns.clone() {
            // Turned clockwise: the left edge lies on top.
            let x = i64::from(sprite.rect.x) + i64::from(down) - 1 - row;
            let y = i64::from(sprite.rect.y) + column;
            let to = [column + i64::from(offset[0]), row + i64::from(offset[1])];
            if let (Some(from), Some(to)) = (at(page, [x, y]), at(&picture, to)) {
                let texel: Option<[u8; 4]> = page
                    .rgba
                    .get(from..from + 4)
                    .and_then(|texel| texel.try_into().ok());
                if let (Some(texel), Some(to)) = (texel, picture.rgba.get_mut(to..to + 4)) {
                    to.copy_from_slice(&texel);
                }
            }
        }
    }
    picture
}

/// Copies a row of a sprite that is not rotated.
fn copy_row(page: &Pixels, sprite: &Sprite, picture: &mut Pixels, offset: [i32; 2], row: i64) {
    let [x, y] = [sprite.rect.x, sprite.rect.y].map(i64::from);
    let [left, top] = offset.map(i64::from);
    // First and last column that is on the page and in the picture.
    let first = 0.max(-x).max(-left);
    let last = i64::from(sprite.rect.width)
        .min(i64::from(page.width) - x)
        .min(i64::from(picture.width) - left);
    let Ok(count) = usize::try_from((last - first).saturating_mul(4)) else {
        return;
    };
    let from = at(page, [x + first, y + row]);
    let to = at(picture, [left + first, top + row]);
    if let (Some(from), Some(to)) = (from, to)
        && let Some(from) = page.rgba.get(from..from + count)
        && let Some(to) = picture.rgba.get_mut(to..to + count)
    {
        to.copy_from_slice(from);
    }
}

/// Rows or columns of a sprite that are in a picture.
fn visible(offset: i32, size: i32, picture: u32) -> std::ops::Range<i64> {
    let offset = i64::from(offset);
    (-offset).max(0)..i64::from(size).min(i64::from(picture) - offset)
}

/// Index of a pixel's first byte.
fn at(pixels: &Pixels, [x, y]: [i64; 2]) -> Option<usize> {
    let x = u32::try_from(x).ok().filter(|x| *x < pixels.width)?;
    let y = u32::try_from(y).ok().filter(|y| *y < pixels.height)?;
    Some((y as usize * pixels.width as usize + x as usize) * 4)
}

fn bytes_of(width: u32, height: u32) -> usize {
    (width as usize)
        .saturating_mul(height as usize)
        .saturating_mul(4)
}
