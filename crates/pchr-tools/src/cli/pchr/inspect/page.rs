//! Reports as text: a title, a line for each fact, findings, and tables in plain columns; names and numbers as people read them.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::ops::Range;

use comfy_table::{CellAlignment, presets};
use indicatif::HumanBytes;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::pchr::report::Fold;
use crate::text::visible;

pub(super) use crate::text::words::{count, number, share};

/// Longer names are cut off in tables, so that one name does not lengthen every line; JSON has the whole name.
const LONGEST_NAME: usize = 120;

/// A run of bytes: of the file or, if it is a text, of the equivalent binary file: PCHR v1 or SEAnim.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct ByteRange {
    /// The first byte, counted from 0.
    pub(super) offset: u64,
    /// Number of bytes.
    pub(super) length: u64,
}

impl From<Range<u64>> for ByteRange {
    fn from(range: Range<u64>) -> Self {
        Self { offset: range.start, length: range.end.saturating_sub(range.start) }
    }
}

/// Returns a name unchanged if it is readable; otherwise in quotes, with hidden characters escaped.
pub(in crate::cli::pchr) fn name(name: &str) -> Cow<'_, str> {
    let cut = name.char_indices().nth(LONGEST_NAME);
    let (head, more) = cut.map_or((name, ""), |(at, _)| (name.get(..at).unwrap_or_default(), "…"));
    let quoted = format!("{head:?}");
    let plain = quoted.len() == head.len() + 2 && !head.is_empty() && head.trim() == head;
    if plain && more.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(quoted + more) }
}

/// A value, or `-` for none.
pub(super) fn or_none(value: Option<impl Display>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

/// Index and name of an item, or `-` for none.
pub(super) fn reference<T>(
    index: Option<impl Into<u32>>,
    items: &[T],
    of: impl FnOnce(&T) -> &str,
) -> String {
    or_none(index.map(|index| {
        let index = index.into();
        let item = items.get(index as usize);
        format!("{index} {}", item.map(|it| name(of(it))).unwrap_or_default())
    }))
}

/// The text if the condition holds, or nothing.
pub(super) fn when(holds: bool, text: impl Display) -> String {
    if holds { text.to_string() } else { String::new() }
}

/// `46.53 KiB`.
pub(super) fn bytes(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

/// `46.53 KiB (47,645 bytes)`.
pub(super) fn exact_bytes(size: u64) -> String {
    let exact = count(size, "byte", "bytes");
    if size < 1024 { exact } else { format!("{} ({exact})", bytes(size)) }
}

/// Returns a writer of byte ranges in a file of this size, all equally long: `0x0c..0x2f`, the end excluded.
pub(super) fn ranges(size: u64) -> impl Fn(ByteRange) -> String {
    let digits = format!("{size:x}").len() + 2;
    move |ByteRange { offset, length }| {
        let end = offset.saturating_add(length);
        format!("{offset:#0digits$x}..{end:#0digits$x}")
    }
}

/// `3.08 s`.
pub(super) fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

/// `640 x 480`.
pub(super) fn by([width, height]: [impl Display; 2]) -> String {
    format!("{width} x {height}")
}

/// Columns in front of every line, and between two columns of a table.
const GAP: u16 = 2;

/// Text of a report, under construction.
#[derive(Debug)]
pub(super) struct TextPage {
    /// Title and facts.
    top: String,
    tables: String,
    /// Lines of a table that are shown.
    limit: usize,
}

impl TextPage {
    /// Starts a page; each table ends after `limit` lines, and there are none if it is 0.
    pub(super) fn new(limit: usize) -> Self {
        Self { top: String::new(), tables: String::new(), limit }
    }

    /// Writes the title: the file, and its format and size.
    pub(super) fn title(&mut self, file: &str, contents: impl Display) {
        let _ = writeln!(self.top, "{}: {contents}\n", visible(file)); // a string takes everything
    }

    /// Adds a line below the title.
    pub(super) fn fact(&mut self, label: &str, value: impl Display) {
        let _ = writeln!(self.top, "  {label:<12}{value}");
    }

    pub(super) fn finish(mut self, folds: &[Fold]) -> String {
        if folds.is_empty() {
            self.fact("findings", "nothing");
        } else {
            self.top += "\nFindings\n";
        }
        for fold in folds {
            let more = when(fold.more() > 0, format!(" (and {} more)", number(fold.more())));
            let (severity, what) = (fold.rule.severity().name(), fold.first.to_string());
            let _ = writeln!(self.top, "  {severity}: {}{more}", visible(&what));
        }
        self.top + &self.tables
    }
}

/// A table with a line for each item.
pub(in crate::cli::pchr) struct TextTable<'a, T> {
    title: &'a str,
    items: &'a [T],
    columns: Vec<Column<'a, T>>,
}

struct Column<'a, T> {
    header: &'a str,
    align: CellAlignment,
    cell: Box<dyn Fn(usize, &'a T) -> String + 'a>,
}

impl<'a, T> TextTable<'a, T> {
    pub(in crate::cli::pchr) fn new(title: &'a str, items: &'a [T]) -> Self {
        Self { title, items, columns: Vec::new() }
    }

    pub(super) fn numbered(self) -> Self {
        self.column("#", CellAlignment::Right, |index, _| index)
    }

    pub(in crate::cli::pchr) fn left<D: Display>(
        self,
        header: &'a str,
        cell: impl Fn(&'a T) -> D + 'a,
    ) -> Self {
        self.column(header, CellAlignment::Left, move |_, item| cell(item))
    }

    pub(in crate::cli::pchr) fn right<D: Display>(
        self,
        header: &'a str,
        cell: impl Fn(&'a T) -> D + 'a,
    ) -> Self {
        self.column(header, CellAlignment::Right, move |_, item| cell(item))
    }

    fn column<D: Display>(
        mut self,
        header: &'a str,
        align: CellAlignment,
        cell: impl Fn(usize, &'a T) -> D + 'a,
    ) -> Self {
        self.columns.push(Column {
            header,
            align,
            cell: Box::new(move |index, item| cell(index, item).to_string()),
        });
        self
    }

    /// An empty line, the title, and a line for each of the first items.
    pub(in crate::cli::pchr) fn text(&self, limit: usize) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(self.columns.iter().map(|column| column.header));
        for (index, item) in self.items.iter().enumerate().take(limit) {
            table.add_row(self.columns.iter().map(|it| (it.cell)(index, item)));
        }
        for (column, Column { align, .. }) in table.column_iter_mut().zip(&self.columns) {
            column.set_padding((GAP, 0));
            column.set_cell_alignment(*align);
        }
        let mut text = format!("\n{}\n", self.title);
        for line in table.lines() {
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// Adds the table to a page, unless it is empty; says how many lines are left out.
    pub(super) fn write(self, page: &mut TextPage) {
        let limit = page.limit;
        if limit == 0 || self.items.is_empty() {
            return;
        }
        page.tables += &self.text(limit);
        if let more @ 1.. = self.items.len().saturating_sub(limit) {
            let more = number(more);
            let _ = writeln!(page.tables, "  … {more} more; list them with --all");
        }
    }
}
