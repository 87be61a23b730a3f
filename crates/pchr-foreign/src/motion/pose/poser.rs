//! Poses of a skeleton by a motion.
#![expect(clippy::arithmetic_side_effects, reason = "vectors of floating-point numbers")]

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::Binding;
use super::binding::{AdditiveRotation, ValueMeaning, Values};
use super::curve::{Curve, Moment, PlanMoment, lerp, slerp};
use crate::acl;
use crate::motion::{
    AnimationType, Bone, Key, Keys, Motion, ParentScale, RootMotion, Sampled, Skeleton, Track,
    Transform,
};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct World {
    /// Rotation of the chain, without scales; of length 1.
    rotation: DQuat,
    /// Scales of the chain, number by number.
    scale: DVec3,
    /// The map from the bone's axes to the world.
    pub(super) matrix: DAffine3,
}

impl World {
    const IDENTITY: Self =
        Self { rotation: DQuat::IDENTITY, scale: DVec3::ONE, matrix: DAffine3::IDENTITY };

    fn below(&self, local: &Transform, parent_scale: ParentScale) -> Self {
        let own = unit(local.rotation);
        let rotation = unit((self.rotation * own).to_array());
        let (translation, own_scale) = (local.translation.into(), DVec3::from(local.scale));
        let scale = self.scale * own_scale;
        let matrix = match parent_scale {
            ParentScale::Inherited => {
                self.matrix * DAffine3::from_scale_rotation_translation(own_scale, own, translation)
            }
            ParentScale::Separate => {
                let place = self.matrix.translation + self.rotation * translation;
                DAffine3::from_scale_rotation_translation(scale, rotation, place)
            }
        };
        Self { rotation, scale, matrix }
    }

    /// Returns translation, rotation and scale. If scales of a chain shear a bone, the scale is how far its axes reach along
    /// themselves.
    pub(super) fn transform(&self, parent_scale: ParentScale) -> Transform {
        Transform {
            translation: self.matrix.translation.into(),
            rotation: self.rotation.into(),
            scale: match parent_scale {
                ParentScale::Inherited => scale_along(self.rotation, self.matrix).into(),
                ParentScale::Separate => self.scale.into(),
            },
        }
    }

    /// Returns the map from the bind pose to this pose, and its parts.
    fn skinning(&self, bind: &Self) -> (DAffine3, Transform) {
        let matrix = self.matrix * bind.matrix.inverse();
        let rotation = self.rotation * bind.rotation.inverse();
        let parts = Transform {
            translation: matrix.translation.into(),
            rotation: rotation.into(),
            scale: scale_along(rotation, matrix).into(),
        };
        (matrix, parts)
    }
}

/// Normalises a rotation. One without length, or with NaN, becomes the identity.
pub(super) fn unit(rotation: [f64; 4]) -> DQuat {
    let rotation = DQuat::from_array(rotation);
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation * length.recip() } else { DQuat::IDENTITY }
}

fn scale_along(rotation: DQuat, matrix: DAffine3) -> DVec3 {
    let axes = DMat3::from_quat(rotation).transpose() * matrix.matrix3;
    DVec3::new(axes.x_axis.x, axes.y_axis.y, axes.z_axis.z)
}

/// Movers of each bone of a skeleton. Made for a motion and a skeleton, which its methods take again.
#[derive(Debug)]
pub(crate) struct PosePlan {
    bones: Vec<MovedBone>,
    root: By,
}

/// A pose, and the memory that it was made in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Posed {
    pub(super) samples: Vec<acl::Transform>,
    /// The local transform of each bone, in its parent's space.
    pub(crate) locals: Vec<Transform>,
    pub(super) worlds: Vec<World>,
}

/// Blends two transforms, along the shorter arc for rotations.
pub(crate) fn blended(from: &Transform, to: &Transform, way: f64) -> Transform {
    Transform {
        translation: lerp(from.translation, to.translation, way),
        rotation: slerp(from.rotation, to.rotation, way),
        scale: lerp(from.scale, to.scale, way),
    }
}

impl Posed {
    /// Returns the map of a bone from its axes to the world.
    pub(crate) fn matrix(&self, bone: usize) -> DAffine3 {
        let world = self.worlds.get(bone);
        world.map_or(DAffine3::IDENTITY, |world| world.matrix)
    }

    pub(crate) fn world(&self, bone: usize, skeleton: &Skeleton) -> Option<Transform> {
        let world = self.worlds.get(bone)?;
        Some(world.transform(skeleton.conventions.parent_scale))
    }

    /// Poses a skeleton by local transforms.
    pub(crate) fn set_locals(
        &mut self,
        skeleton: &Skeleton,
        locals: impl Iterator<Item = Transform>,
    ) {
        self.locals.clear();
        self.locals.extend(locals);
        self.walk(skeleton);
    }

    /// Moves the local transforms towards those of another pose, on the shorter way for rotations.
    pub(crate) fn blend(&mut self, skeleton: &Skeleton, other: &Self, way: f64) {
        for (local, other) in self.locals.iter_mut().zip(&other.locals) {
            *local = blended(local, other, way);
        }
        self.walk(skeleton);
    }

    /// Makes the world transforms of the local ones.
    fn walk(&mut self, skeleton: &Skeleton) {
        let Self { locals, worlds, .. } = self;
        let parent_scale = skeleton.conventions.parent_scale;
        skeleton.walk(World::IDENTITY, worlds, |index, _, parent| {
            parent.below(&locals.get(index).copied().unwrap_or_default(), parent_scale)
        });
    }
}

/// A bone and what moves it.
#[derive(Debug)]
struct MovedBone {
    meaning: ValueMeaning,
    by: By,
}

impl MovedBone {
    /// Returns the local transform at a moment, whose samples were taken.
    fn local(
        &self,
        bone: &Bone,
        motion: &Motion,
        at: PlanMoment,
        samples: &[acl::Transform],
    ) -> Transform {
        let values = match &self.by {
            By::Nothing => return bone.rest,
            By::Keys(curves) => curves.at(motion, at),
            By::Samples(track) => samples.get(*track).map(values_of).unwrap_or_default(),
        };
        self.meaning.over(&bone.rest, values)
    }
}

#[derive(Debug)]
enum By {
    Nothing,
    Keys(Box<TrackCurves>),
    /// Track of the samples.
    Samples(usize),
}

#[derive(Debug)]
struct TrackCurves {
    /// Index of the track; `None` for that of root motion.
    track: Option<usize>,
    /// Sorted keys of the channels that the motion has in another order.
    translation: Option<Vec<Key<3>>>,
    rotation: Option<Vec<Key<4>>>,
    scale: Option<Vec<Key<3>>>,
}

/// Returns the track of an index, or that of root motion.
fn track_of(motion: &Motion, index: Option<usize>) -> Option<&Track> {
    match index {
        Some(index) => motion.tracks().get(index),
        None => motion.root()?.keys(),
    }
}

fn sorted<const N: usize>(keys: Option<Keys<'_, N>>) -> Option<Vec<Key<N>>> {
    keys.filter(|keys| !keys.is_sorted()).map(|keys| keys.sorted())
}

/// Returns the curve of keys, which may be sorted; `None` without keys.
fn curve<'a, const N: usize>(
    sorted: &'a Option<Vec<Key<N>>>,
    keys: Option<Keys<'a, N>>,
) -> Option<Curve<'a, N>> {
    let keys = keys.filter(|keys| !keys.is_empty())?;
    Some(sorted.as_deref().map_or(Curve::Packed(keys), Curve::Sorted))
}

impl TrackCurves {
    fn new(motion: &Motion, track: Option<usize>) -> Box<Self> {
        let keys = track_of(motion, track);
        Box::new(Self {
            track,
            translation: sorted(keys.and_then(|track| motion.translation(track))),
            rotation: sorted(keys.and_then(|track| motion.rotation(track))),
            scale: sorted(keys.and_then(|track| motion.scale(track))),
        })
    }

    fn at(&self, motion: &Motion, at: PlanMoment) -> Values {
        let Some(track) = track_of(motion, self.track) else { return Values::default() };
        if let Some(timed) = track.timed() {
            return Values {
                translation: timed.translation.as_ref().map(|keys| keys.at(at.time)),
                rotation: timed.rotation.as_ref().map(|keys| keys.at(at.time)),
                scale: timed.scale.as_ref().map(|keys| keys.at(at.time)),
            };
        }
        let frame = at.frame;
        let vector = |curve: Option<Curve<'_, 3>>| curve.and_then(|it| it.vector(frame));
        let rotation = curve(&self.rotation, motion.rotation(track));
        Values {
            translation: vector(curve(&self.translation, motion.translation(track))),
            rotation: rotation.and_then(|curve| curve.rotation(frame, motion.dialect)),
            scale: vector(curve(&self.scale, motion.scale(track))),
        }
    }
}

impl PosePlan {
    /// Finds what moves each bone.
    pub(crate) fn new(
        motion: &Motion,
        skeleton: &Skeleton,
        binding: &Binding,
        additive: AdditiveRotation,
    ) -> Self {
        let kinds = kinds(motion, skeleton, binding);
        let mut bones: Vec<MovedBone> = kinds
            .into_iter()
            .map(|kind| MovedBone {
                meaning: ValueMeaning::of(motion, kind, additive),
                by: By::Nothing,
            })
            .collect();
        for index in 0..motion.tracks().len() {
            let bone = binding.bone(index);
            let bone = bone.and_then(|(bone, _)| bones.get_mut(bone as usize));
            if let Some(bone) = bone {
                if motion.tracks().get(index).and_then(Track::timed).is_some() {
                    bone.meaning = ValueMeaning::LOCAL;
                }
                bone.by = match motion.sampled() {
                    Some(_) => By::Samples(index),
                    None => By::Keys(TrackCurves::new(motion, Some(index))),
                };
            }
        }
        let root = match motion.root() {
            Some(RootMotion::Sampled(_)) => By::Samples(0),
            Some(RootMotion::Keys(_)) => By::Keys(TrackCurves::new(motion, None)),
            None if binding.root(motion).is_some() => By::Keys(TrackCurves::new(motion, Some(0))),
            None => By::Nothing,
        };
        Self { bones, root }
    }

    pub(crate) fn pose(
        &self,
        motion: &Motion,
        skeleton: &Skeleton,
        at: PlanMoment,
        posed: &mut Posed,
    ) {
        if let Some(sampled) = motion.sampled() {
            sample(sampled, at.moment, &mut posed.samples);
        }
        let samples = &posed.samples;
        let bones = skeleton.bones().iter().zip(&self.bones);
        posed.locals.clear();
        posed.locals.extend(bones.map(|(bone, moved)| moved.local(bone, motion, at, samples)));
        posed.walk(skeleton);
    }

    /// Returns the movement of the whole model at a moment; `None` if the motion has none in addition to that of its bones.
    pub(crate) fn root(
        &self,
        motion: &Motion,
        at: PlanMoment,
        posed: &mut Posed,
    ) -> Option<Transform> {
        let values = match &self.root {
            By::Nothing => return None,
            By::Keys(curves) => curves.at(motion, at),
            By::Samples(_) => {
                sample(motion.root()?.sampled()?, at.moment, &mut posed.samples);
                posed.samples.first().map(values_of).unwrap_or_default()
            }
        };
        Some(ValueMeaning::LOCAL.over(&Transform::IDENTITY, values))
    }

    pub(crate) fn local(
        &self,
        motion: &Motion,
        skeleton: &Skeleton,
        bone: usize,
        at: PlanMoment,
        posed: &mut Posed,
    ) -> Option<Transform> {
        let (bone, moved) = (skeleton.bones().get(bone)?, self.bones.get(bone)?);
        if let By::Samples(_) = moved.by {
            sample(motion.sampled()?, at.moment, &mut posed.samples);
        }
        Some(moved.local(bone, motion, at, &posed.samples))
    }

    /// Returns the track whose keys move a bone; `None` if none does, or it is sampled.
    pub(crate) fn track<'a>(&self, motion: &'a Motion, bone: usize) -> Option<&'a Track> {
        match &self.bones.get(bone)?.by {
            By::Keys(curves) => track_of(motion, curves.track),
            By::Nothing | By::Samples(_) => None,
        }
    }

    /// Returns true if the motion is sampled for a bone, on every frame.
    pub(crate) fn is_sampled(&self, bone: usize) -> bool {
        let bone = self.bones.get(bone);
        bone.is_some_and(|bone| matches!(bone.by, By::Samples(_)))
    }

    /// Returns true if the motion moves the whole model.
    pub(crate) fn has_root(&self) -> bool {
        !matches!(self.root, By::Nothing)
    }
}

fn sample(sampled: &Sampled, moment: Moment, out: &mut Vec<acl::Transform>) {
    match moment {
        Moment::Frame(frame) => sampled.clip.sample_frame(frame, out),
        Moment::Seconds(seconds) => sampled.clip.sample(seconds, out),
    }
}

fn values_of(sample: &acl::Transform) -> Values {
    Values {
        translation: Some(sample.translation.map(f64::from)),
        rotation: Some(sample.rotation.map(f64::from)),
        scale: Some(sample.scale.map(f64::from)),
    }
}

/// Returns the type of each bone: its own modifier's, or that of the nearest ancestor that has one, or the motion's.
pub(super) fn kinds(motion: &Motion, skeleton: &Skeleton, binding: &Binding) -> Vec<AnimationType> {
    let mut own = vec![None; skeleton.bones().len()];
    for modifier in &motion.modifiers {
        let bone = binding.bone(modifier.track as usize);
        let kind = bone.and_then(|(bone, _)| own.get_mut(bone as usize));
        if let Some(kind) = kind {
            *kind = Some(modifier.animation_type);
        }
    }
    let mut kinds = Vec::new();
    skeleton.walk(motion.animation_type, &mut kinds, |index, _, inherited| {
        own.get(index).copied().flatten().unwrap_or(inherited)
    });
    kinds
}

/// Poses a skeleton by a motion. Memory is reused for each pose.
#[derive(Debug)]
pub struct Poser<'a> {
    motion: &'a Motion,
    skeleton: &'a Skeleton,
    plan: PosePlan,
    bind: Posed,
    posed: Posed,
}

impl<'a> Poser<'a> {
    /// Prepares the data that is the same for all poses.
    #[must_use]
    pub fn new(
        motion: &'a Motion,
        skeleton: &'a Skeleton,
        binding: &Binding,
        additive: AdditiveRotation,
    ) -> Self {
        let mut bind = Posed::default();
        bind.set_locals(skeleton, skeleton.bones().iter().map(|bone| bone.rest));
        Self {
            motion,
            skeleton,
            plan: PosePlan::new(motion, skeleton, binding, additive),
            bind,
            posed: Posed::default(),
        }
    }

    /// Poses all bones at a moment.
    pub fn pose(&mut self, moment: Moment) {
        let at = moment.of(self.motion);
        self.plan.pose(self.motion, self.skeleton, at, &mut self.posed);
    }

    /// Returns the movement of the whole model at a moment; `None` if the motion has none in addition to that of its bones.
    pub fn root(&mut self, moment: Moment) -> Option<Transform> {
        let at = moment.of(self.motion);
        self.plan.root(self.motion, at, &mut self.posed)
    }

    /// Returns the local transform of each bone, in its parent's space, as last posed.
    #[must_use]
    pub fn locals(&self) -> &[Transform] {
        &self.posed.locals
    }

    /// Returns the world transform of each bone, as last posed. If scales down a chain shear a bone, its scale is how far its axes
    /// reach along themselves. [`Poser::world_matrices`] is exact.
    pub fn worlds(&self) -> impl ExactSizeIterator<Item = Transform> {
        let parent_scale = self.skeleton.conventions.parent_scale;
        let worlds = self.posed.worlds.iter();
        worlds.map(move |world| world.transform(parent_scale))
    }

    /// Returns the map of each bone from its axes to the world, as last posed.
    pub fn world_matrices(&self) -> impl ExactSizeIterator<Item = DAffine3> {
        self.posed.worlds.iter().map(|world| world.matrix)
    }

    /// Returns the map of each bone from the bind pose to the pose, `world * inverse(bind)`, and its parts.
    pub fn skinning(&self) -> impl ExactSizeIterator<Item = (DAffine3, Transform)> {
        let bones = self.posed.worlds.iter().zip(&self.bind.worlds);
        bones.map(|(world, bind)| world.skinning(bind))
    }
}
