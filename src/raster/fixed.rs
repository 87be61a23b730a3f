//! Doubles rounded to whole numbers, alike on every machine.

/// 1.5 · 2^52: a sum with it is rounded to a whole number, whatever the machine has for rounding, and its low bits are
/// that number.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// The nearest whole number, ties to even, of one below 2^51.
#[inline(always)]
pub(super) fn nearest(number: f64) -> f64 {
    number + MAGIC - MAGIC
}

/// The nearest whole number, ties to even; at most 2^51 from 0.
#[inline(always)]
pub(super) fn to_fixed(number: f64) -> i64 {
    const MOST: f64 = 2_251_799_813_685_247.0;
    let number = if number < MOST { number } else { MOST };
    let number = if number > -MOST { number } else { -MOST };
    (number + MAGIC)
        .to_bits()
        .wrapping_sub(MAGIC.to_bits())
        .cast_signed()
}
