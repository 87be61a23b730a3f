//! `pchr inspect` of an atlas.

mod report;

use pchr::document::Images;
use pchr::finding::Findings;
use pchr::image::{check_png, decode_all};
use pchr::scene::Subject as _;
use pchr_foreign::sheet::Sheet;

pub(super) use self::report::report;
pub(in crate::cli::pchr) use self::report::schema;

use self::report::Report;
use super::page::{Page, Table};
use super::words::{self, by, bytes, count, name, number, or_none, when};

/// Returns findings about an atlas and its page images, which are decoded on request.
pub(super) fn check(sheet: &Sheet, decode: bool) -> Findings {
    let (images, mut findings): (&dyn Images, _) = (sheet, Findings::default());
    if decode {
        let _ = decode_all(images, &mut findings);
    } else {
        let ids = images.image_ids();
        ids.for_each(|id| check_png(images, id, &mut findings));
    }
    let mut all = sheet.warnings().clone();
    all.extend(findings);
    all
}

impl super::Report for Report<'_> {
    fn describe(&self, page: &mut Page) {
        facts(self, page);
        tables(self, page);
    }
}

fn facts(report: &Report<'_>, page: &mut Page) {
    let (totals, json) = (&report.totals, &report.as_json);
    let size = words::exact_bytes(report.size);
    page.title(report.file, format!("{}, {size}", report.format_name));

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
    let packing = format!("{blocks} of {sprites}, {aliases}, {trimmed} trimmed");
    page.fact("packing", packing);

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
    let json = format!("{bytes} as compact {dialect}: this text is {compared}");
    page.fact("as JSON", json);
}

fn tables(report: &Report<'_>, page: &mut Page) {
    let pages: Vec<_> = report.pages.iter().zip(&report.images).collect();
    Table::new("Pages", &pages)
        .numbered()
        .left("page", |(page, _)| name(page.filename))
        .right("stated", |(page, _)| by([page.width, page.height]))
        .right("image", |(_, image)| or_none(image.size.map(by)))
        .right("size", |(_, image)| or_none(image.bytes.map(bytes)))
        .right("padding", |(page, _)| or_none(page.padding))
        .right("sprites", |(_, image)| number(image.sprites))
        .right("fill", |(_, image)| filled(image.fill_percent))
        .write(page);
    Table::new("Blocks", &report.blocks)
        .numbered()
        .right("page", |it| it.page)
        .right("sprites", |it| number(it.sprites))
        .right("each", |it| by([it.w, it.h]))
        .left("first", |it| name(it.first))
        .left("last", |it| name(it.last))
        .write(page);
    Table::new("Flip-books", &report.flip_books)
        .left("flip-book", |it| name(&it.name))
        .right("sprites", |it| number(it.sprites.len()))
        .left("first", |it| name(it.sprites.first().unwrap_or(&"")))
        .write(page);
    Table::new("Folders", report.folders)
        .numbered()
        .left("folder", |it| name(it))
        .write(page);
    Table::new("Aliases", &report.aliases)
        .left("alias", |it| name(it.name))
        .left("of", |it| name(it.original))
        .write(page);
    Table::new("Sprites", &report.frames)
        .numbered()
        .left("sprite", |it| name(it.key))
        .right("page", |it| it.page)
        .right("place", |it| format!("{},{}", it.x, it.y))
        .right("size", |it| by([it.w, it.h]))
        .right("source", |it| {
            or_none(it.trimmed.then(|| by([it.source_w, it.source_h])))
        })
        .right("trim", |it| {
            or_none(it.trimmed.then(|| format!("{},{}", it.trim_x, it.trim_y)))
        })
        .left("turned", |it| when(it.rotated, "yes"))
        .write(page);
}

fn filled(percent: Option<f64>) -> String {
    or_none(percent.map(|percent| format!("{percent:.1}%")))
}
