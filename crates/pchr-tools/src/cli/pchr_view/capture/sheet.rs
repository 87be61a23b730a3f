//! Pictures that become an atlas, and the clips in it.

use std::path::PathBuf;

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::quoted;
use pchr::image::Pixels;
use pchr::pose::transform_point;
use pchr::scene::Subject;
use pchr_foreign::atlas::Atlas;
use pchr_foreign::format::atlas_json::{self, AtlasDialect, Layout, SheetClip};
use pchr_foreign::format::pct;
use pchr_foreign::packing::{self, Picture};

use super::export_args::ExportArgs;
use crate::capture::{AnimationFile, SheetFormat, Shot};
use crate::file_name;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::text::slashed;
use crate::view::plan::PlannedSheet;

/// Memory that pictures may take before they are trimmed.
const MOST_BYTES: u64 = 1 << 30;

/// Pictures of an atlas, gathered while they are drawn.
pub(super) struct CapturedSheet<'a> {
    sheet: &'a PlannedSheet,
    clips: Vec<SheetClip>,
    dialect: Option<AtlasDialect>,
    packing: packing::Options,
    pictures: Mutex<Vec<Option<Picture>>>,
}

impl<'a> CapturedSheet<'a> {
    /// An atlas of shots, all of one size.
    ///
    /// # Errors
    /// [`Failure::Usage`] if they take more memory than there may be.
    pub(super) fn new(
        sheet: &'a PlannedSheet,
        shots: &[Shot],
        args: &ExportArgs,
        size: [u32; 2],
    ) -> Result<Self, Failure> {
        let [width, height] = size.map(u64::from);
        let bytes = width * height * 4;
        if bytes.saturating_mul(shots.len() as u64) > MOST_BYTES {
            let (count, most) = (shots.len(), MOST_BYTES / bytes);
            return Err(Failure::Usage(format!(
                "{count} pictures of {width} x {height} for an atlas, expected at most {most} of this size; choose fewer frames (-f 0..:2) or a smaller size (-s)"
            )));
        }
        let mut rest = shots.iter();
        let mut names = sheet.names.iter();
        let clip = |clip: &AnimationFile| SheetClip {
            name: {
                let mut own = names.by_ref().take(clip.frames);
                let folder = own.next().and_then(|name| name.rsplit_once('/'));
                own.for_each(drop);
                folder.map_or("", |(folder, _)| folder).to_owned()
            },
            frames: clip.frames,
            fps: clip.rate,
            pivots: rest.by_ref().take(clip.frames).map(|shot| pivot(shot, size)).collect(),
        };
        let clips = sheet.clips.iter().map(clip).collect();
        let packing = args.packing(file_name::stem(&sheet.path), size);
        let pictures = Mutex::new(vec![None; shots.len()]);
        Ok(Self { sheet, clips, dialect: args.dialect, packing, pictures })
    }

    pub(super) fn take(&self, shot: usize, pixels: &Pixels) {
        let name = self.sheet.names.get(shot).map_or("", String::as_str);
        let picture = Picture::trimmed(name, pixels.clone());
        let mut pictures = self.pictures.lock();
        if let Some(place) = pictures.get_mut(shot) {
            *place = Some(picture);
        }
    }

    /// Packs the pictures, and writes pages and text.
    pub(super) fn finish(
        mut self,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<WrittenSheet, Failure> {
        let pictures = std::mem::take(self.pictures.get_mut());
        let pictures: Vec<Picture> = pictures.into_iter().flatten().collect();
        let output = &self.sheet.path;
        let told = |error: &dyn std::fmt::Display| {
            Failure::Usage(format!("{}: {error}", output.display()))
        };
        let mut packed = packing::pack(&pictures, &self.packing).map_err(|error| told(&error))?;
        let text = match self.sheet.format {
            SheetFormat::Pct => {
                for (name, safe) in pct::safe_names(&mut packed.atlas) {
                    let (name, safe) = (quoted(&name), quoted(&safe));
                    messages.note(&format!(
                        "PCT cannot hold the name {name}; the sprite is named {safe}"
                    ));
                }
                pct::write(&packed.atlas).map_err(|error| told(&error))?
            }
            SheetFormat::Json => self.json(&packed.atlas)?,
        };
        let names = packed.atlas.sprites.names().map(str::to_owned);
        let names = names.collect();
        let files = output::sheet_files(&packed, text, output, messages)?;
        output::write_sheet(&files, disk)?;
        let files = files.into_iter().map(|(path, _)| path).collect();
        Ok(WrittenSheet { files, names, clips: self.clips })
    }

    /// Text of the atlas with its clips.
    fn json(&self, atlas: &Atlas) -> Result<String, Failure> {
        let pages = atlas.pages.len();
        let dialect = self.dialect.unwrap_or(AtlasDialect::for_pages(pages));
        if pages > dialect.most_pages() {
            return Err(Failure::Usage(format!(
                "{}: {pages} pages, but the dialect {} holds one; use --dialect multiatlas, fewer frames or a smaller size",
                self.sheet.path.display(),
                dialect.id()
            )));
        }
        let mut text = Vec::new();
        atlas_json::write(atlas, &self.clips, dialect, Layout::Lines, &mut text)?;
        String::from_utf8(text).map_err(|error| Failure::Running(error.into()))
    }
}

/// The files of an atlas and the names of its sprites.
pub(super) struct WrittenSheet {
    /// Images of the pages, and the text last.
    pub(super) files: Vec<PathBuf>,
    /// One per picture.
    names: Vec<String>,
    clips: Vec<SheetClip>,
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
    pub(super) fn new(
        written: &'a WrittenSheet,
        sheet: &PlannedSheet,
        subject: &'a dyn Subject,
    ) -> Self {
        let mut names = written.names.iter();
        let report = |(clip, of): (&'a SheetClip, &AnimationFile)| {
            let same = clip.pivots.windows(2).all(|pair| pair.first() == pair.last());
            let animation = of.animation.and_then(|id| subject.animation(id));
            SheetAnimation {
                name: of.animation.map_or("", |id| subject.animation_name(id)),
                fps: animation.map_or(0.0, |_| clip.fps),
                looping: animation.is_some_and(|clip| clip.timeline.looping),
                sprites: names.by_ref().take(clip.frames).cloned().collect(),
                pivot: clip.pivots.first().copied().unwrap_or_default(),
                pivots: if same { Vec::new() } else { clip.pivots.clone() },
            }
        };
        let animations = written.clips.iter().zip(&sheet.clips).map(report).collect();
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
