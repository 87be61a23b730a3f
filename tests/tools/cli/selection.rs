//! Tests of the selection of animations, frames, times, meshes and the bind pose.

use crate::desk::Desk;
use crate::fixture::{Builder, GREEN, RED, at, puppet};

#[test]
fn a_name_made_of_digits_is_a_name_first() {
    let desk = Desk::new();
    let mut named = puppet();
    named.parts.animations[2].name = "1".into();
    desk.put("named.pchr", &named);
    desk.capture("named.pchr", &["-a", "1", "-f", "1", "-o", "a.png"]);
    assert_eq!(desk.picture("a.png").count(GREEN), 0);
}

#[test]
fn a_mesh_whose_name_is_a_pattern_is_meant_by_its_name() {
    let desk = Desk::new();
    let mut named = puppet();
    named.parts.meshes[1].name = "part.*".into();
    desk.put("named.pchr", &named);
    desk.capture("named.pchr", &["--hide", "part.*", "-o", "a.png"]);
    let shown = desk.picture("a.png");
    assert!(shown.count(RED) == 0 && shown.count(GREEN) > 0);
}

#[test]
fn a_file_without_frames_is_drawn_as_it_is_stored() {
    let desk = Desk::new();
    let still = Builder::new().image(1, &[RED]).bone("root", None).quad(
        "square",
        0,
        0,
        [-10.0, -10.0],
        [10.0, 10.0],
    );
    desk.put("still.pchr", &still);
    desk.put("empty.pchr", &still.still("nothing", true, 0));
    for file in ["still.pchr", "empty.pchr"] {
        desk.capture(
            file,
            &["-s", "40x40", "--fit", "none", "--msaa", "1", "-o", "a.png"],
        );
        let shown = desk.picture("a.png");
        assert_eq!(shown.extent(RED), Some((10..=29, 10..=29)), "{file}");
        desk.capture(file, &["-o", "{animation}.png", "-f", "all"]);
        assert!(desk.path("stored.png").exists());
    }
}

#[test]
fn an_animation_without_frames_is_passed_over() {
    let desk = Desk::new();
    let clips = Builder::new()
        .image(1, &[RED])
        .bone("root", None)
        .quad("square", 0, 0, [-10.0, -10.0], [10.0, 10.0])
        .still("nothing", true, 0)
        .animation("rest", false, &[[at(0.0, 0.0)]])
        .animation("move", true, &[[at(5.0, 0.0)]]);
    desk.put("clips.pchr", &clips);
    desk.capture("clips.pchr", &["-a", "all", "-o", "out/{animation}.png"]);
    let files: Vec<String> = desk.files("out").into_keys().collect();
    assert_eq!(files, ["move.png", "rest.png"]);
}
