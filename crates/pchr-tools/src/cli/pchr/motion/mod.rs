//! 3D motions and skeletons, from one file or several, and what `pchr convert` makes of them.

mod convert;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::TypedValueParser;

use pchr::character::Character;
use pchr::document::AnimationId;
use pchr::format::Losses;
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::format::pxd::PxdContent;
use pchr_foreign::motion::{AdditiveRotation, Dialect, Motion, Skeleton};
use pchr_foreign::plane::{self, ApplyOptions, Report, RootMotionUse, Timing};

use super::content::{self, Content, FileInput};
use super::report::Remarks;
use super::{Run, chosen};
use crate::files::motion_name;
use crate::open::several_beside;
use crate::run::Failure;
use crate::run::input::{self, Input};
use crate::run::messages::Messages;
use crate::text::words;

pub(super) use convert::{ConvertMotions, MotionTarget};

pub(super) fn additive() -> impl TypedValueParser<Value = AdditiveRotation> {
    use AdditiveRotation::{Absolute, OnRest};
    super::one_of([
        ("on-rest", "On top of the rest rotation, as Maya's importer does", OnRest),
        ("absolute", "In place of the rest rotation, as Blender's importer does", Absolute),
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
    /// Adds an animation to a character for each motion, and remarks about them.
    pub(super) fn apply(
        &self,
        mut character: Input,
        run: Run<'_>,
        remarks: &mut Remarks,
    ) -> Result<Input, Failure> {
        let mut clips = read_motions(&self.motion, run, remarks)?;
        if let Some(wanted) = &self.animation {
            let files = self.motion.iter().map(|path| path.display().to_string());
            let files: Vec<String> = files.collect();
            let chosen = chosen(wanted, names(&clips), &files.join(", "))?;
            clips = vec![clips.swap_remove(chosen)];
        }
        for clip in &clips {
            let names = self.names(clip, run)?;
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
            tell(clip, &applied.animation.name, &applied.report, run.messages);
            clip.say_end(run.messages);
            let about = remarks.of(&clip.file);
            about.losses.extend(clip.losses.clone());
            about.losses.extend(applied.report.losses);
            about.odd.extend(applied.report.findings);
            character = character.with_document(document);
        }
        Ok(character)
    }

    /// The skeleton that has the names of bones which the motion numbers.
    fn names(&self, clip: &RigClip, run: Run<'_>) -> Result<Option<Arc<Skeleton>>, Failure> {
        let RigClip { path, file, motion, own, .. } = clip;
        if own.is_some() || !motion.numbers_bones() {
            return Ok(own.clone());
        }
        let found = find_skeleton(self.skeleton.as_deref(), (path, file), motion, run)?;
        let found = found.ok_or_else(|| {
            let none = "no .skl.pxd beside it names them; choose one with --skeleton";
            let how = several_beside(path).unwrap_or_else(|| none.to_owned());
            Failure::Usage(format!("{file}: the motion refers to its bones by number, and {how}"))
        })?;
        Ok(Some(Arc::new(found)))
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

/// A skeleton and motions of it.
#[derive(Debug)]
pub(super) struct MotionRig {
    /// The name that messages give the file.
    name: String,
    /// Stable name of its format.
    format: &'static str,
    skeleton: Option<Arc<Skeleton>>,
    /// The character that the skeleton is of.
    character: Option<Character>,
    clips: Vec<RigClip>,
    remarks: Remarks,
}

/// A motion with a name.
#[derive(Debug)]
struct RigClip {
    /// Its name in the file, or the file's.
    name: String,
    path: PathBuf,
    /// The name that messages give the file.
    file: String,
    motion: Motion,
    /// Parts of the animation without a place in the motion.
    losses: Losses,
    /// The skeleton that the file has, too.
    own: Option<Arc<Skeleton>>,
    /// The animation of the character.
    frames: Option<AnimationId>,
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
    fn say_end(&self, messages: &Messages) {
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
    pub(super) fn of(content: Content, path: &Path) -> Option<Self> {
        let rig = |name: String, format, odd, losses| Self {
            remarks: Remarks::about(&name, odd, losses),
            name,
            format,
            skeleton: None,
            character: None,
            clips: Vec::new(),
        };
        Some(match content {
            Content::Motion(input) => {
                let FileInput { name, file, .. } = *input;
                let clips = vec![RigClip::new(path, &name, file.motion)];
                Self { clips, ..rig(name, file.format.id(), file.warnings, file.losses) }
            }
            Content::Pxd(input) => {
                let FileInput { name, file, .. } = *input;
                let format = file.content.kind().id();
                let (skeleton, clips) = match file.content {
                    PxdContent::Skeleton(skeleton) => (Some(Arc::new(skeleton)), Vec::new()),
                    PxdContent::Animation(it) => (None, vec![RigClip::new(path, &name, *it)]),
                };
                Self { skeleton, clips, ..rig(name, format, file.warnings, Losses::default()) }
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
                let (clips, skeleton) = (clips.collect(), Some(skeleton));
                Self { skeleton, clips, ..rig(name, "gltf", file.warnings, file.losses) }
            }
            Content::Character(input) => Self::of_character(&input, path),
            Content::Atlas(_) => return None,
        })
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
    fn drop_character(&mut self) {
        let Some(character) = self.character.take() else { return };
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
    pub(super) fn with_motions(mut self, files: &[PathBuf], run: Run<'_>) -> Result<Self, Failure> {
        if !files.is_empty() {
            self.clips = read_motions(files, run, &mut self.remarks)?;
        }
        Ok(self)
    }
}

fn read_motions(
    files: &[PathBuf],
    run: Run<'_>,
    remarks: &mut Remarks,
) -> Result<Vec<RigClip>, Failure> {
    let mut clips = Vec::with_capacity(files.len());
    for path in files {
        let rig = match content::read(run.disk, path, run.input)? {
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

fn names(clips: &[RigClip]) -> impl ExactSizeIterator<Item = &str> + Clone {
    clips.iter().map(|clip| clip.name.as_str())
}

/// Reads the skeleton for a motion: the named one or, if the motion numbers its bones, the one beside its file, which is noted.
///
/// # Errors
/// [`Failure::Running`] if the folder of the motion cannot be read, and those of [`read_skeleton`].
pub(super) fn find_skeleton(
    named: Option<&Path>,
    (path, file): (&Path, &str),
    motion: &Motion,
    run: Run<'_>,
) -> Result<Option<Skeleton>, Failure> {
    let beside = match named {
        None if motion.numbers_bones() => input::skeleton_beside(path)?,
        _ => None,
    };
    if let Some(path) = &beside {
        run.messages.note(&format!("{file}: skeleton {}", path.display()));
    }
    named.or(beside.as_deref()).map(|path| read_skeleton(path, run)).transpose()
}

/// The bones of a character in its bind pose.
fn of_character(input: &Input) -> Skeleton {
    let bind = BindPose::new(&input.document, BindChoice::Auto);
    plane::skeleton(&input.document, &bind)
}

/// Reads a skeleton, or that of a character.
fn read_skeleton(path: &Path, run: Run<'_>) -> Result<Skeleton, Failure> {
    let skeleton = match content::read(run.disk, path, run.input)? {
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
pub(super) fn compare_bones(file: &str, motion: &Motion, skeleton: &Skeleton, messages: &Messages) {
    let (tracks, bones) = (motion.tracks().len(), skeleton.bones().len());
    if motion.numbers_bones() && motion.dialect == Dialect::Pxd && tracks != bones {
        let (tracks, bones) =
            (words::count(tracks, "track", "tracks"), words::count(bones, "bone", "bones"));
        messages.warning(&format!(
            "{file}: {tracks}, but the skeleton has {bones}; those in both are used. It may be the skeleton of another motion"
        ));
    }
}
