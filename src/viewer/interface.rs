//! Size, contrast and motion of the interface, the part of the page that the atlas card shows, and numbers of the screen.

use egui::{Pos2, Rect, Vec2, vec2};

/// Visible part of the page on the atlas card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PageZoom {
    /// 1 shows the whole image.
    pub zoom: f32,
    /// Point of the image in the middle: 0 to 1.
    pub middle: [f32; 2],
}

impl Default for PageZoom {
    fn default() -> Self {
        Self { zoom: 1.0, middle: [0.5; 2] }
    }
}

impl PageZoom {
    const MOST: f32 = 64.0;

    /// Returns the rectangle of the whole image where `shown` is the part of the card that it is seen in, and `fitted`
    /// is the size of the whole image at a zoom of 1.
    pub(crate) fn image(&self, shown: Rect, fitted: Vec2) -> Rect {
        let size = fitted * self.zoom;
        let [x, y] = self.middle;
        Rect::from_min_size(shown.center() - vec2(x, y) * size, size)
    }

    /// Returns the zoom by a factor that keeps the point of the image below `at` where it is.
    pub(crate) fn zoomed(&self, factor: f32, at: Pos2, shown: Rect, fitted: Vec2) -> Self {
        let zoom = (self.zoom * factor).clamp(1.0, Self::MOST);
        let image = self.image(shown, fitted);
        let under = (at - image.min) / image.size().max(Vec2::splat(1.0));
        let off = (at - shown.center()) / (fitted * zoom).max(Vec2::splat(1.0));
        Self { zoom, middle: [under.x - off.x, under.y - off.y] }.within(shown, fitted)
    }

    /// Returns the part after a drag.
    pub(crate) fn panned(&self, by: Vec2, shown: Rect, fitted: Vec2) -> Self {
        let by = by / (fitted * self.zoom).max(Vec2::splat(1.0));
        let [x, y] = self.middle;
        Self { zoom: self.zoom, middle: [x - by.x, y - by.y] }.within(shown, fitted)
    }

    /// Returns the same without a gap at an edge where there is more of the image.
    fn within(self, shown: Rect, fitted: Vec2) -> Self {
        let size = fitted * self.zoom;
        let [x, y] = self.middle;
        let keep = |middle: f32, seen: f32, whole: f32| {
            let half = (seen / whole.max(1.0) / 2.0).min(0.5);
            if middle.is_finite() { middle.clamp(half, 1.0 - half) } else { 0.5 }
        };
        let middle = [keep(x, shown.width(), size.x), keep(y, shown.height(), size.y)];
        Self { middle, ..self }
    }
}

/// Contrast and motion, as shown or as the system wants them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comfort {
    /// True for stronger text and lines, and for nothing translucent.
    pub more_contrast: bool,
    /// True if nothing in the panels glides or fades. The content plays as ever.
    pub less_motion: bool,
}

/// Steps in percent.
const STEPS: [u16; 9] = [75, 80, 90, 100, 110, 125, 150, 175, 200];

/// Logical pixels that the panels need at least.
const ROOM: [f64; 2] = [600.0, 360.0];

/// Size of the interface in percent: one of the steps from 75 to 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InterfaceScale(u16);

impl Default for InterfaceScale {
    fn default() -> Self {
        Self::USUAL
    }
}

impl InterfaceScale {
    /// The scale of the screen alone.
    pub(crate) const USUAL: Self = Self(100);

    /// Returns the step next to a number of percent.
    pub(crate) fn of(percent: u16) -> Self {
        let nearest = STEPS.into_iter().min_by_key(|step| step.abs_diff(percent));
        nearest.map_or(Self::USUAL, Self)
    }

    pub(crate) fn percent(self) -> u16 {
        self.0
    }

    /// Returns the next larger step for `true`, the next smaller one for `false`; the last one stays.
    pub(crate) fn step(self, larger: bool) -> Self {
        let mut steps = STEPS.into_iter();
        let next = match larger {
            true => steps.find(|step| *step > self.0),
            false => steps.rev().find(|step| *step < self.0),
        };
        next.map_or(self, Self)
    }

    /// Returns the factor in a window of this size, in logical pixels of the screen.
    pub(crate) fn factor(self, window: [f64; 2]) -> f32 {
        f32::from(self.step_in(window).0) / 100.0
    }

    /// Returns the step in a window of this size, in logical pixels of the screen. A small window takes the largest one
    /// that leaves the panels room.
    pub(crate) fn step_in(self, window: [f64; 2]) -> Self {
        let fits = |percent: u16| {
            let factor = f64::from(percent) / 100.0;
            let mut sides = window.into_iter().zip(ROOM);
            percent <= 100 || sides.all(|(side, room)| side / factor >= room)
        };
        let own = STEPS.into_iter().rev();
        let mut own = own.skip_while(|step| *step > self.0);
        Self(own.find(|step| fits(*step)).unwrap_or(self.0))
    }
}

/// The nearest `f32`: the state has wide numbers, and screens have narrow ones.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(crate) fn narrow(value: f64) -> f32 {
    value as f32
}

/// The nearest whole pixel, not below 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and a screen is smaller"
)]
pub(crate) fn pixel(value: f32) -> u32 {
    value.round() as u32
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn a_point_of_the_page_stays_below_the_pointer_and_no_gap_opens() {
        let shown = Rect::from_min_size(pos2(100.0, 100.0), vec2(200.0, 200.0));
        let fitted = vec2(200.0, 100.0);
        let at = pos2(250.0, 180.0);
        let before = PageZoom::default().image(shown, fitted);
        let zoomed = PageZoom::default().zoomed(4.0, at, shown, fitted);
        let after = zoomed.image(shown, fitted);
        let under = |image: Rect| (at - image.min) / image.size();
        assert!((under(before) - under(after)).length() < 1e-4);
        let far = zoomed.panned(vec2(9000.0, -9000.0), shown, fitted);
        assert!(far.image(shown, fitted).expand(0.01).contains_rect(shown));
        assert_eq!(far.zoomed(1e-9, at, shown, fitted), PageZoom::default());
    }

    #[test]
    fn steps_go_from_75_to_200_percent_and_end_there() {
        let mut scale = InterfaceScale::of(0);
        let mut seen = vec![scale.percent()];
        while scale.step(true) != scale {
            assert_eq!(scale.step(true).step(false), scale);
            scale = scale.step(true);
            seen.push(scale.percent());
        }
        assert_eq!(seen, STEPS);
        assert_eq!(InterfaceScale::of(65_535).percent(), 200);
        assert_eq!(InterfaceScale::of(122).percent(), 125);
    }

    #[test]
    fn a_small_window_keeps_room_for_its_panels() {
        let factor = |percent, window| InterfaceScale::of(percent).factor(window);
        assert_eq!(factor(200, [1280.0, 720.0]), 2.0);
        assert_eq!(factor(200, [2560.0, 1440.0]), 2.0);
        assert_eq!(factor(200, [1024.0, 768.0]), 1.5);
        assert_eq!(factor(200, [700.0, 420.0]), 1.1);
        assert_eq!(factor(200, [100.0, 100.0]), 1.0);
        assert_eq!(factor(75, [700.0, 420.0]), 0.75);
    }
}
