//! Formats that motions and skeletons are written in.

use pchr::format::Losses;
use pchr_foreign::format::adapt::{self, Unadaptable};
use pchr_foreign::format::gltf::{self, Container};
use pchr_foreign::format::{pxd, seanim, seanim_json};
use pchr_foreign::motion::{AdditiveRotation, Dialect, LocalKeys, Skeleton};

use super::rig::{Clip, Rig};
use crate::cli::pchr::remarks::Remarks;
use crate::run::{Failure, skeletons};

/// A format that motions or skeletons are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::pchr) enum Target {
    /// SEAnim, in its canonical form.
    Seanim,
    /// The mirror of SEAnim.
    SeanimJson,
    /// A PXD animation.
    PxdAnimation,
    /// A PXD skeleton.
    PxdSkeleton,
    /// glTF: a skeleton and all motions.
    Gltf(Container),
}

impl Target {
    /// Returns whether a file holds one motion, and nothing else.
    pub(super) const fn is_motion(self) -> bool {
        matches!(self, Self::Seanim | Self::SeanimJson | Self::PxdAnimation)
    }

    /// Name of the format for messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Seanim => "SEAnim",
            Self::SeanimJson => "SEAnim JSON",
            Self::PxdAnimation => "a PXD animation",
            Self::PxdSkeleton => "a PXD skeleton",
            Self::Gltf(_) => "glTF",
        }
    }
}

/// A complete file, and the content that it cannot hold.
pub(super) type Made = (Vec<u8>, Losses);

/// Reason why nothing was written.
#[derive(Debug)]
pub(super) enum Failed {
    /// A skeleton is wanted.
    Skeleton,
    /// In words.
    Words(String),
}

impl From<Unadaptable> for Failed {
    fn from(error: Unadaptable) -> Self {
        match error {
            Unadaptable::Skeleton => Self::Skeleton,
            other => Self::words(other),
        }
    }
}

impl Failed {
    /// The failure of a run that writes motions of `rig`, or the one of them that it is about.
    pub(super) fn of(self, rig: &Rig, target: Target, clip: Option<&Clip>) -> Failure {
        match (self, clip) {
            (Self::Skeleton, _) => no_skeleton(rig, target),
            (Self::Words(words), Some(clip)) if rig.clips.len() > 1 => {
                Failure::Rejected(format!("{}: {}: {words}", clip.file, clip.name))
            }
            (Self::Words(words), Some(clip)) => {
                Failure::Rejected(format!("{}: {words}", clip.file))
            }
            (Self::Words(words), None) => Failure::Rejected(format!("{}: {words}", rig.name)),
        }
    }

    fn words(error: impl std::fmt::Display) -> Self {
        Self::Words(error.to_string())
    }
}

pub(super) fn no_skeleton(rig: &Rig, target: Target) -> Failure {
    let what = target.name();
    let mut clips = rig.clips.iter().filter(|clip| clip.motion.numbers_bones());
    let several = clips.find_map(|clip| skeletons::several_beside(&clip.path));
    let how = several
        .unwrap_or_else(|| "choose a .skl.pxd, glTF or character file with --skeleton".to_owned());
    usage(rig, &format!("{what} needs a skeleton; {how}"))
}

pub(super) fn usage(rig: &Rig, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", rig.name))
}

/// Writes a motion alone.
pub(super) fn motion(
    target: Target,
    clip: &Clip,
    skeleton: Option<&Skeleton>,
    additive: AdditiveRotation,
) -> Result<Made, Failed> {
    if target == Target::PxdAnimation {
        // Its own tracks have numbers already.
        let own = Skeleton::default();
        let skeleton = match skeleton {
            None if clip.motion.dialect == Dialect::Pxd => &own,
            other => other.ok_or(Failed::Skeleton)?,
        };
        let (motion, losses) = adapt::to_pxd(&clip.motion, skeleton, additive)?;
        let bytes = pxd::write_animation(&motion).map_err(Failed::words)?;
        return Ok((bytes, losses));
    }
    let (motion, mut losses) = adapt::to_seanim(&clip.motion, skeleton)?;
    let (bytes, left_out) = match target {
        Target::SeanimJson => {
            let mut text = Vec::new();
            let left_out = seanim_json::write(&motion, &mut text).map_err(Failed::words)?;
            (text, left_out)
        }
        _ => seanim::write_canonical(&motion).map_err(Failed::words)?,
    };
    losses.extend(left_out);
    Ok((bytes, losses))
}

/// Writes a skeleton alone.
pub(super) fn skeleton(skeleton: &Skeleton) -> Result<Made, Failed> {
    let (skeleton, losses) = adapt::to_pxd_skeleton(skeleton);
    let bytes = pxd::write_skeleton(&skeleton).map_err(Failed::words)?;
    Ok((bytes, losses))
}

/// Writes a skeleton and its motions. Losses of a motion are reported for its file.
pub(super) fn gltf(
    container: Container,
    skeleton: &Skeleton,
    clips: &[Clip],
    additive: AdditiveRotation,
    remarks: &mut Remarks,
) -> Result<Made, Failed> {
    let mut keys = Vec::with_capacity(clips.len());
    for clip in clips {
        let words =
            |error: &dyn std::fmt::Display| Failed::Words(format!("{}: {error}", clip.name));
        let losses = &mut remarks.of(&clip.file).losses;
        losses.extend(clip.losses.clone());
        let binding = adapt::bind(&clip.motion, skeleton, losses);
        let binding = binding.map_err(|error| words(&error))?;
        let laid = LocalKeys::new(&clip.motion, skeleton, &binding, additive);
        keys.push(laid.map_err(|error| words(&error))?);
    }
    let clips: Vec<gltf::Clip<'_>> = { clips.iter().zip(&keys) }
        .map(|(clip, keys)| gltf::Clip {
            name: &clip.name,
            motion: &clip.motion,
            keys,
        })
        .collect();
    gltf::write(skeleton, &clips, container).map_err(Failed::words)
}
