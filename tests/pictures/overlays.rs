//! Tests of overlays: both renderers draw them over the meshes by the same rules, and all CPU paths give the same bits.
//!
//! `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` choose the adapter.

use std::collections::{BTreeMap, BTreeSet};

use crate::fixture::{self, picture};
use crate::support;
use pchr::character::Character;
use pchr::document::{AnimationId, BoneId, MeshId};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::overlay::{Layer, Layers, OverlayJob, OverlayOptions, OverlayScratch, atlas};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::{LayerCounter, Raster, RasterModel, RasterOptions, RasterOverlay, Simd};
use pchr::scene::{
    Camera2d, Frame, Overlay, OverlayVertex, Picture, Samples, Subject as _, ViewOptions,
};

const SIZE: [u32; 2] = [300, 260];

/// Options for all drawings over the sample character; overdraw is in its place.
fn all(scale: u32) -> OverlayOptions {
    let mut layers = Layers::of(&Layer::ALL);
    layers.set(Layer::Overdraw, false);
    OverlayOptions {
        layers,
        weights: Some(BoneId(3)),
        mesh: Some(MeshId(2)),
        bone: Some(BoneId(4)),
        scale,
        ..OverlayOptions::NOTHING
    }
}

struct Sample {
    character: Character,
    frame: Frame,
    picture: Picture,
    at: FrameAt,
}

impl Sample {
    /// A frame of the sample. `zoom` is relative to the zoom that shows all of it.
    fn new(animation: u16, frame: u16, zoom: f64) -> Self {
        let document = fixture::sample();
        let character = Character::new(document, BindChoice::Auto);
        let at = FrameAt::exact(AnimationId(animation), frame);
        let view = ViewOptions::default();
        let bounds = character.sweep(&view).over(&mut [Some(at)].into_iter());
        let mut camera = Camera2d::fit(bounds, SIZE, false);
        camera.zoom *= zoom;
        let picture = Picture { camera, clear: [40, 44, 60, 255], ..picture(SIZE) };
        Self { frame: Frame::new(&character, Some(at), &view), character, picture, at }
    }

    fn overlay(&self, options: &OverlayOptions) -> Overlay {
        let (subject, frame) = (&self.character, &self.frame);
        let camera = self.picture.camera.into();
        let job = OverlayJob { subject, frame, camera, size: SIZE, options, letters: None };
        let mut overlay = Overlay::default();
        job.run(&mut OverlayScratch::default(), &mut overlay);
        overlay
    }

    fn model(&self) -> RasterModel {
        let images = decode_all(&self.character, &mut Findings::default());
        RasterModel::new(&self.character, images)
    }

    fn draw_with(
        &self,
        options: RasterOptions,
        model: &RasterModel,
        overlay: Option<RasterOverlay<'_>>,
    ) -> Pixels {
        let mut out = Pixels::transparent();
        let (list, pose) = (self.frame.list(), self.frame.pose());
        let mut raster = Raster::new(options);
        raster.draw_with(model, list, pose, &self.picture, overlay, &mut out).unwrap();
        out
    }

    fn draw(&self, options: RasterOptions, overlay: Option<&Overlay>) -> Pixels {
        let atlas = atlas();
        let overlay = overlay.map(|overlay| RasterOverlay { overlay, atlas: &atlas });
        self.draw_with(options, &self.model(), overlay)
    }
}

fn options(samples: Samples, threads: usize, simd: Simd) -> RasterOptions {
    RasterOptions { samples, threads, simd }
}

#[test]
fn overlays_have_the_same_bits_with_any_threads_and_instructions() {
    for (zoom, scale) in [(1.0, 1), (1.0, 3), (9.0, 2)] {
        let sample = Sample::new(1, 4, zoom);
        let overlay = sample.overlay(&all(scale));
        for samples in [Samples::One, Samples::Four] {
            let one = options(samples, 1, Simd::Portable);
            let wanted = sample.draw(one, Some(&overlay));
            assert_ne!(wanted, sample.draw(one, None), "something is drawn");
            for (threads, simd) in [(1, Simd::Auto), (3, Simd::Auto), (4, Simd::Portable)] {
                let got = sample.draw(options(samples, threads, simd), Some(&overlay));
                assert!(got == wanted, "{samples:?} {threads} {simd:?} at {zoom}");
            }
        }
    }
}

/// Polygons of one colour and upright pieces of the atlas are drawn whole, and look the same as their separate triangles.
#[test]
fn polygons_are_drawn_as_their_triangles_are() {
    for (zoom, scale) in [(1.0, 1), (1.0, 3), (9.0, 2)] {
        let sample = Sample::new(1, 4, zoom);
        let mut overlay = sample.overlay(&all(scale));
        // Pieces with several texels per pixel, mirrored, between pixels, turned by a quarter, and across the picture's edge.
        for (at, side, uv) in [
            ([3.0, 5.0], 40.0, [[0.1, 0.1], [0.4, 0.4]]),
            ([3.0, 60.0], 40.0, [[0.4, 0.9], [0.1, 0.1]]),
            ([50.5, 60.25], 40.0, [[0.0, 0.0], [1.0, 1.0]]),
            ([-20.0, -7.0], 500.0, [[0.0, 0.01], [0.9, 1.0]]),
        ] {
            let ([x, y], [[u0, v0], [u1, v1]]): ([f32; 2], [[f32; 2]; 2]) = (at, uv);
            let vertex = |x, y, u: f32, v: f32| OverlayVertex {
                position: [x, y],
                texel: [u * 512.0, v * 256.0],
            };
            let corners = [
                vertex(x, y, u0, v0),
                vertex(x + side, y, u1, v0),
                vertex(x + side, y + side, u1, v1),
                vertex(x, y + side, u0, v1),
            ];
            overlay.push(corners);
            let [a, b, c, d] = corners;
            overlay.push([d, a, b, c]);
        }
        let mut triangles = Overlay::default();
        for (at, corners) in overlay.indices().chunks(3).enumerate() {
            if at * 3 == overlay.indices_behind() {
                triangles.put_behind();
            }
            triangles.push(corners.iter().map(|i| overlay.vertices()[*i as usize]));
        }
        for (image, range) in overlay.masks() {
            let corners = &overlay.masked_vertices()[range.start as usize..range.end as usize];
            for corners in corners.as_chunks().0 {
                triangles.push_masked(image, *corners);
            }
        }
        for samples in [Samples::One, Samples::Four] {
            for simd in [Simd::Auto, Simd::Portable] {
                let [whole, split] = [&overlay, &triangles]
                    .map(|overlay| sample.draw(options(samples, 2, simd), Some(overlay)));
                assert!(whole == split, "{samples:?} {simd:?} at {zoom}");
            }
        }
    }
}

#[test]
fn an_overlay_lies_over_the_meshes_and_its_nearest_texel_counts() {
    // An opaque texel, and a half-transparent one, premultiplied.
    let atlas = Pixels { width: 2, height: 1, rgba: vec![10, 20, 30, 255, 0, 100, 0, 128] };
    let mut overlay = Overlay::default();
    let vertex = |x, y, u: f32| OverlayVertex { position: [x, y], texel: [2.0 * u, 0.5] };
    // From the left texel to the right one, reaching far beyond the picture.
    overlay.push([
        vertex(0.0, -3e5, 0.0),
        vertex(300.0, -3e5, 1.0),
        vertex(300.0, 3e5, 1.0),
        vertex(0.0, 3e5, 0.0),
    ]);
    let sample = Sample::new(1, 4, 1.0);
    let model = sample.model();
    for samples in [Samples::One, Samples::Four] {
        let one = options(samples, 1, Simd::Auto);
        let over = RasterOverlay { overlay: &overlay, atlas: &atlas };
        let got = sample.draw_with(one, &model, Some(over));
        let below = sample.draw_with(one, &model, None);
        let pixels = got.rgba.as_chunks::<4>().0.iter().enumerate();
        let mut character = 0;
        for ((i, got), below) in pixels.zip(below.rgba.as_chunks::<4>().0) {
            character += usize::from(*below != sample.picture.clear);
            if i % 300 < 150 {
                assert_eq!(*got, [10, 20, 30, 255], "{i}");
                continue;
            }
            // With four samples, each sample is rounded separately.
            for ((got, over), below) in got.iter().zip([0.0, 100.0, 0.0, 128.0]).zip(below) {
                let wanted = over + (f32::from(*below) * 127.0 / 255.0).round();
                assert!((f32::from(*got) - wanted).abs() <= 1.0, "{i}");
            }
        }
        assert!(character > 10_000, "there are meshes below");
    }
}

#[test]
fn a_grid_lies_behind_the_meshes_and_its_label_over_them() {
    let grid = OverlayOptions { layers: Layers::of(&[Layer::Grid]), ..OverlayOptions::NOTHING };
    for samples in [Samples::One, Samples::Four] {
        let mut sample = Sample::new(1, 4, 1.0);
        sample.picture.clear = [0; 4];
        let drawn = |overlay| sample.draw(options(samples, 1, Simd::Auto), overlay);
        let (bare, with) = (drawn(None), drawn(Some(&sample.overlay(&grid))));
        let rows = bare.rgba.as_chunks::<4>().0.iter().zip(with.rgba.as_chunks::<4>().0);
        let (mut opaque, mut lines) = (0, 0);
        // The label is in the lower left corner.
        for (index, (bare, with)) in rows.enumerate().take(240 * 300) {
            // An alpha of 255 may be 254.5 and more, which lets a step of a line through.
            if bare[3] == 255 {
                let off = bare.iter().zip(with).map(|(bare, with)| bare.abs_diff(*with)).max();
                assert!(off <= Some(1), "{index}: {bare:?} {with:?}");
                opaque += 1;
            }
            lines += usize::from(bare != with);
        }
        assert!(lines > 2000 && opaque > 5000, "{lines} {opaque}");
    }
}

#[test]
fn overdraw_has_one_colour_for_each_number_of_layers() {
    let sample = Sample::new(1, 4, 1.0);
    let layers = Layers::of(&[Layer::Overdraw]);
    let overlay = sample.overlay(&OverlayOptions { layers, ..OverlayOptions::NOTHING });
    let one = options(Samples::One, 1, Simd::Auto);
    let (plain, drawn) = (sample.draw(one, None), sample.draw(one, Some(&overlay)));
    let mut counter = LayerCounter::default();
    let counted = counter.count(&sample.character, &sample.frame, &sample.picture, 1).unwrap();
    let mut colors = BTreeMap::new();
    let pixels = plain.rgba.as_chunks::<4>().0.iter().zip(drawn.rgba.as_chunks::<4>().0);
    let above_the_legend = 300 * (260 - 24);
    for (count, (before, now)) in counted.counts.iter().zip(pixels).take(above_the_legend) {
        let wanted = colors.entry(*count.min(&8)).or_insert(*now);
        assert!(now == wanted && (*count > 0 || now == before), "{count}");
    }
    let four = options(Samples::Four, 1, Simd::Auto);
    assert!(sample.draw(four, Some(&overlay)) == drawn, "nothing of the meshes is seen at edges");
    assert!(colors.len() > 4, "{colors:?}");
    let different: BTreeSet<_> = colors.values().collect();
    assert_eq!(different.len(), colors.len());
}

#[test]
fn an_atlas_that_holds_nothing_draws_nothing() {
    let sample = Sample::new(1, 4, 1.0);
    let overlay = sample.overlay(&all(1));
    let model = RasterModel::new(&sample.character, Vec::new());
    for atlas in [
        Pixels { width: 0, height: 0, rgba: Vec::new() },
        Pixels { width: 256, height: 256, rgba: vec![255; 5] },
    ] {
        let over = RasterOverlay { overlay: &overlay, atlas: &atlas };
        let out = sample.draw_with(options(Samples::One, 1, Simd::Auto), &model, Some(over));
        let clear = sample.picture.clear;
        let changed = out.rgba.as_chunks::<4>().0.iter().filter(|pixel| **pixel != clear);
        // The second atlas has only its first texel.
        assert!(changed.count() < 300 * 260 / 10);
    }
}

/// At most one pixel in a thousand may differ by more than 2 of 255: where an edge meets a sample, and where two texels of
/// the ramp meet.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn both_renderers_draw_the_same_overlays() {
    use pchr::render::{OffscreenTarget, OverlayRenderer};

    let gpu = support::gpu();
    for samples in [Samples::One, Samples::Four] {
        let target = OffscreenTarget::options(samples);
        let mut renderer =
            OverlayRenderer::new(&gpu.device, &gpu.queue, &atlas(), &target).unwrap();
        let mut target = OffscreenTarget::new(&gpu, SIZE, samples, 1).unwrap();
        let (mut off, mut pixels) = (0, 0);
        for (zoom, scale) in [(1.0, 1), (1.0, 2), (7.0, 3)] {
            for frame in [0, 5, 11] {
                let sample = Sample::new(1, frame, zoom);
                let overlay = sample.overlay(&all(scale));
                let wanted = sample.draw(options(samples, 1, Simd::Auto), Some(&overlay));
                let mut stage =
                    support::Stage::new(&gpu, sample.character.document(), SIZE, samples, false);
                stage.pose(Some(sample.at));
                stage.prepare(&sample.picture);
                renderer.prepare(&gpu.device, &gpu.queue, &overlay, &sample.picture);
                let got = support::taken(&gpu, &mut target, sample.picture.clear, |pass| {
                    renderer.draw_behind(pass);
                    stage.record(pass);
                    renderer.draw(pass, &stage.model);
                });
                let bare = sample.draw(options(samples, 1, Simd::Auto), None);
                assert!(differing(&got, &bare, 2) > 10_000, "something is drawn");
                off += differing(&got, &wanted, 2);
                pixels += got.rgba.len() / 4;
            }
        }
        println!("{samples:?}: {off} of {pixels} pixels differ");
        assert!(off * 1000 <= pixels, "{samples:?}: {off} of {pixels}");
        // An empty overlay draws nothing, even after another one was drawn.
        let sample = Sample::new(1, 0, 1.0);
        let stage = support::Stage::new(&gpu, sample.character.document(), SIZE, samples, false);
        renderer.prepare(&gpu.device, &gpu.queue, &Overlay::default(), &sample.picture);
        let draw = |pass: &mut wgpu::RenderPass<'_>| renderer.draw(pass, &stage.model);
        let got = support::taken(&gpu, &mut target, [9; 4], draw);
        assert!(got.rgba.iter().all(|channel| *channel == 9));
    }
    gpu.check().unwrap();
}

/// Number of pixels with a channel that differs by more than this.
pub(crate) fn differing(a: &Pixels, b: &Pixels, most: u8) -> usize {
    let pairs = a.rgba.as_chunks::<4>().0.iter().zip(b.rgba.as_chunks::<4>().0);
    let off = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > most));
    off.count()
}
