//! Colours of overlays, plain and graded.

/// Defines an enum with the colours of its variants.
macro_rules! colors {
    ($(#[$about:meta])+ $name:ident, $(#[$doc_of_method:meta])+ $method:ident: $color:ty;
    $($(#[$doc:meta])* $variant:ident = $value:expr,)+) => {
        $(#[$about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All of them, in the order of their texels.
            pub(super) const ALL: &[Self] = &[$(Self::$variant),+];

            $(#[$doc_of_method])+
            pub(super) fn $method(self) -> $color {
                match self {
                    $(Self::$variant => $value,)+
                }
            }
        }
    };
}

colors! {
    /// A single colour; each is a texel of the atlas.
    Ink,
    /// Returns straight RGBA, sRGB-encoded.
    rgba: [u8; 4];

    /// Surrounds all shapes, so that they are visible on light and on dark.
    Halo = [16, 18, 28, 215],
    /// The rim of a solid.
    Rim = [32, 34, 44, 255],
    /// The halo where many shapes are close together.
    FaintHalo = [16, 18, 28, 72],
    /// Behind text.
    Pill = [16, 18, 28, 200],
    /// Lit side of a bone.
    Bone = [255, 228, 168, 255],
    /// Shaded side of a bone.
    BoneShade = [226, 168, 84, 255],
    Joint = [255, 248, 230, 255],
    /// Sides of triangles.
    Wire = [88, 220, 240, 225],
    /// Box around a mesh.
    Box = [168, 226, 110, 255],
    /// Box around everything that is drawn.
    FrameBox = [255, 166, 64, 255],
    AxisX = [255, 92, 92, 255],
    AxisY = [86, 210, 110, 255],
    /// An axis beyond its arrow.
    FaintX = [255, 92, 92, 130],
    FaintY = [86, 210, 110, 130],
    /// Selected mesh or bone.
    Accent = [255, 96, 190, 255],
    AccentShade = [206, 44, 140, 255],
    /// Sides of triangles within a selected mesh.
    FaintAccent = [255, 96, 190, 120],
    /// A vertex that no bone moves.
    Unweighted = [255, 64, 208, 255],
    /// A vertex whose weights do not sum to 1.
    NotSumming = [255, 150, 40, 255],
    /// Lines of a grid. Each is a light line beside a dark one, so that it is visible on any background.
    GridLight = [204, 214, 244, 58],
    GridDark = [44, 54, 92, 58],
    /// Every fifth or tenth line of a grid.
    MajorLight = [204, 214, 244, 130],
    MajorDark = [44, 54, 92, 130],
}

/// Number of colours of overdraw. The last one is for all numbers of layers from it on.
pub(super) const HEATS: u8 = 8;

/// Colour of a number of layers, 1 to [`HEATS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heat(pub(super) u8);

impl Heat {
    /// All colours, from one layer on.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (1..=HEATS).map(Self)
    }

    /// Returns the colour for a number of layers; `None` for 0.
    pub(super) fn of(layers: u16) -> Option<Self> {
        let layers = u8::try_from(layers).unwrap_or(u8::MAX).min(HEATS);
        (layers > 0).then_some(Self(layers))
    }

    /// Returns straight RGBA, sRGB-encoded: from violet to yellow, evenly lighter ("plasma", without its darkest part).
    pub(super) fn rgba(self) -> [u8; 4] {
        let step = f64::from(self.0.saturating_sub(1)) / f64::from(HEATS - 1);
        let color = colorous::PLASMA.eval_continuous(0.1 + 0.9 * step);
        [color.r, color.g, color.b, 255]
    }
}

colors! {
    /// A range of colours in [`STEPS`].
    Scale,
    /// Returns its first and last colour: straight RGBA, sRGB-encoded.
    ends: [[u8; 4]; 2];

    /// Sides of a bone, from dark to lit.
    Bone = [[116, 74, 40, 255], [255, 234, 188, 255]],
    /// Sides of the selected bone.
    Accent = [[120, 18, 84, 255], [255, 168, 224, 255]],
    Joint = [[150, 116, 84, 255], [255, 252, 242, 255]],
    /// Lines of the ground, from clear to solid. Each is a light line beside a dark one, so that it is visible on any background.
    MinorLight = [[204, 214, 244, 0], [204, 214, 244, 92]],
    MinorDark = [[44, 54, 92, 0], [44, 54, 92, 84]],
    MajorLight = [[204, 214, 244, 0], [204, 214, 244, 190]],
    MajorDark = [[44, 54, 92, 0], [44, 54, 92, 176]],
    AxisX = [[240, 78, 84, 0], [240, 78, 84, 255]],
    AxisY = [[84, 184, 76, 0], [84, 184, 76, 255]],
    AxisZ = [[70, 136, 255, 0], [70, 136, 255, 255]],
    /// Ghosts of frames before.
    Before = [[64, 140, 255, 0], [64, 140, 255, 190]],
    /// Ghosts of frames after.
    After = [[255, 134, 54, 0], [255, 134, 54, 190]],
    /// The path of the whole model.
    Path = [[34, 186, 206, 0], [34, 186, 206, 255]],
    /// The path of a bone.
    Trail = [[168, 110, 255, 0], [168, 110, 255, 255]],
    /// The ghost of a pinned frame.
    Pinned = [[64, 190, 110, 0], [64, 190, 110, 190]],
}

/// Number of colours in each scale.
const STEPS: u8 = 12;

impl Scale {
    /// Returns the colour at a fraction of the range, 0..=1.
    pub(super) fn at(self, part: f64) -> Tone {
        Tone { scale: self, step: step(part) }
    }
}

/// Returns the step of a scale at a fraction of the range, 0..=1. Step 0 of a scale that fades is clear.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 11")]
pub(super) fn step(part: f64) -> u8 {
    // NaN included.
    let part = if part > 0.0 { part.min(1.0) } else { 0.0 };
    (part * f64::from(STEPS - 1) + 0.5) as u8
}

/// A step of a scale; each is a texel of the atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tone {
    scale: Scale,
    step: u8,
}

impl Tone {
    /// Returns all tones, in the order of their texels.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let of = |scale| (0..STEPS).map(move |step| Self { scale, step });
        Scale::ALL.iter().flat_map(move |scale| of(*scale))
    }

    /// Returns the tones of ghosts: before, after and pinned.
    pub(super) fn of_ghosts() -> [impl Iterator<Item = Self>; 3] {
        [Scale::Before, Scale::After, Scale::Pinned]
            .map(|scale| (0..STEPS).map(move |step| Self { scale, step }))
    }

    /// Returns its index among all tones.
    pub(super) fn number(self) -> u8 {
        self.scale as u8 * STEPS + self.step
    }

    /// Returns straight RGBA, sRGB-encoded.
    pub(super) fn rgba(self) -> [u8; 4] {
        let [first, last] = self.scale.ends();
        let (step, steps) = (u16::from(self.step), u16::from(STEPS - 1));
        let mut mixed = first;
        for (mixed, last) in mixed.iter_mut().zip(last) {
            let sum = u16::from(*mixed) * (steps - step) + u16::from(last) * step;
            *mixed = u8::try_from((sum + steps / 2) / steps).unwrap_or(u8::MAX);
        }
        mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ink_and_tone_is_listed_at_its_own_number() {
        for (number, ink) in (0..).zip(Ink::ALL) {
            assert_eq!(*ink as u8, number);
        }
        for (number, tone) in (0..).zip(Tone::all()) {
            assert_eq!(tone.number(), number);
        }
        assert_eq!(Tone::all().count(), 180);
    }

    #[test]
    fn a_scale_goes_from_its_first_colour_to_its_last() {
        for scale in Scale::ALL {
            let [first, last] = scale.ends();
            for (part, wanted) in
                [(0.0, first), (1.0, last), (-3.0, first), (7.0, last), (f64::NAN, first)]
            {
                assert_eq!(scale.at(part).rgba(), wanted, "{scale:?} {part}");
            }
        }
    }
}
