//! Tests of drawing options (background, edges and texels) and of verbosity.

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, at, puppet};

#[test]
fn what_is_translucent_mixes_with_the_background() {
    let desk = Desk::new();
    let glass = Builder::new()
        .image(1, &[[200, 100, 0, 128]])
        .bone("root", None)
        .quad("glass", 0, 0, [-10.0, -10.0], [10.0, 10.0])
        .animation("still", false, &[[at(0.0, 0.0)]]);
    desk.put("glass.pchr", &glass);
    let center = |background: &str| {
        desk.capture(
            "glass.pchr",
            &["--background", background, "-s", "32x32", "-o", "a.png"],
        );
        desk.picture("a.png").at(16, 16)
    };
    let [r, g, b, a] = center("none");
    assert_eq!(a, 128);
    assert!(r.abs_diff(200) <= 1 && g.abs_diff(100) <= 1 && b == 0);
    let [r, g, b, a] = center("#0000ff");
    assert_eq!(a, 255);
    assert!(r.abs_diff(100) <= 1 && g.abs_diff(50) <= 1 && b.abs_diff(127) <= 1);
    let [r, _, _, a] = center("checker");
    assert!(a == 255 && r.abs_diff(202) <= 1);
}

#[test]
fn texels_are_blended_or_not() {
    let desk = Desk::new();
    let (black, white) = ([0, 0, 0, 255], [255; 4]);
    let halves = Builder::new()
        .image(2, &[black, white])
        .bone("root", None)
        .quad("halves", 0, 0, [-32.0, -8.0], [32.0, 8.0])
        .animation("still", false, &[[at(0.0, 0.0)]]);
    desk.put("halves.pchr", &halves);
    let row = |filter: &[&str]| {
        let view = ["-s", "64x16", "--fit", "none", "-o", "a.png"];
        desk.capture("halves.pchr", &[&view[..], filter].concat());
        let shown = desk.picture("a.png");
        (0..64).map(|x| shown.at(x, 8)).collect::<Vec<_>>()
    };
    let nearest = row(&["--filter", "nearest"]);
    assert!(nearest[..32].iter().all(|texel| *texel == black));
    assert!(nearest[32..].iter().all(|texel| *texel == white));
    let linear = row(&["--filter", "linear"]);
    assert!(linear.is_sorted() && linear[0] == black && linear[63] == white);
    let between = linear.iter().filter(|[r, ..]| (1..255).contains(r));
    assert!(between.count() > 24);
    assert_eq!(row(&[]), linear, "linear is the default");
}

#[test]
fn mipmaps_calm_what_is_zoomed_out() {
    let desk = Desk::new();
    let stripe = |i: u32| {
        if i.is_multiple_of(2) {
            [0, 0, 0, 255]
        } else {
            [255; 4]
        }
    };
    let texels: Vec<_> = (0..256 * 256).map(|i| stripe(i % 256)).collect();
    let stripes = Builder::new()
        .image(256, &texels)
        .bone("root", None)
        .quad("stripes", 0, 0, [-300.0, -300.0], [300.0, 300.0])
        .animation("still", false, &[[at(0.0, 0.0)]]);
    desk.put("stripes.pchr", &stripes);
    let row = |mipmaps: &[&str]| {
        let view = ["-s", "60x60", "--fit", "none", "--zoom", "0.1"];
        desk.capture(
            "stripes.pchr",
            &[&view[..], mipmaps, &["-o", "a.png"]].concat(),
        );
        let shown = desk.picture("a.png");
        (4..56).map(|x| shown.at(x, 30)[0]).collect::<Vec<_>>()
    };
    let spread = |row: &[u8]| row.iter().max().unwrap() - row.iter().min().unwrap();
    let (wild, calm) = (row(&[]), row(&["--mipmaps"]));
    assert!(spread(&wild) > 200, "{wild:?}");
    assert!(spread(&calm) < 120, "{calm:?}");
}

#[test]
fn as_much_is_said_as_was_asked_for() {
    let desk = Desk::new();
    let mut unnamed = puppet();
    unnamed.parts.animations.remove(0);
    unnamed.parts.fps = 0;
    unnamed.parts.flags = 1;
    desk.put("unnamed.pchr", &unnamed);
    let said = |flags: &[&str]| {
        let args = [
            "capture",
            "unnamed.pchr",
            "--renderer",
            "cpu",
            "-o",
            "a.png",
        ];
        let output = desk.run(&[&args[..], flags].concat());
        succeeded(&output);
        assert_eq!(output.stdout, b"");
        said(&output).to_owned()
    };
    let usual = said(&[]);
    assert!(usual.contains("warning: unnamed.pchr: PCHR-W"), "{usual}");
    assert!(usual.contains("(and 1 more; list them with -v)"), "{usual}");
    assert!(usual.contains(
        "note: unnamed.pchr: no animation is named like a bind pose (bind, rest, setup, tpose); "
    ));
    assert_eq!(said(&["-q"]), "");
    assert_eq!(said(&["--quiet"]), "");
    let much = said(&["-v"]);
    assert_eq!(much.matches("warning: ").count(), 2, "{much}");
    assert!(much.contains("wrote a.png"), "{much}");
    assert!(!said(&["--bind", "none"]).contains("bind pose"));
}

#[test]
fn help_and_version_are_results() {
    let desk = Desk::new();
    for (args, wanted) in [
        (&["--help"][..], "Examples:"),
        (&["capture", "--help"], "--renderer"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let output = desk.run(args);
        succeeded(&output);
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(text.contains(wanted), "{text}");
        assert_eq!(said(&output), "");
    }
}
