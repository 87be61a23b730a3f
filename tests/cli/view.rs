//! Tests of the view: size, fit, camera and Y direction.

use crate::desk::Desk;
use crate::fixture::{GREEN, RED};

#[test]
fn a_picture_has_the_size_that_was_asked_for() {
    let desk = Desk::new();
    let size = |args: &[&str]| {
        let shown = desk.shot(args);
        [shown.width, shown.height]
    };
    assert_eq!(size(&[]), [512, 512]);
    assert_eq!(size(&["-s", "33x17"]), [33, 17]);
    assert_eq!(size(&["--resolution", "64,48"]), [64, 48]);
    assert_eq!(size(&["-s", "1x1"]), [1, 1]);
}

/// The puppet is 140 wide. It is 60 high in one frame, and 120 over `jump` and therefore over all clips.
#[test]
fn each_fit_holds_what_it_says_with_five_percent_free() {
    let desk = Desk::new();
    let drawn = |args: &[&str]| {
        let args = [&["-s", "280x200", "--msaa", "1"], args].concat();
        desk.shot(&args).drawn().unwrap()
    };
    // 252 x 180 pixels are usable: zoom 1.8 by the width, 1.5 by the height of 120.
    let frame = (14..=265, 46..=153);
    assert_eq!(drawn(&["-a", "jump", "-f", "0", "--fit", "frame"]), frame);
    assert_eq!(drawn(&["-a", "jump", "-f", "1", "--fit", "frame"]), frame);
    assert_eq!(
        drawn(&["-a", "walk", "-f", "2"]),
        frame,
        "fit to the animation is the default"
    );
    assert_eq!(drawn(&["-a", "jump", "-f", "0"]), (35..=244, 100..=189));
    assert_eq!(
        drawn(&["-a", "jump", "-f", "1", "--fit", "animation"]),
        (35..=244, 10..=99)
    );
    assert_eq!(
        drawn(&["-a", "walk", "-f", "2", "--fit", "character"]),
        (35..=244, 100..=189)
    );
    assert_eq!(
        drawn(&["-a", "jump", "-f", "0", "--fit", "none"]),
        (70..=209, 80..=139)
    );
}

#[test]
fn what_is_hidden_needs_no_room() {
    let desk = Desk::new();
    // 40 x 40 units in 200 x 200 pixels: zoom 4.5.
    let shown = desk.shot(&["--only", "part.green", "-s", "200x200", "--msaa", "1"]);
    assert_eq!(shown.drawn(), Some((10..=189, 10..=189)));
    let nothing = desk.shot(&["--hide", "*"]);
    assert_eq!(nothing.drawn(), None);
}

#[test]
fn center_and_zoom_override_their_part_of_the_fit() {
    let desk = Desk::new();
    let green = |args: &[&str]| {
        let args = [&["-s", "200x200", "--msaa", "1"], args].concat();
        desk.shot(&args).extent(GREEN)
    };
    // A square with side 40 around (40, 0).
    assert_eq!(
        green(&["--center", "40,0", "--zoom", "2"]),
        Some((60..=139, 60..=139))
    );
    assert_eq!(
        green(&["--center", "-10,20", "--zoom", "1"]),
        Some((130..=169, 100..=139))
    );
    // The fit of a frame has centre (0, -10) and zoom 9/7.
    assert_eq!(
        green(&["--zoom", "1", "--fit", "frame"]),
        Some((120..=159, 70..=109))
    );
    let (columns, _) = green(&["--center", "40,0", "--fit", "frame"]).unwrap();
    assert_eq!(columns, 74..=125);
}

#[test]
fn y_down_turns_the_picture_over() {
    let desk = Desk::new();
    for fit in ["none", "frame", "animation", "character"] {
        let args = ["-a", "jump", "-f", "1", "-s", "200x160", "--msaa", "1"];
        let up = desk.shot(&[&args[..], &["--fit", fit]].concat());
        let down = desk.shot(&[&args[..], &["--fit", fit, "--y-down"]].concat());
        assert!(up.count(RED) > 0);
        assert_eq!(down.pixels, up.upside_down(), "{fit}");
    }
}

#[test]
fn a_camera_beyond_all_bounds_is_no_accident() {
    let desk = Desk::new();
    for camera in [
        ["--zoom", "1e300"],
        ["--zoom", "1e-300"],
        ["--center", "1e300,-1e300"],
        ["--center", "3e9,0"],
    ] {
        for msaa in ["1", "4"] {
            desk.shot(&[&camera[..], &["--msaa", msaa, "-s", "64x64"]].concat());
        }
    }
}
