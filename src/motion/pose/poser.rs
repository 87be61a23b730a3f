//! Poses of a skeleton by a motion.

use glam::DAffine3;

use super::Binding;
use super::chain::{World, walk};
use super::curve::Curve;
use super::rest::{AdditiveRotation, Meaning, Values};
use crate::acl;
use crate::motion::{
    AnimationType, Dialect, Motion, RootMotion, Sampled, Skeleton, Track, Transform,
};

/// A moment of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// A frame, from 0; beyond the end that is the last one.
    Frame(u32),
    /// A time in seconds. Before the start and beyond the end the motion stands still.
    Seconds(f32),
}

/// Poses a skeleton by a motion. Memory is kept from pose to pose.
#[derive(Debug)]
pub struct Poser<'a> {
    motion: &'a Motion,
    skeleton: &'a Skeleton,
    bones: Vec<Moved<'a>>,
    root: Option<Root<'a>>,
    bind: Vec<World>,
    samples: Vec<acl::Transform>,
    locals: Vec<Transform>,
    worlds: Vec<World>,
}

/// A bone and what moves it.
#[derive(Debug)]
struct Moved<'a> {
    meaning: Meaning,
    by: By<'a>,
}

#[derive(Debug)]
enum By<'a> {
    Nothing,
    Keys(Box<Curves<'a>>),
    /// Track of the samples.
    Samples(usize),
}

#[derive(Debug)]
enum Root<'a> {
    Keys(Box<Curves<'a>>),
    Samples(&'a Sampled),
}

#[derive(Debug)]
struct Curves<'a> {
    translation: Option<Curve<'a, 3>>,
    rotation: Option<Curve<'a, 4>>,
    scale: Option<Curve<'a, 3>>,
}

impl<'a> Curves<'a> {
    fn new(motion: &'a Motion, track: &'a Track) -> Box<Self> {
        Box::new(Self {
            translation: motion.translation(track).and_then(Curve::new),
            rotation: motion.rotation(track).and_then(Curve::new),
            scale: motion.scale(track).and_then(Curve::new),
        })
    }

    fn at(&self, frame: f64, dialect: Dialect) -> Values {
        let vector = |curve: &Option<Curve<'a, 3>>| curve.as_ref().and_then(|it| it.vector(frame));
        Values {
            translation: vector(&self.translation),
            rotation: self
                .rotation
                .as_ref()
                .and_then(|curve| curve.rotation(frame, dialect)),
            scale: vector(&self.scale),
        }
    }
}

impl<'a> Poser<'a> {
    /// Prepares what does not change from pose to pose.
    #[must_use]
    pub fn new(
        motion: &'a Motion,
        skeleton: &'a Skeleton,
        binding: &Binding,
        additive: AdditiveRotation,
    ) -> Self {
        let kinds = kinds(motion, skeleton, binding);
        let mut bones: Vec<Moved<'a>> = kinds
            .into_iter()
            .map(|kind| Moved {
                meaning: Meaning::of(motion, kind, additive),
                by: By::Nothing,
            })
            .collect();
        for (index, track) in motion.tracks().iter().enumerate() {
            let bone = binding.bone(index);
            let bone = bone.and_then(|(bone, _)| bones.get_mut(bone as usize));
            if let Some(bone) = bone {
                bone.by = match motion.sampled() {
                    Some(_) => By::Samples(index),
                    None => By::Keys(Curves::new(motion, track)),
                };
            }
        }
        let root = match motion.root() {
            Some(RootMotion::Sampled(sampled)) => Some(Root::Samples(sampled)),
            _ => { binding.root(motion) }.map(|track| Root::Keys(Curves::new(motion, track))),
        };
        let mut bind = Vec::new();
        walk(skeleton, |_, bone| bone.rest, skeleton.bones(), &mut bind);
        Self {
            motion,
            skeleton,
            bones,
            root,
            bind,
            samples: Vec::new(),
            locals: Vec::new(),
            worlds: Vec::new(),
        }
    }

    /// Poses all bones at a moment.
    pub fn pose(&mut self, moment: Moment) {
        if let Some(sampled) = self.motion.sampled() {
            sample(sampled, moment, &mut self.samples);
        }
        let frame = self.frame(moment);
        let dialect = self.motion.dialect;
        let samples = &self.samples;
        let bones = self.skeleton.bones().iter().zip(&self.bones);
        self.locals.clear();
        self.locals.extend(bones.map(|(bone, moved)| {
            let values = match &moved.by {
                By::Nothing => return bone.rest,
                By::Keys(curves) => curves.at(frame, dialect),
                By::Samples(track) => samples.get(*track).map(values_of).unwrap_or_default(),
            };
            moved.meaning.over(&bone.rest, values)
        }));
        let locals = &self.locals;
        let local = |index: usize| locals.get(index).copied().unwrap_or_default();
        walk(
            self.skeleton,
            |index, _| local(index),
            self.skeleton.bones(),
            &mut self.worlds,
        );
    }

    /// Frame of a moment, for keys.
    fn frame(&self, moment: Moment) -> f64 {
        let last = self.motion.frames().saturating_sub(1);
        match moment {
            Moment::Frame(frame) => frame.min(last).into(),
            Moment::Seconds(seconds) => {
                let frame = f64::from(seconds) * f64::from(self.motion.frames_per_second());
                frame.max(0.0).min(last.into())
            }
        }
    }

    /// Movement of the whole model at a moment; `None` if the motion has none beside that of its bones.
    pub fn root(&mut self, moment: Moment) -> Option<Transform> {
        let values = match self.root.as_ref()? {
            Root::Keys(curves) => curves.at(self.frame(moment), self.motion.dialect),
            Root::Samples(sampled) => {
                sample(sampled, moment, &mut self.samples);
                self.samples.first().map(values_of).unwrap_or_default()
            }
        };
        let still = Transform::IDENTITY;
        Some(Transform {
            translation: values.translation.unwrap_or(still.translation),
            rotation: values.rotation.unwrap_or(still.rotation),
            scale: values.scale.unwrap_or(still.scale),
        })
    }

    /// Local transform of each bone, in its parent's space, as posed last.
    #[must_use]
    pub fn locals(&self) -> &[Transform] {
        &self.locals
    }

    /// World transform of each bone, as posed last. Where scales down a chain shear a bone, its scale is how far its axes reach along
    /// themselves, and [`Poser::world_matrices`] say more.
    pub fn worlds(&self) -> impl ExactSizeIterator<Item = Transform> {
        let parent_scale = self.skeleton.conventions.parent_scale;
        let worlds = self.worlds.iter();
        worlds.map(move |world| world.transform(parent_scale))
    }

    /// Map of each bone from its axes to the world, as posed last.
    pub fn world_matrices(&self) -> impl ExactSizeIterator<Item = DAffine3> {
        self.worlds.iter().map(|world| world.matrix)
    }

    /// Map of each bone from the bind pose to the pose, `world * inverse(bind)`, and its parts.
    pub fn skinning(&self) -> impl ExactSizeIterator<Item = (DAffine3, Transform)> {
        let bones = self.worlds.iter().zip(&self.bind);
        bones.map(|(world, bind)| world.skinning(bind))
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

/// Type of each bone: its own modifier's, or that of the nearest ancestor that has one, or the motion's.
pub(super) fn kinds(motion: &Motion, skeleton: &Skeleton, binding: &Binding) -> Vec<AnimationType> {
    let mut kinds = vec![None; skeleton.bones().len()];
    for modifier in &motion.modifiers {
        let bone = binding.bone(modifier.track as usize);
        let kind = bone.and_then(|(bone, _)| kinds.get_mut(bone as usize));
        if let Some(kind) = kind {
            *kind = Some(modifier.animation_type);
        }
    }
    for index in skeleton.parents_first() {
        let index = *index as usize;
        let parent = skeleton.bones().get(index).and_then(|bone| bone.parent);
        let inherited = parent.and_then(|parent| kinds.get(parent as usize).copied().flatten());
        if let Some(kind) = kinds.get_mut(index) {
            *kind = kind.or(inherited);
        }
    }
    let kinds = kinds.into_iter();
    kinds
        .map(|kind| kind.unwrap_or(motion.animation_type))
        .collect()
}
