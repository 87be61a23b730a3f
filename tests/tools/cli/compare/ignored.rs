//! Tests of `compare` with ignored areas: rectangles and masks.

use serde_json::{Value, json};

use super::{GREY, compare, desk, differ, fails, folders, grey_but, pass, put};
use crate::desk::said;

#[test]
fn parts_of_pictures_can_be_ignored() {
    let mut other = grey_but([7, 4], [200, 0, 0, 255]);
    other[22] = [0, 0, 0, 255];
    let mut mask = vec![[0, 0, 0, 0]; 100];
    mask[22] = [0, 0, 9, 1];
    let desk = desk(&[("other.png", other), ("mask.png", mask)]);
    let args = ["grey.png", "other.png"];
    let ignoring = |more: &[&str]| pass(&desk, &[&args[..], more].concat());
    // The pixels at 2,2 and 7,4 differ.
    let same = ["--ignore", "7,4,1x1", "--ignore", "0,1,10x2"];
    assert_eq!(
        ignoring(&same),
        "grey.png and other.png: the same (21 pixels ignored)\n"
    );
    let masked = [
        "--ignore=7,4,3x1",
        "--mask",
        "mask.png",
        "--diff",
        "diff.png",
    ];
    assert_eq!(
        ignoring(&masked),
        "grey.png and other.png: the same (4 pixels ignored)\n"
    );
    let diff = desk.picture("diff.png");
    let hatched = [[2, 2], [7, 4], [8, 4], [9, 4]].map(|[x, y]| diff.at(x, y));
    let colors = [[150, 110, 190, 255], [44, 36, 56, 255]];
    assert!(
        hatched.iter().all(|color| colors.contains(color)),
        "{hatched:?}"
    );
    assert_eq!(diff.count(diff.at(0, 0)), 96);
    let (text, _) = differ(&desk, &[&args[..], &["--mask", "mask.png"]].concat());
    assert!(
        text.contains("1 of 99 pixels (1.0%) differs by more than 2\n"),
        "{text}"
    );
    assert!(text.contains("\n  ignored: 1 pixel\n"), "{text}");
    // A percentage is relative to the compared pixels.
    let rows = [
        "--ignore",
        "0,0,10x4",
        "--ignore=0,5,10x5",
        "--max-outliers",
        "10%",
    ];
    assert!(
        ignoring(&rows)
            .contains("1 of 10 pixels (10.0%) differs by more than 2; at most 10% allowed\n")
    );
    let output = compare(
        &desk,
        &[
            &args[..],
            &["--ignore=1,2,3x4", "--mask=mask.png", "--json"],
        ]
        .concat(),
    );
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&told["ignore"], &told["mask"]),
        (&json!(["1,2,3x4"]), &json!("mask.png"))
    );
    let difference = &told["pairs"][0]["difference"];
    assert_eq!(
        (&difference["pixels"], &difference["ignored"]),
        (&json!(88), &json!(12))
    );
    let name = "grey.png and other.png: ";
    for (more, why) in [
        (
            &["--ignore=9,0,2x1"][..],
            &*format!("{name}9,0,2x1 lies partly outside the picture, which is 10x10"),
        ),
        (
            &["--ignore=0,0,10x10"],
            &format!("{name}every pixel would be ignored, so nothing would be compared"),
        ),
        (
            &["--ignore=0,0,1"],
            "invalid value '0,0,1' for '--ignore <X,Y,WxH>': invalid rectangle \"0,0,1\": expected X,Y,WxH in pixels",
        ),
        (
            &["--ignore=-1,0,1x1"],
            "invalid value '-1,0,1x1' for '--ignore <X,Y,WxH>': ",
        ),
    ] {
        fails(&desk, &[&args[..], more].concat(), 2, why);
    }
    put(&desk, "flat.png", &[GREY; 50]);
    let mask = ["--mask", "flat.png"];
    fails(
        &desk,
        &[&args[..], &mask].concat(),
        2,
        &format!("{name}the mask is 10x5, the picture 10x10"),
    );
    fails(
        &desk,
        &[&args[..], &["--mask", "gone.png"]].concat(),
        1,
        "cannot read gone.png: ",
    );
    // In folders it applies to every pair, and each pair that it does not fit is reported.
    let desk = folders();
    let (text, _) = differ(&desk, &["old", "new", "--ignore", "1,0,1x1"]);
    assert!(
        text.contains("\nwalk/0.png: the same") || text.contains("3 the same, 1 differs, "),
        "{text}"
    );
    assert!(text.contains(", 3 pixels ignored\n"), "{text}");
    let output = compare(&desk, &["old", "new", "--ignore", "0,0,11x1"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let errors = said(&output)
        .lines()
        .filter(|line| line.starts_with("error: walk/"));
    assert_eq!(errors.count(), 3, "{}", said(&output));
}
