//! The moment at a time.

use pchr::document::AnimationId;
use pchr::playback::{FrameAt, Timeline};

use super::Shown;
use super::choices::LoopArg;

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
        smooth: options.smooth || authored.smooth,
        ..*authored
    };
    let at = timeline.at(animation, seconds);
    if at.next < at.frame && !options.smooth {
        FrameAt::exact(animation, at.frame)
    } else {
        at
    }
}

/// Returns true if an animation loops: as options say, else as authored.
pub(super) fn is_looping(options: &Shown, authored: &Timeline) -> bool {
    let wanted = options.looping.map(|wanted| wanted == LoopArg::On);
    wanted.unwrap_or(authored.looping)
}
