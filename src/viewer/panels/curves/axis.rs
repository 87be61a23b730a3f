//! Round numbers on axes.

/// Returns the smallest round step that fits into `span` at most `most` times: 1, 2 or 5 times a power of ten.
pub(super) fn round_step(span: f64, most: f64) -> f64 {
    let least = span / most.max(1.0);
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let decade = 10.0_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * decade);
    // Rounding may leave the quotient a hair above the step that is meant.
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    steps.into_iter().find(fits).unwrap_or(10.0 * decade)
}

/// The same for angles in degrees: parts of a turn where there is room for no more.
pub(super) fn round_angle(span: f64, most: f64) -> f64 {
    let least = span / most.max(1.0);
    let parts = [15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0, 1800.0, 3600.0];
    match parts.into_iter().find(|part| *part >= least) {
        Some(part) if least > 10.0 => part,
        _ => round_step(span, most),
    }
}

/// Multiples of `step` within a range; at most a hundred.
pub(super) fn multiples([low, high]: [f64; 2], step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil();
    let of = move |index: u8| (first + f64::from(index)) * step;
    let all = (0..100).map(of);
    all.take_while(move |value| *value <= high && value.is_finite())
        .map(|value| value + 0.0) // no minus zero
}

/// A number with the digits that tell it from its neighbours `step` away.
pub(super) fn number(value: f64, step: f64) -> String {
    if value.abs() >= 1e6 || (value != 0.0 && step < 1e-5) {
        return format!("{value:.2e}");
    }
    let digits = (-(step.abs().log10() + 1e-9).floor()).clamp(0.0, 6.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to 6"
    )]
    let digits = digits as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_no_closer_than_asked() {
        for (span, most, step) in [
            (10.0, 10.0, 1.0),
            (10.0, 9.0, 2.0),
            (10.0, 3.0, 5.0),
            (7.0, 1.0, 10.0),
            (0.03, 3.0, 0.01),
            (0.0, 3.0, 1.0),
            (f64::NAN, 3.0, 1.0),
        ] {
            let found = round_step(span, most);
            assert!((found - step).abs() < step * 1e-9, "{span} {most}: {found}");
        }
        assert_eq!(round_angle(360.0, 5.0), 90.0);
        assert_eq!(round_angle(100.0, 4.0), 30.0);
        assert_eq!(round_angle(4.0, 4.0), 1.0);
        assert_eq!(round_angle(1e9, 4.0), 5e8);
    }

    #[test]
    fn multiples_lie_within_the_range_and_are_told_apart() {
        let found: Vec<String> = multiples([-0.25, 0.31], 0.1)
            .map(|value| number(value, 0.1))
            .collect();
        assert_eq!(found, ["-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(multiples([0.0, 1e9], 1.0).count(), 100);
        assert_eq!(multiples([0.0, f64::INFINITY], 1.0).count(), 100);
        assert_eq!(number(120.0, 20.0), "120");
        assert_eq!(number(2.5e7, 1e6), "2.50e7");
    }
}
