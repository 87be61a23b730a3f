//! The moment on show, and the passing of time.

use super::State;
use crate::playback::LoopMode;
use crate::pose::BindChoice;
use crate::viewer::action::PlaybackAction;
use crate::viewer::speeds::{faster, slower};

impl State {
    pub(super) fn on_playback(&mut self, action: &PlaybackAction) {
        let Some(model) = &mut self.model else {
            return;
        };
        let playback = &mut self.playback;
        let animation = playback.animation;
        let timelines = model.loaded().timelines.as_slice();
        match action {
            PlaybackAction::Advance(dt) => {
                let before = playback.frame_at(timelines);
                playback.advance(timelines, *dt);
                if playback.frame_at(timelines) == before {
                    return self.arrange_meshes(); // the picture is the same
                }
            }
            PlaybackAction::Animation(id) => playback.choose(Some(*id)),
            PlaybackAction::WalkAnimations(by) => playback.walk(timelines, *by),
            PlaybackAction::TogglePlay => {
                self.before_play = Some(playback.clone());
                playback.toggle(timelines);
            }
            PlaybackAction::UndoPlay => {
                if let Some(before) = self.before_play.take() {
                    *playback = before;
                }
            }
            PlaybackAction::ToggleBackwards => playback.toggle_backwards(timelines),
            PlaybackAction::Step(frames) => playback.step(timelines, *frames),
            PlaybackAction::FirstFrame => playback.first(timelines),
            PlaybackAction::LastFrame => playback.last(timelines),
            PlaybackAction::Seek(frames) => playback.seek(timelines, *frames),
            PlaybackAction::GoTo(frames) => {
                playback.pause();
                playback.seek(timelines, *frames);
            }
            PlaybackAction::WalkMarks(by) => {
                let round = playback.mode(timelines) == LoopMode::Loop;
                let here = playback.frame_at(timelines).map(|at| at.frame);
                let beside = |here| self.tracks.mark_beside(here, *by > 0, round);
                if let Some(to) = here.and_then(beside) {
                    playback.pause();
                    playback.seek(timelines, to.into());
                }
            }
            PlaybackAction::WalkSpeed(by) if *by < 0 => playback.set_speed(slower(playback.speed)),
            PlaybackAction::WalkSpeed(_) => playback.set_speed(faster(playback.speed)),
            PlaybackAction::Speed(speed) => playback.set_speed(*speed),
            PlaybackAction::Fps(fps) => playback.set_fps(timelines, *fps),
            PlaybackAction::Looping(mode) => playback.set_mode(timelines, *mode),
            PlaybackAction::CycleLoop => {
                let next = match playback.mode(timelines) {
                    LoopMode::Once => LoopMode::Loop,
                    LoopMode::Loop => LoopMode::PingPong,
                    LoopMode::PingPong => LoopMode::Once,
                };
                playback.set_mode(timelines, Some(next));
            }
            PlaybackAction::Section(section) => playback.set_section(timelines, *section),
            PlaybackAction::SectionStart | PlaybackAction::SectionEnd => {
                if let Some((at, [first, last])) =
                    playback.frame_at(timelines).zip(playback.range(timelines))
                {
                    let here = at.frame;
                    let section = if *action == PlaybackAction::SectionStart {
                        [here, last.max(here)]
                    } else {
                        [first.min(here), here]
                    };
                    playback.set_section(timelines, Some(section));
                }
            }
            PlaybackAction::BindHere => {
                if let Some(at) = model.pose().at() {
                    model.set_bind(BindChoice::Frame(at.animation, at.frame));
                    self.refit();
                }
            }
            PlaybackAction::Bind(choice) => {
                model.set_bind(*choice);
                self.refit();
            }
        }
        self.follow_fit(animation);
        if self.playback.animation != animation && !self.parts.points_at_meshes {
            self.parts.mesh_rows.clear(); // rows of another animation
        }
        self.show();
    }

    /// Turns the blending of frames on or off.
    pub(super) fn toggle_smooth(&mut self) {
        if self.model.is_some() {
            self.playback.smooth = !self.playback.smooth;
            self.show();
        }
    }
}
