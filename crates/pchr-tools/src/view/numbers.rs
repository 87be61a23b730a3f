//! Numbers as values of options.

use pchr::playback::{FPS_RANGE, SPEED_RANGE};
use pchr::scene::MOST_FOV;

/// Reads a number that is finite and more than 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let value = text
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| format!("invalid number {text:?}: expected more than 0"))
}

/// Reads an angle of view in degrees: 0, or up to 150.
pub(crate) fn fov(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| (0.0..=MOST_FOV).contains(value));
    value.ok_or_else(|| {
        format!("invalid angle {text:?}: expected 0 (orthographic) to {MOST_FOV} degrees")
    })
}

/// Reads a playback speed within [`SPEED_RANGE`].
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| SPEED_RANGE.contains(value));
    let (slowest, fastest) = (SPEED_RANGE.start(), SPEED_RANGE.end());
    value.ok_or_else(|| format!("invalid speed {text:?}: expected {slowest} to {fastest}"))
}

/// Reads a frame rate within [`FPS_RANGE`].
pub(crate) fn rate(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| FPS_RANGE.contains(value));
    let (least, most) = (FPS_RANGE.start(), FPS_RANGE.end());
    value.ok_or_else(|| {
        format!("invalid rate {text:?}: expected {least} to {most} frames per second")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_one_that_the_window_plays_at() {
        assert_eq!([speed("0.05"), speed("8")], [Ok(0.05), Ok(8.0)]);
        for text in ["0.04", "8.1", "0", "-1", "nan", "inf", ""] {
            assert!(speed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        assert!(positive("0").is_err() && positive("inf").is_err() && positive("0.25").is_ok());
    }
}
