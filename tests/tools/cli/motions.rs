//! Tests of captures of 3D motions, and of the camera that `--json` says.

use serde_json::Value;

use crate::desk::{Desk, Picture, json_of};
use crate::rig;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("hero.skl.pxd", &rig::biped_file());
    desk.put_bytes("hero@kick.anm.pxd", &rig::numbered_file());
    desk.put_bytes("walk.seanim", &rig::walk_file());
    desk
}

fn report(desk: &Desk, args: &[&str]) -> Value {
    json_of(&desk.run(&[&["capture", "--renderer", "cpu", "--json"], args].concat()))
}

fn shot(desk: &Desk, args: &[&str]) -> Picture {
    report(desk, &[args, &["-s", "128x96", "-o", "shot.png"]].concat());
    desk.picture("shot.png")
}

#[test]
fn the_whole_model_moves_unless_it_is_kept_in_place() {
    let desk = desk();
    let at = |frame: &str, more: &[&str]| {
        let fixed = ["hero@kick.anm.pxd", "-f", frame, "--view", "side", "--zoom", "60"];
        let args = [&fixed[..], &["--center", "0,1,0"], more].concat();
        shot(&desk, &args).drawn().unwrap()
    };
    let middle = |(columns, _): (std::ops::RangeInclusive<usize>, _)| {
        columns.start().midpoint(*columns.end())
    };
    // Seen from the side to which X points, Z points to the left. Half a metre at 60 pixels per metre.
    let moved = middle(at("10", &["--in-place"])) - middle(at("10", &[]));
    assert!((28..=32).contains(&moved), "{moved}");
    assert_eq!(middle(at("0", &["--in-place"])).abs_diff(middle(at("0", &[]))), 0);
}

#[test]
fn the_camera_that_is_told_gives_the_picture_again() {
    let desk = desk();
    for view in [&["--view", "top"][..], &["--view", "-120,40", "--fov", "55"], &["--up", "z"]] {
        let subject = ["walk.seanim", "--skeleton", "hero.skl.pxd", "-f", "6", "-s", "128x96"];
        let told = report(&desk, &[&subject[..], view, &["-o", "a.png"]].concat());
        let camera = &told["captures"][0]["camera"];
        let number = |value: &Value| value.as_f64().unwrap().to_string();
        let center: Vec<String> = camera["center"].as_array().unwrap().iter().map(number).collect();
        let angles =
            format!("{},{}", number(&camera["view"]["yaw"]), number(&camera["view"]["pitch"]));
        let (center, zoom, fov) =
            (center.join(","), number(&camera["zoom"]), number(&camera["view"]["fov"]));
        let up = camera["view"]["up"].as_str().unwrap();
        let again =
            ["--view", &angles, "--fov", &fov, "--up", up, "--center", &center, "--zoom", &zoom];
        report(&desk, &[&subject[..], &again, &["-o", "b.png"]].concat());
        assert!(desk.bytes("a.png") == desk.bytes("b.png"), "{view:?}");
        // The whole model is visible, within a margin of 5 %.
        let (columns, rows) = desk.picture("a.png").drawn().unwrap();
        assert!(*columns.start() > 0 && *columns.end() < 127, "{columns:?}");
        assert!(*rows.start() > 0 && *rows.end() < 95, "{rows:?}");
    }
}
