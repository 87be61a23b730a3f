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
fn a_suite_tests_an_atlas_and_refuses_a_missing_page() {
    let desk = Desk::new();
    let all = ["-a", "all", "-f", "all", "-s", "32x32"];
    desk.capture(
        "puppet.pchr",
        &[&all[..], &["-o", "art/puppet.pct"]].concat(),
    );
    succeeded(&desk.run(&["test", "--init", "art"]));
    let suite = String::from_utf8(desk.bytes("art/suite.toml")).unwrap();
    let (name, count) = CLIPS[1];
    let last = count - 1;
    let (book, frames) = (format!("{name}/*"), format!("0,{},{last}", last / 2));
    assert!(
        suite.contains(&format!("animation = {book:?}\nframe = {frames:?}")),
        "{suite}"
    );
    assert!(!suite.contains("animation = \"#"), "{suite}");
    let run = |args: &[&str]| {
        let mut program = desk.program();
        program.args(args).output().unwrap()
    };
    let test = |args: &[&str]| run(&[&["test", "art/suite.toml"], args].concat());
    succeeded(&test(&["--update"]));
    succeeded(&test(&[]));

    // A pattern puts the baselines of each animation in a folder.
    let one = "[defaults]\nbaselines = \"others\"\n[[case]]\nfile = \"puppet.pct\"\nname = \"some\"\nanimation = \"*\"\nresolution = \"8x8\"\n";
    desk.put_bytes("art/some.toml", one.as_bytes());
    succeeded(&run(&["test", "art/some.toml", "--update"]));
    assert!(desk.path("art/others/some/walk__/0000.png").is_file());

    // A placeholder never becomes a baseline.
    let pages = desk
        .files("art")
        .into_keys()
        .filter(|name| name.ends_with(".png") && !name.contains('/'));
    let pages: Vec<String> = pages.collect();
    let [page] = pages.as_slice() else {
        panic!("{pages:?}")
    };
    let page = desk.path(&format!("art/{page}"));
    std::fs::rename(&page, page.with_extension("gone")).unwrap();
    let before = desk.files("art");
    for args in [&[][..], &["--update=all"]] {
        let missing = test(args);
        assert_eq!(missing.status.code(), Some(4), "{args:?}");
        assert!(
            String::from_utf8_lossy(&missing.stdout).contains("puppet.png"),
            "{missing:?}"
        );
    }
    assert_eq!(desk.files("art"), before);
    // `capture` draws a placeholder and reports it.
    let shown = desk.run(&["capture", "art/puppet.pct", "-s", "8x8", "-o", "a.png"]);
    succeeded(&shown);
    assert!(said(&shown).contains("PCT-W135"), "{}", said(&shown));
}

#[test]
fn an_atlas_is_never_written_over_an_input() {
    let desk = Desk::new();
    desk.capture("puppet.pchr", &["-s", "32x32", "-o", "a.pct"]);
    let before = desk.bytes("a.pct");
    for (file, out) in [("a.pct", "a.pct"), ("a.pct", "./a.pct")] {
        let output = desk.run(&["capture", file, "-o", out, "--renderer", "cpu"]);
        assert_eq!(output.status.code(), Some(2), "{out}");
    }
    assert_eq!(desk.bytes("a.pct"), before);
}

#[test]
fn patterns_mean_animations() {
    let desk = Desk::new();
    let take = |pattern: &str| {
        desk.capture(
            "puppet.pchr",
            &["-a", pattern, "-s", "8x8", "-o", "out/{animation}.png"],
        );
        let names: Vec<String> = desk.files("out").into_keys().collect();
        desk.remove("out");
        names
    };
    let (first, _) = CLIPS[0];
    assert_eq!(take(first), [format!("{first}.png")]);
    assert_eq!(take("*").len(), CLIPS.len());
    let absent = desk.run(&["capture", "puppet.pchr", "-a", "nothing*", "-o", "a.png"]);
    assert_eq!(absent.status.code(), Some(2));
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
