//! Skeletons to which motions are applied.

use std::path::{Path, PathBuf};

use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::pxd::PxdContent;
use pchr_foreign::motion::{Dialect, Motion, Skeleton};
use pchr_foreign::plane;

use crate::cli::pchr::content::{self, Content};
use crate::run::input::{self, Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::text::words;

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
pub(in crate::cli::pchr) fn of_character(input: &Input) -> Skeleton {
    let bind = BindPose::new(&input.document, BindChoice::Auto);
    plane::skeleton(&input.document, &bind)
}

/// Reads the skeleton of a file.
pub(in crate::cli::pchr) fn read(
    disk: &Disk,
    path: &Path,
    args: InputArgs,
) -> Result<Skeleton, Failure> {
    let skeleton = match content::read(disk, path, args)? {
        Content::Pxd(file) => match file.content {
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
        let (tracks, bones) = (
            words::count(tracks, "track", "tracks"),
            words::count(bones, "bone", "bones"),
        );
        messages.warning(&format!(
            "{file}: {tracks}, but the skeleton has {bones}; those in both are used. It may be the skeleton of another motion"
        ));
    }
}
