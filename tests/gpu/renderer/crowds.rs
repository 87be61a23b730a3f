//! Crowds are their figures drawn one after the other.

use std::sync::Arc;

use pchr::character::Character;
use pchr::glam::{Affine2, Vec2};
use pchr::image::Pixels;
use pchr::playback::{FrameAt, Mix};
use pchr::render::gpu_data::CrowdMember;
use pchr::render::{
    Crowd, CrowdError, CrowdInstance, CrowdRenderer, Gpu, Instance, OffscreenTarget,
};
use pchr::scene::{
    Bake, Camera2d, CrowdFrames, Frame, MeshView, Picture, Samples, Subject, ViewOptions,
};
use pchr_tools::crowd::Instances;

use crate::fixture::{Builder, sample};
use crate::support::{Stage, gpu, taken};

const SIZE: [u32; 2] = [480, 320];

/// Sixteen figures that overlap, each at its own moment; some are mirrored, turned or sheared.
fn figures(subject: &dyn Subject) -> Vec<(FrameAt, Affine2)> {
    let figure = |number: u16| {
        let n = f32::from(number);
        let animations: Vec<_> =
            subject.animation_ids().filter(|id| subject.frame_count(*id) > 0).collect();
        let animation = animations[usize::from(number) % animations.len()];
        let at = FrameAt::exact(animation, number * 5 % subject.frame_count(animation));
        let scale = Vec2::new(if number.is_multiple_of(3) { -0.4 } else { 0.4 }, 0.3 + 0.02 * n);
        let place = Vec2::new(25.0 * (n % 8.0) - 90.0, 60.0 - 40.0 * (n / 8.0).floor());
        (at, Affine2::from_scale_angle_translation(scale, 0.1 * n, place))
    };
    (0..16).map(figure).collect()
}

/// Instances drawn over one another.
fn drawn(
    stage: &Stage<'_>,
    target: &mut OffscreenTarget,
    picture: &Picture,
    instances: &[Instance],
) -> Pixels {
    taken(stage.gpu, target, picture.clear, |pass| {
        for instance in instances {
            stage.renderer.draw(pass, &stage.camera, &stage.model, instance);
        }
    })
}

/// An instance of the stage's frame.
fn instance_of(stage: &mut Stage<'_>, place: Affine2) -> Instance {
    let Gpu { device, queue, .. } = stage.gpu;
    let mut instance = Instance::new(device, stage.renderer.layouts(), &stage.model);
    instance.set_placement(place);
    let (list, pose) = (stage.frame.list(), stage.frame.pose());
    instance.prepare(device, queue, &mut stage.model, list, pose).unwrap();
    instance
}

/// Share of pixels that differ by more than 1.
fn off(a: &Pixels, b: &Pixels) -> f64 {
    let pairs = a.rgba.as_chunks::<4>().0.iter().zip(b.rgba.as_chunks::<4>().0);
    let far = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 1)).count();
    far as f64 / f64::from(a.width * a.height)
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_crowd_is_its_figures_drawn_over_one_another() {
    let (gpu, document) = (gpu(), sample());
    let Gpu { device, queue, .. } = &gpu;
    let mut stage = Stage::new(&gpu, &document, SIZE, Samples::One, false);
    let figures = figures(&stage.character);
    let picture =
        Picture::new(SIZE, Camera2d { center: [0.0, 20.0], zoom: 1.0, ..Default::default() });
    stage.camera.set_picture(device, queue, &picture);
    let mut instances = Vec::new();
    for (at, place) in &figures {
        stage.pose(Some(*at));
        instances.push(instance_of(&mut stage, *place));
    }
    let bake = Bake::new(&stage.character, &[], Bake::MOST_BYTES).unwrap();
    let layouts = stage.renderer.layouts();
    let mut crowd = Crowd::new(device, queue, layouts, &mut stage.model, &bake).unwrap();
    let renderer = CrowdRenderer::new(device, &OffscreenTarget::options(Samples::One)).unwrap();
    let member = |(at, place): &(FrameAt, Affine2)| {
        CrowdMember::new(*place, bake.palette(at.animation, at.frame).unwrap())
    };
    let mut members: Vec<_> = figures.iter().map(member).collect();
    // One without a palette is left out.
    members.insert(3, CrowdMember::new(Affine2::IDENTITY, u32::MAX));
    crowd.prepare(device, queue, &members);
    let mut target = OffscreenTarget::new(&gpu, SIZE, Samples::One, 1).unwrap();
    let mut draws = 0;
    let got = taken(&gpu, &mut target, picture.clear, |pass| {
        draws = renderer.draw(pass, &stage.camera, &stage.model, &crowd);
    });
    assert_eq!(off(&got, &drawn(&stage, &mut target, &picture, &instances)), 0.0);
    assert!(got.rgba.as_chunks::<4>().0.iter().filter(|pixel| pixel[3] > 0).count() > 10_000);
    assert!((1..=16).contains(&draws), "{draws} draws");
}

/// A crowd of the sample as a subject, its frame, and the fitted picture.
fn shown(count: u16, scattered: bool) -> (Arc<dyn Subject>, Frame, Picture) {
    let one: Arc<dyn Subject> = Arc::new(Character::from(sample()));
    let crowd = pchr_tools::crowd::Crowd::of(&one, Instances { count, scattered }).unwrap();
    let view = ViewOptions::default();
    let at = crowd.default_animation().map(|all| FrameAt::exact(all, 40));
    let frame = Frame::new(&*crowd, at, &view);
    let bounds = crowd.sweep(&view).over(&mut [at].into_iter());
    (crowd, frame, Picture::new(SIZE, Camera2d::fit(bounds, SIZE, false)))
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_subject_that_is_a_crowd_is_its_figures_in_as_many_draws_as_it_says() {
    let (gpu, document) = (gpu(), sample());
    let Gpu { device, queue, .. } = &gpu;
    let mut stage = Stage::new(&gpu, &document, SIZE, Samples::Four, false);
    let target_options = OffscreenTarget::options(Samples::Four);
    let mut instance = CrowdInstance::new(device, &target_options).unwrap();
    let mut target = OffscreenTarget::new(&gpu, SIZE, Samples::Four, 1).unwrap();
    let hidden = vec![MeshView { visible: Some(false), ..MeshView::default() }; 3];
    let plain = ViewOptions::default();
    let changed = ViewOptions { meshes: hidden, ..ViewOptions::default() };
    let crowds =
        [(16, false), (60, true), (2, true)].map(|(count, scattered)| shown(count, scattered));
    // The same crowd again with other changes keeps its palettes.
    let cases =
        crowds.iter().flat_map(|crowd| [&plain, &changed, &plain].map(|view| (crowd, view)));
    for ((crowd, frame, picture), view) in cases {
        let frame = Frame::new(&**crowd, frame.at(), view);
        let figures = crowd.crowd().unwrap();
        stage.camera.set_picture(device, queue, picture);
        let (on, layouts) = ((device, queue), stage.renderer.layouts());
        instance.prepare(on, layouts, &mut stage.model, figures, &frame).unwrap();
        let mut draws = 0;
        let got = taken(&gpu, &mut target, picture.clear, |pass| {
            draws = instance.draw(pass, &stage.camera, &stage.model);
        });
        let mut frames = CrowdFrames::default();
        frames.fill(figures, &frame);
        assert_eq!([draws, instance.draw_count()], [frames.draw_count(); 2]);
        let mut alone = Vec::new();
        for (at, origin) in figures.figures(frame.at()) {
            stage.frame.fill(&stage.character, at, view);
            alone.push(instance_of(&mut stage, Affine2::from_translation(origin.into())));
        }
        let one_by_one = drawn(&stage, &mut target, picture, &alone);
        assert_eq!(off(&got, &one_by_one), 0.0, "{} figures", alone.len());
        assert!(got.rgba.iter().any(|byte| *byte > 0));
    }
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn palettes_that_are_set_are_those_that_are_drawn() {
    let (gpu, document) = (gpu(), sample());
    let Gpu { device, queue, .. } = &gpu;
    let mut stage = Stage::new(&gpu, &document, SIZE, Samples::One, false);
    let picture = Picture::new(SIZE, Camera2d { zoom: 0.5, ..Default::default() });
    stage.camera.set_picture(device, queue, &picture);
    let bake = Bake::new(&stage.character, &[], Bake::MOST_BYTES).unwrap();
    let layouts = stage.renderer.layouts();
    let mut crowd = Crowd::new(device, queue, layouts, &mut stage.model, &bake).unwrap();
    let renderer = CrowdRenderer::new(device, &OffscreenTarget::options(Samples::One)).unwrap();
    // Half way between two animations, which no baked frame is.
    let subject: &dyn Subject = &stage.character;
    let [walk, jump] = ["walk", "jump"].map(|name| subject.animation_named(name).unwrap());
    let mix = Mix { to: FrameAt::exact(jump, 20), amount: 0.5 };
    let (at, view) = (Some(FrameAt::exact(walk, 7)), ViewOptions::default());
    stage.frame.fill_mixed(&stage.character, at, Some(mix), &view);
    crowd.set_palettes(queue, stage.frame.pose().world_from_bind());
    crowd.prepare(device, queue, &[CrowdMember::new(Affine2::IDENTITY, 0)]);
    let mut instance = Instance::new(device, stage.renderer.layouts(), &stage.model);
    let baked = bake.list_of()[0];
    let (list, pose) = (&bake.lists()[baked], stage.frame.pose());
    instance.prepare(device, queue, &mut stage.model, list, pose).unwrap();
    let mut target = OffscreenTarget::new(&gpu, SIZE, Samples::One, 1).unwrap();
    let blended = taken(&gpu, &mut target, picture.clear, |pass| {
        renderer.draw(pass, &stage.camera, &stage.model, &crowd);
    });
    let alone = taken(&gpu, &mut target, picture.clear, |pass| {
        stage.renderer.draw(pass, &stage.camera, &stage.model, &instance);
    });
    assert_eq!(off(&blended, &alone), 0.0);
    assert!(blended.rgba.iter().any(|byte| *byte > 0));
}

#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn palettes_of_another_character_are_refused() {
    let gpu = gpu();
    let Gpu { device, queue, .. } = &gpu;
    let mut stage = Stage::new(&gpu, &sample(), SIZE, Samples::One, false);
    let other = Character::from(Builder::new().bones(2).document());
    let bake = Bake::new(&other, &[], Bake::MOST_BYTES).unwrap();
    let layouts = stage.renderer.layouts();
    let error = Crowd::new(device, queue, layouts, &mut stage.model, &bake).unwrap_err();
    assert!(matches!(error, CrowdError::Bones { of_model: 46, .. }), "{error}");
}
