//! Tests of sheets: pictures become an atlas, and captures of the atlas have the same pixels.

use crate::desk::{Desk, json_of};
use crate::fixture::CLIPS;

const SIZE: [&str; 2] = ["-s", "64x48"];
/// Options for one screen pixel per page pixel, with the source in the middle.
const EXACT: [&str; 6] = ["--zoom", "1", "--center", "0,0", "--msaa", "1"];

#[test]
fn an_atlas_shows_what_the_captures_show() {
    let desk = Desk::new();
    let all = ["-a", "all", "-f", "all"];
    // An atlas of all clips fits them alike.
    let direct = ["--fit=character", "-o", "direct/{animation}-{frame:04}.png"];
    desk.capture("puppet.pchr", &[&SIZE[..], &all, &direct].concat());
    let sheet = ["capture", "puppet.pchr", "--renderer=cpu", "--json"];
    let args = [&sheet[..], &SIZE, &all, &["-o", "sheet/puppet.pct"]].concat();
    let report = json_of(&desk.run(&args));
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
            let book = if count == 1 { format!("{name}/0000") } else { format!("{name}/*") };
            let args = ["-a", &book, "-f", &frame.to_string(), "-o", "again.png"];
            desk.capture("sheet/puppet.pct", &[&SIZE[..], &EXACT, &args].concat());
            let direct = format!("direct/{name}-{frame:04}.png");
            assert_eq!(desk.picture("again.png").pixels, desk.picture(&direct).pixels, "{direct}");
        }
    }
}
