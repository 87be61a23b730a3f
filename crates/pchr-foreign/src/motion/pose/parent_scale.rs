//! The same places of bones where scales have another effect on children.
#![expect(clippy::arithmetic_side_effects, reason = "vectors of floating-point numbers")]

use glam::{DMat3, DQuat, DVec3};

use super::curve::Curve;
use super::local_keys::{append, finish};
use super::poser::unit;
use super::{BoneKeys, LocalKeys, Reframed, TooManySamples};
use crate::motion::{Bone, Conventions, Dialect, Key, Motion, ParentScale, Skeleton, Transform};

/// Brings a skeleton and keys for it to another [`ParentScale`].
///
/// Every bone keeps its place, and below uniform scales its rotation and scale, too. Below a scale that differs by axis a bone is
/// [sheared](ChangedKeys::sheared) on one side and not on the other, which no numbers can mend.
#[derive(Debug)]
pub struct ParentScaleChange<'a> {
    from: &'a Skeleton,
    to: Skeleton,
    sheared: Vec<u32>,
}

/// Keys that were brought to another [`ParentScale`].
#[derive(Clone, Debug, Default)]
pub struct ChangedKeys {
    /// The keys.
    pub keys: LocalKeys,
    /// Bones whose translations got a key on every frame, because a scale above them is animated.
    pub sampled: Vec<u32>,
    /// Bones below a scale that differs by axis, or is 0.
    pub sheared: Vec<u32>,
    /// Channels whose keys at times became keys on frames, because scales change what they mean.
    pub reframed: Vec<Reframed>,
}

/// Scales above a bone, in the course of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Above {
    /// The same number in all axes, all the time.
    Uniform(f64),
    /// They move, or differ by axis.
    Other { is_uniform: bool },
}

impl Above {
    /// Returns the factor of translations; `None` if there is none, or it changes over time.
    fn factor(self, to: ParentScale) -> Option<f64> {
        match self {
            Self::Uniform(scale) if scale != 0.0 => Some(match to {
                ParentScale::Inherited => scale.recip(),
                ParentScale::Separate => scale,
            }),
            Self::Uniform(_) => Some(1.0),
            Self::Other { .. } => None,
        }
    }
}

fn scaled(value: [f64; 3], factor: f64) -> [f64; 3] {
    if factor == 1.0 { value } else { value.map(|number| number * factor) }
}

#[derive(Clone, Copy, Debug)]
struct Chain {
    rotation: DQuat,
    /// With scales, as children inherit them.
    axes: DMat3,
}

impl<'a> ParentScaleChange<'a> {
    /// Brings a skeleton to another effect of scales.
    #[must_use]
    pub fn new(skeleton: &'a Skeleton, parent_scale: ParentScale) -> Self {
        let mut change = Self { from: skeleton, to: skeleton.clone(), sheared: Vec::new() };
        if skeleton.conventions.parent_scale == parent_scale {
            return change;
        }
        let still = vec![BoneKeys::default(); skeleton.bones().len()];
        let above = above(skeleton, &still);
        let rests: Vec<Transform> = skeleton.bones().iter().map(|bone| bone.rest).collect();
        let translations = translations(skeleton, &rests, parent_scale);
        let bones = skeleton.bones().iter().zip(translations).zip(&above);
        let bones = bones.map(|((bone, translation), above)| {
            let rest = Transform {
                translation: match above.factor(parent_scale) {
                    Some(factor) => scaled(bone.rest.translation, factor),
                    None => translation,
                },
                ..bone.rest
            };
            Bone { rest, ..bone.clone() }
        });
        let conventions = Conventions { parent_scale, ..skeleton.conventions };
        if let Ok(to) = Skeleton::new(bones.collect(), conventions) {
            change.to = to;
        }
        change.sheared = sheared(&above);
        change
    }

    /// Returns the skeleton with the other effect of scales.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.to
    }

    /// Returns the bones below a scale that differs by axis, or is 0, at rest.
    #[must_use]
    pub fn sheared(&self) -> &[u32] {
        &self.sheared
    }

    /// Converts keys of a motion on the skeleton to the other effect of parents' scales.
    ///
    /// # Errors
    /// [`TooManySamples`] if scales move over so many frames that translations below them are more than
    /// [`LocalKeys::MOST_SAMPLES`], or keys at times do.
    pub fn keys(&self, motion: &Motion, keys: &LocalKeys) -> Result<ChangedKeys, TooManySamples> {
        let mut changed = ChangedKeys { keys: keys.clone(), ..ChangedKeys::default() };
        let (from, to) = (self.from, self.to.conventions.parent_scale);
        if from.conventions.parent_scale == to {
            return Ok(changed);
        }
        let rate = motion.frames_per_second();
        changed.reframed = changed.keys.on_frames(rate, Dialect::Seanim)?;
        let keys = &changed.keys.clone();
        let above = above(from, &keys.bones);
        changed.sheared = sheared(&above);
        let mut moving = Vec::new();
        let bones = from.bones().iter().zip(self.to.bones());
        let lists = changed.keys.bones.iter_mut().zip(bones);
        for ((index, above), (keys, (bone, other))) in (0_u32..).zip(&above).zip(lists) {
            let Some(factor) = above.factor(to) else {
                moving.push(index);
                continue;
            };
            for key in &mut keys.translation {
                key.value = scaled(key.value, factor);
            }
            let value = scaled(bone.rest.translation, factor);
            if keys.translation.is_empty() && value != other.rest.translation {
                keys.translation.push(Key { frame: 0, value });
            }
        }
        self.sample(motion, keys, &moving, &mut changed)?;
        changed.sampled = moving;
        Ok(changed)
    }

    /// Samples translations of bones on each frame.
    fn sample(
        &self,
        motion: &Motion,
        keys: &LocalKeys,
        moving: &[u32],
        changed: &mut ChangedKeys,
    ) -> Result<(), TooManySamples> {
        let (frames, tracks) = (motion.frames(), u32::try_from(moving.len()).unwrap_or(u32::MAX));
        TooManySamples::check(frames, tracks)?;
        if moving.is_empty() {
            return Ok(());
        }
        let bones = self.from.bones();
        let mut sampled = vec![Vec::new(); moving.len()];
        let mut locals = Vec::with_capacity(bones.len());
        for frame in 0..frames {
            locals.clear();
            let posed = bones.iter().zip(&keys.bones);
            locals.extend(posed.map(|(bone, keys)| posed_at(frame.into(), keys, &bone.rest)));
            let parent_scale = self.to.conventions.parent_scale;
            let moved = translations(self.from, &locals, parent_scale);
            for (keys, index) in sampled.iter_mut().zip(moving) {
                if let Some(value) = moved.get(*index as usize) {
                    append(keys, frame, *value);
                }
            }
        }
        for (mut keys, index) in sampled.into_iter().zip(moving) {
            finish(&mut keys);
            if let Some(bone) = changed.keys.bones.get_mut(*index as usize) {
                bone.translation = keys;
            }
        }
        Ok(())
    }
}

/// Returns the transform of a bone at a frame: at rest where it has no keys.
fn posed_at(frame: f64, keys: &BoneKeys, rest: &Transform) -> Transform {
    let vector = |keys: &[Key<3>]| Curve::Sorted(keys).vector(frame);
    let rotation = Curve::Sorted(&keys.rotation).rotation(frame, Dialect::Seanim);
    Transform {
        translation: vector(&keys.translation).unwrap_or(rest.translation),
        rotation: rotation.unwrap_or(rest.rotation),
        scale: vector(&keys.scale).unwrap_or(rest.scale),
    }
}

fn above(skeleton: &Skeleton, keys: &[BoneKeys]) -> Vec<Above> {
    let mut all = Vec::new();
    skeleton.walk(Above::Uniform(1.0), &mut all, |_, bone, before| {
        let parent = bone.parent.map(|parent| parent as usize);
        let Some((parent, bone)) = parent.and_then(|at| Some((at, skeleton.bones().get(at)?)))
        else {
            return before;
        };
        let keyed = keys.get(parent).map_or(&[][..], |keys| &keys.scale);
        let values = keyed.iter().map(|key| key.value);
        let still = keyed.is_empty().then_some(bone.rest.scale);
        let mut values = values.chain(still);
        let first = values.clone().next().unwrap_or([1.0; 3]);
        let is_even = |[x, y, z]: [f64; 3]| is_near(x, y) && is_near(y, z);
        let is_first = |value: [f64; 3]| value.iter().zip(first).all(|(a, b)| is_near(*a, b));
        let is_still = values.clone().all(is_first);
        let is_uniform =
            values.all(|value| is_even(value) && (is_still || value.first() != Some(&0.0)));
        let own = match first {
            [scale, ..] if is_still && is_uniform => Above::Uniform(scale),
            _ => Above::Other { is_uniform },
        };
        match (before, own) {
            (Above::Uniform(a), Above::Uniform(b)) => Above::Uniform(a * b),
            (Above::Other { is_uniform }, Above::Uniform(_))
            | (Above::Uniform(_), Above::Other { is_uniform }) => Above::Other { is_uniform },
            (Above::Other { is_uniform: a }, Above::Other { is_uniform: b }) => {
                Above::Other { is_uniform: a && b }
            }
        }
    });
    all
}

/// Returns true if two scales are equal within the rounding of programs.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= a.abs().max(b.abs()) * 1e-5
}

fn sheared(above: &[Above]) -> Vec<u32> {
    let bones = (0..).zip(above);
    let sheared = bones.filter(|(_, above)| match above {
        Above::Uniform(scale) => *scale == 0.0,
        Above::Other { is_uniform } => !is_uniform,
    });
    sheared.map(|(bone, _)| bone).collect()
}

/// Returns translations that bring bones to the same places with another effect of scales.
fn translations(skeleton: &Skeleton, locals: &[Transform], to: ParentScale) -> Vec<[f64; 3]> {
    let identity = Chain { rotation: DQuat::IDENTITY, axes: DMat3::IDENTITY };
    let mut moved: Vec<[f64; 3]> = locals.iter().map(|local| local.translation).collect();
    skeleton.walk(identity, &mut Vec::new(), |index, _, parent| {
        let local = locals.get(index).copied().unwrap_or_default();
        let translation = DVec3::from(local.translation);
        let turned = DMat3::from_quat(parent.rotation);
        let place = match to {
            ParentScale::Inherited => parent.axes.inverse() * (turned * translation),
            ParentScale::Separate => turned.transpose() * (parent.axes * translation),
        };
        if let Some(moved) = moved.get_mut(index).filter(|_| place.is_finite()) {
            *moved = place.into();
        }
        let own = unit(local.rotation);
        let scale = DMat3::from_diagonal(local.scale.into());
        Chain {
            rotation: (parent.rotation * own).normalize(),
            axes: parent.axes * DMat3::from_quat(own) * scale,
        }
    });
    moved
}
