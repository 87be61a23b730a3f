//! The moment at a time, the animations that a cross-fade names, and the moments of the second.

use pchr::document::AnimationId;
use pchr::playback::{FrameAt, Mix, Timeline};
use pchr::scene::Subject;

use super::choices::LoopArg;
use super::option_values::Mixing;
use super::{Shown, ViewError, element_names, select};

/// Returns the two animations of a cross-fade.
///
/// # Errors
/// [`ViewError`] for an animation that does not exist or has no frames, for names that can be split in several ways, and for
/// content without bones to blend.
pub(super) fn animations(
    mixing: &Mixing,
    subject: &dyn Subject,
) -> Result<[AnimationId; 2], ViewError> {
    if !subject.can_mix() {
        let why = "this kind of file has no bones to mix";
        return Err(ViewError::new("mix", why).of(mixing));
    }
    let both = split(mixing, subject)?;
    match both.iter().find(|id| subject.frame_count(**id) == 0) {
        None => Ok(both),
        Some(id) => {
            let name = subject.animation_name(*id);
            let why = format!("animation {name:?} has no frames");
            Err(ViewError::new("mix", why).of(mixing))
        }
    }
}

/// Finds the colon with an animation on both of its sides.
fn split(mixing: &Mixing, subject: &dyn Subject) -> Result<[AnimationId; 2], ViewError> {
    let find = |name| element_names::find_animation(subject, name);
    let splits =
        || mixing.names.match_indices(':').filter_map(|(at, _)| mixing.names.split_at_checked(at));
    let splits = || splits().map(|(from, to)| (from, to.get(1..).unwrap_or_default()));
    let mut found = splits().filter_map(|(from, to)| Some([find(from)?, find(to)?]));
    match (found.next(), found.next()) {
        (Some(both), None) => Ok(both),
        (Some(_), Some(_)) => {
            let why = "the colons can be read in several ways; write #INDEX for the animations";
            Err(ViewError::new("mix", why).of(mixing))
        }
        (None, _) => {
            // If one of the two names exists, report the other; otherwise the first.
            let half = splits().find(|(from, to)| find(from).is_some() || find(to).is_some());
            let (from, to) = half.or_else(|| splits().next()).unwrap_or_default();
            let missing = if find(from).is_some() { to } else { from };
            Err(select::no_animation("mix", subject, missing))
        }
    }
}

/// Returns the cross-fade of each moment.
pub(super) fn mixes(
    options: &Shown,
    subject: &dyn Subject,
    moments: &[Option<FrameAt>],
) -> Result<Vec<Option<Mix>>, ViewError> {
    let Some(mixing) = &options.mix else {
        return match (&options.mix_frame, options.mix_time) {
            (Some(_), _) => Err(alone("mix-frame")),
            (None, Some(_)) => Err(alone("mix-time")),
            (None, None) if options.is_synced() => Err(alone("mix-sync")),
            (None, None) => Ok(vec![None; moments.len()]),
        };
    };
    let [_, id] = animations(mixing, subject)?;
    if options.is_synced() {
        let mix = |at: FrameAt| in_phase(subject, at, id, mixing.amount);
        return Ok(moments.iter().map(|at| at.and_then(mix)).collect());
    }
    let Some(clip) = subject.animation(id) else {
        return Ok(vec![None; moments.len()]);
    };
    let timeline = clip.timeline;
    let frames = match &options.mix_frame {
        None => None,
        Some(frames) => {
            let frames = frames.frames(timeline.frame_count);
            let frames = frames.map_err(|why| {
                let why = format!("animation {:?}: {why}", clip.name);
                ViewError::new("mix-frame", why).of_option()
            })?;
            if frames.len() != 1 && frames.len() != moments.len() {
                let text = format!(
                    "{} frames for {} pictures; choose one frame, or one for each",
                    frames.len(),
                    moments.len()
                );
                return Err(ViewError::new("mix-frame", text).of_option());
            }
            Some(frames)
        }
    };
    // The frame at the same time after the start; an animation that does not loop holds its last one.
    let count = timeline.frame_count.max(1);
    let same_frame = |frame: u16| match is_looping(options, &timeline) {
        true => frame.checked_rem(count).unwrap_or(0),
        false => frame.min(count.saturating_sub(1)),
    };
    let mix = |(index, at): (usize, &Option<FrameAt>)| {
        let at = (*at)?;
        let frame = frames.as_ref().map(|frames| {
            let own = frames.get(index).or(frames.first());
            FrameAt::exact(id, own.copied().unwrap_or_default())
        });
        let seconds = options.mix_time.or(options.time);
        let to = match (frame, seconds) {
            (Some(frame), _) => frame,
            (None, Some(seconds)) => moment(options, &timeline, id, seconds),
            (None, None) => FrameAt::exact(id, same_frame(at.frame)),
        };
        Some(Mix { to, amount: mixing.amount })
    };
    Ok(moments.iter().enumerate().map(mix).collect())
}

/// Returns the mix of a moment with another animation at the same phase.
pub(super) fn in_phase(
    subject: &dyn Subject,
    at: FrameAt,
    with: AnimationId,
    amount: f32,
) -> Option<Mix> {
    let [own, other] = [at.animation, with].map(|id| subject.animation(id));
    let to = own?.timeline.in_phase(at, with, &other?.timeline);
    Some(Mix { to, amount })
}

/// The error of a moment of B without a B.
fn alone(option: &'static str) -> ViewError {
    ViewError::new(option, format!("--{option} is for --mix A:B:T"))
}

/// Returns the moment that options choose by seconds. Content that is known between its frames is shown at that time even without
/// `--smooth`, which only makes a loop blend its end into its start.
pub(super) fn moment(
    options: &Shown,
    authored: &Timeline,
    animation: AnimationId,
    seconds: f64,
) -> FrameAt {
    let timeline = Timeline {
        looping: is_looping(options, authored),
        smooth: options.smooth == Some(true) || authored.smooth,
        ..*authored
    };
    let at = timeline.at(animation, seconds);
    if at.next < at.frame && options.smooth != Some(true) {
        FrameAt::exact(animation, at.frame)
    } else {
        at
    }
}

/// Returns true if an animation loops: as options say, else as authored.
fn is_looping(options: &Shown, authored: &Timeline) -> bool {
    options.looping.map_or(authored.looping, |wanted| wanted == LoopArg::On)
}

#[cfg(test)]
mod tests {
    use pchr::character::Character;
    use pchr::document::BoneTransform;
    use pchr::pose::BindChoice;
    use pchr::scene::ViewOptions;

    use super::super::cameras::CamerasJob;
    use super::*;
    use crate::fixture::{Builder, WHITE, at};

    fn subject(names: &[&str]) -> Character {
        let mut builder = Builder::new().bones(1);
        for name in names {
            builder = builder.still(name, true, 4);
        }
        Character::new(builder.document(), BindChoice::Auto)
    }

    fn found(text: &str, names: &[&str]) -> Result<[u16; 2], String> {
        let mixing: Mixing = text.parse()?;
        let ids = animations(&mixing, &subject(names));
        ids.map(|ids| ids.map(|id| id.0)).map_err(|error| error.to_string())
    }

    #[test]
    fn names_may_hold_colons() {
        assert_eq!(found("a:b:c:1", &["a:b", "c"]), Ok([0, 1]));
        assert_eq!(found("c:a:b:1", &["a:b", "c"]), Ok([1, 0]));
        assert_eq!(found("#1:0:1", &["a", "b"]), Ok([1, 0]));
        let several = found("a:b:c:1", &["a:b", "c", "a", "b:c"]).unwrap_err();
        assert!(several.contains("#INDEX"), "{several}");
    }

    #[test]
    fn pictures_of_a_steady_mix_have_one_camera() {
        // A square is wider when it is turned by 45 degrees than by 0 or 90.
        let turned =
            |angles: [f32; 3]| angles.map(|rotation| [BoneTransform { rotation, ..at(0.0, 0.0) }]);
        let builder = Builder::new().image(1, &[WHITE]).bones(1);
        let builder = builder.quad("square", 0, 0, [-20.0; 2], [20.0; 2]);
        let builder = builder.animation("stand", true, &turned([0.0; 3]));
        let builder = builder.animation("turn", true, &turned([0.0, 90.0, 0.0]));
        let subject = Character::new(builder.document(), BindChoice::Auto);
        let moments: Vec<_> =
            (0..3).map(|frame| Some(FrameAt::exact(AnimationId(0), frame))).collect();
        for mix_sync in [None, Some(true)] {
            let mix = Some("stand:turn:0.5".parse().unwrap());
            let options = &Shown { mix, mix_sync, ..Shown::default() };
            let mixes = mixes(options, &subject, &moments).unwrap();
            let view = &ViewOptions::default();
            let cameras = CamerasJob { options, subject: &subject, view, other: None };
            let moments = moments.iter().copied().zip(mixes).collect();
            let (shots, _) = cameras.run(moments, &|_| None).unwrap();
            let is_one = shots.windows(2).all(|pair| pair[0].camera == pair[1].camera);
            assert_eq!(is_one, options.is_synced());
        }
    }
}
