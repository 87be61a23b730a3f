//! Size, contrast and motion of the interface, and places of cards over the picture.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use serde::{Deserialize, Serialize};

/// A card over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Card {
    /// The image that the selected mesh is drawn from.
    Atlas,
    /// Costs and contents of a frame.
    Statistics,
}

impl Card {
    /// Returns its first place.
    pub(crate) fn usual(self) -> Place {
        match self {
            Self::Atlas => Place::corner([Side::Start, Side::Start]),
            Self::Statistics => Place::corner([Side::End, Side::Start]),
        }
    }
}

/// Part of an axis that a card is held at: left to right, or top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Side {
    Start,
    Middle,
    End,
}

impl Side {
    const ALL: [Self; 3] = [Self::Start, Self::Middle, Self::End];

    /// Returns the part of the free length that lies before the card.
    fn before(self) -> f32 {
        match self {
            Self::Start => 0.0,
            Self::Middle => 0.5,
            Self::End => 1.0,
        }
    }
}

/// Place of a card, which outlives the size of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Anchor across and down.
    pub at: [Side; 2],
    /// Distance from that corner or edge in logical pixels; 0 while docked.
    pub offset: [f32; 2],
    /// Width and height that were chosen, in logical pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[f32; 2]>,
}

/// Logical pixels that anything remembered may be off at most.
const FAR: f32 = 16_384.0;

impl Place {
    /// Returns the place at a corner, or in the middle of an edge.
    pub(crate) const fn corner(at: [Side; 2]) -> Self {
        Self {
            at,
            offset: [0.0; 2],
            size: None,
        }
    }

    /// Returns the place of `card` within `room`: held where it is nearest to.
    pub(crate) fn of(card: Rect, room: Rect, size: Option<[f32; 2]>) -> Self {
        let [x, y] = [0, 1].map(|axis| {
            let held = Side::ALL.map(|side| (side, card.min[axis] - start(side, card, room, axis)));
            let nearest = held.into_iter();
            let nearest = nearest.min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            nearest.unwrap_or((Side::Start, 0.0))
        });
        Self {
            at: [x.0, y.0],
            offset: [x.1, y.1],
            size,
        }
    }

    /// Returns the rectangle of a card of this size, always within `room` if there is any.
    pub(crate) fn rect(&self, size: Vec2, room: Rect) -> Rect {
        let card = Rect::from_min_size(room.min, size.min(room.size()));
        let [x, y] = [0, 1].map(|axis| {
            let side = self.at.get(axis).copied().unwrap_or(Side::Start);
            let offset = self.offset.get(axis).copied().unwrap_or_default();
            let last = (room.max[axis] - card.size()[axis]).max(room.min[axis]);
            let at = start(side, card, room, axis) + offset;
            at.clamp(room.min[axis], last)
        });
        Rect::from_min_size(pos2(x, y), card.size())
    }

    /// Returns the same place, docked along each axis on which that is no further than `within`.
    pub(crate) fn docked(self, within: f32) -> Self {
        let dock = |offset: f32| if offset.abs() <= within { 0.0 } else { offset };
        Self {
            offset: self.offset.map(dock),
            ..self
        }
    }

    /// Returns true if it lies at an edge or a corner, without a distance.
    pub(crate) fn is_docked(&self) -> bool {
        let mut axes = self.at.into_iter().zip(self.offset);
        axes.any(|(side, offset)| side != Side::Middle && offset == 0.0)
    }

    /// Returns the place if its numbers are plausible, since a file may hold anything.
    pub(crate) fn checked(self) -> Option<Self> {
        let sides = self.size.into_iter().flatten();
        let mut all = self.offset.into_iter().chain(sides);
        all.all(|length| length.abs() <= FAR).then_some(self)
    }
}

/// Returns the start of a card on an axis while it is docked at `side`.
fn start(side: Side, card: Rect, room: Rect, axis: usize) -> f32 {
    let free = (room.size()[axis] - card.size()[axis]).max(0.0);
    room.min[axis] + free * side.before()
}

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
        Self {
            zoom: 1.0,
            middle: [0.5; 2],
        }
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
        Self {
            zoom,
            middle: [under.x - off.x, under.y - off.y],
        }
        .within(shown, fitted)
    }

    /// Returns the part after a drag.
    pub(crate) fn panned(&self, by: Vec2, shown: Rect, fitted: Vec2) -> Self {
        let by = by / (fitted * self.zoom).max(Vec2::splat(1.0));
        let [x, y] = self.middle;
        Self {
            zoom: self.zoom,
            middle: [x - by.x, y - by.y],
        }
        .within(shown, fitted)
    }

    /// Returns the same without a gap at an edge where there is more of the image.
    fn within(self, shown: Rect, fitted: Vec2) -> Self {
        let size = fitted * self.zoom;
        let [x, y] = self.middle;
        let keep = |middle: f32, seen: f32, whole: f32| {
            let half = (seen / whole.max(1.0) / 2.0).min(0.5);
            match middle.is_finite() {
                true => middle.clamp(half, 1.0 - half),
                false => 0.5,
            }
        };
        let middle = [
            keep(x, shown.width(), size.x),
            keep(y, shown.height(), size.y),
        ];
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

/// Choices of contrast and motion. Without one, the system's setting is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comforts {
    /// True for more contrast.
    pub contrast: Option<bool>,
    /// True for less motion.
    pub motion: Option<bool>,
    pub system: Comfort,
}

impl Comforts {
    /// Returns the effective settings.
    pub(crate) fn shown(&self) -> Comfort {
        Comfort {
            more_contrast: self.contrast.unwrap_or(self.system.more_contrast),
            less_motion: self.motion.unwrap_or(self.system.less_motion),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Rect = Rect {
        min: pos2(10.0, 20.0),
        max: pos2(810.0, 620.0),
    };

    fn card(x: f32, y: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(200.0, 100.0))
    }

    #[test]
    fn a_card_keeps_its_corner_when_the_picture_is_resized_and_never_leaves_it() {
        let place = Place::of(card(600.0, 515.0), ROOM, None);
        assert_eq!(place.at, [Side::End, Side::End]);
        assert_eq!(place.offset, [-10.0, -5.0]);
        let size = vec2(200.0, 100.0);
        assert_eq!(place.rect(size, ROOM), card(600.0, 515.0));
        let wider = Rect::from_min_max(ROOM.min, pos2(1000.0, 700.0));
        assert_eq!(place.rect(size, wider), card(790.0, 595.0));
        for (width, height) in [(50.0, 50.0), (0.0, 0.0), (300.0, 90.0), (199.0, 2000.0)] {
            let small = Rect::from_min_size(ROOM.min, vec2(width, height));
            for at in [[-500.0, 40.0], [9000.0, -9000.0], [0.0, 0.0]] {
                let place = Place {
                    offset: at,
                    ..place
                };
                assert!(small.contains_rect(place.rect(size, small)), "{small:?}");
            }
        }
    }

    #[test]
    fn it_docks_at_corners_along_edges_and_in_their_middle() {
        let docked = |x, y| Place::of(card(x, y), ROOM, None).docked(20.0);
        let corner = docked(25.0, 30.0);
        assert_eq!((corner.offset, corner.is_docked()), ([0.0; 2], true));
        let edge = docked(605.0, 150.0);
        assert_eq!(edge.at[0], Side::End);
        assert_eq!(edge.offset[0], 0.0);
        assert!(edge.offset[1] != 0.0 && edge.is_docked());
        let middle = docked(320.0, 25.0);
        assert_eq!(middle.at, [Side::Middle, Side::Start]);
        assert_eq!(middle.offset, [0.0; 2]);
        assert!(!docked(150.0, 150.0).is_docked());
        // The middle of the picture is not an edge.
        assert!(!docked(310.0, 270.0).is_docked());
    }

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
        let out = far.zoomed(1e-9, at, shown, fitted);
        assert_eq!(out, PageZoom::default());
    }

    #[test]
    fn what_makes_no_sense_is_not_taken_from_a_file() {
        let place = |offset, size| Place {
            offset,
            size,
            ..Card::Atlas.usual()
        };
        assert!(place([5.0, 0.0], Some([200.0; 2])).checked().is_some());
        assert!(place([f32::NAN, 0.0], None).checked().is_none());
        assert!(
            place([0.0; 2], Some([f32::INFINITY, 1.0]))
                .checked()
                .is_none()
        );
    }
}

#[cfg(test)]
mod interface_scale_tests {
    use super::*;

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
