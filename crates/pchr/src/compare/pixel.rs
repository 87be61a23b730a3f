//! The difference of two pixels, as the module's documentation defines it.

use std::fmt;

use crate::image::multiply_255;

/// A channel of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum Channel {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Alpha.
    Alpha,
}

impl Channel {
    /// Returns its name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Alpha => "alpha",
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the difference of two pixels. It is 0 only if their bytes are equal.
#[inline(always)]
pub(super) fn difference(expected: [u8; 4], actual: [u8; 4]) -> u8 {
    visible_difference(expected, actual).max(u8::from(expected != actual))
}

/// Returns the visible difference of two pixels: 0 if only colours differ that alpha hides.
#[inline(always)]
pub(super) fn visible_difference(expected: [u8; 4], actual: [u8; 4]) -> u8 {
    let [r, g, b, a] = seen(expected, actual);
    r.max(g).max(b).max(a)
}

/// Returns the channel with the largest difference. Alpha goes before colour, which it changes too; then the first channel.
pub(super) fn channel(expected: [u8; 4], actual: [u8; 4]) -> Channel {
    let in_order = |[r, g, b, a]: [u8; 4]| {
        [
            (a, Channel::Alpha),
            (r, Channel::Red),
            (g, Channel::Green),
            (b, Channel::Blue),
        ]
    };
    let most = |differences: [u8; 4]| {
        let first = (0, Channel::Alpha);
        in_order(differences).into_iter().fold(
            first,
            |most, next| if next.0 > most.0 { next } else { most },
        )
    };
    match most(seen(expected, actual)) {
        // Only colours that are not seen differ.
        (0, _) => {
            let [[r, g, b, a], [of_r, of_g, of_b, of_a]] = [expected, actual];
            let stored = [
                r.abs_diff(of_r),
                g.abs_diff(of_g),
                b.abs_diff(of_b),
                a.abs_diff(of_a),
            ];
            most(stored).1
        }
        (_, channel) => channel,
    }
}

/// Returns the differences of the channels, with colours multiplied by alpha.
#[inline(always)]
fn seen(expected: [u8; 4], actual: [u8; 4]) -> [u8; 4] {
    let [[r, g, b, a], [of_r, of_g, of_b, of_a]] = [expected, actual];
    let color = |color: u8, of: u8| multiply_255(color, a).abs_diff(multiply_255(of, of_a));
    [
        color(r, of_r),
        color(g, of_g),
        color(b, of_b),
        a.abs_diff(of_a),
    ]
}
