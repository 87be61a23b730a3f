//! Tests of the camera that `--json` says.

use serde_json::Value;

use crate::desk::{Desk, json_of, said};

fn report(desk: &Desk, args: &[&str]) -> Value {
    let args = [&["capture", "puppet.pchr", "--renderer", "cpu", "--json"], args].concat();
    let output = desk.run(&args);
    assert_eq!(said(&output), "");
    json_of(&output)
}

#[test]
fn the_camera_that_it_says_reproduces_the_picture() {
    let desk = Desk::new();
    for fit in ["animation", "frame", "character", "none"] {
        for size in ["512x512", "301x77"] {
            let view = ["-a", "jump", "-s", size, "--time", "0.033", "--smooth"];
            let args = [&view[..], &["--fit", fit, "-o", "a.png"]].concat();
            let camera = &report(&desk, &args)["captures"][0]["camera"];
            let center = format!("{},{}", camera["center"][0], camera["center"][1]);
            let zoom = camera["zoom"].to_string();
            let given = ["--center", &center, "--zoom", &zoom, "-o", "b.png"];
            desk.capture("puppet.pchr", &[&view[..], &given].concat());
            assert_eq!(desk.bytes("a.png"), desk.bytes("b.png"), "{fit} {size}");
        }
    }
}
