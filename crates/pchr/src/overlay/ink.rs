//! Colours of overlays.

/// A single colour; each is a texel of the atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Ink {
    /// Surrounds all shapes, so that they are visible on light and on dark.
    Halo,
    /// The rim of a solid.
    Rim,
    /// The halo where many shapes are close together.
    FaintHalo,
    /// Behind text.
    Pill,
    /// Lit side of a bone.
    Bone,
    /// Shaded side of a bone.
    BoneShade,
    Joint,
    /// Sides of triangles.
    Wire,
    /// Box around a mesh.
    Box,
    /// Box around everything that is drawn.
    FrameBox,
    AxisX,
    AxisY,
    /// An axis beyond its arrow.
    FaintX,
    FaintY,
    /// Selected mesh or bone.
    Accent,
    AccentShade,
    /// Sides of triangles within a selected mesh.
    FaintAccent,
    /// A vertex that no bone moves.
    Unweighted,
    /// A vertex whose weights do not sum to 1.
    NotSumming,
    /// Lines of a grid. Each is a light line beside a dark one, so that it is visible on any background.
    GridLight,
    GridDark,
    /// Every fifth or tenth line of a grid.
    MajorLight,
    MajorDark,
}

impl Ink {
    /// All inks, in the order of their texels.
    pub(super) const ALL: [Self; 23] = [
        Self::Halo,
        Self::Rim,
        Self::FaintHalo,
        Self::Pill,
        Self::Bone,
        Self::BoneShade,
        Self::Joint,
        Self::Wire,
        Self::Box,
        Self::FrameBox,
        Self::AxisX,
        Self::AxisY,
        Self::FaintX,
        Self::FaintY,
        Self::Accent,
        Self::AccentShade,
        Self::FaintAccent,
        Self::Unweighted,
        Self::NotSumming,
        Self::GridLight,
        Self::GridDark,
        Self::MajorLight,
        Self::MajorDark,
    ];

    /// Returns straight RGBA, sRGB-encoded.
    pub(super) fn rgba(self) -> [u8; 4] {
        match self {
            Self::Halo => [16, 18, 28, 215],
            Self::Rim => [32, 34, 44, 255],
            Self::FaintHalo => [16, 18, 28, 72],
            Self::Pill => [16, 18, 28, 200],
            Self::Bone => [255, 228, 168, 255],
            Self::BoneShade => [226, 168, 84, 255],
            Self::Joint => [255, 248, 230, 255],
            Self::Wire => [88, 220, 240, 225],
            Self::Box => [168, 226, 110, 255],
            Self::FrameBox => [255, 166, 64, 255],
            Self::AxisX => [255, 92, 92, 255],
            Self::AxisY => [86, 210, 110, 255],
            Self::FaintX => [255, 92, 92, 130],
            Self::FaintY => [86, 210, 110, 130],
            Self::Accent => [255, 96, 190, 255],
            Self::AccentShade => [206, 44, 140, 255],
            Self::FaintAccent => [255, 96, 190, 120],
            Self::Unweighted => [255, 64, 208, 255],
            Self::NotSumming => [255, 150, 40, 255],
            Self::GridLight => [204, 214, 244, 58],
            Self::GridDark => [44, 54, 92, 58],
            Self::MajorLight => [204, 214, 244, 130],
            Self::MajorDark => [44, 54, 92, 130],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ink_is_listed_at_its_own_number() {
        for (number, ink) in (0..).zip(Ink::ALL) {
            assert_eq!(ink as u8, number);
        }
    }
}
