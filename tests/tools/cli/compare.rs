//! Tests of `pchr-view compare` with PNG files of every kind, including hostile ones.

use std::process::Output;

use crate::desk::{Desk, Picture, said, succeeded};

fn compare(desk: &Desk, args: &[&str]) -> Output {
    desk.run(&[&["compare"], args].concat())
}

#[track_caller]
fn differ(desk: &Desk, args: &[&str]) -> String {
    let output = compare(desk, args);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn pass(desk: &Desk, args: &[&str]) -> String {
    let output = compare(desk, args);
    succeeded(&output);
    assert_eq!(said(&output), "");
    String::from_utf8(output.stdout).unwrap()
}

/// PNG file of these bytes.
pub(crate) fn encoded(
    [width, height]: [u32; 2],
    color: png::ColorType,
    depth: png::BitDepth,
    bytes: &[u8],
    more: impl Fn(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    more(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(bytes).unwrap();
    writer.finish().unwrap();
    png
}

/// The same eight pixels in every encoding that PNG has for them.
#[test]
fn png_files_of_every_kind_of_colour_are_read() {
    use png::BitDepth::*;
    use png::ColorType::*;
    let desk = Desk::new();
    let put = |name: &str, color, depth, bytes: &[u8], palette: &[u8], clear: &[u8]| {
        let png = encoded([8, 1], color, depth, bytes, |encoder| {
            if !palette.is_empty() {
                encoder.set_palette(palette.to_vec());
            }
            if !clear.is_empty() {
                encoder.set_trns(clear.to_vec());
            }
        });
        desk.put_bytes(name, &png);
    };
    let (white, black) = ([255; 4], [0, 0, 0, 255]);
    let pixels = [white, black, black, white, black, white, white, white];
    let each = |bytes: &dyn Fn(u8) -> Vec<u8>| -> Vec<u8> {
        pixels.iter().flat_map(|pixel| bytes(pixel[0])).collect()
    };
    let bits = [0b1001_0111];
    put("rgba8.png", Rgba, Eight, pixels.as_flattened(), &[], &[]);
    put("rgba16.png", Rgba, Sixteen, &each(&|v| vec![v, v, v, v, v, v, 255, 255]), &[], &[]);
    put("rgb8.png", Rgb, Eight, &each(&|v| vec![v; 3]), &[], &[]);
    put("rgb16.png", Rgb, Sixteen, &each(&|v| vec![v; 6]), &[], &[]);
    put("grey1.png", Grayscale, One, &bits, &[], &[]);
    put("grey8.png", Grayscale, Eight, &each(&|v| vec![v]), &[], &[]);
    put("grey16.png", Grayscale, Sixteen, &each(&|v| vec![v; 2]), &[], &[]);
    put("alpha8.png", GrayscaleAlpha, Eight, &each(&|v| vec![v, 255]), &[], &[]);
    put("alpha16.png", GrayscaleAlpha, Sixteen, &each(&|v| vec![v, v, 255, 255]), &[], &[]);
    put("palette1.png", Indexed, One, &bits, &[0, 0, 0, 255, 255, 255], &[]);
    let swapped = [255, 255, 255, 0, 0, 0];
    put("palette8.png", Indexed, Eight, &each(&|v| vec![1 - v / 255]), &swapped, &[255]);
    let names: Vec<String> = desk.made();
    assert_eq!(names.len(), 11);
    for name in &names {
        pass(&desk, &["rgba8.png", name, "--tolerance", "0"]);
    }
    // Transparency outside an alpha channel is compared as well.
    put("clear.png", Indexed, One, &bits, &[0, 0, 0, 255, 255, 255], &[0, 255]);
    let text = differ(&desk, &["rgba8.png", "clear.png"]);
    assert!(text.contains("3 of 8 pixels (37.5%)") && text.contains("only alpha differs"));
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(kind);
    crc.update(data);
    let len = (data.len() as u32).to_be_bytes();
    [&len[..], kind, data, &crc.sum().to_be_bytes()].concat()
}

fn zeros(count: usize) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..count >> 20 {
        encoder.write_all(&[0; 1 << 20]).unwrap();
    }
    encoder.write_all(&vec![0; count % (1 << 20)]).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn hostile_png_files_are_compared_or_refused_in_a_line() {
    let desk = Desk::new();
    let picture = Picture { width: 10, height: 10, pixels: vec![[100, 100, 100, 255]; 100] };
    let grey = picture.encode();
    desk.put_bytes("grey.png", &grey);
    let (start, rest) = grey.split_at(33); // after the header
    let with = |chunks: &[Vec<u8>]| [start, &chunks.concat(), rest].concat();
    let sized = |width: u32, height: u32| {
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
        [&start[..8], &chunk(b"IHDR", &header), rest].concat()
    };
    let profile = |data: &[u8]| chunk(b"iCCP", &[b"bomb\0\0", data].concat());
    // An animated PNG: the default image is compared.
    let (color, depth) = (png::ColorType::Grayscale, png::BitDepth::Eight);
    let animated =
        encoded([10, 10], color, depth, &[100; 100], |png| png.set_animated(1, 0).unwrap());
    // Adam7 interlacing with all pixels of one colour, in 7 passes.
    let passes = [[2, 2], [1, 2], [3, 1], [2, 3], [5, 2], [5, 5], [10, 5]];
    let rows = passes.iter().flat_map(|[width, height]| std::iter::repeat_n(*width, *height));
    let interlaced: Vec<u8> = rows.flat_map(|width| [vec![0], vec![100; width]].concat()).collect();
    let mut compressed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut compressed, &interlaced).unwrap();
    let header = [0, 0, 0, 10, 0, 0, 0, 10, 8, 0, 0, 0, 1];
    let interlaced = [
        &start[..8],
        &chunk(b"IHDR", &header),
        &chunk(b"IDAT", &compressed.finish().unwrap()),
        &chunk(b"IEND", b""),
    ]
    .concat();
    let same: [(&str, Vec<u8>); 5] = [
        ("plain", grey.clone()),
        ("profile", with(&[profile(&zeros(300 << 20))])),
        ("text", with(&[chunk(b"zTXt", &[b"x\0\0", &zeros(300 << 20)[..]].concat())])),
        ("animated", animated),
        ("interlaced", interlaced),
    ];
    for (name, png) in same {
        desk.put_bytes("other.png", &png);
        let text = pass(&desk, &["grey.png", "other.png", "--tolerance", "0"]);
        assert_eq!(text, "grey.png and other.png: the same\n", "{name}");
    }
    let mut damaged = grey.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let len_of_a_gigabyte = [&(1_u32 << 30).to_be_bytes()[..], b"iCCP", &[0; 64]].concat();
    let broken: [(&str, Vec<u8>); 7] = [
        ("a chunk of a gigabyte that is not there", with(&[len_of_a_gigabyte])),
        ("a bomb", sized(60_000, 60_000)),
        ("as large as can be", sized(u32::MAX >> 1, u32::MAX >> 1)),
        ("no pixels", sized(0, 10)),
        ("more rows than data", sized(10, 11)),
        ("cut off", grey[..grey.len() - 30].to_vec()),
        ("nothing", Vec::new()),
    ];
    for (name, png) in broken {
        desk.put_bytes("other.png", &png);
        for args in [["grey.png", "other.png"], ["other.png", "grey.png"]] {
            let output = compare(&desk, &args);
            assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
            let lines: Vec<&str> = said(&output).lines().collect();
            assert_eq!(lines.len(), 1, "{name}: {lines:?}");
            assert!(lines[0].starts_with("error: cannot read other.png: "), "{name}: {lines:?}");
        }
    }
}
