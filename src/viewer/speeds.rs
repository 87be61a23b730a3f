//! The speeds that the keys select.

/// Slowest first; the ends are those of [`SPEED_RANGE`](pchr::playback::SPEED_RANGE).
const SPEEDS: [f64; 13] = [
    0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0,
];

/// The next faster speed; the same at the end.
pub(crate) fn faster(speed: f64) -> f64 {
    let faster = SPEEDS.into_iter().find(|other| *other > speed);
    faster.unwrap_or(speed)
}

/// The next slower speed; the same at the end.
pub(crate) fn slower(speed: f64) -> f64 {
    let slower = SPEEDS.into_iter().rev().find(|other| *other < speed);
    slower.unwrap_or(speed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::playback::SPEED_RANGE;

    #[test]
    fn speeds_go_up_and_down_a_ladder_and_stay_on_it() {
        let mut speed = 1.0;
        let mut seen = vec![speed];
        for _ in 0..9 {
            speed = faster(speed);
            seen.push(speed);
        }
        assert_eq!(seen, [1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 8.0, 8.0]);
        for _ in 0..20 {
            speed = slower(speed);
        }
        assert_eq!(speed, 0.05);
        assert_eq!([faster(0.6), slower(0.6)], [0.75, 0.5]);
        let [slowest, .., fastest] = SPEEDS;
        assert_eq!(slowest..=fastest, SPEED_RANGE);
    }
}
