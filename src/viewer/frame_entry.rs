//! Frames as somebody types them: numbers, steps from here, seconds and parts of the whole.

use pchr::playback::Timeline;

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
    let frames = if is_time {
        timeline.position(number)
    } else {
        number * unit
    };
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
    use super::*;

    fn timeline(smooth: bool) -> Timeline {
        Timeline {
            frame_count: 101,
            fps: 20.0,
            looping: true,
            smooth,
        }
    }

    #[test]
    fn numbers_steps_seconds_and_parts_are_frames() {
        let of = |text: &str| parse(text, 40.0, &timeline(false));
        for (text, frame) in [
            ("12", 12.0),
            (" 012 ", 12.0),
            ("12f", 12.0),
            ("+5", 45.0),
            ("-3", 37.0),
            ("−3", 37.0),
            ("- 3", 37.0),
            ("1.5s", 30.0),
            ("1,5 s", 30.0),
            ("+0.5s", 50.0),
            ("1.54s", 30.0),
            ("1.549999s", 30.0),
            ("1.55s", 31.0),
            ("50%", 50.0),
            ("-10 %", 30.0),
            ("12.6", 13.0),
            ("9999", 100.0),
            ("-9999", 0.0),
            ("99999999999999999999", 100.0),
        ] {
            assert_eq!(of(text), Some(frame), "{text}");
        }
        for text in [
            "", " ", "+", "s", "%", "x", "1e9", "inf", "NaN", "1.2.3", "--3", "5%s", "1 2",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(parse("12.5", 0.0, &timeline(true)), Some(12.5));
        let nothing = Timeline {
            frame_count: 0,
            ..timeline(false)
        };
        assert_eq!(parse("1", 0.0, &nothing), None);
    }
}
