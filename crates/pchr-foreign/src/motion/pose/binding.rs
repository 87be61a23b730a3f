//! The bone that each track moves.

use std::collections::HashMap;

use crate::motion::{AnimationType, Motion, Name, Skeleton, Target, Track};

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
        Self::find(motion, skeleton, |bone| {
            let is_there = (bone as usize) < skeleton.bones().len();
            is_there.then_some((bone, NameMatch::Exact))
        })
    }

    /// Binds tracks as [`Binding::new`] does, but finds the bone of an indexed track by its name in `own`, the skeleton of the
    /// motion.
    #[must_use]
    pub fn by_names(motion: &Motion, own: &Skeleton, skeleton: &Skeleton) -> Self {
        let names = Names::new(skeleton);
        Self::find(motion, skeleton, |bone| {
            names.find(&own.bones().get(bone as usize)?.name)
        })
    }

    fn find(
        motion: &Motion,
        skeleton: &Skeleton,
        by_index: impl Fn(u32) -> Option<(u32, NameMatch)>,
    ) -> Self {
        let names = Names::new(skeleton);
        let find = |target: &Target| match target {
            Target::Bone(index) => by_index(*index),
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
        Self {
            bones: tracks
                .map(|(bone, _)| Some((bone, NameMatch::Exact)))
                .collect(),
        }
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

/// The bones of a skeleton by name.
#[derive(Debug)]
struct Names([(NameMatch, HashMap<Vec<u8>, u32>); 3]);

impl Names {
    fn new(skeleton: &Skeleton) -> Self {
        const MATCHES: [NameMatch; 3] = [
            NameMatch::Exact,
            NameMatch::IgnoringCase,
            NameMatch::WithoutNamespace,
        ];
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
