//! Channels: kinds of keys.

/// A kind of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Translations: `x y z`.
    Translation,
    /// Rotations: quaternions `x y z w`.
    Rotation,
    /// Scales: `x y z`.
    Scale,
}

impl Channel {
    /// Returns the numbers per value.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 3,
            Self::Rotation => 4,
        }
    }
}

/// Channels that a motion stores, the same for all tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// Translations are stored.
    pub translation: bool,
    /// Rotations are stored.
    pub rotation: bool,
    /// Scales are stored.
    pub scale: bool,
}

impl Channels {
    /// Returns true if a channel is stored.
    #[must_use]
    pub const fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Translation => self.translation,
            Channel::Rotation => self.rotation,
            Channel::Scale => self.scale,
        }
    }

    /// Returns true if no channel is stored.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !self.translation && !self.rotation && !self.scale
    }
}
