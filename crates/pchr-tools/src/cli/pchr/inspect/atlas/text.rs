//! The report for people: what matters on top, tables below.

use super::report::Report;
use crate::cli::pchr::findings::Fold;
use crate::cli::pchr::inspect::grid::Align::{Left, Right};
use crate::cli::pchr::inspect::grid::{Align, list};
use crate::cli::pchr::inspect::text::{Detail, page, title};
use crate::cli::pchr::inspect::words;

/// Text for an absent value.
const NONE: &str = "-";

/// The whole text.
pub(super) fn text(report: &Report<'_>, folds: &[Fold], detail: Detail) -> String {
    let title = title(report.file, report.format_name, report.size);
    page(&title, summary(report), folds, detail, |out, all| {
        Tables { report, all, out }.write();
    })
}

fn summary(report: &Report<'_>) -> [(&'static str, String); 5] {
    let totals = &report.totals;
    let contents = [
        words::count(totals.pages, "page", "pages"),
        words::count(totals.sprites, "sprite", "sprites"),
        words::count(totals.flip_books, "flip-book", "flip-books"),
        words::count(report.folders.len(), "folder", "folders"),
    ];
    let packing = [
        words::count(totals.blocks, "block", "blocks")
            + &format!(
                " of {}",
                words::count(totals.in_blocks, "sprite", "sprites")
            ),
        words::count(totals.aliases, "alias", "aliases"),
        format!("{} trimmed", words::number(totals.trimmed)),
    ];
    let json = &report.as_json;
    let (bytes, percent) = (
        words::count(json.bytes, "byte", "bytes"),
        json.smaller_percent,
    );
    let compared = if percent < 0.0 {
        format!("{:.1}% larger", -percent)
    } else if percent >= 99.95 {
        "less than 0.1% of that".to_owned()
    } else {
        format!("{percent:.1}% smaller")
    };
    [
        ("contents", contents.join(", ")),
        ("packing", packing.join(", ")),
        (
            "fill",
            format!(
                "{} of {} pixels",
                filled(totals.fill_percent),
                words::number(totals.pixels)
            ),
        ),
        (
            "memory",
            format!(
                "{} as textures",
                words::bytes(totals.pixels.saturating_mul(4))
            ),
        ),
        (
            "as JSON",
            format!(
                "{bytes} as compact {}: this text is {compared}",
                json.dialect
            ),
        ),
    ]
}

fn filled(percent: Option<f64>) -> String {
    percent.map_or(NONE.into(), |percent| format!("{percent:.1}%"))
}

struct Tables<'a> {
    report: &'a Report<'a>,
    /// True if long tables are shown whole.
    all: bool,
    out: &'a mut String,
}

impl Tables<'_> {
    fn write(mut self) {
        self.pages();
        self.blocks();
        self.flip_books();
        self.folders();
        self.aliases();
        self.sprites();
    }

    fn list<T, const N: usize>(
        &mut self,
        title: &str,
        header: [(&str, Align); N],
        items: &[T],
        row: impl Fn(usize, &T) -> [String; N],
    ) {
        let rows = items.iter().enumerate();
        let rows = rows.map(|(index, item)| row(index, item));
        list(self.out, title, header, items.len(), self.all, rows);
    }

    fn pages(&mut self) {
        let header = [
            ("#", Right),
            ("page", Left),
            ("stated", Right),
            ("image", Right),
            ("size", Right),
            ("padding", Right),
            ("sprites", Right),
            ("fill", Right),
        ];
        let images = &self.report.images;
        let pages: Vec<_> = self.report.pages.iter().zip(images).collect();
        self.list("Pages", header, &pages, |index, (page, image)| {
            let none = || NONE.to_owned();
            [
                index.to_string(),
                words::name(page.filename).into(),
                by([page.width, page.height]),
                image.size.map_or_else(none, by),
                image.bytes.map_or_else(none, words::bytes),
                page.padding
                    .map_or_else(none, |padding| padding.to_string()),
                words::number(image.sprites),
                filled(image.fill_percent),
            ]
        });
    }

    fn blocks(&mut self) {
        let header = [
            ("#", Right),
            ("page", Right),
            ("sprites", Right),
            ("each", Right),
            ("first", Left),
            ("last", Left),
        ];
        let report = self.report;
        self.list("Blocks", header, &report.blocks, |index, block| {
            [
                index.to_string(),
                block.page.to_string(),
                words::number(block.sprites),
                format!("{} x {}", block.w, block.h),
                words::name(block.first).into(),
                words::name(block.last).into(),
            ]
        });
    }

    fn flip_books(&mut self) {
        let header = [("flip-book", Left), ("sprites", Right), ("first", Left)];
        self.list("Flip-books", header, &self.report.flip_books, |_, book| {
            let first = book.sprites.first().copied().unwrap_or_default();
            [
                words::name(&book.name).into(),
                words::number(book.sprites.len()),
                words::name(first).into(),
            ]
        });
    }

    fn folders(&mut self) {
        let header = [("#", Right), ("folder", Left)];
        let report = self.report;
        self.list("Folders", header, report.folders, |index, folder| {
            [index.to_string(), words::name(folder).into()]
        });
    }

    fn aliases(&mut self) {
        let header = [("alias", Left), ("of", Left)];
        let report = self.report;
        self.list("Aliases", header, &report.aliases, |_, alias| {
            [alias.name, alias.original].map(|name| words::name(name).into())
        });
    }

    fn sprites(&mut self) {
        let header = [
            ("#", Right),
            ("sprite", Left),
            ("page", Right),
            ("place", Right),
            ("size", Right),
            ("source", Right),
            ("trim", Right),
            ("turned", Left),
        ];
        let report = self.report;
        self.list("Sprites", header, &report.frames, |index, frame| {
            let trim = |text: String| match frame.trimmed {
                true => text,
                false => NONE.into(),
            };
            [
                index.to_string(),
                words::name(frame.key).into(),
                frame.page.to_string(),
                format!("{},{}", frame.x, frame.y),
                format!("{} x {}", frame.w, frame.h),
                trim(format!("{} x {}", frame.source_w, frame.source_h)),
                trim(format!("{},{}", frame.trim_x, frame.trim_y)),
                if frame.rotated { "yes" } else { "" }.into(),
            ]
        });
    }
}

fn by([width, height]: [u32; 2]) -> String {
    format!("{width} x {height}")
}
