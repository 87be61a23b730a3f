//! Tests of figures with the CPU renderer: placement, tint, looks of parts, and buffers of other programs.

use crate::fixture::{BLUE, Builder, GREEN, RED, WHITE};
use pchr::character::Character;
use pchr::document::{AnimationId, Document};
use pchr::finding::Findings;
use pchr::glam::{Affine2, Vec2};
use pchr::image::{Pixels, decode_all};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::{
    DrawError, Raster, RasterFigure, RasterModel, RasterOptions, RasterPart, RasterTarget,
    RasterTexture, Simd,
};
use pchr::scene::{Camera2d, Filter, Frame, Picture, Samples, ViewOptions, WrongSubject};

const SIZE: [u32; 2] = [96, 80];
const BYTES: usize = 96 * 80 * 4;

fn rasters() -> impl Iterator<Item = Raster> {
    let all = [Samples::One, Samples::Four].map(|samples| {
        [Simd::Auto, Simd::Portable]
            .map(|simd| Raster::new(RasterOptions { samples, threads: 1, simd }))
    });
    all.into_iter().flatten()
}

fn pictures() -> impl Iterator<Item = Picture> {
    let all = [(Filter::Linear, false), (Filter::Linear, true), (Filter::Nearest, false)];
    all.into_iter().map(|(filter, mipmaps)| Picture {
        size: SIZE,
        camera: Camera2d { center: [0.0, 10.0], zoom: 0.15, ..Camera2d::default() },
        filter,
        mipmaps,
        clear: [40, 50, 60, 255],
    })
}

struct Cast {
    model: RasterModel,
    frame: Frame,
}

impl Cast {
    fn new(document: Document, animation: u16, frame: u16) -> Self {
        let images = decode_all(&document, &mut Findings::default());
        let mut model = RasterModel::new(&document, images);
        model.build_mips();
        let character = Character::new(document, BindChoice::Auto);
        let at = Some(FrameAt::exact(AnimationId(animation), frame));
        Self { model, frame: Frame::new(&character, at, &ViewOptions::default()) }
    }

    fn fox() -> Self {
        Self::new(crate::fixture::sample(), 2, 7)
    }

    fn figure(&self) -> RasterFigure<'_> {
        RasterFigure::new(&self.model, self.frame.list(), self.frame.pose())
    }

    fn plain(&self, raster: &mut Raster, picture: &Picture) -> Vec<u8> {
        let mut out = Pixels::empty();
        let (list, pose) = (self.frame.list(), self.frame.pose());
        raster.draw(&self.model, list, pose, picture, &mut out).unwrap();
        out.rgba
    }
}

/// A horizontal bar from the origin.
fn bar(width: f32) -> Cast {
    let bar = Builder::rect(1, &[RED], [0.0, 0.0], [width, 4.0]);
    Cast::new(bar.still("still", true, 1).document(), 0, 0)
}

/// Draws a figure over the picture's clear colour, in rows without padding.
fn draw(raster: &mut Raster, figure: &RasterFigure<'_>, picture: &Picture) -> Vec<u8> {
    let mut rgba = picture.clear.repeat(96 * 80);
    let mut target = RasterTarget { rgba: &mut rgba, stride: 96 * 4 };
    raster.draw_figure(figure, picture, &mut target).unwrap();
    rgba
}

#[test]
fn a_figure_is_the_picture_bit_by_bit_and_what_lies_between_the_rows_is_not_touched() {
    let fox = Cast::fox();
    let stride = 96 * 4 + 13;
    for picture in pictures() {
        for mut raster in rasters() {
            let wanted = fox.plain(&mut raster, &picture);
            assert!(draw(&mut raster, &fox.figure(), &picture) == wanted);
            let mut rgba = vec![7; stride * 80];
            for row in rgba.chunks_mut(stride) {
                row[..96 * 4].copy_from_slice(&picture.clear.repeat(96));
            }
            // The last row needs no padding.
            let len = rgba.len() - 13;
            let mut target = RasterTarget { rgba: &mut rgba[..len], stride };
            raster.draw_figure(&fox.figure(), &picture, &mut target).unwrap();
            for (row, wanted) in rgba.chunks(stride).zip(wanted.chunks(96 * 4)) {
                assert!(row[..96 * 4] == *wanted);
                assert_eq!(row[96 * 4..], [7; 13]);
            }
        }
    }
}

#[test]
fn a_buffer_without_room_is_an_error() {
    let fox = Cast::fox();
    let mut raster = Raster::new(RasterOptions::default());
    let picture = pictures().next().unwrap();
    let mut rgba = vec![7; BYTES];
    for (len, stride) in [(BYTES - 1, 96 * 4), (BYTES, 96 * 4 - 1), (BYTES, 97 * 4), (0, 0)] {
        let mut target = RasterTarget { rgba: &mut rgba[..len], stride };
        let refused = raster.draw_figure(&fox.figure(), &picture, &mut target);
        let wanted = format!("does not fit into {len} bytes with {stride} bytes per row");
        assert_eq!(
            refused.unwrap_err().to_string(),
            format!("a picture of 96 x 80 pixels {wanted}")
        );
    }
    assert!(rgba.iter().all(|byte| *byte == 7));
    let nothing = Picture { size: [0, 80], ..picture };
    let mut target = RasterTarget { rgba: &mut [], stride: 0 };
    assert_eq!(raster.draw_figure(&fox.figure(), &nothing, &mut target), Ok(()));
}

#[test]
fn a_place_moves_scales_and_turns_what_the_camera_does_not() {
    let fox = Cast::fox();
    for picture in pictures() {
        for mut raster in rasters() {
            // Scaling by a power of two changes no bit.
            let mut near = picture;
            near.camera.zoom *= 2.0;
            let half = RasterFigure {
                world_from_model: Affine2::from_scale(Vec2::splat(0.5)),
                ..fox.figure()
            };
            near.camera.center = [0.0, 5.0];
            assert!(draw(&mut raster, &half, &near) == fox.plain(&mut raster, &picture));
        }
    }
    // A horizontal bar stands upright after a right-angle turn.
    let bar = bar(20.0);
    let turned = RasterFigure {
        world_from_model: Affine2::from_cols(Vec2::Y, Vec2::NEG_X, Vec2::new(8.0, 2.0)),
        ..bar.figure()
    };
    let picture = Picture { camera: Camera2d::default(), ..pictures().next().unwrap() };
    for mut raster in rasters() {
        let got = draw(&mut raster, &turned, &picture);
        for (i, pixel) in got.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (i % 96, i / 96);
            let inside = (48 + 4..48 + 8).contains(&x) && (40 - 22..40 - 2).contains(&y);
            let wanted = if inside { RED } else { picture.clear };
            assert_eq!(*pixel, wanted, "{x}, {y}");
        }
    }
}

#[test]
fn tints_and_textures_are_each_parts_own() {
    // Three squares side by side, with two images.
    let mut three = Builder::new().image(1, &[WHITE]).image(1, &[BLUE]).bones(1);
    for (name, image, x) in [("a", 0, -30.0), ("b", 0, -10.0), ("c", 1, 10.0)] {
        three = three.quad(name, image, 0, [x, -10.0], [x + 20.0, 10.0]);
    }
    let three = Cast::new(three.still("still", true, 1).document(), 0, 0);
    let green = RasterTexture::new(Pixels { width: 1, height: 1, rgba: GREEN.to_vec() }, true);
    let tint = |tint| RasterPart { tint, texture: None };
    let other = RasterPart { texture: Some(&green), ..RasterPart::default() };
    let parts = [tint([1.0, 0.4, 0.2, 1.0]), tint([1.0, 1.0, 1.0, 0.5]), other];
    for picture in pictures() {
        let picture = Picture { camera: Camera2d::default(), clear: [0; 4], ..picture };
        for mut raster in rasters() {
            let shown = |got: &[u8]| [28, 48, 68].map(|x| got.as_chunks::<4>().0[40 * 96 + x]);
            assert_eq!(shown(&draw(&mut raster, &three.figure(), &picture)), [WHITE, WHITE, BLUE]);
            let mut figure = RasterFigure { parts: &parts, ..three.figure() };
            let got = draw(&mut raster, &figure, &picture);
            assert_eq!(shown(&got), [[255, 102, 51, 255], [128; 4], GREEN]);
            figure.tint = [0.0, 1.0, 1.0, 1.0];
            figure.parts = &parts[..1];
            let got = draw(&mut raster, &figure, &picture);
            let [_, g, b, a] = BLUE;
            assert_eq!(shown(&got), [[0, 102, 51, 255], [0, 255, 255, 255], [0, g, b, a]]);
        }
    }
}

#[test]
fn a_tint_that_is_hardly_one_looks_the_same_in_every_filter() {
    let fox = Cast::fox();
    for picture in pictures() {
        let mut pictures = rasters().map(|mut raster| {
            let wanted = fox.plain(&mut raster, &picture);
            let almost = RasterFigure { tint: [1.0 - 1e-7, 1.0, 1.0, 1.0], ..fox.figure() };
            let got = draw(&mut raster, &almost, &picture);
            assert!(got.iter().zip(&wanted).map(|(a, b)| a.abs_diff(*b)).max().unwrap() <= 1);
            got
        });
        // The same bits with and without SIMD.
        let all: Vec<_> = pictures.by_ref().collect();
        assert!(all[0] == all[1] && all[2] == all[3]);
    }
}

#[test]
fn a_picture_that_is_too_large_is_an_error() {
    let fox = Cast::fox();
    for size in [[70_000, 8], [8, 65_537], [u32::MAX; 2]] {
        let picture = Picture { size, ..pictures().next().unwrap() };
        let wanted = Err(DrawError::Size { size });
        for mut raster in rasters() {
            let mut out = Pixels::empty();
            let (list, pose) = (fox.frame.list(), fox.frame.pose());
            assert_eq!(raster.draw(&fox.model, list, pose, &picture, &mut out), wanted);
            let mut target = RasterTarget { rgba: &mut [], stride: 0 };
            assert_eq!(raster.draw_figure(&fox.figure(), &picture, &mut target), wanted);
        }
    }
}

#[test]
fn models_are_debugged_without_their_data() {
    let fox = Cast::fox();
    let document = crate::fixture::sample();
    for text in [format!("{:?}", fox.model), format!("{document:?}")] {
        assert!(text.len() < 300, "{text}");
    }
}

#[test]
fn a_frame_of_another_subject_is_an_error_and_draws_nothing() {
    let fox = Cast::fox();
    let [bar, equal, other] = [20.0, 20.0, 21.0].map(bar);
    let meshes = WrongSubject::Meshes { of_frame: fox.frame.list().mesh_count(), of_model: 1 };
    let of_frame = fox.frame.pose().world_from_bind().len();
    let bones = WrongSubject::Bones { of_frame, of_model: 1 };
    let picture = pictures().next().unwrap();
    let clear = picture.clear.repeat(96 * 80);
    for mut raster in rasters() {
        // The same file, read again, is the same subject.
        let mut out = Pixels::empty();
        let (list, pose) = (equal.frame.list(), equal.frame.pose());
        assert_eq!(raster.draw(&bar.model, list, pose, &picture, &mut out), Ok(()));
        assert!(out.rgba == bar.plain(&mut raster, &picture));
        let (fox, geometry) = (&fox.frame, WrongSubject::Geometry);
        for (list, pose, error) in [
            (fox.list(), fox.pose(), meshes),
            (bar.frame.list(), fox.pose(), bones),
            (other.frame.list(), other.frame.pose(), geometry),
        ] {
            let mut out = Pixels::empty();
            assert_eq!(raster.draw(&bar.model, list, pose, &picture, &mut out), Err(error.into()));
            assert!(out.rgba == clear, "the picture is cleared");
            let figure = RasterFigure::new(&bar.model, list, pose);
            let mut target = RasterTarget { rgba: &mut out.rgba, stride: 96 * 4 };
            let refused = raster.draw_figure(&figure, &picture, &mut target);
            assert_eq!(refused, Err(DrawError::Subject(error)));
            assert!(out.rgba == clear);
        }
        // A frame that was never filled is of any subject.
        let (frame, mut out) = (Frame::default(), Pixels::empty());
        assert_eq!(raster.draw(&bar.model, frame.list(), frame.pose(), &picture, &mut out), Ok(()));
    }
}

#[test]
fn images_that_are_missing_or_broken_are_warned_of() {
    let two = Builder::new().image(1, &[WHITE]).image(1, &[BLUE]);
    let two = two.bones(1).still("still", true, 1).document();
    let pixels = |width, height, bytes| Pixels { width, height, rgba: vec![255; bytes] };
    let warnings = |images: Vec<Pixels>| RasterModel::new(&two, images).warnings().join("; ");
    assert_eq!(warnings(vec![pixels(1, 1, 4), pixels(2, 1, 8)]), "");
    assert_eq!(
        warnings(vec![pixels(2, 2, 17), pixels(2, 2, 15)]),
        "images[1]: 2 x 2 pixels in 15 bytes, expected 16; its meshes are not drawn"
    );
    assert_eq!(
        warnings(vec![pixels(0, 0, 0)]),
        "images: 1 given, expected 2; meshes of missing images are not drawn; images[0]: 0 x 0 pixels, expected at least 1 x 1; its meshes are not drawn"
    );
    let huge = RasterTexture::new(pixels(u32::MAX, u32::MAX, 4), true);
    let wanted = "4294967295 x 4294967295 pixels, expected at most 65535 on each side; its meshes are not drawn";
    assert_eq!(huge.warning(), Some(wanted));
    assert_eq!(RasterTexture::new(pixels(1, 1, 4), true).warning(), None);
}

#[test]
fn a_model_gives_its_images_back() {
    let fox = crate::fixture::sample();
    let images = decode_all(&fox, &mut Findings::default());
    let mut model = RasterModel::new(&fox, images.clone());
    model.build_mips();
    assert!(model.images().eq(&images));
}
