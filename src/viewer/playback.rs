//! Values of playback: lengths of cross-fades, speeds, and frames that are typed.

use std::ops::RangeInclusive;

use pchr::playback::{FadeCurve, FadeOptions, Timeline};

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

/// Forms that are understood, for hints.
pub(crate) const FORMS: &str = "12   +5   -3   1.5s   50%";

/// Returns the frame that a text means, counted from the frame `here`: between the ends, and a whole one unless frames are blended.
pub(crate) fn parse(text: &str, here: f64, timeline: &Timeline) -> Option<f64> {
    let last = f64::from(timeline.frame_count.checked_sub(1)?);
    let text = text.trim();
    let (from, sign, text) = match text.strip_prefix(['+', '-', '−']) {
        Some(rest) if text.starts_with('+') => (here, 1.0, rest),
        Some(rest) => (here, -1.0, rest),
        None => (0.0, 1.0, text),
    };
    let text = text.trim_end();
    let is_time = text.ends_with(['s', 'S']);
    let (text, unit) = match text {
        text if is_time => (text.trim_end_matches(['s', 'S']), 1.0),
        text if text.ends_with('%') => (text.trim_end_matches('%'), last / 100.0),
        text => (text.trim_end_matches(['f', 'F']), 1.0),
    };
    let text = text.trim();
    // Neither "inf" nor "1e9" is a frame.
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    if !text.chars().all(is_number) {
        return None;
    }
    let number: f64 = text.replace(',', ".").parse().ok()?;
    let frames = if is_time { timeline.position(number) } else { number * unit };
    let frame = (from + sign * frames).clamp(0.0, last);
    let frame = match (timeline.smooth, is_time) {
        (true, _) => frame,
        (false, true) => frame.floor(),
        (false, false) => frame.round(),
    };
    frame.is_finite().then_some(frame)
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

    fn timeline(smooth: bool) -> Timeline {
        Timeline { frame_count: 101, fps: 20.0, looping: true, smooth }
    }

    #[test]
    fn numbers_steps_seconds_and_parts_are_frames() {
        let of = |text: &str| parse(text, 40.0, &timeline(false));
        for (texts, frame) in [
            (&["12", " 012 ", "12f"][..], 12.0),
            (&["+5"], 45.0),
            (&["-3", "−3", "- 3"], 37.0),
            (&["1.5s", "1,5 s", "1.54s", "1.549999s", "-10 %"], 30.0),
            (&["1.55s"], 31.0),
            (&["50%", "+0.5s"], 50.0),
            (&["12.6"], 13.0),
            (&["9999", "99999999999999999999"], 100.0),
            (&["-9999"], 0.0),
        ] {
            texts.iter().for_each(|text| assert_eq!(of(text), Some(frame), "{text}"));
        }
        for text in ["", " ", "+", "s", "%", "x", "1e9", "inf", "NaN", "1.2.3", "--3", "5%s", "1 2"]
        {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(parse("12.5", 0.0, &timeline(true)), Some(12.5));
        let nothing = Timeline { frame_count: 0, ..timeline(false) };
        assert_eq!(parse("1", 0.0, &nothing), None);
    }
}
