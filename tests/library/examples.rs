//! Tests of the examples that draw: their pictures equal those of captures and of the CPU renderer.
#![allow(
    dead_code,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "examples are included in part; a failed expectation is a failed test, and its figures are printed"
)]

#[path = "../../examples/cpu_sprite.rs"]
mod cpu_sprite;
#[path = "../../examples/crowd_wgpu.rs"]
mod crowd;

use std::path::Path;
use std::process::Command;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::image::{Pixels, decode_straight};
use pchr::scene::{Camera2d, Picture, Samples};
use pchr_tools::capture::Shot;

use crate::fixture;
use crate::own::example;

fn run(command: &mut Command) {
    command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

fn png(path: &Path) -> Pixels {
    decode_straight(&std::fs::read(path).unwrap(), &Budget::default()).unwrap()
}

/// Picture that an example writes to the path behind these arguments.
fn picture(name: &str, args: &[&str]) -> Pixels {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    run(Command::new(example(name)).args(args).arg(&path));
    png(&path)
}

/// Frame of the sample as captured with a renderer.
fn captured(renderer: &str, clip: &str, frame: u16, options: &[&str]) -> Pixels {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fox.png");
    let mut capture = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    capture.args(["capture", "--renderer", renderer, "-a", clip, "-f"]);
    capture.arg(frame.to_string()).args(options).arg("-o");
    run(capture.arg(&path).arg(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.pchr")));
    png(&path)
}

/// Share of pixels that differ by more than 2.
fn share_off(a: &Pixels, b: &Pixels) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let pairs = a.rgba.as_chunks::<4>().0.iter().zip(b.rgba.as_chunks::<4>().0);
    let count = pairs.len() as f64;
    let off = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2));
    off.count() as f64 / count
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn the_fox_on_a_field_is_the_capture_over_it() {
    let got = picture("embed_wgpu", &["--screenshot"]);
    let document = fixture::sample();
    let walk = { document.animations() }.find(|it| it.name() == "walk");
    let frame = 30 % walk.unwrap().frame_count();
    let options = ["-s", "480x360", "--center", "0,10", "--zoom", "0.6", "--msaa", "1"];
    let mut wanted = captured("gpu", "walk", frame, &options);
    let width = wanted.width as usize;
    for (i, pixel) in wanted.rgba.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [r, g, b, a] = pixel.map(f64::from);
        let behind = if i / width < 288 { [0.6, 0.8, 0.9] } else { [0.4, 0.6, 0.2] };
        let over = |c: f64, behind: f64| (c * a / 255.0 + behind * (255.0 - a)).round() as u8;
        let [br, bg, bb] = behind;
        *pixel = [over(r, br), over(g, bg), over(b, bb), 255];
    }
    assert_eq!(share_off(&got, &wanted), 0.0);
}

/// Side of a capture that holds a figure of the crowd, whose origin is in its middle.
const FIGURE: u32 = 400;

/// Captures of the crowd's figures, by number: each of its size, untinted, looking the same way.
fn captured_crowd(fox: &Character) -> Vec<Pixels> {
    let shot = |number: u16| {
        let zoom = crowd::place(number).matrix2.y_axis.y.into();
        let camera = Camera2d { zoom, ..Camera2d::default() };
        Shot { at: crowd::moment(fox, number, 30), mix: None, camera: camera.into() }
    };
    let shots: Vec<_> = (0..crowd::CROWD).map(shot).collect();
    let picture = Picture { mipmaps: true, ..fixture::picture([FIGURE; 2]) };
    crate::embed::views::captured(picture, Samples::One, &shots)
}

/// A capture's colours are rounded once more than the crowd's, as they lie over nothing, so a few pixels differ by 3 or 4.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn the_crowd_is_captures_side_by_side() {
    let got = picture("crowd_wgpu", &["--screenshot"]);
    let fox = Character::from(fixture::sample());
    let mut wanted = Pixels { width: 960, height: 540, rgba: [51, 51, 51, 255].repeat(960 * 540) };
    for (number, figure) in (0..).zip(captured_crowd(&fox)) {
        let place = crowd::place(number);
        let flips = place.matrix2.x_axis.x < 0.0;
        let tint = crowd::tint(number).map(f64::from);
        // Figures stand on whole pixels.
        let [left, top] = [480.0 + place.translation.x, 270.0 - place.translation.y]
            .map(|middle| middle as i64 - i64::from(FIGURE / 2));
        for (i, pixel) in (0..).zip(figure.rgba.as_chunks::<4>().0) {
            let (x, y) = (i % i64::from(FIGURE), i / i64::from(FIGURE));
            let x = left + if flips { i64::from(FIGURE) - 1 - x } else { x };
            let y = top + y;
            if !(0..960).contains(&x) || !(0..540).contains(&y) {
                continue;
            }
            let [r, g, b, a] = pixel.map(f64::from);
            let opacity = a / 255.0 * tint[3];
            let below = &mut wanted.rgba[(y * 960 + x) as usize * 4..][..3];
            for ((below, colour), tint) in below.iter_mut().zip([r, g, b]).zip(tint) {
                *below =
                    (colour * tint * opacity + f64::from(*below) * (1.0 - opacity)).round() as u8;
            }
        }
    }
    let off = share_off(&got, &wanted);
    println!("{:.3} % of pixels differ by more than 2", 100.0 * off);
    let most = got.rgba.iter().zip(&wanted.rgba).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(off <= 0.0001 && most <= 4, "{off}, {most}");
}

#[test]
fn sprites_in_a_buffer_of_the_program_are_captures_bit_by_bit() {
    let got = picture("cpu_sprite", &[]);
    let [width, height] = cpu_sprite::SPRITE;
    let row = width as usize * 4;
    for sprite in 0..got.width / width {
        let seconds = f64::from(sprite + 1) * cpu_sprite::STEP;
        let frame = (seconds * 30.0) as u16;
        let wanted = cpu_sprite::COLOURS.map(|[r, g, b, _]| {
            let [size, colour] = [format!("{width}x{height}"), format!("#{r:02x}{g:02x}{b:02x}")];
            let camera = ["--center", "0,-20", "--zoom", "0.5"];
            let options = [&["-s", &size, "--background", &colour], camera.as_slice()].concat();
            captured("cpu", "walk", frame, &options)
        });
        for y in 0..height as usize {
            let start = (y * (got.width / width) as usize + sprite as usize) * row;
            let wanted = &wanted[usize::from(y >= cpu_sprite::HORIZON)];
            let same = got.rgba[start..][..row] == wanted.rgba[y * row..][..row];
            assert!(same, "sprite {sprite}, row {y}");
        }
    }
}

/// The engine blends four texels in a different order of steps, so some results round differently.
#[test]
fn an_engine_that_is_given_arrays_draws_what_a_capture_has() {
    let got = picture("any_engine", &[]);
    let camera = ["-s", "240x280", "--center", "0,40", "--zoom", "0.5"];
    let picture = ["--msaa", "1", "--background", "#a0b4c4"];
    let wanted = captured("cpu", "jump", 22, &[camera.as_slice(), &picture].concat());
    let off: Vec<u8> = got.rgba.iter().zip(&wanted.rgba).map(|(a, b)| a.abs_diff(*b)).collect();
    let pixels = off.as_chunks::<4>().0;
    let differ = pixels.iter().filter(|pixel| **pixel != [0; 4]).count();
    let share = differ as f64 / pixels.len() as f64;
    let most = *off.iter().max().unwrap();
    println!("{:.2} % of pixels differ, by {most} at most", 100.0 * share);
    assert!(most <= 1 && share <= 0.01, "{most}, {share}");
}

#[test]
fn the_pictures_of_mistakes_are_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    run(Command::new(example("any_engine")).arg("--mistakes").arg(folder.path()));
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let mut count = 0;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let name = file.unwrap().file_name();
        let [made, kept] = [folder.path(), &kept].map(|folder| png(&folder.join(&name)));
        assert!(share_off(&made, &kept) == 0.0, "{}", name.display());
        count += 1;
    }
    assert_eq!(count, 6);
}
