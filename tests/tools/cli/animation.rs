//! Tests of animations: their frames are the pictures of captures, as other programs decode them.

use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use pchr::compare::Pair;
use pchr::image::Pixels;

use crate::browser::Browser;
use crate::desk::{Desk, json_of, succeeded};

const SIZE: [u32; 2] = [96, 80];
const OPTIONS: [&str; 5] = ["sample.pchr", "-s", "96x80", "--renderer", "cpu"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_bytes("sample.pchr", include_bytes!("../../../assets/sample.pchr"));
    desk
}

fn capture(desk: &Desk, more: &[&str]) {
    succeeded(&desk.run(&[&["capture"], &OPTIONS[..], more].concat()));
}

/// Pixels of PNG files in a folder.
fn pictures(desk: &Desk, folder: &str) -> Vec<Vec<u8>> {
    let picture = |name: &String| desk.picture(&format!("{folder}/{name}"));
    desk.files(folder).keys().map(|name| picture(name).pixels.concat()).collect()
}

/// Decodes a file with FFmpeg: RGBA of each frame.
fn by_ffmpeg(desk: &Desk, name: &str, before: &[&str], size: [u32; 2]) -> Vec<Vec<u8>> {
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-v", "error"]).args(before).arg("-i").arg(desk.path(name));
    ffmpeg.args(["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgba", "-"]);
    let output =
        ffmpeg.output().expect("ffmpeg must be installed (Debian: apt-get install ffmpeg)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let frame = (size[0] * size[1] * 4) as usize;
    assert!(output.stdout.len().is_multiple_of(frame), "{name}");
    output.stdout.chunks(frame).map(<[u8]>::to_vec).collect()
}

/// Decodes a file in Chromium: RGBA and microseconds of each frame.
fn by_chromium(desk: &Desk, name: &str) -> Vec<(Vec<u8>, f64)> {
    let (_, ending) = name.rsplit_once('.').unwrap();
    let kind = if ending == "apng" { "png" } else { ending };
    let page = desk.path("page.html");
    std::fs::write(&page, "<!doctype html>").unwrap();
    let mut browser = Browser::start();
    browser.open(&page, "");
    let data = STANDARD.encode(desk.bytes(name));
    let script = format!(
        "(async () => {{
            const data = Uint8Array.from(atob('{data}'), c => c.charCodeAt(0));
            const decoder = new ImageDecoder({{data, type: 'image/{kind}', premultiplyAlpha: 'none'}});
            await decoder.tracks.ready;
            await decoder.completed;
            const frames = [];
            for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; i++) {{
                const {{image}} = await decoder.decode({{frameIndex: i}});
                const rgba = new Uint8Array(image.allocationSize({{format: 'RGBA'}}));
                await image.copyTo(rgba, {{format: 'RGBA'}});
                let text = '';
                for (const byte of rgba) text += String.fromCharCode(byte);
                frames.push([btoa(text), image.duration]);
                image.close();
            }}
            return frames;
        }})()"
    );
    let frames = browser.value(&script);
    let frame = |frame: &Value| {
        (STANDARD.decode(frame[0].as_str().unwrap()).unwrap(), frame[1].as_f64().unwrap())
    };
    frames.as_array().unwrap().iter().map(frame).collect()
}

/// Mean visible error of frames, 0 to 1.
fn mean_flip(wanted: &[Vec<u8>], frames: &[Vec<u8>], [width, height]: [u32; 2]) -> f64 {
    assert_eq!(wanted.len(), frames.len());
    let pixels = |rgba: &Vec<u8>| Pixels { width, height, rgba: rgba.clone() };
    let errors = wanted.iter().zip(frames).map(|(wanted, frame)| {
        let (wanted, frame) = (pixels(wanted), pixels(frame));
        Pair::new(&wanted, &frame).unwrap().mean_flip()
    });
    errors.sum::<f64>() / wanted.len() as f64
}

#[test]
#[cfg_attr(skip_browser_tests, ignore = "needs Chromium: PCHR_TEST_BROWSER=1")]
fn chromium_shows_lossless_animations_as_they_were_drawn() {
    let desk = desk();
    let out = ["-o", "walk.apng", "-o", "walk.webp", "-o", "f/{frame:04}.png", "-f", "all"];
    let walk = ["-a", "walk", "--background", "#406080"];
    capture(&desk, &[&walk[..], &out].concat());
    let wanted = pictures(&desk, "f");
    for name in ["walk.apng", "walk.webp"] {
        let frames = by_chromium(&desk, name);
        assert_eq!(frames.len(), wanted.len(), "{name}");
        let time: f64 = frames.iter().map(|(_, time)| time).sum();
        // Chromium cuts the time of each frame of a PNG to milliseconds.
        let cut = if name == "walk.apng" { 1000.0 * wanted.len() as f64 } else { 1.0 };
        let late = wanted.len() as f64 / 30.0 * 1e6 - time;
        assert!(late.abs() < cut + 1000.0, "{name}: {time}");
        for (number, ((pixels, _), wanted)) in frames.iter().zip(&wanted).enumerate() {
            assert!(pixels == wanted, "{name}: frame {number}");
        }
    }
}

#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn a_gif_is_nearer_than_that_of_ffmpeg_in_fewer_bytes() {
    let desk = desk();
    let out = ["-o", "walk.gif", "-o", "f/{frame:04}.png", "-f", "all"];
    capture(&desk, &[&["-a", "walk", "--background", "#ffffff"][..], &out].concat());
    let input = desk.path("f/%04d.png");
    let filter = "split[a][b];[a]palettegen[p];[b][p]paletteuse";
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-v", "error", "-framerate", "30", "-i"]).arg(input).args(["-vf", filter]);
    assert!(ffmpeg.arg(desk.path("theirs.gif")).status().unwrap().success());
    let wanted = pictures(&desk, "f");
    let [ours, theirs] = ["walk.gif", "theirs.gif"].map(|name| {
        let frames = by_ffmpeg(&desk, name, &[], SIZE);
        (mean_flip(&wanted, &frames, SIZE), desk.bytes(name).len())
    });
    assert!(ours.0 < theirs.0 && ours.1 <= theirs.1, "{ours:?}, theirs {theirs:?}");
}

/// What was transparent stays so, and is transparent again where the character has gone.
#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn a_gif_is_transparent_where_less_than_half_is_covered() {
    let desk = desk();
    let out = ["-a", "jump", "-f", "all", "-o", "jump.gif", "-o", "f/{frame:04}.png"];
    capture(&desk, &out);
    let (frames, wanted) = (by_ffmpeg(&desk, "jump.gif", &[], SIZE), pictures(&desk, "f"));
    assert_eq!(frames.len(), wanted.len());
    for (number, (frame, wanted)) in frames.iter().zip(&wanted).enumerate() {
        for (pixel, wanted) in frame.chunks(4).zip(wanted.chunks(4)) {
            assert_eq!(pixel[3] > 0, wanted[3] >= 128, "frame {number}");
        }
    }
}

#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn videos_show_the_pictures_and_their_transparency() {
    let desk = desk();
    let names = ["walk.mp4", "walk.webm", "walk.mov"];
    let out = names.map(|name| ["-o", name]).concat();
    let pictures_too = ["-o", "f/{frame:04}.png", "-f", "all", "-a", "walk"];
    capture(&desk, &[&out[..], &pictures_too].concat());
    let wanted = pictures(&desk, "f");
    let over_white = |rgba: &Vec<u8>| -> Vec<u8> {
        let over = |pixel: &[u8]| {
            let alpha = u32::from(pixel[3]);
            let [r, g, b] = [0, 1, 2]
                .map(|i| ((u32::from(pixel[i]) * alpha + 255 * (255 - alpha) + 127) / 255) as u8);
            [r, g, b, 255]
        };
        rgba.chunks(4).flat_map(over).collect()
    };
    let white: Vec<_> = wanted.iter().map(over_white).collect();
    // The usual decoder of VP9 has no alpha.
    let decoders: [&[&str]; 3] = [&[], &["-c:v", "libvpx-vp9"], &[]];
    for (name, decoder) in names.into_iter().zip(decoders) {
        let frames = by_ffmpeg(&desk, name, decoder, SIZE);
        let flip = match name {
            "walk.mp4" => mean_flip(&white, &frames, SIZE),
            _ => mean_flip(&white, &frames.iter().map(over_white).collect::<Vec<_>>(), SIZE),
        };
        assert!(flip < 0.08, "{name}: {flip}");
        let corner = frames[0][3];
        assert_eq!(corner, if name == "walk.mp4" { 255 } else { 0 }, "{name}");
    }
}

/// A second of a loop at N pictures a second has N pictures, each as `--time` shows it.
#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn a_rate_takes_pictures_at_even_times() {
    let desk = desk();
    capture(&desk, &["-a", "idle", "--smooth", "--fps", "10", "-o", "idle.apng"]);
    let frames = by_ffmpeg(&desk, "idle.apng", &[], SIZE);
    assert_eq!(frames.len(), 28); // 84 frames at 30 a second
    for (number, pixels) in frames.iter().enumerate().step_by(7) {
        let time = format!("--time={}", number as f64 / 10.0);
        capture(&desk, &["-a", "idle", "--smooth", &time, "-o", "one.png"]);
        assert!(*pixels == desk.picture("one.png").pixels.concat(), "{time}");
    }
}

/// Frames of a file by the number of the captured picture that each shows.
fn numbers(desk: &Desk, name: &str) -> Vec<usize> {
    let all = pictures(desk, "all");
    let number = |frame: &Vec<u8>| all.iter().position(|picture| picture == frame).unwrap();
    by_ffmpeg(desk, name, &[], SIZE).iter().map(number).collect()
}

/// A clip over something translucent, with bones.
const WALK: [&str; 6] = ["-a", "walk", "--background", "#20406080", "--overlay", "bones"];

fn shown(desk: &Desk, options: &[&str]) -> Vec<usize> {
    capture(desk, &[&WALK[..], &["-o", "some.apng", "--jobs", "4"], options].concat());
    numbers(desk, "some.apng")
}

#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn an_apng_has_the_pictures_of_captures_in_the_order_in_which_they_play() {
    let desk = desk();
    capture(&desk, &[&WALK[..], &["-f", "all", "-o", "all/{frame:04}.png"]].concat());
    shown(&desk, &["-f", "all"]);
    assert_eq!(by_ffmpeg(&desk, "some.apng", &[], SIZE), pictures(&desk, "all"));
    assert_eq!(shown(&desk, &["--section", "3..=6"]), [3, 4, 5, 6]);
    assert_eq!(shown(&desk, &["--section", "3..=6", "--ping-pong"]), [3, 4, 5, 6, 5, 4]);
    assert_eq!(shown(&desk, &["-f", "0..6:2", "--include-last"]), [0, 2, 4, 0]);
    assert_eq!(shown(&desk, &["-f", "2..6", "--loop", "off", "--include-last"]), [2, 3, 4, 5, 5]);
    assert_eq!(shown(&desk, &["--section", "0..=5", "--speed", "2", "--fps", "30"]), [0, 2, 4]);
    assert_eq!(shown(&desk, &["--section", "0..=5", "--rate", "15", "--fps", "15"]).len(), 6);
}

/// Where a session stands is no choice of frames; how it plays is kept.
#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn a_session_is_exported_as_it_plays() {
    let desk = desk();
    capture(&desk, &["-a", "walk", "-f", "all", "-o", "all/{frame:04}.png"]);
    let playing = ["--section", "2..=4", "--ping-pong", "--save-session", "walk.pchr-view.toml"];
    capture(&desk, &[&["-a", "walk", "-f", "3", "-o", "one.png"][..], &playing].concat());
    let export = ["capture", "walk.pchr-view.toml", "--renderer", "cpu", "-o", "walk.apng"];
    succeeded(&desk.run(&export));
    assert_eq!(numbers(&desk, "walk.apng"), [2, 3, 4, 3]);
}

#[test]
#[cfg_attr(skip_video_tests, ignore = "needs ffmpeg: PCHR_TEST_VIDEO=1")]
fn trimmed_animations_hold_all_that_is_visible() {
    let desk = desk();
    let out = ["-o", "jump.apng", "-o", "cut/{frame:04}.png", "-f", "all"];
    capture(&desk, &[&["-a", "jump", "--trim", "--pad", "3"][..], &out].concat());
    capture(&desk, &["-a", "jump", "-f", "all", "-o", "f/{frame:04}.png"]);
    let whole = pictures(&desk, "f").into_iter();
    let whole: Vec<_> =
        whole.map(|rgba| Pixels { width: SIZE[0], height: SIZE[1], rgba }).collect();
    let rects = whole.iter().filter_map(Pixels::visible);
    let rect = rects.reduce(pchr::image::PixelRect::union).unwrap();
    let wanted: Vec<_> = whole.iter().map(|picture| picture.cut(rect).padded(3).rgba).collect();
    let size = rect.size.map(|side| side + 6);
    assert!(size[0] < SIZE[0] && size[1] <= SIZE[1]);
    assert_eq!(pictures(&desk, "cut"), wanted);
    assert_eq!(by_ffmpeg(&desk, "jump.apng", &[], size), wanted);
    capture(&desk, &["-a", "jump", "-f", "9", "--trim=each", "-o", "one.png"]);
    let one = whole[9].cut(whole[9].visible().unwrap());
    assert_eq!(desk.picture("one.png").pixels.concat(), one.rgba);
}

#[test]
fn several_outputs_are_those_of_several_runs() {
    let desk = desk();
    let names = ["a.gif", "a.apng", "a.webp", "sheet.json", "a.png"];
    let words: Vec<&str> = names.iter().flat_map(|name| ["-o", name]).collect();
    capture(&desk, &[&["-a", "jump"], &words[..]].concat());
    let together = names.map(|name| desk.bytes(name));
    for (name, together) in names.iter().zip(together) {
        capture(&desk, &["-a", "jump", "-o", name, "--jobs", "1"]);
        assert!(desk.bytes(name) == together, "{name}");
    }
}

#[test]
fn the_report_lists_files_with_their_frames_times_and_sizes() {
    let desk = desk();
    let more = ["-a", "all", "--fps", "10", "-o", "{animation}.gif", "--json"];
    let report = json_of(&desk.run(&[&["capture"], &OPTIONS[..], &more].concat()));
    let files = report["animations"].as_array().unwrap();
    assert_eq!(files.len(), 5);
    for file in files {
        let bytes = desk.bytes(file["path"].as_str().unwrap());
        assert_eq!(file["bytes"], bytes.len());
        let frames = file["frames"].as_f64().unwrap();
        assert_eq!(file["seconds"], frames / 10.0);
    }
}

/// Frames, clips and pivots of a sheet, as engines read them.
#[test]
fn a_sheet_in_json_says_how_its_clips_play() {
    let desk = desk();
    let out = ["-o", "fox.json", "--power-of-two", "--padding", "1", "--fps", "6"];
    capture(&desk, &[&["-a", "all"], &out[..]].concat());
    let sheet: Value = serde_json::from_slice(&desk.bytes("fox.json")).unwrap();
    let tags = sheet["meta"]["frameTags"].as_array().unwrap();
    let frames = sheet["frames"].as_object().unwrap();
    assert_eq!(tags.len(), 5);
    assert_eq!(tags.last().unwrap()["to"], frames.len() - 1);
    for tag in tags {
        let names = sheet["animations"][tag["name"].as_str().unwrap()].as_array().unwrap();
        let count = tag["to"].as_u64().unwrap() - tag["from"].as_u64().unwrap() + 1;
        assert_eq!(names.len() as u64, count);
        for name in names {
            let frame = &frames[name.as_str().unwrap()];
            assert_eq!(frame["duration"], 166.667);
            assert!(frame["pivot"]["x"].is_number() && frame["pivot"]["y"].is_number());
        }
    }
    let side = |axis: &str| sheet["meta"]["size"][axis].as_u64().unwrap();
    assert!(side("w").is_power_of_two() && side("h").is_power_of_two());
    assert!(desk.path("fox.png").exists());
}

#[test]
fn a_contact_sheet_holds_the_pictures_of_captures() {
    let desk = desk();
    let options = ["--contact", "2x3", "-o", "contact.png", "--json"];
    let report = json_of(&desk.run(&[&["capture"], &OPTIONS[..], &options].concat()));
    let rows = report["contactSheets"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    let sheet = desk.picture("contact.png");
    let [width, height] = SIZE.map(|side| side as usize);
    let below = 13 + 3 + height + 3 + 13 + 8;
    for (row, number) in rows.iter().zip(0..) {
        let clip = row["animation"].as_str().unwrap();
        for (frame, column) in row["frames"].as_array().unwrap().iter().zip(0..) {
            let frame = frame.to_string();
            capture(&desk, &["-a", clip, "-f", &frame, "--background=#fafafa", "-o", "one.png"]);
            let one = desk.picture("one.png");
            let (left, top) = (8 + column * (width + 8), 8 + number * below + 16);
            let differs = |x: usize, y: usize| {
                let pair = sheet.at(left + x, top + y).into_iter().zip(one.at(x, y));
                pair.into_iter().any(|(a, b)| a.abs_diff(b) > 2)
            };
            let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            assert_eq!(all.filter(|(x, y)| differs(*x, *y)).count(), 0, "{clip} {frame}");
        }
    }
}
