//! A face of a font file, text without what no face draws, and errors.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::{fmt, io};

use fontique::Blob;
use harfrust::{BufferFlags, Direction, ShapeOptions, ShaperData, ShaperInstance, UnicodeBuffer};
use skrifa::instance::{Location, LocationRef, NormalizedCoord, Size};
use skrifa::outline::{OutlineGlyphCollection, OutlineGlyphFormat};
use skrifa::raw::TableProvider as _;
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider as _, Tag};
use unicode_normalization::UnicodeNormalization as _;
use unicode_script::Script;

use super::outline;
use super::outline::{Excess, GlyphPen, OF_GLYPH, OF_LINE, Outline, OutlineEffort};

/// A font file that cannot be used; its text is one line that names the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct FontError {
    /// As it was given.
    pub path: PathBuf,
    /// The reason.
    pub fault: FontFault,
}

/// Reason not to use a font.
#[derive(Debug, thiserror::Error)]
pub enum FontFault {
    /// The file cannot be read, with the system's reason.
    #[error("{0}")]
    Unreadable(io::Error),
    /// The bytes are not a font, or a damaged one.
    #[error("damaged, or not a TrueType or OpenType font")]
    NoFont,
    /// A bitmap font, or one without a character map.
    #[error("the font has no glyph outlines")]
    NoOutlines,
    /// A glyph, by its number, takes more work than any sound font causes; None if a text takes too much with glyphs that do not.
    #[error("{}; choose another font", needs(*.0))]
    TooMuch(Option<u32>),
}

impl From<Excess> for FontFault {
    fn from(Excess { glyph }: Excess) -> Self {
        Self::TooMuch(glyph)
    }
}

fn needs(glyph: Option<u32>) -> String {
    match glyph {
        Some(glyph) => {
            format!("drawing glyph {glyph} takes more than {OF_GLYPH} points and instructions")
        }
        None => format!("drawing a name takes more than {OF_LINE} points and instructions"),
    }
}

/// Characters that are drawn of a text; a longer one ends in an ellipsis.
const MAX_CHARACTERS: usize = 1024;

/// Replaces a character that no font needs to draw.
pub(super) const OBJECT: char = '\u{fffc}';

/// Returns a text without control characters, and those that [`OBJECT`] replaces in it.
pub(super) fn clean(text: &str) -> (String, Vec<char>) {
    let mut controls = Vec::new();
    let mut clean = String::with_capacity(text.len().min(4 * MAX_CHARACTERS));
    for (index, character) in text.chars().take(4 * MAX_CHARACTERS).nfc().enumerate() {
        if index == MAX_CHARACTERS {
            clean.push('…');
            break;
        }
        if is_control(character) {
            controls.push(character);
            clean.push(OBJECT);
        } else {
            clean.push(character);
        }
    }
    (clean, controls)
}

/// Returns true if a character would end a line, or has no form.
fn is_control(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | OBJECT)
}

/// Returns true if no font draws anything for a character: `Default_Ignorable_Code_Point` of Unicode.
pub(super) fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Of capital letters in an em, for fonts that have none.
const CAP_HEIGHT: f32 = 0.72;

/// Axes of fonts that are varied; others are drawn as they are.
const MAX_AXES: usize = 64;

/// A font, upright and of regular weight where it can vary.
pub(super) struct Face {
    data: Blob<u8>,
    index: u32,
    pub(super) family: String,
    /// None until a text is shaped.
    shaper: OnceLock<ShaperData>,
    instance: ShaperInstance,
    location: Location,
    /// Height of capital letters in units of the font.
    cap_height: f32,
}

/// A glyph of a shaped text, in units of its font.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    pub(super) id: u32,
    /// First byte of the characters that it represents.
    pub(super) cluster: usize,
    pub(super) advance: i32,
    /// Right and up.
    pub(super) offset: [i32; 2],
}

impl Face {
    /// A font in the bytes of a file; `family` overrides its own name.
    pub(super) fn open(
        data: Blob<u8>,
        index: u32,
        family: Option<&str>,
    ) -> Result<Self, FontFault> {
        let font = FontRef::from_index(data.as_ref(), index).map_err(|_| FontFault::NoFont)?;
        let length = u64::try_from(font.data().len()).unwrap_or(u64::MAX);
        let mut tables = font.table_directory().table_records().iter();
        if !tables.all(|it| u64::from(it.offset()) + u64::from(it.length()) <= length) {
            return Err(FontFault::NoFont);
        }
        // TrueType or CFF.
        let formats = [OutlineGlyphFormat::Glyf, OutlineGlyphFormat::Cff2, OutlineGlyphFormat::Cff];
        let is_read = |format| OutlineGlyphCollection::with_format(&font, format).is_some();
        if !font.charmap().has_map() || !formats.into_iter().any(is_read) {
            return Err(FontFault::NoOutlines);
        }
        let location = match font.axes().len() {
            0..=MAX_AXES => font.axes().location([("wght", 400.0)]),
            _ => Location::default(),
        };
        let instance = ShaperInstance::from_coords(&font, location.coords().iter().copied());
        let cap_height = cap_height(&font, &location)?;
        let family = family.map_or_else(|| family_of(&font), str::to_owned);
        Ok(Self { data, index, family, shaper: OnceLock::new(), instance, location, cap_height })
    }

    /// Pixels per unit of the font, with capital letters as high as in other fonts.
    pub(super) fn scale(&self, cap_height: f32) -> f32 {
        cap_height / self.cap_height
    }

    /// Returns true if the font draws a character.
    pub(super) fn has(&self, character: char) -> Result<bool, Excess> {
        let Some((font, id)) = self.font().zip(self.glyph(character)) else { return Ok(false) };
        let may_be_blank =
            character.is_whitespace() || is_ignorable(character) || character == '\u{2800}';
        Ok(may_be_blank || !plain(&font, id, &self.location)?.lines.is_empty())
    }

    /// The glyph that the font maps a character to.
    pub(super) fn glyph(&self, character: char) -> Option<GlyphId> {
        let id = self.font()?.charmap().map(character)?;
        (id != GlyphId::NOTDEF).then_some(id)
    }

    /// The glyphs of a part of a text, from left to right.
    pub(super) fn shape(
        &self,
        text: &str,
        part: Range<usize>,
        script: Option<Script>,
        is_rtl: bool,
    ) -> Vec<Glyph> {
        let Some(font) = self.font() else { return Vec::new() };
        let mut buffer = UnicodeBuffer::new();
        let start = part.start;
        for (at, character) in text.get(part.clone()).unwrap_or_default().char_indices() {
            let cluster = u32::try_from(start + at).unwrap_or(u32::MAX);
            buffer.add(character, cluster);
        }
        buffer.set_pre_context(text.get(..start).unwrap_or_default());
        buffer.set_post_context(text.get(part.end..).unwrap_or_default());
        buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
        let tag = Tag::from_u32(script.unwrap_or(Script::Common).as_iso15924_tag());
        if let Some(script) = harfrust::Script::from_iso15924_tag(tag) {
            buffer.set_script(script);
        }
        buffer.set_flags(BufferFlags::REMOVE_DEFAULT_IGNORABLES);
        let data = self.shaper.get_or_init(|| ShaperData::new(&font));
        let shaper = data.shaper(&font).instance(Some(&self.instance));
        let shaped = shaper.build().shape(buffer, ShapeOptions::new());
        let places = shaped.glyph_positions();
        let glyphs = shaped.glyph_infos().iter().zip(places);
        glyphs
            .map(|(glyph, place)| Glyph {
                id: glyph.glyph_id,
                cluster: usize::try_from(glyph.cluster).unwrap_or(usize::MAX),
                advance: place.x_advance,
                offset: [place.x_offset, place.y_offset],
            })
            .collect()
    }

    pub(super) fn draw(
        &self,
        glyph: u32,
        pen: GlyphPen<'_>,
        effort: &OutlineEffort,
    ) -> Result<(), Excess> {
        match self.font() {
            Some(font) => draw(&font, GlyphId::new(glyph), &self.location, pen, effort),
            None => Ok(()),
        }
    }

    fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(self.data.as_ref(), self.index).ok()
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Face").field(&self.family).finish()
    }
}

/// The English name of a font's family, or the first that it has.
fn family_of(font: &FontRef<'_>) -> String {
    [StringId::TYPOGRAPHIC_FAMILY_NAME, StringId::FAMILY_NAME]
        .into_iter()
        .find_map(|id| font.localized_strings(id).english_or_first())
        .map_or_else(String::new, |name| name.chars().collect())
}

/// Height of capital letters in units of the font.
fn cap_height(font: &FontRef<'_>, location: &Location) -> Result<f32, FontFault> {
    let head = font.head().map_err(|_| FontFault::NoFont)?;
    let em = f32::from(head.units_per_em());
    if em < 16.0 {
        return Err(FontFault::NoFont);
    }
    let glyph = font.charmap().map('H');
    let outline = glyph
        .filter(|id| *id != GlyphId::NOTDEF)
        .map(|glyph| plain(font, glyph, location).map_err(FontFault::from))
        .transpose()?;
    let drawn = outline.and_then(|outline| Some(-outline.bounds()?[0][1]));
    let told = || font.metrics(Size::unscaled(), LocationRef::default()).cap_height;
    let is_likely = |height: &f32| (0.55 * em..=0.85 * em).contains(height);
    let height = drawn.filter(is_likely).or_else(|| told().filter(is_likely));
    Ok(height.unwrap_or(CAP_HEIGHT * em))
}

/// The outline of a glyph in units of the font, its curves as single lines.
fn plain(font: &FontRef<'_>, glyph: GlyphId, location: &Location) -> Result<Outline, Excess> {
    let mut outline = Outline::default();
    let effort = OutlineEffort::new(OF_GLYPH);
    let pen = GlyphPen::new(&mut outline, [0.0; 2], 1.0, 1, &effort);
    draw(font, glyph, location, pen, &effort)?;
    Ok(outline)
}

fn draw(
    font: &FontRef<'_>,
    glyph: GlyphId,
    location: &Location,
    pen: GlyphPen<'_>,
    effort: &OutlineEffort,
) -> Result<(), Excess> {
    let location = LocationRef::from(location);
    let coords: &[NormalizedCoord] = if location.is_default() { &[] } else { location.coords() };
    match OutlineGlyphCollection::with_format(font, OutlineGlyphFormat::Glyf) {
        Some(glyphs) => outline::draw_glyf(&glyphs, font, glyph, coords, pen, effort),
        None => {
            let _ = outline::draw_cff(font, glyph, coords, pen, effort);
        }
    }
    effort.check(Some(glyph.to_u32()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_ends_of_lines_are_replaced() {
        let (text, controls) = clean("a\nb\u{2028}\u{7f}");
        assert_eq!(text, "a\u{fffc}b\u{fffc}\u{fffc}");
        assert_eq!(controls, ['\n', '\u{2028}', '\u{7f}']);
        assert_eq!(clean("e\u{301}\u{1112}\u{1161}\u{11ab}").0, "é한");
    }

    #[test]
    fn length_is_bounded() {
        let exact = "é".repeat(MAX_CHARACTERS);
        assert_eq!(clean(&exact).0, exact);
        let (clean, _) = clean(&"骨".repeat(100_000));
        assert_eq!(clean.chars().count(), MAX_CHARACTERS + 1);
        assert!(clean.ends_with('…'));
    }
}
