//! Smoothness of clips: the jump from the last frame to the first, and frames on which a bone's speed is out of line with its
//! neighbours.
//!
//! A bone moves as far as the farthest of the drawn vertices that it moves most; in space, as its joint does. Vertices count only
//! while both frames draw their mesh, so a mesh that takes the place of another is no movement.
#![deny(clippy::arithmetic_side_effects)]

use super::{Frame, Subject, ViewOptions};
use crate::document::{AnimationId, BoneId, MeshId, Vertex};
use crate::finding::rules;
use crate::playback::FrameAt;
use crate::pose::transform_point;

rules! {
    /// A note about the smoothness of an animation, in a file of any format.
    SmoothnessRule "MOTION"

    /// An animation that loops goes on from its last frame to its first like from any other to the next.
    Loop = Note "001" "motion-loop",
        example: "animations[2].frames[0][5]: \"walk\": loop jumps: bone \"hand\" by 34.2 px from the last frame to the first, at most 4.1 px before and after; the picture by 12.3 px, usually 2.0 px",
        advice: "Make the last frame the one before the first: add frames between them, or move the last keys. If the animation plays once, export it as such.";
    /// A bone's step to a frame is in line with the steps before and after it.
    Pop = Note "002" "motion-pop",
        example: "animations[2].frames[12][5]: \"walk\": bone \"hand\" jumps by 34.2 px, at most 4.1 px before and after",
        advice: "Look at the frames around it: a key may be missing or in the wrong place, a rotation may go the long way round, or the skin may have changed its bone. A cut that is meant needs no change.";
    /// An animation whose file does not say whether it loops ends where it begins.
    End = Note "003" "motion-end",
        example: "animations[0].frames[0][0]: \"jump\": loop does not close: bone \"hips\" ends 120 cm from where it begins",
        advice: "Nothing, if the animation plays once.";
    /// Of a huge file, the first frames are measured.
    LeftOut = Note "004" "motion-left-out",
        example: "animations[7].frames[2000][0]: \"long\": too large: frame 2000 and later were not measured",
        advice: "Check the animation in a file of its own.";
}

/// Positions that are measured in all clips; the rest of a huge file is left out.
const MOST_PLACES: usize = 1 << 26;
/// Positions of one frame: four frames are kept at a time.
const MOST_OF_A_FRAME: usize = 1 << 22;
/// Steps of bones that are kept of a clip.
const MOST_STEPS: usize = 1 << 22;

/// A step that is this many times as long as those before and after it is out of line. In the corpus no loop has one.
const OUT_OF_LINE: f32 = 4.0;
/// The same for a movement to elsewhere in a clip that plays once: a strike or a recoil takes one frame.
const STRIKE: f32 = 10.0;
/// Least length of such a step, as a part of the extent of the largest frame.
const LEAST: f32 = 0.01;
/// Part of a bone's movement from the first frame up to which its end is near its start.
const NEAR: f32 = 0.25;

/// Smoothness of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipSmoothness {
    /// Usual step of the picture: the median of the mean distances that vertices move from frame to frame.
    pub usual: f32,
    /// Step from the last frame to the first; `None` if nothing is drawn on both, and for clips of one frame.
    pub seam: Option<Seam>,
    /// Frames that are out of line, ascending. Of each frame the bone with the farthest jump.
    pub pops: Vec<Pop>,
    /// First frame that was not measured, if the file is too large. Such a clip has no seam.
    pub left_out: Option<u16>,
}

impl ClipSmoothness {
    /// Returns true if the loop or a frame jumps.
    #[must_use]
    pub fn jumps(&self) -> bool {
        self.loop_jump().is_some() || !self.pops.is_empty()
    }

    /// Returns the worst jump from the last frame to the first, of a clip that is meant to loop.
    #[must_use]
    pub fn loop_jump(&self) -> Option<Jump> {
        let seam = self.seam.as_ref().filter(|seam| seam.end == ClipEnd::Jumps)?;
        seam.bones.first().copied()
    }
}

/// Step from the last frame of a clip to its first.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Verdict.
    pub end: ClipEnd,
    /// Mean distance of the drawn vertices, or of the joints in space.
    pub picture: f32,
    /// Jump of each bone that is drawn, the worst first: those out of line, then by excess over the usual step.
    pub bones: Vec<Jump>,
}

/// Verdict about the end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipEnd {
    /// The step is in line.
    Closes,
    /// The last frame is the first again, exactly, though others differ: a loop shows one picture twice.
    Repeats,
    /// The clip is meant to loop, and jumps.
    Jumps,
    /// The clip ends elsewhere: its file says that it plays once; or it says nothing, and the picture as a whole is out of line or a
    /// bone's end is far from its start.
    Elsewhere,
}

/// Step of a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// The bone.
    pub bone: BoneId,
    /// Its length, in units of the world.
    pub distance: f32,
    /// Length of the longer one of the steps before and after it.
    pub usual: f32,
}

/// A frame on which a bone jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pop {
    /// The frame after the jump, or the one that is out of place.
    pub frame: u16,
    /// Kind of movement.
    pub kind: PopKind,
    /// The farthest jump.
    pub jump: Jump,
    /// Number of other bones that jump on the frame.
    pub others: u16,
    /// True if meshes are shown, hidden or reordered on the frame, too: it may be a cut.
    pub swaps: bool,
}

/// Kind of a pop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PopKind {
    /// The bone goes elsewhere in one step.
    Jump,
    /// The bone goes elsewhere for one frame, and back.
    Flick,
}

/// Measures the clips of a subject.
#[derive(Clone, Copy, Debug)]
pub struct SmoothnessJob<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
}

impl SmoothnessJob<'_> {
    /// Returns the smoothness of each clip: index = animation index. Subjects without bones, such as atlases, have none.
    #[must_use]
    pub fn run(&self) -> Vec<ClipSmoothness> {
        if self.subject.bone_count() == 0 {
            return Vec::new();
        }
        let mut places = Places::new(self.subject);
        let mut left = MOST_PLACES;
        let clips = self.subject.animation_ids();
        clips.map(|clip| Track::new(self.subject, clip, &mut places, &mut left).judge()).collect()
    }
}

/// Positions of a subject on one frame.
struct Places {
    frame: Frame,
    view: ViewOptions,
    /// Bone of each position; `None` for positions that no bone has.
    bones: Vec<Option<BoneId>>,
    /// Vertices of each mesh; empty for a subject without meshes.
    meshes: Vec<(MeshId, usize)>,
    /// In 2D z is 0. Positions of hidden meshes are not finite.
    at: Vec<[f32; 3]>,
    flat: Vec<[f32; 2]>,
}

impl Places {
    fn new(subject: &dyn Subject) -> Self {
        let geometry: &dyn super::Geometry = subject;
        let has_meshes = subject.spatial().is_none() && subject.mesh_count() > 0;
        let mut meshes = Vec::new();
        let mut bones = Vec::new();
        if has_meshes {
            for (id, mesh) in geometry.mesh_ids().zip(geometry.meshes()) {
                meshes.push((id, mesh.vertex_count()));
                let owner = subject.owner(id);
                bones.extend(mesh.vertices().map(|vertex| mover(&vertex).or(owner)));
            }
        } else {
            let spatial = subject.spatial();
            let ids = (0..=u16::MAX).map(BoneId).take(subject.bone_count());
            let has_place = |bone: &BoneId| spatial.is_none_or(|it| it.has_place(*bone));
            bones.extend(ids.map(|bone| Some(bone).filter(has_place)));
        }
        Self {
            frame: Frame::default(),
            view: ViewOptions { in_place: true, ..ViewOptions::default() },
            bones,
            meshes,
            at: Vec::new(),
            flat: Vec::new(),
        }
    }

    fn pose(&mut self, subject: &dyn Subject, at: FrameAt) {
        self.frame.fill(subject, Some(at), &self.view);
        self.at.clear();
        if self.meshes.is_empty() {
            #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough here")]
            let joint = |world: &glam::DAffine3| world.translation.to_array().map(|c| c as f32);
            self.at.extend(self.frame.spatial().worlds.iter().map(joint));
            let flat = self.frame.pose().world_from_bone().iter();
            let flat = flat.map(|world| transform_point(world, [0.0; 2]));
            self.at.extend(flat.map(|[x, y]| [x, y, 0.0]));
        }
        for (id, count) in &self.meshes {
            let is_shown = self.frame.shown(*id).is_some_and(|order| order.visible);
            match subject.mesh(*id).filter(|_| is_shown) {
                Some(mesh) => {
                    self.flat.clear();
                    self.frame.pose().place(&mesh, &mut self.flat);
                    self.at.extend(self.flat.iter().map(|[x, y]| [*x, *y, 0.0]));
                }
                None => self.at.extend(std::iter::repeat_n([f32::NAN; 3], *count)),
            }
        }
        self.at.resize(self.bones.len(), [f32::NAN; 3]);
    }
}

/// Returns the bone with the largest weight.
fn mover(vertex: &Vertex) -> Option<BoneId> {
    let weights = vertex.bone_weights.into_iter().zip(vertex.bone_ids);
    let moving = weights.filter(|(weight, _)| *weight > 0.0);
    moving.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, bone)| BoneId(bone))
}

/// Movement between two frames.
#[derive(Clone, Debug, Default)]
struct FrameStep {
    /// Distance of each bone; NaN if none of it is drawn on both frames.
    bones: Vec<f32>,
    /// Mean distance of all positions; NaN if there are none.
    picture: f32,
}

impl FrameStep {
    fn new(bones: usize, of: &[Option<BoneId>], from: &[[f32; 3]], to: &[[f32; 3]]) -> Self {
        let mut step = Self { bones: vec![f32::NAN; bones], picture: f32::NAN };
        let (mut sum, mut count) = (0.0_f64, 0.0_f64);
        for ((from, to), bone) in from.iter().zip(to).zip(of) {
            let squares = from.iter().zip(to).map(|(from, to)| (to - from) * (to - from));
            let distance = squares.sum::<f32>().sqrt();
            let place = bone.and_then(|bone| step.bones.get_mut(bone.index()));
            if let Some(most) = place.filter(|_| distance.is_finite()) {
                *most = most.max(distance); // that of a number and NaN is the number
                sum += f64::from(distance);
                count += 1.0;
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
        let mean = (sum / count) as f32;
        Self { picture: mean, ..step }
    }

    fn of(&self, bone: usize) -> f32 {
        self.bones.get(bone).copied().unwrap_or(f32::NAN)
    }
}

/// Movement over a clip.
struct Track {
    /// Number of measured frames, and of all.
    frames: [u16; 2],
    /// True if the clip loops, as its file says; `None` if that says nothing.
    loops: Option<bool>,
    /// Step to each frame but the first from the one before.
    steps: Vec<FrameStep>,
    /// Step to each frame but the first two from the second before it.
    leaps: Vec<FrameStep>,
    /// True for each frame but the first if meshes are shown, hidden or reordered there.
    swaps: Vec<bool>,
    seam: Option<FrameStep>,
    /// True if the last frame draws the same as the first.
    repeats: bool,
    /// Farthest distance of each bone from its place on the first frame.
    ranges: Vec<f32>,
    /// Diagonal of all positions on the frame where it is longest.
    extent: f32,
}

impl Track {
    fn new(
        subject: &dyn Subject,
        clip: AnimationId,
        places: &mut Places,
        left: &mut usize,
    ) -> Self {
        let bones = subject.bone_count();
        let count = subject.frame_count(clip);
        let of_a_frame = places.bones.len();
        let room = if of_a_frame > MOST_OF_A_FRAME { 0 } else { *left };
        let most = room.checked_div(of_a_frame).unwrap_or(0);
        let most = most.min(MOST_STEPS.checked_div(bones).unwrap_or(0));
        let frames = u16::try_from(most).unwrap_or(u16::MAX).min(count);
        *left = left.saturating_sub(of_a_frame.saturating_mul(frames.into()));
        let mut track = Self {
            frames: [frames, count],
            loops: subject.loops(clip),
            steps: Vec::new(),
            leaps: Vec::new(),
            swaps: Vec::new(),
            seam: None,
            repeats: false,
            ranges: vec![0.0; bones],
            extent: 0.0,
        };
        let [mut first, mut before, mut last] = [const { Vec::new() }; 3];
        let mut revision = 0;
        let mut start = Frame::default();
        for frame in 0..frames {
            places.pose(subject, FrameAt::exact(clip, frame));
            track.extent = track.extent.max(extent(&places.at));
            let step = |from: &[[f32; 3]]| FrameStep::new(bones, &places.bones, from, &places.at);
            if frame == 0 {
                first.clone_from(&places.at);
                start.clone_from(&places.frame);
            } else {
                track.steps.push(step(&last));
                track.swaps.push(places.frame.list().revision() != revision);
                for (range, now) in track.ranges.iter_mut().zip(step(&first).bones) {
                    *range = range.max(now);
                }
            }
            if frame > 1 {
                track.leaps.push(step(&before));
            }
            revision = places.frame.list().revision();
            std::mem::swap(&mut before, &mut last);
            last.clone_from(&places.at);
        }
        if frames == count && frames > 1 {
            track.seam = Some(FrameStep::new(bones, &places.bones, &last, &first));
            track.repeats = is_same_picture(&places.frame, &start);
        }
        track
    }

    fn judge(&self) -> ClipSmoothness {
        let [measured, all] = self.frames;
        let mut pictures: Vec<f32> = self.steps.iter().map(|step| step.picture).collect();
        pictures.retain(|picture| picture.is_finite());
        pictures.sort_by(f32::total_cmp);
        let usual = pictures.get(pictures.len() / 2).copied().unwrap_or(0.0);
        ClipSmoothness {
            usual,
            seam: self.seam.as_ref().and_then(|seam| self.judge_seam(seam, usual)),
            pops: (1..measured).filter_map(|frame| self.pop(frame)).collect(),
            left_out: (measured < all).then_some(measured),
        }
    }

    /// Returns the verdict about the step from the last frame to the first.
    fn judge_seam(&self, seam: &FrameStep, usual: f32) -> Option<Seam> {
        let [before, after] = [self.steps.last()?, self.steps.first()?];
        let jump = |(bone, distance): (u16, &f32)| {
            let index = usize::from(bone);
            let usual = before.of(index).max(after.of(index));
            Jump { bone: BoneId(bone), distance: *distance, usual }
        };
        let all = (0..=u16::MAX).zip(&seam.bones).map(jump);
        let mut bones: Vec<Jump> = all.filter(|jump| jump.distance.is_finite()).collect();
        let is_out = |jump: &Jump| self.is_out_of_line(jump, OUT_OF_LINE);
        bones.sort_by(|a, b| is_out(b).cmp(&is_out(a)).then(b.excess().total_cmp(&a.excess())));
        let is_near = |jump: &Jump| {
            let range = self.ranges.get(jump.bone.index());
            range.is_some_and(|range| jump.distance <= range * NEAR)
        };
        let picture_closes = seam.picture <= usual * OUT_OF_LINE;
        let is_nearly = picture_closes && bones.iter().all(|jump| !is_out(jump) || is_near(jump));
        let end = match self.loops.unwrap_or(is_nearly) {
            _ if self.repeats && usual > 0.0 => ClipEnd::Repeats,
            _ if !bones.iter().any(is_out) => ClipEnd::Closes,
            true => ClipEnd::Jumps,
            false => ClipEnd::Elsewhere,
        };
        (!bones.is_empty()).then_some(Seam { end, picture: seam.picture, bones })
    }

    /// Returns the jump to a frame, if there is one.
    fn pop(&self, frame: u16) -> Option<Pop> {
        let to = usize::from(frame);
        let now = self.step(to)?;
        let times = if self.loops == Some(true) { OUT_OF_LINE } else { STRIKE };
        let found = (0..=u16::MAX).zip(&now.bones).filter_map(|(bone, distance)| {
            let index = usize::from(bone);
            let around = |to: usize| self.step(to).map_or(f32::NAN, |step| step.of(index));
            let bone = BoneId(bone);
            let [before, after] = [around(to.checked_sub(1)?), around(to.saturating_add(1))];
            if before.is_nan() || after.is_nan() {
                return None;
            }
            let jump = Jump { bone, distance: *distance, usual: before.max(after) };
            if self.is_out_of_line(&jump, times) {
                return Some((PopKind::Jump, jump));
            }
            // From the frame before to the one after this, and the steps around those.
            let net = self.leaps.get(to.checked_sub(1)?)?.of(index);
            let usual = net.max(before).max(around(to.saturating_add(2)));
            let jump = Jump { bone, distance: distance.min(after), usual };
            self.is_out_of_line(&jump, OUT_OF_LINE).then_some((PopKind::Flick, jump))
        });
        let mut found: Vec<(PopKind, Jump)> = found.collect();
        found.sort_by(|(_, a), (_, b)| b.excess().total_cmp(&a.excess()));
        let (kind, jump) = *found.first()?;
        Some(Pop {
            frame,
            kind,
            jump,
            others: u16::try_from(found.len()).unwrap_or(u16::MAX).saturating_sub(1),
            swaps: self.swaps.get(to.checked_sub(1)?).is_some_and(|swaps| *swaps),
        })
    }

    /// Returns the step to a frame. Beyond the ends of a clip that may loop there is the step from the last frame to the first.
    fn step(&self, to: usize) -> Option<&FrameStep> {
        match to.checked_sub(1) {
            Some(at) if at < self.steps.len() => self.steps.get(at),
            Some(at) if at > self.steps.len() => self.step(to.checked_sub(self.frames[0].into())?),
            _ => self.seam.as_ref().filter(|_| self.loops != Some(false)),
        }
    }

    fn is_out_of_line(&self, jump: &Jump, times: f32) -> bool {
        jump.distance > self.extent * LEAST && jump.distance > jump.usual * times
    }
}

impl Jump {
    /// Returns the part of its length that is more than the usual.
    fn excess(&self) -> f32 {
        if self.usual.is_finite() { self.distance - self.usual } else { self.distance }
    }
}

/// Returns true if two frames of a subject draw exactly the same.
fn is_same_picture(a: &Frame, b: &Frame) -> bool {
    let is_posed_alike = a.pose().world_from_bone() == b.pose().world_from_bone();
    is_posed_alike && a.spatial().worlds == b.spatial().worlds && a.draws() == b.draws()
}

/// Returns the diagonal of the box of all positions.
fn extent(places: &[[f32; 3]]) -> f32 {
    let finite = places.iter().filter(|place| place.iter().all(|c| c.is_finite()));
    let start = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let (low, high) = finite.fold(start, |(mut low, mut high), place| {
        for ((low, high), c) in low.iter_mut().zip(&mut high).zip(place) {
            (*low, *high) = (low.min(*c), high.max(*c));
        }
        (low, high)
    });
    let squares = low.iter().zip(high).map(|(low, high)| (high - low) * (high - low));
    let diagonal = squares.sum::<f32>().sqrt();
    if diagonal.is_finite() { diagonal } else { 0.0 }
}

#[cfg(test)]
mod tests {
    //! Which steps are out of line, and which are not.

    use super::*;
    use crate::character::Character;
    use crate::document::BoneTransform;
    use crate::fixture::{Builder, WHITE, at, hidden};
    use crate::pose::BindChoice;

    /// A character whose bone `hand`, with a square of 100 pixels, moves along X; `None` hides it. A second square stands still.
    fn rig(looping: bool, places: &[Option<f32>]) -> Character {
        let place = |x: &Option<f32>| x.map_or_else(hidden, |x| at(x, 0.0));
        let frames: Vec<Vec<BoneTransform>> =
            places.iter().map(|x| vec![at(0.0, 0.0), place(x), at(0.0, 0.0)]).collect();
        let rig = Builder::new().image(1, &[WHITE]).bone("root", None);
        let rig = rig.bone("hand", Some(0)).bone("still", Some(0));
        let rig = rig.quad("a", 0, 1, [0.0, 0.0], [100.0, 100.0]);
        let rig = rig.quad("b", 0, 2, [0.0, 0.0], [100.0, 100.0]);
        Character::new(rig.animation("walk", looping, &frames).document(), BindChoice::Auto)
    }

    fn of(looping: bool, places: &[Option<f32>]) -> ClipSmoothness {
        let rig = rig(looping, places);
        let mut clips = SmoothnessJob { subject: &rig }.run();
        assert_eq!(clips.len(), 1);
        clips.remove(0)
    }

    fn shown(places: &[f32]) -> Vec<Option<f32>> {
        places.iter().copied().map(Some).collect()
    }

    const HAND: BoneId = BoneId(1);

    #[test]
    fn a_loop_that_goes_on_closes_and_one_that_leaps_jumps() {
        let round = of(true, &shown(&[0.0, 4.0, 8.0, 4.0]));
        let seam = round.seam.as_ref().unwrap();
        assert_eq!((seam.end, seam.bones[0].distance), (ClipEnd::Closes, 4.0));
        assert_eq!((round.loop_jump(), round.pops.len()), (None, 0));
        let leap = of(true, &shown(&[0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]));
        let jump = Jump { bone: HAND, distance: 28.0, usual: 4.0 };
        assert_eq!(leap.loop_jump(), Some(jump));
        let seam = leap.seam.unwrap();
        assert_eq!((seam.picture, leap.usual), (14.0, 2.0), "half of the vertices move");
        assert!(leap.pops.is_empty(), "the loop is told once");
    }

    #[test]
    fn an_animation_that_plays_once_ends_elsewhere_and_is_no_fault() {
        let attack = of(false, &shown(&[0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]));
        assert_eq!(attack.seam.as_ref().unwrap().end, ClipEnd::Elsewhere);
        assert_eq!((attack.loop_jump(), attack.pops.len()), (None, 0));
    }

    #[test]
    fn a_loop_that_ends_with_its_first_picture_repeats_it_unless_nothing_moves() {
        let end = |looping, places: &[f32]| of(looping, &shown(places)).seam.unwrap().end;
        assert_eq!(end(true, &[0.0, 4.0, 8.0, 4.0, 0.0]), ClipEnd::Repeats);
        assert_eq!(end(false, &[0.0, 4.0, 8.0, 4.0, 0.0]), ClipEnd::Repeats);
        assert_eq!(end(true, &[0.0, 4.0, 8.0, 4.0, 0.001]), ClipEnd::Closes);
        assert_eq!(end(true, &[0.0; 4]), ClipEnd::Closes);
        let hides = [Some(0.0), Some(4.0), Some(0.0), None];
        assert_eq!(of(true, &hides).seam.unwrap().end, ClipEnd::Closes, "another picture");
    }

    #[test]
    fn without_a_word_of_the_file_only_an_end_near_the_start_is_a_fault() {
        let end = |places: &[f32]| {
            let rig = rig(true, &shown(places));
            let mut left = MOST_PLACES;
            let mut track = Track::new(&rig, AnimationId(0), &mut Places::new(&rig), &mut left);
            track.loops = None;
            track.judge().seam.unwrap().end
        };
        let near = [0.0, 2.0, 22.0, 42.0, 62.0, 80.0, 60.0, 40.0, 22.0, 20.0];
        assert_eq!(end(&near), ClipEnd::Jumps);
        assert_eq!(end(&near.map(|x| if x == 20.0 { 24.0 } else { x })), ClipEnd::Elsewhere);
        assert_eq!(end(&[0.0, 4.0, 8.0, 4.0]), ClipEnd::Closes);
    }

    #[test]
    fn of_a_file_that_is_too_large_the_beginning_is_measured() {
        let rig = rig(true, &shown(&[0.0, 4.0, 8.0, 4.0]));
        let mut left = 17; // two frames of 8 vertices
        let track = Track::new(&rig, AnimationId(0), &mut Places::new(&rig), &mut left);
        let clip = track.judge();
        assert_eq!((clip.left_out, clip.seam, left), (Some(2), None, 1));
    }

    #[test]
    fn a_step_out_of_line_is_a_jump_and_one_there_and_back_a_flick() {
        let jump = of(true, &shown(&[0.0, 2.0, 4.0, 34.0, 36.0, 38.0, 19.0]));
        let [pop] = jump.pops.as_slice() else { panic!("{:?}", jump.pops) };
        assert_eq!((pop.frame, pop.kind, pop.others, pop.swaps), (3, PopKind::Jump, 0, false));
        assert_eq!(pop.jump, Jump { bone: HAND, distance: 30.0, usual: 2.0 });
        let flick = of(true, &shown(&[0.0, 2.0, 4.0, 50.0, 8.0, 10.0, 8.0, 6.0]));
        let [pop] = flick.pops.as_slice() else { panic!("{:?}", flick.pops) };
        assert_eq!((pop.frame, pop.kind, pop.jump.distance), (3, PopKind::Flick, 42.0));
        let fast = of(true, &shown(&[0.0, 2.0, 12.0, 40.0, 52.0, 54.0, 40.0, 12.0, 2.0]));
        assert_eq!(fast.pops, [], "a fast movement has a start and an end");
    }

    #[test]
    fn meshes_that_come_and_go_do_not_move() {
        let mut places = shown(&[0.0, 2.0, 4.0, 34.0, 36.0, 38.0, 19.0]);
        places[2] = None;
        let swapped = of(true, &places);
        assert_eq!(swapped.pops, []);
        assert_eq!(of(true, &[None; 4]).seam.unwrap().bones.len(), 1, "the other square");
    }

    #[test]
    fn still_short_and_broken_clips_have_nothing_out_of_line() {
        for places in
            [&[5.0; 4][..], &[5.0], &[5.0, 90.0], &[f32::NAN; 4], &[f32::MAX, f32::MIN, 0.0]]
        {
            let clip = of(true, &shown(places));
            let wanted = (None, vec![], None);
            assert_eq!((clip.loop_jump(), clip.pops, clip.left_out), wanted, "{places:?}");
        }
        assert_eq!(of(true, &shown(&[5.0])).seam, None);
    }
}
