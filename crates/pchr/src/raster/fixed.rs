//! Rounds doubles to whole numbers, with the same result on every machine.

/// 1.5 · 2^52. A sum with it is rounded to a whole number without rounding instructions, and its low bits are that number.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// Returns the nearest whole number, ties to even, of a number below 2^51.
#[inline(always)]
pub(super) fn nearest(number: f64) -> f64 {
    number + MAGIC - MAGIC
}

/// Returns the nearest whole number, ties to even, of a number at most 2^51 from 0.
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
