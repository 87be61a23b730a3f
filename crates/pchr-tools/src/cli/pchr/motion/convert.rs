//! `pchr convert` of motions and skeletons, and the formats that they are written in.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::character::Character;
use pchr::format::Losses;
use pchr_foreign::format::adapt::{self, Unadaptable};
use pchr_foreign::format::gltf::{self, Container};
use pchr_foreign::format::{pxd, seanim, seanim_json};
use pchr_foreign::motion::{AdditiveRotation, Dialect, LocalKeys, Skeleton};
use pchr_foreign::plane;

use super::{MotionArgs, MotionRig, RigClip, compare_bones, find_skeleton, names, read_skeleton};
use crate::cli::pchr::report::{OutputReport, Remarks, WrittenReport};
use crate::cli::pchr::{Run, animations_in_words, chosen};
use crate::file_name::{key, safe};
use crate::open::several_beside;
use crate::run::{Failure, output};

/// Place of a motion's name in an output path.
const ANIMATION: &str = "{animation}";

#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct ConvertMotions<'a> {
    pub(in crate::cli::pchr) target: MotionTarget,
    pub(in crate::cli::pchr) output: &'a Path,
    pub(in crate::cli::pchr) json: bool,
    pub(in crate::cli::pchr) args: &'a MotionArgs,
}

impl ConvertMotions<'_> {
    /// Writes motions, or a skeleton, and lists content that was not carried over.
    pub(in crate::cli::pchr) fn run(self, mut rig: MotionRig, run: Run<'_>) -> Result<(), Failure> {
        let Run { messages, disk, .. } = run;
        let skeleton = self.skeleton(&mut rig, run)?;
        if let Some(wanted) = &self.args.animation {
            let chosen = chosen(wanted, names(&rig.clips), &rig.name)?;
            rig.clips = vec![rig.clips.swap_remove(chosen)];
        }
        if let Some(skeleton) = skeleton.as_deref() {
            for clip in &rig.clips {
                compare_bones(&clip.file, &clip.motion, skeleton, messages);
            }
        }
        if self.args.skeleton.is_some() || !matches!(self.target, MotionTarget::Gltf(_)) {
            rig.drop_character();
        }
        let files = self.make(&mut rig, skeleton.as_deref())?;
        let mut report = WrittenReport::new(&rig.name, rig.format);
        if self.output == Path::new("-") {
            for (_, bytes) in &files {
                output::write_stdout(bytes)?;
            }
        } else {
            output::write_together(&files, disk)?;
            report.outputs = OutputReport::all(&files);
        }
        report.finish(&rig.remarks, self.json, messages)?;
        if matches!(self.target, MotionTarget::Seanim | MotionTarget::SeanimJson) {
            rig.clips.iter().for_each(|clip| clip.say_end(messages));
        }
        Ok(())
    }

    /// Returns the skeleton that the user named, else the file's own, else the one beside a motion that numbers its bones.
    fn skeleton(
        &self,
        rig: &mut MotionRig,
        run: Run<'_>,
    ) -> Result<Option<Arc<Skeleton>>, Failure> {
        if self.args.skeleton.is_none() && rig.skeleton.is_some() {
            return Ok(rig.skeleton.take());
        }
        let numbered = rig.clips.iter().find(|it| it.motion.numbers_bones());
        let is_kept = |clip: &RigClip| {
            let is_pxd = clip.motion.dialect == Dialect::Pxd;
            is_pxd && self.target == MotionTarget::PxdAnimation
        };
        let found = match (&self.args.skeleton, numbered) {
            (Some(path), _) => Some(read_skeleton(path, run)?),
            (None, Some(clip)) if !is_kept(clip) => {
                find_skeleton(None, (&clip.path, &rig.name), &clip.motion, run)?
            }
            _ => None,
        };
        Ok(found.map(Arc::new))
    }

    /// Makes the files, and adds remarks about their inputs.
    fn make(
        &self,
        rig: &mut MotionRig,
        skeleton: Option<&Skeleton>,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
        let target = self.target;
        if !matches!(target, MotionTarget::PxdSkeleton | MotionTarget::Gltf(_)) {
            return self.motions(rig, skeleton);
        }
        if self.output.to_string_lossy().contains(ANIMATION) {
            let what = target.name();
            let why = format!(
                "{what} holds all motions in one file; {ANIMATION} is for one file per motion"
            );
            return Err(usage(rig, &why));
        }
        let skeleton = skeleton.ok_or_else(|| no_skeleton(rig, target))?;
        let made = match target {
            MotionTarget::Gltf(container) => {
                let MotionRig { character, clips, remarks, .. } = rig;
                gltf(container, skeleton, character.as_ref(), clips, self.args.additive, remarks)
            }
            _ => {
                let (skeleton, losses) = adapt::to_pxd_skeleton(skeleton);
                let bytes = pxd::write_skeleton(&skeleton).map_err(anyhow::Error::from);
                bytes.map(|bytes| (bytes, losses))
            }
        };
        let (bytes, left_out) = made.map_err(|error| failure(&error, rig, target, None))?;
        let losses = &mut rig.remarks.of(&rig.name).losses;
        losses.extend(left_out);
        if target == MotionTarget::PxdSkeleton && !rig.clips.is_empty() {
            let count = rig.clips.len() as u64;
            losses.add_many("animations", count, || "animations[0]".to_owned());
        }
        Ok(vec![(self.output.to_owned(), bytes)])
    }

    fn motions(
        &self,
        rig: &mut MotionRig,
        skeleton: Option<&Skeleton>,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
        let has_place = self.output.to_string_lossy().contains(ANIMATION);
        let paths = match rig.clips.as_slice() {
            [] => return Err(usage(rig, "no motion to write; name files with --motion")),
            [_] if !has_place => vec![self.output.to_owned()],
            _ => self.names(rig)?,
        };
        let mut files = Vec::with_capacity(paths.len());
        for (clip, path) in rig.clips.iter().zip(paths) {
            let made = motion(self.target, clip, skeleton, self.args.additive);
            let (bytes, losses) =
                made.map_err(|error| failure(&error, rig, self.target, Some(clip)))?;
            files.push((path, bytes));
            let about = rig.remarks.of(&clip.file);
            about.losses.extend(clip.losses.clone());
            about.losses.extend(losses);
        }
        Ok(files)
    }

    fn names(&self, rig: &MotionRig) -> Result<Vec<PathBuf>, Failure> {
        let text = self.output.to_string_lossy();
        if !text.contains(ANIMATION) {
            if let Some(place) = text.find('{').and_then(|at| text.get(at..)) {
                let field = place.split_inclusive('}').next().unwrap_or(place);
                let why = format!("unknown field {field} in an output name: expected {ANIMATION}");
                return Err(usage(rig, &why));
            }
            let what = self.target.name();
            let clips = animations_in_words(names(&rig.clips));
            let why = format!(
                "{what} holds one motion, but the input has {clips}; choose one with -a, or write all with {ANIMATION} in the name of the output"
            );
            return Err(usage(rig, &why));
        }
        let names = rig.clips.iter().map(|clip| safe(&clip.name));
        let paths: Vec<PathBuf> =
            { names }.map(|name| PathBuf::from(text.replace(ANIMATION, &name))).collect();
        let mut seen = HashSet::new();
        match paths.iter().find(|path| !seen.insert(key(&path.to_string_lossy()))) {
            None => Ok(paths),
            Some(twice) => {
                let twice = twice.display();
                Err(usage(rig, &format!("two motions would be written to {twice}")))
            }
        }
    }
}

/// A format that motions or skeletons are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::pchr) enum MotionTarget {
    /// SEAnim, in its canonical form.
    Seanim,
    /// The mirror of SEAnim.
    SeanimJson,
    PxdAnimation,
    PxdSkeleton,
    /// glTF: a skeleton and all motions.
    Gltf(Container),
}

impl MotionTarget {
    /// Name of the format for messages.
    const fn name(self) -> &'static str {
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
type Made = anyhow::Result<(Vec<u8>, Losses)>;

/// The failure of a run that writes motions of `rig`, or the one of them that it is about.
fn failure(
    error: &anyhow::Error,
    rig: &MotionRig,
    target: MotionTarget,
    clip: Option<&RigClip>,
) -> Failure {
    if error.downcast_ref::<Unadaptable>() == Some(&Unadaptable::Skeleton) {
        return no_skeleton(rig, target);
    }
    let file = clip.map_or(&rig.name, |clip| &clip.file);
    match clip.filter(|_| rig.clips.len() > 1) {
        Some(clip) => Failure::Rejected(format!("{file}: {}: {error}", clip.name)),
        None => Failure::Rejected(format!("{file}: {error}")),
    }
}

fn no_skeleton(rig: &MotionRig, target: MotionTarget) -> Failure {
    let what = target.name();
    let mut clips = rig.clips.iter().filter(|clip| clip.motion.numbers_bones());
    let several = clips.find_map(|clip| several_beside(&clip.path));
    let how = several
        .unwrap_or_else(|| "choose a .skl.pxd, glTF or character file with --skeleton".to_owned());
    usage(rig, &format!("{what} needs a skeleton; {how}"))
}

fn usage(rig: &MotionRig, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", rig.name))
}

fn motion(
    target: MotionTarget,
    clip: &RigClip,
    skeleton: Option<&Skeleton>,
    additive: AdditiveRotation,
) -> Made {
    if target == MotionTarget::PxdAnimation {
        // Its own tracks have numbers already.
        let own = Skeleton::default();
        let skeleton = match skeleton {
            None if clip.motion.dialect == Dialect::Pxd => &own,
            other => other.ok_or(Unadaptable::Skeleton)?,
        };
        let (motion, losses) = adapt::to_pxd(&clip.motion, skeleton, additive)?;
        let bytes = pxd::write_animation(&motion)?;
        return Ok((bytes, losses));
    }
    let (motion, mut losses) = adapt::to_seanim(&clip.motion, skeleton)?;
    let (bytes, left_out) = match target {
        MotionTarget::SeanimJson => {
            let mut text = Vec::new();
            let left_out = seanim_json::write(&motion, &mut text)?;
            (text, left_out)
        }
        _ => seanim::write_canonical(&motion)?,
    };
    losses.extend(left_out);
    Ok((bytes, losses))
}

/// Writes a skeleton and its motions, or a whole character. Losses of a motion are reported for its file.
fn gltf(
    container: Container,
    skeleton: &Skeleton,
    character: Option<&Character>,
    clips: &[RigClip],
    additive: AdditiveRotation,
    remarks: &mut Remarks,
) -> Made {
    let mut keys = Vec::with_capacity(clips.len());
    for clip in clips {
        let words = |error: &dyn std::fmt::Display| anyhow::anyhow!("{}: {error}", clip.name);
        let losses = &mut remarks.of(&clip.file).losses;
        let mut of_clip = clip.losses.clone();
        of_clip.retain(|loss| character.is_none() || !plane::OF_MESHES.contains(&loss.what));
        losses.extend(of_clip);
        let binding = adapt::bind(&clip.motion, skeleton, losses);
        let binding = binding.map_err(|error| words(&error))?;
        let laid = LocalKeys::new(&clip.motion, skeleton, &binding, additive);
        keys.push(laid.map_err(|error| words(&error))?);
    }
    let clips: Vec<gltf::GltfClip<'_>> = { clips.iter().zip(&keys) }
        .map(|(clip, keys)| gltf::GltfClip {
            name: &clip.name,
            motion: &clip.motion,
            keys,
            frames: clip.frames.filter(|_| character.is_some()),
        })
        .collect();
    let written = match character {
        Some(character) => gltf::write_character(character, skeleton, &clips, container),
        None => gltf::write(skeleton, &clips, container),
    };
    Ok(written?)
}
