//! The built-in renderer: against reference pictures of another renderer, and against itself on other paths.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::print_stdout,
    reason = "a failed expectation is a failed test, and its figures are printed"
)]

#[path = "support/corpus.rs"]
mod corpus;

use corpus::{GREY, Loaded, OracleFrame};
use pchr_view::image::{Pixels, unpremultiply};
use pchr_view::raster::{Raster, RasterModel, RasterOptions, Simd};
use pchr_view::scene::Samples;

fn draw(loaded: &Loaded, model: &RasterModel, frame: &OracleFrame, clear: [u8; 4]) -> Pixels {
    let (pose, scene) = loaded.pose(frame.at());
    let mut out = Pixels::transparent();
    let mut raster = Raster::new(RasterOptions {
        samples: Samples::One,
        threads: 1,
        simd: Simd::Auto,
    });
    raster.draw(model, scene.list(), &pose, &frame.picture(clear), &mut out);
    out
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "set PCHR_CORPUS")]
fn reference_pictures_are_met_within_their_pass_marks() {
    let dump = std::env::var_os("PCHR_DUMP").map(std::path::PathBuf::from);
    let mut failures = Vec::new();
    for character in corpus::characters() {
        let loaded = Loaded::read(&character.pchr);
        let model = RasterModel::new(&loaded.document, loaded.images.clone());
        for frame in corpus::oracle(&character) {
            let wanted = corpus::read_png(&frame.png);
            let covered = corpus::covered(&wanted, GREY);
            let got = draw(&loaded, &model, &frame, GREY);
            let mut off = vec![corpus::compare(&got, &wanted)];
            if let Some(png) = &frame.png_alpha {
                // Its colours hold some of the grey, for it was drawn on grey of no opacity: only its alpha counts.
                // Our colours have to give the other reference once they are laid over grey.
                let mut got = draw(&loaded, &model, &frame, [0; 4]);
                unpremultiply(&mut got.rgba);
                off.push(corpus::compare(
                    &alpha(&got),
                    &alpha(&corpus::read_png(png)),
                ));
                off.push(corpus::compare(&over_grey(got), &wanted));
            }
            for off in off {
                let mark = frame.pass_mark(covered);
                println!(
                    "{} {:?} {}: {off:?} of {mark}",
                    character.id, frame.animation, frame.frame
                );
                if off.over_8 > mark {
                    failures.push((character.id.clone(), frame.frame, off));
                }
            }
            if let Some(dump) = &dump {
                let name =
                    |what: &str| dump.join(format!("{}.{}.{what}.png", character.id, frame.frame));
                corpus::write_png(&name("got"), &got);
                corpus::write_png(&name("diff"), &corpus::difference_picture(&got, &wanted));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The alpha channel, as grey.
fn alpha(picture: &Pixels) -> Pixels {
    let pixels = picture.rgba.as_chunks().0.iter();
    Pixels {
        rgba: pixels
            .flat_map(|[.., a]: &[u8; 4]| [*a, *a, *a, 255])
            .collect(),
        width: picture.width,
        height: picture.height,
    }
}

/// A picture with straight alpha, laid over grey.
fn over_grey(mut picture: Pixels) -> Pixels {
    for pixel in picture.rgba.as_chunks_mut::<4>().0 {
        let share = f64::from(pixel[3]) / 255.0;
        for (channel, grey) in pixel.iter_mut().zip(GREY) {
            let mixed = f64::from(*channel) * share + f64::from(grey) * (1.0 - share);
            *channel = mixed.round() as u8;
        }
        pixel[3] = 255;
    }
    picture
}
