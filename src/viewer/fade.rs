//! Length and curve of the cross-fade in the window: its range, steps and words.

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
    let mut steps = STEPS.into_iter();
    let found = if by < 0 {
        steps.rfind(|step| *step < seconds)
    } else {
        steps.find(|step| *step > seconds)
    };
    found.unwrap_or(if by < 0 { *RANGE.start() } else { *RANGE.end() })
}

/// Returns the other curve.
pub(crate) fn next_curve(curve: FadeCurve) -> FadeCurve {
    match curve {
        FadeCurve::Linear => FadeCurve::Smooth,
        FadeCurve::Smooth => FadeCurve::Linear,
    }
}

/// Returns the name of a curve.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_up_and_down_and_end() {
        assert_eq!(step(0.0, 1), 0.1);
        assert_eq!(step(0.25, 1), 0.3);
        assert_eq!(step(0.25, -1), 0.2);
        assert_eq!((step(2.0, 1), step(0.0, -1)), (2.0, 0.0));
        assert_eq!(
            (within(7.0), within(-1.0), within(f64::NAN)),
            (Some(2.0), Some(0.0), None)
        );
    }

    #[test]
    fn no_length_is_off() {
        let mut fade = FadeOptions::default();
        assert_eq!(in_words(fade), "Cross-fade: off");
        fade.seconds = 0.3;
        assert_eq!(in_words(fade), "Cross-fade: 0.3 s, linear");
        assert_eq!(per_cent(0.345), "34 %");
    }
}
