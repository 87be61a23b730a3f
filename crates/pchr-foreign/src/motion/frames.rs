//! Frames at times in seconds.

/// Returns the frame at a time, if it is one within the rounding of exporters.
pub(crate) fn frame_at(secs: f64, rate: f32) -> Option<u32> {
    /// Largest distance from a frame, in frames: that of a time with few decimals.
    const NEAR: f64 = 1e-3;
    /// Largest distance for the size of a frame: seconds are in single precision.
    const ROUNDED: f64 = 1.0 / (1 << 22) as f64;
    let frame = secs * f64::from(rate);
    let whole = frame.round();
    let near = (whole * ROUNDED).clamp(NEAR, 0.25);
    let is_near = (frame - whole).abs() <= near;
    is_near.then(|| whole_number(whole)).flatten()
}

/// Returns the last frame at or before a time; `None` if it has too large a number.
pub(crate) fn frame_before(secs: f64, rate: f32) -> Option<u32> {
    frame_at(secs, rate).or_else(|| whole_number((secs * f64::from(rate)).floor()))
}

/// Returns the first frame at or after a time; `None` if it has too large a number.
pub(crate) fn frame_after(secs: f64, rate: f32) -> Option<u32> {
    frame_at(secs, rate).or_else(|| whole_number((secs * f64::from(rate)).ceil()))
}

fn whole_number(number: f64) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number in the range"
    )]
    let whole = number as u32;
    (f64::from(whole) == number && whole < u32::MAX).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_all_frames_have_none() {
        for secs in [1e30, f64::NAN, -1.0] {
            assert_eq!(frame_at(secs, 30.0), None);
            assert_eq!(frame_after(secs, 30.0), None);
        }
        assert_eq!(
            (frame_before(0.99, 30.0), frame_after(0.99, 30.0)),
            (Some(29), Some(30))
        );
        assert_eq!(
            (frame_before(0.0417, 24.0), frame_after(0.0417, 24.0)),
            (Some(1), Some(1))
        );
    }
}
