//! Which pictures, from where, to which files: everything that is known before drawing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::args::CaptureArgs;
use super::select;
use super::values::{Fit, LoopArg, Output};
use crate::capture::{Shot, TemplateFields, safe};
use crate::cli::{Failure, input};
use crate::document::{AnimationId, Document};
use crate::pose::playback::{Timeline, default_animation};
use crate::pose::{BindPose, FrameAt, playback_fps};
use crate::scene::{BoundsJob, Camera2d, ViewOptions};

/// The pictures to take.
pub(super) struct Plan {
    /// One entry a picture.
    pub(super) shots: Vec<Shot>,
    /// Where they go.
    pub(super) target: Target,
}

/// What a picture shows; `None` is the stored pose.
type Moment = Option<FrameAt>;

/// The camera that a picture has to have, if that is known: by its path.
pub(super) type KnownCamera<'a> = &'a dyn Fn(&Path) -> Option<Camera2d>;

/// Where pictures go.
pub(super) enum Target {
    /// One PNG on stdout.
    Stdout,
    /// One file a shot.
    Files(Vec<PathBuf>),
}

impl Plan {
    pub(super) fn new(
        args: &CaptureArgs,
        document: &Document,
        bind: &BindPose,
        view: &ViewOptions,
        known: KnownCamera<'_>,
    ) -> Result<Self, Failure> {
        let (moments, target) = moments_and_target(args, document, bind)?;
        let known = |index: usize| match &target {
            Target::Stdout => None,
            Target::Files(paths) => paths.get(index).and_then(|path| known(path)),
        };
        let shots = with_cameras(args, document, bind, view, moments, &known);
        Ok(Self { shots, target })
    }

    /// Where its pictures would go, without the work of finding cameras.
    pub(super) fn target(
        args: &CaptureArgs,
        document: &Document,
        bind: &BindPose,
    ) -> Result<Target, Failure> {
        moments_and_target(args, document, bind).map(|(_, target)| target)
    }
}

fn moments_and_target(
    args: &CaptureArgs,
    document: &Document,
    bind: &BindPose,
) -> Result<(Vec<Moment>, Target), Failure> {
    let animations = animations(args, document, bind)?;
    let moments = moments(args, document, &animations)?;
    let target = target(args, document, &moments)?;
    Ok((moments, target))
}

fn animations(
    args: &CaptureArgs,
    document: &Document,
    bind: &BindPose,
) -> Result<Vec<AnimationId>, Failure> {
    let with_frames =
        |id: &AnimationId| document.animation(*id).is_some_and(|a| a.frame_count() > 0);
    match args.animation.as_deref() {
        None => Ok(default_animation(document, bind).into_iter().collect()),
        // An animation that is named "all" is meant by its index.
        Some("all") => Ok(document.animation_ids().filter(with_frames).collect()),
        Some(wanted) => {
            let id = select::animation(document, wanted)?;
            if with_frames(&id) {
                Ok(vec![id])
            } else {
                Err(Failure::Usage(format!(
                    "animation {wanted:?} has no frames"
                )))
            }
        }
    }
}

fn moments(
    args: &CaptureArgs,
    document: &Document,
    animations: &[AnimationId],
) -> Result<Vec<Moment>, Failure> {
    let mut moments = Vec::new();
    for (id, animation) in animations
        .iter()
        .filter_map(|id| Some((*id, document.animation(*id)?)))
    {
        let timeline = Timeline {
            frame_count: animation.frame_count(),
            fps: playback_fps(document),
            looping: args
                .looping
                .map_or(animation.looping(), |wanted| wanted == LoopArg::On),
            smooth: args.smooth,
        };
        if let Some(seconds) = args.time {
            moments.push(Some(timeline.at(id, seconds)));
            continue;
        }
        let frames = args.frame.frames(animation.frame_count());
        let frames = frames.map_err(|error| {
            Failure::Usage(format!("animation {:?}: {error}", animation.name()))
        })?;
        moments.extend(frames.map(|frame| Some(FrameAt::exact(id, frame))));
    }
    if animations.is_empty() {
        // Nothing can be posed: the one picture there is shows the vertices as they are stored.
        let frames = args
            .frame
            .frames(1)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        moments.extend(frames.map(|_| None));
    }
    Ok(moments)
}

fn target(args: &CaptureArgs, document: &Document, moments: &[Moment]) -> Result<Target, Failure> {
    let template = match (&args.output, moments.len()) {
        (Output::Files(template), _) => template,
        (Output::Stdout, 1) => return Ok(Target::Stdout),
        (Output::Stdout, count) => {
            return Err(Failure::Usage(format!(
                "{count} pictures do not fit on stdout; choose one frame"
            )));
        }
    };
    let file = input::stem(&args.file);
    let labels = labels(document, moments);
    let mut taken = BTreeMap::new();
    let mut paths = Vec::with_capacity(moments.len());
    for (i, moment) in moments.iter().enumerate() {
        let label = moment.and_then(|at| labels.get(&at.animation));
        let fields = TemplateFields {
            frame: moment.map_or(0, |at| at.frame),
            animation: label.map_or("stored", String::as_str),
            file: &file,
        };
        let path = template.fill(&fields);
        if let Some(first) = taken.insert(path.clone(), i) {
            let message = format!(
                "{} pictures, but {} and {} would both be {path}; put {{frame}} or {{animation}} into -o",
                moments.len(),
                describe(document, moments.get(first)),
                describe(document, Some(moment)),
            );
            return Err(Failure::Usage(message));
        }
        paths.push(PathBuf::from(path));
    }
    Ok(Target::Files(paths))
}

/// What each animation is called in paths: by its name, and also by its index if that means the same path as another's,
/// on any system.
fn labels(document: &Document, moments: &[Moment]) -> BTreeMap<AnimationId, String> {
    let mut labels = BTreeMap::new();
    // A record of baselines may lie beside the pictures' folders.
    let mut taken = BTreeSet::from(["baseline.json".to_owned()]);
    for id in moments.iter().flatten().map(|at| at.animation) {
        labels.entry(id).or_insert_with(|| {
            let name = document
                .animation(id)
                .map_or("", |animation| animation.name());
            let mut label = name.to_owned();
            while !taken.insert(safe(&label).to_lowercase()) {
                label = format!("{label}#{}", id.0);
            }
            label
        });
    }
    labels
}

fn describe(document: &Document, moment: Option<&Moment>) -> String {
    match moment.copied().flatten() {
        Some(at) => {
            let name = document
                .animation(at.animation)
                .map_or("", |animation| animation.name());
            format!("frame {} of {name:?}", at.frame)
        }
        None => "the stored pose".to_owned(),
    }
}

/// The frames that a camera has to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    /// One; `None` is the stored pose.
    Frame(Option<FrameAt>),
    /// All of an animation.
    Animation(AnimationId),
    /// All of all animations.
    All,
}

/// Gives each moment its camera, which depends on nothing but the moment: a picture that is taken alone is the same as
/// within a sequence.
fn with_cameras(
    args: &CaptureArgs,
    document: &Document,
    bind: &BindPose,
    view: &ViewOptions,
    moments: Vec<Moment>,
    known: &dyn Fn(usize) -> Option<Camera2d>,
) -> Vec<Shot> {
    let fixed = args.center.is_some() && args.zoom.is_some();
    let camera = |held: Held| {
        let mut camera = Camera2d {
            y_down: args.y_down,
            ..Camera2d::default()
        };
        if args.fit != Fit::None && !fixed {
            let job = BoundsJob {
                document,
                bind,
                view,
            };
            camera = Camera2d::fit(
                job.run(frames(document, held)),
                args.resolution.0,
                args.y_down,
            );
        }
        camera.center = args.center.map_or(camera.center, |center| center.0);
        camera.zoom = args.zoom.unwrap_or(camera.zoom);
        camera
    };
    let mut last: Option<(Held, Camera2d)> = None;
    let shot = |(index, at): (usize, Moment)| {
        if let Some(camera) = known(index) {
            return Shot { at, camera };
        }
        let held = match (args.fit, at) {
            (Fit::Character | Fit::None, Some(_)) => Held::All,
            (Fit::Animation, Some(at)) => Held::Animation(at.animation),
            (Fit::Frame, Some(_)) | (_, None) => Held::Frame(at),
        };
        let camera = match last {
            Some((of, camera)) if of == held => camera,
            _ => camera(held),
        };
        last = Some((held, camera));
        Shot { at, camera }
    };
    moments.into_iter().enumerate().map(shot).collect()
}

fn frames(document: &Document, held: Held) -> Vec<Moment> {
    let of_animation = |id: AnimationId| {
        let count = document.animation(id).map_or(0, |a| a.frame_count());
        (0..count).map(move |frame| Some(FrameAt::exact(id, frame)))
    };
    match held {
        Held::Frame(at) => vec![at],
        Held::Animation(id) => of_animation(id).collect(),
        Held::All => document.animation_ids().flat_map(of_animation).collect(),
    }
}
