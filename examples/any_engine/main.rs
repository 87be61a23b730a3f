//! A character in an engine that shares no graphics crate with this library: it receives slices of numbers and draws by itself.
//!
//! ```sh
//! cargo run --release --no-default-features --example any_engine -- jump.png
//! cargo run --release --no-default-features --example any_engine -- --mistakes docs/pictures
//! ```
//!
//! The second command makes the pictures of `docs/EMBEDDING.md`, which show the effect of one mistake each.
#![allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "the indices of a document are valid; the engine reads like one in any language"
)]

mod arrays;
mod engine;
mod mistakes;

use std::error::Error;
use std::path::Path;

use arrays::Arrays;
use engine::Target;
use pchr::character::Character;
use pchr::format;
use pchr::image::{Effort, Pixels, encode_png};
use pchr::playback::FrameAt;
use pchr::pose::BindChoice;
use pchr::scene::{Frame, ViewOptions};

/// Size of the picture, with the camera of a capture with `--center 0,40 --zoom 0.5`.
const SIZE: [u32; 2] = [240, 280];
const ZOOM: f32 = 0.5;
const CENTER: [f32; 2] = [0.0, 40.0];
const PAPER: [u8; 4] = [160, 180, 196, 255];
const CLIP: &str = "jump";
const FRAME: u16 = 22;

fn main() -> Result<(), Box<dyn Error>> {
    // Once: load the file and its constant arrays.
    let document = format::read(include_bytes!("../../assets/sample.pchr").as_slice())?;
    let clip = document.animation_named(CLIP).ok_or("no such clip")?;
    let arrays = Arrays::new(&document);
    let fox = Character::new(document, BindChoice::Auto);

    // For each picture: the palette and the draw order.
    let mut frame = Frame::default();
    frame.fill(&fox, Some(FrameAt::exact(clip, FRAME)), &ViewOptions::default());

    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("--mistakes") => {
            let folder = args.next().ok_or("a folder is missing")?;
            mistakes::write(Path::new(&folder), &arrays, &fox, &frame)
        }
        path => {
            let mut picture = paper();
            target(&mut picture).draw(
                arrays.vertices(),
                &arrays.indices,
                arrays::palette(&frame),
                &arrays::draws(&frame, &arrays),
                &arrays.textures(),
            );
            write_png(Path::new(path.unwrap_or("jump.png")), &picture)
        }
    }
}

/// The engine's picture before the character is drawn.
fn paper() -> Pixels {
    let mut picture = Pixels::empty();
    picture.clear(SIZE, PAPER);
    picture
}

/// The engine's camera: Y points up in the world, and down on the screen.
fn target(picture: &mut Pixels) -> Target<'_> {
    let [width, height] = SIZE.map(|side| side as f32);
    Target {
        width: picture.width,
        rgba: &mut picture.rgba,
        scale: [ZOOM, -ZOOM],
        offset: [width / 2.0 - CENTER[0] * ZOOM, height / 2.0 + CENTER[1] * ZOOM],
        blend: engine::premultiplied,
    }
}

fn write_png(path: &Path, picture: &Pixels) -> Result<(), Box<dyn Error>> {
    let mut png = Vec::new();
    encode_png(picture, Effort::Some, &mut png)?;
    std::fs::write(path, png)?;
    Ok(())
}
