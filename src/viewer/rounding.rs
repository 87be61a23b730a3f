//! Conversion between the wide numbers of the state and the narrow ones of screens.

/// The nearest `f32`.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(crate) fn narrow(value: f64) -> f32 {
    value as f32
}

/// The nearest whole pixel, not below 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and a screen is smaller"
)]
pub(crate) fn pixel(value: f32) -> u32 {
    value.round() as u32
}
