//! The pictures, their cameras and their files: everything that is known before drawing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use pchr::document::AnimationId;
use pchr::playback::{FrameAt, Mix};
use pchr::scene::{Camera, Subject, ViewOptions};

use super::cameras::{CamerasJob, both};
use super::reel_and_contact::{
    Contact, MOST_PICTURES, PlannedContact, Reel, ReelJob, ReelOptions, frame_error, frames_of,
};
use super::{CameraOf, Output, Shown, ViewError, mixes, select};
use crate::capture::{
    AnimationFile, AnimationFormat, SheetFormat, Shot, Template, TemplateFields, shot_in,
};
use crate::file_name;

/// Bytes of a picture's path, at most; no system takes longer ones.
const LONGEST_PATH: usize = 4096;

/// The pictures to take.
pub(crate) struct PicturePlan {
    /// One entry for each picture that is drawn.
    pub(crate) shots: Vec<Shot>,
    /// Outputs, each with the pictures that it takes.
    pub(crate) targets: Vec<PlannedTarget>,
    /// True if fits are exact, and not only large enough.
    pub(crate) exact: bool,
}

/// An output and its pictures.
pub(crate) struct PlannedTarget {
    pub(crate) output: PictureTarget,
    /// Index of the shot of each picture, in ascending order.
    pub(crate) shots: Vec<usize>,
}

/// The camera that a picture has to have, if that is known: by its path.
pub(crate) type KnownCamera<'a> = &'a dyn Fn(&Path) -> Option<Camera>;

/// Output of pictures.
pub(crate) enum PictureTarget {
    /// One PNG on stdout.
    Stdout,
    /// One file a shot.
    Files(Vec<PathBuf>),
    /// An atlas.
    Sheet(PlannedSheet),
    /// A contact sheet.
    Contact(PlannedContact),
    /// Animations, in the order of their pictures.
    Animations(AnimationFormat, Vec<AnimationFile>),
}

/// An atlas of animations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedSheet {
    pub(crate) format: SheetFormat,
    pub(crate) path: PathBuf,
    /// Names of its sprites: one a picture.
    pub(crate) names: Vec<String>,
    /// Its animations, whose pictures follow each other.
    pub(crate) clips: Vec<AnimationFile>,
}

/// Pictures that options mean, and where they go.
#[derive(Clone, Debug)]
pub(crate) struct PlanJob<'a> {
    pub(crate) options: &'a Shown,
    /// At least one.
    pub(crate) outputs: &'a [Output],
    /// True if pictures of several animations go to a folder each, regardless of the output path.
    pub(crate) folders: bool,
    /// Name of the file, for `{file}` in the template.
    pub(crate) stem: String,
    /// How animations become files.
    pub(crate) reel: ReelOptions,
    /// Makes contact sheets of pictures.
    pub(crate) contact: Option<Contact>,
}

impl<'a> PlanJob<'a> {
    /// Pictures that go where the outputs say.
    pub(crate) fn new(options: &'a Shown, outputs: &'a [Output]) -> Self {
        let (stem, reel) = (String::new(), ReelOptions::default());
        Self { options, outputs, folders: false, stem, reel, contact: None }
    }

    /// Plans the pictures of a subject: each output takes those that it would take alone, and what several take is drawn once. `known`
    /// may know the camera of a picture; `other` gives the cameras of the others.
    pub(crate) fn run(
        &self,
        subject: &dyn Subject,
        view: &ViewOptions,
        known: KnownCamera<'_>,
        other: Option<&CameraOf>,
    ) -> Result<PicturePlan, ViewError> {
        let mut outputs = Vec::new();
        for (number, output) in self.outputs.iter().enumerate() {
            let options = self.options_of(output);
            let (moments, target) = self.moments_and_target(output, &options, subject)?;
            outputs.push((number, options, moments, target));
        }
        // Those with fewer pictures find theirs among those of others.
        outputs.sort_by_key(|(.., moments, _)| std::cmp::Reverse(moments.len()));
        let mut plan = PicturePlan { shots: Vec::new(), targets: Vec::new(), exact: true };
        let mut numbers = Vec::new();
        for (number, options, moments, target) in outputs {
            let mixes = mixes::mixes(&options, subject, &moments)?;
            let moments = moments.into_iter().zip(mixes).collect();
            let known = |index: usize| match &target {
                PictureTarget::Files(paths) => paths.get(index).and_then(|path| known(path)),
                _ => None,
            };
            let cameras = CamerasJob { options: &options, subject, view, other };
            let (shots, exact) = cameras.run(moments, &known)?;
            plan.exact &= exact;
            plan.add(target, shots);
            numbers.push(number);
        }
        let mut targets: Vec<_> = numbers.into_iter().zip(plan.targets).collect();
        targets.sort_by_key(|(number, _)| *number);
        plan.targets = targets.into_iter().map(|(_, target)| target).collect();
        Ok(plan)
    }

    /// Options of the pictures of an output: of clips without the moment of a session.
    fn options_of(&self, output: &Output) -> Cow<'_, Shown> {
        let is_clip = matches!(output, Output::Animation(..) | Output::Sheet(..));
        match is_clip && self.reel.ignores_moment {
            false => Cow::Borrowed(self.options),
            true => Cow::Owned(Shown {
                frame: None,
                time: None,
                mix_frame: None,
                mix_time: None,
                ..self.options.clone()
            }),
        }
    }

    /// Note about an animation that is itself called `all`, if all are taken.
    pub(crate) fn note(&self, subject: &dyn Subject) -> Option<String> {
        let wanted = self.options.animation.as_deref()?;
        let index = subject.animation_names().position(|name| name == "all" && wanted == "all")?;
        if subject.all().is_some() {
            return None; // it shows the same
        }
        Some(format!(
            "\"all\" selects every animation; -a #{index} selects the one that is named \"all\""
        ))
    }

    /// Returns the paths of the pictures of the first output, without the work of finding cameras.
    pub(crate) fn paths(&self, subject: &dyn Subject) -> Result<Vec<PathBuf>, ViewError> {
        let plan = |output| self.moments_and_target(output, self.options, subject);
        Ok(match self.outputs.first().map(plan).transpose()? {
            Some((_, PictureTarget::Files(paths))) => paths,
            _ => Vec::new(),
        })
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
        let moments: Vec<Option<FrameAt>> =
            animations.iter().flat_map(frames).take(MOST_PICTURES).collect();
        let first = self.outputs.first().map(|output| target(self, output, subject, &moments));
        match first {
            Some(Ok(PictureTarget::Files(paths))) => paths,
            _ => Vec::new(),
        }
    }

    fn moments_and_target(
        &self,
        output: &Output,
        options: &Shown,
        subject: &dyn Subject,
    ) -> Result<(Vec<Option<FrameAt>>, PictureTarget), ViewError> {
        let animations = animations(options, subject)?;
        let reels = |format| ReelJob { options, reel: self.reel, format, subject }.run(&animations);
        let whole = |template: &Template| {
            let fields = TemplateFields { frame: 0, animation: "", file: &self.stem };
            PathBuf::from(template.fill(&fields))
        };
        match output {
            Output::Animation(format, template) => {
                let reels = reels(Some(*format))?;
                let files = animation_files(self, subject, &reels, template)?;
                let moments = reels.into_iter().flat_map(|reel| reel.moments).collect();
                return Ok((moments, PictureTarget::Animations(*format, files)));
            }
            Output::Sheet(format, template) => {
                let path = whole(template);
                let reels = reels(None)?;
                let names = sprite_names(subject, &reels);
                let clip = |reel: &Reel| AnimationFile {
                    path: path.clone(),
                    animation: reel.animation(),
                    frames: reel.moments.len(),
                    rate: reel.rate,
                };
                let clips = reels.iter().map(clip).collect();
                let moments = reels.into_iter().flat_map(|reel| reel.moments).collect();
                let sheet = PlannedSheet { format: *format, path, names, clips };
                return Ok((moments, PictureTarget::Sheet(sheet)));
            }
            Output::Files(template) => {
                if let Some(contact) = self.contact {
                    let path = whole(template);
                    check_names(&path)?;
                    let animations = match options.animation {
                        Some(_) => animations,
                        None => every(subject),
                    };
                    let planned = contact.plan(path, &animations, subject, options.size())?;
                    let (moments, contact) = planned;
                    return Ok((moments, PictureTarget::Contact(contact)));
                }
            }
            Output::Stdout => {}
        }
        let moments = moments(options, subject, &animations)?;
        let target = target(self, output, subject, &moments)?;
        Ok((moments, target))
    }
}

impl PicturePlan {
    /// Returns the pictures per second of the first animation.
    pub(crate) fn rate(&self) -> Option<f64> {
        let of = |target: &PlannedTarget| match &target.output {
            PictureTarget::Animations(_, files) => files.first().map(|file| file.rate),
            PictureTarget::Sheet(sheet) => sheet.clips.first().map(|clip| clip.rate),
            PictureTarget::Files(_) | PictureTarget::Stdout | PictureTarget::Contact(_) => None,
        };
        self.targets.iter().find_map(of)
    }

    /// Moves cameras so that they hold the same moments of another subject, too. Those that `known` knows stay.
    pub(crate) fn hold(
        &mut self,
        options: &Shown,
        subject: &dyn Subject,
        (other, view): (&dyn Subject, &ViewOptions),
        known: KnownCamera<'_>,
    ) -> Result<(), ViewError> {
        if options.camera_of.is_some() {
            return Ok(());
        }
        let is_known = |index: usize| self.paths().get(index).is_some_and(|it| known(it).is_some());
        let there = { self.shots.iter().enumerate() }
            .filter(|(index, _)| !is_known(*index))
            .filter_map(|(index, shot)| Some((index, shot_in(other, subject, shot)?)));
        let (indices, there): (Vec<usize>, Vec<Shot>) = there.unzip();
        let moments = there.iter().map(|shot| (shot.at, shot.mix)).collect();
        let cameras = CamerasJob { options, subject: other, view, other: None };
        let (there, exact) = cameras.run(moments, &|_| None)?;
        self.exact &= exact;
        for (index, there) in indices.into_iter().zip(there) {
            if let Some(shot) = self.shots.get_mut(index) {
                shot.camera = both([shot.camera, there.camera], options);
            }
        }
        Ok(())
    }

    fn add(&mut self, output: PictureTarget, shots: Vec<Shot>) {
        let mut from = 0;
        let number = |shot: Shot| {
            let rest = self.shots.get(from..).unwrap_or_default();
            let there = rest.iter().position(|known| *known == shot);
            let at = there.map_or(self.shots.len(), |there| from + there);
            if there.is_none() {
                self.shots.push(shot);
            }
            from = at + 1;
            at
        };
        let shots = shots.into_iter().map(number).collect();
        self.targets.push(PlannedTarget { output, shots });
    }

    /// Shots of the pictures of an output.
    pub(crate) fn shots_of(&self, target: &PlannedTarget) -> Vec<Shot> {
        target.shots.iter().filter_map(|shot| self.shots.get(*shot)).copied().collect()
    }

    /// Paths of the pictures of the first output, if they are files.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        match self.targets.first().map(|target| &target.output) {
            Some(PictureTarget::Files(paths)) => paths,
            _ => &[],
        }
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
        let named = all.and_then(|all| subject.animation_named(all));
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

fn every(subject: &dyn Subject) -> Vec<AnimationId> {
    subject.animation_ids().filter(|id| subject.frame_count(*id) > 0).collect()
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
            None => every(subject),
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
) -> Result<Vec<Option<FrameAt>>, ViewError> {
    let mut moments = Vec::new();
    let with_id = |id: &AnimationId| {
        let clip = subject.animation(*id)?;
        Some((*id, clip.timeline))
    };
    let animations: Vec<_> = animations.iter().filter_map(with_id).collect();
    let mut count = 0_usize;
    for (_, timeline) in &animations {
        let of_one = options.frame().number(timeline.frame_count).unwrap_or(0);
        count = count.saturating_add(if options.time.is_some() { 1 } else { of_one });
    }
    if count > MOST_PICTURES {
        return Err(frame_error(format!(
            "{count} pictures of {} animations, expected at most {MOST_PICTURES} in one run; choose fewer animations or frames",
            animations.len()
        )));
    }
    for (id, authored) in &animations {
        if let Some(seconds) = options.time {
            moments.push(Some(mixes::moment(options, authored, *id, seconds)));
            continue;
        }
        let frames = frames_of(subject, *id, &options.frame())?;
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

fn target(
    job: &PlanJob<'_>,
    output: &Output,
    subject: &dyn Subject,
    moments: &[Option<FrameAt>],
) -> Result<PictureTarget, ViewError> {
    let template = match (output, moments.len()) {
        (Output::Files(template), _) => template,
        (Output::Animation(..) | Output::Sheet(..), _) => {
            return Ok(PictureTarget::Files(Vec::new())); // made of reels
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

fn animation_files(
    job: &PlanJob<'_>,
    subject: &dyn Subject,
    reels: &[Reel],
    template: &Template,
) -> Result<Vec<AnimationFile>, ViewError> {
    let firsts: Vec<_> = reels.iter().map(Reel::first).collect();
    let labels = labels(subject, &firsts);
    let mut files: Vec<AnimationFile> = Vec::new();
    let mut taken = BTreeSet::new();
    for reel in reels {
        let animation = reel.animation();
        let label = animation.and_then(|id| labels.get(&id));
        let path = template.fill(&TemplateFields {
            frame: 0,
            animation: label.map_or("stored", String::as_str),
            file: &job.stem,
        });
        check_names(Path::new(&path))?;
        if !taken.insert(file_name::key(&path)) {
            let text = format!(
                "{} animations would all be written to {path}; put {{animation}} into -o",
                reels.len()
            );
            return Err(ViewError::new("output", text));
        }
        let (frames, rate) = (reel.moments.len(), reel.rate);
        files.push(AnimationFile { path: path.into(), animation, frames, rate });
    }
    Ok(files)
}

/// Names of the sprites of an atlas: those of animation and frame, like `walk/0012`, which are fit for files; an animation with the
/// name of one before it has its index, too. Pictures that are no frames in order are numbered from 0.
fn sprite_names(subject: &dyn Subject, reels: &[Reel]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for reel in reels {
        let folder = match reel.animation() {
            None => "stored".to_owned(),
            Some(id) => {
                let parts = subject.animation_name(id).split('/');
                let mut name = parts.map(file_name::safe).collect::<Vec<_>>().join("/");
                while !taken.insert(name.clone()) {
                    name.push_str(&format!("#{}", id.0));
                }
                name
            }
        };
        let frames = reel.moments.iter().map(|at| at.map_or(0, |at| at.frame));
        let in_order = frames.clone().is_sorted_by(|a, b| a < b);
        let named = frames.zip(0_usize..);
        let number = |(frame, at)| if in_order { usize::from(frame) } else { at };
        names.extend(named.map(number).map(|number| format!("{folder}/{number:04}")));
    }
    names
}

/// Refuses a path with a name that some system cannot hold. Existing folders may have any name.
fn check_names(path: &Path) -> Result<(), ViewError> {
    let mut folder = PathBuf::new();
    for part in path.components() {
        folder.push(part);
        let Component::Normal(name) = part else { continue };
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
fn labels(subject: &dyn Subject, moments: &[Option<FrameAt>]) -> BTreeMap<AnimationId, String> {
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

fn describe(subject: &dyn Subject, moment: Option<&Option<FrameAt>>) -> String {
    match moment.copied().flatten() {
        Some(at) => {
            let name = subject.animation_name(at.animation);
            format!("frame {} of {name:?}", at.frame)
        }
        None => "the stored pose".to_owned(),
    }
}
