//! Five mistakes, each made in the numbers that the engine receives.

use std::error::Error;
use std::path::Path;

use pchr::character::Character;
use pchr::image::unpremultiply;
use pchr::scene::Frame;

use crate::arrays::{Arrays, draws, palette};
use crate::engine::{Draw, Target};
use crate::{paper, target, write_png};

/// Writes `mistake-….png` for each mistake, and `mistake-none.png`.
pub(crate) fn write(
    folder: &Path,
    arrays: &Arrays,
    fox: &Character,
    frame: &Frame,
) -> Result<(), Box<dyn Error>> {
    let pose = frame.pose();
    let right = (palette(frame), draws(frame, arrays));
    let save = |name: &str, draw: &dyn Fn(&mut Target<'_>)| {
        let mut picture = paper();
        draw(&mut target(&mut picture));
        write_png(&folder.join(format!("mistake-{name}.png")), &picture)
    };
    let draw = |target: &mut Target<'_>, arrays: &Arrays, palette: &[f32], draws: &[Draw]| {
        let textures = arrays.textures();
        target.draw(arrays.vertices(), &arrays.indices, palette, draws, &textures);
    };

    save("none", &|target| draw(target, arrays, right.0, &right.1))?;

    // The bones' own matrices, without the inverse bind pose.
    let bones = pose.world_from_bone().as_flattened().as_flattened();
    save("bind", &|target| draw(target, arrays, bones, &right.1))?;

    // A texture whose first row is treated as the lowest.
    let mut flipped = Arrays::new(fox.document());
    for v in flipped.uvs.iter_mut().skip(1).step_by(2) {
        *v = 1.0 - *v;
    }
    save("v", &|target| draw(target, &flipped, right.0, &right.1))?;

    // Every mesh of the file, in file order.
    save("order", &|target| draw(target, arrays, right.0, &arrays.meshes))?;

    // Texels with straight alpha, blended as if they were premultiplied.
    let mut straight = Arrays::new(fox.document());
    { straight.images.iter_mut() }.for_each(|image| unpremultiply(&mut image.rgba));
    save("alpha", &|target| draw(target, &straight, right.0, &right.1))?;

    // A texture in an sRGB format and a target in a plain one: texels are decoded, but never encoded again.
    let mut linear = Arrays::new(fox.document());
    for image in &mut linear.images {
        for [colour @ .., _] in image.rgba.as_chunks_mut::<4>().0 {
            *colour = colour.map(|c| ((f32::from(c) / 255.0).powf(2.2) * 255.0).round() as u8);
        }
    }
    save("srgb", &|target| draw(target, &linear, right.0, &right.1))
}
