//! Which moment is shown, and how time passes.

use super::State;
use crate::viewer::action::Action;
use crate::viewer::playback::LoopMode;

impl State {
    pub(super) fn on_playback(&mut self, action: &Action) {
        let Some(model) = &mut self.model else {
            return;
        };
        let playback = &mut self.playback;
        let document = model.document();
        match action {
            Action::Advance(dt) => {
                let before = playback.frame_at(document);
                playback.advance(document, *dt);
                if playback.frame_at(document) == before {
                    return; // the picture is the same
                }
            }
            Action::Animation(id) => playback.choose(Some(*id)),
            Action::WalkAnimations(by) => playback.walk(document, *by),
            Action::TogglePlay => {
                self.before_play = Some(playback.clone());
                playback.toggle(document);
            }
            Action::UndoPlay => {
                if let Some(before) = self.before_play.take() {
                    *playback = before;
                }
            }
            Action::ToggleBackwards => playback.toggle_backwards(document),
            Action::Step(frames) => playback.step(document, *frames),
            Action::FirstFrame => playback.first(document),
            Action::LastFrame => playback.last(document),
            Action::Seek(frames) => playback.seek(document, *frames),
            Action::WalkSpeed(by) if *by < 0 => playback.slower(),
            Action::WalkSpeed(_) => playback.faster(),
            Action::Speed(speed) => playback.set_speed(*speed),
            Action::Fps(fps) => playback.set_fps(document, *fps),
            Action::Looping(mode) => playback.set_mode(document, *mode),
            Action::CycleLoop => {
                let next = match playback.mode(document) {
                    LoopMode::Once => LoopMode::Loop,
                    LoopMode::Loop => LoopMode::PingPong,
                    LoopMode::PingPong => LoopMode::Once,
                };
                playback.set_mode(document, Some(next));
            }
            Action::Section(section) => playback.set_section(document, *section),
            Action::SectionStart | Action::SectionEnd => {
                if let Some((at, [first, last])) =
                    playback.frame_at(document).zip(playback.range(document))
                {
                    let here = at.frame;
                    let section = if *action == Action::SectionStart {
                        [here, last.max(here)]
                    } else {
                        [first.min(here), here]
                    };
                    playback.set_section(document, Some(section));
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
