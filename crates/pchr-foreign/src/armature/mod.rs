//! Motions on a 3D skeleton as a subject: bones that move in space, without meshes.
//!
//! ```text
//! Skeleton + Motions ──Armature──► clips ──pose──► SpatialPose (world map of each bone) ──overlay──► triangles
//! ```
//!
//! Bones are numbered with parents first. A motion without a skeleton has a bone for each track, without parents.
#![deny(clippy::arithmetic_side_effects)]

mod clip;
mod subject;

use std::sync::Arc;

use pchr::finding::Findings;

use self::clip::ArmatureClip;
use self::subject::ShownBones;
use super::motion::{ArmatureRule, Skeleton, UpAxis};

pub use clip::ArmatureMotion;

/// A skeleton and motions of it, ready to be shown.
#[derive(Debug)]
pub struct Armature {
    skeleton: Arc<Skeleton>,
    /// False where bones are the tracks of a motion.
    has_skeleton: bool,
    bones: ShownBones,
    clips: Vec<ArmatureClip>,
    up: UpAxis,
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
        let stated = motions.iter().map(|it| it.motion.conventions.up);
        let stated = std::iter::once(skeleton.conventions.up).chain(stated);
        // Programs that write files without this information use Z up.
        let up = { stated }.find(|up| *up != UpAxis::Unknown).unwrap_or(UpAxis::Z);
        let of_tracks = !has_skeleton;
        let clips: Vec<ArmatureClip> = { motions.into_iter().enumerate() }
            .map(|(index, motion)| {
                ArmatureClip::new(motion, &skeleton, of_tracks && index == 0, &mut warnings)
            })
            .collect();
        warnings.put_first(ArmatureRule::MotionPart); // each track that moves no bone has a warning, too
        let placed = clips.first().filter(|_| of_tracks);
        let bones = ShownBones::new(&skeleton, placed.map(|clip| &*clip.motion));
        if bones.len() < skeleton.bones().len() {
            let (count, shown) = (skeleton.bones().len(), bones.len());
            let message = || format!("{count} bones; only {shown} are shown");
            warnings.add(ArmatureRule::ShownLimit, 0, || "bones".into(), message);
        }
        if bones.len() == 0 {
            let notes = clips.iter().map(|clip| clip.motion.notes.len()).sum();
            let message = || match notes {
                0_usize => "none; nothing to show".into(),
                1 => "none, only a note; nothing to show".into(),
                _ => format!("none, only {notes} notes; nothing to show"),
            };
            warnings.add(ArmatureRule::NoBones, 0, || "bones".into(), message);
        }
        let mut armature =
            Self { skeleton, has_skeleton, bones, clips, up, format, bytes, warnings };
        armature.check_extent();
        armature
    }

    /// The skeleton.
    #[must_use]
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }
}
