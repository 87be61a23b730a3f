//! Both ends of the section that plays: grips above the rail that the pointer drags and the arrows move.

use egui::{
    CursorIcon, Key, PointerButton, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::press;
use super::rail::{Rail, whole};
use crate::viewer::action::{Action, PlaybackAction};
use crate::viewer::focus::{self, Uses};
use crate::viewer::theme;

/// Size of a grip in logical pixels. It lies outside the section, so that both can be held however short that is.
const GRIP: egui::Vec2 = vec2(9.0, 13.0);
/// Logical pixels around a grip that are taken for it, to the side and below.
const REACH: f32 = 3.0;

/// Ends of the section that plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends<'a> {
    pub rail: &'a Rail,
    pub section: [u16; 2],
}

/// An end of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Start,
    End,
}

impl End {
    const BOTH: [Self; 2] = [Self::Start, Self::End];

    fn name(self) -> &'static str {
        match self {
            Self::Start => "Start of the loop range",
            Self::End => "End of the loop range",
        }
    }

    fn of(self, [first, last]: [u16; 2]) -> u16 {
        match self {
            Self::Start => first,
            Self::End => last,
        }
    }
}

impl Ends<'_> {
    /// The grip of an end.
    fn grip(&self, end: End) -> Rect {
        let x = self.rail.x(end.of(self.section).into());
        let top = self.rail.rect.center().y - GRIP.y - 1.0;
        let left = match end {
            End::Start => x - GRIP.x,
            End::End => x,
        };
        Rect::from_min_size(pos2(left, top), GRIP)
    }

    /// Places that are taken for the grips.
    pub(super) fn rects(&self) -> [Rect; 2] {
        End::BOTH.map(|end| {
            let mut rect = self.grip(end).expand2(vec2(0.0, REACH));
            match end {
                End::Start => rect.min.x -= REACH,
                End::End => rect.max.x += REACH,
            }
            rect
        })
    }

    /// Senses pointer and keys on both ends, and draws them. Returns the place of the end that is held or has the
    /// keyboard, and the section from now on.
    pub(super) fn ui(&self, ui: &Ui, actions: &mut Vec<Action>) -> Option<(f32, [u16; 2])> {
        let mut held = None;
        for (end, rect) in End::BOTH.into_iter().zip(self.rects()) {
            let id = ui.scope_id().with(end.name());
            let response = ui.interact(rect, id, Sense::click_and_drag());
            let frame = end.of(self.section);
            response.widget_info(|| {
                let mut info = WidgetInfo::labeled(Role::Slider, ui.is_enabled(), end.name());
                info.value = Some(f64::from(frame));
                info
            });
            let by_key = self.keys(ui, end, &response);
            let pulled = self.pulled(ui, end, &response);
            if let Some(to) = pulled.or(by_key) {
                let section = self.with(end, to);
                if pulled.is_some() || response.has_focus() {
                    held = Some((self.rail.x(end.of(section).into()), section));
                }
                if section != self.section {
                    let section = PlaybackAction::Section(Some(section));
                    actions.push(Action::Playback(section));
                }
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
    fn with(&self, end: End, to: u16) -> [u16; 2] {
        let [first, last] = self.section;
        match end {
            End::Start => [to.min(last), last],
            End::End => [first, to.max(first).min(self.rail.last)],
        }
    }

    fn keys(&self, ui: &Ui, end: End, response: &Response) -> Option<u16> {
        if !response.has_focus() {
            return None;
        }
        focus::uses(ui.ctx(), response.id, Uses::Frames);
        let presses = |key| {
            let count = ui.input(|input| input.num_presses(key));
            u16::try_from(count).unwrap_or(u16::MAX)
        };
        let here = end.of(self.section);
        let to = here
            .saturating_add(presses(Key::ArrowRight))
            .saturating_sub(presses(Key::ArrowLeft));
        let to = match () {
            () if presses(Key::Home) > 0 => 0,
            () if presses(Key::End) > 0 => self.rail.last,
            () => to,
        };
        (to != here).then_some(to)
    }

    /// Frame that the pointer has pulled it to.
    fn pulled(&self, ui: &Ui, end: End, response: &Response) -> Option<u16> {
        let press = press::of(ui, response, &[PointerButton::Primary], &[])?;
        let id = response.id.with("where it was held");
        let x = self.rail.x(end.of(self.section).into());
        let known: Option<f32> = ui.data(|data| data.get_temp(id));
        let off = known.filter(|_| !press.is_new).unwrap_or(press.from.x - x);
        ui.data_mut(|data| data.insert_temp(id, off));
        Some(whole(self.rail.frame_at(press.at.x - off)))
    }

    fn paint(&self, ui: &Ui, end: End, response: &Response) {
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
        let fill = if lit {
            colors.text_strong
        } else {
            colors.warning
        };
        painter.rect_filled(grip, 2.0, fill);
        for by in [-1.5, 1.5] {
            let y = grip.shrink(3.5).y_range();
            let line = Stroke::new(1.0, colors.panel);
            painter.vline(grip.center().x + by, y, line);
        }
    }
}
