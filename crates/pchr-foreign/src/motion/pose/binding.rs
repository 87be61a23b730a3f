//! The bone that each track moves, and the meaning of its values on it.
#![expect(clippy::arithmetic_side_effects, reason = "vectors of floating-point numbers")]

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use crate::motion::{AnimationType, Dialect, Motion, Name, Skeleton, Target, Track, Transform};

/// The bones that the tracks of a motion move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    bones: Vec<Option<(u32, NameMatch)>>,
}

/// The way in which a track's name matched its bone, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameMatch {
    /// The same name, or an index.
    Exact,
    /// The same name, ignoring case.
    IgnoringCase,
    /// The same name after the last `:` of either, ignoring case: `hero:hips` and `hips`.
    WithoutNamespace,
}

impl Binding {
    /// Finds the bone of each track: by its index, or the first bone whose name matches most closely. Where several tracks find one
    /// bone, the closest match has it, and among equals the last, as where keys are set track by track.
    #[must_use]
    pub fn new(motion: &Motion, skeleton: &Skeleton) -> Self {
        Self::find(motion, skeleton, |_, bone| {
            let is_there = (bone as usize) < skeleton.bones().len();
            is_there.then_some((bone, NameMatch::Exact))
        })
    }

    /// Binds tracks as [`Binding::new`] does, but finds the bone of an indexed track by its name in `own`, the skeleton of the
    /// motion.
    #[must_use]
    pub fn by_names(motion: &Motion, own: &Skeleton, skeleton: &Skeleton) -> Self {
        Self::find(motion, skeleton, |names, bone| {
            names.find(&own.bones().get(bone as usize)?.name)
        })
    }

    fn find(
        motion: &Motion,
        skeleton: &Skeleton,
        by_index: impl Fn(&BoneNames, u32) -> Option<(u32, NameMatch)>,
    ) -> Self {
        let names = BoneNames::new(skeleton);
        let find = |target: &Target| match target {
            Target::Bone(index) => by_index(&names, *index),
            Target::Name(name) => names.find(name),
        };
        let tracks = motion.tracks().iter();
        let mut bones: Vec<_> = tracks.map(|track| find(&track.target)).collect();
        let mut winners: HashMap<u32, (NameMatch, usize)> = HashMap::with_capacity(bones.len());
        for (track, found) in bones.iter().enumerate() {
            if let Some((bone, how)) = *found {
                let winner = winners.entry(bone).or_insert((how, track));
                if how <= winner.0 {
                    *winner = (how, track);
                }
            }
        }
        for (track, found) in bones.iter_mut().enumerate() {
            *found = found.filter(|(bone, _)| winners.get(bone).is_some_and(|won| won.1 == track));
        }
        Self { bones }
    }

    /// Binds each track to its own bone, in order: for the skeleton [of the tracks](Skeleton::of_tracks).
    #[must_use]
    pub fn of_tracks(motion: &Motion) -> Self {
        let tracks = (0..).zip(motion.tracks());
        Self { bones: tracks.map(|(bone, _)| Some((bone, NameMatch::Exact))).collect() }
    }

    /// Returns the bone of a track, and the kind of match; `None` if the track moves no bone.
    #[must_use]
    pub fn bone(&self, track: usize) -> Option<(u32, NameMatch)> {
        self.bones.get(track).copied().flatten()
    }

    /// Returns the track that moves the whole model: that of the motion, or the first of the tracks if it is of type delta and
    /// moves no bone.
    #[must_use]
    pub fn root<'a>(&self, motion: &'a Motion) -> Option<&'a Track> {
        match motion.root() {
            Some(root) => root.keys(),
            None => self.has_delta(motion).then(|| motion.tracks().first())?,
        }
    }

    /// Returns true if the first track is that of the whole model.
    fn has_delta(&self, motion: &Motion) -> bool {
        let own = motion.modifiers.iter().rfind(|it| it.track == 0);
        let kind = own.map_or(motion.animation_type, |it| it.animation_type);
        kind == AnimationType::Delta && self.bone(0).is_none()
    }

    /// Returns the indices of tracks that move neither a bone nor the whole model.
    pub fn unmatched(&self, motion: &Motion) -> impl Iterator<Item = usize> + Clone {
        let first = usize::from(motion.root().is_none() && self.has_delta(motion));
        let tracks = self.bones.iter().enumerate().skip(first);
        tracks.filter_map(|(track, bone)| bone.is_none().then_some(track))
    }
}

#[derive(Debug)]
struct BoneNames([(NameMatch, HashMap<Vec<u8>, u32>); 3]);

impl BoneNames {
    fn new(skeleton: &Skeleton) -> Self {
        const MATCHES: [NameMatch; 3] =
            [NameMatch::Exact, NameMatch::IgnoringCase, NameMatch::WithoutNamespace];
        Self(MATCHES.map(|how| {
            let mut map = HashMap::with_capacity(skeleton.bones().len());
            for (index, bone) in (0_u32..).zip(skeleton.bones()) {
                map.entry(how.key(bone.name.as_bytes())).or_insert(index);
            }
            (how, map)
        }))
    }

    /// Returns the first bone whose name matches most closely.
    fn find(&self, name: &Name) -> Option<(u32, NameMatch)> {
        self.0.iter().find_map(|(how, map)| {
            let bone = map.get(&how.key(name.as_bytes()))?;
            Some((*bone, *how))
        })
    }
}

impl NameMatch {
    /// Returns the part of a name that is compared.
    fn key(self, name: &[u8]) -> Vec<u8> {
        match self {
            Self::Exact => name.to_vec(),
            Self::IgnoringCase => lowercase(name),
            Self::WithoutNamespace => {
                let own = name.rsplit(|byte| *byte == b':').next();
                lowercase(own.unwrap_or_default())
            }
        }
    }
}

fn lowercase(name: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(name) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => name.to_ascii_lowercase(),
    }
}

/// Reading of rotations in additive SEAnim motions, about which programs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdditiveRotation {
    /// They follow the rest rotation: `rest * key`, as in Maya's importer.
    #[default]
    OnRest,
    /// They replace the rest rotation, as in Blender's importer.
    Absolute,
}

/// Values of a bone's channels; `None` where the motion has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Values {
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ValueMeaning {
    pub(super) kind: AnimationType,
    pub(super) dialect: Dialect,
    pub(super) additive: AdditiveRotation,
    /// Scale of a bone that an additive clip does not change.
    neutral_scale: f64,
}

impl ValueMeaning {
    /// Values are local transforms.
    pub(super) const LOCAL: Self = Self {
        kind: AnimationType::Absolute,
        dialect: Dialect::Seanim,
        additive: AdditiveRotation::OnRest,
        neutral_scale: 0.0,
    };

    /// Returns the meaning of a motion's values for a bone of type `kind`.
    pub(super) fn of(motion: &Motion, kind: AnimationType, additive: AdditiveRotation) -> Self {
        let sampled = motion.sampled();
        Self {
            kind,
            dialect: motion.dialect,
            additive,
            neutral_scale: sampled.map_or(0.0, |it| it.clip.default_scale().into()),
        }
    }

    /// Returns the local transform of a bone with rest transform `rest`.
    pub(super) fn over(self, rest: &Transform, values: Values) -> Transform {
        let is_additive = self.kind == AnimationType::Additive;
        let is_seanim = self.dialect == Dialect::Seanim;
        let is_relative = matches!(self.kind, AnimationType::Relative | AnimationType::Delta);
        let is_moved = is_additive || (is_seanim && is_relative);
        let is_turned = is_additive && (!is_seanim || self.additive == AdditiveRotation::OnRest);
        Transform {
            translation: values.translation.map_or(rest.translation, |value| match is_moved {
                true => (DVec3::from(rest.translation) + DVec3::from(value)).into(),
                false => value,
            }),
            rotation: values.rotation.map_or(rest.rotation, |value| match is_turned {
                true => (DQuat::from_array(rest.rotation) * DQuat::from_array(value)).into(),
                false => value,
            }),
            scale: match values.scale {
                Some(value) if is_additive && !is_seanim => {
                    let factor = DVec3::from(value) + (1.0 - self.neutral_scale);
                    (DVec3::from(rest.scale) * factor).into()
                }
                None if !is_additive && !is_seanim => [1.0; 3],
                scale => scale.unwrap_or(rest.scale),
            },
        }
    }
}
