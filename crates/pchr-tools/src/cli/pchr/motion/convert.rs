//! `pchr convert` of motions and skeletons.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr_foreign::motion::{AdditiveRotation, Dialect, Skeleton};

use super::rig::{Chosen, Clip, Rig, clips_in_words};
use super::skeleton;
use super::target::{self, Target, no_skeleton, usage};
use crate::cli::pchr::report::{OutputReport, WrittenReport};
use crate::file_name::{key, safe};
use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};

/// Place of a motion's name in an output path.
const ANIMATION: &str = "{animation}";

/// A conversion.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct Convert<'a> {
    pub(in crate::cli::pchr) target: Target,
    pub(in crate::cli::pchr) output: &'a Path,
    pub(in crate::cli::pchr) json: bool,
    /// The file whose bones the motions move.
    pub(in crate::cli::pchr) skeleton: Option<&'a Path>,
    /// The animation that is written, by name or index.
    pub(in crate::cli::pchr) animation: Option<&'a str>,
    pub(in crate::cli::pchr) additive: AdditiveRotation,
    pub(in crate::cli::pchr) input: InputArgs,
}

impl Convert<'_> {
    /// Writes motions, or a skeleton, and lists content that was not carried over.
    pub(in crate::cli::pchr) fn run(
        self,
        mut rig: Rig,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let name = rig.name.clone();
        let skeleton = self.skeleton(&mut rig, messages, disk)?;
        if let Some(wanted) = self.animation {
            let chosen = Chosen { wanted }.among(&rig.clips, &rig.name)?;
            rig.clips = vec![rig.clips.swap_remove(chosen)];
        }
        if let Some(skeleton) = skeleton.as_deref() {
            for clip in &rig.clips {
                skeleton::compare(&clip.file, &clip.motion, skeleton, messages);
            }
        }
        let files = self.make(&mut rig, skeleton.as_deref())?;
        let mut report = WrittenReport::new(&name, rig.format);
        let paths: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
        if self.output != Path::new("-") {
            disk.check(paths.iter().copied())?;
            output::make_folders(paths)?;
        }
        for (path, bytes) in files {
            if self.output == Path::new("-") {
                output::write_stdout(&bytes)?;
            } else {
                disk.write(&path, &bytes)?;
                let written = OutputReport::new(&path, bytes.len());
                report.outputs.push(written);
            }
        }
        rig.remarks.say(messages);
        if matches!(self.target, Target::Seanim | Target::SeanimJson) {
            rig.clips.iter().for_each(|clip| clip.say_end(messages));
        }
        if !self.json {
            return Ok(());
        }
        rig.remarks.report(&name, &mut report);
        output::write_json(&report)
    }

    /// Returns the skeleton that the user named, else the file's own, else the one beside a motion that numbers its bones.
    fn skeleton(
        &self,
        rig: &mut Rig,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<Option<Arc<Skeleton>>, Failure> {
        if self.skeleton.is_none() && rig.skeleton.is_some() {
            return Ok(rig.skeleton.take());
        }
        let numbered = rig.clips.iter().find(|it| it.motion.numbers_bones());
        let is_kept = |clip: &Clip| {
            let is_pxd = clip.motion.dialect == Dialect::Pxd;
            is_pxd && self.target == Target::PxdAnimation
        };
        let found = match (self.skeleton, numbered) {
            (Some(path), _) => path.to_owned(),
            (None, Some(clip)) if !is_kept(clip) => {
                let Some(path) = skeleton::find(None, &clip.path, &clip.motion)? else {
                    return Ok(None);
                };
                let name = &rig.name;
                messages.note(&format!("{name}: skeleton {}", path.display()));
                path
            }
            _ => return Ok(None),
        };
        skeleton::read(disk, &found, self.input).map(|it| Some(Arc::new(it)))
    }

    /// Makes the files, and adds remarks about their inputs.
    fn make(
        &self,
        rig: &mut Rig,
        skeleton: Option<&Skeleton>,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
        let target = self.target;
        if target.is_motion() {
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
            Target::Gltf(container) => {
                let remarks = &mut rig.remarks;
                target::gltf(container, skeleton, &rig.clips, self.additive, remarks)
            }
            _ => target::skeleton(skeleton),
        };
        let (bytes, left_out) = made.map_err(|failed| failed.of(rig, target, None))?;
        let losses = &mut rig.remarks.of(&rig.name).losses;
        losses.extend(left_out);
        if target == Target::PxdSkeleton && !rig.clips.is_empty() {
            let count = rig.clips.len() as u64;
            losses.add_many("animations", count, || "animations[0]".to_owned());
        }
        Ok(vec![(self.output.to_owned(), bytes)])
    }

    /// Makes a file of each motion.
    fn motions(
        &self,
        rig: &mut Rig,
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
            let made = target::motion(self.target, clip, skeleton, self.additive);
            let (bytes, losses) = made.map_err(|failed| failed.of(rig, self.target, Some(clip)))?;
            files.push((path, bytes));
            let about = rig.remarks.of(&clip.file);
            about.losses.extend(clip.losses.clone());
            about.losses.extend(losses);
        }
        Ok(files)
    }

    /// A path for each motion.
    fn names(&self, rig: &Rig) -> Result<Vec<PathBuf>, Failure> {
        let text = self.output.to_string_lossy();
        if !text.contains(ANIMATION) {
            if let Some(place) = text.find('{').and_then(|at| text.get(at..)) {
                let field = place.split_inclusive('}').next().unwrap_or(place);
                let why = format!("unknown field {field} in an output name: expected {ANIMATION}");
                return Err(usage(rig, &why));
            }
            let what = self.target.name();
            let clips = clips_in_words(&rig.clips);
            let why = format!(
                "{what} holds one motion, but the input has {clips}; choose one with -a, or write all with {ANIMATION} in the name of the output"
            );
            return Err(usage(rig, &why));
        }
        let names = rig.clips.iter().map(|clip| safe(&clip.name));
        let paths: Vec<PathBuf> = { names }
            .map(|name| PathBuf::from(text.replace(ANIMATION, &name)))
            .collect();
        let mut seen = HashSet::new();
        match paths
            .iter()
            .find(|path| !seen.insert(key(&path.to_string_lossy())))
        {
            None => Ok(paths),
            Some(twice) => {
                let twice = twice.display();
                Err(usage(
                    rig,
                    &format!("two motions would be written to {twice}"),
                ))
            }
        }
    }
}
