//! A skeleton and motions, from one file or several.

use std::path::{Path, PathBuf};

use super::skeleton;
use crate::cli::pchr::content::{self, Content};
use crate::document::AnimationId;
use crate::finding::Findings;
use crate::format::Losses;
use crate::format::pxd::PxdContent;
use crate::motion::{Motion, Skeleton};
use crate::plane::{self, Extras};
use crate::run::input::InputArgs;
use crate::run::{Disk, Failure};
use crate::text::words;

/// Endings that are no part of a motion's name.
const ENDINGS: [&str; 10] = [
    ".seanim.json",
    ".seanim",
    ".anm.pxd",
    ".skl.pxd",
    ".pxd",
    ".glb",
    ".gltf",
    ".pchr",
    ".legacy.pchr",
    ".json",
];

/// A skeleton and motions of it.
#[derive(Debug)]
pub(in crate::cli::pchr) struct Rig {
    /// The name that messages give the file.
    pub(super) name: String,
    /// Stable name of its format.
    pub(super) format: &'static str,
    pub(super) skeleton: Option<Skeleton>,
    pub(super) clips: Vec<Clip>,
    /// Warnings about the file.
    pub(super) warnings: Findings,
    /// Names of other files, and warnings about them.
    pub(super) others: Vec<(String, Findings)>,
    /// Content without a place in skeleton and motions.
    pub(super) losses: Losses,
}

/// A motion with a name.
#[derive(Debug)]
pub(in crate::cli::pchr) struct Clip {
    /// Its name in the file, or the file's.
    pub(in crate::cli::pchr) name: String,
    /// The file.
    pub(in crate::cli::pchr) path: PathBuf,
    pub(in crate::cli::pchr) motion: Motion,
    /// The skeleton that the file has, too.
    pub(in crate::cli::pchr) own: Option<Skeleton>,
}

impl Rig {
    /// Skeleton and motions of what was read from `path`; `None` of an atlas. `extras` is for what motions of a character have no place for.
    pub(in crate::cli::pchr) fn of(content: Content, path: &Path, extras: Extras) -> Option<Self> {
        let clip = |motion| Clip {
            name: stem(path),
            path: path.to_owned(),
            motion,
            own: None,
        };
        Some(match content {
            Content::Motion(input) => Self {
                name: input.name,
                format: input.file.format.id(),
                skeleton: None,
                clips: vec![clip(input.file.motion)],
                warnings: input.file.warnings,
                others: Vec::new(),
                losses: input.file.losses,
            },
            Content::Pxd(input) => {
                let format = input.content.kind().id();
                let (skeleton, clips) = match input.content {
                    PxdContent::Skeleton(skeleton) => (Some(skeleton), Vec::new()),
                    PxdContent::Animation(motion) => (None, vec![clip(*motion)]),
                };
                Self {
                    name: input.name,
                    format,
                    skeleton,
                    clips,
                    warnings: input.warnings,
                    others: Vec::new(),
                    losses: Losses::default(),
                }
            }
            Content::Gltf(input) => {
                let file = input.file;
                let clips = file.clips.into_iter().map(|it| Clip {
                    name: it.name,
                    own: Some(file.skeleton.clone()),
                    ..clip(it.motion)
                });
                Self {
                    name: input.name,
                    format: "gltf",
                    clips: clips.collect(),
                    skeleton: Some(file.skeleton),
                    warnings: file.warnings,
                    others: Vec::new(),
                    losses: file.losses,
                }
            }
            Content::Character(input) => {
                let document = &input.document;
                let mut losses = Losses::default();
                let clip = |id: AnimationId| {
                    let name = document.animation(id)?.name().to_owned();
                    let (motion, lost) = plane::motion_of(document, id, extras)?;
                    losses.extend(lost);
                    Some(Clip {
                        name,
                        ..clip(motion)
                    })
                };
                let clips = document.animation_ids().filter_map(clip).collect();
                Self {
                    skeleton: Some(skeleton::of_character(&input)),
                    format: document.source().id(),
                    clips,
                    warnings: document.warnings().clone(),
                    others: Vec::new(),
                    losses,
                    name: input.name,
                }
            }
            Content::Atlas(_) => return None,
        })
    }

    /// Takes the motions of other files in place of its own.
    pub(in crate::cli::pchr) fn with_motions(
        self,
        files: &[PathBuf],
        args: InputArgs,
        disk: &Disk,
    ) -> Result<Self, Failure> {
        if files.is_empty() {
            return Ok(self);
        }
        let motions = motions(files, args, disk)?;
        let mut rig = Self {
            clips: motions.clips,
            ..self
        };
        rig.others.extend(motions.odd);
        rig.losses.extend(motions.losses);
        Ok(rig)
    }
}

/// Motions of several files.
#[derive(Debug, Default)]
pub(in crate::cli::pchr) struct Motions {
    pub(super) clips: Vec<Clip>,
    /// Names of the files, and warnings about them.
    pub(super) odd: Vec<(String, Findings)>,
    /// Content that is no motion of a bone.
    pub(super) losses: Losses,
}

/// Reads the motions of files.
pub(in crate::cli::pchr) fn motions(
    files: &[PathBuf],
    args: InputArgs,
    disk: &Disk,
) -> Result<Motions, Failure> {
    let mut motions = Motions::default();
    for path in files {
        let rig = match content::read(disk, path, args)? {
            Content::Character(_) => None,
            content => {
                Rig::of(content, path, Extras::default()).filter(|rig| !rig.clips.is_empty())
            }
        };
        let Some(rig) = rig else {
            return Err(Failure::Rejected(format!(
                "{}: no 3D motion; --motion takes .seanim, .anm.pxd, or glTF with animations",
                path.display()
            )));
        };
        motions.clips.extend(rig.clips);
        motions.odd.push((rig.name, rig.warnings));
        motions.losses.extend(rig.losses);
    }
    Ok(motions)
}

/// The clip that `--animation` names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen<'a> {
    /// A name, or an index.
    pub(super) wanted: &'a str,
}

impl Chosen<'_> {
    /// Index of the clip. Messages call the file, or the files, `name`.
    pub(super) fn among(self, clips: &[Clip], name: &str) -> Result<usize, Failure> {
        let wanted = self.wanted;
        let named = clips.iter().position(|clip| clip.name == wanted);
        let index = wanted.strip_prefix('#').unwrap_or(wanted).parse().ok();
        let index = index.filter(|index: &usize| *index < clips.len());
        named.or(index).ok_or_else(|| {
            let there = clips_in_words(clips);
            Failure::Usage(format!("{name}: no animation {wanted:?} among {there}"))
        })
    }
}

/// Number and names of motions.
pub(super) fn clips_in_words(clips: &[Clip]) -> String {
    let count = words::count(clips.len(), "animation", "animations");
    let names = clips.iter().map(|clip| clip.name.as_str());
    format!("{count}: {}", words::listed(names, clips.len()))
}

/// Name of a file without folder and ending.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let lower = name.to_ascii_lowercase();
    let fits = |ending: &&str| lower.len() > ending.len() && lower.ends_with(*ending);
    let ending = ENDINGS.into_iter().filter(fits).map(str::len).max();
    let length = name.len().saturating_sub(ending.unwrap_or(0));
    name.get(..length).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_motions_have_no_endings() {
        for (path, name) in [
            ("a/hero@walk.anm.pxd", "hero@walk"),
            ("WALK.SEANIM.JSON", "WALK"),
            ("walk.v2.seanim", "walk.v2"),
            (".glb", ".glb"),
            ("-", "-"),
        ] {
            assert_eq!(stem(Path::new(path)), name);
        }
    }
}
