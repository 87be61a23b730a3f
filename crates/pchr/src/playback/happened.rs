//! Events of the time that passed, so that games can react.

/// Events of a step of time, of the clip that plays or is faded to: a clip that is faded out reports nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// Number of times that a loop came to its end and started again.
    pub wrapped: u64,
    /// Number of times that a ping-pong reversed.
    pub turned: u64,
    /// True if a clip that plays once came to its end.
    pub ended: bool,
    /// True if a cross-fade was completed.
    pub faded: bool,
    /// Number of clips that started from the queue.
    pub started: u32,
}

impl Happened {
    pub(super) fn add(&mut self, other: Self) {
        self.wrapped = self.wrapped.saturating_add(other.wrapped);
        self.turned = self.turned.saturating_add(other.turned);
        self.ended |= other.ended;
        self.faded |= other.faded;
        self.started = self.started.saturating_add(other.started);
    }
}
