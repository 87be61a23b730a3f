//! `pchr inspect` of an atlas. The JSON of its report is a contract.

use std::collections::BTreeMap;
use std::io;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use pchr::document::Images;
use pchr::finding::Findings;
use pchr::image::{check_png, decode_all, png_size};
use pchr::scene::Subject as _;
use pchr_foreign::atlas::{Atlas, Sprite, covered_pixels, flip_books};
use pchr_foreign::format::AtlasText;
use pchr_foreign::format::atlas_json::{self, AtlasDialect, Layout};
use pchr_foreign::sheet::Sheet;

use super::tally;
use super::{TextPage, TextTable, by, bytes, count, name, number, or_none, when};
use crate::cli::pchr::atlas::AtlasFile;
use crate::cli::pchr::report::{FindingReport, Fold};
use crate::run::Failure;

/// Returns findings about an atlas and its page images, which are decoded on request.
pub(super) fn check(sheet: &Sheet, decode: bool) -> Findings {
    let (images, mut findings): (&dyn Images, _) = (sheet, Findings::default());
    if decode {
        let _ = decode_all(images, &mut findings);
    } else {
        images.image_ids().for_each(|id| check_png(images, id, &mut findings));
    }
    let mut all = sheet.warnings().clone();
    all.extend(findings);
    all
}

pub(super) fn describe(report: &AtlasInspection<'_>, page: &mut TextPage) {
    let (totals, json) = (&report.totals, &report.as_json);
    let contents = [
        count(totals.pages, "page", "pages"),
        count(totals.sprites, "sprite", "sprites"),
        count(totals.flip_books, "flip-book", "flip-books"),
        count(report.folders.len(), "folder", "folders"),
    ];
    page.fact("contents", contents.join(", "));

    let blocks = count(totals.blocks, "block", "blocks");
    let sprites = count(totals.in_blocks, "sprite", "sprites");
    let aliases = count(totals.aliases, "alias", "aliases");
    let trimmed = number(totals.trimmed);
    page.fact("packing", format!("{blocks} of {sprites}, {aliases}, {trimmed} trimmed"));

    let (fill, pixels) = (filled(totals.fill_percent), number(totals.pixels));
    page.fact("fill", format!("{fill} of {pixels} pixels"));
    let textures = bytes(totals.pixels.saturating_mul(4));
    page.fact("memory", format!("{textures} as textures"));

    let compared = match json.smaller_percent {
        percent if percent < 0.0 => format!("{:.1}% larger", -percent),
        percent if percent >= 99.95 => "less than 0.1% of that".to_owned(),
        percent => format!("{percent:.1}% smaller"),
    };
    let (bytes, dialect) = (count(json.bytes, "byte", "bytes"), json.dialect);
    page.fact("as JSON", format!("{bytes} as compact {dialect}: this text is {compared}"));
    tables(report, page);
}

fn tables(report: &AtlasInspection<'_>, page: &mut TextPage) {
    let pages: Vec<_> = report.pages.iter().zip(&report.images).collect();
    TextTable::new("Pages", &pages)
        .numbered()
        .left("page", |(page, _)| name(page.filename))
        .right("stated", |(page, _)| by([page.width, page.height]))
        .right("image", |(_, image)| or_none(image.size.map(by)))
        .right("size", |(_, image)| or_none(image.bytes.map(bytes)))
        .right("padding", |(page, _)| or_none(page.padding))
        .right("sprites", |(_, image)| number(image.sprites))
        .right("fill", |(_, image)| filled(image.fill_percent))
        .write(page);
    TextTable::new("Blocks", &report.blocks)
        .numbered()
        .right("page", |it| it.page)
        .right("sprites", |it| number(it.sprites))
        .right("each", |it| by([it.w, it.h]))
        .left("first", |it| name(it.first))
        .left("last", |it| name(it.last))
        .write(page);
    TextTable::new("Flip-books", &report.flip_books)
        .left("flip-book", |it| name(&it.name))
        .right("sprites", |it| number(it.sprites.len()))
        .left("first", |it| name(it.sprites.first().unwrap_or(&"")))
        .write(page);
    TextTable::new("Folders", report.folders).numbered().left("folder", |it| name(it)).write(page);
    TextTable::new("Aliases", &report.aliases)
        .left("alias", |it| name(it.name))
        .left("of", |it| name(it.original))
        .write(page);
    TextTable::new("Sprites", &report.frames)
        .numbered()
        .left("sprite", |it| name(it.key))
        .right("page", |it| it.page)
        .right("place", |it| format!("{},{}", it.x, it.y))
        .right("size", |it| by([it.w, it.h]))
        .right("source", |it| or_none(it.trimmed.then(|| by([it.source_w, it.source_h]))))
        .right("trim", |it| or_none(it.trimmed.then(|| format!("{},{}", it.trim_x, it.trim_y))))
        .left("turned", |it| when(it.rotated, "yes"))
        .write(page);
}

fn filled(percent: Option<f64>) -> String {
    or_none(percent.map(|percent| format!("{percent:.1}%")))
}

/// Output of `pchr inspect --json` for an atlas.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct AtlasInspection<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["pct", "hash", "array", "multiatlas"]))]
    pub(super) format: &'static str,
    /// Bytes of the text.
    pub(super) size: u64,
    /// Sums over the elements.
    pub(super) totals: AtlasTotals,
    /// The same atlas as JSON without white space.
    as_json: AsJson,
    /// Findings about the file, each rule once, in the order in which they were first met. An error here is a page image
    /// that does not decode: other errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The pages, as the file states them.
    pub(super) pages: Vec<PageReport<'a>>,
    /// The image files of the pages, in their order.
    pub(super) images: Vec<PageImageReport<'a>>,
    /// The folder names that a PCT file lists.
    pub(super) folders: &'a [String],
    /// The grids of equal sprites that a PCT file has.
    pub(super) blocks: Vec<BlockReport<'a>>,
    /// The flip-books, each of several sprites, in the order of their first ones.
    flip_books: Vec<FlipBookReport<'a>>,
    /// The sprites that share the place of another, each with that one's name.
    pub(super) aliases: Vec<AliasReport<'a>>,
    /// The sprites by their names, in the order of the file.
    #[serde(serialize_with = "by_key")]
    #[schemars(with = "std::collections::BTreeMap<String, FrameReport<'a>>")]
    pub(super) frames: Vec<FrameReport<'a>>,
}

fn by_key<S: Serializer>(frames: &[FrameReport<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(frames.iter().map(|frame| (frame.key, frame)))
}

/// Sums over the elements.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Totals")]
pub(super) struct AtlasTotals {
    /// Pages.
    pub(super) pages: usize,
    /// Sprites, aliases included.
    pub(super) sprites: usize,
    /// Sprites that share the place of another.
    pub(super) aliases: usize,
    /// Sprites whose empty borders were cut off.
    pub(super) trimmed: usize,
    /// Grids of equal sprites.
    pub(super) blocks: usize,
    /// Sprites in the blocks.
    in_blocks: usize,
    /// Flip-books, each of several sprites.
    flip_books: usize,
    /// Pixels of all pages.
    pub(super) pixels: u64,
    /// Pixels that sprites cover, each counted once.
    pub(super) covered_pixels: u64,
    /// Covered pixels in percent of all pixels; null if there are no pixels.
    fill_percent: Option<f64>,
}

/// An atlas as JSON.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AsJson {
    /// The dialect: hash or, for an atlas with several pages, multiatlas.
    #[schemars(extend("enum" = ["hash", "multiatlas"]))]
    pub(super) dialect: &'static str,
    /// Bytes of the text.
    pub(super) bytes: u64,
    /// Bytes saved by the file, in percent; below 0 if it is larger.
    smaller_percent: f64,
}

/// A page, as the file states it.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct PageReport<'a> {
    /// Path of the image file.
    filename: &'a str,
    /// Pixel format.
    pub(super) format: &'a str,
    /// Width in pixels; 0 if the file states none.
    pub(super) width: u32,
    /// Height in pixels; 0 if the file states none.
    pub(super) height: u32,
    /// Empty pixels on each side of a sprite; null if the file states none.
    pub(super) padding: Option<i32>,
}

/// The image file of a page.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ImageReport")]
pub(super) struct PageImageReport<'a> {
    /// Its path, as the page names it.
    pub(super) file: &'a str,
    /// Bytes of the file; null if it could not be read: findings say why.
    pub(super) bytes: Option<u64>,
    /// Width and height of the PNG; null if it could not be read, or is not a PNG.
    pub(super) size: Option<[u32; 2]>,
    /// Sprites on the page, aliases included.
    pub(super) sprites: usize,
    /// Pixels that sprites cover, each counted once.
    pub(super) covered_pixels: u64,
    /// The same in percent of the page; null if it has no pixels.
    fill_percent: Option<f64>,
}

/// A grid of equal sprites.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct BlockReport<'a> {
    /// Index of its page.
    pub(super) page: u32,
    /// Number of its sprites, aliases not included.
    pub(super) sprites: usize,
    /// Width of each.
    pub(super) w: i32,
    /// Height of each.
    pub(super) h: i32,
    /// Name of the first.
    pub(super) first: &'a str,
    /// Name of the last.
    pub(super) last: &'a str,
}

/// A flip-book.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct FlipBookReport<'a> {
    /// Its name.
    pub(super) name: String,
    /// Names of its sprites, as they are shown.
    pub(super) sprites: Vec<&'a str>,
}

/// A sprite that shares the place of another.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct AliasReport<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Name of the other.
    pub(super) original: &'a str,
}

/// A sprite.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameReport<'a> {
    /// Its whole name.
    pub(super) key: &'a str,
    /// Index of its page.
    pub(super) page: u32,
    /// Left edge on the page.
    pub(super) x: i32,
    /// Top edge on the page.
    pub(super) y: i32,
    /// Upright width.
    pub(super) w: i32,
    /// Upright height.
    pub(super) h: i32,
    /// True if empty borders were cut off.
    pub(super) trimmed: bool,
    /// True if it lies on the page turned by 90 degrees clockwise.
    pub(super) rotated: bool,
    /// Width of its source.
    source_w: i32,
    /// Height of its source.
    source_h: i32,
    /// Place in its source, from the left.
    trim_x: i32,
    /// Place in its source, from the top.
    trim_y: i32,
}

pub(super) fn report<'a>(
    file: &'a AtlasFile,
    sheet: &'a dyn Images,
    folds: &'a [Fold],
) -> Result<AtlasInspection<'a>, Failure> {
    let AtlasText { atlas, format, .. } = &file.read;
    let size = file.text.len() as u64;
    let images = images(atlas, sheet);
    let blocks = blocks(atlas);
    let named = |index: u32| {
        let sprite = atlas.sprites.get_index(index as usize);
        sprite.map_or("", |(name, _)| name)
    };
    let books = flip_books(atlas).into_iter();
    let books = books.filter(|book| book.sprites.len() > 1); // a sprite alone is none
    let flip_books: Vec<_> = books
        .map(|book| FlipBookReport {
            name: book.name,
            sprites: book.sprites.iter().map(|index| named(*index)).collect(),
        })
        .collect();
    let alias = |(name, sprite): (&'a str, &Sprite)| {
        let original = named(sprite.alias_of?);
        Some(AliasReport { name, original })
    };
    let aliases: Vec<_> = atlas.sprites.iter().filter_map(alias).collect();
    let pixels = pages(atlas, &images).map(area).sum();
    let covered = images.iter().map(|image| image.covered_pixels).sum();
    let is_trimmed = |sprite: &&Sprite| sprite.trim.is_some();
    let totals = AtlasTotals {
        pages: atlas.pages.len(),
        sprites: atlas.sprites.len(),
        aliases: aliases.len(),
        trimmed: atlas.sprites.values().filter(is_trimmed).count(),
        blocks: blocks.len(),
        in_blocks: blocks.iter().map(|block| block.sprites).sum(),
        flip_books: flip_books.len(),
        pixels,
        covered_pixels: covered,
        fill_percent: percent(covered, pixels),
    };
    Ok(AtlasInspection {
        program_version: crate::version(),
        file: &file.name,
        format: format.id(),
        size,
        totals,
        as_json: as_json(atlas, size)?,
        findings: folds.iter().map(Into::into).collect(),
        pages: atlas.pages.iter().map(page).collect(),
        images,
        folders: &atlas.folders,
        blocks,
        flip_books,
        aliases,
        frames: atlas.sprites.iter().map(frame).collect(),
    })
}

/// Sizes of the pages: those of their images or, without one, as the file states them.
fn pages(atlas: &Atlas, images: &[PageImageReport<'_>]) -> impl Iterator<Item = [u32; 2]> {
    atlas.pages.iter().zip(images).map(|(page, image)| image.size.unwrap_or(page.size))
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

#[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
fn percent(part: u64, whole: u64) -> Option<f64> {
    let percent = part as f64 / whole as f64 * 100.0;
    (whole > 0).then(|| (percent * 100.0).round() / 100.0)
}

fn page(page: &pchr_foreign::atlas::Page) -> PageReport<'_> {
    let [width, height] = page.size;
    PageReport { filename: &page.file, format: &page.format, width, height, padding: page.padding }
}

fn images<'a>(atlas: &'a Atlas, sheet: &dyn Images) -> Vec<PageImageReport<'a>> {
    let sprites = atlas.sprites.values().map(|sprite| sprite.page as usize);
    let sprites = tally(atlas.pages.len(), sprites);
    let files = sheet.images().map(Some).chain(std::iter::repeat(None));
    let pages = atlas.pages.iter().zip(files).zip(sprites);
    let mut images: Vec<_> = pages
        .map(|((page, image), sprites)| {
            let data = image.map(|image| image.data()).unwrap_or_default();
            PageImageReport {
                file: &page.file,
                bytes: (!data.is_empty()).then_some(data.len() as u64),
                size: png_size(data).ok(),
                sprites,
                covered_pixels: 0,
                fill_percent: None,
            }
        })
        .collect();
    let sizes: Vec<[u32; 2]> = self::pages(atlas, &images).collect();
    let covered = covered_pixels(atlas, &sizes);
    for ((image, covered), size) in images.iter_mut().zip(covered).zip(sizes) {
        image.covered_pixels = covered;
        image.fill_percent = percent(covered, area(size));
    }
    images
}

fn blocks(atlas: &Atlas) -> Vec<BlockReport<'_>> {
    let mut blocks: BTreeMap<u32, BlockReport<'_>> = BTreeMap::new();
    for (name, sprite) in atlas.sprites.iter() {
        let Some(block) = sprite.block.filter(|_| sprite.alias_of.is_none()) else { continue };
        let block = blocks.entry(block).or_insert(BlockReport {
            page: sprite.page,
            sprites: 0,
            w: sprite.rect.width,
            h: sprite.rect.height,
            first: name,
            last: name,
        });
        block.sprites += 1;
        block.last = name;
    }
    blocks.into_values().collect()
}

fn frame<'a>((key, sprite): (&'a str, &Sprite)) -> FrameReport<'a> {
    let ([source_w, source_h], [trim_x, trim_y]) = (sprite.source_size(), sprite.source_offset());
    FrameReport {
        key,
        page: sprite.page,
        x: sprite.rect.x,
        y: sprite.rect.y,
        w: sprite.rect.width,
        h: sprite.rect.height,
        trimmed: sprite.trim.is_some(),
        rotated: sprite.rotated,
        source_w,
        source_h,
        trim_x,
        trim_y,
    }
}

/// The atlas as JSON without white space, beside a text of `size` bytes.
fn as_json(atlas: &Atlas, size: u64) -> Result<AsJson, Failure> {
    let dialect = AtlasDialect::for_pages(atlas.pages.len());
    let mut written = WrittenBytes(0);
    atlas_json::write(atlas, &[], dialect, Layout::Compact, &mut written)?;
    let WrittenBytes(bytes) = written;
    let of_json = percent(size, bytes).unwrap_or(0.0);
    Ok(AsJson {
        dialect: dialect.id(),
        bytes,
        smaller_percent: ((100.0 - of_json) * 100.0).round() / 100.0,
    })
}

/// Number of bytes that were written and are not kept: a few bytes of PCT may be many of JSON.
struct WrittenBytes(u64);

impl io::Write for WrittenBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
