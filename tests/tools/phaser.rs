//! Tests with Phaser in a real browser: it loads atlases packed and captured here, and draws the same pixels.
//!
//! With `PCHR_TEST_BROWSER=1`, `PCHR_TEST_PHASER` names the file `phaser.min.js` of Phaser 4.2.1; `script/test` fetches it if npm is installed.
#![cfg_attr(
    any(not(pchr_phaser), skip_browser_tests),
    allow(dead_code, unused_imports, reason = "there is no Phaser")
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::browser::Browser;
use crate::served::serve;
use crate::sprite;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pchr::document::AnimationId;
use pchr::image::Pixels;
use pchr::playback::FrameAt;
use pchr::scene::{Filter, Samples};
use pchr_foreign::sheet::atlas_of;
use pchr_tools::files::Folder;
use pchr_tools::open::Opened;
use serde_json::json;

/// Returns the file of a path: the page, Phaser, or a file of the folder.
fn file_at(path: &str, folder: &Path) -> Option<PathBuf> {
    match path {
        "/" => Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/phaser/page.html")),
        "/phaser.js" => Some(env::var_os("PCHR_TEST_PHASER")?.into()),
        path => Some(folder.join(path.trim_start_matches('/'))),
    }
}

/// Checks that an atlas has the same frames and pixels in Phaser as here.
fn is_the_same_in_phaser(atlas: &Path) -> Browser {
    let opened = open(atlas);
    let ours = atlas_of(&*opened.subject).unwrap();
    let folder = atlas.parent().unwrap().to_owned();
    let port = serve(move |path| file_at(path, &folder));
    let mut browser = Browser::start();
    browser.visit(&format!("http://127.0.0.1:{port}/"));
    let name = atlas.file_name().unwrap().to_str().unwrap();
    let frames = browser.value(&format!("load({name:?})"));
    let frames = frames.as_array().unwrap();
    assert_eq!(frames.len(), ours.sprites.len());
    for frame in frames {
        let name = frame["name"].as_str().unwrap();
        let sprite = ours.sprites.get(name).unwrap();
        let rect = sprite.rect;
        let expected = json!({
            "name": name,
            "page": sprite.page,
            "rect": [rect.x, rect.y, rect.width, rect.height],
            "source": sprite.source_size(),
            "offset": sprite.source_offset(),
        });
        assert_eq!(*frame, expected);
    }
    let step = ours.sprites.len().div_ceil(20);
    let mut drawn = 0;
    for (index, (name, sprite)) in ours.sprites.iter().enumerate().step_by(step) {
        let pixels = draw(&opened, index, sprite.source_size().map(|side| side as u32));
        let theirs = browser.text(&format!("draw({})", json!(name)));
        let theirs = STANDARD.decode(theirs).unwrap();
        assert_eq!(theirs.len(), pixels.rgba.len(), "{name}");
        // A canvas stores premultiplied bytes, so faint colours are rounded twice.
        for (index, (a, b)) in (pixels.rgba.chunks(4)).zip(theirs.chunks(4)).enumerate() {
            let premultiplied = |pixel: &[u8]| {
                let factors = [i32::from(pixel[3]), 255];
                [0, 1, 2, 3].map(|i| i32::from(pixel[i]) * factors[i / 3] / 255)
            };
            let far = premultiplied(a).iter().zip(premultiplied(b)).any(|(a, b)| (a - b).abs() > 1);
            assert!(!far, "{name}: pixel {index} is {a:?} here, {b:?} in Phaser");
        }
        assert!(pixels.rgba.iter().any(|byte| *byte > 0), "{name} is empty");
        drawn += 1;
    }
    assert!(drawn >= ours.sprites.len().min(10));
    browser
}

fn open(atlas: &Path) -> Opened {
    sprite::open(fs::read(atlas).unwrap(), &mut Folder::of(atlas, false))
}

fn draw(opened: &Opened, index: usize, size: [u32; 2]) -> Pixels {
    let at = FrameAt::exact(opened.subject.all().unwrap_or(AnimationId(0)), index as u16);
    sprite::draw(opened, at, size, Samples::One, Filter::Nearest)
}

fn run(program: &str, folder: &Path, args: &[&str]) {
    let out = Command::new(program).args(args).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{args:?}: {text}");
}

const PCHR: &str = env!("CARGO_BIN_EXE_pchr");
const VIEW: &str = env!("CARGO_BIN_EXE_pchr-view");
const PICTURES: &str = "pictures/{animation}/{frame:02}.png";
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.pchr");

/// Captures every third frame of the sample character.
fn capture(folder: &Path, output: &str) {
    let frames = ["-a", "all", "-f", "0..:3", "-s", "96x96", "-o", output];
    run(VIEW, folder, &[&["capture", SAMPLE, "--renderer", "cpu"][..], &frames].concat());
}

#[test]
#[cfg_attr(any(not(pchr_phaser), skip_browser_tests), ignore = "needs Phaser and chromium")]
fn atlases_that_are_packed_and_captured() {
    let folder = tempfile::tempdir().unwrap();
    capture(folder.path(), PICTURES);
    run(PCHR, folder.path(), &["pack", "pictures", "-o", "packed.pct"]);
    capture(folder.path(), "captured.pct");
    for atlas in ["packed.pct", "captured.pct"] {
        is_the_same_in_phaser(&folder.path().join(atlas));
    }
}

#[test]
#[cfg_attr(any(not(pchr_phaser), skip_browser_tests), ignore = "needs Phaser and chromium")]
fn a_captured_sheet_in_json_plays_its_clips() {
    let folder = tempfile::tempdir().unwrap();
    capture(folder.path(), "fox.json");
    let mut browser = is_the_same_in_phaser(&folder.path().join("fox.json"));
    let played = browser.value("play('walk')");
    let frames: Vec<String> = (0..30).step_by(3).map(|frame| format!("walk/{frame:04}")).collect();
    assert_eq!(played[0], json!(frames));
    assert!((played[1].as_f64().unwrap() - 1000.0).abs() < 1.0, "{}", played[1]);
}

#[test]
#[cfg_attr(any(not(pchr_phaser), skip_browser_tests), ignore = "needs Phaser and chromium")]
fn ranges_padded_to_their_first_number() {
    let folder = tempfile::tempdir().unwrap();
    let page = Pixels { width: 31, height: 31, rgba: [90, 120, 200, 255].repeat(31 * 31) };
    let mut png = Vec::new();
    pchr::image::encode_png(&page, pchr::image::Effort::Some, &mut png).unwrap();
    fs::write(folder.path().join("page.png"), png).unwrap();
    let text =
        "PCT:1.0\nP:page.png,RGBA8888,31,31,0\nB:0,0,31,1,1\na#098-1002,b#8-011,c#08-9,d#9-10\n";
    let atlas = folder.path().join("ranges.pct");
    fs::write(&atlas, text).unwrap();
    is_the_same_in_phaser(&atlas);
}
