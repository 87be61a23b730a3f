//! Pointer and arrows on a control along which frames lie: the time line, and the ruler above curves.

use egui::{Event, Key, PointerButton, Response, Ui};

use crate::playback::Timeline;
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::rounding::{narrow, pixel};
use crate::viewer::state::State;

/// Frames along a control.
pub(super) struct Seek<'a> {
    pub state: &'a State,
    pub timeline: &'a Timeline,
    /// The frame of the animation at a place from left to right; not a whole one.
    pub frame_at: &'a dyn Fn(f32) -> f64,
}

/// The pointer's first button, held down on a control.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    /// Places of its press and of its last movement: logical pixels from left to right.
    from: f32,
    to: f32,
    /// True if Shift was held when it went down.
    shift: bool,
}

impl Seek<'_> {
    /// Goes to the frame under the pointer while it is held, or chooses the section that it went over with Shift; steps by the arrows.
    pub(super) fn ui(&self, ui: &Ui, response: &Response, actions: &mut Vec<Action>) {
        self.arrows(ui, response, actions);
        let Some(held) = held(ui, response) else {
            return;
        };
        let frame = (self.frame_at)(held.to);
        let playback = self.state.playback();
        if held.shift {
            let [a, b] = [(self.frame_at)(held.from), frame].map(whole);
            let section = Some([a.min(b), a.max(b)]);
            if section != playback.section {
                actions.push(Action::Playback(PlaybackAction::Section(section)));
            }
            return;
        }
        let to = if self.timeline.smooth {
            frame
        } else {
            frame.round()
        };
        if to != playback.position(self.state.timelines()) {
            actions.push(Action::Playback(PlaybackAction::Seek(to)));
        }
    }

    /// Steps by the arrows, and goes to the ends, while the control has the keyboard.
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

/// Returns the pointer's press on a control since the last frame. Within one slow frame a button may go down, be dragged far and be
/// released; egui reports only the last place.
fn held(ui: &Ui, response: &Response) -> Option<Held> {
    let id = response.id.with("held");
    let mut held: Option<Held> = ui.data(|data| data.get_temp(id));
    let mut last = held;
    let is_of_pointer =
        |event: &&Event| matches!(event, Event::PointerMoved(_) | Event::PointerButton { .. });
    let events: Vec<Event> = ui.input(|input| {
        let events = input.events.iter().filter(is_of_pointer);
        events.cloned().collect()
    });
    for event in events {
        match event {
            Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed: true,
                modifiers,
            } => {
                let layer = ui.ctx().layer_id_at(pos);
                let is_on_top = layer.is_none_or(|layer| layer == response.layer_id);
                let is_hit = ui.is_enabled() && response.interact_rect.contains(pos);
                held = (is_hit && is_on_top).then_some(Held {
                    from: pos.x,
                    to: pos.x,
                    shift: modifiers.shift,
                });
                last = held.or(last);
            }
            Event::PointerButton {
                pos,
                button: PointerButton::Primary,
                pressed: false,
                ..
            } => {
                if let Some(held) = held.take() {
                    last = Some(Held { to: pos.x, ..held });
                }
            }
            Event::PointerMoved(pos) => {
                if let Some(held) = &mut held {
                    held.to = pos.x;
                    last = Some(*held);
                }
            }
            _ => {}
        }
    }
    let held = held.filter(|_| ui.input(|input| input.pointer.primary_down()));
    match held {
        Some(held) => {
            ui.data_mut(|data| data.insert_temp(id, held));
            // Where it went down decides, not where it was when the frame began.
            if ui
                .ctx()
                .dragged_id()
                .is_some_and(|other| other != response.id)
            {
                ui.ctx().set_dragged_id(response.id);
            }
        }
        None => ui.data_mut(|data| data.remove::<Held>(id)),
    }
    last
}

/// The nearest whole frame.
fn whole(frame: f64) -> u16 {
    u16::try_from(pixel(narrow(frame))).unwrap_or(u16::MAX)
}
