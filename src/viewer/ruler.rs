//! A line that measures the plane.

use pchr::document::{BoneId, MeshId};

/// Degrees between the directions that a line keeps to.
const STEP: f64 = 15.0;

/// A line between two world points. An aid of the window: captures have none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruler {
    pub from: [f64; 2],
    pub to: [f64; 2],
    /// Parts that the ends stay at in every frame; none for a line on the picture.
    pub of: Option<Measured>,
}

/// Parts that are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    /// From joint to joint.
    Bones([BoneId; 2]),
    /// From the first corner of its box to the opposite one.
    Mesh(MeshId),
}

impl Ruler {
    /// Returns how far it goes along X and along Y.
    pub(crate) fn along(&self) -> [f64; 2] {
        let ([x0, y0], [x1, y1]) = (self.from, self.to);
        [x1 - x0, y1 - y0]
    }

    /// Returns its length.
    pub(crate) fn length(&self) -> f64 {
        let [x, y] = self.along();
        x.hypot(y)
    }

    /// Returns its angle from X towards Y in degrees, above -180 up to 180.
    pub(crate) fn angle(&self) -> f64 {
        let [x, y] = self.along();
        // Neither a negative zero nor -180°.
        match (y + 0.0).atan2(x).to_degrees() + 0.0 {
            angle if angle <= -180.0 => 180.0,
            angle => angle,
        }
    }

    /// Returns the line with the nearest direction out of 24 that ends closest to this one's end.
    pub(crate) fn snapped(self) -> Self {
        let angle = (self.angle() / STEP).round() * STEP;
        let (sin, cos) = match angle {
            -90.0 => (-1.0, 0.0),
            90.0 => (1.0, 0.0),
            0.0 => (0.0, 1.0),
            180.0 => (0.0, -1.0),
            angle => angle.to_radians().sin_cos(),
        };
        let ([x, y], [across, up]) = (self.from, self.along());
        let length = across * cos + up * sin;
        Self {
            to: [x + cos * length, y + sin * length],
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(x: f64, y: f64) -> Ruler {
        Ruler {
            from: [10.0, 20.0],
            to: [10.0 + x, 20.0 + y],
            of: None,
        }
    }

    #[test]
    fn it_has_a_length_and_an_angle() {
        assert_eq!(
            (to(3.0, 4.0).length(), to(3.0, 4.0).along()),
            (5.0, [3.0, 4.0])
        );
        for (x, y, angle) in [
            (1.0, 0.0, 0.0),
            (1.0, -0.0, 0.0),
            (1.0, 1.0, 45.0),
            (0.0, 2.0, 90.0),
            (-1.0, 0.0, 180.0),
            (-1.0, -0.0, 180.0),
            (0.0, -2.0, -90.0),
            (0.0, 0.0, 0.0),
        ] {
            let found = Ruler {
                from: [0.0; 2],
                to: [x, y],
                of: None,
            };
            assert_eq!(found.angle(), angle, "{x} {y}");
        }
    }

    #[test]
    fn it_keeps_to_steps_of_fifteen_degrees_and_exactly_to_the_axes() {
        assert_eq!(to(100.0, 8.0).snapped(), to(100.0, 0.0));
        assert_eq!(to(-3.0, 90.0).snapped(), to(0.0, 90.0));
        let snapped = to(100.0, 90.0).snapped();
        assert!((snapped.angle() - 45.0).abs() < 1e-9, "{snapped:?}");
        assert!((snapped.length() - 190.0 / 2.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(to(0.0, 0.0).snapped(), to(0.0, 0.0));
    }
}
