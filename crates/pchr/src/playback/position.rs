//! Positions in frames: rounding to whole frames and wrapping.
//!
//! Forwards, a frame is shown from its number up to the next one; backwards, from its number down to the one before. So each frame
//! is shown for the same time in both directions, and a turning point only once.

/// Largest distance, in frames, of a position from a whole number that it counts as. frame / fps · fps may be off by a rounding.
const SETTLED_WITHIN: f64 = 1e-6;

/// Returns the position, in frames, of a time in seconds.
///
/// That is `seconds · fps`, except that a whole frame's time may be rounded: to 64 or 32 bits, or to as many decimal places as
/// `seconds` has, but no fewer than 6 significant digits or 6 decimal places.
pub(super) fn position(seconds: f64, fps: f64) -> f64 {
    let at = settled(seconds * fps);
    let frame = at.round();
    if at != frame && is_rounded(seconds, frame / fps, fps) {
        frame
    } else {
        at
    }
}

/// Returns true if `seconds` is the exact time of a frame, rounded to 32 bits or decimal places that still tell frames apart.
fn is_rounded(seconds: f64, exact: f64, fps: f64) -> bool {
    /// Decimal places beyond which rounding moves a time by less than [`SETTLED_WITHIN`], at any rate.
    const FINEST: f64 = 1e12;
    /// More are not needed to write a number of 32 bits.
    const DIGITS_OF_F32: f64 = 1e9;

    let (size, off) = (seconds.abs(), (seconds - exact).abs());
    // Rounding to 6 digits moves no time farther. Also false if something is not finite.
    let is_near = off <= 6e-7_f64.max(6e-6 * size);
    if !is_near {
        return false;
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    let [short, short_exact] = [seconds as f32, exact as f32];
    let next = f64::from(short.abs().next_up()) - f64::from(short.abs());
    let is_short = short == short_exact && next * fps < 1.0;
    if is_short && f64::from(short) == seconds {
        return true;
    }
    let (mut scale, mut whole) = (1e6, size);
    while whole >= 1.0 && scale > 1.0 {
        (scale, whole) = (scale / 10.0, whole / 10.0);
    }
    while scale <= FINEST {
        let digits = (size * scale).round();
        if digits / scale == size {
            // Slightly more than half a unit: programs round ties up, down or to even digits.
            let by_places = scale > fps && off * scale < 0.501;
            return by_places || (digits < DIGITS_OF_F32 && is_short);
        }
        scale *= 10.0;
    }
    false
}

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
