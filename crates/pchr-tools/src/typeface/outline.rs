//! Outlines of glyphs, read within an effort, and the pixels that they cover.

use std::cell::Cell;

use ab_glyph_rasterizer::{Rasterizer, point};
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlineGlyphCollection, OutlinePen};
use skrifa::raw::TableProvider as _;
use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::ps::cff::blend::BlendState;
use skrifa::raw::ps::cff::index::Index;
use skrifa::raw::ps::cs::{
    CharstringContext, CharstringKind, NopFilterSink, TransformSink, evaluate,
};
use skrifa::raw::ps::error::Error;
use skrifa::raw::tables::glyf::{Glyf, Glyph};
use skrifa::raw::tables::gvar::Gvar;
use skrifa::raw::tables::loca::Loca;
use skrifa::{FontRef, GlyphId};

/// Steps for one glyph of a character, when a font is chosen for it.
pub(super) const OF_GLYPH: usize = 1 << 19;
/// Steps for one line of text.
pub(super) const OF_LINE: usize = 1 << 22;

/// Steps that are left: points, bytes of instructions, and pixels along edges.
#[derive(Debug)]
pub(super) struct OutlineEffort {
    /// None once more was needed.
    left: Cell<Option<usize>>,
}

/// A glyph, or a text if there is none, that takes more work than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Excess {
    pub(super) glyph: Option<u32>,
}

impl OutlineEffort {
    pub(super) fn new(steps: usize) -> Self {
        Self { left: Cell::new(Some(steps)) }
    }

    /// Takes some of the steps; returns false if more are needed than are left, and from then on.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.left.get().and_then(|left| left.checked_sub(steps));
        self.left.set(left);
        left.is_some()
    }

    /// Refuses a glyph, or a text, for which the steps did not suffice.
    pub(super) fn check(&self, glyph: Option<u32>) -> Result<(), Excess> {
        self.left.get().map(|_| ()).ok_or(Excess { glyph })
    }
}

/// Lines that enclose the drawing; right and down, in pixels.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) lines: Vec<[[f32; 2]; 2]>,
}

impl Outline {
    /// The least and the greatest of all points.
    pub(super) fn bounds(&self) -> Option<[[f32; 2]; 2]> {
        let mut points = self.lines.iter().flatten().copied();
        let first = points.next()?;
        Some(points.fold([first, first], |[low, high], [x, y]| {
            [[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]]
        }))
    }

    /// The edge of a rectangle; its inside on the right of `to` if `is_hole`.
    pub(super) fn rectangle(
        &mut self,
        [left, top]: [f32; 2],
        [right, bottom]: [f32; 2],
        is_hole: bool,
    ) {
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let next = [[right, top], [right, bottom], [left, bottom], [left, top]];
        for (from, to) in corners.into_iter().zip(next) {
            self.lines.push(if is_hole { [to, from] } else { [from, to] });
        }
    }
}

/// A pen that takes a glyph in units of its font.
#[derive(Debug)]
pub(super) struct GlyphPen<'a> {
    outline: &'a mut Outline,
    /// Of the glyph's origin.
    origin: [f32; 2],
    /// Pixels per unit.
    scale: f32,
    /// Lines that a curve becomes.
    steps: u16,
    start: [f32; 2],
    at: [f32; 2],
    effort: &'a OutlineEffort,
}

impl<'a> GlyphPen<'a> {
    pub(super) fn new(
        outline: &'a mut Outline,
        origin: [f32; 2],
        scale: f32,
        steps: u16,
        effort: &'a OutlineEffort,
    ) -> Self {
        Self { outline, origin, scale, steps, start: origin, at: origin, effort }
    }

    fn place(&self, x: f32, y: f32) -> [f32; 2] {
        let [left, top] = self.origin;
        [left + x * self.scale, top - y * self.scale]
    }

    fn line(&mut self, to: [f32; 2]) {
        let is_line = to != self.at && to.iter().chain(&self.at).all(|value| value.is_finite());
        if is_line && self.effort.spend(1) {
            self.outline.lines.push([self.at, to]);
        }
        self.at = to;
    }

    /// Lines along a curve: `point` returns the end of a part.
    fn curve(&mut self, end: [f32; 2], point: impl Fn(f32) -> [f32; 2]) {
        for step in 1..self.steps {
            self.line(point(f32::from(step) / f32::from(self.steps)));
        }
        self.line(end);
    }
}

impl OutlinePen for GlyphPen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.close();
        self.start = self.place(x, y);
        self.at = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.line(self.place(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let [a, b, c] = [self.at, self.place(cx, cy), self.place(x, y)];
        self.curve(c, |part| mix(mix(a, b, part), mix(b, c, part), part));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let [a, b] = [self.at, self.place(cx0, cy0)];
        let [c, d] = [self.place(cx1, cy1), self.place(x, y)];
        self.curve(d, |part| {
            let [ab, bc, cd] = [mix(a, b, part), mix(b, c, part), mix(c, d, part)];
            mix(mix(ab, bc, part), mix(bc, cd, part), part)
        });
    }

    fn close(&mut self) {
        self.line(self.start);
    }
}

fn mix(a: [f32; 2], b: [f32; 2], part: f32) -> [f32; 2] {
    let between = |a: f32, b: f32| a + (b - a) * part;
    [between(a[0], b[0]), between(a[1], b[1])]
}

/// Draws a glyph at `coords`, which are empty where the font is not varied.
///
/// The drawn part of a broken glyph is kept: the next command of the pen closes the outline.
pub(super) fn draw_cff(
    font: &FontRef<'_>,
    glyph: GlyphId,
    coords: &[NormalizedCoord],
    mut pen: GlyphPen<'_>,
    effort: &OutlineEffort,
) -> Result<(), Error> {
    let em = Some(font.head()?.units_per_em().into());
    let second = font.cff2().map_err(Error::from);
    let second = second.and_then(|cff| CffFontRef::new_cff2(cff.offset_data().as_bytes(), em));
    let cff = match second {
        Ok(cff) => cff,
        Err(_) => CffFontRef::new_cff(font.cff()?.offset_data().as_bytes(), 0, em)?,
    };
    let subfont = cff.subfont(cff.subfont_index(glyph).unwrap_or(0), coords)?;
    let local = match usize::try_from(subfont.subrs_offset()) {
        Ok(offset @ 1..) => {
            Index::new(cff.data().get(offset..).unwrap_or_default(), cff.version() == 2)?
        }
        Ok(0) | Err(_) => Index::Empty,
    };
    let blend = cff
        .var_store()
        .map(|store| BlendState::new(store.clone(), coords, subfont.vs_index()))
        .transpose()?;
    let program =
        Program { cff: (cff.data(), cff.charstrings(), cff.global_subrs(), &local), effort };
    let index = usize::try_from(glyph.to_u32()).unwrap_or(usize::MAX);
    let first = cff.charstrings().get(index)?;
    let first = program.counted(first)?;
    let mut filter = NopFilterSink::new(&mut pen);
    let mut transform = TransformSink::new(&mut filter, cff.transform(&subfont, None));
    evaluate(&program, blend, first, &mut transform)?;
    Ok(())
}

/// The instructions of a font: the table, glyphs, global and local subroutines.
struct Program<'a> {
    cff: (&'a [u8], &'a Index<'a>, &'a Index<'a>, &'a Index<'a>),
    effort: &'a OutlineEffort,
}

impl Program<'_> {
    /// Instructions that are about to run; no instruction runs twice in them.
    fn counted<'a>(&self, instructions: &'a [u8]) -> Result<&'a [u8], Error> {
        let is_allowed = self.effort.spend(instructions.len().saturating_add(1));
        is_allowed.then_some(instructions).ok_or(Error::CharstringNestingDepthLimitExceeded)
    }
}

impl CharstringContext for Program<'_> {
    fn kind(&self) -> CharstringKind {
        self.cff.kind()
    }

    fn seac_components(&self, base_code: i32, accent_code: i32) -> Result<[&[u8]; 2], Error> {
        let [base, accent] = self.cff.seac_components(base_code, accent_code)?;
        Ok([self.counted(base)?, self.counted(accent)?])
    }

    fn global_subr(&self, index: i32) -> Result<&[u8], Error> {
        self.counted(self.cff.global_subr(index)?)
    }

    fn subr(&self, index: i32) -> Result<&[u8], Error> {
        self.counted(self.cff.subr(index)?)
    }
}

/// Components within components that are followed, as deep as outlines are drawn.
const MAX_DEPTH: u8 = 32;

/// Draws a glyph at `coords`, which are empty where the font is not varied.
pub(super) fn draw_glyf(
    glyphs: &OutlineGlyphCollection<'_>,
    font: &FontRef<'_>,
    glyph: GlyphId,
    coords: &[NormalizedCoord],
    mut pen: GlyphPen<'_>,
    effort: &OutlineEffort,
) {
    let (Ok(loca), Ok(glyf)) = (font.loca(None), font.glyf()) else { return };
    let gvar = font.gvar().ok().filter(|_| !coords.is_empty());
    let tables = Tables { loca, glyf, gvar };
    // Counted before: the reader of outlines walks all components even to find a glyph.
    if !tables.count(glyph, 0, effort) {
        return;
    }
    let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::new(coords));
    if let Some(outline) = glyphs.get(glyph) {
        // The drawn part of a broken glyph is kept: the next command closes the outline.
        let _ = outline.draw(settings, &mut pen);
    }
}

struct Tables<'a> {
    loca: Loca<'a>,
    glyf: Glyf<'a>,
    /// None if the font is not varied.
    gvar: Option<Gvar<'a>>,
}

impl Tables<'_> {
    /// Spends the points of a glyph and of its components. Returns true if it may be drawn: they are not too many, and none of its
    /// parts has bytes but no points.
    ///
    /// Some fonts pad blank glyphs, at which version 0.41 of `read-fonts` panics:
    /// <https://github.com/googlefonts/fontations/issues/1962>, mended in 0.42.
    fn count(&self, glyph: GlyphId, depth: u8, effort: &OutlineEffort) -> bool {
        match self.loca.get_glyf(glyph, &self.glyf) {
            Ok(Some(Glyph::Simple(simple))) => {
                let points = simple.num_points();
                points > 0 && effort.spend(self.steps(glyph, points))
            }
            Ok(Some(Glyph::Composite(composite))) => {
                let components = composite.components();
                depth < MAX_DEPTH
                    && effort.spend(self.steps(glyph, composite.components().count()))
                    && { components }
                        .all(|component| self.count(component.glyph.into(), depth + 1, effort))
            }
            Ok(None) | Err(_) => effort.spend(1),
        }
    }

    /// Steps for the points of a glyph: once, and for each of its variations.
    fn steps(&self, glyph: GlyphId, points: usize) -> usize {
        let points = points.saturating_add(1);
        let variations = || {
            let gvar = self.gvar.as_ref()?;
            let data = gvar.data_for_gid(glyph).ok()??;
            let count = usize::from(data.read_at::<u16>(0).ok()? & 0x0fff);
            Some(count.saturating_mul(points.saturating_add(usize::from(gvar.axis_count()))))
        };
        points.saturating_add(variations().unwrap_or(0))
    }
}

/// A picture of one line, a byte for each pixel.
#[derive(Debug)]
pub(super) struct Mask {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bytes: Vec<u8>,
}

impl Mask {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let [width, height] = [width, height].map(usize::from);
        Self { width, height, bytes: vec![0; width * height] }
    }

    /// Adds the area that an outline encloses, clipped to the picture.
    pub(super) fn add(&mut self, outline: &Outline, offset: [f32; 2]) {
        let Some([low, high]) = outline.bounds() else { return };
        let left = usize::from(whole((low[0] + offset[0]).floor())).min(self.width);
        let right = usize::from(whole((high[0] + offset[0]).ceil())).min(self.width);
        let top = usize::from(whole((low[1] + offset[1]).floor())).min(self.height);
        let bottom = usize::from(whole((high[1] + offset[1]).ceil())).min(self.height);
        if left >= right || top >= bottom {
            return;
        }
        let [width, height] = [right - left, bottom - top];
        // One column more, so that the right edge does not reach into the next row.
        let mut rasterizer = Rasterizer::new(width + 1, height);
        let origin = [left, top].map(small);
        let limit = small(width);
        for [from, to] in &outline.lines {
            let [from, to] = [from, to].map(|at| {
                let x = at[0] + offset[0] - origin[0];
                point(x.clamp(0.0, limit), at[1] + offset[1] - origin[1])
            });
            rasterizer.draw_line(from, to);
        }
        rasterizer.for_each_pixel(|index, cover| {
            let [x, y] = [index % (width + 1), index / (width + 1)];
            let pixel = self.bytes.get_mut((top + y) * self.width + left + x);
            if let Some(pixel) = pixel.filter(|_| x < width) {
                *pixel = pixel.saturating_add(byte(cover));
            }
        });
    }
}

/// A part of 1 as a part of 255.
#[expect(clippy::cast_possible_truncation, reason = "0 to 255")]
fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// A whole number; 0 for negative ones.
#[expect(clippy::cast_possible_truncation, reason = "whole, and saturating is meant")]
pub(super) fn whole(value: f32) -> u16 {
    value as u16
}

/// A number below 2²⁴.
fn small(value: usize) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_spent() {
        let effort = OutlineEffort::new(10);
        assert!(effort.spend(10));
        assert_eq!(effort.check(None), Ok(()));
        assert!(!effort.spend(1) && !effort.spend(0));
        assert_eq!(effort.check(Some(7)), Err(Excess { glyph: Some(7) }));
    }

    #[test]
    fn outlines_are_closed() {
        let mut outline = Outline::default();
        let effort = OutlineEffort::new(6);
        let mut pen = GlyphPen::new(&mut outline, [10.0, 20.0], 0.5, 4, &effort);
        pen.move_to(0.0, 0.0);
        pen.line_to(4.0, 0.0);
        pen.quad_to(4.0, 8.0, 0.0, 8.0);
        pen.close();
        let [low, high] = outline.bounds().unwrap();
        assert_eq!([low, high], [[10.0, 16.0], [12.0, 20.0]]);
        assert_eq!(outline.lines.len(), 1 + 4 + 1);
        assert_eq!(outline.lines.last().unwrap()[1], outline.lines[0][0]);
        assert_eq!(effort.check(None), Ok(()), "six lines");
    }

    #[test]
    fn lines_are_collected_as_long_as_steps_are_left() {
        let mut outline = Outline::default();
        let effort = OutlineEffort::new(2);
        let mut pen = GlyphPen::new(&mut outline, [0.0; 2], 1.0, 4, &effort);
        pen.quad_to(4.0, 8.0, 0.0, 8.0);
        assert_eq!(outline.lines.len(), 2);
        assert!(effort.check(None).is_err());
    }

    fn picture(rectangles: &[[f32; 4]]) -> Vec<u8> {
        let mut mask = Mask::new(4, 2);
        for [left, top, right, bottom] in rectangles {
            let mut outline = Outline::default();
            outline.rectangle([*left, *top], [*right, *bottom], false);
            mask.add(&outline, [0.0, 0.0]);
        }
        mask.bytes
    }

    #[test]
    fn pixels_are_covered_in_part() {
        assert_eq!(picture(&[[1.0, 0.0, 2.5, 1.0]]), [0, 255, 128, 0, 0, 0, 0, 0]);
        assert_eq!(picture(&[[0.0, 0.0, 4.0, 1.5]]), [255, 255, 255, 255, 128, 128, 128, 128]);
    }

    #[test]
    fn what_lies_beyond_is_cut_off() {
        assert_eq!(picture(&[[-9.0, -9.0, 9.0, 1.0]]), [255, 255, 255, 255, 0, 0, 0, 0]);
        assert_eq!(picture(&[[3.0, 1.0, 9e9, 9e9]]), [0, 0, 0, 0, 0, 0, 0, 255]);
        assert_eq!(picture(&[[4.0, 0.0, 9.0, 2.0], [0.0, -5.0, 2.0, -1.0]]), [0; 8]);
    }

    #[test]
    fn neighbours_meet() {
        assert_eq!(picture(&[[0.0, 0.0, 1.5, 1.0], [1.5, 0.0, 3.0, 1.0]])[..4], [255, 255, 255, 0]);
    }
}
