//! A character whose parts differ by colour: a red square that stands still and a green one that rises.

#[path = "../support/fixture.rs"]
mod builder;

use builder::{Builder, at};
use pchr::format::pchr::write;

pub(crate) const RED: [u8; 3] = [230, 30, 40];
pub(crate) const GREEN: [u8; 3] = [40, 200, 60];
pub(crate) const BLUE: [u8; 3] = [30, 60, 230];

/// Side of the squares in world pixels.
pub(crate) const SIDE: f64 = 100.0;
/// Lower left corner of the first square in world pixels.
pub(crate) const FIRST: [f64; 2] = [-200.0, -50.0];
/// Lower left corner of the second square in frame 0. It rises by [`RISE`] per frame.
pub(crate) const SECOND: [f64; 2] = [100.0, -150.0];
pub(crate) const RISE: f64 = 50.0;
pub(crate) const FRAMES: u16 = 5;
/// Bounds of the whole animation: left, bottom, right, top.
pub(crate) const BOUNDS: [f64; 4] = [-200.0, -150.0, 200.0, 150.0];

/// Character with the two squares; `second` is the colour of the second.
pub(crate) fn squares(second: [u8; 3]) -> Vec<u8> {
    let squares = [("stands", RED, FIRST), ("rises", second, SECOND)];
    let mut builder = Builder::new().fps(5);
    for (i, (name, [r, g, b], [x, y])) in (0..).zip(squares) {
        let [min, max] = [0.0, SIDE].map(|side| [(x + side) as f32, (y + side) as f32]);
        let square = format!("square {i}");
        builder = builder.image(2, &[[r, g, b, 255]; 4]).bone(name, None);
        builder = builder.quad(&square, i, i, min, max);
    }
    let frame = |frame: u16| [at(0.0, 0.0), at(0.0, f32::from(frame) * RISE as f32)];
    let frames: Vec<_> = (0..FRAMES).map(frame).collect();
    write(&builder.animation("rise", true, &frames).parts).unwrap()
}
