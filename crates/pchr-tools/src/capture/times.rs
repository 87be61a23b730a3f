//! Time of each stage, summed over all threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time spent in each stage, over all pictures and threads.
#[derive(Debug, Default)]
pub struct StageTimes {
    pose: AtomicU64,
    draw: AtomicU64,
    read_back: AtomicU64,
    encode: AtomicU64,
    write: AtomicU64,
}

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
        self.cell(stage).fetch_add(nanos, Ordering::Relaxed);
    }

    fn cell(&self, stage: Stage) -> &AtomicU64 {
        match stage {
            Stage::Pose => &self.pose,
            Stage::Draw => &self.draw,
            Stage::ReadBack => &self.read_back,
            Stage::Encode => &self.encode,
            Stage::Write => &self.write,
        }
    }

    /// Returns the name and time of each stage, in the order of the pipeline.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, Duration); 5] {
        [
            ("pose", &self.pose),
            ("draw", &self.draw),
            ("readBack", &self.read_back),
            ("encode", &self.encode),
            ("write", &self.write),
        ]
        .map(|(name, nanos)| (name, Duration::from_nanos(nanos.load(Ordering::Relaxed))))
    }
}
