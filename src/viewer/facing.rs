//! Directions that a motion in space is seen from, by name.

use glam::DVec3;

use pchr::scene::{Direction, FRONT, OrbitCamera, SIDE, TOP};
use pchr_foreign::motion::UpAxis;

/// A direction along an axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Facing {
    Front,
    Back,
    /// The side that X points to.
    Side,
    OtherSide,
    Top,
    Bottom,
}

impl Facing {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::Front, Self::Back, Self::Side, Self::OtherSide, Self::Top, Self::Bottom];

    /// The one with this direction.
    pub(crate) fn of([yaw, pitch]: Direction) -> Option<Self> {
        let yaw = if yaw <= -180.0 { yaw + 360.0 } else { yaw };
        let same = |facing: &Self| facing.direction() == [yaw, pitch];
        Self::ALL.into_iter().find(same)
    }

    /// Yaw and pitch.
    pub(crate) fn direction(self) -> Direction {
        match self {
            Self::Front => FRONT,
            Self::Back => [180.0, 0.0],
            Self::Side => SIDE,
            Self::OtherSide => [-90.0, 0.0],
            Self::Top => TOP,
            Self::Bottom => [0.0, -90.0],
        }
    }

    /// The one from the other end of the axis.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
            Self::Side => Self::OtherSide,
            Self::OtherSide => Self::Side,
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }

    /// Name in a word or two.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Side => "Side",
            Self::OtherSide => "Other side",
            Self::Top => "Top",
            Self::Bottom => "Bottom",
        }
    }

    /// Name of looking from there.
    pub(crate) fn view_name(self) -> String {
        format!("View from the {}", self.name().to_lowercase())
    }

    /// The direction in the world that points to the camera.
    pub(crate) fn toward(self, up: UpAxis) -> DVec3 {
        let [yaw, pitch] = self.direction();
        let camera = OrbitCamera { yaw, pitch, up, ..OrbitCamera::default() };
        let [_, _, toward] = camera.axes();
        toward
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_direction_of_its_own_and_an_opposite() {
        for facing in Facing::ALL {
            assert_eq!(Facing::of(facing.direction()), Some(facing));
            assert_eq!(facing.opposite().opposite(), facing);
            for up in [UpAxis::Y, UpAxis::Z] {
                let (toward, away) = (facing.toward(up), facing.opposite().toward(up));
                assert!((toward + away).length() < 1e-12);
                // Along an axis.
                assert!((toward.abs().max_element() - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(Facing::of([-180.0, 0.0]), Some(Facing::Back));
        assert_eq!(Facing::of([30.0, 15.0]), None);
        assert_eq!(Facing::Top.toward(UpAxis::Z), DVec3::Z);
        assert_eq!(Facing::Side.toward(UpAxis::Z), DVec3::X);
    }
}
