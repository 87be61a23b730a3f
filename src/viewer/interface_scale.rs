//! Size of the interface: everything but the picture, which keeps its pixels.

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
