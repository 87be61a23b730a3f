//! 3D motions and skeletons: what `pchr convert` makes of them.

mod convert;
pub(super) mod rig;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::TypedValueParser;

use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::{AdditiveRotation, Skeleton};
use pchr_foreign::plane::{self, ApplyOptions, Report, RootMotionUse, Timing};

use self::rig::RigClip;
use crate::cli::pchr::chosen;
use crate::cli::pchr::report::Remarks;
use crate::files;
use crate::run::input::{Input, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::text::words;

pub(super) use convert::{ConvertMotions, MotionTarget};
pub(super) use rig::Rig;

/// Returns a parser of the reading of rotations in additive motions.
pub(super) fn additive() -> impl TypedValueParser<Value = AdditiveRotation> {
    super::one_of([
        (
            "on-rest",
            "On top of the rest rotation, as Maya's importer does",
            AdditiveRotation::OnRest,
        ),
        (
            "absolute",
            "In place of the rest rotation, as Blender's importer does",
            AdditiveRotation::Absolute,
        ),
    ])
}

/// Motions for a character.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct Apply<'a> {
    /// The files of the motions.
    pub(in crate::cli::pchr) motions: &'a [PathBuf],
    /// The skeleton of motions that number their bones.
    pub(in crate::cli::pchr) skeleton: Option<&'a Path>,
    /// The one motion that is applied, by name or index.
    pub(in crate::cli::pchr) animation: Option<&'a str>,
    pub(in crate::cli::pchr) additive: AdditiveRotation,
    /// Factor of translations.
    pub(in crate::cli::pchr) scale: f64,
    pub(in crate::cli::pchr) root: RootMotionUse,
    pub(in crate::cli::pchr) timing: Timing,
    pub(in crate::cli::pchr) input: InputArgs,
}

/// A character with more animations.
#[derive(Debug)]
pub(in crate::cli::pchr) struct AppliedMotions {
    pub(in crate::cli::pchr) character: Input,
    /// Things to tell of the motions.
    pub(in crate::cli::pchr) remarks: Remarks,
}

impl Apply<'_> {
    /// Adds an animation for each motion.
    pub(in crate::cli::pchr) fn run(
        self,
        mut character: Input,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<AppliedMotions, Failure> {
        let mut remarks = Remarks::default();
        let mut clips = rig::motions(self.motions, self.input, disk, &mut remarks)?;
        if let Some(wanted) = self.animation {
            let files = self.motions.iter().map(|path| path.display().to_string());
            let files: Vec<String> = files.collect();
            let chosen = chosen(wanted, rig::names(&clips), &files.join(", "))?;
            clips = vec![clips.swap_remove(chosen)];
        }
        for clip in &clips {
            let names = self.names(clip, messages, disk)?;
            let options = ApplyOptions {
                scale: self.scale,
                timing: self.timing,
                root: self.root,
                additive: self.additive,
                names: names.as_deref(),
            };
            let document = &character.document;
            let bind = BindPose::new(document, BindChoice::Auto);
            let file = &clip.file;
            let refused =
                |error: &dyn std::fmt::Display| Failure::Rejected(format!("{file}: {error}"));
            let applied = plane::apply(document, &bind, &clip.motion, &clip.name, &options)
                .map_err(|error| refused(&error))?;
            let document =
                plane::add(document, &applied.animation).map_err(|error| refused(&error))?;
            self.tell(clip, &applied.animation.name, &applied.report, messages);
            clip.say_end(messages);
            let about = remarks.of(&clip.file);
            about.losses.extend(clip.losses.clone());
            about.losses.extend(applied.report.losses);
            about.odd.extend(applied.report.findings);
            character = character.with_document(document);
        }
        Ok(AppliedMotions { character, remarks })
    }

    /// The skeleton that has the names of bones which the motion numbers.
    fn names(
        &self,
        clip: &RigClip,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<Option<Arc<Skeleton>>, Failure> {
        if clip.own.is_some() || !clip.motion.numbers_bones() {
            return Ok(clip.own.clone());
        }
        let Some(path) = rig::find(self.skeleton, &clip.path, &clip.motion)? else {
            let several = files::several_beside(&clip.path);
            let how = several.unwrap_or_else(|| {
                "no .skl.pxd beside it names them; choose one with --skeleton".to_owned()
            });
            return Err(Failure::Usage(format!(
                "{}: the motion refers to its bones by number, and {how}",
                clip.file
            )));
        };
        if self.skeleton.is_none() {
            let file = &clip.file;
            messages.note(&format!("{file}: skeleton {}", path.display()));
        }
        rig::read(disk, &path, self.input).map(|it| Some(Arc::new(it)))
    }

    /// Explains what came of a motion.
    fn tell(&self, clip: &RigClip, name: &str, report: &Report, messages: &Messages) {
        let file = &clip.file;
        let note = |text: &str| messages.note(&format!("{file}: {text}"));
        if report.renamed {
            note(&format!(
                "added as {name:?}: the original name is already used, or would mark the bind pose"
            ));
        }
        if let Some(resampled) = report.resampled {
            let frames = words::count(resampled.from_frames, "frame", "frames");
            note(&format!(
                "{frames} at {} per second became {} at the character's {} per second",
                resampled.from, resampled.to_frames, resampled.to
            ));
        }
        if report.moves_roots {
            note("root motion was added to the root bones; leave it out with --in-place");
        }
        if !report.still.is_empty() {
            let still = words::count(report.still.len(), "bone stays", "bones stay");
            messages.detail(&format!("note: {file}: {still} in the bind pose"));
        }
    }
}
