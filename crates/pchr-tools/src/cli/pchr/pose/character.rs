//! Poses of a character.
#![expect(
    clippy::cast_possible_truncation,
    reason = "times and rates are printed as 32-bit floats"
)]

use pchr::document::{AnimationId, Document};
use pchr::playback::FrameAt;
use pchr::pose::{Affine, BindChoice, BindPose, Pose, PoseJob, default_animation, timeline};

use super::report::{BoneName, BonePose, PoseAt, PoseReport};
use super::{PoseArgs, Space};
use crate::cli::pchr::chosen;
use crate::run::Failure;
use crate::run::input::Input;

/// The poses that were asked for.
pub(super) fn poses<'a>(input: &'a Input, args: &PoseArgs) -> Result<PoseReport<'a>, Failure> {
    let document: &Document = &input.document;
    if args.skeleton.is_some() {
        return Err(Failure::Usage(format!(
            "{}: a character has its own skeleton; --skeleton is for 3D motions",
            input.name
        )));
    }
    let bind = BindPose::new(document, BindChoice::Auto);
    let animation = match &args.animation {
        Some(wanted) => {
            let names = document.animations().map(|it| it.name());
            let index = chosen(wanted, names, &input.name)?;
            AnimationId(u16::try_from(index).unwrap_or(u16::MAX))
        }
        None => default_animation(document, &bind)
            .ok_or_else(|| Failure::Rejected(format!("{}: no animation has frames", input.name)))?,
    };
    let Some(line) = timeline(document, animation) else {
        return Err(Failure::Rejected(format!(
            "{}: no animation has frames",
            input.name
        )));
    };
    let moments: Vec<(Option<u32>, FrameAt, f32)> = if args.time.is_empty() {
        let frames = args.frames.frames(line.frame_count);
        let frames = frames
            .map_err(|error| Failure::Usage(format!("{}: {error}", input.name)))?
            .into_iter();
        let frames = frames.map(|frame| {
            let at = FrameAt::exact(animation, frame);
            (Some(frame.into()), at, line.seconds(at) as f32)
        });
        frames.collect()
    } else {
        let line = pchr::playback::Timeline {
            smooth: args.smooth,
            ..line
        };
        let times = args.time.iter();
        times
            .map(|time| (None, line.at(animation, *time), *time as f32))
            .collect()
    };
    let bones = document.bones().map(|bone| BoneName {
        name: bone.name().into(),
        parent: bone
            .parent()
            .and_then(|parent| u32::try_from(parent.index()).ok()),
    });
    let (mut pose, mut locals) = (Pose::default(), Vec::new());
    let poses = moments.into_iter().map(|(frame, at, time)| {
        let job = PoseJob {
            document,
            bind: &bind,
            at: Some(at),
            mix: None,
        };
        let maps = if args.space == Space::Local {
            job.locals(&mut locals);
            &locals
        } else {
            job.run(&mut pose);
            match args.space {
                Space::Skin => pose.world_from_bind(),
                _ => pose.world_from_bone(),
            }
        };
        let bones = maps.iter().map(matrix).collect();
        PoseAt {
            time,
            frame,
            root: None,
            bones,
        }
    });
    Ok(PoseReport {
        file: &input.name,
        animation: document.animation(animation).map(|it| it.name()),
        space: args.space.name(),
        rate: line.fps as f32,
        poses: poses.collect(),
        bones: bones.collect(),
        unmatched: Vec::new(),
    })
}

fn matrix(map: &Affine) -> BonePose {
    let [[a, c, tx, _], [b, d, ty, _]] = *map;
    BonePose::Plane {
        matrix: [a, b, c, d, tx, ty],
    }
}
