//! Tests of drawings of bones in space: their contents, their order, and agreement of both renderers.
//!
//! `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` choose the adapter.

use crate::fixture;
use crate::support::{self, frame as at};
use std::sync::Arc;

use pchr::document::{AnimationId, BoneId};
use pchr::finding::Findings;
use pchr::image::Pixels;
use pchr::overlay::{
    Layer, Layers, Onion, OverlayJob, OverlayOptions, OverlayScratch, Pin, Trail, atlas,
};
use pchr::pose::FrameAt;
use pchr::raster::{Raster, RasterModel, RasterOptions, RasterOverlay, Simd};
use pchr::scene::{
    FRONT, Frame, OBLIQUE, OrbitCamera, Overlay, Picture, SIDE, Samples, Spatial as _, TOP,
    ViewOptions, measure,
};
use pchr_foreign::armature::{Armature, ArmatureMotion, ArmatureParts};
use pchr_foreign::motion::{
    Bone, Channels, Conventions, Key, Motion, Precision, Skeleton, TrackKeys, Transform, UpAxis,
};

const SIZE: [u32; 2] = [240, 200];
const FRAMES: u32 = 12;
const CHANNELS: Channels = Channels { translation: true, rotation: true, scale: true };

/// Skeleton of bones given by their parents and positions in them.
fn skeleton(bones: &[(Option<u32>, [f64; 3])]) -> Skeleton {
    let bone = |(index, (parent, place)): (usize, &(Option<u32>, [f64; 3]))| Bone {
        name: format!("bone{index}").as_str().into(),
        parent: *parent,
        rest: Transform { translation: *place, ..Transform::IDENTITY },
        ..Bone::default()
    };
    Skeleton::new(bones.iter().enumerate().map(bone).collect(), Conventions::PXD).unwrap()
}

/// Motion of the whole model along X, and of the third bone upwards.
fn motion() -> Motion {
    let mut motion = Motion::new(CHANNELS, Precision::Single);
    (motion.frame_count, motion.looped) = (FRAMES, true);
    let keys = |step: [f64; 3]| -> Vec<Key<3>> {
        (0..FRAMES).map(|frame| Key { frame, value: step.map(|c| c * f64::from(frame)) }).collect()
    };
    let (up, along) = (keys([0.0, 0.1, 0.0]), keys([0.2, 0.0, 0.1]));
    let moved = |translation| TrackKeys { translation, ..TrackKeys::default() };
    motion.add_track("bone2", 0, moved(&up)).unwrap();
    motion.set_root_keys(moved(&along)).unwrap();
    motion
}

fn armature(skeleton: Option<Skeleton>, motion: Option<Motion>) -> Armature {
    looping(skeleton, motion, None)
}

fn looping(skeleton: Option<Skeleton>, motion: Option<Motion>, looping: Option<bool>) -> Armature {
    let motion = motion.map(|motion| {
        let motion = Arc::new(motion);
        ArmatureMotion { name: "move".into(), motion, own: None, looping }
    });
    let (skeleton, motions) = (skeleton.map(Arc::new), motion.into_iter().collect());
    let warnings = Findings::default();
    Armature::new(ArmatureParts { skeleton, motions, format: "test", bytes: 1, warnings })
}

/// A small tree of bones, one of which has no length.
fn tree() -> Vec<(Option<u32>, [f64; 3])> {
    vec![
        (None, [0.0; 3]),
        (Some(0), [0.0, 1.0, 0.0]),
        (Some(1), [0.4, 0.6, 0.2]),
        (Some(1), [-0.4, 0.6, -0.2]),
        (Some(3), [0.0; 3]),
        (Some(3), [0.0, 0.5, 0.5]),
    ]
}

/// A pinned frame of the motion.
const PIN: Pin = Pin { animation: AnimationId(0), frame: 2, tint: Pin::TINT };

/// Options for all drawings.
fn all(scale: u32) -> OverlayOptions {
    OverlayOptions {
        layers: Layers::of(&Layer::ALL),
        trail: Some(Trail::Bone(BoneId(2))),
        onion: Onion::of(3, 2),
        pin: Some(PIN),
        bone: Some(BoneId(3)),
        scale,
        ..OverlayOptions::NOTHING
    }
}

fn camera([yaw, pitch]: [f64; 2], fov: f64) -> OrbitCamera {
    let target = [0.3, 1.0, 0.0];
    OrbitCamera { target, zoom: 60.0, yaw, pitch, fov, up: UpAxis::Y, mirror: false }
}

fn draw_into(
    subject: &Armature,
    at: Option<FrameAt>,
    camera: OrbitCamera,
    options: &OverlayOptions,
    (scratch, overlay): (&mut OverlayScratch, &mut Overlay),
) {
    let frame = &Frame::new(subject, at, &ViewOptions::default());
    let camera = camera.into();
    OverlayJob { subject, frame, camera, size: SIZE, options, letters: None }.run(scratch, overlay);
}

fn drawn(
    subject: &Armature,
    at: Option<FrameAt>,
    camera: OrbitCamera,
    options: &OverlayOptions,
) -> Overlay {
    let mut overlay = Overlay::default();
    draw_into(subject, at, camera, options, (&mut OverlayScratch::default(), &mut overlay));
    overlay
}

fn is_sound(overlay: &Overlay) -> bool {
    let count = overlay.vertices().len();
    let vertices = overlay.vertices().iter();
    let numbers = vertices.flat_map(|it| it.position.into_iter().chain(it.texel));
    let mut indices = overlay.indices().iter();
    count <= Overlay::MOST_VERTICES
        && numbers.fold(true, |sound, number| sound & (number.abs() <= 2e6))
        && indices.all(|index| (*index as usize) < count)
}

fn picture(clear: [u8; 4]) -> Picture {
    Picture { clear, ..fixture::picture(SIZE) }
}

fn raster(subject: &Armature, overlay: &Overlay, samples: Samples, clear: [u8; 4]) -> Pixels {
    let model = RasterModel::new(subject, Vec::new());
    let frame = Frame::new(subject, at(0), &ViewOptions::default());
    let atlas = atlas();
    let over = RasterOverlay { overlay, atlas: &atlas };
    let mut raster = Raster::new(RasterOptions { samples, threads: 1, simd: Simd::Auto });
    let mut out = Pixels::transparent();
    let (list, pose) = (frame.list(), frame.pose());
    raster.draw_with(&model, list, pose, &picture(clear), Some(over), &mut out).unwrap();
    out
}

const VIEWS: [([f64; 2], f64); 5] =
    [(FRONT, 0.0), (SIDE, 0.0), (TOP, 0.0), (OBLIQUE, 0.0), (OBLIQUE, 60.0)];

#[test]
fn each_choice_draws_something() {
    let subject = armature(Some(skeleton(&tree())), Some(motion()));
    let nothing = OverlayOptions::NOTHING;
    let draw = |options: OverlayOptions| drawn(&subject, at(3), camera(OBLIQUE, 0.0), &options);
    let plain = draw(nothing);
    for (name, options) in [
        ("before", OverlayOptions { onion: Onion::of(1, 0), ..nothing }),
        ("after", OverlayOptions { onion: Onion::of(0, 1), ..nothing }),
        ("pin", OverlayOptions { pin: Some(PIN), ..nothing }),
        ("trail", OverlayOptions { trail: Some(Trail::Bone(BoneId(2))), ..nothing }),
        ("bone", OverlayOptions { bone: Some(BoneId(2)), ..nothing }),
    ] {
        assert!(draw(options).indices().len() > plain.indices().len(), "{name}");
    }
    for layer in [Layer::Names, Layer::Origin, Layer::Axes, Layer::Grid, Layer::Path] {
        let drawn = draw(OverlayOptions { layers: Layers::of(&[layer]), ..nothing });
        assert!(drawn.indices().len() > plain.indices().len(), "{layer:?}");
    }
    for options in [
        OverlayOptions {
            layers: Layers::of(&[Layer::Wireframe, Layer::Bounds, Layer::Order]),
            ..nothing
        },
        OverlayOptions { weights: Some(BoneId(1)), layers: Layers::of(&[Layer::Bones]), ..nothing },
        OverlayOptions { bone: Some(BoneId(60)), trail: Some(Trail::Bone(BoneId(60))), ..nothing },
    ] {
        assert_eq!(draw(options), plain);
    }
}

#[test]
fn nothing_is_left_of_a_frame_before_or_of_another_subject() {
    let subjects = [
        armature(Some(skeleton(&tree())), Some(motion())),
        armature(Some(skeleton(&tree()[..2])), None),
        armature(None, Some(motion())),
    ];
    let (mut scratch, mut overlay) = (OverlayScratch::default(), Overlay::default());
    for round in 0..3_u16 {
        for subject in &subjects {
            for (direction, fov) in VIEWS {
                let (at, camera) = (at(round * 5), camera(direction, fov));
                let options = all(1 + u32::from(round));
                draw_into(subject, at, camera, &options, (&mut scratch, &mut overlay));
                assert!(overlay == drawn(subject, at, camera, &options));
            }
        }
    }
}

#[test]
fn the_distance_of_lines_is_told_where_lines_are_seen() {
    let subject = armature(Some(skeleton(&tree())), None);
    let options = OverlayOptions { layers: Layers::of(&[Layer::Grid]), ..OverlayOptions::NOTHING };
    let letters = |direction, target, fov| {
        let mut camera = camera(direction, fov);
        camera.target = target;
        let overlay = drawn(&subject, None, camera, &options);
        let in_corner = |range: std::ops::Range<usize>| {
            let mut places = overlay.vertices()[range].iter().map(|it| it.position);
            places.all(|[x, y]| (6.0..100.0).contains(&x) && y > SIZE[1] as f32 - 22.0)
        };
        overlay.polygons().filter(|range| in_corner(range.clone())).count()
    };
    let (near, above) = ([0.3, 1.0, 0.0], [0.0, 500.0, 0.0]);
    for fov in [0.0, 40.0] {
        assert!(letters(OBLIQUE, near, fov) > 0, "lines from above");
        assert!(letters([20.0, -30.0], near, fov) > 0, "lines from below");
        assert_eq!(letters(OBLIQUE, above, fov), 0, "below the picture");
        assert_eq!(letters([0.0, -60.0], above, fov), 0, "behind the camera");
    }
    assert!(letters(FRONT, near, 0.0) > 0, "ticks");
    assert_eq!(letters([45.0, 0.0], near, 0.0), 0, "the ground seen edge-on");
}

#[test]
fn ghosts_end_with_a_motion_that_does_not_repeat() {
    let shown = |repeats: Option<bool>, frame| {
        let subject = looping(Some(skeleton(&tree())), Some(motion()), repeats);
        let options = OverlayOptions { onion: Onion::of(4, 4), ..OverlayOptions::NOTHING };
        drawn(&subject, at(frame), camera(OBLIQUE, 0.0), &options).vertices().len()
    };
    assert!(shown(Some(false), 0) < shown(Some(true), 0));
    assert!(shown(Some(false), 0) < shown(Some(false), 2));
    assert!(shown(Some(false), 11) < shown(Some(true), 11));
    assert_eq!(shown(Some(false), 6), shown(Some(true), 6));
}

#[test]
fn hostile_places_are_left_out_or_cut() {
    let odd = [f64::NAN, f64::INFINITY, 1e30, -1e300, 1e-300, 0.0];
    let mut bones = vec![(None, [0.0; 3])];
    for (index, value) in (0..).zip(odd.iter().cycle().take(60)) {
        let mut place = [1.0, 2.0, 3.0];
        place[index as usize % 3] = *value;
        bones.push((Some(index / 2), place));
    }
    let subject = armature(Some(skeleton(&bones)), Some(motion()));
    for zoom in [1e-9, 1e-3, 60.0, 1e9] {
        for (direction, fov) in VIEWS {
            let mut camera = camera(direction, fov);
            camera.zoom = zoom;
            for at in [at(0), at(11), None] {
                assert!(is_sound(&drawn(&subject, at, camera, &all(8))));
            }
            camera.target = [1e30, -1e30, 1e30];
            assert!(is_sound(&drawn(&subject, at(0), camera, &all(1))));
        }
    }
}

#[test]
fn thirty_thousand_bones_are_drawn_within_bounds() {
    let bone = |index: u32| {
        let place = [7, 11, 13].map(|prime| f64::from(index % prime) / 6.0 - 1.0);
        (index.checked_sub(1).map(|over| over / 2), place)
    };
    let bones: Vec<_> = (0..30_000).map(bone).collect();
    let subject = armature(Some(skeleton(&bones)), Some(motion()));
    let mut options = all(1);
    options.onion = Onion::of(32, 32);
    let mut camera = camera(OBLIQUE, 0.0);
    camera.zoom = 8.0;
    let overlay = drawn(&subject, at(3), camera, &options);
    println!("{} corners", overlay.vertices().len());
    assert!(is_sound(&overlay) && overlay.vertices().len() > 100_000);
}

/// Of two crossing bones, the one with nearer joints covers the other, seen from both sides.
#[test]
fn the_nearer_of_two_bones_lies_over_the_other() {
    let bones = [
        (None, [-1.0, 1.0, 0.4]),
        (Some(0), [2.6, 0.0, 0.0]),
        (None, [0.3, 0.0, -0.4]),
        (Some(2), [0.0, 2.6, 0.0]),
    ];
    let subject = armature(Some(skeleton(&bones)), None);
    for fov in [0.0, 50.0] {
        for (yaw, nearer) in [(0.0, BoneId(0)), (180.0, BoneId(2))] {
            let mut camera = camera([yaw, 0.0], fov);
            camera.target = [0.3, 1.0, 0.0];
            let bare = drawn(&subject, None, camera, &OverlayOptions::NOTHING);
            let middle = |overlay: &Overlay| {
                let pixels = raster(&subject, overlay, Samples::One, [0; 4]);
                pixels.rgba.as_chunks::<4>().0[(SIZE[1] / 2 * SIZE[0] + SIZE[0] / 2) as usize]
            };
            let plain = middle(&bare);
            assert_eq!(plain[3], 255, "a bone is in the middle");
            // The picked bone has another colour, which is visible where that bone is nearer.
            let [red, green, blue] = [0, 1, 2].map(|channel: usize| f32::from(plain[channel]));
            assert!(red > green && green > blue, "sand: {plain:?}");
            for chosen in [BoneId(0), BoneId(2)] {
                let options = OverlayOptions { bone: Some(chosen), ..OverlayOptions::NOTHING };
                let [_, green, blue, _] = middle(&drawn(&subject, None, camera, &options));
                assert_eq!(blue > green, chosen == nearer, "{yaw} {chosen:?} {fov}");
            }
        }
    }
}

#[test]
fn tracks_without_a_skeleton_are_points_where_they_have_places() {
    let mut motion = motion();
    let rotation = [Key { frame: 0, value: [0.0, 0.0, 0.0, 1.0] }];
    let turned = TrackKeys { rotation: &rotation, ..TrackKeys::default() };
    let with = drawn(&armature(None, Some(motion.clone())), at(2), camera(FRONT, 0.0), &all(1));
    motion.add_track("turned", 0, turned).unwrap();
    let subject = armature(None, Some(motion));
    assert!(!subject.has_skeleton() && !subject.has_place(BoneId(1)));
    let plain = OverlayOptions::NOTHING;
    let one = drawn(&subject, at(2), camera(FRONT, 0.0), &plain);
    assert!(!one.is_empty() && is_sound(&one) && !with.is_empty());
    let alone = armature(None, Some(self::motion()));
    assert_eq!(one, drawn(&alone, at(2), camera(FRONT, 0.0), &plain));
}

#[test]
fn a_fit_shows_all_bones() {
    let subject = armature(Some(skeleton(&tree())), Some(motion()));
    for (direction, fov) in VIEWS {
        let start = camera(direction, fov);
        let (found, _) = measure(&subject, &start, false, [at(3)].into_iter());
        let overlay = drawn(&subject, at(3), start.fit(&found, SIZE), &OverlayOptions::NOTHING);
        let [width, height] = SIZE.map(|side| side as f32);
        // The tips of bones without children reach beyond their joints.
        let outside = overlay.vertices().iter().filter(|vertex| {
            let [x, y] = vertex.position;
            !(0.0..width).contains(&x) || !(0.0..height).contains(&y)
        });
        assert!(outside.count() * 8 < overlay.vertices().len(), "{direction:?} {fov}");
    }
}

/// At most one pixel in a thousand may differ by more than 1 of 255.
#[test]
#[cfg_attr(skip_gpu_tests, ignore = "needs a graphics adapter: PCHR_TEST_GPU=1")]
fn both_renderers_draw_the_same_bones() {
    use pchr::render::{GpuModel, OffscreenTarget, OverlayRenderer};

    let gpu = support::gpu();
    let subject = armature(Some(skeleton(&tree())), Some(motion()));
    let clear = [32, 34, 40, 255];
    for samples in [Samples::One, Samples::Four] {
        let target = OffscreenTarget::options(samples);
        let mut renderer =
            OverlayRenderer::new(&gpu.device, &gpu.queue, &atlas(), &target).unwrap();
        let mut target = OffscreenTarget::new(&gpu, SIZE, samples, 1).unwrap();
        let model = GpuModel::with_images(&gpu.device, &subject, Vec::new());
        let (mut off, mut pixels) = (0, 0);
        for (direction, fov) in VIEWS {
            for scale in [1, 2] {
                let overlay = drawn(&subject, at(3), camera(direction, fov), &all(scale));
                let wanted = raster(&subject, &overlay, samples, clear);
                renderer.prepare(&gpu.device, &gpu.queue, &overlay, &picture(clear));
                let draw = |pass: &mut wgpu::RenderPass<'_>| renderer.draw(pass, &model);
                let got = support::taken(&gpu, &mut target, clear, draw);
                pixels += got.rgba.len() / 4;
                off += crate::overlays::differing(&got, &wanted, 1);
                let shown = got.rgba.as_chunks::<4>().0.iter().filter(|it| **it != clear).count();
                assert!(shown > 2_000, "something is drawn: {shown}");
            }
        }
        println!("{samples:?}: {off} of {pixels} pixels differ");
        assert!(off * 1000 <= pixels, "{samples:?}: {off} of {pixels}");
    }
    gpu.check().unwrap();
}
