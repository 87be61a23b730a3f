//! Pictures that become an atlas.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::quoted;
use pchr::image::Pixels;
use pchr::pose::transform_point;
use pchr::scene::Subject;
use pchr_foreign::format::pct;
use pchr_foreign::packing::{self, Picture};

use crate::capture::Shot;
use crate::file_name;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::text::slashed;
use crate::view::plan::step;

/// Memory that pictures may take before they are trimmed.
const MOST_BYTES: u64 = 1 << 30;

/// Pictures of an atlas, gathered while they are drawn.
pub(super) struct CapturedSheet<'a> {
    output: &'a Path,
    names: &'a [String],
    pictures: Mutex<Vec<Option<Picture>>>,
    size: [u32; 2],
}

impl<'a> CapturedSheet<'a> {
    /// An atlas at `output` of pictures with these names, all of one size.
    ///
    /// # Errors
    /// [`Failure::Usage`] if they take more memory than there may be.
    pub(super) fn new(
        output: &'a Path,
        names: &'a [String],
        size: [u32; 2],
    ) -> Result<Self, Failure> {
        let [width, height] = size.map(u64::from);
        let bytes = width * height * 4;
        if bytes.saturating_mul(names.len() as u64) > MOST_BYTES {
            let (count, most) = (names.len(), MOST_BYTES / bytes);
            return Err(Failure::Usage(format!(
                "{count} pictures of {width} x {height} for an atlas, expected at most {most} of this size; choose fewer frames (-f 0..:2) or a smaller size (-s)"
            )));
        }
        Ok(Self { output, names, pictures: Mutex::new(vec![None; names.len()]), size })
    }

    /// Takes a drawn picture.
    pub(super) fn take(&self, shot: usize, pixels: &Pixels) {
        let name = self.names.get(shot).map_or("", String::as_str);
        let picture = Picture::trimmed(name, pixels.clone());
        let mut pictures = self.pictures.lock();
        if let Some(place) = pictures.get_mut(shot) {
            *place = Some(picture);
        }
    }

    /// Packs the pictures, and writes pages and text. Returns the files and the names of the sprites.
    ///
    /// # Errors
    /// Those of packing and writing.
    pub(super) fn finish(self, messages: &Messages, disk: &Disk) -> Result<WrittenSheet, Failure> {
        let pictures = self.pictures.into_inner();
        let pictures: Vec<Picture> = pictures.into_iter().flatten().collect();
        let defaults = packing::Options::default();
        let room = 2 * (defaults.padding + defaults.extrude);
        let [width, height] = self.size.map(|side| side.saturating_add(room));
        let [page_width, page_height] = defaults.page_size;
        let options = packing::Options {
            name: file_name::stem(self.output),
            page_size: [page_width.max(width), page_height.max(height)],
            ..defaults
        };
        let told = |error: &dyn std::fmt::Display| {
            Failure::Usage(format!("{}: {error}", self.output.display()))
        };
        let mut packed = packing::pack(&pictures, &options).map_err(|error| told(&error))?;
        for (name, safe) in pct::safe_names(&mut packed.atlas) {
            let (name, safe) = (quoted(&name), quoted(&safe));
            messages.note(&format!("PCT cannot hold the name {name}; the sprite is named {safe}"));
        }
        let text = pct::write(&packed.atlas).map_err(|error| told(&error))?;
        let names = packed.atlas.sprites.names().map(str::to_owned);
        let names = names.collect();
        let files = output::sheet_files(&packed, text, self.output, messages)?;
        output::write_sheet(&files, disk)?;
        let files = files.into_iter().map(|(path, _)| path).collect();
        Ok(WrittenSheet { files, names })
    }
}

/// The files of an atlas and the names of its sprites.
pub(super) struct WrittenSheet {
    /// Images of the pages, and the text last.
    pub(super) files: Vec<PathBuf>,
    /// One per picture.
    pub(super) names: Vec<String>,
}

/// The atlas of the pictures, and values that its format cannot hold.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Sheet")]
pub(super) struct SheetReport<'a> {
    /// Path of the text.
    path: String,
    /// Paths of its pages' images.
    pages: Vec<String>,
    /// The animations in it, in order.
    animations: Vec<SheetAnimation<'a>>,
}

/// An animation of a sheet.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SheetAnimation<'a> {
    /// Its name in the file that was captured.
    name: &'a str,
    /// Frames per second at which the sprites play as fast as the animation: half of the file's if every second frame was taken.
    fps: f64,
    /// True if it starts again at the end.
    looping: bool,
    /// Names of its sprites, in order.
    sprites: Vec<String>,
    /// Place of the world's origin in the source of its first sprite: 0,0 is the top left, 1,1 the bottom right.
    pivot: [f32; 2],
    /// Pivot of each sprite, if the pivots differ (with `--fit frame`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pivots: Vec<[f32; 2]>,
}

impl<'a> SheetReport<'a> {
    /// The report about an atlas of these shots.
    pub(super) fn new(
        written: &WrittenSheet,
        subject: &'a dyn Subject,
        shots: &[Shot],
        size: [u32; 2],
    ) -> Self {
        let animation = |shot: &Shot| shot.at.map(|at| at.animation);
        let mut names = written.names.iter();
        let mut report = |shots: &'_ [Shot]| {
            let pivots: Vec<_> = shots.iter().map(|shot| pivot(shot, size)).collect();
            let same = shots.windows(2).all(|pair| {
                pair.first().map(|shot| shot.camera) == pair.last().map(|shot| shot.camera)
            });
            let clip = (shots.first().and_then(animation)).and_then(|id| subject.animation(id));
            SheetAnimation {
                name: clip.map_or("", |clip| clip.name),
                fps: clip
                    .map_or(0.0, |clip| clip.timeline.fps / step(shots.iter().map(|shot| shot.at))),
                looping: clip.is_some_and(|clip| clip.timeline.looping),
                sprites: names.by_ref().take(shots.len()).cloned().collect(),
                pivot: pivots.first().copied().unwrap_or_default(),
                pivots: if same { Vec::new() } else { pivots },
            }
        };
        let animations = shots.chunk_by(|a, b| animation(a) == animation(b));
        let animations = animations.map(&mut report).collect();
        let mut pages: Vec<String> = written.files.iter().map(|path| slashed(path)).collect();
        let path = pages.pop().unwrap_or_default();
        Self { path, pages, animations }
    }
}

/// The world's origin in a picture, as a fraction of its size.
#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn pivot(shot: &Shot, size: [u32; 2]) -> [f32; 2] {
    let [x, y] = transform_point(&shot.camera.screen_from_world(size), [0.0; 2]);
    let [width, height] = size.map(|side| side.max(1) as f32);
    [x / width, y / height]
}
