//! A character in a program that draws on the CPU: four moments of a walk, side by side in the program's own picture.
//!
//! ```sh
//! cargo run --release --no-default-features --example cpu_sprite -- walk.png
//! ```

use std::error::Error;

use pchr::glam::{Affine2, Vec2};
use pchr::image::{Effort, encode_png};
use pchr::playback::FadeOptions;
use pchr::pose::timelines;
use pchr::raster::{RasterFigure, RasterTarget};
use pchr::scene::ViewOptions;
use pchr::{Camera2d, Character, Frame, Picture, Pixels, Player, Raster, RasterModel, read};

/// Size of a sprite in pixels.
pub(crate) const SPRITE: [u32; 2] = [240, 240];
const SPRITES: u32 = 4;
/// Seconds between two sprites.
pub(crate) const STEP: f64 = 0.11;
/// Colours of the sky and of the ground below it.
pub(crate) const COLOURS: [[u8; 4]; 2] = [[150, 200, 230, 255], [110, 150, 60, 255]];
/// First row of the ground.
pub(crate) const HORIZON: usize = 200;
/// Half the fox's drawn size, and ten pixels up, so that its feet are on the ground.
const SCALE: f32 = 0.5;
const UP: f32 = 10.0;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("walk.png".into());
    let mut picture = landscape();
    draw(&mut picture)?;
    // Every pixel is opaque here. Otherwise call `image::unpremultiply` first, since PNG stores straight alpha.
    let mut png = Vec::new();
    encode_png(&picture, Effort::Some, &mut png)?;
    std::fs::write(path, png)?;
    Ok(())
}

/// Draws the fox four times, as it walks.
fn draw(screen: &mut Pixels) -> Result<(), Box<dyn Error>> {
    // Once: the file, its images, and the model to draw.
    let document = read(include_bytes!("../assets/sample.pchr").as_slice())?;
    let walk = document.animation_named("walk").ok_or("no walk")?;
    let timelines = timelines(&document);
    let model = RasterModel::decoded(&document);
    if let Some(warning) = model.warnings().first() {
        return Err(warning.clone().into()); // an image does not decode; otherwise a placeholder is drawn for it
    }
    let fox = Character::from(document);

    // Also once: objects that keep their memory from picture to picture.
    let mut raster = Raster::default();
    let mut frame = Frame::default();
    let mut player = Player::default();
    player.start(walk, FadeOptions::default());

    // The world's origin in the middle, Y up, one pixel per unit. A figure is drawn over the existing pixels.
    let picture = Picture::new(SPRITE, Camera2d::default());
    let stride = screen.width as usize * 4;
    let starts = (0..screen.rgba.len()).step_by(SPRITE[0] as usize * 4);
    for start in starts.take(SPRITES as usize) {
        // For each picture: advance the time, pose, place and draw.
        player.advance(&timelines, STEP);
        let (at, mix) = player.moment(&timelines).ok_or("nothing plays")?;
        let view = ViewOptions { mix, ..ViewOptions::default() };
        frame.fill(&fox, Some(at), &view);
        let figure = RasterFigure {
            world_from_model: Affine2::from_scale_angle_translation(
                Vec2::splat(SCALE),
                0.0,
                Vec2::new(0.0, UP),
            ),
            ..RasterFigure::new(&model, frame.list(), frame.pose())
        };
        // The first byte of the sprite and the stride say where it lies in the program's picture.
        let mut target =
            RasterTarget { rgba: screen.rgba.get_mut(start..).ok_or("no such sprite")?, stride };
        raster.draw_figure(&figure, &picture, &mut target)?;
    }
    Ok(())
}

/// Draws the program's own content: sky and ground.
fn landscape() -> Pixels {
    let [width, height] = [SPRITE[0] * SPRITES, SPRITE[1]];
    let [sky, ground] = COLOURS.map(|colour| colour.repeat(width as usize));
    let rows = (0..height as usize).map(|y| if y < HORIZON { &sky } else { &ground });
    Pixels { width, height, rgba: rows.flatten().copied().collect() }
}
