//! Which moment is shown, and how time passes.

use super::State;
use crate::viewer::action::Action;

impl State {
    pub(super) fn on_playback(&mut self, action: &Action) {
        let Some(model) = &mut self.model else {
            return;
        };
        let playback = &mut self.playback;
        let document = model.document();
        match action {
            Action::Advance(dt) => playback.advance(document, *dt),
            Action::Animation(id) => {
                playback.animation = Some(*id);
                playback.seconds = 0.0;
            }
            Action::TogglePlay => playback.toggle(document),
            Action::Step(frames) => playback.step(document, *frames),
            Action::FirstFrame => {
                playback.playing = false;
                playback.seek(document, 0.0);
            }
            Action::LastFrame => {
                playback.playing = false;
                playback.seek(document, f64::INFINITY);
            }
            Action::Seek(frames) => playback.seek(document, *frames),
            Action::Fps(fps) => playback.set_fps(document, *fps),
            Action::Looping(looping) => playback.looping = *looping,
            Action::Bind(choice) => {
                model.set_bind(*choice);
                self.refit();
            }
            _ => playback.smooth = !playback.smooth,
        }
        self.show();
    }
}
