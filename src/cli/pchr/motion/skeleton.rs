//! Skeletons that motions are laid over.

use std::path::{Path, PathBuf};

use crate::cli::pchr::content::{self, Content};
use crate::files::skeleton_beside;
use crate::format::pxd::PxdContent;
use crate::motion::{Motion, Skeleton, Target};
use crate::run::input::{self, InputArgs};
use crate::run::{Disk, Failure};

/// The file of the skeleton for a motion: the one that is named, or of a motion that numbers its bones the one beside it.
pub(in crate::cli::pchr) fn find(
    named: Option<&Path>,
    file: &Path,
    motion: &Motion,
) -> Option<PathBuf> {
    let numbered = || {
        let targets = motion.tracks().iter().map(|track| &track.target);
        { targets }.any(|target| matches!(target, Target::Bone(_)))
    };
    match named {
        Some(path) => Some(path.to_owned()),
        None if numbered() => skeleton_beside(file),
        None => None,
    }
}

/// Reads the skeleton of a file.
pub(in crate::cli::pchr) fn read(
    disk: &Disk,
    path: &Path,
    args: InputArgs,
) -> Result<Skeleton, Failure> {
    if let Content::Pxd(file) = content::read(disk, path, args)?
        && let PxdContent::Skeleton(skeleton) = file.content
    {
        return Ok(skeleton);
    }
    Err(Failure::Rejected(format!(
        "{}: no skeleton; expected a .skl.pxd file",
        input::name(path)
    )))
}
