//! TrueType glyphs, drawn only if their points can be counted and are not too many.

use super::effort::Effort;
use super::outline::Pen;
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlineGlyphCollection};
use skrifa::raw::TableProvider as _;
use skrifa::raw::tables::glyf::{Glyf, Glyph};
use skrifa::raw::tables::gvar::Gvar;
use skrifa::raw::tables::loca::Loca;
use skrifa::{FontRef, GlyphId};

/// Components within components that are followed, as deep as outlines are drawn.
const MAX_DEPTH: u8 = 32;

/// Draws a glyph at `coords`, which are empty where the font is not varied.
pub(super) fn draw(
    glyphs: &OutlineGlyphCollection<'_>,
    font: &FontRef<'_>,
    glyph: GlyphId,
    coords: &[NormalizedCoord],
    mut pen: Pen<'_>,
    effort: &Effort,
) {
    // Counted before: the reader of outlines walks all components even to find a glyph.
    if !is_sound(font, glyph, coords, effort) {
        return;
    }
    let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::new(coords));
    if let Some(outline) = glyphs.get(glyph) {
        // The drawn part of a broken glyph is kept: the next command closes the outline.
        let _ = outline.draw(settings, &mut pen);
    }
}

/// Returns true if a glyph may be drawn: its points are not too many, and none of its parts has bytes but no points.
///
/// Some fonts pad blank glyphs, at which version 0.41 of `read-fonts` panics:
/// <https://github.com/googlefonts/fontations/issues/1962>, mended in 0.42.
fn is_sound(
    font: &FontRef<'_>,
    glyph: GlyphId,
    coords: &[NormalizedCoord],
    effort: &Effort,
) -> bool {
    let (Ok(loca), Ok(glyf)) = (font.loca(None), font.glyf()) else {
        return false;
    };
    let gvar = font.gvar().ok().filter(|_| !coords.is_empty());
    let tables = Tables { loca, glyf, gvar };
    tables.count(glyph, 0, effort)
}

struct Tables<'a> {
    loca: Loca<'a>,
    glyf: Glyf<'a>,
    /// None if the font is not varied.
    gvar: Option<Gvar<'a>>,
}

impl Tables<'_> {
    /// Spends the points of a glyph and of its components.
    fn count(&self, glyph: GlyphId, depth: u8, effort: &Effort) -> bool {
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
