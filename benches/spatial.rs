//! Time for frames of 300 bones in space with the CPU renderer on one thread, against frames of a character.
//!
//! Prints a table; the character is `you_xin_suit1` if `PCHR_CORPUS` is set. A word after `--` selects the rows that contain it.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a bench prints its result, and ends where a program would report; the numbers are small"
)]

#[allow(unreachable_pub, reason = "shared")]
#[path = "support/character.rs"]
mod character;
#[path = "support/min_of_many.rs"]
mod min_of_many;
#[path = "support/subjects.rs"]
mod subjects;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use min_of_many::min_of_many;
use pchr::character::Character;
use pchr::document::{AnimationId, BoneId};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_all};
use pchr::overlay::{Layer, Layers, OverlayJob, OverlayOptions, OverlayScratch, Trail, atlas};
use pchr::playback::FrameAt;
use pchr::pose::BindChoice;
use pchr::raster::{Raster, RasterModel, RasterOptions, RasterOverlay};
use pchr::scene::{
    Camera2d, Filter, Frame, OBLIQUE, OrbitCamera, Overlay, Picture, Samples, Subject, ViewOptions,
    measure,
};
use pchr_foreign::armature::{Armature, ArmatureMotion, ArmatureParts};
use pchr_foreign::motion::{
    Bone, Channels, Conventions, Key, Motion, Precision, Skeleton, TrackKeys, Transform,
};

const BONES: u32 = 300;
const FRAMES: u32 = 60;
const SIZE: [u32; 2] = [512, 512];

/// Skeleton with a forked stem of 31 bones, and chains of nine bones at its ends.
fn skeleton() -> Skeleton {
    let bone = |index: u32| {
        let number = f64::from(index);
        let parent = match index {
            0 => None,
            1..31 => Some((index - 1) / 2),
            _ => Some(index - 30),
        };
        Bone {
            name: format!("bone_{index:03}").as_str().into(),
            parent,
            rest: Transform {
                translation: [
                    0.12 * (number * 1.7).sin(),
                    0.1 + 0.02 * f64::from(index % 3),
                    0.1 * (number * 2.3).cos(),
                ],
                ..Transform::IDENTITY
            },
            offset: 0,
        }
    };
    Skeleton::new((0..BONES).map(bone).collect(), Conventions::PXD).expect("a sound skeleton")
}

/// Motion in which each bone sways by itself.
fn motion(skeleton: &Skeleton) -> Motion {
    let channels = Channels { translation: false, rotation: true, scale: false };
    let mut motion = Motion::new(channels, Precision::Single);
    (motion.frame_count, motion.looped) = (FRAMES, true);
    for (index, bone) in (0_u32..).zip(skeleton.bones()) {
        let key = |frame: u32| {
            let turn = std::f64::consts::TAU * f64::from(frame) / f64::from(FRAMES);
            let half = 0.075 * (turn + f64::from(index)).sin();
            let value = [half.sin(), 0.0, 0.0, half.cos()];
            Key { frame, value }
        };
        let rotation: Vec<_> = (0..FRAMES).map(key).collect();
        let keys = TrackKeys { rotation: &rotation, ..TrackKeys::default() };
        motion.add_track(bone.name.clone(), 0, keys).expect("sound keys");
    }
    motion
}

fn armature() -> Armature {
    let skeleton = skeleton();
    let motion = ArmatureMotion {
        name: "sway".into(),
        motion: Arc::new(motion(&skeleton)),
        own: None,
        looping: None,
    };
    Armature::new(ArmatureParts {
        skeleton: Some(Arc::new(skeleton)),
        motions: vec![motion],
        format: "bench",
        bytes: 1,
        warnings: Findings::default(),
    })
}

/// Frames drawn one after the other.
struct Film<'a> {
    subject: &'a dyn Subject,
    animation: AnimationId,
    frames: u16,
    next: u16,
    frame: Frame,
    model: RasterModel,
    picture: Picture,
    raster: Raster,
    out: Pixels,
}

impl<'a> Film<'a> {
    fn new(
        subject: &'a dyn Subject,
        animation: AnimationId,
        images: Vec<Pixels>,
        camera: Camera2d,
    ) -> Self {
        let view = ViewOptions::default();
        let clip = subject.animation(animation).expect("an animation");
        Self {
            subject,
            animation,
            frames: clip.timeline.frame_count,
            next: 0,
            frame: Frame::new(subject, None, &view),
            model: RasterModel::new(subject, images),
            picture: Picture {
                size: SIZE,
                camera,
                filter: Filter::Linear,
                mipmaps: false,
                clear: [0; 4],
            },
            raster: Raster::new(RasterOptions {
                samples: Samples::Four,
                ..RasterOptions::default()
            }),
            out: Pixels::transparent(),
        }
    }

    fn pose(&mut self) {
        let at = FrameAt::exact(self.animation, self.next);
        self.next = (self.next + 1) % self.frames;
        let view = ViewOptions::default();
        self.frame.fill(self.subject, Some(at), &view);
    }

    fn draw(&mut self, overlay: Option<RasterOverlay<'_>>) {
        let (list, pose) = (self.frame.list(), self.frame.pose());
        let Self { raster, model, picture, out, .. } = self;
        raster.draw_with(model, list, pose, picture, overlay, out).expect("of one subject");
        black_box(&out);
    }
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 12 };
    let subject = subjects::subjects().pop().expect("a character");
    let document = subject.document();
    let images = decode_all(&document, &mut Findings::default());
    let animation = subjects::longest(&document);
    let character = Character::new(document, BindChoice::Auto);
    let fit = flat_camera(&character, animation);
    let armature = armature();
    let camera = camera(&armature);
    let atlas = atlas();
    let nothing = OverlayOptions::NOTHING;
    let trail = Some(Trail::Bone(BoneId(299)));
    let choices = [
        ("bones alone", nothing),
        ("with grid", OverlayOptions { layers: Layers::of(&[Layer::Grid]), ..nothing }),
        ("with trail", OverlayOptions { trail, ..nothing }),
        ("with names", OverlayOptions { layers: Layers::of(&[Layer::Names]), ..nothing }),
        (
            "with all three",
            OverlayOptions { layers: Layers::of(&[Layer::Grid, Layer::Names]), trail, ..nothing },
        ),
    ];
    println!("{BONES} bones in space, 512 x 512, four samples, against frames of {}", subject.name);
    let word = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let word = word.unwrap_or_default();
    for (name, options) in choices.into_iter().filter(|(name, _)| name.contains(&word)) {
        let mut of_character = Film::new(&character, animation, images.clone(), fit);
        let [mut made, mut drawn] =
            [(); 2].map(|()| Film::new(&armature, AnimationId(0), Vec::new(), Camera2d::default()));
        let mut overlays = [(); 2].map(|()| (OverlayScratch::default(), Overlay::default()));
        let [of_made, of_drawn] = &mut overlays;
        let make = |film: &mut Film<'_>, (scratch, overlay): &mut (OverlayScratch, Overlay)| {
            film.pose();
            let job = OverlayJob {
                subject: film.subject,
                frame: &film.frame,
                camera: camera.into(),
                size: SIZE,
                options: &options,
                letters: None,
            };
            job.run(scratch, overlay);
        };
        let frames = [of_character.frames, made.frames].map(f64::from);
        let pieces: &mut [&mut dyn FnMut()] = &mut [
            &mut || {
                for _ in 0..of_character.frames {
                    of_character.pose();
                    of_character.draw(None);
                }
            },
            &mut || {
                for _ in 0..made.frames {
                    make(&mut made, of_made);
                    black_box(&of_made);
                }
            },
            &mut || {
                for _ in 0..drawn.frames {
                    make(&mut drawn, of_drawn);
                    let (_, overlay) = &of_drawn;
                    let atlas = &atlas;
                    drawn.draw(Some(RasterOverlay { overlay, atlas }));
                }
            },
        ];
        let times = min_of_many(turns, Duration::ZERO, pieces);
        let triangles = overlays[0].1.indices().len() / 3;
        let [of_character, of_armature] = frames;
        let of = |i: usize, frames: f64| times.get(i).copied().unwrap_or(f64::NAN) / frames / 1e6;
        let (reference, made, whole) =
            (of(0, of_character), of(1, of_armature), of(2, of_armature));
        println!(
            "{name:16} {triangles:6} triangles  made {made:.2} ms, with drawing {whole:.2} ms; character {reference:.2} ms: {:.2}",
            whole / reference
        );
    }
}

/// Camera that shows the whole motion.
fn camera(armature: &Armature) -> OrbitCamera {
    let [yaw, pitch] = OBLIQUE;
    let camera = OrbitCamera { yaw, pitch, ..OrbitCamera::default() };
    let frames = (0..FRAMES as u16).map(|frame| Some(FrameAt::exact(AnimationId(0), frame)));
    let (bounds, _) = measure(armature, &camera, false, frames.collect::<Vec<_>>().into_iter());
    camera.fit(&bounds, SIZE)
}

/// Camera that shows a whole animation of a character.
fn flat_camera(character: &dyn Subject, animation: AnimationId) -> Camera2d {
    let clip = character.animation(animation).expect("an animation");
    let frames = 0..clip.timeline.frame_count;
    let moments: Vec<_> = frames.map(|frame| Some(FrameAt::exact(animation, frame))).collect();
    let view = ViewOptions::default();
    let bounds = character.sweep(&view).over(&mut moments.into_iter());
    Camera2d::fit(bounds, SIZE, false)
}
