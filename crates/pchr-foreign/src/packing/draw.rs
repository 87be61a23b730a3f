//! Pixels of pages.

use pchr::image::Pixels;

use super::picture::{Part, Picture};

/// A transparent page.
pub(super) fn empty([width, height]: [u32; 2]) -> Pixels {
    Pixels {
        width,
        height,
        rgba: vec![0; width as usize * height as usize * 4],
    }
}

/// Copies a part of a picture to `at`, and the pixels on its edges outwards, `extrude` times.
pub(super) fn draw(page: &mut Pixels, picture: &Picture, part: Part, at: [u32; 2], extrude: u32) {
    let ([left, top], [width, height]) = (at.map(i64::from), part.size.map(i64::from));
    let around = i64::from(extrude);
    for y in -around..height + around {
        for x in -around..width + around {
            let inside = [x.clamp(0, width - 1), y.clamp(0, height - 1)];
            if let Some(pixel) = pixel(picture, part, inside)
                && let Some(place) = place(page, [left + x, top + y])
            {
                place.copy_from_slice(&pixel);
            }
        }
    }
}

/// A pixel of the part; `None` where the picture was cut.
fn pixel(picture: &Picture, part: Part, [x, y]: [i64; 2]) -> Option<[u8; 4]> {
    let [part_x, part_y] = part.offset.map(i64::from);
    let [own_x, own_y] = picture.part.offset.map(i64::from);
    let (x, y) = (x + part_x - own_x, y + part_y - own_y);
    let Pixels {
        width,
        height,
        rgba,
    } = &picture.pixels;
    let is_inside = (0..i64::from(*width)).contains(&x) && (0..i64::from(*height)).contains(&y);
    let index = usize::try_from(y * i64::from(*width) + x)
        .ok()
        .filter(|_| is_inside)?;
    rgba.as_chunks::<4>().0.get(index).copied()
}

fn place(page: &mut Pixels, [x, y]: [i64; 2]) -> Option<&mut [u8; 4]> {
    let (width, height) = (i64::from(page.width), i64::from(page.height));
    let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
    let index = usize::try_from(y * width + x).ok().filter(|_| is_inside)?;
    page.rgba.as_chunks_mut::<4>().0.get_mut(index)
}
