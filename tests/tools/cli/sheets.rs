//! Tests of sheets: pictures become an atlas, and captures of the atlas have the same pixels.

use crate::desk::{Desk, said, succeeded};
use crate::fixture::CLIPS;
use serde_json::Value;

const SIZE: [&str; 2] = ["-s", "64x48"];
/// Options for one screen pixel per page pixel, with the source in the middle.
const EXACT: [&str; 6] = ["--zoom", "1", "--center", "0,0", "--msaa", "1"];

#[test]
fn an_atlas_shows_what_the_captures_show() {
    let desk = Desk::new();
    let all = ["-a", "all", "-f", "all"];
    desk.capture(
        "puppet.pchr",
        &[
            &SIZE[..],
            &all,
            &["-o", "direct/{animation}-{frame:04}.png"],
        ]
        .concat(),
    );
    let json = desk.run(
        &[
            &[
                "capture",
                "puppet.pchr",
                "--renderer",
                "cpu",
                "--json",
                "-o",
                "sheet/puppet.pct",
            ],
            &SIZE[..],
            &all,
        ]
        .concat(),
    );
    succeeded(&json);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["sheet"]["path"], "sheet/puppet.pct");
    assert_eq!(report["sheet"]["pages"][0], "sheet/puppet.png");
    let animations = report["sheet"]["animations"].as_array().unwrap();
    assert_eq!(animations.len(), CLIPS.len());
    for (animation, (name, count)) in animations.iter().zip(CLIPS) {
        assert_eq!(animation["name"], name);
        let sprites = animation["sprites"].as_array().unwrap();
        assert_eq!(sprites.len(), count);
        assert_eq!(sprites[0], format!("{name}/0000"));
        assert!(animation["fps"].as_f64().unwrap() > 0.0);
        let pivot = [0, 1].map(|i| animation["pivot"][i].as_f64().unwrap());
        assert!(pivot.iter().all(|part| part.is_finite()), "{pivot:?}");
    }
    for (name, count) in CLIPS {
        for frame in 0..count {
            // A flip-book is named by its pattern, a single sprite by its own name.
            let book = if count == 1 {
                format!("{name}/0000")
            } else {
                format!("{name}/*")
            };
            let args = ["-a", &book, "-f", &frame.to_string(), "-o", "again.png"];
            desk.capture("sheet/puppet.pct", &[&SIZE[..], &EXACT, &args].concat());
            let direct = format!("direct/{name}-{frame:04}.png");
            assert_eq!(
                desk.picture("again.png").pixels,
                desk.picture(&direct).pixels,
                "{direct}"
            );
        }
    }
}

/// A sheet keeps the speed of the animation, so its frame rate follows from its frames. Its pictures must fit in memory.
#[test]
fn a_sheet_of_every_second_frame_has_half_the_rate() {
    let desk = Desk::new();
    let (name, _) = CLIPS[1];
    let sheet = |frames: &str| {
        let args = ["capture", "puppet.pchr", "--json", "--renderer", "cpu"];
        let size = ["-a", name, "-f", frames, "-s", "8x8", "-o", "{file}-2.pct"];
        let json = desk.run(&[&args[..], &size].concat());
        succeeded(&json);
        let report: Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(report["sheet"]["path"], "puppet-2.pct");
        report["sheet"]["animations"][0]["fps"].as_f64().unwrap()
    };
    let [whole, half, uneven] = ["0..3", "0..:2", "0,1,3"].map(sheet);
    assert_eq!([half * 2.0, uneven], [whole; 2]);
    for (output, why) in [
        ("{animation}.pct", "its name may contain {file}, but not"),
        ("a{frame}.pct", "its name may contain {file}, but not"),
    ] {
        let refused = desk.run(&["capture", "puppet.pchr", "-o", output]);
        assert_eq!(refused.status.code(), Some(2), "{output}");
        assert!(said(&refused).contains(why), "{}", said(&refused));
    }
    let large = ["-s", "16384x16384", "-f", "0,1", "-o", "a.pct"];
    let large = desk.run(&[&["capture", "puppet.pchr", "--renderer", "cpu"], &large[..]].concat());
    assert_eq!(large.status.code(), Some(2));
    assert!(
        said(&large).contains("expected at most 1 of this size"),
        "{}",
        said(&large)
    );
}

#[test]
fn mipmaps_of_an_atlas_are_ignored_and_sprites_show_nothing_of_their_neighbours() {
    let desk = Desk::new();
    let side: u32 = 64;
    let colors = [[220, 0, 0, 255], [0, 0, 220, 255]];
    let texel = |i: u32| colors[usize::from(i % (2 * side) >= side)];
    let texels: Vec<u8> = (0..2 * side * side).flat_map(texel).collect();
    let mut page = Vec::new();
    let mut encoder = png::Encoder::new(&mut page, 2 * side, side);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&texels).unwrap();
    writer.finish().unwrap();
    desk.put_bytes("a.png", &page);
    let text = "PCT:1.0\nP:a.png,RGBA8888,128,64,0\n#0\nred|0|0,0,64,64\nblue|0|64,0,64,64\n";
    desk.put_bytes("a.pct", text.as_bytes());
    let arguments = [
        "-a",
        "red",
        "-s",
        "4x4",
        "--fit",
        "none",
        "--zoom",
        "0.05",
        "--msaa",
        "1",
        "--mipmaps",
    ];
    let run = desk.run(
        &[
            &["capture", "a.pct", "--renderer", "cpu", "-o", "out.png"],
            &arguments[..],
        ]
        .concat(),
    );
    succeeded(&run);
    assert!(
        said(&run).contains("--mipmaps is ignored for an atlas"),
        "{}",
        said(&run)
    );
    let shown = desk.picture("out.png");
    for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
        assert_eq!(shown.at(x, y), colors[0], "{x}, {y}");
    }
}
