//! The pictures, their cameras and their files: everything that is known before drawing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use pchr::document::AnimationId;
use pchr::finding::quoted;
use pchr::playback::{FrameAt, FrameSpec, FrameSpecError, Mix};
use pchr::scene::{Camera, Subject, ViewOptions};

use super::cameras::CamerasJob;
use super::{CameraOf, Output, Shown, ViewError, mixes, select};
use crate::capture::{Shot, Template, TemplateFields};
use crate::file_name;

/// Pictures of one run, at most. A small file may announce a billion frames.
const MOST_PICTURES: usize = 100_000;
/// Bytes of a picture's path, at most; no system takes longer ones.
const LONGEST_PATH: usize = 4096;

/// The pictures to take.
pub(crate) struct PicturePlan {
    /// One entry for each picture.
    pub(crate) shots: Vec<Shot>,
    /// Paths of the output.
    pub(crate) target: PictureTarget,
    /// True if fits are exact, and not only large enough.
    pub(crate) exact: bool,
}

/// The moment that a picture shows; `None` is the stored pose.
type PlannedMoment = Option<FrameAt>;

/// The camera that a picture has to have, if that is known: by its path.
pub(crate) type KnownCamera<'a> = &'a dyn Fn(&Path) -> Option<Camera>;

/// Output of pictures.
pub(crate) enum PictureTarget {
    /// One PNG on stdout.
    Stdout,
    /// One file a shot.
    Files(Vec<PathBuf>),
    /// An atlas at this path, with one sprite a shot: its name.
    Sheet(PathBuf, Vec<String>),
    /// Animations, in the order of their shots.
    Animations(Vec<AnimationFile>),
}

/// An animation in a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnimationFile {
    pub(crate) path: PathBuf,
    /// The animation; `None` for the stored pose.
    pub(crate) animation: Option<AnimationId>,
    /// Number of its shots, which follow each other; at least 1.
    pub(crate) frames: usize,
    /// Frames per second.
    pub(crate) rate: f64,
}

/// Pictures that options mean, and where they go.
#[derive(Clone, Debug)]
pub(crate) struct PlanJob<'a> {
    pub(crate) options: &'a Shown,
    pub(crate) output: &'a Output,
    /// True if pictures of several animations go to a folder each, regardless of the output path.
    pub(crate) folders: bool,
    /// Name of the file, for `{file}` in the template.
    pub(crate) stem: String,
    /// Pictures per second of an animation; `None` for the frames of its clip.
    pub(crate) fps: Option<f64>,
}

impl PlanJob<'_> {
    /// Plans the pictures of a subject. `known` may know the camera of a picture; `other` gives the cameras of the others.
    ///
    /// # Errors
    /// [`ViewError`] if a requested item does not exist.
    pub(crate) fn run(
        &self,
        subject: &dyn Subject,
        view: &ViewOptions,
        known: KnownCamera<'_>,
        other: Option<&CameraOf>,
    ) -> Result<PicturePlan, ViewError> {
        let (moments, target) = self.moments_and_target(subject)?;
        let mixes = mixes::mixes(self.options, subject, &moments)?;
        let moments = moments.into_iter().zip(mixes).collect();
        let known = |index: usize| match &target {
            PictureTarget::Stdout | PictureTarget::Sheet(..) | PictureTarget::Animations(_) => None,
            PictureTarget::Files(paths) => paths.get(index).and_then(|path| known(path)),
        };
        let cameras = CamerasJob { options: self.options, subject, view, other };
        let (shots, exact) = cameras.run(moments, &known)?;
        Ok(PicturePlan { shots, target, exact })
    }

    /// Note about an animation that is itself called `all`, if all are taken.
    pub(crate) fn note(&self, subject: &dyn Subject) -> Option<String> {
        let wanted = self.options.animation.as_deref()?;
        let mut names = subject.animation_names();
        let index = names.position(|name| name == "all" && wanted == "all")?;
        if subject.all().is_some() {
            return None; // it shows the same
        }
        Some(format!(
            "\"all\" selects every animation; -a #{index} selects the one that is named \"all\""
        ))
    }

    /// Returns the paths of the pictures, without the work of finding cameras.
    ///
    /// # Errors
    /// Those of [`Self::run`].
    pub(crate) fn target(&self, subject: &dyn Subject) -> Result<PictureTarget, ViewError> {
        self.moments_and_target(subject).map(|(_, target)| target)
    }

    /// Paths of the pictures that the subject has frames for, although it lacks others that are asked for.
    pub(crate) fn paths_within(&self, subject: &dyn Subject) -> Vec<PathBuf> {
        let animations = animations(self.options, subject).unwrap_or_default();
        let frames = |id: &AnimationId| {
            let count = subject.frame_count(*id);
            let frames = self.options.frame().frames_within(count).into_iter();
            let id = *id;
            frames.map(move |frame| Some(FrameAt::exact(id, frame)))
        };
        let moments: Vec<PlannedMoment> =
            animations.iter().flat_map(frames).take(MOST_PICTURES).collect();
        match target(self, subject, &moments) {
            Ok(PictureTarget::Files(paths)) => paths,
            _ => Vec::new(),
        }
    }

    fn moments_and_target(
        &self,
        subject: &dyn Subject,
    ) -> Result<(Vec<PlannedMoment>, PictureTarget), ViewError> {
        let animations = animations(self.options, subject)?;
        let is_moving = matches!(self.output, Output::Apng(_));
        let whole =
            Shown { frame: Some(FrameSpec::From { start: 0, step: 1 }), ..self.options.clone() };
        let is_open = self.options.frame.is_none() && self.options.time.is_none();
        let moments = match self.fps {
            Some(_) if !is_open => {
                let why = "--fps chooses the moments; leave out --frame and --time";
                return Err(ViewError::new("fps", why));
            }
            Some(fps) => resampled(self.options, subject, &animations, fps)?,
            None if is_moving && is_open => moments(&whole, subject, &animations)?,
            None => moments(self.options, subject, &animations)?,
        };
        let target = target(self, subject, &moments)?;
        Ok((moments, target))
    }
}

impl Shown {
    /// Returns its first moment in a subject, and the cross-fade from it; `None` for the stored pose. An animation named `all` goes
    /// before all animations.
    ///
    /// # Errors
    /// [`ViewError`] if the animation or the frame does not exist.
    pub fn moment(
        &self,
        subject: &dyn Subject,
    ) -> Result<Option<(FrameAt, Option<Mix>)>, ViewError> {
        let all = self.animation.as_deref().filter(|name| *name == "all");
        let named = all.and_then(|all| {
            let mut ids = subject.animation_ids();
            ids.find(|id| subject.animation_name(*id) == all)
        });
        let animations = match named {
            Some(id) => vec![id],
            None => animations(self, subject)?,
        };
        let moments = moments(self, subject, &animations)?;
        let mixes = mixes::mixes(self, subject, &moments)?;
        let first = moments.into_iter().flatten().zip(mixes).next();
        Ok(first)
    }
}

fn animations(options: &Shown, subject: &dyn Subject) -> Result<Vec<AnimationId>, ViewError> {
    if let Some(mix) = &options.mix {
        let [from, _] = mixes::animations(mix, subject)?;
        return Ok(vec![from]);
    }
    let with_frames = |id: &AnimationId| subject.frame_count(*id) > 0;
    match options.animation.as_deref() {
        None => Ok(subject.default_animation().into_iter().collect()),
        // An animation that is named "all" is meant by its index.
        Some("all") => Ok(match subject.all() {
            Some(all) => vec![all],
            None => subject.animation_ids().filter(with_frames).collect(),
        }),
        Some(wanted) => {
            let mut ids = select::animations(subject, wanted)?;
            ids.retain(with_frames);
            if ids.is_empty() {
                let text = format!("animation {wanted:?} has no frames");
                return Err(frame_error(text));
            }
            Ok(ids)
        }
    }
}

fn moments(
    options: &Shown,
    subject: &dyn Subject,
    animations: &[AnimationId],
) -> Result<Vec<PlannedMoment>, ViewError> {
    let mut moments = Vec::new();
    let with_id = |id: &AnimationId| {
        let clip = subject.animation(*id)?;
        Some((*id, clip.name, clip.timeline))
    };
    let animations: Vec<_> = animations.iter().filter_map(with_id).collect();
    let mut count = 0_usize;
    for (.., timeline) in &animations {
        let of_one = options.frame().number(timeline.frame_count).unwrap_or(0);
        count = count.saturating_add(if options.time.is_some() { 1 } else { of_one });
    }
    if count > MOST_PICTURES {
        return Err(frame_error(format!(
            "{count} pictures of {} animations, expected at most {MOST_PICTURES} in one run; choose fewer animations or frames",
            animations.len()
        )));
    }
    for (id, name, authored) in &animations {
        if let Some(seconds) = options.time {
            moments.push(Some(mixes::moment(options, authored, *id, seconds)));
            continue;
        }
        let frames = options.frame().frames(authored.frame_count);
        let frames = frames.map_err(|error| {
            let hidden = beyond(subject, *id, &error);
            let why = hidden.unwrap_or_else(|| error.to_string());
            frame_error(format!("animation {}: {why}", quoted(name)))
        })?;
        moments.extend(frames.into_iter().map(|frame| Some(FrameAt::exact(*id, frame))));
    }
    if animations.is_empty() {
        // Nothing can be posed: the one picture there is shows the vertices as they are stored.
        let frames =
            options.frame().frames(1_u16).map_err(|error| frame_error(error.to_string()))?;
        moments.extend(frames.into_iter().map(|_| None));
    }
    Ok(moments)
}

/// Moments at even times over each animation, from its start: as many as there is time for. The end of a loop is its start, which
/// is not repeated.
fn resampled(
    options: &Shown,
    subject: &dyn Subject,
    animations: &[AnimationId],
    fps: f64,
) -> Result<Vec<PlannedMoment>, ViewError> {
    let mut moments = Vec::new();
    for id in animations {
        let Some(clip) = subject.animation(*id) else {
            continue;
        };
        let seconds = f64::from(clip.timeline.frame_count) / clip.timeline.fps;
        let count = (seconds * fps).round().max(1.0);
        if moments.len() as f64 + count > MOST_PICTURES as f64 {
            return Err(ViewError::new(
                "fps",
                format!(
                    "more than {MOST_PICTURES} pictures in one run; lower --fps, or choose fewer animations"
                ),
            ));
        }
        let times = (0_u32..).map(f64::from).take_while(|number| *number < count);
        moments.extend(
            times.map(|number| Some(mixes::moment(options, &clip.timeline, *id, number / fps))),
        );
    }
    if moments.is_empty() {
        moments.push(None);
    }
    Ok(moments)
}

/// The error of a frame beyond those that can be shown, if its file has more.
fn beyond(subject: &dyn Subject, id: AnimationId, error: &FrameSpecError) -> Option<String> {
    let FrameSpecError::Range { frame, count } = *error else {
        return None;
    };
    let authored = subject.spatial()?.authored_frames(id);
    let last = count.checked_sub(1).filter(|_| authored > count)?;
    Some(if frame < authored {
        format!(
            "frame {frame} cannot be shown; only 0..={last} of the animation's {authored} frames can"
        )
    } else {
        format!(
            "frame {frame} does not exist; the animation has {authored} frames, of which 0..={last} can be shown"
        )
    })
}

fn target(
    job: &PlanJob<'_>,
    subject: &dyn Subject,
    moments: &[PlannedMoment],
) -> Result<PictureTarget, ViewError> {
    let template = match (job.output, moments.len()) {
        (Output::Files(template), _) => template,
        (Output::Sheet(template), _) => {
            let path = template.fill(&TemplateFields { frame: 0, animation: "", file: &job.stem });
            let names = sprite_names(subject, moments);
            return Ok(PictureTarget::Sheet(path.into(), names));
        }
        (Output::Apng(template), _) => {
            let files = animation_files(job, subject, moments, template)?;
            return Ok(PictureTarget::Animations(files));
        }
        (Output::Stdout, 1) => return Ok(PictureTarget::Stdout),
        (Output::Stdout, count) => {
            return Err(frame_error(format!(
                "{count} pictures, but standard output takes one; choose one frame, or write to files with -o"
            )));
        }
    };
    let labels = labels(subject, moments);
    let mut taken = BTreeMap::new();
    let mut paths = Vec::with_capacity(moments.len());
    for (i, moment) in moments.iter().enumerate() {
        let label = moment.and_then(|at| labels.get(&at.animation));
        let fields = TemplateFields {
            frame: moment.map_or(0, |at| at.frame),
            animation: label.map_or("stored", String::as_str),
            file: &job.stem,
        };
        let mut path = template.fill(&fields);
        if job.folders && labels.len() > 1 && !template.tells_animations_apart() {
            path = format!("{}/{path}", fields.animation);
        }
        if path.len() > LONGEST_PATH {
            return Err(frame_error(format!(
                "the path for {} would be {} bytes long; leave {{animation}} out of -o",
                describe(subject, Some(moment)),
                path.len()
            )));
        }
        if file_name::is_null(Path::new(&path)) {
            paths.push(PathBuf::from(path));
            continue;
        }
        check_names(Path::new(&path))?;
        if let Some(first) = taken.insert(file_name::key(&path), i) {
            let message = format!(
                "{} pictures, but {} and {} would both be written to {path}; put {{frame}} or {{animation}} into -o",
                moments.len(),
                describe(subject, moments.get(first)),
                describe(subject, Some(moment)),
            );
            return Err(frame_error(message));
        }
        paths.push(PathBuf::from(path));
    }
    Ok(PictureTarget::Files(paths))
}

/// Frames from one moment to the next; 1 if they are not evenly apart.
pub(crate) fn step(moments: impl Iterator<Item = Option<FrameAt>>) -> f64 {
    let frames: Vec<_> = moments.map(|at| f64::from(at.map_or(0, |at| at.frame))).collect();
    let mut steps = frames.windows(2).map(|pair| match pair {
        [a, b] => b - a,
        _ => 1.0,
    });
    let first = steps.next().filter(|first| *first > 0.0).unwrap_or(1.0);
    let even = steps.all(|step| step.total_cmp(&first).is_eq());
    if even { first } else { 1.0 }
}

/// The files of animations, each with the moments of one.
fn animation_files(
    job: &PlanJob<'_>,
    subject: &dyn Subject,
    moments: &[PlannedMoment],
    template: &Template,
) -> Result<Vec<AnimationFile>, ViewError> {
    let labels = labels(subject, moments);
    let mut files: Vec<AnimationFile> = Vec::new();
    let mut taken = BTreeSet::new();
    let of = |moment: &PlannedMoment| moment.map(|at| at.animation);
    for part in moments.chunk_by(|a, b| of(a) == of(b)) {
        let animation = part.first().and_then(of);
        let label = animation.and_then(|id| labels.get(&id));
        let path = template.fill(&TemplateFields {
            frame: 0,
            animation: label.map_or("stored", String::as_str),
            file: &job.stem,
        });
        check_names(Path::new(&path))?;
        if !taken.insert(file_name::key(&path)) {
            return Err(ViewError::new(
                "output",
                format!(
                    "{} animations would all be written to {path}; put {{animation}} into -o",
                    labels.len()
                ),
            ));
        }
        let clip = animation.and_then(|id| subject.animation(id));
        let rate = clip.map(|clip| clip.timeline.fps / step(part.iter().copied()));
        files.push(AnimationFile {
            path: path.into(),
            animation,
            frames: part.len(),
            rate: job.fps.or(rate).unwrap_or(1.0),
        });
    }
    Ok(files)
}

/// Names of the sprites of an atlas: those of animation and frame, like `walk/0012`, which are fit for files; an animation with the
/// name of one before it has its index, too.
fn sprite_names(subject: &dyn Subject, moments: &[PlannedMoment]) -> Vec<String> {
    let mut folders: BTreeMap<AnimationId, String> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut name = |moment: &PlannedMoment| {
        let Some(at) = moment else {
            return "stored/0000".to_owned();
        };
        let folder = folders.entry(at.animation).or_insert_with(|| {
            let parts = subject.animation_name(at.animation).split('/');
            let mut name = parts.map(file_name::safe).collect::<Vec<_>>().join("/");
            while !taken.insert(name.clone()) {
                name.push_str(&format!("#{}", at.animation.0));
            }
            name
        });
        format!("{folder}/{:04}", at.frame)
    };
    moments.iter().map(&mut name).collect()
}

/// Refuses a path with a name that some system cannot hold. Existing folders may have any name.
fn check_names(path: &Path) -> Result<(), ViewError> {
    let mut folder = PathBuf::new();
    for part in path.components() {
        folder.push(part);
        let Component::Normal(name) = part else {
            continue;
        };
        let name = name.to_string_lossy();
        if let Err(reason) = file_name::check(&name)
            && !folder.is_dir()
        {
            return Err(frame_error(format!(
                "-o {}: the name {name:?} {reason}; choose a name that every system accepts",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Returns the name of each animation in paths: its name, followed by its index if that means the same path as another's,
/// on any system.
fn labels(subject: &dyn Subject, moments: &[PlannedMoment]) -> BTreeMap<AnimationId, String> {
    let mut labels = BTreeMap::new();
    // A record of baselines may lie beside the pictures' folders.
    let mut taken = BTreeSet::from(["baseline.json".to_owned()]);
    for id in moments.iter().flatten().map(|at| at.animation) {
        labels.entry(id).or_insert_with(|| {
            let name = subject.animation_name(id);
            let mut label = file_name::safe(name);
            let mut suffix = String::new();
            while !taken.insert(file_name::key(&label)) {
                suffix.push_str(&format!("#{}", id.0));
                label = file_name::with_suffix(name, &suffix);
            }
            label
        });
    }
    labels
}

fn describe(subject: &dyn Subject, moment: Option<&PlannedMoment>) -> String {
    match moment.copied().flatten() {
        Some(at) => {
            let name = subject.animation_name(at.animation);
            format!("frame {} of {name:?}", at.frame)
        }
        None => "the stored pose".to_owned(),
    }
}

/// The animation exists, but something requested of it does not.
fn frame_error(text: impl Into<String>) -> ViewError {
    ViewError::new("frame", text)
}
