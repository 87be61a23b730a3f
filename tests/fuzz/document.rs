//! Small documents from arbitrary bytes: nearly always valid, with all kinds of odd content.

use arbitrary::{Result, Unstructured};
use pchr::document::{
    AnimationParts, BoneParts, BoneTransform, DocumentParts, ImageFormat, ImageParts, MeshParts,
    Vertex,
};

/// Names with a special meaning somewhere, and hostile ones.
const NAMES: &str = "|root|bind|T-Pose|walk|all|..|a/b\\c|CON|é\u{202e}|\u{0}\n\"'$(x)`|{frame}";

/// Parts of a document.
pub fn parts(u: &mut Unstructured<'_>) -> Result<DocumentParts> {
    let opaque = u.arbitrary()?;
    let images = list(u, 3, |u| image(u, opaque))?;
    let count = u.int_in_range(0..=9_u16)?;
    let mut bones = Vec::new();
    for index in 0..count {
        let parent =
            if index > 0 && u.ratio(7, 8)? { Some(u.int_in_range(0..=index - 1)?) } else { None };
        bones.push(BoneParts { name: name(u)?, parent });
    }
    let meshes =
        if images.is_empty() { Vec::new() } else { list(u, 6, |u| mesh(u, images.len(), count))? };
    let animations = list(u, 3, |u| animation(u, count))?;
    Ok(DocumentParts {
        fps: *u.choose(&[24, 0, 1, 30, 60, u16::MAX])?,
        flags: u16::from(u.ratio(1, 16)?),
        images,
        bones,
        meshes,
        animations,
        trailing: if u.ratio(1, 16)? { vec![7; 3] } else { Vec::new() },
    })
}

/// Damages the bytes of a file in a few places.
pub fn damage(u: &mut Unstructured<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=4)? {
        if bytes.is_empty() {
            return Ok(());
        }
        let at = u.choose_index(bytes.len())?;
        match u.int_in_range(0..=5)? {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, u.arbitrary()?),
            2 => drop(bytes.remove(at)),
            3 => {
                let number = *u.choose(&[0_u16, 1, 0x7f, 0x7fff, 0x8000, 0xffff])?;
                for (to, byte) in bytes.iter_mut().skip(at).zip(number.to_le_bytes()) {
                    *to = byte;
                }
            }
            _ => bytes[at] = u.arbitrary()?,
        }
    }
    Ok(())
}

/// List of up to `most` items.
pub fn list<T>(
    u: &mut Unstructured<'_>,
    most: usize,
    mut one: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..u.int_in_range(0..=most)?).map(|_| one(u)).collect()
}

/// A number: mostly within `reach` of 0, sometimes any `f32`.
pub fn number(u: &mut Unstructured<'_>, reach: f32) -> Result<f32> {
    const ODD: [f32; 10] =
        [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, f32::MIN_POSITIVE, 65_536.0, -65_537.0, 1e-13];
    Ok(match u.int_in_range(0..=31)? {
        31 => f32::from_bits(u.arbitrary()?),
        30 => *u.choose(&ODD)?,
        0..=9 => f32::from(u.arbitrary::<i8>()?) / 128.0 * reach,
        _ => f32::from(u.arbitrary::<i16>()?) / 32_768.0 * reach,
    })
}

/// The same, but always finite.
pub fn finite(u: &mut Unstructured<'_>, reach: f32) -> Result<f32> {
    let number = number(u, reach)?;
    Ok(if number.is_finite() { number } else { 0.0 })
}

fn name(u: &mut Unstructured<'_>) -> Result<String> {
    if u.ratio(1, 8)? {
        return Ok(u.arbitrary::<&str>()?.chars().take(40).collect());
    }
    let names: Vec<&str> = NAMES.split('|').collect();
    Ok((*u.choose(&names)?).to_owned())
}

fn image(u: &mut Unstructured<'_>, opaque: bool) -> Result<ImageParts> {
    let (width, height) = (u.int_in_range(0..=9_u16)?, u.int_in_range(0..=9_u16)?);
    let mut texels = texels(u, usize::from(width) * usize::from(height))?;
    if opaque {
        texels.iter_mut().for_each(|[.., alpha]| *alpha = 255);
    }
    let (format, data) = match u.int_in_range(0..=7)? {
        _ if opaque => (ImageFormat::Rgba8888, texels.concat()),
        0 => (ImageFormat::Png, u.arbitrary::<&[u8]>()?.to_vec()),
        1..=3 => (ImageFormat::Png, odd_png(u)?),
        _ => (ImageFormat::Rgba8888, texels.concat()),
    };
    Ok(ImageParts { name: name(u)?, width, height, format, data })
}

/// Texels from arbitrary bytes, followed by a pattern once those run out.
pub fn texels(u: &mut Unstructured<'_>, count: usize) -> Result<Vec<[u8; 4]>> {
    let given = u.int_in_range(0..=count.min(16))?;
    let given = u.bytes((given * 4).min(u.len()))?.as_chunks::<4>().0;
    let pattern = (0..count).map(|i| {
        let i = i as u8;
        [i.wrapping_mul(37), i.wrapping_mul(101), i, i.wrapping_mul(64)]
    });
    Ok(given.iter().copied().chain(pattern).take(count).collect())
}

/// PNG of any colour type.
pub fn odd_png(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    use png::{BitDepth, ColorType};
    let (width, height) = (u.int_in_range(1..=9_u32)?, u.int_in_range(1..=9_u32)?);
    let (color, depth, bits) = *u.choose(&[
        (ColorType::Rgba, BitDepth::Eight, 32),
        (ColorType::Rgb, BitDepth::Eight, 24),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, 16),
        (ColorType::Grayscale, BitDepth::One, 1),
        (ColorType::Grayscale, BitDepth::Sixteen, 16),
        (ColorType::Indexed, BitDepth::Two, 2),
        (ColorType::Rgba, BitDepth::Sixteen, 64),
        (ColorType::Rgb, BitDepth::Sixteen, 48),
        (ColorType::GrayscaleAlpha, BitDepth::Sixteen, 32),
    ])?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![9, 8, 7, 1, 2, 3, 200, 100, 50]);
        if u.arbitrary()? {
            encoder.set_trns(vec![0, 128]);
        }
    }
    let row = (width as usize * bits).div_ceil(8);
    let fill: u8 = u.arbitrary()?;
    let data: Vec<u8> =
        (0..row * height as usize).map(|i| fill.wrapping_mul(i as u8 | 1)).collect();
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&data));
    written.expect("writing to memory succeeds");
    Ok(file)
}

fn mesh(u: &mut Unstructured<'_>, images: usize, bones: u16) -> Result<MeshParts> {
    let vertices = list(u, 12, |u| vertex(u, bones))?;
    let indices = match vertices.len() as u16 {
        0 => Vec::new(),
        // A strip that uses every vertex.
        count if u.arbitrary()? => (2..count).flat_map(|i| [i - 2, i - 1, i]).collect(),
        count => {
            let triangle = |u: &mut Unstructured<'_>| {
                let corner = |u: &mut Unstructured<'_>| u.int_in_range(0..=count - 1);
                Ok([corner(u)?, corner(u)?, corner(u)?])
            };
            list(u, 12, triangle)?.concat()
        }
    };
    Ok(MeshParts { name: name(u)?, image: u.choose_index(images)? as u16, vertices, indices })
}

fn vertex(u: &mut Unstructured<'_>, bones: u16) -> Result<Vertex> {
    let mut vertex = Vertex {
        position: [finite(u, 40.0)?, finite(u, 40.0)?],
        uv: [finite(u, 1.0)?.abs(), finite(u, 1.0)?.abs()],
        ..Vertex::default()
    };
    let used = u.int_in_range(1..=4)?;
    for (weight, id) in vertex.bone_weights.iter_mut().zip(&mut vertex.bone_ids).take(used) {
        *weight = if used == 1 { 1.0 } else { finite(u, 1.0)? };
        *id = u.arbitrary()?;
        if *weight > 0.0 {
            match bones {
                0 => *weight = 0.0,
                bones => *id %= bones,
            }
        }
    }
    Ok(vertex)
}

fn animation(u: &mut Unstructured<'_>, bones: u16) -> Result<AnimationParts> {
    let frame_count = u.int_in_range(0..=4)?;
    let (name, flags) = (name(u)?, u.int_in_range(0..=2)?);
    let transforms = (0..frame_count * bones).map(|_| transform(u)).collect::<Result<_>>()?;
    Ok(AnimationParts { name, flags, frame_count, transforms })
}

fn transform(u: &mut Unstructured<'_>) -> Result<BoneTransform> {
    if u.ratio(1, 2)? {
        return Ok(BoneTransform {
            z_order: u.arbitrary::<i8>()?.into(),
            ..BoneTransform::default()
        });
    }
    Ok(BoneTransform {
        x: number(u, 20.0)?,
        y: number(u, 20.0)?,
        rotation: number(u, 360.0)?,
        scale_x: number(u, 2.0)?,
        scale_y: number(u, 2.0)?,
        flags: u.int_in_range(0..=3)?,
        z_order: u.arbitrary()?,
    })
}
