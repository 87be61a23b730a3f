//! Positions in frames: rounding to whole frames and wrapping.
//!
//! Forwards, a frame is shown from its number up to the next one; backwards, from its number down to the one before. So each frame
//! is shown for the same time in both directions, and a turning point only once.

/// Largest distance, in frames, of a position from a whole number that it counts as. frame / fps · fps may be off by a rounding.
const SETTLED_WITHIN: f64 = 1e-6;

/// Returns the whole number nearest to a position if it is close enough, else the position.
pub(super) fn settled(at: f64) -> f64 {
    let nearest = at.round();
    if (at - nearest).abs() < SETTLED_WITHIN {
        nearest
    } else {
        at
    }
}

/// Returns the frame at a position without blending, before wrapping.
pub(super) fn whole_frame(at: f64, backwards: bool) -> f64 {
    let at = settled(at);
    if backwards { at.ceil() } else { at.floor() }
}

/// Returns the position in the first round: 0 up to `count`, in frames.
pub(super) fn wrapped(at: f64, count: f64) -> f64 {
    at.rem_euclid(count)
}
