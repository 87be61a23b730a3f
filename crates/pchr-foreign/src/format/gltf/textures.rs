//! Images of a character as textures, and a material of each.

use serde_json::json;

use pchr::bytes::Budget;
use pchr::document::{Document, Image, ImageFormat};
use pchr::format::Losses;
use pchr::image::{Effort, Pixels, decode_straight, encode_png};

use super::packer::AccessorPacker;
use super::record::{GltfImage, GltfRoot, Material};

/// The extension for colours without light.
const UNLIT: &str = "KHR_materials_unlit";

/// Adds a material for each image, with the image's index: its colours as they are, blended by alpha, seen from both sides.
pub(super) fn write(
    document: &Document,
    root: &mut GltfRoot,
    packer: &mut AccessorPacker,
    losses: &mut Losses,
) {
    for (index, image) in document.images().enumerate() {
        let name = (!image.name().is_empty()).then(|| image.name().to_owned());
        let texture = png(&image).map(|png| {
            let looks = &mut root.looks;
            let index = looks.textures.len();
            looks.textures.push(json!({"sampler": 0, "source": looks.images.len()}));
            looks.images.push(GltfImage {
                name: name.clone(),
                buffer_view: packer.add_image(png),
                mime_type: "image/png",
            });
            json!({"baseColorTexture": {"index": index}, "metallicFactor": 0})
        });
        let surface = texture.unwrap_or_else(|| {
            let what = "images that cannot be decoded: their meshes are white";
            losses.add(what, || format!("images[{index}]"));
            json!({"metallicFactor": 0})
        });
        root.looks.materials.push(Material {
            name,
            pbr_metallic_roughness: surface,
            alpha_mode: "BLEND",
            double_sided: true,
            extensions: json!({UNLIT: {}}),
        });
    }
    if !root.looks.materials.is_empty() {
        root.extensions_used.push(UNLIT.into());
    }
    if !root.looks.textures.is_empty() {
        // Linear without mip-maps, clamped to the edge.
        let linear = json!({"magFilter": 9729, "minFilter": 9729, "wrapS": 33071, "wrapT": 33071});
        root.looks.samplers.push(linear);
    }
}

/// Returns an image as a PNG without chunks that change its colours in other programs.
fn png(image: &Image<'_>) -> Option<Vec<u8>> {
    let mut pixels = match image.format() {
        ImageFormat::Png => decode_straight(image.data(), &Budget::default()).ok()?,
        ImageFormat::Rgba8888 => Pixels {
            width: image.width().into(),
            height: image.height().into(),
            rgba: image.data().to_vec(),
        },
    };
    fill_edges(&mut pixels);
    let mut png = Vec::new();
    encode_png(&pixels, Effort::Some, &mut png).ok()?;
    Some(png)
}

/// Gives invisible texels beside visible ones the colour of these: viewers filter colours regardless of alpha, which would darken the
/// edges of most images.
fn fill_edges(pixels: &mut Pixels) {
    let before = pixels.rgba.clone();
    let (before, _) = before.as_chunks::<4>();
    let width = pixels.width as usize;
    let (texels, _) = pixels.rgba.as_chunks_mut::<4>();
    let rows = texels.chunks_mut(width.max(1)).enumerate();
    let places =
        rows.flat_map(|(y, row)| row.iter_mut().enumerate().map(move |(x, it)| (x, y, it)));
    for (x, y, texel) in places.filter(|(_, _, texel)| texel[3] == 0) {
        let (mut sum, mut count) = ([0_u32; 3], 0_u32);
        for y in y.saturating_sub(1)..=y.saturating_add(1) {
            let row = before.chunks(width.max(1)).nth(y).unwrap_or_default();
            let from = x.saturating_sub(1);
            let to = x.saturating_add(2).min(row.len());
            for [red, green, blue, alpha] in row.get(from..to).unwrap_or_default() {
                if *alpha > 0 {
                    for (sum, part) in sum.iter_mut().zip([red, green, blue]) {
                        *sum = sum.saturating_add(u32::from(*part));
                    }
                    count = count.saturating_add(1);
                }
            }
        }
        for (part, sum) in texel.iter_mut().zip(sum).filter(|_| count > 0) {
            *part = u8::try_from(sum.checked_div(count).unwrap_or_default()).unwrap_or(u8::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_texels_take_the_colour_of_visible_neighbours() {
        let (none, red, dark) = ([0; 4], [200, 0, 0, 255], [100, 0, 20, 1]);
        let rgba = [red, none, dark, none, none, none, none, none, none];
        let mut pixels = Pixels { width: 3, height: 3, rgba: rgba.concat() };
        fill_edges(&mut pixels);
        let wanted = [red, [150, 0, 10, 0], dark, [200, 0, 0, 0], [150, 0, 10, 0], [100, 0, 20, 0]];
        assert_eq!(pixels.rgba, [&wanted.concat()[..], &[0; 12]].concat());
    }
}
