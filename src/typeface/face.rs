//! One font of a file.

use super::clean::is_blank;
use super::outline::{Outline, Pen, Point};
use super::sound::is_sound;
use fontique::Blob;
use harfrust::{BufferFlags, Direction, ShapeOptions, ShaperData, ShaperInstance, UnicodeBuffer};
use skrifa::instance::{Location, LocationRef, Size};
use skrifa::outline::DrawSettings;
use skrifa::raw::TableProvider as _;
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider as _, Tag};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use unicode_script::Script;

/// Of capital letters in an em, for fonts that have none.
const CAP_HEIGHT: f32 = 0.72;

/// Reasons not to use a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NoFont,
    NoOutlines,
}

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
    pub(super) fn open(data: Blob<u8>, index: u32, family: Option<&str>) -> Result<Self, Fault> {
        let font = FontRef::from_index(data.as_ref(), index).map_err(|_| Fault::NoFont)?;
        if !is_whole(&font) {
            return Err(Fault::NoFont);
        }
        if !font.charmap().has_map() || font.outline_glyphs().format().is_none() {
            return Err(Fault::NoOutlines);
        }
        let location = font.axes().location([("wght", 400.0)]);
        let instance = ShaperInstance::from_coords(&font, location.coords().iter().copied());
        let cap_height = cap_height(&font, &location).ok_or(Fault::NoFont)?;
        let family = family.map_or_else(|| family_of(&font), str::to_owned);
        Ok(Self {
            data,
            index,
            family,
            shaper: OnceLock::new(),
            instance,
            location,
            cap_height,
        })
    }

    /// Pixels per unit of the font, with capital letters as high as in other fonts.
    pub(super) fn scale(&self, cap_height: f32) -> f32 {
        cap_height / self.cap_height
    }

    /// Returns true if the font draws a character.
    pub(super) fn has(&self, character: char) -> bool {
        let Some(font) = self.font() else {
            return false;
        };
        let Some(id) = font.charmap().map(character) else {
            return false;
        };
        id != GlyphId::NOTDEF && (is_blank(character) || has_ink(&font, id, &self.location))
    }

    /// The glyphs of a part of a text, from left to right.
    pub(super) fn shape(
        &self,
        text: &str,
        part: Range<usize>,
        script: Option<Script>,
        is_rtl: bool,
    ) -> Vec<Glyph> {
        let Some(font) = self.font() else {
            return Vec::new();
        };
        let mut buffer = UnicodeBuffer::new();
        let start = part.start;
        for (at, character) in text.get(part.clone()).unwrap_or_default().char_indices() {
            let cluster = u32::try_from(start + at).unwrap_or(u32::MAX);
            buffer.add(character, cluster);
        }
        buffer.set_pre_context(text.get(..start).unwrap_or_default());
        buffer.set_post_context(text.get(part.end..).unwrap_or_default());
        buffer.set_direction(if is_rtl {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        });
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

    /// Adds the outline of a glyph.
    pub(super) fn draw(
        &self,
        glyph: u32,
        outline: &mut Outline,
        origin: Point,
        scale: f32,
        steps: u16,
    ) {
        let Some(font) = self.font() else {
            return;
        };
        let pen = Pen::new(outline, origin, scale, steps);
        draw(&font, GlyphId::new(glyph), &self.location, pen);
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

/// Returns true if all tables lie within the file.
fn is_whole(font: &FontRef<'_>) -> bool {
    let length = u64::try_from(font.data().len()).unwrap_or(u64::MAX);
    let mut tables = font.table_directory().table_records().iter();
    tables.all(|table| u64::from(table.offset()) + u64::from(table.length()) <= length)
}

/// The English name of a font's family, or the first that it has.
fn family_of(font: &FontRef<'_>) -> String {
    [StringId::TYPOGRAPHIC_FAMILY_NAME, StringId::FAMILY_NAME]
        .into_iter()
        .find_map(|id| font.localized_strings(id).english_or_first())
        .map_or_else(String::new, |name| name.chars().collect())
}

/// Height of capital letters in units of the font.
fn cap_height(font: &FontRef<'_>, location: &Location) -> Option<f32> {
    let em = f32::from(font.head().ok()?.units_per_em());
    if em < 16.0 {
        return None;
    }
    let drawn = || {
        let glyph = font
            .charmap()
            .map('H')
            .filter(|id| *id != GlyphId::NOTDEF)?;
        let mut outline = Outline::default();
        draw(
            font,
            glyph,
            location,
            Pen::new(&mut outline, [0.0; 2], 1.0, 1),
        );
        Some(-outline.bounds()?[0][1])
    };
    let told = || {
        font.metrics(Size::unscaled(), LocationRef::default())
            .cap_height
    };
    let is_likely = |height: &f32| (0.55 * em..=0.85 * em).contains(height);
    let height = drawn()
        .filter(is_likely)
        .or_else(|| told().filter(is_likely));
    Some(height.unwrap_or(CAP_HEIGHT * em))
}

fn has_ink(font: &FontRef<'_>, glyph: GlyphId, location: &Location) -> bool {
    let mut outline = Outline::default();
    draw(
        font,
        glyph,
        location,
        Pen::new(&mut outline, [0.0; 2], 1.0, 1),
    );
    !outline.lines.is_empty()
}

fn draw(font: &FontRef<'_>, glyph: GlyphId, location: &Location, mut pen: Pen<'_>) {
    let outline = font.outline_glyphs().get(glyph);
    let Some(outline) = outline.filter(|_| is_sound(font, glyph)) else {
        return;
    };
    let settings = DrawSettings::unhinted(Size::unscaled(), location);
    // The drawn part of a broken glyph is kept: the next command closes the outline.
    let _ = outline.draw(settings, &mut pen);
}
