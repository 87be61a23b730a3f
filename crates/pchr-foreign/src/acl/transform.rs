//! A pose of one track, and its three parts.

/// Transform of a track, as it is stored: usually from the bone's space to its parent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Quaternion `x y z w`.
    pub rotation: [f32; 4],
    /// `x y z`, in the unit of the file.
    pub translation: [f32; 3],
    /// Factors along `x y z`.
    pub scale: [f32; 3],
}

impl Transform {
    /// Bytes of a transform that is not compressed.
    pub const SIZE: u64 = 40;
}

/// A part of a transform; each has its own track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Quaternions.
    Rotation,
    /// Places.
    Translation,
    /// Factors.
    Scale,
}

impl Part {
    /// All parts in the order of a chunk.
    pub const ALL: [Self; 3] = [Self::Rotation, Self::Translation, Self::Scale];

    /// Its name in findings.
    pub(super) const fn plural(self) -> &'static str {
        match self {
            Self::Rotation => "rotations",
            Self::Translation => "translations",
            Self::Scale => "scales",
        }
    }
}

/// A value for each part of a transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PerPart<T> {
    pub(super) rotation: T,
    pub(super) translation: T,
    pub(super) scale: T,
}

impl<T> PerPart<T> {
    pub(super) const fn get(&self, part: Part) -> &T {
        match part {
            Part::Rotation => &self.rotation,
            Part::Translation => &self.translation,
            Part::Scale => &self.scale,
        }
    }
}

/// Storage of a part of one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Nothing is stored: no rotation, no translation, the clip's default scale.
    Default,
    /// One value for the whole clip.
    Constant,
    /// A value for each sample.
    Animated,
}

/// Format of the rotations of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationFormat {
    /// Four 32-bit floats.
    Full,
    /// Three 32-bit floats; `w` follows from them.
    DropW,
    /// Three whole numbers of a track's own bit count in a segment; `w` follows from them.
    DropWVariable,
}

/// Format of the translations or of the scales of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorFormat {
    /// Three 32-bit floats.
    Full,
    /// Three whole numbers of a track's own bit count in a segment.
    Variable,
}

/// Formats of the three parts of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// Of rotations.
    pub rotation: RotationFormat,
    /// Of translations.
    pub translation: VectorFormat,
    /// Of scales; `None` if the clip has none.
    pub scale: Option<VectorFormat>,
}

impl Formats {
    /// Returns whether a part is stored.
    #[must_use]
    pub fn has(&self, part: Part) -> bool {
        part != Part::Scale || self.scale.is_some()
    }

    /// Returns whether a part has a bit count for each track and segment.
    #[must_use]
    pub fn is_variable(&self, part: Part) -> bool {
        match part {
            Part::Rotation => self.rotation == RotationFormat::DropWVariable,
            Part::Translation => self.translation == VectorFormat::Variable,
            Part::Scale => self.scale == Some(VectorFormat::Variable),
        }
    }

    /// Bits of a sample of a part that is not variable.
    pub(super) fn full_bits(&self, part: Part) -> u32 {
        match (part, self.rotation) {
            (Part::Rotation, RotationFormat::Full) => 128,
            _ => 96,
        }
    }
}
