//! Which moment is shown, and how time passes.

use super::State;
use crate::playback::LoopMode;
use crate::viewer::action::Action;
use crate::viewer::speeds::{faster, slower};

impl State {
    pub(super) fn on_playback(&mut self, action: &Action) {
        let Some(model) = &mut self.model else {
            return;
        };
        let playback = &mut self.playback;
        let timelines = model.loaded().timelines.as_slice();
        match action {
            Action::Advance(dt) => {
                let before = playback.frame_at(timelines);
                playback.advance(timelines, *dt);
                if playback.frame_at(timelines) == before {
                    return; // the picture is the same
                }
            }
            Action::Animation(id) => playback.choose(Some(*id)),
            Action::WalkAnimations(by) => playback.walk(timelines, *by),
            Action::TogglePlay => {
                self.before_play = Some(playback.clone());
                playback.toggle(timelines);
            }
            Action::UndoPlay => {
                if let Some(before) = self.before_play.take() {
                    *playback = before;
                }
            }
            Action::ToggleBackwards => playback.toggle_backwards(timelines),
            Action::Step(frames) => playback.step(timelines, *frames),
            Action::FirstFrame => playback.first(timelines),
            Action::LastFrame => playback.last(timelines),
            Action::Seek(frames) => playback.seek(timelines, *frames),
            Action::WalkSpeed(by) if *by < 0 => playback.set_speed(slower(playback.speed)),
            Action::WalkSpeed(_) => playback.set_speed(faster(playback.speed)),
            Action::Speed(speed) => playback.set_speed(*speed),
            Action::Fps(fps) => playback.set_fps(timelines, *fps),
            Action::Looping(mode) => playback.set_mode(timelines, *mode),
            Action::CycleLoop => {
                let next = match playback.mode(timelines) {
                    LoopMode::Once => LoopMode::Loop,
                    LoopMode::Loop => LoopMode::PingPong,
                    LoopMode::PingPong => LoopMode::Once,
                };
                playback.set_mode(timelines, Some(next));
            }
            Action::Section(section) => playback.set_section(timelines, *section),
            Action::SectionStart | Action::SectionEnd => {
                if let Some((at, [first, last])) =
                    playback.frame_at(timelines).zip(playback.range(timelines))
                {
                    let here = at.frame;
                    let section = if *action == Action::SectionStart {
                        [here, last.max(here)]
                    } else {
                        [first.min(here), here]
                    };
                    playback.set_section(timelines, Some(section));
                }
            }
            Action::Bind(choice) => {
                model.set_bind(*choice);
                self.refit();
            }
            _ => playback.smooth = !playback.smooth,
        }
        self.show();
    }
}
