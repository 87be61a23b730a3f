//! A line of text as a picture.

use super::catalogue::Catalogue;
use super::clusters::{Group, clusters, groups};
use super::face::{Clean, Face, FontError, Glyph, is_ignorable};
use super::outline::{Excess, GlyphPen, Mask, OF_LINE, Outline, OutlineEffort};

/// The least height of lines in pixels; smaller values are raised to it.
pub const MIN_PIXELS: u16 = 4;
/// The greatest height of lines in pixels; larger values are lowered to it.
pub const MAX_PIXELS: u16 = 256;

/// Pixels; what goes beyond is cut off.
const MAX_WIDTH: u16 = 1 << 14;

/// A line of text: coverage of its pixels, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// A byte for each pixel, 255 where a letter covers all of it.
    pub mask: Vec<u8>,
    /// Pixels in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Rows above the line that letters stand on.
    pub baseline: u16,
    /// Columns before the start of the line, where the first letter reaches to the left of it.
    pub start: u16,
    /// Names of the fonts that were used.
    pub families: Vec<String>,
    /// Characters that no font has, each once; a box replaces them.
    pub missing: Vec<char>,
}

/// The drawing, before its extent is known.
struct LineSheet {
    pixels: u16,
    /// Height of capital letters.
    cap_height: f32,
    /// From the line's start, in pixels.
    at: f32,
    outlines: Vec<Outline>,
    missing: Vec<char>,
    effort: OutlineEffort,
}

pub(super) fn line(text: &str, pixels: u16, catalogue: &mut Catalogue) -> Result<Line, FontError> {
    let pixels = pixels.clamp(MIN_PIXELS, MAX_PIXELS);
    let Clean { text, controls } = Clean::new(text);
    let clusters = clusters(&text, catalogue);
    let mut sheet = LineSheet::new(pixels, controls);
    let mut families = Vec::new();
    for group in groups(&text, &clusters) {
        if sheet.at >= f32::from(MAX_WIDTH) {
            break;
        }
        let face = group.face.and_then(|id| Some((id, catalogue.face(id)?)));
        match face.map(|(id, face)| (id, face, sheet.write(&text, &group, face))) {
            Some((_, face, Ok(()))) => {
                if !families.contains(&face.family) {
                    families.push(face.family.clone());
                }
                continue;
            }
            Some((id, _, Err(excess))) => catalogue.refuse(id, excess),
            None => {}
        }
        sheet.miss(text.get(group.range.clone()).unwrap_or_default());
    }
    catalogue.refused()?;
    Ok(sheet.finish(families))
}

impl LineSheet {
    fn new(pixels: u16, controls: Vec<char>) -> Self {
        let mut missing = Vec::new();
        for control in controls {
            add(&mut missing, control);
        }
        Self {
            pixels,
            cap_height: f32::from(pixels) * 9.0 / 13.0,
            at: 0.0,
            outlines: Vec::new(),
            missing,
            effort: OutlineEffort::new(OF_LINE),
        }
    }

    fn write(&mut self, text: &str, group: &Group, face: &Face) -> Result<(), Excess> {
        let glyphs = face.shape(text, group.range.clone(), group.script, group.is_rtl);
        self.effort.spend(glyphs.len());
        let scale = face.scale(self.cap_height);
        let steps = 4 + self.pixels / 16;
        let mut outline = Outline::default();
        let mut noted = None;
        for glyph in &glyphs {
            self.effort.check(None)?;
            if self.at > f32::from(MAX_WIDTH) {
                break;
            }
            if glyph.id == 0 {
                if noted.replace(glyph.cluster) != Some(glyph.cluster) {
                    self.note(characters(text, group, &glyphs, glyph), face);
                }
                self.frame(&mut outline);
                continue;
            }
            let [right, up] = glyph.offset.map(units);
            let origin = [self.at + right * scale, -up * scale];
            let pen = GlyphPen::new(&mut outline, origin, scale, steps, &self.effort);
            face.draw(glyph.id, pen, &self.effort)?;
            self.at += units(glyph.advance) * scale;
        }
        self.effort.spend(self.steps(&outline));
        self.effort.check(None)?;
        self.outlines.push(outline);
        Ok(())
    }

    /// Steps to find the pixels of an outline: those along its lines, and a part of those within its bounds.
    fn steps(&self, outline: &Outline) -> usize {
        let limits = [f32::from(MAX_WIDTH), 5.0 * f32::from(self.pixels)];
        let pixels = |from: [f32; 2], to: [f32; 2]| {
            let [width, height] = [0, 1].map(|axis: usize| {
                let sides = from.get(axis).zip(to.get(axis)).zip(limits.get(axis));
                sides.map_or(0.0, |((from, to), limit)| (to - from).abs().min(*limit))
            });
            [usize::from(whole(width)), usize::from(whole(height))]
        };
        let along = outline.lines.iter().map(|[from, to]| {
            let [width, height] = pixels(*from, *to);
            width + height
        });
        let within = outline.bounds().map_or(0, |[low, high]| {
            let [width, height] = pixels(low, high);
            width * height / 4
        });
        along.fold(within, usize::saturating_add)
    }

    /// Boxes for characters that no font has.
    fn miss(&mut self, text: &str) {
        let mut outline = Outline::default();
        for character in text.chars().filter(|character| !is_ignorable(*character)) {
            if character != super::face::OBJECT {
                add(&mut self.missing, character);
            }
            self.frame(&mut outline);
        }
        self.outlines.push(outline);
    }

    /// Characters of a glyph that replaces missing ones.
    fn note(&mut self, text: &str, face: &Face) {
        for character in text.chars() {
            if !is_ignorable(character) && face.glyph(character).is_none() {
                add(&mut self.missing, character);
            }
        }
    }

    /// A box as high as a capital letter.
    fn frame(&mut self, outline: &mut Outline) {
        let unit = (f32::from(self.pixels) / 13.0).round().max(1.0);
        let left = self.at.ceil();
        let [top, right] = [-self.cap_height.round(), left + 5.0 * unit];
        outline.rectangle([left, top], [right, 0.0], false);
        outline.rectangle([left + unit, top + unit], [right - unit, -unit], true);
        self.at = right + unit;
    }

    fn finish(self, families: Vec<String>) -> Line {
        let mut low = [0.0_f32, -self.cap_height];
        let mut high = [self.at, 0.0_f32];
        for [least, greatest] in self.outlines.iter().filter_map(Outline::bounds) {
            low = [low[0].min(least[0]), low[1].min(least[1])];
            high = [high[0].max(greatest[0]), high[1].max(greatest[1])];
        }
        let above = f32::from(self.pixels * 11 / 13);
        let below = f32::from(self.pixels) - above;
        let beyond = f32::from(self.pixels);
        let left = (-low[0]).ceil().clamp(0.0, beyond);
        let baseline = (-low[1]).ceil().clamp(above, 3.0 * beyond);
        let foot = high[1].ceil().clamp(below, 2.0 * beyond);
        let width = (high[0].ceil() + left).clamp(0.0, f32::from(MAX_WIDTH));
        let mut mask = Mask::new(whole(width), whole(baseline + foot));
        for outline in &self.outlines {
            mask.add(outline, [left, baseline]);
        }
        Line {
            mask: mask.bytes,
            width: whole(width),
            height: whole(baseline + foot),
            baseline: whole(baseline),
            start: whole(left),
            families,
            missing: self.missing,
        }
    }
}

/// The characters that a glyph stands for.
fn characters<'a>(text: &'a str, group: &Group, glyphs: &[Glyph], glyph: &Glyph) -> &'a str {
    let later = glyphs.iter().map(|other| other.cluster);
    let end = later.filter(|cluster| *cluster > glyph.cluster).min();
    text.get(glyph.cluster..end.unwrap_or(group.range.end)).unwrap_or_default()
}

fn add(characters: &mut Vec<char>, character: char) {
    if !characters.contains(&character) {
        characters.push(character);
    }
}

/// Units of a font, which are small.
#[expect(clippy::cast_precision_loss, reason = "rounding is meant")]
fn units(value: i32) -> f32 {
    value as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole, and saturating is meant"
)]
fn whole(value: f32) -> u16 {
    value as u16
}
