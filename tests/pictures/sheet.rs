//! Tests of corpus atlases as subjects: both renderers draw each sprite within its source, and clips play in order.

use crate::corpus;
use std::path::Path;

use crate::sprite::{draw, open};
use pchr::document::{AnimationId, MeshId};
use pchr::format::Sidecars;
use pchr::playback::FrameAt;
use pchr::scene::{Filter, Samples, Subject};
use pchr_foreign::sheet::atlas_of;
use pchr_tools::files::Folder;
use pchr_tools::open::Opened;
use sha2::{Digest as _, Sha256};

fn open_file(path: &Path) -> Opened {
    open(std::fs::read(path).unwrap(), &mut Folder::of(path, false))
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_sprite_is_drawn_as_its_source_was() {
    let mut drawn = 0;
    for name in ["png_example1", "png_walk24", "png_multipage", "png_rotated"] {
        let path = corpus::root().join(format!("pct/png/{name}/{name}.pct"));
        let sums = corpus::json(&path.with_extension("pixels.json"));
        let opened = open_file(&path);
        let subject = &*opened.subject;
        let atlas = atlas_of(subject).unwrap();
        let all = subject.all().unwrap_or(AnimationId(0));
        for (index, (sprite_name, sprite)) in atlas.sprites.iter().enumerate() {
            let size = sprite.source_size().map(|side| side as u32);
            let mut frames = 0..usize::from(subject.frame_count(all));
            let own = || frames.find(|frame| shown(subject, all, *frame) == index).unwrap();
            let frame = subject.all().map_or_else(own, |_| index);
            let at = FrameAt::exact(all, frame as u16);
            let expected = sums["frames"][sprite_name]["source_sha256"].as_str().unwrap();
            for (samples, filter) in
                [(Samples::One, Filter::Nearest), (Samples::Four, Filter::Linear)]
            {
                let pixels = draw(&opened, at, size, samples, filter);
                let sum: String =
                    Sha256::digest(&pixels.rgba).iter().map(|byte| format!("{byte:02x}")).collect();
                let opaque = pixels.rgba.chunks(4).all(|pixel| matches!(pixel[3], 0 | 255));
                let is_same = !opaque || sum == expected;
                assert!(is_same, "{name}: {sprite_name} ({samples:?}, {filter:?})");
                drawn += i32::from(opaque);
            }
        }
    }
    assert!(drawn > 100, "{drawn} sprites");
}

/// Index of the only visible sprite.
fn shown(subject: &dyn Subject, animation: AnimationId, frame: usize) -> usize {
    let mut order = Vec::new();
    subject.order(Some(FrameAt::exact(animation, frame as u16)), &mut order);
    let shown: Vec<usize> = (0..order.len()).filter(|index| order[*index].visible).collect();
    assert_eq!(shown.len(), 1);
    shown[0]
}

/// Pages of any name, each in one colour.
struct OneColor;

impl Sidecars for OneColor {
    fn read(&mut self, _: &str) -> Result<Vec<u8>, pchr::format::SidecarError> {
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, 16, 16);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[255; 16 * 16 * 4]).unwrap();
        writer.finish().unwrap();
        Ok(png)
    }
}

fn atlas(records: &str) -> Opened {
    let text = format!("PCT:1.0\nP:a.png,RGBA8888,16,16,0\n{records}");
    open(text.into_bytes(), &mut OneColor)
}

#[test]
fn flip_books_are_animations_and_all_walks_every_sprite() {
    let subject = &*atlas("b2|0|0,0,2,2\nsword.png|0|0,0,2,2\nb10|0|2,0,2,2\nb1|0|4,0,2,2").subject;
    let names: Vec<_> = subject.animation_names().collect();
    assert_eq!(names, ["b*", "sword", "all"]);
    let walk = |id: u16| {
        let frames = 0..usize::from(subject.frame_count(AnimationId(id)));
        frames.map(|frame| shown(subject, AnimationId(id), frame)).collect::<Vec<_>>()
    };
    assert_eq!(walk(0), [3, 0, 2]);
    assert_eq!(walk(1), [1]);
    assert_eq!(walk(2), [0, 1, 2, 3]);
    assert_eq!(subject.default_animation(), Some(AnimationId(0)));
    assert_eq!(subject.mesh(MeshId(1)).unwrap().name(), "sword.png");
}

#[test]
fn what_lies_outside_of_its_page_is_not_drawn() {
    let opened = atlas("out|0|14,-2,4,4\ngone|0|99,99,4,4\nnegative|0|1,1,-4,4\nturned|1|14,0,4,2");
    let all = opened.subject.all().unwrap();
    let covered = |frame| {
        let pixels =
            draw(&opened, FrameAt::exact(all, frame), [4, 4], Samples::One, Filter::Nearest);
        let rows = pixels.rgba.chunks(16).map(|row| {
            row.chunks(4).map(|pixel| if pixel[3] > 0 { 'x' } else { '.' }).collect::<String>()
        });
        rows.collect::<Vec<_>>()
    };
    assert_eq!(covered(0), ["....", "....", "xx..", "xx.."]);
    assert_eq!(covered(1), ["...."; 4]);
    assert_eq!(covered(2), ["...."; 4]);
    assert_eq!(covered(3), ["....", "xxxx", "xxxx", "...."]);
}
