//! The picture of a contact sheet: pictures in rows, with the names of clips and the numbers of frames. It is drawn on [`Paper`], as
//! overviews are: an opaque picture on which small pictures are laid and names are written.

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::image::{Effort, Pixels, encode_png, multiply_255};
use pchr::overlay::{needs_fonts, plain_line};
use pchr::scene::Subject;

use crate::export::Shows;
use crate::run::{Disk, Failure};
use crate::text::{slashed, visible};
use crate::typeface::{FontError, Fonts};
use crate::view::reel_and_contact::{ContactRow, PlannedContact};

/// Height of a line of text in pixels.
pub(super) const LINE: u32 = 13;

/// The picture.
#[derive(Debug)]
pub(super) struct Paper(pub(super) Pixels);

impl Paper {
    pub(super) fn new(size: [u32; 2], [r, g, b]: [u8; 3]) -> Self {
        let mut pixels = Pixels::empty();
        pixels.clear(size, [r, g, b, 255]);
        Self(pixels)
    }

    /// Lays a picture with straight alpha on it.
    pub(super) fn lay(&mut self, pixels: &Pixels, [left, top]: [u32; 2]) {
        for (row, y) in pixels.rgba.chunks_exact(pixels.width.max(1) as usize * 4).zip(top..) {
            for (pixel, x) in row.as_chunks::<4>().0.iter().zip(left..) {
                let [r, g, b, alpha] = *pixel;
                self.blend([x, y], [r, g, b], alpha);
            }
        }
    }

    /// Writes a line of text.
    pub(super) fn write(
        &mut self,
        text: &str,
        [left, top]: [u32; 2],
        color: [u8; 3],
        fonts: &mut Fonts,
    ) -> Result<(), Failure> {
        let (width, coverage) = line(text, fonts)?;
        for (row, y) in coverage.chunks_exact(usize::from(width.max(1))).zip(top..) {
            for (alpha, x) in row.iter().zip(left..) {
                self.blend([x, y], color, *alpha);
            }
        }
        Ok(())
    }

    /// Lays a colour over a pixel.
    fn blend(&mut self, [x, y]: [u32; 2], color: [u8; 3], alpha: u8) {
        if alpha == 0 || x >= self.0.width {
            return;
        }
        let at = (y as usize).saturating_mul(self.0.width as usize).saturating_add(x as usize);
        let Some(pixel) = self.0.rgba.as_chunks_mut::<4>().0.get_mut(at) else { return };
        for (there, over) in pixel.iter_mut().zip(color) {
            *there = multiply_255(*there, 255 - alpha).saturating_add(multiply_255(over, alpha));
        }
    }
}

/// Returns a line of text: its width, and the coverage of its pixels, row by row.
fn line(text: &str, fonts: &mut Fonts) -> Result<(u16, Vec<u8>), Failure> {
    if needs_fonts(text) {
        let height = u16::try_from(LINE).unwrap_or(13);
        let line = fonts.line(text, height).map_err(unusable)?;
        return Ok((line.width, line.mask));
    }
    let (width, lit) = plain_line(text);
    Ok((width, lit.into_iter().map(|lit| if lit { 255 } else { 0 }).collect()))
}

/// Returns a text without the end that is too long for a line.
pub(super) fn cut(text: &str, width: u32, fonts: &mut Fonts) -> Result<String, Failure> {
    let mut kept = text.to_owned();
    let mut shown = kept.clone();
    while u32::from(line(&shown, fonts)?.0) > width && kept.pop().is_some() {
        shown = format!("{}...", kept.trim_end());
    }
    Ok(shown)
}

/// The failure of a font.
pub(super) fn unusable(error: FontError) -> Failure {
    Failure::Running(anyhow::anyhow!("cannot use the font {error}"))
}

/// Pixels between pictures, and around all of them.
const GAP: u32 = 8;
/// Pixels between a line of text and what is below it.
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
    canvas: Mutex<Paper>,
}

impl<'a> ContactSheet<'a> {
    /// Starts a sheet for pictures of a size. Names that the built-in font lacks are written in `fonts`.
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
        let all = [GAP + columns * (width + GAP), GAP + number(plan.rows.len()) * row_height];
        let mut canvas = Paper::new(all, PAPER);
        let mut places = Vec::new();
        let mut top = GAP;
        for row in &plan.rows {
            canvas.write(&title(row, subject), [GAP, top], NAME, fonts)?;
            let mut left = GAP;
            for frame in &row.frames {
                places.push([left, top + LINE + BELOW]);
                let below = top + LINE + BELOW + height + BELOW;
                canvas.write(&frame.to_string(), [left, below], NUMBER, fonts)?;
                left += width + GAP;
            }
            top += row_height;
        }
        Ok(Self { plan, places, canvas: Mutex::new(canvas) })
    }

    /// Takes a picture with straight alpha, by its number.
    pub(super) fn take(&self, number: usize, pixels: &Pixels) {
        if let Some(place) = self.places.get(number) {
            self.canvas.lock().lay(pixels, *place);
        }
    }

    /// Writes the sheet, and shows it.
    pub(super) fn finish(
        self,
        subject: &'a dyn Subject,
        disk: &Disk,
        shows: Option<Shows<'_>>,
    ) -> Result<ContactReport<'a>, Failure> {
        let Paper(canvas) = self.canvas.into_inner();
        let mut png = Vec::new();
        encode_png(&canvas, Effort::Least, &mut png).map_err(anyhow::Error::from)?;
        disk.write_picture(&self.plan.path, &png)?;
        let row = |row: &'a ContactRow| ContactRowReport {
            animation: row.animation.map(|id| subject.animation_name(id)),
            animation_index: row.animation.map(|id| id.0),
            frames: &row.frames,
        };
        let report = ContactReport {
            path: slashed(&self.plan.path),
            width: canvas.width,
            height: canvas.height,
            rows: self.plan.rows.iter().map(row).collect(),
        };
        if let Some(shows) = shows {
            shows(0, canvas);
        }
        Ok(report)
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

/// A contact sheet: rows of clips in one picture.
#[derive(Debug, Serialize, JsonSchema)]
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
