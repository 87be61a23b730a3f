use arbitrary::{Result, Unstructured};
use pchr::bytes::Budget;
use pchr::image::{
    Effort, Levels, Pixels, cover, decode_picture, decode_straight, encode_png, mip_chain,
    png_size, premultiply, unpremultiply,
};

use super::super::document::{odd_png, texels};

/// Memory limit for one picture.
const BUDGET: u64 = 1 << 22;

/// Decodes, encodes, scales down and fits PNG files, both arbitrary and made ones.
pub fn images(data: &[u8]) {
    png(data);
    let _ = made(&mut Unstructured::new(data));
}

fn png(file: &[u8]) {
    let decoded = decode_straight(file, &Budget::new(BUDGET));
    let size = png_size(file);
    let Ok(pixels) = decoded else { return };
    assert_eq!(size.expect("it was decoded"), [pixels.width, pixels.height]);
    whole(&pixels);
    let mut again = Vec::new();
    encode_png(&pixels, Effort::Least, &mut again).expect("writing to memory succeeds");
    let back = decode_straight(&again, &Budget::new(BUDGET)).expect("what was written is read");
    assert!(back == pixels);
    let multiplied = decode_picture(file, &Budget::new(BUDGET)).expect("it was decoded");
    let mut straight = pixels;
    premultiply(&mut straight.rgba);
    assert!(multiplied == straight);
    smaller(&multiplied);
}

fn made(u: &mut Unstructured<'_>) -> Result<()> {
    png(&odd_png(u)?);
    let (width, height) = (u.int_in_range(0..=40_u32)?, u.int_in_range(0..=40_u32)?);
    let mut rgba = texels(u, width as usize * height as usize)?.concat();
    premultiply(&mut rgba);
    let (mut divided, before) = (rgba.clone(), rgba.clone());
    unpremultiply(&mut divided);
    premultiply(&mut divided);
    assert!(divided == before, "dividing by alpha loses nothing");
    if u.ratio(1, 16)? {
        rgba.truncate(u.int_in_range(0..=rgba.len())?); // fewer than the size needs
    }
    let pixels = Pixels { width, height, rgba };
    smaller(&pixels);
    let size = [u.int_in_range(0..=50)?, u.int_in_range(0..=50)?];
    let behind = cover(&pixels, size);
    assert_eq!([behind.width, behind.height], size);
    whole(&behind);
    Ok(())
}

fn smaller(pixels: &Pixels) {
    let levels = mip_chain(pixels);
    let mut expected = [pixels.width, pixels.height];
    for level in &levels {
        expected = expected.map(|side| (side / 2).max(1));
        assert_eq!([level.width, level.height], expected);
        whole(level);
        for [r, g, b, a] in level.rgba.as_chunks::<4>().0 {
            assert!(r.max(g).max(b) <= a, "colours are premultiplied");
        }
    }
    if pixels.check().is_ok() {
        assert_eq!(levels.len(), pixels.width.max(pixels.height).ilog2() as usize);
    } else {
        assert_eq!(levels, [], "there are fewer texels than the size needs");
    }
    assert!(Levels::with_mipmaps(pixels.clone()).smaller() == levels);
}

fn whole(pixels: &Pixels) {
    assert_eq!(pixels.rgba.len() as u64, u64::from(pixels.width) * u64::from(pixels.height) * 4);
}
