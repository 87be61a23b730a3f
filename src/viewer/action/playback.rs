//! Actions of the group [`Action::Playback`](super::Action::Playback).

use pchr::document::AnimationId;
use pchr::playback::LoopMode;
use pchr::pose::BindChoice;

/// Playing, stepping and seeking.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlaybackAction {
    /// Lets time pass.
    Advance(f64),
    /// Shows another animation from its start.
    Animation(AnimationId),
    /// Shows the animation that many places later in the list.
    WalkAnimations(isize),
    /// Plays or pauses.
    TogglePlay,
    /// Undoes playing or pausing that was not intended.
    UndoPlay,
    /// Plays backwards, or pauses.
    ToggleBackwards,
    /// Pauses and moves by frames.
    Step(i32),
    /// Pauses at the first frame.
    FirstFrame,
    /// Pauses at the last frame.
    LastFrame,
    /// Shows a position in frames. During a cross-fade it also pauses playback.
    Seek(f64),
    /// Pauses at a position in frames.
    GoTo(f64),
    /// Pauses at the mark that comes next, or at the one before.
    WalkMarks(i32),
    /// Goes that many steps up or down the ladder of speeds.
    WalkSpeed(i32),
    /// Seconds of animation per second.
    Speed(f64),
    /// Frames per second instead of the file's, or the file's.
    Fps(Option<f64>),
    /// Sets the loop mode, or follows the file.
    Looping(Option<LoopMode>),
    /// The next way to go on at an end.
    CycleLoop,
    /// First and last frame of the loop range, or all frames.
    Section(Option<[u16; 2]>),
    /// Starts the section at the frame on screen.
    SectionStart,
    /// Ends the section at the frame on screen.
    SectionEnd,
    /// Uses another pose as the one that vertices are stored in.
    Bind(BindChoice),
    /// Takes the pose on screen for it.
    BindHere,
}

impl PlaybackAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Advance(_) => "Advance time",
            Self::Animation(_) => "Choose the animation",
            Self::WalkAnimations(by) if *by < 0 => "Previous animation",
            Self::WalkAnimations(_) => "Next animation",
            Self::TogglePlay => "Play or pause",
            Self::UndoPlay => "Undo play or pause",
            Self::ToggleBackwards => "Play backwards or pause",
            Self::Step(frames) if *frames < 0 => "Step back",
            Self::Step(_) => "Step forward",
            Self::FirstFrame => "First frame",
            Self::LastFrame => "Last frame",
            Self::Seek(_) | Self::GoTo(_) => "Go to a frame",
            Self::WalkMarks(by) if *by < 0 => "Previous mark",
            Self::WalkMarks(_) => "Next mark",
            Self::WalkSpeed(by) if *by < 0 => "Slower",
            Self::WalkSpeed(_) => "Faster",
            Self::Speed(speed) if *speed == 1.0 => "Normal speed",
            Self::Speed(_) => "Set the speed",
            Self::Fps(None) => "Use the file's frame rate",
            Self::Fps(Some(_)) => "Set the frame rate",
            Self::Looping(None) => "Use the file's loop mode",
            Self::Looping(Some(_)) => "Set the loop mode",
            Self::CycleLoop => "Next loop mode",
            Self::Section(None) => "Play all frames",
            Self::Section(Some(_)) => "Set the loop range",
            Self::SectionStart => "Start the loop range here",
            Self::SectionEnd => "End the loop range here",
            Self::Bind(BindChoice::Auto) => "Bind pose: by name",
            Self::Bind(BindChoice::None) => "Bind pose: none",
            Self::Bind(BindChoice::Frame(..)) => "Choose the bind pose",
            Self::BindHere => "Bind pose: frame on screen",
        }
    }
}
