use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::document::AnimationId;
use pchr::finding::{Findings, TextPlace};
use pchr::image::{Pixels, decode_each};
use pchr::playback::FrameAt;
use pchr::raster::{Raster, RasterModel, RasterOptions};
use pchr::scene::{Camera2d, Filter, Frame, Picture, Subject, ViewOptions};
use pchr_foreign::atlas::{Atlas, flip_books};
use pchr_foreign::format::pct;
use pchr_foreign::sheet::{PageFile, Sheet};

use super::{accepted, lines, refused};

const WHITE: &[u8] = include_bytes!("../white.png");

/// Most sprites of an atlas that is written and drawn, so that the fuzzer tries many inputs.
const MOST_SPRITES: usize = 2_000;

/// Reads arbitrary text as PCT, writes the result, reads it again, and draws it.
pub fn read_pct(data: &[u8]) {
    let _ = pct::looks_like_pct(data);
    match pct::read(data) {
        Err(invalid) => {
            refused(&invalid.0, data);
            lines(&invalid.0);
        }
        Ok((atlas, found)) => {
            accepted(&found, data);
            lines(&found);
            if atlas.sprites.len() <= MOST_SPRITES {
                look(&atlas);
                write(atlas);
            }
        }
    }
}

/// Writes an atlas and checks that it is the same when read again.
fn write(mut atlas: Atlas) {
    let before = atlas.clone();
    if pct::write(&atlas).is_err() {
        pct::safe_names(&mut atlas);
        // This does not change the names of pages.
        if pct::write(&atlas).is_err() {
            return;
        }
    } else {
        assert_eq!(before.sprites.len(), atlas.sprites.len());
    }
    let text = pct::write(&atlas).expect("its names are safe");
    let (again, _) = pct::read(text.as_bytes()).expect("what is written can be read");
    assert_eq!(again.sprites.len(), atlas.sprites.len());
    for (name, sprite) in atlas.sprites.iter() {
        let other = again.sprites.get(name).expect("its name is the same");
        assert!(sprite.is_at(other), "{name}: {sprite:?} is {other:?}");
    }
    assert_eq!(text, pct::write(&again).expect("it was written"));
}

/// Plays and draws an atlas.
fn look(atlas: &Atlas) {
    let mut shown: Vec<u32> = flip_books(atlas).into_iter().flat_map(|book| book.sprites).collect();
    shown.sort_unstable();
    assert!(shown.iter().copied().eq(0..atlas.sprites.len() as u32));
    for sprite in atlas.sprites.values() {
        assert!((sprite.page as usize) < atlas.pages.len());
        let original = sprite.alias_of.and_then(|of| atlas.sprites.get_index(of as usize));
        assert!(original.is_none_or(|(_, it)| it.alias_of.is_none() && it.is_at(sprite)));
    }
    let file = |index: usize| PageFile {
        png: if index.is_multiple_of(2) { Ok(WHITE.to_vec()) } else { Err("missing".into()) },
        place: TextPlace::START,
    };
    let files = (0..atlas.pages.len()).map(file).collect();
    let sheet = Sheet::new(Arc::new(atlas.clone()), files, "PCT", 0, Findings::default());
    if atlas.pages.len() > 64 {
        return;
    }
    let mut found = Findings::default();
    let images =
        decode_each(&sheet, &Budget::new(1 << 20), false, &mut found, |_, pixels, _| pixels);
    let model = RasterModel::new(&sheet, images);
    let subject: &dyn Subject = &sheet;
    let view = ViewOptions::default();
    for id in (0..subject.animation_count().min(8)).map(|id| AnimationId(id as u16)) {
        let bounds = subject.sweep(&view).over(&mut subject.moments(id));
        let at = Some(FrameAt::exact(id, subject.frame_count(id).saturating_sub(1)));
        let frame = Frame::new(subject, at, &view);
        let size = [16, 12];
        let camera = Camera2d::fit(bounds, size, false);
        let picture =
            Picture { size, camera, filter: Filter::Linear, mipmaps: false, clear: [0; 4] };
        let (mut raster, mut pixels) = (Raster::new(RasterOptions::default()), Pixels::empty());
        let drawn = raster.draw(&model, frame.list(), frame.pose(), &picture, &mut pixels);
        drawn.expect("of one subject");
    }
}
