//! A skeleton and motions, from one file or several.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::character::Character;
use pchr::document::AnimationId;
use pchr::format::Losses;
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::pxd::PxdContent;
use pchr_foreign::motion::{Dialect, Motion, Skeleton};
use pchr_foreign::plane;

use crate::cli::pchr::content::{self, Content, FileInput};
use crate::cli::pchr::report::Remarks;
use crate::files::motion_name;
use crate::run::input::{self, Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::text::words;

/// A skeleton and motions of it.
#[derive(Debug)]
pub(in crate::cli::pchr) struct MotionRig {
    /// The name that messages give the file.
    pub(super) name: String,
    /// Stable name of its format.
    pub(super) format: &'static str,
    pub(super) skeleton: Option<Arc<Skeleton>>,
    /// The character that the skeleton is of.
    pub(super) character: Option<Character>,
    pub(super) clips: Vec<RigClip>,
    pub(super) remarks: Remarks,
}

/// A motion with a name.
#[derive(Debug)]
pub(in crate::cli::pchr) struct RigClip {
    /// Its name in the file, or the file's.
    pub(in crate::cli::pchr) name: String,
    pub(in crate::cli::pchr) path: PathBuf,
    /// The name that messages give the file.
    pub(in crate::cli::pchr) file: String,
    pub(in crate::cli::pchr) motion: Motion,
    /// Parts of the animation without a place in the motion.
    pub(in crate::cli::pchr) losses: Losses,
    /// The skeleton that the file has, too.
    pub(in crate::cli::pchr) own: Option<Arc<Skeleton>>,
    /// The animation of the character.
    pub(super) frames: Option<AnimationId>,
}

impl RigClip {
    fn new(path: &Path, file: &str, motion: Motion) -> Self {
        Self {
            name: motion_name(path),
            path: path.to_owned(),
            file: file.to_owned(),
            motion,
            losses: Losses::default(),
            own: None,
            frames: None,
        }
    }

    /// Notes that the motion will not loop, if its format does not say.
    pub(super) fn say_end(&self, messages: &Messages) {
        if self.motion.dialect == Dialect::Pxd && !self.motion.looped {
            let file = &self.file;
            messages.note(&format!(
                "{file}: PXD does not say whether a motion loops; written as one that stops at its end"
            ));
        }
    }
}

impl MotionRig {
    /// Returns skeleton and motions of the file at `path`; `None` for an atlas.
    pub(in crate::cli::pchr) fn of(content: Content, path: &Path) -> Option<Self> {
        let (name, format, skeleton, clips, remarks) = match content {
            Content::Motion(input) => {
                let FileInput { name, file, .. } = *input;
                let clips = vec![RigClip::new(path, &name, file.motion)];
                let remarks = Remarks::about(&name, file.warnings, file.losses);
                (name, file.format.id(), None, clips, remarks)
            }
            Content::Pxd(input) => {
                let FileInput { name, file, .. } = *input;
                let format = file.content.kind().id();
                let remarks = Remarks::about(&name, file.warnings, Losses::default());
                match file.content {
                    PxdContent::Skeleton(skeleton) => {
                        (name, format, Some(Arc::new(skeleton)), Vec::new(), remarks)
                    }
                    PxdContent::Animation(motion) => {
                        let clips = vec![RigClip::new(path, &name, *motion)];
                        (name, format, None, clips, remarks)
                    }
                }
            }
            Content::Gltf(input) => {
                let FileInput { name, file, .. } = *input;
                let skeleton = Arc::new(file.skeleton);
                let clips = file.clips.into_iter().map(|it| RigClip {
                    name: it.name,
                    losses: it.losses,
                    own: Some(Arc::clone(&skeleton)),
                    ..RigClip::new(path, &name, it.motion)
                });
                let clips = clips.collect();
                let remarks = Remarks::about(&name, file.warnings, file.losses);
                (name, "gltf", Some(skeleton), clips, remarks)
            }
            Content::Character(input) => return Some(Self::of_character(&input, path)),
            Content::Atlas(_) => return None,
        };
        Some(Self { name, format, skeleton, character: None, clips, remarks })
    }

    fn of_character(input: &Input, path: &Path) -> Self {
        let document = &input.document;
        let clip = |id: AnimationId| {
            let (motion, losses) = plane::motion_of(document, id)?;
            Some(RigClip {
                name: document.animation(id)?.name().to_owned(),
                losses,
                frames: Some(id),
                ..RigClip::new(path, &input.name, motion)
            })
        };
        Self {
            name: input.name.clone(),
            format: document.source().id(),
            skeleton: Some(Arc::new(of_character(input))),
            character: Some(Character::new(Arc::clone(document), BindChoice::Auto)),
            clips: document.animation_ids().filter_map(clip).collect(),
            remarks: Remarks::about(&input.name, document.warnings().clone(), Losses::default()),
        }
    }

    /// Leaves the meshes and images out, which the output has no place for.
    pub(super) fn drop_character(&mut self) {
        let Some(character) = self.character.take() else {
            return;
        };
        let document = character.document();
        for (what, count) in
            [("meshes", document.meshes().len()), ("images", document.images().len())]
        {
            if count > 0 {
                let losses = &mut self.remarks.of(&self.name).losses;
                losses.add_many(what, count as u64, || format!("{what}[0]"));
            }
        }
    }

    /// Replaces its motions with those of other files.
    pub(in crate::cli::pchr) fn with_motions(
        mut self,
        files: &[PathBuf],
        args: InputArgs,
        disk: &Disk,
    ) -> Result<Self, Failure> {
        if !files.is_empty() {
            self.clips = motions(files, args, disk, &mut self.remarks)?;
        }
        Ok(self)
    }
}

pub(super) fn motions(
    files: &[PathBuf],
    args: InputArgs,
    disk: &Disk,
    remarks: &mut Remarks,
) -> Result<Vec<RigClip>, Failure> {
    let mut clips = Vec::with_capacity(files.len());
    for path in files {
        let rig = match content::read(disk, path, args)? {
            Content::Character(_) => None,
            content => MotionRig::of(content, path).filter(|rig| !rig.clips.is_empty()),
        };
        let Some(rig) = rig else {
            return Err(Failure::Rejected(format!(
                "{}: not a 3D motion; --motion expects .seanim, .anm.pxd, or glTF with animations (to use a character's animation, convert it to .seanim first)",
                path.display()
            )));
        };
        clips.extend(rig.clips);
        remarks.extend(rig.remarks);
    }
    Ok(clips)
}

pub(super) fn names(clips: &[RigClip]) -> impl ExactSizeIterator<Item = &str> + Clone {
    clips.iter().map(|clip| clip.name.as_str())
}

/// Returns the file of the skeleton for a motion: the named one or, if the motion numbers its bones, the one beside it.
///
/// # Errors
/// [`Failure::Running`] if the folder of the motion cannot be read.
pub(in crate::cli::pchr) fn find(
    named: Option<&Path>,
    file: &Path,
    motion: &Motion,
) -> Result<Option<PathBuf>, Failure> {
    match named {
        Some(path) => Ok(Some(path.to_owned())),
        None if motion.numbers_bones() => input::skeleton_beside(file),
        None => Ok(None),
    }
}

/// The bones of a character in its bind pose.
fn of_character(input: &Input) -> Skeleton {
    let bind = BindPose::new(&input.document, BindChoice::Auto);
    plane::skeleton(&input.document, &bind)
}

pub(in crate::cli::pchr) fn read(
    disk: &Disk,
    path: &Path,
    args: InputArgs,
) -> Result<Skeleton, Failure> {
    let skeleton = match content::read(disk, path, args)? {
        Content::Pxd(file) => match file.file.content {
            PxdContent::Skeleton(skeleton) => Some(skeleton),
            PxdContent::Animation(_) => None,
        },
        Content::Gltf(file) => Some(file.file.skeleton),
        Content::Character(file) => Some(of_character(&file)),
        Content::Atlas(_) | Content::Motion(_) => None,
    };
    skeleton.filter(|it| !it.bones().is_empty()).ok_or_else(|| {
        Failure::Rejected(format!(
            "{}: not a skeleton; expected a .skl.pxd file, glTF with bones, or a character",
            input::name(path)
        ))
    })
}

/// Says that a motion numbers more or fewer bones than a skeleton has: it may be another's.
pub(in crate::cli::pchr) fn compare(
    file: &str,
    motion: &Motion,
    skeleton: &Skeleton,
    messages: &Messages,
) {
    let (tracks, bones) = (motion.tracks().len(), skeleton.bones().len());
    if motion.numbers_bones() && motion.dialect == Dialect::Pxd && tracks != bones {
        let (tracks, bones) =
            (words::count(tracks, "track", "tracks"), words::count(bones, "bone", "bones"));
        messages.warning(&format!(
            "{file}: {tracks}, but the skeleton has {bones}; those in both are used. It may be the skeleton of another motion"
        ));
    }
}
