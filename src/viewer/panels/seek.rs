//! Pointer and arrows on a control along which frames lie: the timeline, and the ruler above curves.

use egui::{Key, PointerButton, Pos2, Rect, Response, Ui};

use pchr::playback::Timeline;

use super::press::{self, Press};
use super::rail::whole;
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::state::State;

/// Frames along a control.
pub(super) struct Seek<'a> {
    pub state: &'a State,
    pub timeline: &'a Timeline,
    /// The frame of the animation at a place; not a whole one.
    pub frame_at: &'a dyn Fn(Pos2) -> f64,
}

impl Seek<'_> {
    /// Goes to the frame under the pointer while it is held, or chooses the section that it went over with Shift; steps by the arrows.
    /// Presses on `others` are ignored. Returns the press.
    pub(super) fn ui(
        &self,
        ui: &Ui,
        response: &Response,
        others: &[Rect],
        actions: &mut Vec<Action>,
    ) -> Option<Press> {
        self.arrows(ui, response, actions);
        let press = press::of(ui, response, &[PointerButton::Primary], others)?;
        let dragged = ui.ctx().dragged_id();
        if !press.is_over && dragged.is_some_and(|other| other != response.id) {
            // The position of the press decides, not that at the start of the frame.
            ui.ctx().set_dragged_id(response.id);
        }
        let frame = (self.frame_at)(press.at);
        let playback = self.state.playback();
        if press.modifiers.shift {
            let [a, b] = [(self.frame_at)(press.from), frame].map(whole);
            let section = Some([a.min(b), a.max(b)]);
            if section != playback.section {
                actions.push(Action::Playback(PlaybackAction::Section(section)));
            }
            return Some(press);
        }
        let to = if self.timeline.smooth {
            frame
        } else {
            frame.round()
        };
        if to != playback.position(self.state.timelines()) {
            actions.push(Action::Playback(PlaybackAction::Seek(to)));
        }
        Some(press)
    }

    /// Steps by the arrows, and goes to the ends, while the control has the keyboard focus.
    fn arrows(&self, ui: &Ui, response: &Response, actions: &mut Vec<Action>) {
        if !response.has_focus() {
            return;
        }
        focus::uses(ui.ctx(), response.id, Uses::Frames);
        for (key, action) in [
            (Key::ArrowLeft, PlaybackAction::Step(-1)),
            (Key::ArrowRight, PlaybackAction::Step(1)),
            (Key::Home, PlaybackAction::FirstFrame),
            (Key::End, PlaybackAction::LastFrame),
        ] {
            let count = ui.input(|input| input.num_presses(key));
            actions.extend((0..count).map(|_| Action::Playback(action.clone())));
        }
    }
}
