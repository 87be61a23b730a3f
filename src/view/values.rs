//! Values of options, as they are read and written.

use std::fmt;
use std::str::FromStr;

use crate::capture::MAX_SIDE;
use crate::overlay::Layer;

/// A picture or window size, `WxH` or `W,H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || format!("{text:?} is no size; write WIDTHxHEIGHT, like 512x512");
        let (width, height) = text.split_once(['x', 'X', ',']).ok_or_else(form)?;
        let side = |side: &str| side.trim().parse::<u32>().map_err(|_| form());
        let size = [side(width)?, side(height)?];
        if size.iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            Ok(Self(size))
        } else {
            Err(format!("{text:?}: each side is 1 to {MAX_SIDE} pixels"))
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.0;
        write!(f, "{width}x{height}")
    }
}

/// A world point, `X,Y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub [f64; 2]);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |number: &str| {
            number
                .trim()
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
        };
        let point = text
            .split_once(',')
            .and_then(|(x, y)| Some(Self([number(x)?, number(y)?])));
        point.ok_or_else(|| format!("{text:?} is no point; write X,Y, like 0,120.5"))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.0;
        write!(f, "{x},{y}")
    }
}

/// A debug drawing, as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OverlayItem {
    /// One that needs no choice.
    Layer(Layer),
    /// A bone whose weights are shown.
    Weights(String),
    /// A mesh that stands out.
    Mesh(String),
    /// A bone that stands out.
    Bone(String),
}

impl FromStr for OverlayItem {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Some(layer) = Layer::ALL.into_iter().find(|layer| layer.key() == text) {
            return Ok(Self::Layer(layer));
        }
        match text.split_once('=') {
            Some(("weights", bone)) => Ok(Self::Weights(bone.to_owned())),
            Some(("mesh", mesh)) => Ok(Self::Mesh(mesh.to_owned())),
            Some(("bone", bone)) => Ok(Self::Bone(bone.to_owned())),
            _ => {
                let layers = Layer::ALL.map(Layer::key).join(", ");
                Err(format!(
                    "{text:?} is no overlay; there are {layers}, weights=BONE, mesh=MESH and bone=BONE"
                ))
            }
        }
    }
}

impl fmt::Display for OverlayItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layer(layer) => f.write_str(layer.key()),
            Self::Weights(bone) => write!(f, "weights={bone}"),
            Self::Mesh(mesh) => write!(f, "mesh={mesh}"),
            Self::Bone(bone) => write!(f, "bone={bone}"),
        }
    }
}

/// A draw order for meshes: `MESH=N`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ZOrder {
    pub(crate) mesh: String,
    pub(crate) z_order: f64,
}

impl FromStr for ZOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.rsplit_once('=').and_then(|(mesh, number)| {
            let z_order = number.trim().parse().ok();
            let z_order = z_order.filter(|value: &f64| value.is_finite())?;
            Some(Self {
                mesh: mesh.to_owned(),
                z_order,
            })
        });
        parsed.ok_or_else(|| {
            format!("{text:?} is no draw order; write MESH=N, like hand=3 or hand=-0.5")
        })
    }
}

impl fmt::Display for ZOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.mesh, self.z_order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Background;

    #[test]
    fn sizes_are_typed_with_x_or_comma() {
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        assert_eq!("640,480".parse(), Ok(Size([640, 480])));
        for wrong in ["640", "0x1", "1x0", "-1x5", "99999x1", "axb", ""] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn draw_orders_are_fractions_behind_the_last_equals_sign() {
        let order = |text: &str| {
            text.parse::<ZOrder>()
                .map(|order| (order.mesh, order.z_order))
        };
        assert_eq!(order("a=b=-1.5"), Ok(("a=b".to_owned(), -1.5)));
        assert_eq!(order("hand=0.1"), Ok(("hand".to_owned(), 0.1)));
        for wrong in ["hand", "hand=", "hand=nan", "hand=up", "hand=inf"] {
            assert!(order(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn points_are_finite() {
        assert_eq!("-1.5, 2e3".parse(), Ok(Point([-1.5, 2000.0])));
        assert!("nan,1".parse::<Point>().is_err() && "1".parse::<Point>().is_err());
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        fn same<T: FromStr<Err = String> + ToString>(texts: &[&str]) {
            for text in texts {
                assert_eq!(text.parse::<T>().unwrap().to_string(), *text);
            }
        }
        same::<Size>(&["640x480"]);
        same::<Point>(&["-1.5,2000", "0,0.1"]);
        same::<Background>(&[
            "none",
            "#102030",
            "#10203040",
            "checker:#010203,#040506,32",
            "a/b.png",
        ]);
        same::<OverlayItem>(&["bones", "order", "weights=a=b", "mesh=#3", "bone=hand"]);
        same::<ZOrder>(&["a=b=-1.5", "hand=3"]);
    }
}
