//! 3D motions and skeletons: what `pchr convert` makes of them.

mod convert;
pub(super) mod rig;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
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
pub(super) use rig::MotionRig;

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

/// Options for motions.
#[derive(Debug, Args)]
pub(super) struct MotionArgs {
    /// Motion to write with the skeleton, or to add to the character, instead of those in the file (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(super) motion: Vec<PathBuf>,
    /// Skeleton of the motions: a .skl.pxd file, glTF or a character [default for an .anm.pxd: the one beside it]
    #[arg(long, value_name = "FILE")]
    pub(super) skeleton: Option<PathBuf>,
    /// The motion to write, by name or index, if there are several
    #[arg(short, long, value_name = "NAME|INDEX")]
    pub(super) animation: Option<String>,
    /// How to read rotations of additive SEAnim motions (programs differ)
    #[arg(long, value_name = "READING", value_parser = additive(), default_value = "on-rest")]
    pub(super) additive: AdditiveRotation,
    /// For a character: factor for the motion's distances, like 100 if 100 pixels are a metre
    #[arg(
        long,
        value_name = "FACTOR",
        requires = "motion",
        value_parser = factor,
        allow_hyphen_values = true,
        default_value_t = 1.0
    )]
    pub(super) motion_scale: f64,
    /// For a character: leave out root motion, instead of adding it to the root bones
    #[arg(long, requires = "motion")]
    pub(super) in_place: bool,
    /// For a character with a different frame rate: keep the frames, not the speed
    #[arg(long, requires = "motion")]
    pub(super) keep_frames: bool,
}

fn factor(text: &str) -> Result<f64, String> {
    let factor: Option<f64> = text.trim().parse().ok();
    let factor = factor.filter(|factor| (1e-9..=1e9).contains(factor));
    factor.ok_or_else(|| "expected a number from 1e-9 to 1e9, like 100".into())
}

impl MotionArgs {
    /// Adds an animation to a character for each motion; also returns what there is to tell of the motions.
    pub(super) fn apply(
        &self,
        mut character: Input,
        input: InputArgs,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(Input, Remarks), Failure> {
        let mut remarks = Remarks::default();
        let mut clips = rig::motions(&self.motion, input, disk, &mut remarks)?;
        if let Some(wanted) = &self.animation {
            let files = self.motion.iter().map(|path| path.display().to_string());
            let files: Vec<String> = files.collect();
            let chosen = chosen(wanted, rig::names(&clips), &files.join(", "))?;
            clips = vec![clips.swap_remove(chosen)];
        }
        for clip in &clips {
            let names = self.names(clip, input, messages, disk)?;
            let options = ApplyOptions {
                scale: self.motion_scale,
                timing: if self.keep_frames { Timing::FrameByFrame } else { Timing::Resample },
                root: match self.in_place {
                    true => RootMotionUse::LeaveOut,
                    false => RootMotionUse::MoveRoots,
                },
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
            tell(clip, &applied.animation.name, &applied.report, messages);
            clip.say_end(messages);
            let about = remarks.of(&clip.file);
            about.losses.extend(clip.losses.clone());
            about.losses.extend(applied.report.losses);
            about.odd.extend(applied.report.findings);
            character = character.with_document(document);
        }
        Ok((character, remarks))
    }

    /// The skeleton that has the names of bones which the motion numbers.
    fn names(
        &self,
        clip: &RigClip,
        input: InputArgs,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<Option<Arc<Skeleton>>, Failure> {
        if clip.own.is_some() || !clip.motion.numbers_bones() {
            return Ok(clip.own.clone());
        }
        let Some(path) = rig::find(self.skeleton.as_deref(), &clip.path, &clip.motion)? else {
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
        rig::read(disk, &path, input).map(|it| Some(Arc::new(it)))
    }
}

/// Explains what came of a motion.
fn tell(clip: &RigClip, name: &str, report: &Report, messages: &Messages) {
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
