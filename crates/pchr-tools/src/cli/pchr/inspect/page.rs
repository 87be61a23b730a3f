//! Reports as text: a title, a line for each fact, findings, and tables in plain columns without wrapping or truncation.

use std::fmt::{Display, Write as _};

use comfy_table::{CellAlignment, presets};

use super::words::{self, number};
use crate::cli::pchr::findings::Fold;
use crate::text::visible;

/// Columns in front of every line, and between two columns of a table.
const GAP: u16 = 2;

/// Text of a report, under construction.
#[derive(Debug)]
pub(super) struct Page {
    /// Title and facts.
    top: String,
    tables: String,
    /// Lines of a table that are shown.
    limit: usize,
}

impl Page {
    /// Starts a page; each table ends after `limit` lines, and there are none if it is 0.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            top: String::new(),
            tables: String::new(),
            limit,
        }
    }

    /// Writes the title: the file, and its format and size.
    pub(super) fn title(&mut self, file: &str, contents: impl Display) {
        let _ = writeln!(self.top, "{}: {contents}\n", visible(file)); // a string takes everything
    }

    /// Adds a line below the title.
    pub(super) fn fact(&mut self, label: &str, value: impl Display) {
        let _ = writeln!(self.top, "  {label:<12}{value}");
    }

    /// The whole text.
    pub(super) fn finish(mut self, folds: &[Fold]) -> String {
        if folds.is_empty() {
            self.fact("findings", "nothing");
        } else {
            self.top += "\nFindings\n";
        }
        for fold in folds {
            let more = words::when(
                fold.more() > 0,
                format!(" (and {} more)", number(fold.more())),
            );
            let (severity, what) = (fold.rule.severity().name(), fold.first.to_string());
            let _ = writeln!(self.top, "  {severity}: {}{more}", visible(&what));
        }
        self.top + &self.tables
    }
}

/// A table with a line for each item.
pub(in crate::cli::pchr) struct Table<'a, T> {
    title: &'a str,
    items: &'a [T],
    columns: Vec<Column<'a, T>>,
}

struct Column<'a, T> {
    header: &'a str,
    align: CellAlignment,
    cell: Box<dyn Fn(usize, &'a T) -> String + 'a>,
}

impl<'a, T> Table<'a, T> {
    pub(in crate::cli::pchr) fn new(title: &'a str, items: &'a [T]) -> Self {
        Self {
            title,
            items,
            columns: Vec::new(),
        }
    }

    /// Adds a column of item numbers.
    pub(super) fn numbered(self) -> Self {
        self.column("#", CellAlignment::Right, |index, _| index)
    }

    /// Adds a column that is aligned to the left.
    pub(in crate::cli::pchr) fn left<D: Display>(
        self,
        header: &'a str,
        cell: impl Fn(&'a T) -> D + 'a,
    ) -> Self {
        self.column(header, CellAlignment::Left, move |_, item| cell(item))
    }

    /// Adds a column that is aligned to the right.
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
    pub(super) fn write(self, page: &mut Page) {
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
