//! Frames of the new animation: local transforms projected on the plane, and findings about them.
#![expect(clippy::arithmetic_side_effects, reason = "floating-point numbers alone")]

use std::borrow::Cow;

use glam::{DQuat, DVec3};

use pchr::document::{BoneId, BoneTransform};
use pchr::finding::{counted, quoted};
use pchr::pose::{BindPose, BindSource};

use super::character;
use super::{ApplyOptions, FrameClock, Report, RootMotionUse};
use crate::motion::{
    Binding, Motion, ParentScale, PlaneRule, Poser, Skeleton, Target, Track, Transform, same_bits,
};

/// Local transform of a bone that the movement of the whole model is added to.
fn below_root(root: &Transform, local: &Transform) -> Transform {
    let turned = DQuat::from_array(root.rotation);
    let scale = DVec3::from(root.scale);
    let place = turned * (scale * DVec3::from(local.translation)) + DVec3::from(root.translation);
    Transform {
        translation: place.into(),
        rotation: (turned * DQuat::from_array(local.rotation)).into(),
        scale: (scale * DVec3::from(local.scale)).into(),
    }
}

/// Projects transforms on the plane.
#[derive(Debug, Default)]
struct Projector {
    scale: f64,
    /// True if a scale moves no child in the motion.
    is_scale_separate: bool,
    depth: Worst,
    tilt: Worst,
    scale_depth: Worst,
    parent_scale: Worst,
    not_finite: Worst,
}

#[derive(Clone, Copy, Debug)]
struct Projected<'a> {
    bone: usize,
    frame: u32,
    local: &'a Transform,
    /// The bind pose, and its rotation.
    rest: &'a BoneTransform,
    rest_rotation: [f64; 4],
    has_children: bool,
}

impl Projector {
    /// Less far from the plane is in it: pixels, degrees, parts of a scale.
    const NEAR: f64 = 1e-3;

    fn project(&mut self, it: Projected<'_>) -> BoneTransform {
        let Projected { bone, frame, local, rest, .. } = it;
        let still = BoneTransform::default();
        let mut is_odd = false;
        #[expect(clippy::cast_possible_truncation, reason = "transforms have 32 bits")]
        let mut single = |value: f64, neutral: f32| {
            let value = value as f32;
            is_odd |= !value.is_finite();
            if value.is_finite() { value } else { neutral }
        };
        let [x, y, z] = local.translation.map(|value| value * self.scale);
        let [scale_x, scale_y, scale_z] = local.scale;
        let (x, y) = (single(x, still.x), single(y, still.y));
        let scale_x_single = single(scale_x, still.scale_x);
        let scale_y_single = single(scale_y, still.scale_y);
        single(z, 0.0);
        single(scale_z, 1.0);
        let turn = character::turn(local.rotation);
        is_odd |= turn.is_none();
        #[expect(clippy::cast_possible_truncation, reason = "rotations have 32 bits")]
        let rotation = match turn {
            // Untouched, so with all turns that the bind pose has.
            _ if same_bits(local.rotation, it.rest_rotation) => rest.rotation,
            Some(turn) => turn.degrees as f32,
            None => still.rotation,
        };
        let meet = |worst: &mut Worst, far: f64, value: f64| {
            if far.is_finite() && far > Self::NEAR {
                worst.meet(far, value, bone, frame);
            }
        };
        meet(&mut self.depth, z.abs(), z);
        let tilt = turn.map_or(0.0, |turn| turn.tilt);
        meet(&mut self.tilt, tilt, tilt);
        meet(&mut self.scale_depth, (scale_z - 1.0).abs(), scale_z);
        if self.is_scale_separate && it.has_children {
            for scale in [scale_x, scale_y] {
                meet(&mut self.parent_scale, (scale - 1.0).abs(), scale);
            }
        }
        if is_odd {
            self.not_finite.meet(1.0, 1.0, bone, frame);
        }
        BoneTransform {
            x,
            y,
            rotation,
            scale_x: scale_x_single,
            scale_y: scale_y_single,
            flags: rest.flags,
            z_order: rest.z_order,
        }
    }
}

/// The place where something goes farthest.
#[derive(Clone, Debug, Default)]
struct Worst {
    far: f64,
    value: f64,
    bone: usize,
    frame: u32,
    /// Number of transforms.
    times: u64,
    bones: Vec<bool>,
}

impl Worst {
    fn meet(&mut self, far: f64, value: f64, bone: usize, frame: u32) {
        if far > self.far {
            (self.far, self.value, self.bone, self.frame) = (far, value, bone, frame);
        }
        self.times = self.times.saturating_add(1);
        if self.bones.len() <= bone {
            self.bones.resize(bone.saturating_add(1), false);
        }
        if let Some(met) = self.bones.get_mut(bone) {
            *met = true;
        }
    }

    /// The number of bones, and what they do in words.
    fn bones_that(&self, one: &str, more: &str) -> String {
        match self.bones.iter().filter(|met| **met).count() {
            1 => format!("1 bone {one}"),
            count => format!("{count} bones {more}"),
        }
    }
}

/// Poses the bones of a character by a motion, and projects them.
#[derive(Debug)]
pub(super) struct PlaneJob<'a> {
    motion: &'a Motion,
    skeleton: &'a Skeleton,
    binding: &'a Binding,
    rest: &'a [BoneTransform],
    names: Option<&'a Skeleton>,
    has_root: bool,
    root: RootMotionUse,
    bones: Vec<MovedTrack>,
    poser: Poser<'a>,
    projector: Projector,
    /// Lengths of the offsets that the motion changes, added up: at rest, and in its first frame.
    offsets: [f64; 2],
}

/// A bone, and what moves it.
#[derive(Clone, Copy, Debug, Default)]
struct MovedTrack {
    track: Option<usize>,
    has_children: bool,
    /// True if the movement of the whole model is added.
    by_root: bool,
}

impl<'a> PlaneJob<'a> {
    pub(super) fn new(
        motion: &'a Motion,
        skeleton: &'a Skeleton,
        binding: &'a Binding,
        rest: &'a [BoneTransform],
        options: &ApplyOptions<'a>,
    ) -> Self {
        let has_root = motion.root().is_some() || binding.root(motion).is_some();
        let by_root = has_root && options.root == RootMotionUse::MoveRoots;
        let bones = skeleton.bones().iter();
        let mut moved: Vec<MovedTrack> = bones
            .map(|bone| MovedTrack {
                by_root: by_root && bone.parent.is_none(),
                ..MovedTrack::default()
            })
            .collect();
        for track in 0..motion.tracks().len() {
            let bone = binding.bone(track);
            if let Some(moved) = bone.and_then(|(bone, _)| moved.get_mut(bone as usize)) {
                moved.track = Some(track);
            }
        }
        for parent in skeleton.bones().iter().filter_map(|bone| bone.parent) {
            if let Some(parent) = moved.get_mut(parent as usize) {
                parent.has_children = true;
            }
        }
        let projector = Projector {
            scale: options.scale,
            is_scale_separate: motion.conventions.parent_scale == ParentScale::Separate,
            ..Projector::default()
        };
        Self {
            motion,
            skeleton,
            binding,
            rest,
            names: options.names,
            has_root,
            root: options.root,
            bones: moved,
            poser: Poser::new(motion, skeleton, binding, options.additive),
            projector,
            offsets: [0.0; 2],
        }
    }

    pub(super) fn run(&mut self, clock: FrameClock, frames: u16) -> Vec<BoneTransform> {
        let mut transforms =
            Vec::with_capacity(usize::from(frames).saturating_mul(self.bones.len()));
        for frame in 0..frames {
            let (moment, motion_frame) = clock.at(frame);
            let root = match self.root {
                RootMotionUse::MoveRoots => self.poser.root(moment),
                RootMotionUse::LeaveOut => None,
            };
            self.poser.pose(moment);
            if frame == 0 {
                self.offsets = self.measure();
            }
            let locals = self.poser.locals().iter().zip(self.skeleton.bones());
            let bones = self.bones.iter().zip(self.rest).enumerate();
            for ((local, at_rest), (bone, (moved, rest))) in locals.zip(bones) {
                let moving = root.as_ref().filter(|_| moved.by_root);
                if moved.track.is_none() && moving.is_none() {
                    transforms.push(*rest);
                    continue;
                }
                let local = moving.map_or(*local, |root| below_root(root, local));
                transforms.push(self.projector.project(Projected {
                    bone,
                    frame: motion_frame,
                    local: &local,
                    rest,
                    rest_rotation: at_rest.rest.rotation,
                    has_children: moved.has_children,
                }));
            }
        }
        transforms
    }

    /// Lengths of the offsets as posed, of bones with a parent.
    fn measure(&self) -> [f64; 2] {
        let length = |transform: &Transform| {
            let [x, y, z] = transform.translation;
            libm::hypot(libm::hypot(x, y), z)
        };
        let bones = self.skeleton.bones().iter().zip(self.poser.locals());
        let moved = bones.filter(|(bone, local)| {
            bone.parent.is_some() && bone.rest.translation != local.translation
        });
        moved.fold([0.0; 2], |[rest, first], (bone, local)| {
            [rest + length(&bone.rest), first + length(local)]
        })
    }

    pub(super) fn report(&self, bind: &BindPose, frames: u16, out: &mut Report) {
        let id = |bone: u32| BoneId(bone.try_into().unwrap_or(u16::MAX));
        let tracks = 0..self.motion.tracks().len();
        let bound = tracks.map(|track| self.binding.bone(track));
        out.tracks = bound.map(|it| it.map(|(bone, how)| (id(bone), how))).collect();
        let bones = (0..).zip(&self.bones);
        let still = bones.filter(|(_, moved)| moved.track.is_none());
        out.still = still.map(|(bone, _)| BoneId(bone)).collect();
        out.moves_roots = self.has_root && self.root == RootMotionUse::MoveRoots;
        out.leaves_out_root = self.has_root && self.root == RootMotionUse::LeaveOut;

        self.report_unmatched(out);
        self.report_tracks(out);
        self.report_projection(out);
        self.report_scale(out);
        if bind.source() == BindSource::Absent && frames > 0 && !self.bones.is_empty() {
            let message =
                "the character had no frames; frame 0 of the new animation becomes the bind pose";
            out.findings.add(PlaneRule::BindPose, 0, "animation", message);
        }
    }

    /// Reports tracks without a bone together, before everything else: the animation may have little of the motion.
    fn report_unmatched(&self, out: &mut Report) {
        /// Names in the message.
        const NAMED: usize = 3;
        let total = self.motion.tracks().len();
        let unmatched = self.binding.unmatched(self.motion);
        let count = unmatched.clone().count();
        if count == 0 {
            return;
        }
        let message = || {
            let tracks = unmatched.filter_map(|index| self.motion.tracks().get(index));
            let names = tracks.map(|track| quoted(&track_name(track, self.names)).to_string());
            let names = names.take(NAMED).collect::<Vec<_>>().join(", ");
            let more = match count.saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let found = total.saturating_sub(count);
            let verb = if found == 1 { "moves" } else { "move" };
            format!(
                "only {found} of the {total} tracks {verb} a bone of the character, not {names}{more}"
            )
        };
        out.findings.add(PlaneRule::MotionUnmatched, 0, "tracks", message);
    }

    fn report_tracks(&self, out: &mut Report) {
        for index in self.binding.unmatched(self.motion) {
            let Some(track) = self.motion.tracks().get(index) else { continue };
            let path = || format!("tracks[{index}]");
            let message = || {
                let name = track_name(track, self.names);
                let closer = self.skeleton.bones().iter();
                let is_there = { closer }.any(|bone| bone.name.text() == name);
                let name = quoted(&name);
                if is_there {
                    format!("another track also moves the bone {name}; that one is used")
                } else {
                    format!("the character has no bone named {name}")
                }
            };
            out.findings.add(PlaneRule::TrackUnmatched, track.offset, path, message);
        }
    }

    fn report_projection(&self, out: &mut Report) {
        let Projector { depth, tilt, scale_depth, parent_scale, not_finite, .. } = &self.projector;
        self.tell(out, PlaneRule::Depth, depth, "translation", || {
            let leave = depth.bones_that("leaves the plane", "leave the plane");
            format!("z is {}; {leave}", short(depth.value))
        });
        self.tell(out, PlaneRule::Tilt, tilt, "rotation", || {
            let bones = tilt.bones_that("tilts", "tilt");
            format!("{:.3} degrees out of the plane; {bones}", tilt.value)
        });
        self.tell(out, PlaneRule::ScaleDepth, scale_depth, "scale", || {
            let grow = scale_depth.bones_that("grows out of the plane", "grow out of the plane");
            format!("the scale along z is {}; {grow}", short(scale_depth.value))
        });
        self.tell(out, PlaneRule::ParentScale, parent_scale, "scale", || {
            let scale = short(parent_scale.value);
            let bones = parent_scale.bones_that("scales", "scale");
            format!(
                "the scale is {scale}; in the motion it does not move children, but in the character it does; {bones}"
            )
        });
        self.tell(out, PlaneRule::NotFinite, not_finite, "transform", || {
            let transforms = counted(not_finite.times, "transform", "transforms");
            format!("not finite, or beyond 32 bits; written as 0 (a scale as 1); {transforms}")
        });
    }

    /// Adds a finding about the worst place, if there is one.
    fn tell(
        &self,
        out: &mut Report,
        rule: PlaneRule,
        worst: &Worst,
        channel: &str,
        message: impl Fn() -> String,
    ) {
        if worst.times == 0 {
            return;
        }
        let track = self.bones.get(worst.bone).and_then(|moved| moved.track);
        let offset = track.and_then(|track| self.motion.tracks().get(track));
        let path = || match track {
            Some(track) => format!("tracks[{track}].{channel}"),
            None => format!("root.{channel}"),
        };
        let name = self.skeleton.bones().get(worst.bone).map(|bone| bone.name.text());
        let line = || {
            let name = name.unwrap_or_default();
            format!("{} at frame {}: {}", quoted(&name), worst.frame, message())
        };
        let offset = offset.map_or(0, |track| track.offset);
        out.findings.add(rule, offset, path, line);
    }

    /// Warns of a motion in another unit than the character.
    fn report_scale(&self, out: &mut Report) {
        const FAR: f64 = 20.0;
        const LEAST: f64 = 1e-6;
        let [rest, first] = self.offsets;
        let is_measurable = rest > LEAST && first > LEAST && first.is_finite();
        let (ratio, even) = (first / rest, rest / first * self.projector.scale);
        if !is_measurable || (FAR.recip()..=FAR).contains(&ratio) {
            return;
        }
        let message = || {
            let (ratio, even) = (short(ratio), short(even));
            format!(
                "bone offsets are {ratio} times those of the bind pose; correct this with --motion-scale {even}"
            )
        };
        out.findings.add(PlaneRule::MotionScale, 0, "motion", message);
    }
}

/// The name of a track's bone: its own, or that of its index; empty if it has none.
pub(super) fn track_name<'a>(track: &'a Track, names: Option<&'a Skeleton>) -> Cow<'a, str> {
    match &track.target {
        Target::Name(name) => name.text(),
        Target::Bone(bone) => {
            let bone = names.and_then(|names| names.bones().get(*bone as usize));
            bone.map(|bone| bone.name.text()).unwrap_or_default()
        }
    }
}

/// Formats a number with at most four decimals, or with four significant digits if it is small.
fn short(value: f64) -> String {
    let rounded = format!("{value:.4}");
    let exact = rounded.trim_end_matches('0').trim_end_matches('.');
    if value.abs() >= 0.1 && value.abs() < 1e9 { exact.to_owned() } else { format!("{value:.3e}") }
}
