//! Colours of weights.

/// Returns the colour of a weight, 0..=1: sRGB-encoded, from dark violet to yellow. Lightness grows evenly, and the ramp is
/// readable with colour blindness ("viridis").
#[must_use]
pub fn ramp(weight: f32) -> [u8; 3] {
    let weight = if weight > 0.0 { weight.min(1.0) } else { 0.0 };
    let color = colorous::VIRIDIS.eval_continuous(weight.into());
    [color.r, color.g, color.b]
}
