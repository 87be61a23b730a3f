//! Tests of options that override the file: parts, draw order, looping and background.

use png::{BitDepth, ColorType};

use crate::desk::Desk;
use crate::fixture::{BLUE, GREEN, RED, puppet};

#[test]
fn meshes_are_meant_by_their_index_unless_one_is_named_so() {
    let desk = Desk::new();
    let counts = |args: &[&str]| {
        let shown = desk.plain(args);
        [RED, GREEN, BLUE].map(|color| shown.count(color) > 0)
    };
    assert_eq!(counts(&["--hide", "#0"]), [true, true, false]);
    assert_eq!(
        counts(&["--only", "#0", "--only", "#2"]),
        [false, true, true]
    );
    let mut named = puppet();
    named.parts.meshes[2].name = "#0".into();
    desk.put("named.pchr", &named);
    desk.capture("named.pchr", &["--hide", "#0", "-o", "a.png"]);
    let shown = desk.picture("a.png");
    assert!(shown.count(GREEN) == 0 && shown.count(BLUE) > 0);
}

#[test]
fn animations_and_bind_poses_are_meant_by_their_index() {
    let desk = Desk::new();
    assert_eq!(
        desk.plain(&["-a", "#3", "-f", "1"]),
        desk.plain(&["-a", "swap", "-f", "1"])
    );
    let bind = |bind: &str| desk.plain(&["--bind", bind]);
    assert_eq!(bind("#1:2"), bind("walk:2"));
    assert_ne!(bind("#1:2"), bind("walk:0"));
    let mut named = puppet();
    named.parts.animations[4].name = "#1".into();
    desk.put("named.pchr", &named);
    for (animation, file) in [("#1", "a.png"), ("4", "b.png"), ("walk", "c.png")] {
        desk.capture("named.pchr", &["-a", animation, "-f", "1", "-o", file]);
    }
    assert_eq!(desk.bytes("a.png"), desk.bytes("b.png"));
    assert_ne!(desk.bytes("a.png"), desk.bytes("c.png"));
}

#[test]
fn a_picture_lies_behind_and_covers_everything() {
    let desk = Desk::new();
    // The background is twice as wide as needed, so its outer quarters are cut off.
    let (a, b) = ([10, 20, 30], [200, 210, 220]);
    let row = [[[9; 3]; 5], [a; 5], [b; 5], [[8; 3]; 5]].concat();
    let png = encode(
        [20, 6],
        ColorType::Rgb,
        BitDepth::Eight,
        &row.as_flattened().repeat(6),
    );
    desk.put_bytes("behind.png", &png);
    let shown = desk.plain(&["--background", "behind.png"]);
    assert_eq!([shown.at(15, 0), shown.at(80, 119)], [[10, 20, 30, 255]; 2]);
    assert_eq!(
        [shown.at(120, 0), shown.at(185, 119)],
        [[200, 210, 220, 255]; 2]
    );
    assert_eq!((shown.at(60, 60), shown.count([9, 9, 9, 255])), (RED, 0));
    std::fs::copy(desk.path("behind.png"), desk.path("behind")).unwrap();
    let by_path = desk.plain(&["--background", "./behind"]);
    assert_eq!(shown, by_path, "a name with a folder is a path");
}

#[test]
fn every_kind_of_png_may_lie_behind() {
    let desk = Desk::new();
    let kinds = [
        (ColorType::Grayscale, BitDepth::One, &[0b1000_0000][..], 255),
        (ColorType::Grayscale, BitDepth::Sixteen, &[77, 200], 77),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, &[100, 51], 183),
        (ColorType::Rgba, BitDepth::Eight, &[100, 100, 100, 51], 183),
        (ColorType::Rgb, BitDepth::Eight, &[5, 5, 5], 5),
        (ColorType::Indexed, BitDepth::Eight, &[1], 60),
    ];
    // Transparent parts show a light square below.
    for (color, depth, data, grey) in kinds {
        desk.put_bytes("behind.png", &encode([1, 1], color, depth, data));
        let shown = desk.plain(&["--background", "behind.png"]);
        assert_eq!(
            shown.at(0, 0),
            [grey, grey, grey, 255],
            "{color:?} {depth:?}"
        );
    }
}

#[test]
fn squares_show_where_a_picture_behind_is_clear() {
    let desk = Desk::new();
    let clear = encode([1, 1], ColorType::Rgba, BitDepth::Eight, &[9, 9, 9, 0]);
    desk.put_bytes("behind.png", &clear);
    let shown = desk.plain(&["--background", "behind.png"]);
    assert_eq!(shown, desk.plain(&["--background", "checker"]));
}

fn encode([width, height]: [u32; 2], color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(&[1, 2, 3, 60, 60, 60]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}
