//! Builds the report about an atlas.

use std::collections::BTreeMap;
use std::io;

use pchr::document::Images;
use pchr::image::png_size;
use pchr_foreign::atlas::{Atlas, Sprite, covered_pixels, flip_books};
use pchr_foreign::format::atlas_json::{self, Dialect, Layout};

use super::report::{
    AliasReport, AsJson, BlockReport, FlipBookReport, FrameReport, ImageReport, PageReport, Report,
    Totals,
};
use crate::cli::pchr::atlas::AtlasFile;
use crate::cli::pchr::findings::Fold;
use crate::run::Failure;

pub(super) fn gather<'a>(
    file: &'a AtlasFile,
    sheet: &'a dyn Images,
    folds: &'a [Fold],
) -> Result<Report<'a>, Failure> {
    let atlas = file.atlas();
    let format = file.format();
    let images = images(atlas, sheet);
    let blocks = blocks(atlas);
    let books = flip_books(atlas).into_iter();
    let flip_books: Vec<_> = books
        .filter(|book| book.sprites.len() > 1) // a sprite alone is none
        .map(|book| FlipBookReport {
            name: book.name,
            sprites: book
                .sprites
                .iter()
                .map(|index| name(atlas, *index))
                .collect(),
        })
        .collect();
    let aliases: Vec<_> = atlas
        .sprites
        .iter()
        .filter_map(|(alias, sprite)| {
            let original = name(atlas, sprite.alias_of?);
            Some(AliasReport {
                name: alias,
                original,
            })
        })
        .collect();
    let pixels = pages(atlas, &images).map(area).sum();
    let covered = images.iter().map(|image| image.covered_pixels).sum();
    let is_trimmed = |sprite: &&Sprite| sprite.trim.is_some();
    let totals = Totals {
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
    Ok(Report {
        program_version: crate::version(),
        file: file.name(),
        format: format.id(),
        format_name: format.name(),
        size: file.size(),
        totals,
        as_json: as_json(atlas, file.size())?,
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

fn name(atlas: &Atlas, index: u32) -> &str {
    let sprite = atlas.sprites.get_index(index as usize);
    sprite.map_or("", |(name, _)| name)
}

/// Sizes of the pages: those of their images or, without one, as the file states them.
fn pages(atlas: &Atlas, images: &[ImageReport<'_>]) -> impl Iterator<Item = [u32; 2]> {
    let pages = atlas.pages.iter().zip(images);
    pages.map(|(page, image)| image.size.unwrap_or(page.size))
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
    PageReport {
        filename: &page.file,
        format: &page.format,
        width,
        height,
        padding: page.padding,
    }
}

fn images<'a>(atlas: &'a Atlas, sheet: &dyn Images) -> Vec<ImageReport<'a>> {
    let mut sprites = vec![0; atlas.pages.len()];
    for sprite in atlas.sprites.values() {
        if let Some(count) = sprites.get_mut(sprite.page as usize) {
            *count += 1;
        }
    }
    let files = sheet.images().map(Some).chain(std::iter::repeat(None));
    let pages = atlas.pages.iter().zip(files).zip(sprites);
    let mut images: Vec<_> = pages
        .map(|((page, image), sprites)| {
            let data = image.map(|image| image.data()).unwrap_or_default();
            ImageReport {
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
        let Some(block) = sprite.block.filter(|_| sprite.alias_of.is_none()) else {
            continue;
        };
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
    struct Count(u64);

    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let dialect = Dialect::for_pages(atlas.pages.len());
    let mut count = Count(0);
    atlas_json::write(atlas, dialect, Layout::Compact, &mut count)?;
    let of_json = percent(size, count.0).unwrap_or(0.0);
    Ok(AsJson {
        dialect: dialect.id(),
        bytes: count.0,
        smaller_percent: ((100.0 - of_json) * 100.0).round() / 100.0,
    })
}
