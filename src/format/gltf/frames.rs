//! Converts times in seconds to frames.

/// Usual frame rates of animations, the most common first.
const RATES: [f32; 20] = [
    30.0, 60.0, 24.0, 25.0, 120.0, 50.0, 15.0, 12.0, 10.0, 48.0, 90.0, 100.0, 29.97, 23.976, 59.94,
    240.0, 20.0, 8.0, 144.0, 1000.0,
];

/// Returns the rate at which all times are frames.
pub(super) fn rate_of<'a>(times: impl Iterator<Item = &'a [f64]> + Clone) -> Option<f32> {
    let rates = RATES.into_iter();
    { rates }.find(|rate| {
        times
            .clone()
            .flatten()
            .all(|time| frame(*time, *rate).is_some())
    })
}

/// Returns the frame at a time, if it is one.
pub(super) fn frame(time: f64, rate: f32) -> Option<u32> {
    /// Largest distance from a frame, in frames: that of a time with few decimals.
    const NEAR: f64 = 1e-3;
    /// Largest distance for the size of a frame: seconds are in single precision.
    const ROUNDED: f64 = 1.0 / (1 << 22) as f64;
    let frame = time * f64::from(rate);
    let whole = frame.round();
    let near = (whole * ROUNDED).clamp(NEAR, 0.25);
    let is_near = (frame - whole).abs() <= near;
    is_near.then(|| whole_number(whole)).flatten()
}

/// Returns the first and last frame around a time range.
pub(super) fn around(first: f64, last: f64, rate: f32) -> Option<(u32, u32)> {
    let start = (first * f64::from(rate)).floor();
    let end = (last * f64::from(rate)).ceil();
    Some((whole_number(start)?, whole_number(end)?))
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
    fn times_of_exporters_have_their_rate() {
        for rate in [24.0_f32, 30.0, 60.0, 25.0, 29.97, 120.0] {
            let times: Vec<f64> = (0..2000)
                .map(|frame| f64::from(frame as f32 / rate))
                .collect();
            let found = rate_of([times.as_slice()].into_iter()).unwrap();
            let frames: Vec<u32> = times.iter().map(|t| frame(*t, found).unwrap()).collect();
            assert!(
                frames
                    .windows(2)
                    .all(|pair| pair[1] - pair[0] == 1 || found > rate)
            );
        }
        assert_eq!(rate_of([[0.0].as_slice()].into_iter()), Some(30.0));
        assert_eq!(rate_of([[0.0, 0.001_7].as_slice()].into_iter()), None);
        assert_eq!(
            rate_of([[0.0, 0.041_67, 0.0833].as_slice()].into_iter()),
            Some(24.0)
        );
        assert_eq!(frame(1e30, 30.0), None);
        assert_eq!(frame(f64::NAN, 30.0), None);
    }
}
