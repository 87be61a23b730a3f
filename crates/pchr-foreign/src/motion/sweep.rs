//! Checks all keys of a list at the speed of memory.

use super::keys::{IndexWidth, KeyFormat, Precision};

/// Largest distance of a rotation's squared length from 1.
pub(crate) const LENGTH_TOLERANCE: f64 = 0.01;

/// Result of checking a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Swept {
    /// Largest frame.
    pub(super) last: u32,
    /// True if frames do not ascend, a number is not finite, or a rotation has another length than 1.
    pub(super) is_odd: bool,
}

/// Checks packed keys of `N` numbers; those of four are rotations.
pub(super) fn sweep<const N: usize>(packed: &[u8], format: KeyFormat) -> Swept {
    match (format.frame, format.precision) {
        (IndexWidth::U8, Precision::Single) => keys::<N, 1, 4>(packed),
        (IndexWidth::U16, Precision::Single) => keys::<N, 2, 4>(packed),
        (IndexWidth::U32, Precision::Single) => keys::<N, 4, 4>(packed),
        (IndexWidth::U8, Precision::Double) => keys::<N, 1, 8>(packed),
        (IndexWidth::U16, Precision::Double) => keys::<N, 2, 8>(packed),
        (IndexWidth::U32, Precision::Double) => keys::<N, 4, 8>(packed),
    }
}

/// Checks keys with frames of `W` bytes and numbers of `S` bytes.
fn keys<const N: usize, const W: usize, const S: usize>(packed: &[u8]) -> Swept {
    let mut swept = Swept::default();
    let mut before = None;
    for key in packed.chunks_exact(const { N.saturating_mul(S).saturating_add(W) }) {
        let Some((frame, values)) = key.split_first_chunk::<W>() else {
            break;
        };
        let mut wide = [0; 4];
        for (wide, byte) in wide.iter_mut().zip(frame) {
            *wide = *byte;
        }
        let frame = u32::from_le_bytes(wide);
        let mut squares = 0.0;
        for value in values.as_chunks::<S>().0 {
            let value = number(value);
            squares += value * value; // infinite or NaN as soon as one number is
        }
        let is_odd = if N == 4 {
            let off = (squares - 1.0).abs();
            off.is_nan() || off > LENGTH_TOLERANCE
        } else {
            !squares.is_finite()
        };
        swept.is_odd |= is_odd | before.is_some_and(|before| frame <= before);
        swept.last = swept.last.max(frame);
        before = Some(frame);
    }
    swept
}

/// Reads a number of four or eight bytes.
fn number<const S: usize>(bytes: &[u8; S]) -> f64 {
    if let Some(single) = bytes.first_chunk::<4>().filter(|_| S == 4) {
        return f32::from_le_bytes(*single).into();
    }
    bytes
        .first_chunk::<8>()
        .map_or(0.0, |double| f64::from_le_bytes(*double))
}
