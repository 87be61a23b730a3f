//! Sprites of an atlas, drawn as captures draw them.

use std::path::Path;
use std::sync::Mutex;

use pchr::bytes::Budget;
use pchr::finding::Findings;
use pchr::format::Sidecars;
use pchr::image::{Pixels, decode_all};
use pchr::playback::FrameAt;
use pchr::raster::RasterModel;
use pchr::scene::{Camera2d, Filter, Picture, Samples, ViewOptions};
use pchr_tools::capture::{Backdrop, CaptureJob, Drawer, Shot, StageTimes, Taken};
use pchr_tools::open::{Opened, Openers};

/// Opens an atlas with this text.
pub(crate) fn open(text: Vec<u8>, sidecars: &mut dyn Sidecars) -> Opened {
    let path = Path::new("atlas.pct");
    let opened = Openers::ALL.open(path, text.into(), sidecars, &Budget::default());
    opened.unwrap_or_else(|(invalid, _)| panic!("{invalid}"))
}

/// Draws the sprite of a frame at one screen pixel per page pixel, with the middle of its source in the middle.
pub(crate) fn draw(
    opened: &Opened,
    at: FrameAt,
    size: [u32; 2],
    samples: Samples,
    filter: Filter,
) -> Pixels {
    let subject = &*opened.subject;
    let images = decode_all(opened.images(), &mut Findings::default());
    let camera = Camera2d::default();
    let job = CaptureJob {
        subject,
        view: &ViewOptions::default(),
        picture: Picture { size, camera, filter, mipmaps: false, clear: [0; 4] },
        samples,
        overlay: None,
        letters: None,
        backdrop: Backdrop::None,
        against: None,
        jobs: 1,
    };
    let mut drawer = Drawer::Cpu(RasterModel::new(subject, images));
    let drawn = Mutex::new(None);
    let sink = |taken: &mut Taken<'_>| {
        *drawn.lock().unwrap() = Some(taken.pixels.clone());
        Ok(())
    };
    let shots = [Shot { at: Some(at), mix: None, camera: camera.into() }];
    job.run(&mut drawer, &shots, &StageTimes::default(), &sink).unwrap();
    drawn.into_inner().unwrap().unwrap()
}
