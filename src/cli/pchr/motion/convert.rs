//! `pchr convert` of motions and skeletons.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::rig::{Chosen, Clip, Rig, clips_in_words};
use super::target::{self, Failed, Made, Target};
use super::{numbers_bones, skeleton};
use crate::cli::pchr::report::{OutputReport, WrittenReport};
use crate::cli::pchr::written;
use crate::file_name::{key, safe};
use crate::motion::{AdditiveRotation, Dialect, Skeleton};
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
    /// Writes motions, or a skeleton, and says what was not carried over.
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
        let files = self.make(&rig, skeleton.as_ref())?;
        let mut losses = rig.losses;
        let mut report = WrittenReport::new(&name, rig.format);
        let paths: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
        if self.output != Path::new("-") {
            disk.check(paths.iter().copied())?;
            output::make_folders(paths)?;
        }
        for (path, (bytes, left_out)) in files {
            if self.output == Path::new("-") {
                output::write_stdout(&bytes)?;
            } else {
                disk.write(&path, &bytes)?;
                let written = OutputReport::new(&path, bytes.len());
                report.outputs.push(written);
            }
            losses.extend(left_out);
        }
        rig.others.insert(0, (name.clone(), rig.warnings));
        for (name, odd) in &rig.others {
            messages.oddities(name, odd);
        }
        written::say_losses(&name, &losses, messages);
        if !self.json {
            return Ok(());
        }
        report.not_carried_over = losses.iter().map(Into::into).collect();
        let warnings = rig.others.iter().flat_map(|(other, odd)| {
            let prefix = match *other == name {
                true => String::new(),
                false => format!("{other}: "),
            };
            odd.iter().map(move |finding| format!("{prefix}{finding}"))
        });
        report.warnings = warnings.collect();
        output::write_json(&report)
    }

    /// The skeleton that is named, that of the file, or that beside a motion which numbers its bones.
    fn skeleton(
        &self,
        rig: &mut Rig,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<Option<Skeleton>, Failure> {
        if self.skeleton.is_none() && rig.skeleton.is_some() {
            return Ok(rig.skeleton.take());
        }
        let numbered = rig.clips.iter().find(|it| numbers_bones(&it.motion));
        let is_kept = |clip: &Clip| {
            let is_pxd = clip.motion.dialect == Dialect::Pxd;
            is_pxd && self.target == Target::PxdAnimation
        };
        let found = match (self.skeleton, numbered) {
            (Some(path), _) => path.to_owned(),
            (None, Some(clip)) if !is_kept(clip) => {
                let Some(path) = skeleton::find(None, &clip.path, &clip.motion) else {
                    return Ok(None);
                };
                let name = &rig.name;
                messages.note(&format!("{name}: skeleton {}", path.display()));
                path
            }
            _ => return Ok(None),
        };
        skeleton::read(disk, &found, self.input).map(Some)
    }

    fn make(
        &self,
        rig: &Rig,
        skeleton: Option<&Skeleton>,
    ) -> Result<Vec<(PathBuf, Made)>, Failure> {
        let (name, target) = (&rig.name, self.target);
        let failure = |clip: Option<&Clip>, failed| match (failed, clip) {
            (Failed::Skeleton, _) => no_skeleton(rig, self.target),
            (Failed::Words(words), Some(clip)) if rig.clips.len() > 1 => {
                Failure::Rejected(format!("{name}: {}: {words}", clip.name))
            }
            (Failed::Words(words), _) => Failure::Rejected(format!("{name}: {words}")),
        };
        let alone = |made: Result<Made, Failed>| {
            let made = made.map_err(|failed| failure(None, failed))?;
            Ok(vec![(self.output.to_owned(), made)])
        };
        if !target.is_motion() {
            let skeleton = skeleton.ok_or_else(|| no_skeleton(rig, self.target))?;
            return alone(match target {
                Target::Gltf(container) => {
                    target::gltf(container, skeleton, &rig.clips, self.additive)
                }
                _ => target::skeleton(skeleton),
            });
        }
        let write = |clip| target::motion(target, clip, skeleton, self.additive);
        match rig.clips.as_slice() {
            [] => Err(usage(rig, "no motion; --motion names files with them")),
            [clip] if !self.output.to_string_lossy().contains(ANIMATION) => alone(write(clip)),
            clips => {
                let names = self.names(rig)?;
                let files = clips.iter().zip(names).map(|(clip, path)| {
                    let made = write(clip).map_err(|failed| failure(Some(clip), failed))?;
                    Ok((path, made))
                });
                files.collect()
            }
        }
    }

    /// A path for each motion.
    fn names(&self, rig: &Rig) -> Result<Vec<PathBuf>, Failure> {
        let text = self.output.to_string_lossy();
        if !text.contains(ANIMATION) {
            let what = self.target.name();
            let clips = clips_in_words(&rig.clips);
            let why = format!(
                "{what} holds one motion, and this has {clips}; -a names one, and {ANIMATION} in the output's name writes all"
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
                Err(usage(rig, &format!("two motions would become {twice}")))
            }
        }
    }
}

fn no_skeleton(rig: &Rig, target: Target) -> Failure {
    let what = target.name();
    let why = format!(
        "{what} wants a skeleton; --skeleton names a .skl.pxd, glTF or character file with it"
    );
    usage(rig, &why)
}

fn usage(rig: &Rig, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", rig.name))
}
