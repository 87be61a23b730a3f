//! Text in plain columns: no lines, no wrapping and no truncation.

use std::fmt::Write as _;

use crate::text::words::number;
use comfy_table::{Cell, CellAlignment, Table, presets};

/// Columns in front of every line, and between two columns of a table.
const GAP: u16 = 2;

/// Alignment of a column's text.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) enum Align {
    Left,
    Right,
}

/// Writes an empty line, a title, and a table below it.
pub(super) fn grid<const N: usize>(
    out: &mut String,
    title: &str,
    header: [(&str, Align); N],
    rows: Vec<[String; N]>,
) {
    table(
        out,
        title,
        header.to_vec(),
        rows.into_iter().map(Vec::from).collect(),
    );
}

/// Does the same with any number of columns, the same in each row.
pub(in crate::cli::pchr) fn table(
    out: &mut String,
    title: &str,
    header: Vec<(&str, Align)>,
    rows: Vec<Vec<String>>,
) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header.iter().map(|(text, _)| *text));
    for row in rows {
        table.add_row(row.into_iter().map(Cell::new_owned));
    }
    for (column, (_, align)) in table.column_iter_mut().zip(header) {
        column.set_padding((GAP, 0));
        column.set_cell_alignment(match align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
    }
    let _ = writeln!(out, "\n{title}"); // a string takes everything
    for line in table.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Lines of a table that is not shown whole.
pub(super) const LISTED: usize = 40;

/// Writes the first rows of a table, or all of them; says how many are left out. Nothing is written without any.
pub(super) fn list<const N: usize>(
    out: &mut String,
    title: &str,
    header: [(&str, Align); N],
    count: usize,
    all: bool,
    rows: impl Iterator<Item = [String; N]>,
) {
    if count == 0 {
        return;
    }
    let listed = if all { count } else { count.min(LISTED) };
    grid(out, title, header, rows.take(listed).collect());
    if count > listed {
        let left_out = number(count - listed);
        let _ = writeln!(out, "  … {left_out} more; list them with --all");
    }
}
