//! What the last frames cost the window's thread.

use std::collections::VecDeque;
use std::time::Duration;

use crate::viewer::panels::Costs;

/// Frames that count.
const FRAMES: usize = 120;

/// The last frames' times.
#[derive(Debug, Default)]
pub(crate) struct FrameCosts {
    milliseconds: VecDeque<f64>,
}

impl FrameCosts {
    /// A frame took so long, without waiting for the display.
    pub(crate) fn add(&mut self, took: Duration) {
        if self.milliseconds.len() == FRAMES {
            self.milliseconds.pop_front();
        }
        self.milliseconds.push_back(took.as_secs_f64() * 1000.0);
    }

    /// Mean and maximum, with what the adapter says.
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
