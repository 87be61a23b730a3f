//! Numbers of a bone over the frames of an animation, frames with keys, and remarkable frames.

use crate::document::BoneId;

/// A number of a bone over the frames of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name, like `x` or `rotation`.
    pub name: &'static str,
    /// The kind of number.
    pub kind: CurveKind,
    /// The value on each frame, from frame 0. Not a number where there is none.
    pub values: Vec<f32>,
    /// The frames that the file has keys on, ascending; `None` if it has a sample on every frame.
    pub keys: Option<Vec<u16>>,
}

/// A kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveKind {
    /// Place in the parent, in units of the world.
    Translation,
    /// Turn in the parent, in degrees.
    Rotation,
    /// Factor.
    Scale,
    /// 1 where the bone's meshes are shown, else 0; it jumps from frame to frame.
    Visible,
    /// Draw order; it jumps from frame to frame.
    Order,
}

impl CurveKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Translation,
        Self::Rotation,
        Self::Scale,
        Self::Visible,
        Self::Order,
    ];

    /// Returns true if values jump from frame to frame.
    #[must_use]
    pub fn jumps(self) -> bool {
        matches!(self, Self::Visible | Self::Order)
    }
}

/// The frames on which a bone has keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The bone.
    pub bone: BoneId,
    /// Its keys, by frame; a frame stands there once.
    pub keys: Vec<RowKey>,
}

/// The frames on which all bones have keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRows {
    /// A row for each bone that has any.
    pub rows: Vec<KeyRow>,
    /// The first frame that was not looked at, if the animation was too large for all.
    pub left_out: Option<u16>,
}

/// All keys of a bone on a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowKey {
    /// The frame.
    pub frame: u16,
    /// The kinds of numbers that have a key there.
    pub kinds: CurveKinds,
}

/// A set of kinds of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurveKinds(u8);

impl CurveKinds {
    /// The set with one more kind.
    #[must_use]
    pub fn with(self, kind: CurveKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// The set with a kind more if it lacks it, else without it.
    #[must_use]
    pub fn toggled(self, kind: CurveKind) -> Self {
        Self(self.0 ^ 1 << kind as u8)
    }

    /// The kinds of both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if a kind is in the set.
    #[must_use]
    pub fn has(self, kind: CurveKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns true if no kind is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A remarkable frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The frame.
    pub frame: u16,
    /// The kind of remark.
    pub kind: MarkKind,
    /// The remark, for people.
    pub text: String,
}

/// A kind of remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// A note of the file, also called an event.
    Note,
    /// Bones are shown or hidden from here on.
    Visible,
    /// The draw order is another from here on.
    Order,
}
