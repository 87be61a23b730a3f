//! Time of each stage, summed over all threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time spent in each stage, over all pictures and threads.
#[derive(Debug, Default)]
pub struct StageTimes([AtomicU64; Stage::NAMES.len()]);

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Pose,
    Draw,
    #[cfg_attr(
        not(feature = "render"),
        expect(dead_code, reason = "only the GPU's pictures are read back")
    )]
    ReadBack,
    Encode,
    Write,
}

impl Stage {
    /// Names of the stages, in the order of the pipeline.
    const NAMES: [&str; 5] = ["pose", "draw", "readBack", "encode", "write"];
}

impl StageTimes {
    /// Runs `work` and adds its time to a stage.
    pub(super) fn measure<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    /// Adds to the time of a stage.
    pub(super) fn add(&self, stage: Stage, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if let Some(sum) = self.0.get(stage as usize) {
            sum.fetch_add(nanos, Ordering::Relaxed);
        }
    }

    /// Returns the name and time of each stage, in the order of the pipeline.
    pub fn stages(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let times = self.0.iter().map(|nanos| nanos.load(Ordering::Relaxed));
        Stage::NAMES
            .into_iter()
            .zip(times.map(Duration::from_nanos))
    }
}
