//! Tests of `pchr-view compare`: results for two pictures and for two folders, and exit codes.

#[path = "compare/folders.rs"]
mod folders;
#[path = "compare/ignored.rs"]
mod ignored;
#[path = "compare/kinds.rs"]
mod kinds;

use std::process::Output;

use serde_json::{Value, json};

use crate::desk::{Desk, said, succeeded};

/// Note about the text file among the pictures of [`folders`].
const NOTE: &str = "note: old: 1 file without the extension .png is not compared (notes.txt)";

const GREY: [u8; 4] = [100, 100, 100, 255];

/// PNG file in 8-bit RGBA.
pub(crate) fn png(width: u32, pixels: &[[u8; 4]]) -> Vec<u8> {
    let height = pixels.len() as u32 / width;
    assert_eq!((width * height) as usize, pixels.len());
    encoded(
        [width, height],
        png::ColorType::Rgba,
        png::BitDepth::Eight,
        pixels.as_flattened(),
        |_| {},
    )
}

fn encoded(
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

/// A picture of 10 x 10 grey pixels.
pub(crate) fn grey() -> Vec<[u8; 4]> {
    vec![GREY; 100]
}

/// The same picture with one other pixel.
fn grey_but([x, y]: [usize; 2], pixel: [u8; 4]) -> Vec<[u8; 4]> {
    let mut pixels = grey();
    pixels[y * 10 + x] = pixel;
    pixels
}

/// Creates a folder with grey.png and other pictures of the same size.
fn desk(others: &[(&str, Vec<[u8; 4]>)]) -> Desk {
    let desk = Desk::new();
    desk.put_bytes("grey.png", &png(10, &grey()));
    for (name, pixels) in others {
        put(&desk, name, pixels);
    }
    desk
}

/// Writes a picture with 10 pixels per row, and creates its folder.
fn put(desk: &Desk, name: &str, pixels: &[[u8; 4]]) {
    std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
    desk.put_bytes(name, &png(10, pixels));
}

fn compare(desk: &Desk, args: &[&str]) -> Output {
    desk.run(&[&["compare"], args].concat())
}

fn printed(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Output and error line for pictures that differ by more than allowed.
#[track_caller]
fn differ(desk: &Desk, args: &[&str]) -> (String, String) {
    let output = compare(desk, args);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let (notes, why): (Vec<&str>, Vec<&str>) = said(&output)
        .lines()
        .partition(|line| line.starts_with("note: "));
    assert!(notes.iter().all(|note| *note == NOTE), "{notes:?}");
    assert_eq!(why.len(), 1, "{why:?}");
    let why = why[0].strip_prefix("error: ").unwrap();
    (printed(&output).to_owned(), why.to_owned())
}

/// Warning about a tolerance that nothing exceeds.
const ANY: &str = "warning: the tolerance accepts every picture; choose --tolerance below 255 and --max-outliers below 100% of the pixels";

/// Output for pictures that differ by no more than allowed.
#[track_caller]
fn pass(desk: &Desk, args: &[&str]) -> String {
    let output = compare(desk, args);
    succeeded(&output);
    assert!(
        said(&output)
            .lines()
            .all(|line| line == NOTE || line == ANY),
        "{}",
        said(&output)
    );
    printed(&output).to_owned()
}

#[track_caller]
fn fails(desk: &Desk, args: &[&str], code: i32, why: &str) {
    let output = compare(desk, args);
    assert_eq!(output.status.code(), Some(code), "{}", said(&output));
    assert_eq!(output.stdout, b"");
    let line = said(&output).lines().next().unwrap();
    assert!(line.starts_with(&format!("error: {why}")), "{line}");
}

#[test]
fn a_difference_is_told_with_its_number_size_place_and_look() {
    let mut other = grey_but([7, 4], [100, 91, 100, 255]);
    other[99] = [101, 100, 100, 255];
    other[98] = [100, 100, 103, 255];
    let desk = desk(&[("other.png", other)]);
    let (text, why) = differ(&desk, &["grey.png", "other.png"]);
    let (flip, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains("FLIP"));
    assert_eq!(
        rest,
        [
            "grey.png and other.png: 2 of 100 pixels (2.0%) differ by more than 2, 3 by any amount (3.0%)",
            "  largest difference: 9 in green at 7,4 (#646464ff, #645b64ff)",
            "  difference  pixels   share",
            "           1       1    1.0%",
            "         3-4       1    1.0%  outliers",
            "        9-16       1    1.0%  outliers",
        ]
    );
    let mean: f64 = flip[0].split_once(": ").unwrap().1.parse().unwrap();
    assert!(mean > 0.0001 && mean < 0.1, "{mean}");
    assert_eq!(
        why,
        "grey.png and other.png differ: 2 pixels by more than 2"
    );
    // A line never mixes tolerated differences with others.
    let (text, _) = differ(&desk, &["grey.png", "other.png", "--tolerance", "3"]);
    assert!(text.contains("\n           3       1    1.0%\n"), "{text}");
}

#[test]
fn the_same_pixels_are_the_same_picture() {
    let desk = desk(&[]);
    let same = encoded(
        [10, 10],
        png::ColorType::Grayscale,
        png::BitDepth::Eight,
        &[100; 100],
        |_| {},
    );
    desk.put_bytes("same.png", &same);
    for tolerance in ["0", "2", "254", "255"] {
        let args = ["grey.png", "same.png", "--tolerance", tolerance];
        assert_eq!(pass(&desk, &args), "grey.png and same.png: the same\n");
        let warned = said(&compare(&desk, &args)).contains(ANY);
        assert_eq!(warned, tolerance == "255");
    }
    assert_eq!(pass(&desk, &["grey.png", "same.png", "-q"]), "");
}

#[test]
fn what_is_tolerated_is_told_and_no_failure() {
    let desk = desk(&[("other.png", grey_but([0, 0], [102, 100, 100, 255]))]);
    let text = pass(&desk, &["grey.png", "other.png"]);
    let first = "grey.png and other.png: within the tolerance: 1 of 100 pixels (1.0%) differs, none by more than 2\n";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("\n           2       1    1.0%\n"), "{text}");
    assert_eq!(pass(&desk, &["grey.png", "other.png", "-q"]), "");
    let args = ["grey.png", "other.png", "--tolerance", "1"];
    let (text, _) = differ(&desk, &args);
    assert!(
        text.contains("1 of 100 pixels (1.0%) differs by more than 1\n"),
        "{text}"
    );
    for allowed in ["1", "1%", "100%"] {
        let args = [&args[..], &["--max-outliers", allowed]].concat();
        let text = pass(&desk, &args);
        assert!(
            text.contains(&format!("; at most {allowed} allowed\n")),
            "{text}"
        );
    }
    for allowed in ["0", "0.99%", "0%"] {
        differ(&desk, &[&args[..], &["--max-outliers", allowed]].concat());
    }
    differ(&desk, &["grey.png", "other.png", "--tolerance", "0"]);
    pass(&desk, &["grey.png", "other.png", "--tolerance", "255"]);
}

#[test]
fn colours_count_as_they_are_seen() {
    let mut faint = grey();
    let mut other = grey();
    (faint[5], other[5]) = ([255, 0, 0, 3], [0, 255, 0, 3]);
    let desk = desk(&[("faint.png", faint), ("other.png", other)]);
    differ(&desk, &["faint.png", "other.png"]); // three levels of alpha still count as different
    let (text, _) = differ(&desk, &["faint.png", "grey.png"]);
    assert!(
        text.contains("largest difference: 252 in alpha at 5,0 (#ff000003, #646464ff)"),
        "{text}"
    );
    // A fully transparent colour.
    put(&desk, "clear.png", &grey_but([5, 0], [0; 4]));
    put(&desk, "hidden.png", &grey_but([5, 0], [0, 200, 0, 0]));
    let text = pass(&desk, &["clear.png", "hidden.png"]);
    assert!(
        text.contains(
            "\n  only colours hidden by alpha differ: first at 5,0 (#00000000, #00c80000)\n"
        ),
        "{text}"
    );
    assert!(text.contains("mean FLIP error: 0.000000\n"), "{text}");
    // One that shows as little goes before it.
    let mut hidden = grey_but([5, 0], [0, 200, 0, 0]);
    hidden[99] = [101, 100, 100, 255];
    put(&desk, "both.png", &hidden);
    let text = pass(&desk, &["clear.png", "both.png"]);
    assert!(
        text.contains("\n  largest difference: 1 in red at 9,9 (#646464ff, #656464ff)\n"),
        "{text}"
    );
    differ(&desk, &["clear.png", "hidden.png", "--tolerance", "0"]);
}

#[test]
fn that_only_alpha_differs_is_told() {
    let desk = desk(&[("thin.png", grey_but([3, 3], [100, 100, 100, 40]))]);
    let (text, _) = differ(&desk, &["grey.png", "thin.png"]);
    assert!(
        text.contains("\n  only alpha differs: every stored colour is the same\n"),
        "{text}"
    );
    put(&desk, "both.png", &grey_but([3, 3], [99, 100, 100, 40]));
    let (text, _) = differ(&desk, &["grey.png", "both.png"]);
    assert!(!text.contains("only alpha"), "{text}");
}

#[test]
fn pictures_of_two_sizes_differ() {
    let desk = desk(&[("flat.png", vec![GREY; 50])]);
    let args = ["grey.png", "flat.png", "--diff", "diff.png"];
    let (text, why) = differ(&desk, &args);
    assert_eq!(text, "grey.png is 10x10, flat.png 10x5\n");
    assert_eq!(why, "grey.png and flat.png differ in size");
    // What both have is grey, what only one has is striped.
    let diff = desk.picture("diff.png");
    assert_eq!(diff.pixels.len(), 100);
    let is_grey = |[r, g, b, _]: &[u8; 4]| r == g && g == b;
    assert!(diff.pixels[..50].iter().all(is_grey));
    assert!(!diff.pixels[50..].iter().any(is_grey));
    let output = compare(&desk, &[&args[..], &["--json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["pairs"][0]["differencePicture"], "diff.png");
}

#[test]
fn one_of_them_can_come_from_stdin() {
    let desk = desk(&[("other.png", grey_but([0, 0], [0, 0, 0, 255]))]);
    for args in [["-", "grey.png"], ["grey.png", "-"]] {
        let args = [&["compare"], &args[..]].concat();
        let output = desk.run_with(&args, &desk.bytes("grey.png"));
        succeeded(&output);
        let output = desk.run_with(&args, &desk.bytes("other.png"));
        assert_eq!(output.status.code(), Some(3));
        assert!(said(&output).contains("stdin"), "{}", said(&output));
    }
}

/// Folders old and new: pairs that are equal, within the tolerance, different, and of two sizes; each has one extra file.
fn folders() -> Desk {
    let desk = desk(&[
        ("old/walk/0.png", grey()),
        ("new/walk/0.png", grey()),
        ("old/walk/1.png", grey()),
        ("new/walk/1.png", grey_but([1, 0], [101, 100, 100, 255])),
        ("old/walk/10.PNG", grey()),
        ("new/walk/10.PNG", grey_but([1, 0], [150, 100, 100, 255])),
        ("old/flat.png", grey()),
        ("new/flat.png", vec![GREY; 50]),
        ("old/gone.png", grey()),
        ("new/walk/run/come.png", grey()),
    ]);
    desk.put_bytes("old/notes.txt", b"no picture");
    desk
}

#[test]
fn the_picture_of_the_difference_is_written() {
    let desk = desk(&[("other.png", grey_but([7, 4], [180, 100, 100, 255]))]);
    differ(&desk, &["grey.png", "other.png", "--diff", "sub/diff.png"]);
    let diff = desk.picture("sub/diff.png");
    assert_eq!((diff.width, diff.height), (10, 10));
    let [r, g, b, a] = diff.at(7, 4);
    assert!(
        r > 200 && g > 100 && b < g && a == 255,
        "{:?}",
        diff.at(7, 4)
    );
    let behind = diff.at(0, 0);
    assert!(behind[0] < 80 && diff.count(behind) == 99);
    // A difference within the tolerance has another colour, and equal pixels are shown as well.
    pass(
        &desk,
        &[
            "grey.png",
            "other.png",
            "--tolerance",
            "80",
            "--diff",
            "sub/diff.png",
        ],
    );
    let [r, _, b, _] = desk.picture("sub/diff.png").at(7, 4);
    assert!(b > 200 && r < 100);
    pass(&desk, &["grey.png", "grey.png", "--diff", "sub/diff.png"]);
    assert_eq!(desk.picture("sub/diff.png").count(behind), 100);
    let output = compare(&desk, &["grey.png", "other.png", "--diff", "-"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(crate::desk::Picture::decode(&output.stdout), diff);
}

#[test]
fn what_cannot_be_read_fails_and_the_rest_is_still_told() {
    let desk = folders();
    let broken = desk.bytes("old/walk/1.png");
    desk.put_bytes("new/walk/1.png", &broken[..broken.len() / 2]);
    let output = compare(&desk, &["old", "new"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = said(&output).lines().filter(|line| *line != NOTE);
    let lines: Vec<&str> = lines.collect();
    assert!(
        lines[0].starts_with("error: cannot read new/walk/1.png: the PNG does not decode: "),
        "{lines:?}"
    );
    assert_eq!(
        lines[1..],
        [
            "error: 1 of 4 pairs could not be compared, 2 of 4 pairs differ, 2 pictures are missing from the other folder"
        ]
    );
    let text = printed(&output);
    assert!(
        text.contains("walk/10.PNG: ") && !text.contains("walk/1.png"),
        "{text}"
    );
    assert!(
        text.contains("4 pairs: 1 the same, 2 differ, 1 unreadable, "),
        "{text}"
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let desk = folders();
    std::fs::create_dir(desk.path("empty")).unwrap();
    fails(
        &desk,
        &["grey.png", "absent.png"],
        1,
        "cannot read absent.png: ",
    );
    fails(&desk, &["absent", "old"], 1, "cannot read absent: ");
    let why = "cannot read puppet.pchr: not a PNG: it begins with [50, 43, 48, 52], expected [89, 50, 4e, 47]; save the image as PNG";
    fails(&desk, &["grey.png", "puppet.pchr"], 1, why);
    let why = "grey.png is one picture, old is a folder: expected two files or two folders";
    fails(&desk, &["grey.png", "old"], 2, why);
    fails(
        &desk,
        &["old", "-"],
        2,
        "old is a folder, stdin is one picture: ",
    );
    fails(
        &desk,
        &["-", "-"],
        2,
        "- (standard input) can be given only once",
    );
    fails(
        &desk,
        &["empty", "empty"],
        2,
        "no .png files in empty or empty",
    );
    fails(
        &desk,
        &["old", "new", "--diff", "-"],
        2,
        "--diff - writes one picture",
    );
    fails(
        &desk,
        &["old", "new", "--diff", "new/diff"],
        2,
        "--diff new/diff lies in new, ",
    );
    fails(
        &desk,
        &["old", "new", "--diff", "old"],
        2,
        "--diff old lies in old, ",
    );
    let why = "the output ./grey.png would overwrite the input grey.png";
    fails(
        &desk,
        &["grey.png", "grey.png", "--diff", "./grey.png"],
        2,
        why,
    );
    let args = ["grey.png", "grey.png", "--json", "--diff", "-"];
    fails(
        &desk,
        &args,
        2,
        "--json and --diff - both write to standard output",
    );
    for (option, why) in [
        ("--tolerance=256", "invalid value '256'"),
        ("--tolerance=-1", "invalid value '-1'"),
        (
            "--max-outliers=few",
            "invalid value 'few' for '--max-outliers <N|P%>': invalid limit \"few\": expected a number of pixels",
        ),
        (
            "--max-outliers=101%",
            "invalid value '101%' for '--max-outliers <N|P%>': invalid percentage \"101%\": expected",
        ),
    ] {
        fails(&desk, &["grey.png", "grey.png", option], 2, why);
    }
    fails(
        &desk,
        &["grey.png"],
        2,
        "the following required arguments were not provided",
    );
    assert!(!desk.path("new/diff").exists());
}

#[test]
fn json_says_all_of_it() {
    let desk = folders();
    let report = |args: &[&str], code: i32| -> Value {
        let output = compare(&desk, &[args, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let mut told = report(&["old", "new", "--diff", "diff"], 3);
    assert_eq!(
        told["counts"],
        json!({"same": 1, "within": 1, "differs": 2, "unreadable": 0})
    );
    assert_eq!(told["onlyExpected"], json!(["gone.png"]));
    assert_eq!(told["onlyActual"], json!(["walk/run/come.png"]));
    assert_eq!(
        (&told["passed"], &told["maxOutliers"]),
        (&json!(false), &json!("0"))
    );
    let names: Vec<&Value> = told["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| &pair["name"])
        .collect();
    assert_eq!(
        names,
        ["flat.png", "walk/0.png", "walk/1.png", "walk/10.PNG"]
    );
    let pair = told["pairs"][0].take();
    assert_eq!(pair["verdict"], "differs");
    assert_eq!(
        (&pair["expectedSize"], &pair["actualSize"]),
        (&json!([10, 10]), &json!([10, 5]))
    );
    assert_eq!(pair["difference"], Value::Null);
    assert_eq!(told["pairs"][1]["verdict"], "same");
    assert_eq!(told["pairs"][1]["difference"]["largest"], Value::Null);
    let mut pair = told["pairs"][3].take();
    assert_eq!(
        (&pair["expected"], &pair["actual"]),
        (&json!("old/walk/10.PNG"), &json!("new/walk/10.PNG"))
    );
    let flip = pair["difference"]["meanFlip"].take().as_f64().unwrap();
    assert!(flip > 0.001 && flip < 0.2, "{flip}");
    let histogram = pair["difference"]["histogram"].take();
    assert_eq!(histogram.as_array().unwrap().len(), 9);
    assert_eq!(histogram[6], json!({"from": 33, "to": 64, "pixels": 1}));
    let wanted = json!({
        "pixels": 100,
        "ignored": 0,
        "differing": 1,
        "tolerance": 2,
        "outliers": 1,
        "allowedOutliers": 0,
        "alphaOnly": false,
        "largest": {
            "difference": 50, "at": [1, 0], "channel": "red", "expected": GREY, "actual": [150, 100, 100, 255],
        },
        "meanFlip": null,
        "histogram": null,
    });
    assert_eq!(pair["difference"], wanted);
    assert_eq!(pair["differencePicture"], "diff/walk/10.PNG");
    let told = report(&["grey.png", "grey.png", "--max-outliers", "2.5%"], 0);
    assert_eq!(
        (
            &told["passed"],
            &told["pairs"][0]["difference"]["allowedOutliers"]
        ),
        (&json!(true), &json!(2))
    );
}

/// Captures of the sample against the mean error from the FLIP authors' C++ program (version 1.2).
#[test]
fn the_mean_error_of_captures_is_that_of_the_authors_program() {
    let desk = Desk::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.pchr");
    for (name, args) in [
        ("idle.png", &["-a", "idle"][..]),
        ("walk.png", &["-a", "walk"]),
        ("later.png", &["-a", "walk", "-f", "4"]),
        ("nearest.png", &["-a", "walk", "--filter", "nearest"]),
        ("grey.png", &["-a", "walk", "--background", "#808080"]),
        (
            "rough.png",
            &["-a", "walk", "--background", "#808080", "--msaa", "1"],
        ),
    ] {
        desk.capture(
            sample,
            &[&["-s", "200x200", "--fit", "character", "-o", name], args].concat(),
        );
    }
    for (expected, actual, theirs) in MEANS {
        let (text, _) = differ(&desk, &[expected, actual, "--tolerance", "0"]);
        let mean = text
            .lines()
            .find_map(|line| line.strip_prefix("  mean FLIP error: "));
        let mean: f64 = mean.unwrap().parse().unwrap();
        assert!(
            (mean - theirs).abs() < 1e-4,
            "{expected} {actual}: {mean} {theirs}"
        );
    }
}

const MEANS: [(&str, &str, f64); 4] = [
    ("walk.png", "idle.png", 0.154_031),
    ("walk.png", "later.png", 0.121_455),
    ("walk.png", "nearest.png", 0.009_158),
    ("grey.png", "rough.png", 0.000_255),
];
