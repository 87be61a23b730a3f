//! Cost of comparing a frame with its baseline, as a ratio to capturing that frame in turn with it; and how much more a frame
//! that fails costs than one that passes.
//!
//! Prints a table; `PCHR_CORPUS` adds files of the corpus.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a bench prints its result, and ends where it cannot measure"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/min_of_many.rs"]
mod min_of_many;
#[path = "support/subjects.rs"]
mod subjects;

use std::hint::black_box;
use std::sync::Mutex;
use std::time::Duration;

use min_of_many::min_of_many;
use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::compare::{Difference, Pair, Tolerance};
use pchr::finding::Findings;
use pchr::image::{DEFAULT_BUDGET, Effort, Pixels, decode_all, decode_straight, encode_png};
use pchr::pose::{BindChoice, FrameAt, default_animation};
use pchr::raster::RasterModel;
use pchr::scene::{Camera2d, Filter, Picture, Samples, Subject as _, ViewOptions};
use pchr_tools::capture::{CaptureJob, CpuWorker, Shot, StageTimes, Taken};
use subjects::{Subject, subjects};

const SIZE: [u32; 2] = [256, 256];

fn main() {
    // `cargo bench` and `cargo test --benches` pass arguments that have no meaning here.
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 60 };
    println!(
        "256 x 256 by the CPU renderer on one thread: reading the baseline and comparing, against posing, drawing and encoding"
    );
    for subject in &subjects() {
        frame(subject, turns);
    }
}

fn frame(subject: &Subject, turns: usize) {
    let document = subject.document();
    let images = decode_all(&document, &mut Findings::default());
    let character = Character::new(document.clone(), BindChoice::Auto);
    let view = ViewOptions::default();
    let at = default_animation(&document, character.bind())
        .map(|animation| FrameAt::exact(animation, 4));
    let bounds = character.sweep(&view).over(&mut [at].into_iter());
    let camera = Camera2d::fit(bounds, SIZE, false);
    let (filter, clear) = (Filter::Linear, [0; 4]);
    let picture = Picture { size: SIZE, camera, filter, mipmaps: false, clear };
    let job = CaptureJob::plain(&character, &view, picture, Samples::Four);
    let model = RasterModel::new(&document, images);
    let mut worker = CpuWorker::new(&job, 1);
    let times = StageTimes::default();
    let mut take = |sink: &(dyn Fn(&mut Taken<'_>) + Sync)| {
        let sink = |taken: &mut Taken<'_>| {
            sink(taken);
            Ok(())
        };
        let taken =
            worker.take(&model, 0, &Shot { at, mix: None, camera: camera.into() }, &times, &sink);
        taken.expect("a picture");
    };
    let kept = Mutex::new(None);
    take(&|taken| *kept.lock().expect("one thread") = Some(taken.pixels.clone()));
    let pixels: Pixels = kept.into_inner().expect("one thread").expect("a picture");

    let same = png(&pixels);
    let other = png(&a_little_different(&pixels));
    let everywhere = png(&different_everywhere(&pixels));
    let budget = || Budget::new(DEFAULT_BUDGET);
    let compare = |baseline: &[u8]| {
        let baseline = decode_straight(black_box(baseline), &budget()).expect("a PNG");
        let difference = Difference::measure(&baseline, &pixels).expect("pictures of one size");
        black_box(difference.is_within(&Tolerance::default()));
    };
    let decoded = [&other, &everywhere].map(|png| decode_straight(png, &budget()).expect("a PNG"));
    let measure = |baseline: &Pixels| {
        black_box(Difference::measure(black_box(baseline), &pixels).expect("pictures of one size"));
    };
    let times = min_of_many(
        turns,
        Duration::from_millis(5),
        &mut [
            &mut || {
                take(&|taken| {
                    black_box(taken.png().expect("a PNG"));
                });
            },
            &mut || compare(&same),
            &mut || compare(&other),
            &mut || compare(&everywhere),
            &mut || measure(&decoded[0]),
            &mut || measure(&decoded[1]),
        ],
    );
    let flip = |baseline: &Pixels| {
        let pair = Pair::new(black_box(baseline), &pixels).expect("pictures of one size");
        black_box(pair.mean_flip());
    };
    // All work for a frame of a report, except drawing it and writing its files.
    let fail = |baseline: &[u8]| {
        compare(baseline);
        let baseline = decode_straight(baseline, &budget()).expect("a PNG");
        flip(&baseline);
        let pair = Pair::new(&baseline, &pixels).expect("pictures of one size");
        for picture in [&baseline, &pixels, &pair.picture(0)] {
            black_box(png(picture));
        }
    };
    let failing = min_of_many(
        turns / 3 + 1,
        Duration::from_millis(5),
        &mut [
            &mut || fail(&other),
            &mut || fail(&everywhere),
            &mut || flip(&decoded[0]),
            &mut || flip(&decoded[1]),
        ],
    );
    let passes = times[0] + times[1];
    let millis = |nanos: f64| nanos / 1e6;
    println!(
        "  {:20} capture {:.3} ms; compare, equal {:.3}, a little different {:.3}, different everywhere {:.3}",
        subject.name,
        millis(times[0]),
        times[1] / times[0],
        times[2] / times[0],
        times[3] / times[0],
    );
    println!(
        "  {:20} measuring alone {:.3} and {:.3} ms; mean FLIP {:.1} and {:.1} ms",
        "",
        millis(times[4]),
        millis(times[5]),
        millis(failing[2]),
        millis(failing[3]),
    );
    println!(
        "  {:20} a frame that passes {:.2} ms; one that fails, a little different {:.1} times, different everywhere {:.1} times",
        "",
        millis(passes),
        (times[0] + failing[0]) / passes,
        (times[0] + failing[1]) / passes,
    );
}

fn png(pixels: &Pixels) -> Vec<u8> {
    let mut png = Vec::new();
    encode_png(pixels, Effort::Least, &mut png).expect("pixels of the right length");
    png
}

/// Pixels as another renderer might draw them: one level more or less in every 20th drawn pixel.
fn a_little_different(pixels: &Pixels) -> Pixels {
    let mut other = pixels.clone();
    let drawn = other.rgba.as_chunks_mut::<4>().0.iter_mut();
    let drawn = drawn.filter(|[.., alpha]| *alpha > 0);
    for pixel in drawn.step_by(20) {
        *pixel = pixel.map(|channel| channel ^ 1);
    }
    other
}

fn different_everywhere(pixels: &Pixels) -> Pixels {
    let mut other = pixels.clone();
    for (i, pixel) in other.rgba.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [low, ..] = i.to_le_bytes();
        *pixel = [pixel[0] ^ low, pixel[1], pixel[2], !pixel[3]];
    }
    other
}
