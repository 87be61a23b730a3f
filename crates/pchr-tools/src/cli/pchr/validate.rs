//! `pchr validate`: every finding about every file, folded, in the form that a person or a program reads best.
//!
//! The files are those named on the command line: a folder means the characters, atlases and motions in it, and a pattern the files that
//! match it. [`verdict`] has the findings about one and selects rules; the others write it down, each in its format.

mod budget;
mod json_and_sarif;
mod text;
mod verdict;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use globset::GlobBuilder;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use pchr::bytes::Budget;

use self::budget::Limits;
use self::verdict::{FileVerdict, FilterArgs, Grade};
use crate::cli::check_one_stdin;
use crate::cli::pchr::content;
use crate::run::input::{self, InputArgs, name, unreadable};
use crate::run::messages::Messages;
use crate::run::output::{make_folders, write_json, write_text};
use crate::run::walk::{BROKEN, CIRCLE, FoundFiles, is_hidden, leads_into};
use crate::run::{Disk, Failure};
use crate::text::slashed;

pub(super) use json_and_sarif::FileReport;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr validate hero.pchr
  pchr validate --strict art/                   # everything below art; warnings fail, too
  pchr validate --json art/*.pchr | jq '.[] | select(.verdict != \"valid\") | .file'
  pchr validate --sarif art/ > pchr.sarif       # for code scanning
  pchr validate --junit report.xml art/         # one test case per file; also prints the text
  pchr validate --ignore uv-range,PCHR-W123 hero.pchr
  pchr validate --motion-quality art/           # also notes loops and frames that jump
  pchr validate --strict --only motion-loop,motion-pop art/    # fails on them
  pchr validate --budget vertices=4000,bones=80,draws=12,atlas=2048x2048,memory=16MB,overdraw=3 art/

Findings of one rule are grouped, with a count and the first three places; -v lists up to 100 places, and what to do about them. -q lists only files that fail. docs/RULES.md explains each rule.

Exit codes: 0 all files pass, 1 a file could not be read (whatever the others contain), 2 usage, 4 errors or, with --strict, warnings")]
pub(super) struct ValidateArgs {
    /// Files, patterns like 'art/*.pchr', or folders (at any depth: .pchr, .pct, .seanim, .seanim.json, .anm.pxd, .skl.pxd, .glb and
    /// .gltf files, and .json files with characters); - reads a file from standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print a JSON array with an object for each file
    #[arg(long, group = "format")]
    json: bool,
    /// Print a SARIF 2.1.0 log
    #[arg(long, group = "format")]
    sarif: bool,
    /// Also write a JUnit report, creating its folder; - prints it instead
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Also fail on warnings
    #[arg(long)]
    strict: bool,
    /// Also check that animations are smooth: loops that jump, and frames on which a bone's speed is out of line. These are notes,
    /// which --strict only counts if --only names them
    #[arg(long)]
    motion_quality: bool,
    /// Fail on files that cost more than these limits, or those in a TOML file: vertices, bones, draws, atlas (WIDTHxHEIGHT of an
    /// image), memory (on a graphics device), overdraw (mean layers of a covered pixel)
    #[arg(long, value_name = "KEY=LIMIT,...|FILE")]
    budget: Option<String>,
    #[command(flatten)]
    filter: FilterArgs,
    /// List at most N broken rules for each file; all are counted
    #[arg(long, value_name = "N")]
    max_findings: Option<usize>,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &ValidateArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let junit_on_stdout = args.junit.as_deref() == Some(Path::new("-"));
    if junit_on_stdout && (args.json || args.sarif) {
        let text =
            "--junit - cannot be combined with --json or --sarif: both write to standard output";
        return Err(Failure::Usage(text.into()));
    }
    let report = ValidateRun::new(args, messages, disk)?;
    if !junit_on_stdout {
        disk.check(args.junit.as_deref())?;
    }
    if report.outcomes.len() > 1 {
        let failures = report.outcomes.iter().filter_map(|o| o.verdict.as_ref().err());
        failures.for_each(|failure| messages.failure(failure));
    }
    if let Some(path) = &args.junit {
        let xml = text::render_junit(&report)?;
        if junit_on_stdout {
            write_text(xml.as_bytes())?;
        } else {
            make_folders([path.as_path()])?;
            disk.write(path, xml.as_bytes())?;
        }
    }
    if args.json {
        write_json(&json_and_sarif::file_reports(&report))?;
    } else if args.sarif {
        write_json(&json_and_sarif::sarif(&report))?;
    } else if !junit_on_stdout {
        write_text(text::render(&report, messages).as_bytes())?;
    }
    report.finish()
}

/// The request and its results.
struct ValidateRun<'a> {
    args: &'a ValidateArgs,
    outcomes: Vec<FileOutcome>,
}

struct FileOutcome {
    path: PathBuf,
    verdict: Result<FileVerdict, Failure>,
    /// Time spent reading and checking it.
    time: Duration,
}

impl FileOutcome {
    /// Name of the file in messages.
    fn name(&self) -> String {
        input::name(&self.path)
    }
}

impl<'a> ValidateRun<'a> {
    /// Judges the files, several at once; they stay in order.
    fn new(args: &'a ValidateArgs, messages: &Messages, disk: &Disk) -> Result<Self, Failure> {
        let limits = args.budget.as_ref().map(|text| Limits::read(text, disk)).transpose()?;
        let files = listed(&args.files, messages)?;
        let alone = files.len() == 1;
        let judge = |path: &Path, found: Result<(), Failure>, budget: &Budget| {
            let start = Instant::now();
            let verdict = found
                .and_then(|()| FileVerdict::of(disk, path, alone, (args, limits.as_ref()), budget));
            FileOutcome { path: path.to_owned(), verdict, time: start.elapsed() }
        };
        // Files that are read at the same time share the memory that one file may use.
        let all = Arc::new(Budget::default());
        let judged = files.into_par_iter().map(|(path, found)| {
            let again = path != Path::new("-"); // stdin can be read only once
            let budget = if again { all.share() } else { Budget::default() };
            let outcome = judge(&path, found, &budget);
            (outcome, budget.was_crowded())
        });
        let mut judged: Vec<_> = judged.collect();
        // A file whose images found no room beside others has another turn, alone: what is found never depends on
        // what else is checked.
        for (outcome, crowded) in &mut judged {
            if *crowded {
                *outcome = judge(&outcome.path, Ok(()), &Budget::default());
            }
        }
        let outcomes = judged.into_iter().map(|(outcome, _)| outcome).collect();
        Ok(Self { args, outcomes })
    }

    fn verdicts(&self) -> impl Iterator<Item = (&FileOutcome, &FileVerdict)> {
        self.outcomes.iter().filter_map(|o| Some((o, o.verdict.as_ref().ok()?)))
    }

    /// Number of files with a verdict.
    fn graded(&self, grade: Grade) -> usize {
        self.verdicts().filter(|(_, verdict)| verdict.grade() == grade).count()
    }

    /// Number of files without one.
    fn unread(&self) -> usize {
        self.outcomes.iter().filter(|o| o.verdict.is_err()).count()
    }

    /// Returns true if a file with this verdict fails the run.
    fn fails(&self, grade: Grade) -> bool {
        grade == Grade::Invalid || (self.args.strict && grade == Grade::Warnings)
    }

    /// Returns the reason why the run failed. An unreadable file takes precedence over an invalid one: without it the answer is
    /// incomplete.
    fn failure(&self) -> Option<Failure> {
        let graded = |grade| {
            if self.fails(grade) { self.graded(grade) } else { 0 }
        };
        let counts = [
            (self.unread(), "could not be read", "could not be read"),
            (graded(Grade::Invalid), "is invalid", "are invalid"),
            (graded(Grade::Warnings), "has warnings", "have warnings"),
        ];
        let mut text = String::new();
        for (count, one, many) in counts.into_iter().filter(|(count, ..)| *count > 0) {
            let subject = match (text.as_str(), self.outcomes.as_slice()) {
                ("", [only]) => only.name(),
                ("", all) => format!("{count} of {} files", all.len()),
                _ => format!(", {count}"),
            };
            text += &format!("{subject} {}", if count == 1 { one } else { many });
        }
        match (self.unread(), text.is_empty()) {
            (0, true) => None,
            (0, false) => Some(Failure::Rejected(text)),
            _ => Some(Failure::Running(anyhow::Error::msg(text))),
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        let failure = self.failure();
        match (failure, self.outcomes.pop()) {
            (Some(_), Some(FileOutcome { verdict: Err(only), .. })) if self.outcomes.is_empty() => {
                Err(only)
            }
            (Some(failure), _) => Err(failure),
            (None, _) => Ok(()),
        }
    }
}

/// Characters that make a path a pattern.
const WILD: [char; 4] = ['*', '?', '[', '{'];

/// A file; or a folder that cannot be searched, or a pattern that nothing matches, and why.
type NamedFile = (PathBuf, Result<(), Failure>);

/// The files in the order given, those of a folder or pattern sorted by path; or why there are none. Folders that are skipped are
/// notes.
fn listed(given: &[PathBuf], messages: &Messages) -> Result<Vec<NamedFile>, Failure> {
    check_one_stdin(given)?;
    let mut files = Vec::new();
    for path in given {
        let found = if path.is_dir() {
            let none = format!("no {}; to check other JSON, name the file", content::IN_FOLDERS);
            search((path.as_path(), usize::MAX), &[], path, messages, &none, &content::is_in)
        } else if !path.exists() && slashed(path).contains(WILD) {
            matching(path, messages)
        } else {
            Ok(vec![(path.clone(), Ok(()))]) // a missing file is reported when it is read
        };
        match found {
            Ok(found) => files.extend(found),
            Err(usage @ Failure::Usage(_)) => return Err(usage),
            Err(failure) => files.push((path.clone(), Err(failure))),
        }
    }
    Ok(files)
}

/// The files that match a pattern which no shell has expanded: some have none to do so.
fn matching(pattern: &Path, messages: &Messages) -> Result<Vec<NamedFile>, Failure> {
    let whole = slashed(pattern);
    let parts: Vec<&str> = whole.split('/').collect();
    let first = parts.iter().position(|part| part.contains(WILD));
    let (base, rest) = parts.split_at(first.unwrap_or(0));
    let folder = match base {
        [] => PathBuf::from("."),
        [""] => PathBuf::from("/"),
        base => PathBuf::from(base.join("/")),
    };
    let glob = GlobBuilder::new(&rest.join("/")).literal_separator(true).build();
    let glob = glob.map_err(|error| Failure::Usage(format!("{whole}: {}", error.kind())))?;
    let glob = glob.compile_matcher();
    let wanted = |path: &Path| {
        let inside = path.strip_prefix(&folder).unwrap_or(path);
        // As in shells, a star does not match names that begin with a dot.
        let hidden = inside.components().zip(rest).any(|(part, pattern)| {
            part.as_os_str().as_encoded_bytes().starts_with(b".") && !pattern.starts_with('.')
        });
        glob.is_match(slashed(inside)) && !hidden
    };
    let depth = if whole.contains("**") { usize::MAX } else { rest.len() };
    let mut files =
        search((folder.as_path(), depth), rest, pattern, messages, "no file matches", &wanted)?;
    if base.is_empty() {
        for (path, _) in &mut files {
            *path = path.strip_prefix(".").unwrap_or(path).to_owned();
        }
    }
    Ok(files)
}

/// Returns the files in a folder, to a depth, that are `wanted`, and parts that could not be read and may have such files. `given` is the path on
/// the command line, and `pattern` what of it is below the folder: nothing for all files.
fn search(
    (folder, depth): (&Path, usize),
    pattern: &[&str],
    given: &Path,
    messages: &Messages,
    none: &str,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<Vec<NamedFile>, Failure> {
    let cannot = || format!("cannot read {}", name(given));
    let found = FoundFiles::of(folder, depth).with_context(cannot)?;
    for path in &found.circles {
        messages.note(&format!("skipped {}: {CIRCLE}", name(path)));
    }
    // A broken link is listed like a file, where reading it reports the error, or like a folder.
    let (links, broken): (Vec<_>, Vec<_>) =
        found.dangling.into_iter().partition(|path| wanted(path));
    let files = found.files.into_iter().filter(|path| wanted(path));
    let mut files: Vec<NamedFile> = files.chain(links).map(|file| (file, Ok(()))).collect();
    let broken = broken.into_iter().filter(|path| !is_hidden(path));
    let broken = broken.map(|path| (path, BROKEN.to_owned()));
    let unread = found.unread.into_iter().map(|(path, error)| (path, error.to_string()));
    for (path, why) in unread.chain(broken) {
        let inside = path.strip_prefix(folder).unwrap_or(&path);
        if leads_into(pattern, inside) {
            let failure = unreadable(&name(&path), &why);
            files.push((path, Err(failure)));
        }
    }
    if files.is_empty() {
        return Err(anyhow::Error::msg(none.to_owned()).context(cannot()).into());
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(files)
}
