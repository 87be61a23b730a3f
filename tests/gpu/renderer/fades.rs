//! Tests of cross-fades in both renderers.

use pchr::document::{AnimationId, BoneTransform};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::playback::{FrameAt, Mix};
use pchr::raster::{Raster, RasterModel, RasterOptions};
use pchr::scene::Samples;

use crate::fixture::{Builder, picture};
use crate::renderer::{BLUE, GREEN, RED};
use crate::support::{Stage, gpu};

/// Squares turn and grow, and in one of two clips they are hidden and reordered; cross-fades mix the clips.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn cross_fades_look_as_on_the_cpu() {
    let frame = |turn: f32, scale: f32, x: f32, z_order: i16, flags: u8| {
        [0.0_f32, 1.0].map(|bone| BoneTransform {
            x: x + bone * 12.0,
            y: bone * 5.0,
            rotation: turn * (1.0 + bone),
            scale_x: scale,
            scale_y: 1.0 / scale,
            flags: if bone > 0.0 { flags } else { 1 },
            z_order: if bone > 0.0 { z_order } else { 0 },
        })
    };
    let document = Builder::new()
        .image(2, &[RED, GREEN, BLUE, [80, 80, 0, 128]])
        .bones(2)
        .quad("one", 0, 0, [-10.0, -10.0], [10.0, 10.0])
        .quad("two", 0, 1, [-8.0, -8.0], [8.0, 8.0])
        .animation("a", true, &[frame(0.0, 1.0, 0.0, -1, 1), frame(50.0, 1.4, 5.0, 1, 1)])
        .animation("b", true, &[frame(350.0, 0.8, -9.0, 1, 1), frame(120.0, 2.0, 3.0, -1, 0)])
        .document();
    let gpu = gpu();
    let mut stage = Stage::new(&gpu, &document, [64, 64], Samples::Four, false);
    let model = RasterModel::new(&document, decode_all(&document, &mut Findings::default()));
    let mut raster =
        Raster::new(RasterOptions { samples: Samples::Four, ..RasterOptions::default() });
    let picture = picture([64, 64]);
    let (mut out, mut seen) = (Pixels::transparent(), Vec::new());
    for amount in [0.0, 0.2, 0.49, 0.5, 0.77, 1.0] {
        let from = FrameAt { blend: 0.3, next: 1, ..FrameAt::exact(AnimationId(0), 0) };
        stage.view.mix = Some(Mix { to: FrameAt::exact(AnimationId(1), 1), amount });
        let on_gpu = stage.draw(Some(from), &picture);
        raster.draw(&model, stage.frame.list(), stage.frame.pose(), &picture, &mut out).unwrap();
        let off = on_gpu.rgba.iter().zip(&out.rgba).filter(|(a, b)| a.abs_diff(**b) > 2).count();
        println!("{amount}: {off} channels off by more than 2");
        assert!(off <= 16, "{amount}: {off}");
        assert!(!seen.contains(&out.rgba), "each amount gives a different picture");
        seen.push(out.rgba.clone());
    }
    gpu.check().unwrap();
}
