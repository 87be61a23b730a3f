//! Tests of a cross-fade between animations: held, scrubbed, and captured by its copied command.

use std::thread::sleep;
use std::time::Duration;

use crate::command::assert_captured;
use crate::desk::Desk;
use crate::look::{canvas, picture};

#[test]
#[cfg_attr(
    skip_window_tests,
    ignore = "needs an X server and a graphics adapter: PCHR_TEST_WINDOW=1"
)]
fn a_fade_that_is_held_is_captured_by_the_command() {
    let mut desk = Desk::open_sample();
    let press = |desk: &Desk, keys: &str| {
        for key in keys.split(' ') {
            desk.key(key);
            sleep(Duration::from_millis(150)); // some time passes between them
        }
    };
    // The fade is two seconds long, and playback is paused within it. There is now room to show its percentage.
    press(&desk, "j j j j j j j j Escape");
    let canvas = canvas(&desk.settled()).unwrap();
    press(&desk, "space Next space");
    let held = picture(&desk.settled(), canvas);
    let line = assert_captured(&mut desk, &held, "");
    assert!(line.contains(" --mix "), "{line}");
    desk.key("Escape"); // dismisses the message
    desk.settled();
    // One step forwards and one back.
    desk.key("period");
    let next = picture(&desk.settled(), canvas);
    assert!(next != held, "a step moves the fade");
    let line = assert_captured(&mut desk, &next, &line);
    assert!(line.contains(" --mix "), "{line}");
    desk.key("Escape");
    desk.settled();
    press(&desk, "period comma");
    assert!(picture(&desk.settled(), canvas) == next);
    press(&desk, "s o");
    let smooth = picture(&desk.settled(), canvas);
    let line = assert_captured(&mut desk, &smooth, &line);
    assert!(line.contains(" --mix "), "{line}");
    desk.key("Escape");
    // The fade ends after a while.
    press(&desk, "o s space");
    sleep(Duration::from_secs(3));
    desk.key("space");
    let over = picture(&desk.settled(), canvas);
    let line = assert_captured(&mut desk, &over, &line);
    assert!(!line.contains(" --mix "), "{line}");
}
