//! Glyphs that a reader of outlines cannot take.

use skrifa::raw::TableProvider as _;
use skrifa::raw::tables::glyf::{Glyf, Glyph};
use skrifa::raw::tables::loca::Loca;
use skrifa::{FontRef, GlyphId};

/// Components within components that are followed, as deep as outlines are drawn.
const MAX_DEPTH: u8 = 32;
/// Components of one glyph that are looked at.
const MAX_COMPONENTS: u16 = 1000;

/// Returns true if a glyph may be drawn: version 0.41 of `read-fonts` panics at glyphs without points that have bytes nevertheless.
///
/// Some fonts pad blank glyphs: <https://github.com/googlefonts/fontations/issues/1962>, mended in 0.42.
pub(super) fn is_sound(font: &FontRef<'_>, glyph: GlyphId) -> bool {
    let (Ok(loca), Ok(glyf)) = (font.loca(None), font.glyf()) else {
        return true;
    };
    has_points(&loca, &glyf, glyph, 0, &mut 0)
}

fn has_points(loca: &Loca<'_>, glyf: &Glyf<'_>, glyph: GlyphId, depth: u8, seen: &mut u16) -> bool {
    match loca.get_glyf(glyph, glyf) {
        Ok(Some(Glyph::Simple(glyph))) => glyph.num_points() > 0,
        Ok(Some(Glyph::Composite(glyph))) => {
            *seen = seen.saturating_add(1);
            depth < MAX_DEPTH
                && glyph.components().all(|component| {
                    *seen = seen.saturating_add(1);
                    *seen < MAX_COMPONENTS
                        && has_points(loca, glyf, component.glyph.into(), depth + 1, seen)
                })
        }
        Ok(None) | Err(_) => true,
    }
}
