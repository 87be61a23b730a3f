//! A test of sessions: a view that is saved is the same picture in another window, and in a capture.

use std::fs;

use crate::command::{captured, click};
use crate::desk::{Desk, Start};
use crate::drop::Numbers;
use crate::fixture::{BLUE, GREEN, squares};
use crate::look::{bounds, canvas, difference, picture};

/// Session that is saved with `Ctrl+S`.
const SESSION: &str = "squares.pchr-view.toml";

#[test]
#[cfg_attr(skip_window_tests, ignore = "needs an X server and an adapter: PCHR_TEST_WINDOW=1")]
fn sessions_wait_for_missing_files_and_keep_each_pixel_of_twenty_random_views() {
    let mut artist = Desk::open_sample();
    let canvas = canvas(&artist.settled()).unwrap();
    let sample = fs::read(artist.path()).unwrap();
    let keys = "ctrl+m b shift+b e u o d k n y period Next plus minus shift+Right Up h shift+h r ctrl+shift+a shift+o shift+t";
    let keys: Vec<&str> = keys.split(' ').collect();
    let mut numbers = Numbers(11);
    let mut lead = Desk::start(&Start {
        file: b"file = \"art/squares.pchr\"\nbackground = \"#203060\"\n[window]\npaused = true\n",
        name: SESSION,
        drawn: |_| true,
        ..Start::default()
    });
    // The file that it names is missing with its folder, appears and changes.
    assert_eq!(bounds(&lead.settled(), GREEN), None);
    lead.file("art/squares.pchr", &squares(GREEN));
    lead.wait_for("the character", |shot| bounds(shot, GREEN).is_some());
    lead.file("art/squares.pchr", &squares(BLUE));
    lead.wait_for("its new version", |shot| bounds(shot, BLUE).is_some());
    lead.file("squares.pchr", &sample);
    for view in 0..20 {
        for _ in 0..5 {
            artist.key(keys[numbers.below(keys.len())]);
        }
        if view % 2 == 0 {
            click(&mut artist, canvas, &mut numbers, 4);
        }
        // Every view differs from the one before it.
        artist.key(["plus", "minus shift+Left"][view % 2]);
        let shown = picture(&artist.settled(), canvas);
        let before = fs::read_to_string(artist.folder().join(SESSION)).unwrap_or_default();
        artist.key("ctrl+s");
        let text = artist.wait_for_file(SESSION, |text| *text != before);
        artist.key("Escape"); // dismisses the message
        fs::write(lead.folder().join(SESSION), &text).unwrap();

        let line = format!("pchr-view capture {SESSION} -o view-{view}.png --renderer gpu");
        let captured = captured(&artist, &line);
        assert_eq!(difference(&captured, &shown), None, "captured:\n{text}");
        lead.wait_for("the picture of the artist", |shot| {
            difference(&picture(shot, canvas), &shown).is_none()
        });
    }
}
