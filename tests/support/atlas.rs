//! A small atlas whose sprites differ by colour alone.
#![allow(dead_code, reason = "each test file uses its part")]

/// Text and pages of an atlas.
pub(crate) struct Sheet {
    pub(crate) text: String,
    /// Images of the pages, by their paths.
    pub(crate) pages: Vec<(String, Vec<u8>)>,
}

/// Side of the squares in pixels.
pub(crate) const SIDE: u32 = 32;

/// Atlas of two pages. The first has a flip-book of four squares in these colours and a white sword with an alias below it.
/// The second has a square, and a shield of half its side that was trimmed from a square.
pub(crate) fn sheet(walk: [[u8; 3]; 4], spark: [u8; 3]) -> Sheet {
    let text = "PCT:1.0
P:a.png,RGBA8888,128,96,0
P:b.png,RGBA8888,64,64,0
F:hero
F:hero/fx
#0
B:0,0,4,32,32
0/walk_#1-4~1
sword~1|0|0,40,48,32
#1
1/spark~1|0|0,0,32,32
shield~1|2|40,0,16,16|32,32,8,8
A:sword~1=blade~1
";
    let walk = |x: u32, y: u32| {
        let square = usize::try_from(x / SIDE).unwrap();
        match y {
            0..32 => Some(walk[square]),
            40..72 if x < 48 => Some([250; 3]),
            _ => None,
        }
    };
    let other = |x: u32, y: u32| match (x, y) {
        (0..32, 0..32) => Some(spark),
        (40..56, 0..16) => Some([120, 120, 0]),
        _ => None,
    };
    Sheet {
        text: text.into(),
        pages: vec![
            ("a.png".into(), page([128, 96], walk)),
            ("b.png".into(), page([64, 64], other)),
        ],
    }
}

/// PNG with opaque pixels of these colours; `None` is transparent.
fn page([width, height]: [u32; 2], color: impl Fn(u32, u32) -> Option<[u8; 3]>) -> Vec<u8> {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let rgba = |(x, y)| color(x, y).map_or([0; 4], |[r, g, b]| [r, g, b, 255]);
    let rgba: Vec<u8> = pixels.flat_map(rgba).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&rgba).unwrap();
    writer.finish().unwrap();
    bytes
}
