//! Tests of a subject other than a character: it is posed, drawn by both renderers, captured, compared and picked alike.

#[path = "../../examples/own_content/quads.rs"]
mod quads;

use crate::captured;
use crate::fixture::picture;
use crate::support;

use pchr::bytes::Budget;
use pchr::document::{AnimationId, BoneId, MeshId};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all, decode_each};
use pchr::overlay::{Layer, Layers, OverlayOptions};
use pchr::playback::FrameAt;
use pchr::raster::RasterModel;
use pchr::scene::{
    Bounds, Camera2d, Frame, MeshView, PickJob, PickScratch, Samples, Subject, ViewOptions,
};
use pchr_tools::capture::{CaptureJob, Drawer, Shot};
use quads::Quads;

const SIZE: [u32; 2] = [64, 32];

fn images(quads: &Quads) -> Vec<Pixels> {
    let mut findings = Findings::default();
    let images = decode_all(quads, &mut findings);
    assert!(findings.is_empty(), "{findings:?}");
    images
}

fn at(animation: u16, frame: u16) -> Option<FrameAt> {
    Some(FrameAt::exact(AnimationId(animation), frame))
}

fn cpu() -> Drawer {
    Drawer::Cpu(RasterModel::new(&Quads::new(), images(&Quads::new())))
}

/// Pictures of the moments, at one screen pixel per world pixel.
fn capture(
    moments: &[Option<FrameAt>],
    overlay: Option<OverlayOptions>,
    mut drawer: Drawer,
) -> Vec<Pixels> {
    let quads = Quads::new();
    let view = ViewOptions::default();
    let plain = CaptureJob::plain(&quads, &view, picture(SIZE), Samples::One);
    let job = CaptureJob { overlay, jobs: 2, ..plain };
    let camera = Camera2d::default();
    let shots: Vec<Shot> =
        moments.iter().map(|at| Shot { at: *at, mix: None, camera: camera.into() }).collect();
    captured::pictures(&job, &shots, &mut drawer)
}

const EVERY: [(u16, u16); 5] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)];

#[test]
fn its_images_share_a_budget_and_their_faults_are_reported_in_its_words() {
    let quads = Quads::new();
    let mut findings = Findings::default();
    let room = Budget::new(2 * 4);
    let size = |_, pixels: Pixels, _: &Findings| [pixels.width, pixels.height];
    let sizes = decode_each(&quads, &room, true, &mut findings, size);
    assert_eq!(sizes, [[1, 1], [1, 1], [16, 16]], "a placeholder");
    let paths: Vec<&str> = findings.iter().map(|found| &*found.path).collect();
    assert_eq!(paths, ["blue"]);
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn both_renderers_draw_the_same_of_it() {
    let moments = EVERY.map(|(clip, frame)| at(clip, frame));
    let mut layers = Layers::of(&Layer::ALL);
    layers.set(Layer::Overdraw, false); // it hides the meshes
    let everything = OverlayOptions {
        layers,
        mesh: Some(MeshId(1)),
        bone: Some(BoneId(0)),
        weights: Some(BoneId(0)),
        ..OverlayOptions::NOTHING
    };
    let gpu = || {
        let quads = Quads::new();
        let (gpu, images) = (support::gpu(), images(&quads));
        let drawer = pchr_tools::capture::GpuDrawer::new(gpu, Samples::One, &quads, &images, false);
        Drawer::Gpu(Box::new(drawer.unwrap()))
    };
    for overlay in [None, Some(everything)] {
        let by_cpu = capture(&moments, overlay, cpu());
        assert!(by_cpu == capture(&moments, overlay, gpu()), "{overlay:?}");
    }
    let plain = capture(&moments, None, cpu());
    assert!(plain != capture(&moments, Some(everything), cpu()));
}

#[test]
fn its_bounds_order_and_visibility_follow_the_frame_and_the_view() {
    let quads = Quads::new();
    let subject: &dyn Subject = &quads;
    let mut view = ViewOptions::default();
    let over = |view: &ViewOptions, clip: u16| {
        let mut moments = subject.moments(AnimationId(clip));
        subject.sweep(view).over(&mut moments)
    };
    let all = Bounds { min: [-12.0, 0.0], max: [12.0, 8.0] };
    assert_eq!(over(&view, 0), Some(all));
    assert_eq!(over(&view, 7), None, "there is no such animation");
    view.meshes = vec![MeshView { visible: Some(false), z_order: None }];
    let without_red = Bounds { min: [-6.0, 0.0], ..all };
    assert_eq!(over(&view, 1), Some(without_red));

    let mut frame = Frame::new(&quads, at(1, 0), &ViewOptions::default());
    let order =
        |frame: &Frame| -> Vec<u16> { frame.draws().iter().map(|draw| draw.mesh.0).collect() };
    assert_eq!(order(&frame), [0, 1, 2]);
    let revision = frame.list().revision();
    frame.fill(&quads, at(1, 1), &ViewOptions::default());
    assert_eq!(order(&frame), [1, 2, 0]);
    assert_ne!(frame.list().revision(), revision);
    frame.fill(&quads, at(0, 2), &view);
    assert_eq!(order(&frame), [2]);
    assert!(frame.authored(MeshId(2)).unwrap().visible);
}

#[test]
fn what_is_under_the_pointer_is_found() {
    let quads = Quads::new();
    let images = images(&quads);
    let frame = Frame::new(&quads, at(1, 1), &ViewOptions::default());
    let images: Vec<&Pixels> = images.iter().collect();
    let (geometry, frame, images) = (&quads, &frame, &images);
    let camera = &Camera2d::default();
    let job = PickJob { geometry, frame, images, camera, size: SIZE };
    let at = |x: f64, y: f64| -> Vec<u16> {
        let point = [32.0 + x, 16.0 - y];
        let mut scratch = PickScratch::default();
        job.all(point, &mut scratch).map(|pick| pick.mesh.0).collect()
    };
    assert_eq!(at(-5.0, 4.0), [0, 1], "topmost first");
    assert_eq!(at(6.0, 4.0), [2]);
    assert_eq!(at(3.0, 4.0), [0; 0]);
}

#[test]
fn what_has_a_name_is_found_by_it() {
    let subject: &dyn Subject = &Quads::new();
    for name in subject.animation_names() {
        assert_eq!(subject.animation_name(subject.animation_named(name).unwrap()), name);
    }
    for name in subject.mesh_names() {
        assert_eq!(subject.mesh_names().nth(subject.mesh_named(name).unwrap().index()), Some(name));
    }
    for name in subject.bone_names() {
        assert_eq!(subject.bone_names().nth(subject.bone_named(name).unwrap().index()), Some(name));
    }
    assert_eq!(subject.animation_named("nothing"), None);
    assert_eq!(subject.mesh_named("nothing"), None);
    assert_eq!(subject.bone_named("nothing"), None);
}
