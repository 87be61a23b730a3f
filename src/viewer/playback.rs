//! Values of playback: lengths of cross-fades, and speeds.

use std::ops::RangeInclusive;

use pchr::playback::{FadeCurve, FadeOptions};

/// Range of lengths in seconds; 0 cuts from one animation to the other.
pub(crate) const RANGE: RangeInclusive<f64> = 0.0..=2.0;

/// Lengths that are gone through by key.
const STEPS: [f64; 9] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0];

/// Returns a length within the range; `None` if it is not a number.
pub(crate) fn within(seconds: f64) -> Option<f64> {
    let finite = seconds.is_finite();
    finite.then(|| seconds.clamp(*RANGE.start(), *RANGE.end()))
}

/// Returns the next longer or shorter length.
pub(crate) fn step(seconds: f64, by: i32) -> f64 {
    let end = if by < 0 { *RANGE.start() } else { *RANGE.end() };
    next(&STEPS, seconds, by).unwrap_or(end)
}

/// Returns the next larger one of some values, or the next smaller one where `by` is negative.
fn next(steps: &[f64], value: f64, by: i32) -> Option<f64> {
    let mut steps = steps.iter().copied();
    if by < 0 { steps.rfind(|step| *step < value) } else { steps.find(|step| *step > value) }
}

pub(crate) fn curve_in_words(curve: FadeCurve) -> &'static str {
    match curve {
        FadeCurve::Linear => "Linear",
        FadeCurve::Smooth => "Smooth",
    }
}

/// Returns the settings in words.
pub(crate) fn in_words(fade: FadeOptions) -> String {
    if fade.seconds > 0.0 {
        let curve = curve_in_words(fade.curve).to_lowercase();
        format!("Cross-fade: {} s, {curve}", fade.seconds)
    } else {
        "Cross-fade: off".to_owned()
    }
}

/// Returns the weight of the animation that is faded to, in whole percent.
pub(crate) fn per_cent(amount: f64) -> String {
    format!("{:.0} %", amount * 100.0)
}

/// Slowest first; the ends are those of [`SPEED_RANGE`](pchr::playback::SPEED_RANGE).
const SPEEDS: [f64; 13] = [0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0];

/// The next faster speed, or the next slower one where `by` is negative; the same at the end.
pub(crate) fn step_speed(speed: f64, by: i32) -> f64 {
    next(&SPEEDS, speed, by).unwrap_or(speed)
}

#[cfg(test)]
mod tests {
    use pchr::playback::SPEED_RANGE;

    use super::*;

    #[test]
    fn steps_go_up_and_down_and_end() {
        assert_eq!(step(0.0, 1), 0.1);
        assert_eq!(step(0.25, 1), 0.3);
        assert_eq!(step(0.25, -1), 0.2);
        assert_eq!((step(2.0, 1), step(0.0, -1)), (2.0, 0.0));
        assert_eq!((within(7.0), within(-1.0), within(f64::NAN)), (Some(2.0), Some(0.0), None));
    }

    #[test]
    fn speeds_go_up_and_down_a_ladder_and_stay_on_it() {
        let up = std::iter::successors(Some(1.0), |speed| Some(step_speed(*speed, 1)));
        let seen: Vec<_> = up.take(10).collect();
        assert_eq!(seen, [1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 8.0, 8.0]);
        assert_eq!((0..20).fold(8.0, |speed, _| step_speed(speed, -1)), 0.05);
        assert_eq!([step_speed(0.6, 1), step_speed(0.6, -1)], [0.75, 0.5]);
        let [slowest, .., fastest] = SPEEDS;
        assert_eq!(slowest..=fastest, SPEED_RANGE);
    }
}
