//! `pchr inspect`: the contents of a file, for people and for programs. As text a report is a page: a title, a line for each fact,
//! findings, and tables in plain columns; names and numbers are as people read them.

mod atlas;
mod character;
mod gltf;
mod motion;
mod pxd;

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, presets};
use indicatif::HumanBytes;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::{Findings, Severity};

pub(super) use self::atlas::AtlasInspection;
pub(super) use self::character::CharacterInspection;
pub(super) use self::gltf::GltfInspection;
pub(super) use self::motion::MotionInspection;
pub(super) use self::pxd::PxdInspection;

use crate::cli::pchr::content::{self, Content};
use crate::cli::pchr::report::Fold;
use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::text::visible;
use crate::text::words::{count, number, share};

/// Lines of a table that is not shown whole.
const LISTED: usize = 40;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr inspect hero.pchr
  pchr inspect --images hero.pchr
  pchr inspect --all hero.pchr | less
  pchr inspect --json hero.pchr | jq -r '.animations[] | [.name, .frameCount, .seconds] | @tsv'
  pchr inspect --json hero.pchr | jq -r '.meshes[] | select(.owner == 3).name'
  pchr inspect - < hero.pchr
  pchr inspect hero.pct
  pchr inspect --json hero.pct | jq -r '.totals.fillPercent, .asJson.smallerPercent'
  pchr inspect walk.seanim
  pchr inspect --json walk.seanim | jq -r '.tracks[] | [.name, .rotation.keys] | @tsv'
  pchr inspect walk.anm.pxd
  pchr inspect hero.glb
  pchr inspect --json walk.anm.pxd | jq '.animation.clips[0].tracks[].rotation.bits.max'

Byte ranges exclude their end: 0x0c..0x2f is 0x23 bytes from 0x0c. Lengths and bounds are in world pixels, Y up. The bounds of an animation cover what is drawn in all of its frames. Names longer than 120 characters end in … (--json has them in full); names with invisible characters are quoted and escaped. -q leaves out the tables, -v lists everything.

For an atlas: pages with the real sizes of their images, blocks, flip-books, folders, aliases and sprites; how full the pages are; and how much smaller its text is than compact JSON.

For a 3D motion: header, sections, the keys of each bone and whether they are sorted, modifiers, and notes by frame.

For a PXD animation: its container; for each clip compressed with ACL, its formats, its size compared with raw samples, its segments, and the storage and bit rates of each track; for an uncompressed clip, the keys of each bone. For a PXD skeleton: its bones with their parents and rest transforms.

With only warnings, the exit code is still 0. If a file cannot be loaded, only its errors are printed, and the exit code is 4. With --images, an image that does not decode also gives exit code 4, after everything is printed.")]
pub(super) struct InspectArgs {
    /// The file; - reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Print everything as JSON. `pchr schema inspect` prints its schema; for other files: `pchr schema inspect-atlas`,
    /// `inspect-motion`, `inspect-pxd` and `inspect-gltf`
    #[arg(long)]
    json: bool,
    /// Also decode the images: real sizes, colour types, percentages of opaque, translucent and transparent pixels
    #[arg(long)]
    images: bool,
    /// List everything, like -v; otherwise long tables end after 40 lines, with the number of lines left out
    #[arg(long)]
    all: bool,
}

pub(super) fn run(args: &InspectArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let limit = match (messages.quiet, args.all || messages.verbose) {
        (true, _) => 0,
        (false, true) => usize::MAX,
        (false, false) => LISTED,
    };
    match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => {
            let measured = character::MeasuredCharacter::new(&input, args.images);
            measured.remark().iter().for_each(|it| messages.note(it));
            let folds = Fold::all(&measured.findings);
            let (source, size) = (input.document.source(), input.document.bytes().len() as u64);
            let packed = if source.id() == "pchr" { "," } else { "; packed to PCHR v1 it takes" };
            let title = title(&input.name, &format!("{}{packed}", source.name()), size);
            let report = character::report(&measured, &folds);
            write(&report, character::describe, title, &folds, args, limit)?;
            refuse_errors(&input.name, measured.findings)
        }
        Content::Atlas(file) => {
            let sheet = file.sheet(disk);
            let findings = atlas::check(&sheet, args.images);
            let folds = Fold::all(&findings);
            let format = file.read.format.name();
            let title = title(&file.name, &format!("{format},"), file.text.len() as u64);
            let report = atlas::report(&file, &sheet, &folds)?;
            write(&report, atlas::describe, title, &folds, args, limit)?;
            refuse_errors(&file.name, findings)
        }
        Content::Motion(input) => {
            let folds = Fold::all(&input.file.warnings);
            let title = title(&input.name, &format!("{},", input.file.format.name()), input.size);
            write(&motion::report(&input, &folds), motion::describe, title, &folds, args, limit)
        }
        Content::Pxd(input) => {
            let folds = Fold::all(&input.file.warnings);
            let kind = input.file.content.kind().name();
            let title = title(&input.name, &format!("{kind},"), input.size);
            write(&pxd::report(&input, &folds), pxd::describe, title, &folds, args, limit)
        }
        Content::Gltf(input) => {
            let folds = Fold::all(&input.file.warnings);
            let title = title(&input.name, "glTF 2.0,", input.size);
            write(&gltf::report(&input, &folds), gltf::describe, title, &folds, args, limit)
        }
    }
}

/// Writes a report: serialised, it is the JSON; described, the text. `describe` adds facts and tables to a page that begins with the
/// title.
fn write<Report: Serialize>(
    report: &Report,
    describe: fn(&Report, &mut TextPage),
    title: String,
    folds: &[Fold],
    args: &InspectArgs,
    limit: usize,
) -> Result<(), Failure> {
    if args.json {
        return output::write_json(report);
    }
    // Each table ends after `limit` lines, and there are none if it is 0.
    let mut page = TextPage { top: title, tables: String::new(), limit };
    describe(report, &mut page);
    Ok(output::write_text(page.finish(folds).as_bytes())?)
}

/// The title of a report: the file, its format and size.
fn title(file: &str, format: &str, size: u64) -> String {
    format!("{}: {format} {}\n\n", visible(file), exact_bytes(size))
}

/// Fails if there is an error: an image that does not decode.
fn refuse_errors(file: &str, findings: Findings) -> Result<(), Failure> {
    match findings.total(Severity::Error) {
        0 => Ok(()),
        _ => Err(Failure::Invalid { file: file.to_owned(), findings }),
    }
}

/// Number of times that each index below `len` occurs.
fn tally(len: usize, indices: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut tally = vec![0; len];
    for index in indices {
        if let Some(count) = tally.get_mut(index) {
            *count += 1;
        }
    }
    tally
}

/// Longer names are cut off in tables, so that one name does not lengthen every line; JSON has the whole name.
const LONGEST_NAME: usize = 120;

/// A run of bytes: of the file or, if it is a text, of the equivalent binary file: PCHR v1 or SEAnim.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
struct ByteRange {
    /// The first byte, counted from 0.
    offset: u64,
    /// Number of bytes.
    length: u64,
}

impl From<Range<u64>> for ByteRange {
    fn from(range: Range<u64>) -> Self {
        Self { offset: range.start, length: range.end.saturating_sub(range.start) }
    }
}

/// Returns a name unchanged if it is readable; otherwise in quotes, with hidden characters escaped.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    let cut = name.char_indices().nth(LONGEST_NAME);
    let (head, more) = cut.map_or((name, ""), |(at, _)| (name.get(..at).unwrap_or_default(), "…"));
    let quoted = format!("{head:?}");
    let plain = quoted.len() == head.len() + 2 && !head.is_empty() && head.trim() == head;
    if plain && more.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(quoted + more) }
}

/// A value, or `-` for none.
fn or_none(value: Option<impl Display>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

/// Index and name of an item, or `-` for none.
fn reference<T>(index: Option<impl Into<u32>>, items: &[T], of: impl FnOnce(&T) -> &str) -> String {
    or_none(index.map(|index| {
        let index = index.into();
        let item = items.get(index as usize);
        format!("{index} {}", item.map(|it| name(of(it))).unwrap_or_default())
    }))
}

/// The text if the condition holds, or nothing.
fn when(holds: bool, text: impl Display) -> String {
    if holds { text.to_string() } else { String::new() }
}

/// `46.53 KiB`.
fn bytes(bytes: u64) -> String {
    HumanBytes(bytes).to_string()
}

/// `46.53 KiB (47,645 bytes)`.
fn exact_bytes(size: u64) -> String {
    let exact = count(size, "byte", "bytes");
    if size < 1024 { exact } else { format!("{} ({exact})", bytes(size)) }
}

/// Returns a writer of byte ranges in a file of this size, all equally long: `0x0c..0x2f`, the end excluded.
fn ranges(size: u64) -> impl Fn(ByteRange) -> String {
    let digits = format!("{size:x}").len() + 2;
    move |ByteRange { offset, length }| {
        let end = offset.saturating_add(length);
        format!("{offset:#0digits$x}..{end:#0digits$x}")
    }
}

/// `3.08 s`.
fn seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

/// `640 x 480`.
fn by([width, height]: [impl Display; 2]) -> String {
    format!("{width} x {height}")
}

/// Columns in front of every line, and between two columns of a table.
const GAP: u16 = 2;

/// Text of a report, under construction.
#[derive(Debug)]
struct TextPage {
    /// Title and facts.
    top: String,
    tables: String,
    /// Lines of a table that are shown.
    limit: usize,
}

impl TextPage {
    /// Adds a line below the title.
    fn fact(&mut self, label: &str, value: impl Display) {
        let _ = writeln!(self.top, "  {label:<12}{value}"); // a string takes everything
    }

    fn finish(mut self, folds: &[Fold]) -> String {
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
pub(super) struct TextTable<'a, T> {
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
    pub(super) fn new(title: &'a str, items: &'a [T]) -> Self {
        Self { title, items, columns: Vec::new() }
    }

    fn numbered(self) -> Self {
        self.column("#", CellAlignment::Right, |index, _| index)
    }

    pub(super) fn left<D: Display>(self, header: &'a str, cell: impl Fn(&'a T) -> D + 'a) -> Self {
        self.column(header, CellAlignment::Left, move |_, item| cell(item))
    }

    pub(super) fn right<D: Display>(self, header: &'a str, cell: impl Fn(&'a T) -> D + 'a) -> Self {
        self.column(header, CellAlignment::Right, move |_, item| cell(item))
    }

    fn column<D: Display>(
        mut self,
        header: &'a str,
        align: CellAlignment,
        cell: impl Fn(usize, &'a T) -> D + 'a,
    ) -> Self {
        let cell = Box::new(move |index, item| cell(index, item).to_string());
        self.columns.push(Column { header, align, cell });
        self
    }

    /// An empty line, the title, and a line for each of the first items.
    pub(super) fn text(&self, limit: usize) -> String {
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
    fn write(self, page: &mut TextPage) {
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
