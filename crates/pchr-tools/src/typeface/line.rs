//! A line of text as a picture, and its parts that one face draws: clusters, and groups of them by face.

use std::ops::Range;

use unicode_bidi::{BidiInfo, Level};
use unicode_script::{Script, UnicodeScript as _};
use unicode_segmentation::UnicodeSegmentation as _;

use super::add;
use super::catalogue::{Catalogue, FaceId};
use super::face::{Face, FontError, Glyph, OBJECT, clean, is_ignorable};
use super::outline::{Excess, GlyphPen, Mask, OF_LINE, Outline, OutlineEffort, whole};

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
    let (text, controls) = clean(text);
    let clusters = clusters(&text, catalogue);
    let mut sheet = LineSheet {
        pixels,
        cap_height: f32::from(pixels) * 9.0 / 13.0,
        at: 0.0,
        outlines: Vec::new(),
        missing: Vec::new(),
        effort: OutlineEffort::new(OF_LINE),
    };
    add(&mut sheet.missing, &controls);
    let mut families = Vec::new();
    for group in groups(&text, &clusters) {
        if sheet.at >= f32::from(MAX_WIDTH) {
            break;
        }
        let face = group.face.and_then(|id| Some((id, catalogue.face(id)?)));
        match face.map(|(id, face)| (id, face, sheet.write(&text, &group, face))) {
            Some((_, face, Ok(()))) => {
                add(&mut families, std::slice::from_ref(&face.family));
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
                    let replaced = characters(text, group, &glyphs, glyph).chars();
                    let missing =
                        replaced.filter(|it| !is_ignorable(*it) && face.glyph(*it).is_none());
                    add(&mut self.missing, &missing.collect::<Vec<_>>());
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
            if character != OBJECT {
                add(&mut self.missing, &[character]);
            }
            self.frame(&mut outline);
        }
        self.outlines.push(outline);
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

/// Units of a font, which are small.
fn units(value: i32) -> f32 {
    value as f32
}

/// The script of a cluster of characters; `None` for digits, spaces and signs that all scripts share.
///
/// Signs of some scripts go with the cluster before where that is of one of these.
pub(super) fn script_of(cluster: &str, before: Option<Script>) -> Option<Script> {
    let first = cluster.chars().find(|character| character.script() != Script::Inherited);
    let Some(first) = first else { return before };
    match first.script() {
        Script::Common => shared(first, before),
        Script::Unknown => None,
        script => Some(script),
    }
}

/// The script of a character that several scripts share.
fn shared(sign: char, before: Option<Script>) -> Option<Script> {
    let scripts = sign.script_extension();
    if scripts.is_common() || scripts.is_inherited() {
        return None;
    }
    before
        .filter(|script| scripts.contains_script(*script))
        .or_else(|| scripts.contains_script(Script::Han).then_some(Script::Han))
        .or_else(|| scripts.iter().next())
}

/// A unit that a reader sees as one character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cluster {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) script: Option<Script>,
    /// None where no font draws it.
    pub(super) face: Option<FaceId>,
}

/// The clusters of a text, in its own order; neighbours of one script share a font if one draws them all.
pub(super) fn clusters(text: &str, catalogue: &mut Catalogue) -> Vec<Cluster> {
    let mut clusters = scripts(text);
    // One font should be used for these, which texts mix.
    let is_japanese = |script| matches!(script, Script::Han | Script::Hiragana | Script::Katakana);
    let is_together = |a: &Cluster, b: &Cluster| match (a.script, b.script) {
        (Some(a), Some(b)) => a == b || is_japanese(a) && is_japanese(b),
        _ => false,
    };
    for together in clusters.chunk_by_mut(is_together) {
        let (Some(first), Some(last)) = (together.first(), together.last()) else { continue };
        let script = first.script;
        let whole = text.get(first.range.start..last.range.end);
        let shared = whole.and_then(|text| catalogue.choose_for_all(script, text));
        let mut before = None;
        for cluster in together {
            let own = text.get(cluster.range.clone()).unwrap_or_default();
            cluster.face = if own.starts_with(OBJECT) {
                None
            } else if own.chars().all(is_ignorable) {
                before.or_else(|| catalogue.choose(None, " "))
            } else {
                shared.or_else(|| catalogue.choose(cluster.script, own))
            };
            before = cluster.face;
        }
    }
    clusters
}

fn scripts(text: &str) -> Vec<Cluster> {
    let mut before = None;
    let mut clusters = Vec::new();
    for (start, cluster) in text.grapheme_indices(true) {
        let script = script_of(cluster, before);
        before = script.or(before);
        clusters.push(Cluster { range: start..start + cluster.len(), script, face: None });
    }
    clusters
}

/// Clusters of one font, one script and one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) script: Option<Script>,
    pub(super) face: Option<FaceId>,
    pub(super) is_rtl: bool,
}

/// The groups of a text in the order in which they are seen: Unicode's bidirectional algorithm.
pub(super) fn groups(text: &str, clusters: &[Cluster]) -> Vec<Group> {
    let order = BidiInfo::new(text, None);
    let mut groups = Vec::new();
    for paragraph in &order.paragraphs {
        let (levels, runs) = order.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let is_rtl = levels.get(run.start).is_some_and(Level::is_rtl);
            let start = clusters.partition_point(|cluster| cluster.range.start < run.start);
            let end = clusters.partition_point(|cluster| cluster.range.start < run.end);
            let first = groups.len();
            join(clusters.get(start..end).unwrap_or_default(), is_rtl, &mut groups);
            if let Some(run) = groups.get_mut(first..).filter(|_| is_rtl) {
                run.reverse();
            }
        }
    }
    groups
}

/// Adds the groups of a run in the text's own order.
fn join(clusters: &[Cluster], is_rtl: bool, groups: &mut Vec<Group>) {
    let first = groups.len();
    for cluster in clusters {
        let last = groups.get_mut(first..).and_then(<[Group]>::last_mut);
        let is_joined = |last: &&mut Group| {
            let is_one_script = match (last.script, cluster.script) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
            last.face == cluster.face && is_one_script
        };
        if let Some(last) = last.filter(is_joined) {
            last.range.end = cluster.range.end;
            last.script = last.script.or(cluster.script);
        } else {
            groups.push(Group {
                range: cluster.range.clone(),
                script: cluster.script,
                face: cluster.face,
                is_rtl,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script_and_digits_have_none() {
        assert_eq!(script_of("ذ", None), Some(Script::Arabic));
        assert_eq!(script_of("骨", None), Some(Script::Han));
        assert_eq!(script_of("7", Some(Script::Arabic)), None);
        assert_eq!(script_of("_", Some(Script::Latin)), None);
        assert_eq!(script_of("🦊", None), None);
    }

    #[test]
    fn signs_of_some_scripts_go_with_the_text_before() {
        assert_eq!(script_of("ー", Some(Script::Katakana)), Some(Script::Katakana));
        assert_eq!(script_of("。", Some(Script::Hiragana)), Some(Script::Hiragana));
        assert_eq!(script_of("「", None), Some(Script::Han));
        assert_eq!(script_of("ـ", Some(Script::Arabic)), Some(Script::Arabic));
        assert_eq!(script_of("\u{301}", Some(Script::Greek)), Some(Script::Greek));
    }

    fn seen(text: &str) -> Vec<&str> {
        let cluster = |(start, part): (usize, &str)| {
            let range = start..start + part.len();
            Cluster { range, script: None, face: Some(0) }
        };
        let clusters: Vec<Cluster> = text.grapheme_indices(true).map(cluster).collect();
        let groups = groups(text, &clusters);
        groups.iter().map(|group| &text[group.range.clone()]).collect()
    }

    #[test]
    fn groups_are_in_the_order_in_which_they_are_seen() {
        assert_eq!(seen("bone_ذراع_01"), ["bone_", "01", "ذراع_"]);
        assert_eq!(seen("ذراع_bone"), ["bone", "ذراع_"]);
        assert_eq!(seen("bone"), ["bone"]);
        assert_eq!(seen(""), [""; 0]);
    }

    #[test]
    fn no_character_is_lost_or_doubled() {
        for text in ["a\u{202e}b\u{2066}c", "\u{2069}\u{202c}", "א\u{202d}1\u{2067}ب", "\u{202e}"]
        {
            let mut ranges = seen(text);
            ranges.sort_by_key(|part| part.as_ptr());
            assert_eq!(ranges.concat(), text);
        }
    }
}
