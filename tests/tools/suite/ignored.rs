//! Tests of ignored areas of pictures: rectangles and masks.

use serde_json::json;

use crate::desk::{Desk, Picture};
use crate::suite::stage::{blessed, case, desk, ended, json as read, paint, report, test, told};

/// Suite with two frames of 48 x 32 pixels, and more lines for the defaults and for the case.
fn suite(of_all: &str, of_case: &str) -> String {
    format!(
        "[defaults]\nresolution = \"48x32\"\nmsaa = 1\n{of_all}\n\n[[case]]\nname = \"jump\"\nfile = \"puppet.pchr\"\nanimation = \"jump\"\n\
         frame = \"all\"\n{of_case}\n"
    )
}

/// Changes the colour of one pixel of a baseline.
fn spoil(desk: &Desk, name: &str, [x, y]: [usize; 2]) {
    let mut picture = desk.picture(name);
    picture.pixels[y * 48 + x] = [1, 2, 3, 255];
    paint(desk, name, &picture);
}

/// Writes a mask of 48 x 32 pixels with these pixels painted.
fn mask(desk: &Desk, name: &str, painted: &[[usize; 2]]) {
    let mut pixels = vec![[0, 0, 0, 255]; 48 * 32];
    for [x, y] in painted {
        pixels[y * 48 + x] = [255; 4];
    }
    let picture = Picture {
        width: 48,
        height: 32,
        pixels,
    };
    paint(desk, name, &picture);
}

#[test]
fn what_is_ignored_does_not_fail_and_is_told() {
    for (of_all, of_case) in [
        ("ignore = [\"2,3,4x1\", \"40,30,8x2\"]", ""),
        ("", "ignore = [\"2,3,4x1\", \"40,30,8x2\"]"),
        // A case's rectangles replace those of the defaults.
        (
            "ignore = \"0,0,1x1\"",
            "ignore = [\"2,3,4x1\", \"40,30,8x2\"]",
        ),
    ] {
        let desk = blessed(&suite("", ""));
        spoil(&desk, "baselines/jump/0001.png", [5, 3]);
        ended(
            &test(&desk, &[]),
            3,
            "error: 1 of 2 frames differs from its baseline",
        );
        desk.put_bytes("suite.toml", suite(of_all, of_case).as_bytes());
        let output = test(&desk, &[]);
        ended(&output, 0, "");
        let note = "         note: 20 of 1,536 pixels are ignored in each picture\n";
        assert!(told(&output).contains(note), "{}", told(&output));
        // The pixel beside the area is compared.
        spoil(&desk, "baselines/jump/0001.png", [6, 3]);
        let output = test(&desk, &["--report", "report"]);
        ended(&output, 3, "error: 1 of 2 frames differs from its baseline");
        let report = read(&desk, "report/report.json");
        let frame = &case(&report, "jump")["frames"][1];
        let counts = ["pixels", "ignored", "differing"].map(|key| &frame["difference"][key]);
        assert_eq!(counts, [&json!(1516), &json!(20), &json!(1)]);
        let message = frame["message"].as_str().unwrap();
        assert!(
            message.starts_with("1 of 1516 pixels (0.07 %) differ; "),
            "{message}"
        );
        assert!(message.ends_with("; 20 pixels ignored"), "{message}");
        // The ignored area is hatched in two colours that nothing else has.
        let shown = desk.picture("report/pictures/jump/0001.difference.png");
        let hatch = [[150, 110, 190, 255], [44, 36, 56, 255]].map(|color| shown.count(color));
        assert!(
            hatch.iter().all(|count| *count > 0) && hatch.iter().sum::<usize>() == 20,
            "{hatch:?}"
        );
    }
}

#[test]
fn a_mask_hides_what_is_painted_in_it() {
    let desk = blessed(&suite("", ""));
    spoil(&desk, "baselines/jump/0000.png", [5, 3]);
    mask(&desk, "mask.png", &[[5, 3], [9, 9]]);
    desk.put_bytes("suite.toml", suite("mask = \"mask.png\"", "").as_bytes());
    ended(&test(&desk, &[]), 0, "");
    let report = report(&desk, &[]);
    let notes = &case(&report, "jump")["notes"];
    assert_eq!(
        *notes,
        json!(["2 of 1,536 pixels are ignored in each picture"])
    );
    // With rectangles as well, the pixels that either of them covers are ignored.
    let both = suite("mask = \"mask.png\"", "ignore = \"9,9,2x1\"");
    desk.put_bytes("suite.toml", both.as_bytes());
    let output = test(&desk, &["--json"]);
    ended(&output, 0, "");
    assert!(told(&output).contains("3 of 1,536 pixels are ignored"));
    // A case can turn the default mask off.
    desk.put_bytes(
        "suite.toml",
        suite("mask = \"mask.png\"", "mask = \"\"").as_bytes(),
    );
    ended(
        &test(&desk, &[]),
        3,
        "error: 1 of 2 frames differs from its baseline",
    );
}

#[test]
fn an_update_keeps_baselines_that_differ_only_where_it_is_ignored() {
    let desk = blessed(&suite("", ""));
    spoil(&desk, "baselines/jump/0000.png", [5, 3]);
    desk.put_bytes("suite.toml", suite("ignore = \"5,3,1x1\"", "").as_bytes());
    let before = desk.bytes("baselines/jump/0000.png");
    ended(&test(&desk, &["--update"]), 0, "");
    assert!(desk.bytes("baselines/jump/0000.png") == before);
}

#[test]
fn what_cannot_be_ignored_is_an_error_of_the_suite() {
    let desk = desk("");
    mask(
        &desk,
        "all.png",
        &(0..48 * 32).map(|i| [i % 48, i / 48]).collect::<Vec<_>>(),
    );
    let small = Picture {
        width: 2,
        height: 1,
        pixels: vec![[255; 4]; 2],
    };
    paint(&desk, "small.png", &small);
    let rectangle = "expected X,Y,WxH in pixels from the top left corner, like 0,240,64x16";
    for (value, why) in [
        (
            "ignore = \"40,0,9x1\"",
            "ignore: 40,0,9x1 lies partly outside the picture, which is 48x32",
        ),
        (
            "ignore = [\"0,0,1x1\", \"0,32,1x1\"]",
            "ignore: 0,32,1x1 lies partly outside the picture, which is 48x32",
        ),
        (
            "ignore = \"4294967295,0,4294967295x1\"",
            "ignore: 4294967295,0,4294967295x1 lies partly outside the picture, which is 48x32",
        ),
        (
            "ignore = \"0,0,48x32\"",
            "ignore: every pixel would be ignored, so nothing would be compared",
        ),
        (
            "ignore = \"0,0,0x1\"",
            &format!("ignore: invalid rectangle \"0,0,0x1\": {rectangle}"),
        ),
        (
            "ignore = \"0,0\"",
            &format!("ignore: invalid rectangle \"0,0\": {rectangle}"),
        ),
        (
            "ignore = [[0, 0, 1, 1]]",
            "ignore: expected a list of rectangles, like [\"0,240,64x16\"]",
        ),
        ("mask = 3", "mask: expected the path of a PNG file"),
    ] {
        desk.put_bytes("suite.toml", suite(value, "").as_bytes());
        let output = test(&desk, &[]);
        ended(&output, 2, &format!("error: suite.toml:4: {why}"));
    }
    // An unusable mask is an error of its cases; the others run.
    for (mask, why) in [
        ("small.png", "mask: the mask is 2x1, the picture 48x32"),
        (
            "all.png",
            "mask: every pixel would be ignored, so nothing would be compared",
        ),
        (
            "puppet.pchr",
            "mask: cannot read puppet.pchr: not a PNG: it begins with [50, 43, 48, 52], expected [89, 50, 4e, 47]; save the image as PNG",
        ),
        ("gone.png", "mask: cannot read gone.png: "),
    ] {
        let mask = format!("mask = \"{mask}\"");
        let others = "[[case]]\nname = \"other\"\nfile = \"puppet.pchr\"\nmask = \"\"\n";
        let suite = suite(&mask, "") + others;
        desk.put_bytes("suite.toml", suite.as_bytes());
        let output = test(&desk, &["--update"]);
        assert_eq!(output.status.code(), Some(2));
        let told = crate::suite::stage::told(&output);
        let line = format!("suite.toml:4: {why}");
        assert!(told.contains(&line), "{told}");
        assert!(told.contains("other (1 frame)"), "{told}");
    }
}
