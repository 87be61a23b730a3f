//! Tests of options that override the file: parts, draw order, looping and background.

use png::{BitDepth, ColorType};

use crate::desk::{Desk, said};
use crate::fixture::{BLUE, GREEN, RED, puppet};

#[test]
fn what_the_file_hides_can_be_shown() {
    let desk = Desk::new();
    let green = |args: &[&str]| {
        let hidden = [&["-a", "blink", "-f", "1"], args].concat();
        desk.plain(&hidden).count(GREEN)
    };
    assert_eq!(green(&[]), 0);
    for mesh in ["part.green", "#2", "part.*", "*"] {
        assert_eq!(green(&["--show", mesh]), 1600, "{mesh}");
    }
    assert_eq!(green(&["--show", "shadow"]), 0);
    assert_eq!(green(&["--show", "shadow", "--show", "#2"]), 1600);
    assert_eq!(
        green(&["--show", "*", "--hide", "#2"]),
        0,
        "--hide takes precedence"
    );
    let alone = desk.plain(&["-a", "blink", "-f", "1", "--only", "#1", "--show", "#2"]);
    let counts = [RED, GREEN, BLUE].map(|color| alone.count(color));
    assert_eq!(counts, [1600, 1600, 0]);
}

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
fn meshes_are_drawn_at_another_place_of_the_order() {
    let desk = Desk::new();
    // Red covers the place of green: at 1 in the first frame and -1 in the second, with green at 0.
    let counts = |frame: &str, orders: &[&str]| {
        let orders = orders.iter().flat_map(|order| ["--z-order", order]);
        let args: Vec<&str> = ["-a", "swap", "-f", frame]
            .into_iter()
            .chain(orders)
            .collect();
        let shown = desk.plain(&args);
        (shown.count(RED), shown.count(GREEN))
    };
    let (red, green) = ((1600, 0), (0, 1600));
    assert_eq!(counts("0", &[]), red);
    assert_eq!(counts("0", &["part.red=-0.5"]), green);
    assert_eq!(counts("0", &["#2=1.0000000000000002"]), green);
    assert_eq!(
        counts("0", &["part.green=1"]),
        green,
        "equal draw orders: by index"
    );
    assert_eq!(counts("0", &["part.*=3"]), green);
    assert_eq!(counts("1", &["part.red=0.5"]), red);
    assert_eq!(
        counts("1", &["part.red=0.5", "part.red=-2"]),
        green,
        "the last value is used"
    );
}

#[test]
fn looping_is_as_it_is_asked_for() {
    let desk = Desk::new();
    let jump = |args: &[&str]| desk.plain(&[&["-a", "jump"], args].concat());
    assert_eq!(jump(&["--time", "0.25"]), jump(&["-f", "1"]));
    assert_eq!(
        jump(&["--time", "0.25", "--loop", "on"]),
        jump(&["-f", "0"])
    );
    let walk = |args: &[&str]| desk.plain(args);
    assert_eq!(walk(&["--time", "0.55"]), walk(&["-f", "1"]));
    assert_eq!(
        walk(&["--time", "0.55", "--loop", "off"]),
        walk(&["-f", "3"])
    );
    let end = ["--time", "0.35", "--smooth"];
    assert_ne!(
        walk(&end),
        walk(&["-f", "3"]),
        "blends into the first frame"
    );
    let held = [&end[..], &["--loop", "off"]].concat();
    assert_eq!(walk(&held), walk(&["-f", "3"]));
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
fn a_checker_has_the_colours_and_the_squares_that_are_asked_for() {
    let desk = Desk::new();
    let shown = desk.plain(&["--background", "checker:#0a0b0c,#f0f1f2,16"]);
    let (even, odd) = ([10, 11, 12, 255], [240, 241, 242, 255]);
    assert_eq!(
        [shown.at(0, 0), shown.at(15, 15), shown.at(16, 16)],
        [even; 3]
    );
    assert_eq!([shown.at(16, 0), shown.at(0, 16)], [odd; 2]);
    assert_eq!(shown.at(60, 60), RED);
    let shown = desk.plain(&["--background", "checker:#0a0b0c,#f0f1f2"]);
    assert_eq!([shown.at(7, 0), shown.at(8, 0)], [even, odd]);
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

#[test]
fn a_background_that_cannot_be_read_is_a_failure_while_running() {
    let desk = Desk::new();
    desk.put_bytes("broken.png", b"no picture");
    for file in ["absent.png", "broken.png"] {
        let output = desk.run(&[
            "capture",
            "puppet.pchr",
            "--background",
            file,
            "-o",
            "a.png",
        ]);
        assert_eq!(output.status.code(), Some(1));
        let wanted = format!("error: cannot read the background {file}: ");
        assert!(said(&output).starts_with(&wanted), "{}", said(&output));
        assert!(!desk.path("a.png").exists());
    }
}

#[test]
fn what_is_asked_for_in_a_wrong_way_is_a_usage_error() {
    let desk = Desk::new();
    for (args, wanted) in [
        (["--show", "hat*"], "no mesh matches"),
        (["--show", "#3"], "no mesh matches"),
        (["--z-order", "hat=3"], "no mesh matches"),
        (["--z-order", "shadow"], "expected MESH=N"),
        (["--z-order", "shadow=up"], "expected MESH=N"),
        (["--loop", "once"], "invalid value"),
        (["--overlay-scale", "9"], "invalid value"),
        (["--overlay", "onion=1,2,0"], "optionally a step"),
        (["--overlay", "onion=33"], "before and after, 0 to 32"),
        (
            ["--overlay", "trail=hand"],
            "no bone is named \"hand\"; available:",
        ),
        (
            ["--overlay", "trail=hat:1"],
            "no mesh is named \"hat\"; available:",
        ),
        (["--overlay", "trail=shadow:4"], "vertex 4 does not exist"),
        (["--onion-tint", "#ff0000"], "invalid colours \"#ff0000\""),
        (["--background", "photo.jpg"], "invalid background"),
        (["--background", "checker:#000000"], "invalid background"),
        (["-a", "#5"], "no animation is named"),
        (["--bind", "#5:0"], "no animation is named"),
    ] {
        let output = desk.run(&[&["capture", "puppet.pchr", "-o", "a.png"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            said(&output).contains(wanted),
            "{args:?}: {}",
            said(&output)
        );
    }
    assert_eq!(desk.made(), [""; 0]);
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
