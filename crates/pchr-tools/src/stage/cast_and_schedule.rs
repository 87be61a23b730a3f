//! The members of a stage without their places: their meshes, bones and images one after another, with the names that they have together;
//! and their moments over its time: a loop of one clip, or clips one after another.

use std::fmt;
use std::sync::Arc;

use pchr::document::{AnimationId, Fingerprint, ImageId, Images, MeshId, VERTEX_SIZE, Vertex};
use pchr::finding::{Finding, Findings};
use pchr::playback::{FrameAt, Mix, Timeline};
use pchr::pose::{BindSource, Pose};
use pchr::scene::{Geometry, Subject, ViewOptions};

use super::members::Member;
use crate::text::words::closest;

/// An animation that a member is to play, and that its file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingClip {
    /// Index of the member.
    pub member: usize,
    /// Key of its table that names the animation.
    pub key: &'static str,
    /// Name of the member.
    pub name: String,
    /// Name of the animation, and the closest of those that the file has.
    pub message: String,
    /// Line of the key in the session, if the stage is as its file has it.
    pub line: Option<u32>,
}

/// Formats it like `line 7: orc: has no animation "wlak"; closest: walk`.
impl fmt::Display for MissingClip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}: {}", self.name, self.message)
    }
}

/// Reason why members are no stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// A member has bones in space.
    #[error("{0}: is a 3D motion; a stage has characters and atlases")]
    Spatial(String),
    /// There are more elements than ids.
    #[error("the characters have {0} {1} together, expected at most {2}")]
    Many(usize, &'static str, usize),
}

/// What does not depend on places and times.
#[derive(Debug, Default)]
pub(super) struct Cast {
    pub(super) parts: Vec<Part>,
    pub(super) meshes: Vec<StageMesh>,
    pub(super) bones: Vec<StageBone>,
    pub(super) images: Vec<StageImage>,
    pub(super) warnings: Findings,
    pub(super) fingerprint: Fingerprint,
}

/// The content of a member, and where its elements begin.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) subject: Arc<dyn Subject>,
    pub(super) tint: [u8; 3],
    owns_images: bool,
    pub(super) first_mesh: usize,
    /// The bone that holds it; its own follow.
    pub(super) holder: usize,
    first_image: usize,
    /// Added to its draw orders, so that they follow those of the member before.
    pub(super) base_order: f64,
    /// The highest of these.
    top_order: f64,
}

#[derive(Debug)]
pub(super) struct StageMesh {
    pub(super) part: usize,
    /// Its mesh.
    pub(super) id: MeshId,
    pub(super) name: String,
    pub(super) image: ImageId,
    pub(super) vertices: Vec<[u8; VERTEX_SIZE]>,
}

#[derive(Debug)]
pub(super) struct StageBone {
    pub(super) name: String,
    pub(super) parent: i16,
}

#[derive(Debug)]
pub(super) struct StageImage {
    pub(super) part: usize,
    /// Its image.
    pub(super) id: ImageId,
    pub(super) name: String,
}

/// Missing weight that rounding explains.
const WEIGHTLESS: f32 = 1e-6;

impl Part {
    /// Returns an animation by name, else by index.
    pub(super) fn clip(&self, name: &str) -> Result<AnimationId, String> {
        let subject = &*self.subject;
        let named = subject.animation_named(name);
        let index = || {
            let id = AnimationId(name.strip_prefix('#').unwrap_or(name).parse().ok()?);
            subject.animation(id).map(|_| id)
        };
        named.or_else(index).ok_or_else(|| {
            let near = closest(name, subject.animation_names());
            format!("has no animation {name:?}{near}")
        })
    }

    /// Poses its content at a moment.
    pub(super) fn pose(&self, moment: Option<MemberMoment>, pose: &mut Pose) {
        match moment {
            Some((at, Some(mix))) => self.subject.mixed(at, mix, pose),
            Some((at, None)) => self.subject.pose(Some(at), pose),
            None => self.subject.pose(None, pose),
        }
    }

    /// Returns the changes of a view to its meshes.
    pub(super) fn view(&self, view: &ViewOptions) -> ViewOptions {
        let meshes = view.meshes.iter().skip(self.first_mesh).take(self.subject.mesh_count());
        ViewOptions { meshes: meshes.copied().collect(), ..ViewOptions::default() }
    }
}

impl Cast {
    /// Adds a member, whose elements get its name in front.
    pub(super) fn add(
        &mut self,
        member: &Member,
        name: &str,
        subject: Arc<dyn Subject>,
    ) -> Result<(), StageError> {
        if subject.spatial().is_some() {
            return Err(StageError::Spatial(name.to_owned()));
        }
        let named = |own: &str| format!("{name}/{own}");
        let (part, holder, tint) = (self.parts.len(), self.bones.len(), member.tint);
        let owns_images = member.own_images;
        let is_same = |it: &&Part| {
            let is_own = owns_images || it.owns_images;
            Arc::ptr_eq(&it.subject, &subject) && it.tint == tint && !is_own
        };
        let first_image = match self.parts.iter().find(is_same) {
            Some(same) => same.first_image,
            None => {
                let images: &dyn Images = &*subject;
                let first = self.images.len();
                self.images.extend(images.image_ids().filter_map(|id| {
                    Some(StageImage { part, id, name: named(images.image(id)?.name()) })
                }));
                first
            }
        };
        let holder_field = i16::try_from(holder).unwrap_or(i16::MAX);
        self.bones.push(StageBone { name: name.to_owned(), parent: -1 });
        self.bones.extend(subject.bones().map(|bone| {
            let own = bone.parent().and_then(|parent| i16::try_from(parent.0).ok());
            let own = own.map(|own| holder_field.saturating_add(1).saturating_add(own));
            StageBone { name: named(bone.name()), parent: own.unwrap_or(holder_field) }
        }));
        let first_mesh = self.meshes.len();
        let geometry: &dyn Geometry = &*subject;
        let is_stored = subject.bind().is_none_or(|bind| bind.source() == BindSource::Absent);
        let holder_id = u16::try_from(holder).unwrap_or(u16::MAX);
        for id in geometry.mesh_ids() {
            let Some(mesh) = geometry.mesh(id) else { continue };
            let image = mesh.image().index().saturating_add(first_image);
            let held = |vertex: Vertex| held(vertex, holder_id, is_stored).to_record();
            self.meshes.push(StageMesh {
                part,
                id,
                name: named(mesh.name()),
                image: ImageId(u16::try_from(image).unwrap_or(u16::MAX)),
                vertices: mesh.vertices().map(held).collect(),
            });
        }
        let warnings = subject.warnings();
        let of_member = warnings.iter().map(|finding| finding_of(name, finding.clone()));
        self.warnings.extend(warnings.clone().with_kept(of_member.collect()));
        for (count, what, most) in [
            (self.meshes.len(), "meshes", usize::from(u16::MAX)),
            (self.images.len(), "images", usize::from(u16::MAX)),
            (self.bones.len(), "bones", i16::MAX.unsigned_abs().into()),
        ] {
            if count > most {
                return Err(StageError::Many(count, what, most));
            }
        }
        let [lowest, highest] = orders(&*subject);
        let before = self.parts.last().map(|before| before.top_order);
        let base_order = before.map_or(0.0, |before| before + 1.0 - lowest);
        let (name, top_order) = (name.to_owned(), base_order + highest);
        self.parts.push(Part {
            name,
            subject,
            tint,
            owns_images,
            first_mesh,
            holder,
            first_image,
            base_order,
            top_order,
        });
        Ok(())
    }

    pub(super) fn part_of(&self, image: ImageId) -> Option<(&Part, &StageImage)> {
        let image = self.images.get(image.index())?;
        Some((self.parts.get(image.part)?, image))
    }
}

/// Draw orders that are looked at.
const LOOKED_AT: usize = 10_000_000;

/// Returns the lowest and the highest draw order of a subject in any frame, or of all that a file can state if it has too many.
fn orders(subject: &dyn Subject) -> [f64; 2] {
    let frames = |id| usize::from(subject.distinct_frames(id));
    let frames: usize = subject.animation_ids().map(frames).sum();
    if frames.saturating_mul(subject.mesh_count()) > LOOKED_AT {
        return [i16::MIN.into(), i16::MAX.into()];
    }
    let mut order = Vec::new();
    let [mut lowest, mut highest] = [0.0_f64; 2];
    for at in subject.animation_ids().flat_map(|id| subject.moments(id)) {
        order.clear();
        subject.order(at, &mut order);
        for mesh in &order {
            (lowest, highest) = (lowest.min(mesh.z_order), highest.max(mesh.z_order));
        }
    }
    [lowest, highest]
}

/// Returns a vertex with the bones of a stage. The weight that it lacks goes to the holder, and all of it if it is drawn as stored.
fn held(mut vertex: Vertex, holder: u16, is_stored: bool) -> Vertex {
    if is_stored {
        let bone_ids = [holder; 4];
        return Vertex { bone_ids, bone_weights: [1.0, 0.0, 0.0, 0.0], ..vertex };
    }
    let positive = vertex.bone_weights.into_iter().filter(|weight| *weight > 0.0);
    let lacking = 1.0 - positive.sum::<f32>();
    vertex.bone_ids = vertex.bone_ids.map(|id| holder.saturating_add(1).saturating_add(id));
    let mut slots = vertex.bone_weights.iter_mut().zip(&mut vertex.bone_ids);
    let free = slots.find(|(weight, _)| weight.is_nan() || **weight <= 0.0);
    if let Some((weight, bone)) = free.filter(|_| lacking > WEIGHTLESS) {
        (*weight, *bone) = (lacking, holder);
    }
    vertex
}

/// Returns the name of the file of a member that keeps a stage from being opened, from the place of a finding about it.
#[must_use]
pub fn broken_file(finding: &Finding) -> Option<&str> {
    let mut parts = finding.path.splitn(3, ": ");
    let (_, file, _) = (parts.next()?, parts.next()?, parts.next()?);
    file.rsplit('/').next()
}

/// Returns a finding about the file of a member, both of which are named in its place. [`broken_file`] finds the file again.
pub(crate) fn finding_in(name: &str, file: &str, finding: Finding) -> Finding {
    finding_of(name, finding_of(file, finding))
}

/// Returns a finding about a member, which is named in its place.
pub(crate) fn finding_of(name: &str, finding: Finding) -> Finding {
    Finding { path: format!("{name}: {}", finding.path), ..finding }
}

/// Clips of a member over the time of a stage.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// One clip, which loops; or several, one after another.
    parts: Vec<ScheduledClip>,
    start: f64,
    speed: f64,
    fade: f64,
}

#[derive(Clone, Copy, Debug)]
struct ScheduledClip {
    animation: AnimationId,
    timeline: Timeline,
    /// Seconds from the start of the first clip.
    begin: f64,
}

/// A moment of a member, and the cross-fade from it.
pub(super) type MemberMoment = (FrameAt, Option<Mix>);

/// Seconds by which rounding may miss the start of a clip.
const ROUNDING: f64 = 1e-7;

/// Longest time, in seconds, after which all loops begin again together.
const LONGEST_CYCLE: f64 = 60.0;

impl Schedule {
    /// Creates a schedule of clips. `start` is in seconds, as is `fade`; both are of the clips' own time, which passes with `speed`.
    pub(super) fn new(
        clips: impl ExactSizeIterator<Item = (AnimationId, Timeline)>,
        start: f64,
        speed: f64,
        fade: f64,
    ) -> Self {
        let is_one = clips.len() == 1;
        let mut end = 0.0;
        let part = |(animation, timeline): (AnimationId, Timeline)| {
            let begin = end;
            end += timeline.duration();
            let looping = timeline.looping || is_one;
            ScheduledClip {
                animation,
                timeline: Timeline { looping, smooth: true, ..timeline },
                begin,
            }
        };
        Self { parts: clips.map(part).collect(), start, speed, fade }
    }

    /// Returns the highest frame rate of its clips.
    pub(super) fn fps(&self) -> f64 {
        self.parts.iter().map(|part| part.timeline.fps).fold(0.0, f64::max)
    }

    /// Returns the seconds after which it begins again; `None` if it never moves.
    pub(super) fn period(&self) -> Option<f64> {
        (self.speed > 0.0).then(|| self.length() / self.speed)
    }

    /// Returns the seconds of all clips at their own speed.
    fn length(&self) -> f64 {
        self.parts.last().map_or(0.0, |last| last.begin + last.timeline.duration())
    }

    /// Returns its moment at a time of the stage, in seconds; `None` if it has no clip.
    pub(super) fn at(&self, seconds: f64) -> Option<MemberMoment> {
        let seconds = self.start + seconds * self.speed;
        if let [ScheduledClip { animation, timeline, .. }] = self.parts.as_slice() {
            return Some((timeline.at(*animation, seconds), None));
        }
        let length = self.length();
        let wrapped = seconds.rem_euclid(length) + ROUNDING;
        let seconds = if wrapped < length { wrapped } else { 0.0 };
        let index = self.parts.iter().rposition(|part| part.begin <= seconds)?;
        let part = self.parts.get(index)?;
        let local = (seconds - ROUNDING - part.begin).max(0.0);
        let to = part.timeline.at(part.animation, local);
        let before = index.checked_sub(1).and_then(|before| self.parts.get(before));
        let Some(before) = before.filter(|_| local < self.fade - ROUNDING) else {
            return Some((to, None));
        };
        let from = before.timeline.at(before.animation, before.timeline.duration() + local);
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let amount = (local / self.fade) as f32;
        Some((from, Some(Mix { to, amount })))
    }
}

/// An animation of a stage: what each member plays.
#[derive(Clone, Debug)]
pub(super) struct GroupClip {
    pub(super) name: &'static str,
    pub(super) timeline: Timeline,
    pub(super) schedules: Vec<Schedule>,
}

/// Returns the clip of a moment that exists.
pub(super) fn existing(clips: &[GroupClip], at: FrameAt) -> Option<&GroupClip> {
    let clip = clips.get(at.animation.index());
    clip.filter(|clip| at.frame < clip.timeline.frame_count)
}

/// Returns the moment of a member, by index, at a moment of the stage; `None` if it plays nothing.
pub(super) fn moment_of(
    clips: &[GroupClip],
    member: usize,
    at: Option<FrameAt>,
) -> Option<MemberMoment> {
    let GroupClip { timeline, schedules, .. } = existing(clips, at?)?;
    let FrameAt { frame, next, blend, .. } = at?;
    let is_wrapping = next == 0 && frame.saturating_add(1) == timeline.frame_count;
    let next = if is_wrapping { timeline.frame_count } else { next };
    let frame = f64::from(frame);
    let position = frame + f64::from(blend) * (f64::from(next) - frame);
    schedules.get(member)?.at(position / timeline.fps)
}

/// Share of a frame by which loops may miss their start together.
const MISSED: f64 = 0.01;

/// Loops that play together.
pub(crate) struct Loops {
    /// Frames of each.
    periods: Vec<f64>,
    longest: f64,
    /// Frames after which they must begin again, at most.
    most: f64,
}

impl Loops {
    /// Creates loops of such `periods`, in seconds, that play at a frame rate.
    pub(crate) fn new(periods: impl Iterator<Item = f64>, fps: f64) -> Self {
        let periods: Vec<f64> = periods.map(|seconds| (seconds * fps).max(1.0)).collect();
        let longest = periods.iter().copied().fold(1.0, f64::max);
        Self { periods, longest, most: (LONGEST_CYCLE * fps).min(u16::MAX.into()) }
    }

    /// Returns the number of frames after which they begin again together, or that after which the longest does so on a whole frame if
    /// that takes too long.
    pub(crate) fn cycle(&self) -> u16 {
        let together = self.ends().find(|frames| self.miss(*frames) <= MISSED);
        self.frames(together.or(self.ends().next()))
    }

    /// Returns the number of frames after which all are nearest to their beginnings, the smallest of several.
    pub(crate) fn nearest_cycle(&self) -> u16 {
        self.frames(self.ends().min_by(|a, b| self.miss(*a).total_cmp(&self.miss(*b))))
    }

    /// Returns the ends of the longest on whole frames.
    fn ends(&self) -> impl Iterator<Item = f64> {
        let times = std::iter::successors(Some(1.0), |times: &f64| Some(times + 1.0));
        let ends = times.map(|times| times * self.longest);
        ends.take_while(|frames| *frames <= self.most)
            .filter(|frames| (frames - frames.round()).abs() <= MISSED)
    }

    /// Returns the frames by which the worst of them misses its beginning.
    fn miss(&self, frames: f64) -> f64 {
        let missed = self.periods.iter().map(|period| {
            let times = frames / period;
            (times - times.round()).abs() * period
        });
        missed.fold(0.0, f64::max)
    }

    #[expect(clippy::cast_possible_truncation, reason = "casts saturate")]
    fn frames(&self, end: Option<f64>) -> u16 {
        end.unwrap_or(self.longest).round() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: AnimationId = AnimationId(0);
    const WALK: AnimationId = AnimationId(1);

    fn line(frame_count: u16, looping: bool) -> Timeline {
        Timeline { frame_count, fps: 10.0, looping, smooth: false }
    }

    fn schedule(clips: &[(AnimationId, Timeline)], start: f64, speed: f64, fade: f64) -> Schedule {
        Schedule::new(clips.iter().copied(), start, speed, fade)
    }

    /// Animation, frame and blend of a moment, and the weight of what it fades to.
    fn at(schedule: &Schedule, seconds: f64) -> (u16, u16, f32, Option<f32>) {
        let (at, mix) = schedule.at(seconds).unwrap();
        (at.animation.0, at.frame, at.blend, mix.map(|mix| mix.amount))
    }

    #[test]
    fn one_clip_loops_from_its_start_with_its_speed() {
        let clip = schedule(&[(WALK, line(10, false))], 0.3, 2.0, 9.0);
        assert_eq!(clip.period(), Some(0.5));
        assert_eq!(at(&clip, 0.0), (1, 3, 0.0, None));
        assert_eq!(at(&clip, 0.1), (1, 5, 0.0, None));
        let (_, frame, blend, _) = at(&clip, 0.125);
        assert_eq!((frame, (blend * 2.0).round()), (5, 1.0));
        assert_eq!(at(&clip, 0.4).1, 1);
        let held = schedule(&[(WALK, line(10, true))], 0.3, 0.0, 0.0);
        assert_eq!((at(&held, 7.0).1, held.period()), (3, None));
        assert_eq!(schedule(&[], 0.0, 1.0, 0.0).at(1.0), None);
    }

    #[test]
    fn clips_of_a_list_follow_each_other_and_fade() {
        let list = [(IDLE, line(4, true)), (WALK, line(10, false)), (IDLE, line(4, true))];
        let list = schedule(&list, 0.0, 1.0, 0.2);
        assert_eq!(list.period().map(|seconds| (seconds * 10.0).round()), Some(18.0));
        for frame in 0..18_u16 {
            let (to, mix) = list.at(f64::from(frame) / 10.0).unwrap();
            let to = mix.map_or(to, |mix| mix.to);
            let expected = match frame {
                0..4 => (IDLE, frame),
                4..14 => (WALK, frame - 4),
                _ => (IDLE, frame - 14),
            };
            assert_eq!((to.animation, to.frame), expected, "{frame}");
        }
        assert_eq!(at(&list, 0.1).3, None, "the first clip does not fade in");
        let (animation, frame, _, amount) = at(&list, 0.5);
        assert_eq!((animation, frame), (0, 1), "a loop goes on while it fades out");
        assert!((amount.unwrap() - 0.5).abs() < 1e-5);
        assert_eq!((at(&list, 1.5).0, at(&list, 1.5).1), (1, 9), "another clip holds its end");
        assert_eq!(at(&list, 0.6).3, None);
        assert_eq!(at(&list, 1.8), at(&list, 0.0), "the list begins again");
    }

    #[test]
    fn loops_end_together_or_with_the_longest() {
        let cycle = |periods: &[f64], fps| Loops::new(periods.iter().copied(), fps).cycle();
        assert_eq!(cycle(&[1.0, 1.5], 10.0), 30);
        assert_eq!(cycle(&[1.0, 1.5, 2.0], 24.0), 6 * 24);
        assert_eq!(cycle(&[9.7, 10.1], 10.0), 101, "979.7 seconds would be too long");
        assert_eq!(cycle(&[1e9], 10.0), u16::MAX);
        // 37.5 and 31 frames: the longest ends on a whole frame after two times.
        assert_eq!((cycle(&[1.25, 31.0 / 30.0], 30.0), cycle(&[1.25, 2.5], 30.0)), (75, 75));
        assert_eq!(cycle(&[], 10.0), 1);
        // After 8 times of 84 frames, 3 frames of 75 and 4 of 52 are missed; after once, 9 and 20.
        let loops = Loops::new([84.0, 75.0, 28.0, 52.0].into_iter(), 1.0);
        assert_eq!(Loops { most: 1800.0, ..loops }.nearest_cycle(), 672);
    }
}
