//! Captures that stay in memory.

use std::sync::Mutex;

use pchr::image::Pixels;
use pchr_tools::capture::{CaptureJob, Drawer, Shot, StageTimes, Taken};

/// Pictures of the shots, in their order.
pub(crate) fn pictures(job: &CaptureJob<'_>, shots: &[Shot], drawer: &mut Drawer) -> Vec<Pixels> {
    let drawn = Mutex::new(vec![None; shots.len()]);
    let sink = |taken: &mut Taken<'_>| {
        drawn.lock().unwrap()[taken.shot] = Some(taken.pixels.clone());
        Ok(())
    };
    job.run(drawer, shots, &StageTimes::default(), &sink).unwrap();
    drawn.into_inner().unwrap().into_iter().map(Option::unwrap).collect()
}
