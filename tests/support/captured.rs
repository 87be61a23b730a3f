//! Captures that stay in memory.

use std::sync::Mutex;

use pchr::image::Pixels;
use pchr::scene::{Picture, Samples, Subject, ViewOptions};
use pchr_tools::capture::{Backdrop, CaptureJob, Drawer, Shot, StageTimes, Taken};

/// A capture of nothing but the subject, on one thread.
pub(crate) fn plain<'a>(
    subject: &'a dyn Subject,
    view: &'a ViewOptions,
    picture: Picture,
    samples: Samples,
) -> CaptureJob<'a> {
    CaptureJob {
        subject,
        view,
        picture,
        samples,
        overlay: None,
        letters: None,
        backdrop: Backdrop::None,
        against: None,
        jobs: 1,
    }
}

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
