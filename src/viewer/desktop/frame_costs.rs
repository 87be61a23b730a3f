//! Times of the last frames on the window's thread.

use std::collections::VecDeque;
use std::time::Duration;

use crate::viewer::panels::Costs;

/// Number of frames in the statistics.
const FRAMES: usize = 120;

/// Times of the last frames.
#[derive(Debug, Default)]
pub(crate) struct FrameCosts {
    milliseconds: VecDeque<f64>,
}

impl FrameCosts {
    /// Adds the time of a frame, without the wait for the display.
    pub(crate) fn add(&mut self, took: Duration) {
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
        }
    }
}
