//! Frames along a control: seeking by pointer and arrows, by a text that is typed, and both ends of the section that plays.

use egui::{CursorIcon, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, pos2, vec2};

use pchr::playback::Timeline;

use crate::viewer::action::PlaybackAction;
use crate::viewer::focus::{self, Uses};
use crate::viewer::interface::{narrow, pixel};
use crate::viewer::kept::Press;
use crate::viewer::panels::Panels;
use crate::viewer::panels::pointer_and_wheel::press_of;
use crate::viewer::panels::widgets::name_value;
use crate::viewer::theme;

/// Goes to the frame under the pointer while it is held on a control, or chooses the section that it went over with Shift; steps by the
/// arrows. `frame_at` is the frame at a place, not a whole one. Presses on `others` are ignored. Returns the press.
pub(crate) fn seek(
    ui: &Ui,
    (state, timeline): (&Panels<'_>, &Timeline),
    response: &Response,
    frame_at: impl Fn(Pos2) -> f64,
    others: &[Rect],
) -> Option<Press> {
    arrows(ui, response, state);
    let press = press_of(ui, state, response, others, None)?;
    let dragged = ui.ctx().dragged_id();
    if !press.is_over && dragged.is_some_and(|other| other != response.id) {
        // The position of the press decides, not that at the start of the frame.
        ui.ctx().set_dragged_id(response.id);
    }
    let frame = frame_at(press.at);
    let playback = state.playback();
    if press.modifiers.shift {
        let [a, b] = [frame_at(press.from), frame].map(whole);
        let section = Some([a.min(b), a.max(b)]);
        state.push_if(section != playback.section, PlaybackAction::Section(section));
        return Some(press);
    }
    let to = if timeline.smooth { frame } else { frame.round() };
    state.push_if(to != playback.position(state.timelines()), PlaybackAction::Seek(to));
    Some(press)
}

/// Steps by the arrows, and goes to the ends, while a control has the keyboard focus.
fn arrows(ui: &Ui, response: &Response, state: &Panels<'_>) {
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
        for _ in 0..count {
            state.push(action.clone());
        }
    }
}

/// Frames along a rail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rail {
    /// Place of the control.
    pub rect: Rect,
    /// Places of the first and of the last frame.
    pub left: f32,
    pub right: f32,
    pub last: u16,
}

impl Rail {
    /// Number of frames between the ends, at least 1.
    pub(crate) fn steps(&self) -> f32 {
        f32::from(self.last.max(1))
    }

    /// Place of a frame.
    pub(crate) fn x(&self, frame: f64) -> f32 {
        self.left + (self.right - self.left) * (narrow(frame) / self.steps()).min(1.0)
    }

    /// Frame at a place; not a whole one.
    pub(crate) fn frame_at(&self, x: f32) -> f64 {
        let part = ((x - self.left) / (self.right - self.left)).clamp(0.0, 1.0);
        f64::from(part) * f64::from(self.last)
    }
}

/// Returns the item whose place is nearest to `x`, if it is within `reach` logical pixels. Items lie from left to right.
pub(crate) fn near<T>(items: &[T], place: impl Fn(&T) -> f32, x: f32, reach: f32) -> Option<&T> {
    let after = items.partition_point(|item| place(item) < x);
    let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
    let distance = |item: &&T| (place(item) - x).abs();
    let around = around.filter_map(|at| items.get(at));
    let near = around.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    near.filter(|item| distance(item) <= reach)
}

/// The nearest whole frame.
pub(crate) fn whole(frame: f64) -> u16 {
    u16::try_from(pixel(narrow(frame))).unwrap_or(u16::MAX)
}

/// Size of a grip in logical pixels. It lies outside the section, so that both can be held however short that is.
const GRIP: egui::Vec2 = vec2(9.0, 13.0);
/// Logical pixels around a grip that are taken for it, to the side and below.
const REACH: f32 = 3.0;

/// Ends of the section that plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends<'a> {
    pub rail: &'a Rail,
    pub section: [u16; 2],
}

/// An end of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SectionEnd {
    Start,
    End,
}

impl SectionEnd {
    const BOTH: [Self; 2] = [Self::Start, Self::End];

    fn of(self, [first, last]: [u16; 2]) -> u16 {
        match self {
            Self::Start => first,
            Self::End => last,
        }
    }
}

impl Ends<'_> {
    fn grip(&self, end: SectionEnd) -> Rect {
        let x = self.rail.x(end.of(self.section).into());
        let top = self.rail.rect.center().y - GRIP.y - 1.0;
        let left = match end {
            SectionEnd::Start => x - GRIP.x,
            SectionEnd::End => x,
        };
        Rect::from_min_size(pos2(left, top), GRIP)
    }

    /// Places that are taken for the grips.
    pub(crate) fn rects(&self) -> [Rect; 2] {
        SectionEnd::BOTH.map(|end| {
            let mut rect = self.grip(end).expand2(vec2(0.0, REACH));
            match end {
                SectionEnd::Start => rect.min.x -= REACH,
                SectionEnd::End => rect.max.x += REACH,
            }
            rect
        })
    }

    /// Senses pointer and keys on both ends, and draws them. Returns the place of the end that is held or has the
    /// keyboard, and the section from now on.
    pub(crate) fn ui(&self, ui: &Ui, state: &Panels<'_>) -> Option<(f32, [u16; 2])> {
        let mut held = None;
        for (end, rect) in SectionEnd::BOTH.into_iter().zip(self.rects()) {
            let name = match end {
                SectionEnd::Start => "Start of the loop range",
                SectionEnd::End => "End of the loop range",
            };
            let id = ui.scope_id().with(name);
            let response = ui.interact(rect, id, Sense::click_and_drag());
            let frame = end.of(self.section);
            name_value(&response, Role::Slider, name, frame.into());
            let by_key = self.keys(ui, end, &response);
            let item = pos2(self.rail.x(frame.into()), 0.0);
            let press = press_of(ui, state, &response, &[], Some(item));
            let pulled = press.map(|it| whole(self.rail.frame_at(it.at.x - it.grip.x)));
            if let Some(to) = pulled.or(by_key) {
                let section = self.with(end, to);
                if pulled.is_some() || response.has_focus() {
                    held = Some((self.rail.x(end.of(section).into()), section));
                }
                state.push_if(section != self.section, PlaybackAction::Section(Some(section)));
            }
            // Moved by keys it tells its frame, too.
            if response.has_focus() && held.is_none() {
                held = Some((self.rail.x(frame.into()), self.section));
            }
            self.paint(ui, end, &response);
            if response.hovered() || response.dragged() {
                ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
            }
        }
        held
    }

    /// The section with another end.
    fn with(&self, end: SectionEnd, to: u16) -> [u16; 2] {
        let [first, last] = self.section;
        match end {
            SectionEnd::Start => [to.min(last), last],
            SectionEnd::End => [first, to.max(first).min(self.rail.last)],
        }
    }

    fn keys(&self, ui: &Ui, end: SectionEnd, response: &Response) -> Option<u16> {
        if !response.has_focus() {
            return None;
        }
        focus::uses(ui.ctx(), response.id, Uses::Frames);
        let presses = |key| {
            let count = ui.input(|input| input.num_presses(key));
            u16::try_from(count).unwrap_or(u16::MAX)
        };
        let here = end.of(self.section);
        let to = match () {
            () if presses(Key::Home) > 0 => 0,
            () if presses(Key::End) > 0 => self.rail.last,
            () => {
                let to = here.saturating_add(presses(Key::ArrowRight));
                to.saturating_sub(presses(Key::ArrowLeft))
            }
        };
        (to != here).then_some(to)
    }

    fn paint(&self, ui: &Ui, end: SectionEnd, response: &Response) {
        let colors = theme::of(ui);
        let lit = response.hovered() || response.dragged() || response.has_focus();
        let grip = self.grip(end);
        let x = self.rail.x(end.of(self.section).into());
        let painter = ui.painter();
        let stem = Rect::from_min_max(
            pos2(x - 1.0, grip.top()),
            pos2(x + 1.0, self.rail.rect.center().y + 6.0),
        );
        painter.rect_filled(stem, 0.0, colors.warning);
        let fill = if lit { colors.text_strong } else { colors.warning };
        painter.rect_filled(grip, 2.0, fill);
        for by in [-1.5, 1.5] {
            let y = grip.shrink(3.5).y_range();
            let line = Stroke::new(1.0, colors.panel);
            painter.vline(grip.center().x + by, y, line);
        }
    }
}

/// Forms that are understood, for hints.
pub(super) const FORMS: &str = "12   +5   -3   1.5s   50%";

/// Returns the frame that a text means, counted from the frame `here`: between the ends, and a whole one unless frames are blended.
pub(super) fn parse(text: &str, here: f64, timeline: &Timeline) -> Option<f64> {
    let last = f64::from(timeline.frame_count.checked_sub(1)?);
    let text = text.trim();
    let (from, sign, text) = match text.strip_prefix(['+', '-', '−']) {
        Some(rest) if text.starts_with('+') => (here, 1.0, rest),
        Some(rest) => (here, -1.0, rest),
        None => (0.0, 1.0, text),
    };
    let text = text.trim_end();
    let is_time = text.ends_with(['s', 'S']);
    let (text, unit) = match text {
        text if is_time => (text.trim_end_matches(['s', 'S']), 1.0),
        text if text.ends_with('%') => (text.trim_end_matches('%'), last / 100.0),
        text => (text.trim_end_matches(['f', 'F']), 1.0),
    };
    let text = text.trim();
    // Neither "inf" nor "1e9" is a frame.
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    if !text.chars().all(is_number) {
        return None;
    }
    let number: f64 = text.replace(',', ".").parse().ok()?;
    let frames = if is_time { timeline.position(number) } else { number * unit };
    let frame = (from + sign * frames).clamp(0.0, last);
    let frame = match (timeline.smooth, is_time) {
        (true, _) => frame,
        (false, true) => frame.floor(),
        (false, false) => frame.round(),
    };
    frame.is_finite().then_some(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(smooth: bool) -> Timeline {
        Timeline { frame_count: 101, fps: 20.0, looping: true, smooth }
    }

    #[test]
    fn numbers_steps_seconds_and_parts_are_frames() {
        let of = |text: &str| parse(text, 40.0, &timeline(false));
        for (texts, frame) in [
            (&["12", " 012 ", "12f"][..], 12.0),
            (&["+5"], 45.0),
            (&["-3", "−3", "- 3"], 37.0),
            (&["1.5s", "1,5 s", "1.54s", "1.549999s", "-10 %"], 30.0),
            (&["1.55s"], 31.0),
            (&["50%", "+0.5s"], 50.0),
            (&["12.6"], 13.0),
            (&["9999", "99999999999999999999"], 100.0),
            (&["-9999"], 0.0),
        ] {
            texts.iter().for_each(|text| assert_eq!(of(text), Some(frame), "{text}"));
        }
        for text in ["", " ", "+", "s", "%", "x", "1e9", "inf", "NaN", "1.2.3", "--3", "5%s", "1 2"]
        {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(parse("12.5", 0.0, &timeline(true)), Some(12.5));
        let nothing = Timeline { frame_count: 0, ..timeline(false) };
        assert_eq!(parse("1", 0.0, &nothing), None);
    }
}
