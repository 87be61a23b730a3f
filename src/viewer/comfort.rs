//! Contrast and motion of the window.

/// Contrast and motion, as shown or as the system wants them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comfort {
    /// True for stronger text and lines, and for nothing translucent.
    pub more_contrast: bool,
    /// True if nothing in the panels glides or fades. The content plays as ever.
    pub less_motion: bool,
}

/// Choices of contrast and motion. Without one, the system's setting is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comforts {
    /// True for more contrast.
    pub contrast: Option<bool>,
    /// True for less motion.
    pub motion: Option<bool>,
    pub system: Comfort,
}

impl Comforts {
    /// Returns the effective settings.
    pub(crate) fn shown(&self) -> Comfort {
        Comfort {
            more_contrast: self.contrast.unwrap_or(self.system.more_contrast),
            less_motion: self.motion.unwrap_or(self.system.less_motion),
        }
    }
}
