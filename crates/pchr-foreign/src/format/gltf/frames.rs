//! The frame rate of times in seconds.

use crate::motion::frame_at;

/// Usual frame rates of animations, the most common first.
const RATES: [f32; 20] = [
    30.0, 60.0, 24.0, 25.0, 120.0, 50.0, 15.0, 12.0, 10.0, 48.0, 90.0, 100.0, 29.97, 23.976, 59.94,
    240.0, 20.0, 8.0, 144.0, 1000.0,
];

/// Returns the first usual rate at which all times are frames.
pub(super) fn rate_of<'a>(times: impl Iterator<Item = &'a [f32]> + Clone) -> Option<f32> {
    { RATES.into_iter() }.find(|rate| are_frames(times.clone(), *rate))
}

/// Returns true if all times are frames.
pub(super) fn are_frames<'a>(mut times: impl Iterator<Item = &'a [f32]>, rate: f32) -> bool {
    let are = |times: &[f32]| { times.iter() }.all(|it| frame_at((*it).into(), rate).is_some());
    times.all(are)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_exporters_have_their_rate() {
        for rate in [24.0_f32, 30.0, 60.0, 25.0, 29.97, 120.0] {
            let times: Vec<f32> = (0..2000).map(|frame| frame as f32 / rate).collect();
            let found = rate_of([times.as_slice()].into_iter()).unwrap();
            let frames = times.iter().map(|t| frame_at((*t).into(), found).unwrap());
            let frames: Vec<u32> = frames.collect();
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
    }
}
