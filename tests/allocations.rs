//! Tests of allocations: once warm, a frame allocates no heap memory for the pose, the draw list or the picture.
//!
//! The counter sees the allocations of the drawing thread. With one thread these are all allocations.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "what cannot be set up is a failed test; the numbers are small"
)]

#[path = "support/acl.rs"]
mod acl;
#[path = "support/fixture.rs"]
mod fixture;

use std::sync::Arc;

use allocation_counter::measure;
use pchr::character::Character;
use pchr::document::{AnimationId, BoneTransform, Document};
use pchr::finding::Findings;
use pchr::image::Pixels;
use pchr::playback::{FadeCurve, FadeOptions, Mix, Player};
use pchr::pose::{BindChoice, FrameAt};
use pchr::raster::{Raster, RasterModel, RasterOptions, Simd};
use pchr::scene::{Camera2d, Filter, Frame, MeshView, Picture, Samples, Subject, ViewOptions};
use pchr_foreign::acl::Clip;
use pchr_foreign::format::adapt::to_seanim;
use pchr_foreign::motion::{
    AdditiveRotation, Binding, Bone, Conventions, Interpolation, Moment, Motion, Poser, Sampled,
    Skeleton, TimedKeys, TimedTrack,
};
use pchr_tools::stage::{Layout, Member, Stage};

const BONES: usize = 37;

/// Squares on a chain of bones. Visibility and draw order change from frame to frame, more in the second clip than in the
/// first.
fn busy() -> Document {
    let texels: Vec<_> = (0..64_u8).map(|i| [i * 4, 255 - i, 80, 128 + i]).collect();
    let mut builder = fixture::Builder::new().image(8, &texels);
    for i in 0..BONES {
        builder = builder.bone(&format!("bone {i}"), i.checked_sub(1).map(|i| (i / 2) as u16));
        let x = (i % 7) as f32 * 9.0 - 35.0;
        let y = (i / 7) as f32 * 9.0 - 25.0;
        builder = builder.quad(&format!("{i}"), 0, i as u16, [x, y], [x + 20.0, y + 20.0]);
    }
    let frame = |frame: usize, step: usize| {
        std::array::from_fn::<_, BONES, _>(|bone| BoneTransform {
            x: (frame * step % 5) as f32,
            rotation: frame as f32 * 7.0,
            flags: u8::from(!(frame * step + bone).is_multiple_of(4)),
            z_order: ((frame * step * bone) % 11) as i16 - 5,
            ..BoneTransform::default()
        })
    };
    let clip = |step: usize| (0..8).map(|i| frame(i, step)).collect::<Vec<_>>();
    builder.animation("sway", true, &clip(1)).animation("shake", true, &clip(3)).document()
}

/// Every frame of both clips, some of them blended, and the stored pose.
fn moments() -> Vec<Option<FrameAt>> {
    let of_clip = |clip: u16| (0..8).map(move |i| FrameAt::exact(AnimationId(clip), i));
    let all = of_clip(0).chain(of_clip(1)).enumerate().map(|(i, at)| {
        let blend = if i % 3 == 0 { 0.5 } else { 0.0 };
        FrameAt { next: (at.frame + 1) % 8, blend, ..at }
    });
    all.map(Some).chain([None]).collect()
}

/// View options that a viewer may use in turn.
fn views() -> [ViewOptions; 3] {
    let mesh = |visible, z_order| MeshView { visible, z_order };
    [
        ViewOptions::default(),
        ViewOptions {
            meshes: vec![mesh(Some(false), None), mesh(Some(true), Some(2.5))],
            ..ViewOptions::default()
        },
        ViewOptions { meshes: vec![mesh(Some(true), Some(-9.0)); BONES], ..ViewOptions::default() },
    ]
}

fn picture(filter: Filter, mipmaps: bool, y_down: bool) -> Picture {
    let zoom = if mipmaps { 0.7 } else { 1.3 };
    let camera = Camera2d { center: [3.0, 4.0], zoom, y_down, mirror: false };
    Picture { size: [160, 120], camera, filter, mipmaps, clear: [0; 4] }
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![0_u8; 100]))).count_total, 1);
    assert_eq!(measure(|| ()).count_total, 0);
}

#[test]
fn posing_and_listing_allocate_nothing_once_warm() {
    let character = Character::new(busy(), BindChoice::Auto);
    let views = views();
    let mut frame = Frame::default();
    let mut orders = std::collections::BTreeSet::new();
    for (i, at) in moments().into_iter().enumerate() {
        let filled = measure(|| {
            for view in &views {
                frame.fill(&character, at, view);
            }
        });
        orders.insert(frame.list().revision());
        if i > 0 {
            assert_eq!(filled.count_total, 0, "frame of {at:?}");
        }
    }
    assert!(orders.len() > 10, "the order changes");
}

#[test]
fn a_stage_allocates_nothing_once_warm() {
    let character = Arc::new(Character::new(busy(), BindChoice::Auto));
    let play = ["sway", "shake"].map(str::to_owned).to_vec();
    let listed = Member { play, fade: 0.35, ..Member::new("a.pchr".into()) };
    let fast = Member { speed: 1.7, at: [40.0, 5.0], turn: 20.0, ..Member::new("a.pchr".into()) };
    let layout = Layout { members: vec![listed, fast] };
    let stage = Stage::new(&layout, vec![Arc::clone(&character) as _, character]).unwrap();
    let subject: &dyn Subject = &stage;
    let (mut frame, view) = (Frame::default(), ViewOptions::default());
    let ids = subject.animation_ids().flat_map(|id| subject.moments(id));
    for (i, at) in ids.enumerate() {
        let filled = measure(|| frame.fill(&stage, at, &view));
        if i > 0 {
            assert_eq!(filled.count_total, 0, "frame of {at:?}");
        }
    }
    assert!(frame.list().revision() > 10, "the order changes");
}

#[test]
fn cross_fades_and_the_player_allocate_nothing_once_warm() {
    let character = Character::new(busy(), BindChoice::Auto);
    let timelines = (&character as &dyn Subject).timelines();
    let model = RasterModel::decoded(&character);
    let picture = picture(Filter::Linear, false, false);
    let mut raster = Raster::new(RasterOptions::default());
    let (mut frame, mut out) = (Frame::default(), Pixels::transparent());
    let (mut view, mut player) = (ViewOptions::default(), Player::default());
    player.start(AnimationId(0), FadeOptions::default());
    let fade = FadeOptions { seconds: 0.2, curve: FadeCurve::Smooth };
    let (mut mixed, mut faded) = (0, 0);
    let mut round = || {
        for clip in [1, 0, 1, 0] {
            player.start(AnimationId(clip), fade);
            player.clip.smooth = clip == 1;
            for step in 0..12_u16 {
                faded += u32::from(player.advance(&timelines, 0.03).faded);
                if step == 3 {
                    player.scrub(&timelines, |clip| clip.seek(&timelines, 1.0));
                    player.step(&timelines, 1);
                    player.clip.playing = true;
                }
                let (at, mix) = player.moment(&timelines).unwrap();
                mixed += usize::from(mix.is_some());
                view.mix = mix;
                frame.fill(&character, Some(at), &view);
                raster.draw(&model, frame.list(), frame.pose(), &picture, &mut out).unwrap();
            }
        }
    };
    round();
    assert_eq!(measure(&mut round).count_total, 0);
    assert!(mixed > 20 && faded >= 8, "{mixed} {faded}");
}

#[test]
fn posing_a_3d_skeleton_allocates_nothing_once_warm() {
    let bones = (0_u32..40).map(|index| Bone {
        name: format!("bone{index}").as_str().into(),
        parent: index.checked_sub(1),
        ..Bone::default()
    });
    let skeleton = Skeleton::new(bones.collect(), Conventions::PXD).unwrap();
    let (clip, _) = Clip::read(&acl::busy(40, 40, |_, _, _| 12).chunk(), 0).unwrap();
    let mut sampled = Motion::default();
    sampled.set_sampled(Sampled { clip, offset: 0 });
    let (keyed, _) = to_seanim(&sampled, Some(&skeleton)).unwrap();
    // Keys at times, off their frames.
    let mut timed = Motion::default();
    for bone in 0..40_u32 {
        let times: Vec<f32> = (0..40).map(|key| key as f32 / 29.0).collect();
        let turn = |key: u32| ((bone + key) as f32 / 9.0).sin_cos();
        let turn = |key| [0.0, 0.0, turn(key).0, turn(key).1];
        let turns: Vec<_> = (0..40).map(turn).collect();
        let rotation = TimedKeys::new(times.clone().into(), turns, Interpolation::Linear);
        let spline = (0..120).map(|part| [part as f32, bone as f32, 1.0]).collect::<Vec<_>>();
        let translation = TimedKeys::new(times.into(), spline, Interpolation::CubicSpline);
        timed.add_timed_track(bone, TimedTrack { translation, rotation, scale: None });
    }
    assert_eq!(timed.frames(), 42);
    for motion in [&sampled, &keyed, &timed] {
        let binding = Binding::new(motion, &skeleton);
        let mut poser = Poser::new(motion, &skeleton, &binding, AdditiveRotation::OnRest);
        poser.pose(Moment::Frame(0));
        let first: f64 = poser.worlds().map(|world| world.translation[0]).sum();
        for moment in [Moment::Frame(39), Moment::Seconds(0.51), Moment::Frame(7)] {
            let mut sum = 0.0;
            let posed = measure(|| {
                poser.pose(moment);
                sum = poser.worlds().map(|world| world.translation[0]).sum();
                std::hint::black_box(poser.skinning().last());
            });
            assert_eq!(posed.count_total, 0, "{moment:?}");
            assert!(first.to_bits() != sum.to_bits(), "the pose changes");
        }
    }
}

/// Draws every moment twice and counts the allocations of the second time.
fn draw_all(samples: Samples, simd: Simd) {
    let character = Character::new(busy(), BindChoice::Auto);
    let mut model = RasterModel::decoded(&character);
    model.build_mips();
    let views = views();
    let drawn = [(Filter::Linear, false), (Filter::Nearest, false), (Filter::Linear, true)];
    let pictures =
        drawn.map(|(filter, mipmaps)| picture(filter, mipmaps, filter == Filter::Nearest));
    let mut raster = Raster::new(RasterOptions { samples, threads: 1, simd });
    let mut frame = Frame::default();
    let mut out = Pixels::transparent();
    let moments = moments();
    let mut round = |raster: &mut Raster| {
        for (i, at) in moments.iter().enumerate() {
            frame.fill(&character, *at, &views[i % views.len()]);
            for picture in &pictures {
                raster.draw(&model, frame.list(), frame.pose(), picture, &mut out).unwrap();
            }
        }
    };
    round(&mut raster);
    assert_eq!(measure(|| round(&mut raster)).count_total, 0, "{samples:?} {simd:?}");
    assert!(out.rgba.iter().any(|byte| *byte != 0), "something is drawn");
}

/// Draws all overlays over every moment twice and counts the allocations of the second time.
#[test]
fn overlays_allocate_nothing_once_warm() {
    use pchr::document::{BoneId, MeshId};
    use pchr::overlay::{
        Layer, Layers, Onion, OverlayJob, OverlayOptions, OverlayScratch, Trail, atlas,
    };
    use pchr::raster::{RasterFigure, RasterOverlay};
    use pchr::scene::Overlay;

    let character = Character::new(busy(), BindChoice::Auto);
    let model = RasterModel::decoded(&character);
    let overdraw =
        OverlayOptions { layers: Layers::of(&[Layer::Overdraw]), ..OverlayOptions::default() };
    let mut layers = Layers::of(&Layer::ALL);
    layers.set(Layer::Overdraw, false); // it hides weights and ghosts
    let options = OverlayOptions {
        layers,
        weights: Some(BoneId(3)),
        mesh: Some(MeshId(5)),
        bone: Some(BoneId(0)),
        trail: Some(Trail::Vertex(MeshId(5), 0)),
        onion: Onion::of(2, 1),
        ..OverlayOptions::default()
    };
    let (view, picture) = (ViewOptions::default(), picture(Filter::Linear, false, false));
    let mut raster = Raster::new(RasterOptions::default());
    let (mut frame, mut ghost) = (Frame::default(), Frame::default());
    let (mut ghosts, mut layer) = (Vec::new(), Pixels::empty());
    let (mut scratch, mut overlay) = (OverlayScratch::default(), Overlay::default());
    let (mut out, atlas, moments) = (Pixels::transparent(), atlas(), moments());
    let both = [&options, &overdraw];
    let mut round = || {
        for (at, options) in moments.iter().flat_map(|at| both.map(|options| (at, options))) {
            frame.fill(&character, *at, &view);
            let (subject, camera, size) = (&character, picture.camera.into(), picture.size);
            let job = OverlayJob { subject, frame: &frame, camera, size, options, letters: None };
            job.run(&mut scratch, &mut overlay);
            assert!(!overlay.is_empty());
            let over = RasterOverlay { overlay: &overlay, atlas: &atlas };
            let (list, pose) = (frame.list(), frame.pose());
            out.clear(picture.size, picture.clear);
            options.ghosts(&character, *at, &mut ghosts);
            assert!(at.is_none() || ghosts.is_empty() == overlay.hides_meshes());
            for below in &ghosts {
                ghost.fill(&character, Some(below.at), &view);
                raster.draw(&model, ghost.list(), ghost.pose(), &picture, &mut layer).unwrap();
                below.tint.lay(&layer, &mut out);
            }
            let figure = [RasterFigure::new(&model, list, pose)];
            raster.draw_figures(&figure, &picture, None, Some(over), &mut out).unwrap();
        }
    };
    round();
    assert_eq!(measure(round).count_total, 0);
}

/// Does the same with bones that move in space, from all sides.
#[test]
fn overlays_of_bones_in_space_allocate_nothing_once_warm() {
    use pchr::document::BoneId;
    use pchr::overlay::{Layer, Layers, Onion, OverlayJob, OverlayOptions, OverlayScratch, Trail};
    use pchr::scene::{FRONT, OBLIQUE, OrbitCamera, Overlay, TOP};
    use pchr_foreign::armature::{Armature, ArmatureMotion, ArmatureParts};

    let bones = (0_u32..40).map(|index| Bone {
        name: format!("bone{index}").as_str().into(),
        parent: index.checked_sub(1).map(|over| over / 2),
        ..Bone::default()
    });
    let skeleton = Skeleton::new(bones.collect(), Conventions::PXD).unwrap();
    let (clip, _) = Clip::read(&acl::busy(40, 40, |_, _, _| 12).chunk(), 0).unwrap();
    let (root, _) = Clip::read(&acl::busy(1, 40, |_, _, _| 12).chunk(), 0).unwrap();
    let mut motion = Motion::default();
    motion.set_sampled(Sampled { clip, offset: 0 });
    motion.set_sampled_root(Sampled { clip: root, offset: 0 });
    let motion = Arc::new(motion);
    let motion = ArmatureMotion { name: "busy".into(), motion, own: None, looping: None };
    let (skeleton, warnings) = (Some(Arc::new(skeleton)), Findings::default());
    let parts =
        ArmatureParts { skeleton, motions: vec![motion], format: "test", bytes: 1, warnings };
    let subject = Armature::new(parts);
    let options = OverlayOptions {
        layers: Layers::of(&[Layer::Names, Layer::Origin, Layer::Axes, Layer::Grid, Layer::Path]),
        trail: Some(Trail::Bone(BoneId(7))),
        onion: Onion::of(3, 5),
        bone: Some(BoneId(1)),
        ..OverlayOptions::default()
    };
    let mut frame = Frame::default();
    let (mut scratch, mut overlay) = (OverlayScratch::default(), Overlay::default());
    let mut round = || {
        for ([yaw, pitch], fov) in [(FRONT, 0.0), (OBLIQUE, 40.0), (TOP, 0.0)] {
            let camera = OrbitCamera { yaw, pitch, fov, zoom: 20.0, ..OrbitCamera::default() };
            for at in (0..40).map(|at| FrameAt::exact(AnimationId(0), at)) {
                let mut view = ViewOptions::default();
                if at.frame % 3 == 0 {
                    let to = FrameAt::exact(AnimationId(0), 39 - at.frame);
                    view.mix = Some(Mix { to, amount: 0.25 });
                }
                frame.fill(&subject, Some(at), &view);
                OverlayJob {
                    subject: &subject,
                    frame: &frame,
                    camera: camera.into(),
                    size: [300, 200],
                    options: &options,
                    letters: None,
                }
                .run(&mut scratch, &mut overlay);
                assert!(!overlay.is_empty());
            }
        }
    };
    round();
    assert_eq!(measure(round).count_total, 0);
}

#[test]
fn drawing_allocates_nothing_once_warm() {
    for samples in [Samples::One, Samples::Four] {
        for simd in [Simd::Auto, Simd::Portable] {
            draw_all(samples, simd);
        }
    }
}

/// Number of rounds until everything is warm: whenever the buffer of draw orders grows, it is refilled.
#[cfg(feature = "render")]
const ROUNDS: usize = 8;

/// wgpu itself allocates for writes to the queue. `prepare` may allocate as much as the same writes alone, and nothing if
/// there is nothing to write.
#[cfg(feature = "render")]
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn preparing_a_frame_allocates_no_more_than_the_writes_that_it_makes() {
    use pchr::render::{Gpu, GpuModel, GpuOptions, Instance, Layouts, View};

    let gpu = Gpu::headless(&GpuOptions::default().with_environment().unwrap()).unwrap();
    let document = busy();
    let character = Character::new(document.clone(), BindChoice::Auto);
    let images = pchr::image::decode_all(&document, &mut Findings::default());
    let (device, queue) = (&gpu.device, &gpu.queue);
    let layouts = &Layouts::new(device);
    let mut camera = View::new(device, layouts);
    let mut model = GpuModel::new(device, queue, layouts, &document, &images, false);
    let mut instance = Instance::new(device, layouts, &model);
    let picture = picture(Filter::Linear, false, false);
    let mut frame = Frame::default();
    let view = ViewOptions::default();
    let mut moments = moments();
    moments.retain(Option::is_some);
    let mut totals = Vec::new();
    for _ in 0..ROUNDS {
        let (mut changed, mut unchanged) = (0, 0);
        for at in &moments {
            frame.fill(&character, *at, &view);
            let (list, pose) = (frame.list(), frame.pose());
            let mut prepare = || {
                camera.set_picture(device, queue, &picture);
                instance.prepare(device, queue, &mut model, list, pose).unwrap();
            };
            changed += measure(&mut prepare).count_total;
            unchanged += measure(&mut prepare).count_total;
            gpu.queue.submit([]);
        }
        totals.push((changed, unchanged));
    }
    // A busy adapter keeps buffers for longer, so the best round counts.
    let (changed, _) = *totals.iter().min().unwrap();
    let (_, unchanged) = totals[ROUNDS - 1];
    let writes = palette_writes(&gpu, moments.len());
    println!("prepared frames: {totals:?}; their writes alone: {writes}");
    assert_eq!(unchanged, 0, "nothing is written");
    // Exact in release builds. With debug assertions there is one more allocation per frame.
    let slack = if cfg!(debug_assertions) { moments.len() as u64 } else { 0 };
    assert!(changed <= writes + slack, "{changed} allocations, {writes} for the writes alone");
}

/// An unchanged crowd is prepared and recorded without allocations of ours; wgpu makes only those of the same calls alone.
#[cfg(feature = "render")]
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn a_crowd_in_which_nothing_changed_allocates_nothing() {
    use pchr::document::MeshId;
    use pchr::render::{Gpu, GpuModel, GpuOptions, Instance, Layouts, PartLook, View};

    let gpu = Gpu::headless(&GpuOptions::default().with_environment().unwrap()).unwrap();
    let (device, queue) = (&gpu.device, &gpu.queue);
    let layouts = &Layouts::new(device);
    let document = busy();
    let character = Character::new(document.clone(), BindChoice::Auto);
    let images = pchr::image::decode_all(&document, &mut Findings::default());
    let mut model = GpuModel::new(device, queue, layouts, &document, &images, false);
    let mut view = View::new(device, layouts);
    let mut frame = Frame::default();
    frame.fill(&character, moments()[1], &ViewOptions::default());
    let mut crowd: Vec<_> = (0..10_u16)
        .map(|number| {
            let mut instance = Instance::new(device, layouts, &model);
            let tint = [0.5, 0.5, 0.5, f32::from(number) / 10.0];
            instance.set_part(MeshId(number % 3), PartLook { tint, texture: None });
            instance
        })
        .collect();
    let mut prepare = || {
        view.set_picture(device, queue, &picture(Filter::Nearest, false, false));
        for instance in &mut crowd {
            instance.set_tint([0.5; 4]);
            instance.set_placement(pchr::glam::Affine2::from_angle(0.5));
            instance.prepare(device, queue, &mut model, frame.list(), frame.pose()).unwrap();
            instance.refresh(device, queue);
            assert!(instance.runs(&model).count() > 0);
        }
    };
    prepare();
    assert_eq!(measure(&mut prepare).count_total, 0);
}

/// Allocations of this many writes of a palette's size, once warm.
#[cfg(feature = "render")]
fn palette_writes(gpu: &pchr::render::Gpu, count: usize) -> u64 {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 2 * BONES as u32, height: 1, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let size = texture.size();
    let bytes = vec![0; 2 * BONES * 16];
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(size.width * 16),
        rows_per_image: None,
    };
    let mut total = 0;
    for _ in 0..ROUNDS {
        total = 0;
        for _ in 0..count {
            let write = || gpu.queue.write_texture(texture.as_image_copy(), &bytes, layout, size);
            total += measure(write).count_total;
            gpu.queue.submit([]);
        }
    }
    total
}
