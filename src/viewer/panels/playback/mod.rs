//! Playing: the list of animations, the timeline, and the controls of time and speed.

pub(crate) mod animations;
pub(crate) mod rate;
pub(crate) mod seek;
pub(crate) mod time_line;
pub(crate) mod transport;
