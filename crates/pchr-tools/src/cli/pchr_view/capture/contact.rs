//! The picture of a contact sheet: pictures in rows, with the names of clips and the numbers of frames.

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::image::{Effort, Pixels, encode_png};
use pchr::overlay::{needs_fonts, plain_line};
use pchr::scene::Subject;

use crate::export::Shows;
use crate::run::{Disk, Failure};
use crate::text::{slashed, visible};
use crate::typeface::{FontError, Fonts};
use crate::view::contact::{ContactRow, PlannedContact};

/// Pixels between pictures, and around all of them.
const GAP: u32 = 8;
/// Height of a line of text, and its distance to what is below it.
const LINE: u32 = 13;
const BELOW: u32 = 3;
/// Colours of the sheet, of names and of numbers.
const PAPER: [u8; 3] = [250; 3];
const NAME: [u8; 3] = [30; 3];
const NUMBER: [u8; 3] = [120; 3];

/// A contact sheet that is being filled.
pub(super) struct ContactSheet<'a> {
    plan: &'a PlannedContact,
    /// Upper left corner of each picture.
    places: Vec<[u32; 2]>,
    canvas: Mutex<Pixels>,
}

impl<'a> ContactSheet<'a> {
    /// Starts a sheet for pictures of a size. Names that the built-in font lacks are written in `fonts`.
    ///
    /// # Errors
    /// Those of the fonts.
    pub(super) fn new(
        plan: &'a PlannedContact,
        subject: &dyn Subject,
        size: [u32; 2],
        fonts: &mut Fonts,
    ) -> Result<Self, Failure> {
        let [width, height] = size;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let columns = plan.rows.iter().map(|row| row.frames.len()).max().map_or(1, number);
        let row_height = LINE + BELOW + height + BELOW + LINE + GAP;
        let mut canvas = Pixels::empty();
        let [r, g, b] = PAPER;
        let all = [GAP + columns * (width + GAP), GAP + number(plan.rows.len()) * row_height];
        canvas.clear(all, [r, g, b, 255]);
        let mut places = Vec::new();
        let mut top = GAP;
        for row in &plan.rows {
            write(&mut canvas, &title(row, subject), [GAP, top], NAME, fonts)?;
            let mut left = GAP;
            for frame in &row.frames {
                places.push([left, top + LINE + BELOW]);
                let below = top + LINE + BELOW + height + BELOW;
                write(&mut canvas, &frame.to_string(), [left, below], NUMBER, fonts)?;
                left += width + GAP;
            }
            top += row_height;
        }
        Ok(Self { plan, places, canvas: Mutex::new(canvas) })
    }

    /// Takes a picture with straight alpha, by its number.
    pub(super) fn take(&self, number: usize, pixels: &Pixels) {
        let Some([left, top]) = self.places.get(number) else { return };
        let mut canvas = self.canvas.lock();
        for (row, y) in pixels.rgba.chunks_exact(pixels.width.max(1) as usize * 4).zip(*top..) {
            for (pixel, x) in row.as_chunks::<4>().0.iter().zip(*left..) {
                let [r, g, b, alpha] = *pixel;
                blend(&mut canvas, [x, y], [r, g, b], alpha);
            }
        }
    }

    /// Writes the sheet, and shows it.
    ///
    /// # Errors
    /// Those of writing.
    pub(super) fn finish(
        self,
        disk: &Disk,
        shows: Option<Shows<'_>>,
    ) -> Result<WrittenContact<'a>, Failure> {
        let canvas = self.canvas.into_inner();
        let mut png = Vec::new();
        encode_png(&canvas, Effort::Least, &mut png).map_err(anyhow::Error::from)?;
        disk.write_picture(&self.plan.path, &png)?;
        let size = [canvas.width, canvas.height];
        if let Some(shows) = shows {
            shows(0, canvas);
        }
        Ok(WrittenContact { plan: self.plan, size })
    }
}

/// Returns the line above a row.
fn title(row: &ContactRow, subject: &dyn Subject) -> String {
    let Some((id, clip)) = row.animation.and_then(|id| Some((id, subject.animation(id)?))) else {
        return "stored pose".to_owned();
    };
    let timeline = clip.timeline;
    let name = visible(subject.animation_name(id));
    let (count, fps) = (timeline.frame_count, timeline.fps);
    let many = if count == 1 { "frame" } else { "frames" };
    format!("{name}   {count} {many}, {fps} fps, {:.2} s", timeline.duration())
}

/// Writes a line of text.
fn write(
    canvas: &mut Pixels,
    text: &str,
    [left, top]: [u32; 2],
    color: [u8; 3],
    fonts: &mut Fonts,
) -> Result<(), Failure> {
    let (width, coverage) = match needs_fonts(text) {
        false => {
            let (width, lit) = plain_line(text);
            (width, lit.into_iter().map(|lit| if lit { 255 } else { 0 }).collect())
        }
        true => {
            let height = u16::try_from(LINE).unwrap_or(13);
            let line = fonts.line(text, height).map_err(unusable)?;
            (line.width, line.mask)
        }
    };
    for (row, y) in coverage.chunks_exact(usize::from(width.max(1))).zip(top..) {
        for (alpha, x) in row.iter().zip(left..) {
            blend(canvas, [x, y], color, *alpha);
        }
    }
    Ok(())
}

/// The failure of a font.
pub(super) fn unusable(error: FontError) -> Failure {
    Failure::Running(anyhow::anyhow!("cannot use the font {error}"))
}

/// Lays a colour over a pixel of an opaque picture.
fn blend(canvas: &mut Pixels, [x, y]: [u32; 2], color: [u8; 3], alpha: u8) {
    if alpha == 0 || x >= canvas.width {
        return;
    }
    let at = (y as usize).saturating_mul(canvas.width as usize).saturating_add(x as usize);
    let Some(pixel) = canvas.rgba.as_chunks_mut::<4>().0.get_mut(at) else { return };
    for (there, over) in pixel.iter_mut().zip(color) {
        *there = pchr::image::multiply_255(*there, 255 - alpha)
            .saturating_add(pchr::image::multiply_255(over, alpha));
    }
}

/// A contact sheet that was written.
pub(super) struct WrittenContact<'a> {
    pub(super) plan: &'a PlannedContact,
    size: [u32; 2],
}

/// A contact sheet: rows of clips in one picture.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Contact sheet")]
pub(super) struct ContactReport<'a> {
    /// Path of the picture.
    path: String,
    /// Width in pixels.
    width: u32,
    /// Height in pixels.
    height: u32,
    /// Rows from above.
    rows: Vec<ContactRowReport<'a>>,
}

/// A row of a contact sheet.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContactRowReport<'a> {
    /// Name of the animation; null for the stored pose.
    animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    animation_index: Option<u16>,
    /// Frames that are shown.
    frames: &'a [u16],
}

impl<'a> ContactReport<'a> {
    /// The report about a sheet.
    pub(super) fn new(written: &WrittenContact<'a>, subject: &'a dyn Subject) -> Self {
        let row = |row: &'a ContactRow| ContactRowReport {
            animation: row.animation.map(|id| subject.animation_name(id)),
            animation_index: row.animation.map(|id| id.0),
            frames: &row.frames,
        };
        let [width, height] = written.size;
        let path = slashed(&written.plan.path);
        Self { path, width, height, rows: written.plan.rows.iter().map(row).collect() }
    }
}
