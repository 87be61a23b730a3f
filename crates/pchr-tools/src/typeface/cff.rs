//! Glyphs of CFF, whose instructions are counted while they run: ten levels of subroutines, each called often, would never end.

use super::effort::Effort;
use super::outline::Pen;
use skrifa::instance::NormalizedCoord;
use skrifa::raw::TableProvider as _;
use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::ps::cff::blend::BlendState;
use skrifa::raw::ps::cff::index::Index;
use skrifa::raw::ps::cs::{
    CharstringContext, CharstringKind, NopFilterSink, TransformSink, evaluate,
};
use skrifa::raw::ps::error::Error;
use skrifa::{FontRef, GlyphId};

/// Draws a glyph at `coords`, which are empty where the font is not varied.
///
/// The drawn part of a broken glyph is kept: the next command of the pen closes the outline.
pub(super) fn draw(
    font: &FontRef<'_>,
    glyph: GlyphId,
    coords: &[NormalizedCoord],
    mut pen: Pen<'_>,
    effort: &Effort,
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
        Ok(offset @ 1..) => Index::new(
            cff.data().get(offset..).unwrap_or_default(),
            cff.version() == 2,
        )?,
        Ok(0) | Err(_) => Index::Empty,
    };
    let blend = cff
        .var_store()
        .map(|store| BlendState::new(store.clone(), coords, subfont.vs_index()))
        .transpose()?;
    let program = Program {
        cff: (cff.data(), cff.charstrings(), cff.global_subrs(), &local),
        effort,
    };
    let first = cff.charstrings().get(usize_of(glyph))?;
    let first = program.counted(first)?;
    let mut filter = NopFilterSink::new(&mut pen);
    let mut transform = TransformSink::new(&mut filter, cff.transform(&subfont, None));
    evaluate(&program, blend, first, &mut transform)?;
    Ok(())
}

/// The instructions of a font: the table, glyphs, global and local subroutines.
struct Program<'a> {
    cff: (&'a [u8], &'a Index<'a>, &'a Index<'a>, &'a Index<'a>),
    effort: &'a Effort,
}

impl Program<'_> {
    /// Instructions that are about to run; no instruction runs twice in them.
    fn counted<'a>(&self, instructions: &'a [u8]) -> Result<&'a [u8], Error> {
        let is_allowed = self.effort.spend(instructions.len().saturating_add(1));
        is_allowed
            .then_some(instructions)
            .ok_or(Error::CharstringNestingDepthLimitExceeded)
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

fn usize_of(glyph: GlyphId) -> usize {
    usize::try_from(glyph.to_u32()).unwrap_or(usize::MAX)
}
