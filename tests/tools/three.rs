//! Tests with three.js in a real browser: characters converted to glTF look there as in captures.
//!
//! With `PCHR_TEST_BROWSER=1`, `PCHR_TEST_THREE` names the folder of the package three, version 0.187.0; `script/test` fetches it if npm is installed.
#![cfg_attr(
    any(not(pchr_three), skip_browser_tests),
    allow(dead_code, unused_imports, reason = "there is no three.js")
)]

use std::env;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pchr::bytes::Budget;
use pchr::compare::Pair;
use pchr::image::{Pixels, decode_straight};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::desk::{Desk, said};
use crate::served::serve;

/// Returns the file of a path: the page, a part of three.js, or the character.
fn file_at(path: &str, character: &Path) -> Option<PathBuf> {
    let package = PathBuf::from(env::var_os("PCHR_TEST_THREE")?);
    match path.strip_prefix("/three/") {
        Some(part) => Some(package.join(part)),
        None if path == "/hero.glb" => Some(character.to_owned()),
        None => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/three/page.html")),
    }
}

/// The size of pictures, their middle, and pixels for a pixel of the character.
struct View {
    size: [u32; 2],
    center: [f64; 2],
    zoom: f64,
}

struct Shown {
    desk: Desk,
    browser: Browser,
    fps: f64,
    view: View,
}

impl Shown {
    fn new(file: &[u8], view: View) -> Self {
        let desk = Desk::new();
        desk.put_bytes("hero.pchr", file);
        let output = desk.run_pchr(&["convert", "hero.pchr", "-o", "hero.glb"]);
        assert!(output.status.success(), "{}", said(&output));
        let glb = desk.path("hero.glb");
        let port = serve(move |path| file_at(path, &glb));
        let mut browser = Browser::start();
        browser.visit(&format!("http://127.0.0.1:{port}/"));
        browser.wait("window.isReady === true");
        let document = pchr::format::read(file.to_vec()).unwrap();
        let clips = browser.value("load('/hero.glb')");
        let wanted = document.animations().map(|it| {
            // The last frame is held, too.
            let seconds = f64::from(it.frame_count()) / f64::from(document.fps());
            json!([it.name(), f64::from(seconds as f32)])
        });
        assert_eq!(clips, Value::Array(wanted.collect()));
        Self { desk, browser, fps: document.fps().into(), view }
    }

    fn capture(&self, clip: &str, frame: u16) -> Pixels {
        let View { size: [width, height], center: [x, y], zoom } = self.view;
        let (frame, size) = (frame.to_string(), format!("{width}x{height}"));
        let (center, zoom) = (format!("{x},{y}"), zoom.to_string());
        let out = ["-o", "frame.png", "--center", &center, "--zoom", &zoom, "-s", &size];
        let what = ["capture", "hero.pchr", "--renderer", "cpu", "-a", clip, "-f", &frame];
        let output = self.desk.run(&[&what[..], &out].concat());
        assert!(output.status.success(), "{}", said(&output));
        decode_straight(&self.desk.bytes("frame.png"), &Budget::default()).unwrap()
    }

    /// The picture in three.js between two frames, while the first is held.
    fn in_three(&mut self, clip: &str, frame: u16) -> Pixels {
        let View { size, center, zoom } = &self.view;
        let seconds = (f64::from(frame) + 0.5) / self.fps;
        let args = json!([clip, seconds, size, center, zoom]);
        let png = STANDARD.decode(self.browser.text(&format!("draw(...{args})"))).unwrap();
        decode_straight(&png, &Budget::default()).unwrap()
    }

    #[track_caller]
    fn are_alike(&mut self, clip: &str, frames: impl IntoIterator<Item = u16>) {
        for frame in frames {
            let difference = flip(&self.capture(clip, frame), &self.in_three(clip, frame));
            assert!(difference < ALIKE, "{clip} at frame {frame}: {difference}");
        }
    }
}

fn flip(a: &Pixels, b: &Pixels) -> f64 {
    Pair::new(a, b).unwrap().mean_flip()
}

/// Largest mean ꟻLIP of pictures in which each sees the same. three.js filters textures in linear light, and captures do not.
const ALIKE: f64 = 0.005;

#[test]
#[cfg_attr(any(not(pchr_three), skip_browser_tests), ignore = "needs three.js and chromium")]
fn frames_look_as_captured() {
    let sample = include_bytes!("../../assets/sample.pchr");
    let view = View { size: [320, 360], center: [0.0, 60.0], zoom: 0.5 };
    let mut shown = Shown::new(sample, view);
    for (clip, frames) in [("walk", [0, 13]), ("jump", [12, 22]), ("wave", [20, 60])] {
        shown.are_alike(clip, frames);
    }
    let [one, other] = [12, 22].map(|frame| shown.capture("jump", frame));
    assert!(flip(&one, &other) > 10.0 * ALIKE, "frames that differ are told apart");
}

#[test]
#[cfg_attr(any(not(pchr_three), skip_browser_tests), ignore = "needs three.js and chromium")]
fn draw_order_and_visibility_change_as_captured() {
    let view = View { size: [200, 120], center: [0.0; 2], zoom: 1.0 };
    let mut shown = Shown::new(&crate::fixture::puppet().bytes(), view);
    for (clip, frames) in [("walk", 0..4), ("blink", 0..3), ("swap", 0..2)] {
        shown.are_alike(clip, frames);
    }
    for (clip, [a, b]) in [("blink", [0, 1]), ("swap", [0, 1])] {
        let [one, other] = [a, b].map(|frame| shown.capture(clip, frame));
        assert!(flip(&one, &other) > 10.0 * ALIKE, "{clip}: frames that differ are told apart");
    }
}
