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
use crate::run::Failure;
use crate::run::input::Input;
use crate::text::words;

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
        Some(wanted) => find(document, wanted).ok_or_else(|| {
            let all = document.animations();
            let count = words::count(all.len(), "animation", "animations");
            let there = words::listed(all.clone().map(|it| it.name()), all.len());
            let name = &input.name;
            Failure::Usage(format!(
                "{name}: no animation is named {wanted:?}; the file has {count}: {there}"
            ))
        })?,
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

fn find(document: &Document, wanted: &str) -> Option<AnimationId> {
    let mut ids = document.animation_ids();
    let named = ids.find(|id| {
        document
            .animation(*id)
            .is_some_and(|it| it.name() == wanted)
    });
    named.or_else(|| {
        let index = wanted.strip_prefix('#').unwrap_or(wanted).parse().ok()?;
        document
            .animation(AnimationId(index))
            .map(|_| AnimationId(index))
    })
}

fn matrix(map: &Affine) -> BonePose {
    let [[a, c, tx, _], [b, d, ty, _]] = *map;
    BonePose::Plane {
        matrix: [a, b, c, d, tx, ty],
    }
}
