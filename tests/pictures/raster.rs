//! Tests of the CPU renderer: against reference pictures of another renderer, and against its own other paths.

#[path = "../../benches/support/character.rs"]
mod character;

use crate::corpus::{self, GREY, Loaded, OracleFrame};
use crate::fixture::{self, Builder, WHITE, vertex};
use crate::support::pixel;
use pchr::character::Character;
use pchr::document::{AnimationId, Document, Vertex};
use pchr::image::{Pixels, unpremultiply};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::{
    Cost, LayerCounts, Raster, RasterFigure, RasterModel, RasterOptions, Simd, SubjectSizes,
};
use pchr::scene::{Camera2d, Filter, Frame, Picture, Samples, ViewOptions};

fn draw(loaded: &Loaded, model: &RasterModel, frame: &OracleFrame, clear: [u8; 4]) -> Pixels {
    let posed = loaded.pose(frame.at());
    let mut out = Pixels::transparent();
    let mut raster = Raster::new(ONE_THREAD);
    raster.draw(model, posed.list(), posed.pose(), &frame.picture(clear), &mut out).unwrap();
    out
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn reference_pictures_are_met_within_their_pass_marks() {
    let dump = std::env::var_os("PCHR_DUMP").map(std::path::PathBuf::from);
    let mut failures = Vec::new();
    for character in corpus::characters() {
        let loaded = Loaded::read(&character.pchr);
        let model = RasterModel::new(&loaded.character, loaded.images.clone());
        for frame in corpus::oracle(&character) {
            let wanted = corpus::read_png(&frame.png);
            let covered = corpus::covered(&wanted, GREY);
            let got = draw(&loaded, &model, &frame, GREY);
            let mut off = vec![corpus::compare(&got, &wanted)];
            if let Some(png) = &frame.png_alpha {
                // The reference was drawn on fully transparent grey, so its colours contain some grey and only its alpha is compared.
                // Our colours over grey must match the other reference.
                let mut got = draw(&loaded, &model, &frame, [0; 4]);
                unpremultiply(&mut got.rgba);
                let alphas = [&got, &corpus::read_png(png)].map(corpus::alpha);
                off.push(corpus::compare(&alphas[0], &alphas[1]));
                off.push(corpus::compare(&over_grey(got), &wanted));
            }
            for off in off {
                let mark = frame.pass_mark(covered);
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

/// Picture with straight alpha, drawn over grey.
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

const ONE_THREAD: RasterOptions =
    RasterOptions { samples: Samples::One, threads: 1, simd: Simd::Auto };

/// A small document: one image, quads in world pixels, and one bone at rest.
struct Small(Builder);

impl Small {
    /// Creates a document; `texels` are straight RGBA, top row first.
    fn new(width: u16, texels: &[[u8; 4]]) -> Self {
        Self(Builder::new().image(width, texels).bones(1).still("still", false, 1))
    }

    /// Adds a mesh of loose triangles, with position and texture coordinate of each corner.
    fn triangles(self, corners: &[[[f32; 2]; 2]]) -> Self {
        let vertex = |[position, uv]: &[[f32; 2]; 2]| Vertex { uv: *uv, ..vertex(0, *position) };
        let vertices: Vec<_> = corners.iter().map(vertex).collect();
        let indices: Vec<_> = (0..corners.len() as u16).collect();
        Self(self.0.mesh("", 0, vertices, indices))
    }

    /// Adds an upright rectangle with the whole image: left, bottom, right, top.
    fn quad(self, [left, bottom, right, top]: [f32; 4]) -> Self {
        Self(self.0.quad("", 0, 0, [left, bottom], [right, top]))
    }

    fn draw(&self, options: RasterOptions, picture: &Picture) -> Pixels {
        let document = self.0.document();
        let mut model = RasterModel::decoded(&document);
        if picture.mipmaps {
            model.build_mips();
        }
        draw_frame(&document, &model, FrameAt::exact(AnimationId(0), 0), options, picture)
    }
}

fn draw_frame(
    document: &Document,
    model: &RasterModel,
    at: FrameAt,
    options: RasterOptions,
    picture: &Picture,
) -> Pixels {
    let character = Character::new(document.clone(), BindChoice::Auto);
    let frame = Frame::new(&character, Some(at), &ViewOptions::default());
    let mut out = Pixels::transparent();
    Raster::new(options).draw(model, frame.list(), frame.pose(), picture, &mut out).unwrap();
    out
}

/// Picture with the origin in its middle.
fn picture(width: u32, height: u32) -> Picture {
    fixture::picture([width, height])
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn an_image_drawn_one_to_one_comes_out_as_it_is() {
    let texels: Vec<[u8; 4]> = (0..13 * 9_u8).map(|i| [i, 255 - i, i / 2, 255]).collect();
    for samples in [Samples::One, Samples::Four] {
        for filter in [Filter::Linear, Filter::Nearest] {
            let small = Small::new(13, &texels).quad([-6.0, -4.0, 7.0, 5.0]);
            let picture = Picture { filter, ..picture(16, 12) };
            let out = small.draw(RasterOptions { samples, ..ONE_THREAD }, &picture);
            for y in 0..12 {
                for x in 0..16 {
                    let inside = (2..15).contains(&x) && (1..10).contains(&y);
                    let wanted =
                        if inside { texels[((y - 1) * 13 + x - 2) as usize] } else { [0; 4] };
                    assert_eq!(pixel(&out, x, y), wanted, "{x} {y} {samples:?} {filter:?}");
                }
            }
        }
    }
}

#[test]
fn nearest_makes_squares_and_linear_blends_between_texel_centres() {
    let small = Small::new(2, &[RED, BLUE]).quad([-4.0, -1.0, 4.0, 1.0]);
    let row = |filter| {
        let out = small.draw(ONE_THREAD, &Picture { filter, ..picture(8, 2) });
        (0..8).map(|x| pixel(&out, x, 0)[0]).collect::<Vec<_>>()
    };
    assert_eq!(row(Filter::Nearest), [255, 255, 255, 255, 0, 0, 0, 0]);
    // Texel centres are at 2 and 6 pixels; beyond them the edge texel continues.
    assert_eq!(row(Filter::Linear), [255, 255, 223, 159, 96, 32, 0, 0]);
}

#[test]
fn both_windings_are_drawn_and_the_later_mesh_is_above() {
    let [a, b, c] = [[-4.0, -4.0], [4.0, -4.0], [-4.0, 4.0]].map(|p: [f32; 2]| [p, [0.25, 0.5]]);
    let [d, e, f] = [a, b, c].map(|[p, _]| [p, [0.75, 0.5]]);
    let image = [RED, BLUE];
    let first = Small::new(2, &image).triangles(&[a, b, c]).draw(ONE_THREAD, &picture(8, 8));
    let turned = Small::new(2, &image).triangles(&[c, b, a]).draw(ONE_THREAD, &picture(8, 8));
    assert_eq!(first, turned);
    assert_eq!(pixel(&first, 1, 5), RED);
    let both = Small::new(2, &image).triangles(&[a, b, c]).triangles(&[e, d, f]);
    assert_eq!(pixel(&both.draw(ONE_THREAD, &picture(8, 8)), 1, 5), BLUE);
}

#[test]
fn translucent_colours_are_blended_premultiplied_over_the_background() {
    let small = Small::new(1, &[[200, 100, 0, 128]]).quad([-4.0, -4.0, 4.0, 4.0]);
    for samples in [Samples::One, Samples::Four] {
        let picture = Picture { clear: [10, 20, 30, 255], ..picture(8, 8) };
        let out = small.draw(RasterOptions { samples, ..ONE_THREAD }, &picture);
        // 200 · 128 / 255 = 100.4, and 10 · 127 / 255 = 4.98.
        assert_eq!(pixel(&out, 3, 3), [105, 60, 15, 255]);
    }
}

#[test]
fn a_pixel_that_is_half_covered_has_half_the_colour_with_four_samples() {
    let small = Small::new(1, &[WHITE]).quad([-2.5, -2.25, 2.0, 2.0]);
    let out = small.draw(RasterOptions { samples: Samples::Four, ..ONE_THREAD }, &picture(8, 8));
    let alpha = |x, y| pixel(&out, x, y)[3];
    let wanted = [0, 128, 255, 255, 0];
    assert_eq!([alpha(0, 3), alpha(1, 3), alpha(2, 3), alpha(5, 3), alpha(6, 3)], wanted);
    // The lower side is a quarter of a pixel down, so it covers only the sample at an eighth.
    assert_eq!([alpha(3, 6), alpha(3, 7)], [64, 0]);
}

#[test]
fn meshes_that_share_an_edge_leave_no_seam() {
    // Translucent, so that both a pixel drawn twice and a missing pixel would show.
    let image = [[255, 255, 255, 100]];
    let turn = |[x, y]: [f32; 2]| [x * 0.96 - y * 0.28, x * 0.28 + y * 0.96];
    let corner = |x: i32, y: i32| [turn([x as f32 * 3.7, y as f32 * 3.7]), [0.5, 0.5]];
    let mut corners = Vec::new();
    for y in -8..8 {
        for x in -8..8 {
            let [a, b, c, d] =
                [corner(x, y), corner(x + 1, y), corner(x, y + 1), corner(x + 1, y + 1)];
            corners.extend([a, b, c, c, b, d]);
        }
    }
    let small = Small::new(1, &image).triangles(&corners);
    for samples in [Samples::One, Samples::Four] {
        let out = small.draw(RasterOptions { samples, ..ONE_THREAD }, &picture(32, 32));
        assert!(out.rgba.as_chunks::<4>().0.iter().all(|p| *p == [100; 4]), "{samples:?}");
    }
}

#[test]
fn smaller_copies_are_drawn_from_when_zoomed_out() {
    // A checkerboard: without mipmaps, each pixel shows a single texel.
    let texels: Vec<[u8; 4]> =
        (0..64 * 64).map(|i| [[255, 255, 255, 255], [0, 0, 0, 255]][(i + i / 64) % 2]).collect();
    let small = Small::new(64, &texels).quad([-32.0, -32.0, 32.0, 32.0]);
    for (zoom, samples) in [(0.25, Samples::One), (0.2, Samples::Four), (0.125, Samples::One)] {
        let camera = Camera2d { zoom, ..Camera2d::default() };
        let picture = Picture { mipmaps: true, camera, ..picture(16, 16) };
        let out = small.draw(RasterOptions { samples, ..ONE_THREAD }, &picture);
        let middle = pixel(&out, 8, 8);
        assert!(middle[0].abs_diff(128) <= 1 && middle[3] == 255, "{zoom}: {middle:?}");
    }
}

#[test]
fn what_is_not_finite_or_far_away_does_no_harm() {
    let [left, right, top] = [[-4.0, -4.0], [4.0, -4.0], [0.0, 4.0]];
    let huge = f32::MAX;
    let of = |places: [[f32; 2]; 3]| places.map(|place| [place, [0.5; 2]]).to_vec();
    let wild = [[1e30, -1e30], [-1e30, 5.0], [huge, huge]];
    let places = [[-3.0, -3.0], [3.0, -3.0], [0.0, 3.0]];
    let shapes = [
        of([[-huge, -huge], [huge, -huge], [0.0, huge]]),
        of([[-1e9, -1e9], [1e9, -1e9], [0.0, 1e9]]),
        of([[huge, huge], right, top]),
        of([[1e6, 0.0], [2e6, 0.0], [1e6, 1.0]]),
        [0, 1, 2].map(|corner: usize| [places[corner], wild[corner]]).to_vec(),
        of([left, left, right]),
        of([left, right, [12.0, -4.0]]),
        Vec::new(), // found by fuzzing: the bounds of no points
    ];
    for (i, shape) in shapes.into_iter().enumerate() {
        for samples in [Samples::One, Samples::Four] {
            for zoom in [1.0, 1e4, 1e-4] {
                let picture =
                    Picture { camera: Camera2d { zoom, ..Camera2d::default() }, ..picture(32, 16) };
                let small = Small::new(2, &[RED, GREEN, BLUE, WHITE]).triangles(&shape);
                let out = small.draw(RasterOptions { samples, ..ONE_THREAD }, &picture);
                assert_eq!(out.rgba.len(), 32 * 16 * 4);
                if i == 1 && zoom == 1.0 {
                    assert_eq!(pixel(&out, 16, 8)[3], 255, "it covers everything");
                }
                if i >= 5 || i == 3 {
                    assert!(out.rgba.iter().all(|c| *c == 0), "shape {i} draws nothing");
                }
            }
        }
    }
    // A bone with infinite values affects only its own vertices.
    let mut small = Small::new(1, &[RED]).quad([-4.0, -4.0, 4.0, 4.0]);
    let bone = &mut small.0.parts.animations[0].transforms[0];
    (bone.x, bone.scale_x) = (3e38, 3e38);
    small.draw(ONE_THREAD, &picture(16, 16));
}

#[test]
fn a_picture_without_pixels_and_one_with_few_are_drawn() {
    let small = Small::new(1, &[RED]).quad([-40.0, -40.0, 40.0, 40.0]);
    for samples in [Samples::One, Samples::Four] {
        for [width, height] in [[0, 0], [0, 5], [5, 0], [1, 1], [3, 1], [1, 7], [5, 3]] {
            let out = small.draw(RasterOptions { samples, ..ONE_THREAD }, &picture(width, height));
            assert_eq!([out.width, out.height], [width, height]);
            assert!(out.rgba.as_chunks::<4>().0.iter().all(|p| *p == RED));
            assert_eq!(out.rgba.len() as u32, width * height * 4);
        }
    }
}

#[test]
fn missing_and_short_images_draw_nothing() {
    let document = Small::new(1, &[RED]).quad([-4.0, -4.0, 4.0, 4.0]).0.document();
    let short = Pixels { width: 100, height: 100, rgba: vec![255; 7] };
    for images in [vec![], vec![short]] {
        let model = RasterModel::new(&document, images);
        let at = FrameAt::exact(AnimationId(0), 0);
        let out = draw_frame(&document, &model, at, ONE_THREAD, &picture(8, 8));
        assert!(out.rgba.iter().all(|c| *c == 0));
    }
}

#[test]
fn every_path_and_any_number_of_threads_give_the_same_bits() {
    let document =
        character::Character { meshes: 12, side: 5, bones: 20, frames: 4, atlas: 128, size: 110.0 }
            .document();
    let mut model = RasterModel::decoded(&document);
    assert_eq!(model.warnings(), [""; 0]);
    model.build_mips();
    let filters = [(Filter::Linear, false), (Filter::Nearest, false), (Filter::Linear, true)];
    for (filter, mipmaps) in filters {
        for samples in [Samples::One, Samples::Four] {
            for ([width, height], zoom) in
                [([256, 256], 1.0), ([333, 131], 1.7), ([61, 257], 0.3), ([640, 7], 9.0)]
            {
                let camera = Camera2d { center: [3.3, -1.7], zoom, ..Camera2d::default() };
                let (size, clear) = ([width, height], [3, 2, 1, 200]);
                let picture = Picture { size, camera, filter, mipmaps, clear };
                let at = FrameAt::exact(AnimationId(1), 2);
                let draw = |threads, simd| {
                    let options = RasterOptions { samples, threads, simd };
                    draw_frame(&document, &model, at, options, &picture)
                };
                let wanted = draw(1, Simd::Auto);
                let drawn = wanted.rgba.as_chunks::<4>().0.iter().filter(|p| **p != picture.clear);
                assert!(drawn.count() > 300, "something is drawn");
                for threads in 1..=8 {
                    for simd in [Simd::Auto, Simd::Portable] {
                        let same = draw(threads, simd) == wanted;
                        assert!(same, "{threads} {simd:?} {samples:?} {filter:?} {width}x{height}");
                    }
                }
            }
        }
    }
}

#[test]
fn memory_of_an_earlier_picture_does_not_show() {
    let small = Small::new(1, &[[255, 0, 0, 128]]).quad([-20.0, -9.0, 20.0, 9.0]);
    let document = small.0.document();
    let model = RasterModel::decoded(&document);
    let character = Character::new(document, BindChoice::Auto);
    let at = Some(FrameAt::exact(AnimationId(0), 0));
    let frame = Frame::new(&character, at, &ViewOptions::default());
    for samples in [Samples::One, Samples::Four] {
        let options = RasterOptions { samples, ..ONE_THREAD };
        let mut raster = Raster::new(options);
        let mut out = Pixels::transparent();
        for (size, zoom) in [(300, 4.0), (64, 1.0), (150, 2.3), (64, 1.0)] {
            let picture =
                Picture { camera: Camera2d { zoom, ..Camera2d::default() }, ..picture(size, size) };
            raster.draw(&model, frame.list(), frame.pose(), &picture, &mut out).unwrap();
            assert_eq!(out, small.draw(options, &picture));
        }
    }
}

/// A character of three quads: two of the first image over each other, of which a third, of the second image, covers a quarter.
fn layered() -> Character {
    let builder = Builder::new().image(1, &[WHITE]).image(2, &[WHITE, WHITE]).bones(1);
    let builder = builder.quad("back", 0, 0, [0.0, 0.0], [40.0, 40.0]);
    let builder = builder.quad("middle", 0, 0, [0.0, 0.0], [40.0, 40.0]);
    let builder = builder.quad("front", 1, 0, [20.0, 20.0], [60.0, 60.0]);
    Character::new(builder.still("idle", true, 2).document(), BindChoice::Auto)
}

#[test]
fn layers_are_counted_where_triangles_cover_pixel_centres() {
    let character = layered();
    let frame = Frame::new(&character, None, &ViewOptions::default());
    let model = RasterModel::new(&character, Vec::new());
    let camera = Camera2d { center: [30.0, 30.0], ..Camera2d::default() };
    let picture = Picture::new([60, 60], camera);
    let figure = RasterFigure::new(&model, frame.list(), frame.pose());
    let mut layers = LayerCounts::default();
    Raster::default().count_layers(&[figure], &picture, &mut layers).unwrap();
    let at = |x: usize, y_up: usize| layers.counts[(59 - y_up) * 60 + x];
    assert_eq!([at(0, 0), at(10, 30), at(30, 30), at(50, 50), at(50, 10)], [2, 2, 3, 1, 0]);
    // 1,600 twice, and 1,600 once, on 2,800 pixels.
    assert!((layers.overdraw() - 4800.0 / 2800.0).abs() < 1e-12);
    assert_eq!(LayerCounts::default().overdraw(), 0.0);
}

#[test]
fn the_cost_of_a_character_is_that_of_its_dearest_frame() {
    let character = layered();
    let sizes = SubjectSizes::of(&character);
    assert_eq!((sizes.vertices, sizes.bones), (12, 1));
    assert_eq!(sizes.images, [[1, 1], [2, 1]]);
    assert_eq!(sizes.memory(), (1 + 2) * 4 + 12 * 40 + 18 * 2);
    let cost = Cost::of(&character);
    assert_eq!((cost.step, cost.measured), (1, 2));
    assert_eq!((cost.draws.value, cost.draws.at.map(|at| at.frame)), (2, Some(0)));
    assert!((cost.overdraw.value - 4800.0 / 2800.0).abs() < 0.01, "{:?}", cost.overdraw);
}

#[test]
fn of_many_moments_draws_are_counted_at_each_and_layers_at_every_nth() {
    let builder = Builder::new().image(1, &[WHITE]).image(1, &[WHITE]).bones(2);
    let builder = builder.quad("back", 0, 0, [0.0, 0.0], [40.0, 40.0]);
    let builder = builder.quad("flash", 1, 1, [0.0, 0.0], [40.0, 40.0]);
    let frame = |number| match number {
        1003 => [fixture::at(0.0, 0.0); 2],
        _ => [fixture::at(0.0, 0.0), fixture::hidden()],
    };
    let frames: Vec<_> = (0..40_000).map(frame).collect();
    let long = builder.animation("idle", true, &frames).document();
    let cost = Cost::of(&Character::new(long, BindChoice::Auto));
    assert_eq!((cost.step, cost.measured), (40, 1000));
    assert_eq!((cost.draws.value, cost.draws.at.map(|at| at.frame)), (2, Some(1003)));
    assert!((cost.overdraw.value - 1.0).abs() < 1e-9, "{:?}", cost.overdraw);
}

#[test]
fn layers_that_are_too_many_are_not_counted() {
    let mut builder = Builder::new().image(1, &[WHITE]).bones(1);
    for _ in 0..70 {
        builder = builder.quad("sheet", 0, 0, [0.0, 0.0], [40.0, 40.0]);
    }
    let character = Character::new(builder.still("idle", true, 2).document(), BindChoice::Auto);
    let cost = Cost::of(&character);
    assert_eq!((cost.draws.value, cost.overdraw.value), (1, 0.0));
    let (at, refused) = cost.uncounted.unwrap();
    assert_eq!(at.map(|at| at.frame), Some(0));
    assert!(refused.covered > refused.most, "{refused}");
}
