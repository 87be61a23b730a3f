//! Reading of screens: the picture's place, and the squares and frames in it.

use super::desk::BACKGROUND;
use super::fixture::{BOUNDS, RISE, SECOND, SIDE};
use super::x11::Shot;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Canvas {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Place of the picture: the smallest rectangle that holds all background pixels.
pub(crate) fn canvas(shot: &Shot) -> Option<Canvas> {
    anywhere(shot, BACKGROUND).map(|[x, y, right, bottom]| Canvas {
        x,
        y,
        width: right - x,
        height: bottom - y,
    })
}

/// Left, top, right and bottom of the pixels of a colour in the picture; right and bottom are exclusive.
pub(crate) fn bounds(shot: &Shot, color: [u8; 3]) -> Option<[usize; 4]> {
    let canvas = canvas(shot)?;
    let [left, top, right, bottom] = anywhere(&picture(shot, canvas), color)?;
    Some([left + canvas.x, top + canvas.y, right + canvas.x, bottom + canvas.y])
}

/// Does the same for the whole screen, with the small pictures of the meshes.
pub(crate) fn anywhere(shot: &Shot, color: [u8; 3]) -> Option<[usize; 4]> {
    extent(shot.width, shot.rgb.iter().map(|pixel| *pixel == color))
}

/// Left, top, right and bottom of the pixels that are marked.
fn extent(width: usize, marked: impl Iterator<Item = bool>) -> Option<[usize; 4]> {
    let at = marked.enumerate().filter(|(_, marked)| *marked).map(|(i, _)| [i % width, i / width]);
    at.map(|[x, y]| [x, y, x + 1, y + 1]).reduce(|[left, top, right, bottom], [x0, y0, x1, y1]| {
        [left.min(x0), top.min(y0), right.max(x1), bottom.max(y1)]
    })
}

/// Expected screen position of a world point when the animation is fitted.
pub(crate) fn place(canvas: Canvas, [x, y]: [f64; 2]) -> [f64; 2] {
    let [left, bottom, right, top] = BOUNDS;
    let (width, height) = (canvas.width as f64, canvas.height as f64);
    let zoom = (width * 0.9 / (right - left)).min(height * 0.9 / (top - bottom));
    [
        canvas.x as f64 + width / 2.0 + (x - (left + right) / 2.0) * zoom,
        canvas.y as f64 + height / 2.0 - (y - (bottom + top) / 2.0) * zoom,
    ]
}

/// Expected screen bounds of a square: left, top, right, bottom.
pub(crate) fn expected(canvas: Canvas, [x, y]: [f64; 2]) -> [f64; 4] {
    let [left, top] = place(canvas, [x, y + SIDE]);
    let [right, bottom] = place(canvas, [x + SIDE, y]);
    [left, top, right, bottom]
}

pub(crate) fn assert_square(shot: &Shot, color: [u8; 3], corner: [f64; 2]) {
    let canvas = canvas(shot).expect("there is a picture");
    let found = bounds(shot, color).expect("the square is drawn");
    let wanted = expected(canvas, corner);
    for (found, wanted) in found.iter().zip(wanted) {
        let off = (*found as f64 - wanted).abs();
        assert!(off <= 1.5, "{color:?}: found {found}, wanted {wanted}");
    }
    let [left, top, right, bottom] = found;
    let inside = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let other = inside.filter(|(x, y)| shot.at(*x, *y) != color).count();
    assert_eq!(other, 0, "the square of {color:?} is not whole");
}

/// Lower left corner of the rising square in a frame.
pub(crate) fn risen(frame: u16) -> [f64; 2] {
    let [x, y] = SECOND;
    [x, y + RISE * f64::from(frame)]
}

pub(crate) fn picture(shot: &Shot, canvas: Canvas) -> Shot {
    shot.part(canvas.x, canvas.y, canvas.width, canvas.height)
}

/// Left, top, right and bottom of the rectangle in which two screens differ.
pub(crate) fn difference(a: &Shot, b: &Shot) -> Option<[usize; 4]> {
    extent(a.width, a.rgb.iter().zip(&b.rgb).map(|(a, b)| a != b))
}
