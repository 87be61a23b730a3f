//! Numbers of a bone over the frames of an animation, and remarkable frames.

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
    /// Returns true if values jump from frame to frame.
    #[must_use]
    pub fn jumps(self) -> bool {
        matches!(self, Self::Visible | Self::Order)
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
