//! Which pictures, from where, to which files: everything that is known before drawing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::args::CaptureArgs;
use super::super::failure::Failure;
use super::super::values::Fit;
use super::super::{input, select};
use crate::capture::{Shot, Template, TemplateFields};
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
    /// Where all of them are seen from.
    pub(super) camera: Camera2d,
}

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
    ) -> Result<Self, Failure> {
        let animations = animations(args, document, bind)?;
        let shots = shots(args, document, &animations)?;
        let target = target(args, document, &shots)?;
        let camera = camera(args, document, bind, view, &animations, &shots);
        Ok(Self {
            shots,
            target,
            camera,
        })
    }
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

fn shots(
    args: &CaptureArgs,
    document: &Document,
    animations: &[AnimationId],
) -> Result<Vec<Shot>, Failure> {
    let mut shots = Vec::new();
    for (id, animation) in animations
        .iter()
        .filter_map(|id| Some((*id, document.animation(*id)?)))
    {
        let timeline = Timeline {
            frame_count: animation.frame_count(),
            fps: playback_fps(document),
            looping: animation.looping(),
            smooth: args.smooth,
        };
        if let Some(seconds) = args.time {
            shots.push(Some(timeline.at(id, seconds)));
            continue;
        }
        let frames = args.frame.frames(animation.frame_count());
        let frames = frames.map_err(|error| {
            Failure::Usage(format!("animation {:?}: {error}", animation.name()))
        })?;
        shots.extend(frames.map(|frame| Some(FrameAt::exact(id, frame))));
    }
    if animations.is_empty() {
        // Nothing can be posed: the one picture there is shows the vertices as they are stored.
        let frames = args
            .frame
            .frames(1)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        shots.extend(frames.map(|_| None));
    }
    Ok(shots)
}

fn target(args: &CaptureArgs, document: &Document, shots: &[Shot]) -> Result<Target, Failure> {
    if args.output == "-" {
        return match shots.len() {
            1 => Ok(Target::Stdout),
            count => Err(Failure::Usage(format!(
                "{count} pictures do not fit on stdout; choose one frame"
            ))),
        };
    }
    if !args.output.to_ascii_lowercase().ends_with(".png") {
        let message = format!(
            "-o {}: pictures are written as .png, or with - to stdout",
            args.output
        );
        return Err(Failure::Usage(message));
    }
    let template: Template = args
        .output
        .parse()
        .map_err(|error| Failure::Usage(format!("-o {}: {error}", args.output)))?;
    let file = input::stem(&args.file);
    let mut taken = BTreeMap::new();
    let mut paths = Vec::with_capacity(shots.len());
    for (i, shot) in shots.iter().enumerate() {
        let animation = shot.and_then(|at| document.animation(at.animation));
        let fields = TemplateFields {
            frame: shot.map_or(0, |at| at.frame),
            animation: animation.map_or("stored", |animation| animation.name()),
            file: &file,
        };
        let path = template.fill(&fields);
        if let Some(first) = taken.insert(path.clone(), i) {
            let message = format!(
                "{} pictures, but {} and {} would both be {path}; put {{frame}} or {{animation}} into -o",
                shots.len(),
                describe(document, shots.get(first)),
                describe(document, Some(shot)),
            );
            return Err(Failure::Usage(message));
        }
        paths.push(PathBuf::from(path));
    }
    Ok(Target::Files(paths))
}

fn describe(document: &Document, shot: Option<&Shot>) -> String {
    match shot.copied().flatten() {
        Some(at) => {
            let name = document
                .animation(at.animation)
                .map_or("", |animation| animation.name());
            format!("frame {} of {name:?}", at.frame)
        }
        None => "the stored pose".to_owned(),
    }
}

fn camera(
    args: &CaptureArgs,
    document: &Document,
    bind: &BindPose,
    view: &ViewOptions,
    animations: &[AnimationId],
    shots: &[Shot],
) -> Camera2d {
    let mut camera = Camera2d {
        y_down: args.y_down,
        ..Camera2d::default()
    };
    let fixed = args.center.is_some() && args.zoom.is_some();
    if args.fit != Fit::None && !fixed {
        let whole: Vec<AnimationId> = document.animation_ids().collect();
        let of_animations = |ids: &[AnimationId]| -> Vec<Shot> {
            let frames = |id: &AnimationId| {
                let (id, count) = (
                    *id,
                    document
                        .animation(*id)
                        .map_or(0, |animation| animation.frame_count()),
                );
                (0..count).map(move |frame| Some(FrameAt::exact(id, frame)))
            };
            ids.iter().flat_map(frames).collect()
        };
        let mut frames = match args.fit {
            Fit::Frame => shots.iter().take(1).copied().collect(),
            Fit::Character => of_animations(&whole),
            Fit::Animation | Fit::None => of_animations(animations),
        };
        if frames.is_empty() {
            frames.push(None);
        }
        let bounds = BoundsJob {
            document,
            bind,
            view,
        }
        .run(frames);
        camera = Camera2d::fit(bounds, args.resolution.0, args.y_down);
    }
    if let Some(center) = args.center {
        camera.center = center.0;
    }
    camera.zoom = args.zoom.unwrap_or(camera.zoom);
    camera
}
