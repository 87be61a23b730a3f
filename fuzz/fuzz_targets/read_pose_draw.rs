//! Arbitrary bytes are read, posed, ordered and drawn: nothing panics, and nothing takes memory by a claimed number.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pchr_view::bytes::Budget;
use pchr_view::document::Findings;
use pchr_view::image::{Pixels, decode_or_placeholder};
use pchr_view::pose::{BindChoice, BindPose, FrameAt, Pose, PoseJob};
use pchr_view::raster::{Raster, RasterModel, RasterOptions};
use pchr_view::scene::{BoundsJob, Camera2d, Filter, Picture, Samples, Scene, ViewOptions};

/// Work that one input may ask for, so that the fuzzer sees many inputs.
const MAX_FRAMES: usize = 4;
const MAX_TRIANGLES: usize = 2000;

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = pchr_view::format::read(bytes.to_vec()) else { return };
    let bind = BindPose::new(&document, BindChoice::Auto);
    let view = ViewOptions::default();
    let mut scene = Scene::new(&document);
    let mut pose = Pose::default();
    let mut shots = vec![None];
    for (id, animation) in document.animation_ids().zip(document.animations()).take(MAX_FRAMES) {
        let last = animation.frame_count().saturating_sub(1);
        shots.push(Some(FrameAt { animation: id, frame: 0, next: last, blend: 0.5 }));
        shots.push(Some(FrameAt::exact(id, last)));
    }
    let bounds = BoundsJob { document: &document, bind: &bind, view: &view }.run(shots.iter().copied());
    let budget = Budget::new(1 << 20);
    let mut findings = Findings::default();
    let images: Vec<Pixels> = document
        .image_ids()
        .take(8)
        .map(|id| decode_or_placeholder(&document, id, &budget, &mut findings))
        .collect();
    let triangles: usize = document.meshes().map(|mesh| mesh.index_count() / 3).sum();
    let model = RasterModel::new(&document, images);
    let mut rasters = [Samples::One, Samples::Four]
        .map(|samples| Raster::new(RasterOptions { samples, ..RasterOptions::default() }));
    let mut pixels = Pixels { width: 0, height: 0, rgba: Vec::new() };
    for at in shots {
        PoseJob { document: &document, bind: &bind, at }.run(&mut pose);
        scene.build(&document, &pose, &view);
        if triangles > MAX_TRIANGLES {
            continue;
        }
        for camera in [Camera2d::fit(bounds, [32, 24], false), Camera2d::default()] {
            let picture = Picture { size: [32, 24], camera, filter: Filter::Linear, mipmaps: false, clear: [0; 4] };
            for raster in &mut rasters {
                raster.draw(&model, scene.list(), &pose, &picture, &mut pixels);
            }
        }
    }
});
