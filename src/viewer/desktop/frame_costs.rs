//! Times of the last frames on the window's thread.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::viewer::panels::Costs;

/// Number of frames in the statistics.
const FRAMES: usize = 120;

const SECOND: Duration = Duration::from_secs(1);
/// Number of frames that are kept, however fast they come.
const MOST: usize = 1000;

/// Times of the last frames.
#[derive(Debug, Default)]
pub(crate) struct FrameCosts {
    milliseconds: VecDeque<f64>,
    /// Times at which the frames of the last second were drawn, the oldest first.
    drawn: VecDeque<Instant>,
}

impl FrameCosts {
    /// Adds the time of a frame that was drawn `now`, without the wait for the display.
    pub(crate) fn add(&mut self, now: Instant, took: Duration) {
        let is_old = |drawn: &Instant| now.duration_since(*drawn) > SECOND;
        while self.drawn.front().is_some_and(is_old) || self.drawn.len() >= MOST {
            self.drawn.pop_front();
        }
        self.drawn.push_back(now);
        if self.milliseconds.len() == FRAMES {
            self.milliseconds.pop_front();
        }
        self.milliseconds.push_back(took.as_secs_f64() * 1000.0);
    }

    /// Returns mean and maximum, with the time that the adapter reports.
    pub(crate) fn get(&self, gpu: Option<f64>) -> Costs {
        let all = self.milliseconds.iter();
        let count = u32::try_from(self.milliseconds.len().max(1)).unwrap_or(1);
        Costs {
            cpu: [
                all.clone().sum::<f64>() / f64::from(count),
                all.copied().fold(0.0, f64::max),
            ],
            gpu,
            fps: self.fps(),
        }
    }

    /// Returns the frames per second between the first and the last of those in the last second.
    fn fps(&self) -> Option<f64> {
        let (first, last) = self.drawn.front().zip(self.drawn.back())?;
        let seconds = last.duration_since(*first).as_secs_f64();
        let count = u32::try_from(self.drawn.len().saturating_sub(1)).ok()?;
        (count > 0 && seconds > 0.0).then(|| f64::from(count) / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_per_second_are_those_of_the_last_second() {
        let mut costs = FrameCosts::default();
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        assert_eq!(costs.get(None).fps, None);
        costs.add(start, SECOND);
        assert_eq!(costs.get(None).fps, None);
        for i in 1..=100 {
            costs.add(after(i * 20), Duration::ZERO);
        }
        let fps = costs.get(None).fps.unwrap();
        assert!((fps - 50.0).abs() < 0.01, "{fps}");
        // After a rest those before it do not count.
        costs.add(after(60_000), Duration::ZERO);
        assert_eq!(costs.get(None).fps, None);
        costs.add(after(60_100), Duration::ZERO);
        let fps = costs.get(None).fps.unwrap();
        assert!((fps - 10.0).abs() < 0.01, "{fps}");
        for i in 0..5000 {
            costs.add(after(70_000) + Duration::from_nanos(i), Duration::ZERO);
        }
        assert!(costs.drawn.len() <= MOST);
    }
}
