//! Sprites of an atlas, drawn as captures draw them.

use std::path::Path;

use pchr::bytes::Budget;
use pchr::finding::Findings;
use pchr::format::Sidecars;
use pchr::image::{Pixels, decode_all};
use pchr::playback::FrameAt;
use pchr::raster::RasterModel;
use pchr::scene::{Camera2d, Filter, Picture, Samples, ViewOptions};
use pchr_tools::capture::{CaptureJob, Drawer, Shot};
use pchr_tools::open::{Opened, Openers};

use crate::captured;

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
    let picture = Picture { size, camera, filter, mipmaps: false, clear: [0; 4] };
    let view = ViewOptions::default();
    let job = CaptureJob::plain(subject, &view, picture, samples);
    let mut drawer = Drawer::Cpu(RasterModel::new(subject, images));
    let shot = Shot { at: Some(at), mix: None, camera: camera.into() };
    captured::pictures(&job, &[shot], &mut drawer).remove(0)
}
