//! `pchr diff`: changes between two files of any kind and format, in words or as JSON.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use pchr::diff::{Change, ChangeKind, ClipDiff, Diff, ElementKind};

use super::inspect::name;
use crate::changes::{DiffReport, Version, change_words, clip_words, compare, section_name, unit};
use crate::cli::check_one_stdin;
use crate::files::Companions;
use crate::run::input::{self, InputArgs, is_stdin};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output, prepare};
use crate::text::words::count;

/// Bones of an animation whose keys are listed without -v.
const LINES: usize = 6;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr diff old.pchr new.pchr
  pchr diff -v old.pchr new.pchr                # every bone whose keys differ
  pchr diff hero.json hero.pchr                 # in two formats
  pchr diff --json old.pchr new.pchr | jq -r .summary
  pchr diff - new.pchr < old.pchr

Images, bones, meshes and animations are matched by name; what has another name but the same content counts as renamed. Frames that both have are compared one by one: how far a vertex or bone is moved, and whether the picture differs. Pictures are drawn by the CPU renderer, at a pixel a unit if no side exceeds 512 pixels; up to 2 of 255 in a channel is not visible.

A motion is compared on its skeleton, if that lies beside it. docs/TOOLS.md shows how git diff and git difftool show changes.

Exit codes: 0 the same content, 1 failed while running, 2 usage, 3 the content differs, visibly or not, 4 invalid input file")]
pub(super) struct DiffArgs {
    /// The file before; - reads it from standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The file after; - reads it from standard input
    #[arg(value_name = "NEW")]
    new: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Print a JSON report; `pchr schema diff` prints its schema
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &DiffArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let paths = [&args.old, &args.new];
    check_one_stdin(paths)?;
    let names = paths.map(|path| input::name(path));
    let open = |path: &PathBuf, name: &str| {
        let opened = input::open(disk, path, name, args.input, &Companions::NONE)?;
        let (images, _) = prepare::decode(&opened, name)?;
        Ok::<_, Failure>(Version::new(opened.subject, images))
    };
    let (old, new) = (open(&args.old, &names[0])?, open(&args.new, &names[1])?);
    let same_bytes = has_same_bytes(args, disk);
    let diff = compare(&old, &new);
    let unit = unit(&*new.subject);
    if args.json {
        output::write_json(&DiffReport::new(names.clone(), same_bytes, &diff, unit))?;
    } else {
        let text =
            DiffText { names: &names, same_bytes, diff: &diff, unit, verbose: messages.verbose };
        output::write_text(text.render().as_bytes())?;
    }
    if diff.is_same_content() {
        return Ok(());
    }
    let [old, new] = names;
    Err(Failure::Differ(format!("{old} and {new} differ")))
}

/// The changes as text.
struct DiffText<'a> {
    names: &'a [String; 2],
    same_bytes: bool,
    diff: &'a Diff,
    unit: &'a str,
    verbose: bool,
}

impl DiffText<'_> {
    fn render(&self) -> String {
        let [old, new] = self.names;
        let mut text = format!("{old} -> {new}: {}\n", self.verdict());
        let kinds = [ElementKind::Image, ElementKind::Bone, ElementKind::Mesh, ElementKind::Clip];
        for kind in kinds {
            self.section(kind, &mut text);
        }
        text
    }

    fn verdict(&self) -> String {
        if self.same_bytes {
            return "the same bytes".into();
        }
        if self.diff.is_same_content() {
            return "no visible change: only bytes differ".into();
        }
        let mut elements: Vec<_> = self.diff.changes.iter().map(|change| &change.element).collect();
        elements.dedup();
        let elements = match elements.len() {
            0 => "no element differs".to_owned(),
            some => count(some, "element differs", "elements differ"),
        };
        let largest = self.diff.largest().map(|(clip, movement)| {
            let clip = clip.clip.as_ref().map(|clip| format!(" of {}", name(&clip.name)));
            let clip = clip.map(|clip| format!(", frame {}{clip}", movement.frame));
            let (part, clip) = (name(&movement.part.name), clip.unwrap_or_default());
            format!(
                "; the largest movement is {:.2} {} ({part}{clip})",
                movement.distance, self.unit
            )
        });
        let visible = if self.diff.is_visible() { "" } else { "; no visible change" };
        format!("{elements}{}{visible}", largest.unwrap_or_default())
    }

    fn section(&self, kind: ElementKind, text: &mut String) {
        let changes = self.diff.changes.iter().filter(|change| change.element.kind == kind);
        let mut changes: Vec<&Change> = changes.collect();
        let clips = self.diff.clips.iter().filter(|_| kind == ElementKind::Clip);
        let clips: Vec<&ClipDiff> = clips.collect();
        let rate = one_rate(&changes);
        if rate.is_some() {
            changes.retain(|change| !is_rate(change));
        }
        if changes.is_empty() && clips.is_empty() && rate.is_none() {
            return;
        }
        let _ = writeln!(text, "{}", section_name(kind)); // a string takes everything
        if let Some(rate) = rate {
            let _ = writeln!(text, "  all: {rate}");
        }
        for changes in changes.chunk_by(|a, b| a.element == b.element) {
            let Some(first) = changes.first() else { continue };
            let clip = clips.iter().find(|clip| clip.clip.as_ref() == Some(&first.element));
            let (keys, others): (Vec<&Change>, Vec<&Change>) =
                changes.iter().partition(|change| matches!(change.kind, ChangeKind::Keys { .. }));
            let lines = others.iter().map(|change| change_words(&change.kind));
            let effects = clip.into_iter().flat_map(|clip| clip_words(clip, self.unit));
            let mut lines: Vec<String> = lines.chain(effects).collect();
            let shown = if self.verbose { keys.len() } else { LINES };
            lines.extend(keys.iter().take(shown).map(|change| change_words(&change.kind)));
            if let more @ 1.. = keys.len().saturating_sub(shown) {
                lines.push(format!("{} more; -v lists all", count(more, "bone", "bones")));
            }
            element(text, &first.element.name, &lines);
        }
        for clip in clips {
            let is_listed = |change: &&Change| clip.clip.as_ref() == Some(&change.element);
            if !changes.iter().any(is_listed) {
                let name = clip.clip.as_ref().map_or("at rest", |clip| &clip.name);
                element(text, name, &clip_words(clip, self.unit));
            }
        }
    }
}

fn is_rate(change: &Change) -> bool {
    matches!(change.kind, ChangeKind::Rate(..))
}

/// Returns the change of the frame rate in words, if it is that of several animations: the whole file's.
fn one_rate(changes: &[&Change]) -> Option<String> {
    let mut rates = changes.iter().filter(|change| is_rate(change));
    let first = rates.next()?;
    let others: Vec<_> = rates.collect();
    let is_one = !others.is_empty() && others.iter().all(|other| other.kind == first.kind);
    is_one.then(|| change_words(&first.kind))
}

/// Writes an element and what is said of it.
fn element(text: &mut String, element: &str, lines: &[String]) {
    let _ = match lines {
        [line] => writeln!(text, "  {}: {line}", name(element)),
        lines => writeln!(text, "  {}:\n    {}", name(element), lines.join("\n    ")),
    };
}

/// Returns true if both files can be read again and have the same bytes.
fn has_same_bytes(args: &DiffArgs, disk: &Disk) -> bool {
    let bytes = |path: &PathBuf| match is_stdin(path) {
        true => None,
        false => input::bytes(disk, path, &input::name(path), args.input).ok(),
    };
    let old = bytes(&args.old);
    old.is_some() && old == bytes(&args.new)
}
