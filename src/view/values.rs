//! Values of options, as they are read and written.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A picture or window size, `WxH` or `W,H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

/// The largest side of a picture.
const MAX_SIDE: u32 = 32_768;

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

/// Background of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Background {
    /// Nothing.
    Transparent,
    /// A checkerboard.
    Checker {
        /// The square in the upper left corner: RGB, sRGB-encoded.
        even: [u8; 3],
        /// The squares beside it.
        odd: [u8; 3],
        /// Side of a square in pixels.
        size: u32,
    },
    /// A colour: straight RGBA, sRGB-encoded.
    Color([u8; 4]),
    /// A picture: the path of a PNG file.
    Picture(PathBuf),
}

impl Background {
    /// Light and dark grey squares.
    const CHECKER: Self = Self::Checker {
        even: [204; 3],
        odd: [153; 3],
        size: 8,
    };

    /// The colour, if it is one.
    #[must_use]
    pub fn color(&self) -> Option<[u8; 4]> {
        match self {
            Self::Color(color) => Some(*color),
            Self::Transparent | Self::Checker { .. } | Self::Picture(_) => None,
        }
    }

    /// The picture's path, if it is one.
    #[must_use]
    pub fn picture(self) -> Option<std::path::PathBuf> {
        match self {
            Self::Picture(path) => Some(path),
            Self::Transparent | Self::Checker { .. } | Self::Color(_) => None,
        }
    }
}

impl FromStr for Background {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = match text {
            "none" | "transparent" => Some(Self::Transparent),
            "checker" => Some(Self::CHECKER),
            _ if text.starts_with('#') => color(text).map(Self::Color),
            _ => match text.strip_prefix("checker:") {
                Some(checker) => self::checker(checker),
                None => is_path(text).then(|| Self::Picture(text.into())),
            },
        };
        parsed.ok_or_else(|| {
            format!(
                "{text:?} is no background; write none, checker, checker:#EVEN,#ODD[,SIZE], #RRGGBB, #RRGGBBAA or the \
                 path of a .png"
            )
        })
    }
}

impl fmt::Display for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transparent => f.write_str("none"),
            Self::Checker { even, odd, size } => {
                write!(f, "checker:{},{},{size}", hex(even), hex(odd))
            }
            Self::Color([r, g, b, 255]) => f.write_str(&hex(&[*r, *g, *b])),
            Self::Color(color) => f.write_str(&hex(color)),
            Self::Picture(path) => path.display().fmt(f),
        }
    }
}

/// `#EVEN,#ODD` or `#EVEN,#ODD,SIZE`.
fn checker(text: &str) -> Option<Background> {
    let mut parts = text.split(',');
    let mut square = || match color(parts.next()?.trim())? {
        [r, g, b, 255] => Some([r, g, b]),
        _ => None,
    };
    let (even, odd) = (square()?, square()?);
    let size = match parts.next() {
        None => 8,
        Some(size) => size
            .trim()
            .parse()
            .ok()
            .filter(|size| (1..=MAX_SIDE).contains(size))?,
    };
    parts
        .next()
        .is_none()
        .then_some(Background::Checker { even, odd, size })
}

/// A name alone is taken for a picture's only if it ends like one.
fn is_path(text: &str) -> bool {
    is_png(text) || text.contains(std::path::is_separator)
}

pub(super) fn is_png(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".png")
}

/// A debug drawing, as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OverlayItem {
    Bones,
    Names,
    Wireframe,
    Bounds,
    Origin,
    Order,
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
        let item = match text {
            "bones" => Self::Bones,
            "names" => Self::Names,
            "wireframe" => Self::Wireframe,
            "bounds" => Self::Bounds,
            "origin" => Self::Origin,
            "order" => Self::Order,
            _ => match text.split_once('=') {
                Some(("weights", bone)) => Self::Weights(bone.to_owned()),
                Some(("mesh", mesh)) => Self::Mesh(mesh.to_owned()),
                Some(("bone", bone)) => Self::Bone(bone.to_owned()),
                _ => {
                    return Err(format!(
                        "{text:?} is no overlay; there are bones, names, wireframe, bounds, origin, order, weights=BONE, \
                         mesh=MESH and bone=BONE"
                    ));
                }
            },
        };
        Ok(item)
    }
}

impl fmt::Display for OverlayItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bones => f.write_str("bones"),
            Self::Names => f.write_str("names"),
            Self::Wireframe => f.write_str("wireframe"),
            Self::Bounds => f.write_str("bounds"),
            Self::Origin => f.write_str("origin"),
            Self::Order => f.write_str("order"),
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

fn color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
    match digits.len() {
        6 => Some(((number << 8) | 0xff).to_be_bytes()),
        8 => Some(number.to_be_bytes()),
        _ => None,
    }
}

fn hex(channels: &[u8]) -> String {
    let digits = channels.iter().map(|channel| format!("{channel:02x}"));
    format!("#{}", digits.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_typed_with_x_or_comma() {
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        assert_eq!("640,480".parse(), Ok(Size([640, 480])));
        for wrong in ["640", "0x1", "1x0", "-1x5", "99999x1", "axb", ""] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn colours_have_six_or_eight_digits() {
        assert_eq!(
            "#102030".parse(),
            Ok(Background::Color([0x10, 0x20, 0x30, 0xff]))
        );
        assert_eq!(
            "#10203040".parse(),
            Ok(Background::Color([0x10, 0x20, 0x30, 0x40]))
        );
        for wrong in ["#123", "102030", "#+12345", "#12345g", "red"] {
            assert!(wrong.parse::<Background>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn checkers_have_two_opaque_colours_and_a_size() {
        let checker = |text: &str| match text.parse() {
            Ok(Background::Checker { even, odd, size }) => Some((even, odd, size)),
            _ => None,
        };
        assert_eq!(checker("checker"), Some(([204; 3], [153; 3], 8)));
        assert_eq!(
            checker("checker:#010203,#040506"),
            Some(([1, 2, 3], [4, 5, 6], 8))
        );
        assert_eq!(
            checker("checker:#010203,#040506,32"),
            Some(([1, 2, 3], [4, 5, 6], 32))
        );
        for wrong in [
            "checker:",
            "checker:#010203",
            "checker:#010203,#04050680",
            "checker:#010203,#040506,0",
            "checker:#010203,#040506,8,8",
            "checker:red,blue",
        ] {
            assert!(wrong.parse::<Background>().is_err(), "{wrong}");
        }
        for path in ["b.PNG", "a/b", "./checker", "/#102030"] {
            assert_eq!(path.parse(), Ok(Background::Picture(path.into())));
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
