//! Motions on a 3D skeleton as a subject: bones that move in space, without meshes.
//!
//! ```text
//! Skeleton + Motions ──Armature──► clips ──pose──► SpatialPose (world map of each bone) ──overlay──► triangles
//! ```
//!
//! Bones are numbered with parents first. A motion without a skeleton has a bone for each track, without parents.
#![deny(clippy::arithmetic_side_effects)]

mod clip;

use std::sync::Arc;

use pchr::document::{
    AnimationId, Bone, BoneId, Image, ImageFault, ImageId, Images, Mesh, MeshId, PchrRule,
};
use pchr::finding::{Finding, Findings};
use pchr::playback::{FrameAt, Mix};
use pchr::pose::Pose;
use pchr::scene::{
    Bounds, Curve, FileFacts, Geometry, KeyRows, Mark, MeshOrder, Spatial, SpatialPose, Subject,
    Sweep, ViewOptions,
};

use self::clip::{ArmatureClip, Poses, affine};
use super::motion::{
    ArmatureRule, Conventions, Dialect, Motion, Skeleton, Track, Transform, Unit, UpAxis, blended,
};

pub use clip::ArmatureMotion;

/// A skeleton and motions of it, ready to be shown.
#[derive(Debug)]
pub struct Armature {
    skeleton: Arc<Skeleton>,
    /// False where bones are the tracks of a motion.
    has_skeleton: bool,
    bones: Vec<ShownBone>,
    clips: Vec<ArmatureClip>,
    format: &'static str,
    bytes: u64,
    warnings: Findings,
}

/// Parts of an armature.
#[derive(Debug)]
pub struct ArmatureParts {
    /// The skeleton; `None` shows the tracks of the motions as bones without parents.
    pub skeleton: Option<Arc<Skeleton>>,
    /// Motions of it.
    pub motions: Vec<ArmatureMotion>,
    /// Name of the format of the file that was opened.
    pub format: &'static str,
    /// Size of that file in bytes.
    pub bytes: u64,
    /// Findings about the files.
    pub warnings: Findings,
}

impl Armature {
    /// Finds the bones that the motions move.
    #[must_use]
    pub fn new(parts: ArmatureParts) -> Self {
        let ArmatureParts { skeleton, motions, format, bytes, mut warnings } = parts;
        let has_skeleton = skeleton.is_some();
        let skeleton = skeleton.unwrap_or_else(|| {
            let first = motions.first();
            let tracks = first.map(|first| Skeleton::of_tracks(&first.motion));
            Arc::new(tracks.unwrap_or_default())
        });
        let of_tracks = !has_skeleton;
        let clips: Vec<ArmatureClip> = { motions.into_iter().enumerate() }
            .map(|(index, motion)| {
                ArmatureClip::new(motion, &skeleton, of_tracks && index == 0, &mut warnings)
            })
            .collect();
        warnings.put_first(ArmatureRule::MotionPart); // each track that moves no bone has a warning, too
        let placed = clips.first().filter(|_| of_tracks);
        let bones = shown_bones(&skeleton, placed.map(|clip| &*clip.motion));
        if bones.len() < skeleton.bones().len() {
            let (count, shown) = (skeleton.bones().len(), bones.len());
            let message = || format!("{count} bones; only {shown} are shown");
            warnings.add(ArmatureRule::ShownLimit, 0, "bones", message);
        }
        if bones.is_empty() {
            let notes = clips.iter().map(|clip| clip.motion.notes.len()).sum();
            let message = || match notes {
                0_usize => "none; nothing to show".into(),
                1 => "none, only a note; nothing to show".into(),
                _ => format!("none, only {notes} notes; nothing to show"),
            };
            warnings.add(ArmatureRule::NoBones, 0, "bones", message);
        }
        let mut armature = Self { skeleton, has_skeleton, bones, clips, format, bytes, warnings };
        armature.check_extent();
        armature
    }

    /// The skeleton.
    #[must_use]
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }
}

impl Images for Armature {
    fn image_count(&self) -> usize {
        0
    }

    fn image(&self, _: ImageId) -> Option<Image<'_>> {
        None
    }

    fn image_finding(&self, _: ImageId, _: ImageFault, message: String) -> Finding {
        Finding::new(PchrRule::ImageDecode, 0, "file", &message) // which is never asked for
    }
}

impl Geometry for Armature {
    fn mesh_count(&self) -> usize {
        0
    }

    fn mesh(&self, _: MeshId) -> Option<Mesh<'_>> {
        None
    }
}

impl Armature {
    fn clip(&self, id: AnimationId) -> Option<&ArmatureClip> {
        self.clips.get(id.index())
    }

    /// Returns the conventions of the skeleton, then those of the motions.
    fn stated(&self) -> impl Iterator<Item = Conventions> {
        let motions = self.clips.iter().map(|clip| clip.motion.conventions);
        std::iter::once(self.skeleton.conventions).chain(motions)
    }

    /// Returns the clips of a cross-fade that has begun and goes to a clip that exists.
    fn faded(&self, at: FrameAt, mix: Mix) -> Option<[&ArmatureClip; 2]> {
        let clips = [self.clip(at.animation)?, self.clip(mix.to.animation)?];
        (mix.amount > 0.0).then_some(clips)
    }

    /// Writes the maps of the bones that were posed to the world.
    fn place(&self, in_place: bool, pose: &mut SpatialPose) {
        let root = pose.root.filter(|_| !in_place);
        let root = root.unwrap_or_default();
        let SpatialPose { worlds, memory, .. } = pose;
        let Poses { posed, .. } = memory.of();
        worlds.clear();
        #[expect(clippy::arithmetic_side_effects, reason = "maps of floating-point numbers")]
        worlds.extend(self.bones.iter().map(|bone| root * posed.matrix(bone.index)));
    }
}

impl Subject for Armature {
    fn bone_count(&self) -> usize {
        self.bones.len()
    }

    fn bone(&self, id: BoneId) -> Option<Bone<'_>> {
        let bone = self.bones.get(id.index())?;
        Some(Bone::new(&bone.name, bone.parent))
    }

    fn mixed(&self, at: FrameAt, mix: Mix, pose: &mut Pose) {
        pose.set_stored(Some(self.faded(at, mix).map_or(at, |_| mix.owner(at))));
    }

    fn can_mix(&self) -> bool {
        true
    }

    fn order(&self, _: Option<FrameAt>, _: &mut Vec<MeshOrder>) {}

    fn animation_count(&self) -> usize {
        self.clips.len().min(u16::MAX.into())
    }

    fn animation(&self, id: AnimationId) -> Option<pchr::scene::Clip<'_>> {
        let clip = self.clip(id)?;
        Some(pchr::scene::Clip { name: &clip.name, timeline: clip.timeline() })
    }

    fn loops(&self, id: AnimationId) -> Option<bool> {
        self.clip(id)?.looping
    }

    fn default_animation(&self) -> Option<AnimationId> {
        (!self.clips.is_empty()).then_some(AnimationId(0))
    }

    fn sweep<'a>(&'a self, _: &'a ViewOptions) -> Box<dyn Sweep + 'a> {
        Box::new(Nothing)
    }

    fn file(&self) -> FileFacts<'_> {
        let rate = self.clips.first().map(|clip| clip.timeline().fps);
        FileFacts { format: self.format, bytes: self.bytes, fps: rate }
    }

    fn warnings(&self) -> &Findings {
        &self.warnings
    }

    fn spatial(&self) -> Option<&dyn Spatial> {
        Some(self)
    }

    fn curves(&self, bone: BoneId, animation: AnimationId) -> Vec<Curve> {
        self.curves_of(bone, animation)
    }

    fn key_rows(&self, animation: AnimationId) -> KeyRows {
        self.rows_of(animation)
    }

    fn marks(&self, animation: AnimationId) -> Vec<Mark> {
        self.notes(animation)
    }
}

/// There are no meshes to measure.
struct Nothing;

impl Sweep for Nothing {
    fn over(&mut self, _: &mut dyn Iterator<Item = Option<FrameAt>>) -> Option<Bounds> {
        None
    }
}

impl Spatial for Armature {
    fn up(&self) -> UpAxis {
        let mut stated = self.stated().map(|it| it.up);
        // Programs that write files without this information use Z up.
        stated.find(|up| *up != UpAxis::Unknown).unwrap_or(UpAxis::Z)
    }

    /// The skeleton's, else that of the first motion.
    fn unit(&self) -> Unit {
        let mut stated = self.stated().map(|it| it.unit);
        stated.find(|unit| *unit != Unit::Scene).unwrap_or(Unit::Scene)
    }

    fn pose(&self, at: Option<FrameAt>, in_place: bool, pose: &mut SpatialPose) {
        let clip = at.and_then(|at| Some((at, self.clip(at.animation)?)));
        match clip {
            Some((at, clip)) => clip.pose(at, &self.skeleton, pose),
            None => {
                let rests = self.skeleton.bones().iter().map(|bone| bone.rest);
                pose.memory.of::<Poses>().posed.set_locals(&self.skeleton, rests);
                pose.root = None;
            }
        }
        self.place(in_place, pose);
    }

    fn mixed(&self, at: FrameAt, mix: Mix, in_place: bool, pose: &mut SpatialPose) {
        let Some([from, to]) = self.faded(at, mix) else {
            return Spatial::pose(self, Some(at), in_place, pose);
        };
        if mix.amount >= 1.0 {
            return Spatial::pose(self, Some(mix.to), in_place, pose);
        }
        let (skeleton, way) = (&self.skeleton, mix.amount.into());
        let to_root = to.transforms(mix.to, skeleton, pose);
        let Poses { posed, faded_to, .. } = pose.memory.of();
        std::mem::swap(posed, faded_to);
        let from_root = from.transforms(at, skeleton, pose);
        let Poses { posed, faded_to, .. } = pose.memory.of();
        posed.blend(skeleton, faded_to, way);
        // A clip without root motion leaves the whole model where it is.
        let roots = from_root.is_some() || to_root.is_some();
        let [from_root, to_root] = [from_root, to_root].map(Option::unwrap_or_default);
        let root = roots.then(|| blended(&from_root, &to_root, way));
        pose.root = root.map(|root| affine(&root));
        self.place(in_place, pose);
    }

    fn transforms(&self, bone: BoneId, pose: &SpatialPose) -> Option<[Transform; 2]> {
        let index = self.bones.get(bone.index())?.index;
        let Poses { posed, .. } = pose.memory.read()?;
        let local = posed.locals.get(index)?;
        Some([*local, posed.world(index, &self.skeleton)?])
    }

    fn has_root_motion(&self, animation: AnimationId) -> bool {
        let clip = self.clip(animation);
        clip.is_some_and(|clip| clip.plan.has_root())
    }

    fn authored_frames(&self, animation: AnimationId) -> u32 {
        let clip = self.clip(animation);
        clip.map_or(0, |clip| clip.motion.frames())
    }

    fn has_skeleton(&self) -> bool {
        self.has_skeleton
    }

    fn numbered_tracks(&self) -> Option<usize> {
        let mut motions = self.clips.iter().map(|clip| &clip.motion);
        // The bones of glTF have names.
        let numbers = |it: &&Arc<Motion>| it.dialect == Dialect::Pxd && it.numbers_bones();
        Some(motions.find(numbers)?.tracks().len())
    }

    fn lacks_skeleton(&self) -> bool {
        let mut clips = self.clips.iter();
        !self.has_skeleton && clips.any(|clip| clip.motion.numbers_bones())
    }

    fn has_place(&self, bone: BoneId) -> bool {
        self.bones.get(bone.index()).is_none_or(|bone| bone.has_place)
    }
}

#[derive(Debug)]
struct ShownBone {
    /// Index in the skeleton.
    index: usize,
    name: String,
    parent: i16,
    /// False for a track without positions.
    has_place: bool,
}

/// Returns the bones of a skeleton by their ids, as many as indices of parents can express. `tracks` is the motion that the skeleton
/// is made of, if there is one.
fn shown_bones(skeleton: &Skeleton, tracks: Option<&Motion>) -> Vec<ShownBone> {
    let has_place = |motion: &Motion, index: usize| {
        let track = motion.tracks().get(index);
        let keys = track.and_then(|track| motion.translation(track));
        let timed = track.and_then(Track::timed);
        motion.sampled().is_some()
            || keys.is_some_and(|keys| !keys.is_empty())
            || timed.is_some_and(|timed| timed.translation.is_some())
    };
    let mut ids = vec![-1_i16; skeleton.bones().len()];
    let mut shown = Vec::with_capacity(ids.len());
    for (id, index) in (0..i16::MAX).zip(skeleton.parents_first()) {
        let index = *index as usize;
        let (Some(bone), Some(place)) = (skeleton.bones().get(index), ids.get_mut(index)) else {
            continue;
        };
        *place = id;
        let parent = bone.parent.and_then(|parent| ids.get(parent as usize));
        shown.push(ShownBone {
            index,
            name: match bone.name.as_bytes() {
                [] => format!("bone {index}"),
                _ => bone.name.text().into_owned(),
            },
            parent: parent.copied().unwrap_or(-1),
            has_place: tracks.is_none_or(|motion| has_place(motion, index)),
        });
    }
    shown
}

/// Units from the origin up to which pictures are exact.
const FARTHEST: f64 = 1e10;
/// Smallest distance of bones, in units, that pictures can show.
const LEAST: f64 = 1e-6;
/// Places that are looked at, about.
const MOST_PLACES: usize = 1 << 20;

impl Armature {
    /// Warns of places beyond those that can be shown.
    fn check_extent(&mut self) {
        let Some([min, max]) = self.extent() else { return };
        let numbers = min.into_iter().chain(max);
        let far = numbers.fold(0.0, |far: f64, number| far.max(number.abs()));
        let sides = max.into_iter().zip(min).map(|(max, min)| max - min);
        let size = sides.fold(0.0, f64::max);
        let message = if !far.is_finite() {
            "a bone's position is not finite; the bone is not shown".to_owned()
        } else if far > FARTHEST {
            format!(
                "bones reach {far:.0e} units from the origin; beyond {FARTHEST:.0e}, pictures may be inexact"
            )
        } else if size > 0.0 && size < LEAST {
            format!(
                "all bones lie within {size:.0e} units, too close to tell apart; expected {LEAST:.0e} or more"
            )
        } else {
            return;
        };
        self.warnings.add(ArmatureRule::Extent, 0, "places", || message);
    }

    /// Least and largest coordinates of the rest pose and of the clips' frames, or of every few of very many; infinite if a place is.
    fn extent(&self) -> Option<[[f64; 3]; 2]> {
        let per_pose = self.bones.len().max(1);
        let most = MOST_PLACES.checked_div(per_pose).unwrap_or(0).max(4);
        let subject: &dyn Subject = self;
        let count = |id: AnimationId| usize::from(subject.frame_count(id));
        let all: usize = subject.animation_ids().map(count).sum();
        let step = all.div_ceil(most).max(1);
        let some = |id: AnimationId| {
            let frames = (0..subject.frame_count(id)).step_by(step);
            frames.map(move |frame| Some(FrameAt::exact(id, frame)))
        };
        let clips = subject.animation_ids().flat_map(some);
        let rest = std::iter::once(None).filter(|_| self.has_skeleton);
        let mut extent: Option<[[f64; 3]; 2]> = None;
        let mut pose = SpatialPose::default();
        for at in rest.chain(clips).take(most) {
            Spatial::pose(self, at, false, &mut pose);
            for (bone, world) in (0..=u16::MAX).map(BoneId).zip(&pose.worlds) {
                let place = world.translation.to_array();
                if !Spatial::has_place(self, bone) {
                    continue;
                }
                if !place.iter().all(|number| number.is_finite()) {
                    return Some([place.map(|_| f64::NEG_INFINITY), place.map(|_| f64::INFINITY)]);
                }
                let [min, max] = extent.get_or_insert([place; 2]);
                for ((min, max), at) in min.iter_mut().zip(max).zip(place) {
                    *min = min.min(at);
                    *max = max.max(at);
                }
            }
        }
        extent
    }
}
