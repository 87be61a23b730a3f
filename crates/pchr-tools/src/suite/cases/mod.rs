//! The text of a suite, and the cases that it means: globs become files, and files get names.

pub(crate) mod file;
pub(crate) mod options;
pub(crate) mod patterns;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pchr::compare::Ignored;

use self::file::{CaseEntry, CompareLimits, Problems, Suite, SuiteText};
use self::options::{IgnoreCache, Options, Parsed, Unusable};
use self::patterns::{File, NoFiles, files, is_unread};
use crate::file_name;
use crate::files::{Companions, Kind, Reading};
use crate::run::input::{self, InputArgs, PictureError};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure};
use crate::session::{Session, SessionError, session_stem};
use crate::text::shell::Word;
use crate::text::slashed;
use crate::view::plan::PlanJob;
use crate::view::settings::Setting;
use crate::view::{Background, Output, RendererArgs, Shown};

/// One file with options.
#[derive(Debug)]
pub(crate) struct Case {
    /// Its folder in the baselines, with `/` between folders.
    pub(crate) name: String,
    /// Its line in the suite.
    pub(crate) line: usize,
    /// The file as written in the suite, with variables not expanded: the same on every machine.
    pub(crate) file: String,
    /// The file as a word of a command.
    pub(crate) typed: Word,
    pub(crate) path: PathBuf,
    pub(crate) input: InputArgs,
    /// Options as the suite gives them.
    pub(crate) options: Options,
    pub(crate) shown: Shown,
    pub(crate) by: RendererArgs,
    /// Paths of its pictures, relative to its folder of baselines.
    output: Output,
    pub(crate) limits: CompareLimits,
    /// True if its own table states a tolerance.
    pub(crate) tolerates: bool,
    /// True if a pattern matched the file.
    found: bool,
    /// True if the file exists.
    pub(crate) is_there: bool,
    /// Reasons why it cannot be drawn: a missing file, for example.
    pub(crate) faults: CaseFaults,
    /// True for a part of a pattern that could not be read, which may be a folder with any cases. It has no baselines.
    pub(crate) is_folder: bool,
    /// Pixels of its pictures that are not compared.
    pub(crate) ignored: Option<Arc<Ignored>>,
}

/// Reasons why a case cannot be drawn, each with its line in the suite.
#[derive(Debug, Default)]
pub(crate) struct CaseFaults {
    pub(crate) mistakes: Vec<(usize, String)>,
    /// The first file that could not be read, though it may exist.
    pub(crate) unread: Option<(usize, String)>,
}

impl CaseFaults {
    fn add(&mut self, line: usize, text: String, is_unread: bool) {
        match is_unread {
            true => drop(self.unread.get_or_insert((line, text))),
            false => self.mistakes.push((line, text)),
        }
    }
}

impl Case {
    pub(crate) fn plan(&self) -> PlanJob<'_> {
        PlanJob {
            folders: true,
            stem: input::stem(&self.path),
            ..PlanJob::new(&self.shown, std::slice::from_ref(&self.output))
        }
    }

    /// Returns its file, and the settings with which it is opened: equal for cases that share the opened file.
    pub(crate) fn source(&self) -> (&Path, bool, Companions) {
        let companions = self.shown.companions();
        (&self.path, self.input.allow_outside, companions)
    }

    /// Returns a name that no other case has, for reports.
    fn apart(&self) -> String {
        format!("{} ({}, line {})", self.name, self.file, self.line)
    }
}

/// Returns the cases of a suite, sorted by name.
///
/// A case whose file is missing has [`Case::faults`].
///
/// # Errors
/// [`Failure::Suite`] for every error in the text of the suite, regardless of the files.
pub(crate) fn expand(
    suite: &Suite,
    renderer: Option<&str>,
    messages: &Messages,
) -> Result<Vec<Case>, Failure> {
    let mut problems = suite.problems.clone();
    let mut cases = Vec::new();
    let mut beside = BesideCases::default();
    let mut note = |text: String| messages.note(&text);
    let all = suite.entries.iter();
    let all: Vec<_> =
        all.flat_map(|entry| shown_entries(suite, entry, &mut note, &mut problems)).collect();
    for ShownEntry { entry, session, mistake } in &all {
        let options = session.over_session(&entry.common.options);
        let mut options = suite.defaults.options.under(&options);
        if let Some(renderer) = renderer {
            options.put("renderer", renderer);
        } else if !options.settings.has("renderer") {
            options.put("renderer", "cpu");
        }
        let found = files(&suite.folder, &entry.file.text, &mut note);
        let is_absent = found.is_err();
        let found = match found {
            Ok(files) => files,
            Err(NoFiles::Mistake(text)) => {
                problems.add(entry.file.line, format!("file: {text}"));
                continue;
            }
            Err(NoFiles::Absent { path, text, is_unread }) => {
                let shown = entry.file.text.replace('\\', "/");
                let typed = Word::from(shown.as_str()); // nothing is drawn of it
                vec![File { path, typed, shown, part: None, mistake: Some(text), is_unread }]
            }
        };
        for mut file in found {
            file.mistake = file.mistake.or_else(|| mistake.clone());
            let case = case(suite, entry, &options, file, (&mut beside, &mut problems));
            cases.extend(case.map(|mut case| {
                if is_absent && entry.name.is_none() && unfit(&case.name).is_some() {
                    case.name.clone_from(&case.file); // a pattern
                }
                case
            }));
        }
    }
    unlike(&mut cases, &mut problems);
    problems.into_result()?;
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// An entry of the suite, with the options of the session that it shows.
struct ShownEntry {
    entry: CaseEntry,
    session: Options,
    /// Reason why the session, which is the entry's file then, cannot be shown.
    mistake: Option<String>,
}

/// Returns an entry for each session that an entry names; itself if it names none.
fn shown_entries(
    suite: &Suite,
    entry: &CaseEntry,
    note: &mut dyn FnMut(String),
    problems: &mut Problems,
) -> Vec<ShownEntry> {
    let plain = |entry| ShownEntry { entry, session: Options::default(), mistake: None };
    let Some(session) = &entry.session else { return vec![plain(entry.clone())] };
    let named = |file: &File| {
        let stem = session_stem(&file.shown).to_owned();
        let part =
            { file.part.as_ref() }.map(|part| slashed(&Path::new(part).with_file_name(&stem)));
        match (&entry.name, part) {
            (Some(name), Some(part)) => Some(format!("{}/{part}", name.text)),
            (Some(name), None) => Some(name.text.clone()),
            (None, Some(part)) => Some(part),
            (None, None) => Some(stem).filter(|_| entry.file.text.is_empty()),
        }
    };
    let text = |text| SuiteText { text, line: session.line };
    let shown = |file: File| {
        let saved = match &file.mistake {
            Some(mistake) => Err(mistake.clone()),
            None => saved(suite, &file, session.line),
        };
        let mut shown = plain(CaseEntry { name: named(&file).map(text), ..entry.clone() });
        match saved {
            Ok((name, options)) => {
                shown.session = options;
                if entry.file.text.is_empty() {
                    shown.entry.file = text(name);
                }
            }
            Err(why) => {
                shown.entry.file = text(file.shown);
                shown.mistake = Some(why);
            }
        }
        shown
    };
    match files(&suite.folder, &session.text, note) {
        Ok(sessions) => sessions.into_iter().map(shown).collect(),
        Err(NoFiles::Mistake(text)) => {
            problems.add(session.line, format!("session: {text}"));
            Vec::new()
        }
        // It is reported like a missing file, and keeps its baselines.
        Err(NoFiles::Absent { .. }) => {
            let stem = Some(session_stem(&session.text).to_owned());
            let stem = stem.filter(|stem| unfit(stem).is_none()).map(text);
            vec![plain(CaseEntry {
                name: entry.name.clone().or(stem),
                file: session.clone(),
                ..entry.clone()
            })]
        }
    }
}

/// Returns the file and the options of a session, relative to the suite; or its faults.
fn saved(suite: &Suite, session: &File, line: usize) -> Result<(String, Options), String> {
    let text = input::read_text(&suite.disk, &session.path);
    let text = text.map_err(|failure| failure.to_string())?;
    let name = Path::new(&session.shown).file_name().unwrap_or_default();
    let mut read = Session::parse(&text, Path::new(name)).map_err(|SessionError(faults)| {
        let worded = faults.iter().map(|(line, why)| format!("{}:{line}: {why}", session.shown));
        worded.collect::<Vec<_>>().join("; ")
    })?;
    let folder = session.path.parent().unwrap_or(Path::new(""));
    let folder = folder.strip_prefix(&suite.folder).unwrap_or(folder);
    { read.shown.paths_mut() }.for_each(|path| *path = folder.join(&*path));
    let mut settings = read.shown.settings();
    if read.reads_outside() {
        settings.put("allow-outside", Setting::Switch(true));
    }
    let folder = Path::new(&session.shown).parent();
    let file = slashed(&read.file).replace('$', "$$");
    let file = slashed(&folder.unwrap_or(Path::new("")).join(file));
    Ok((file, Options::of(settings, line)))
}

/// Pictures named by cases, each read once.
#[derive(Default)]
struct BesideCases {
    ignored: IgnoreCache,
    /// Reasons why backgrounds cannot be read, by path and largest size.
    backgrounds: BTreeMap<(PathBuf, Option<u64>), Option<Arc<PictureError>>>,
}

impl BesideCases {
    /// Returns the reason why the background of a case cannot be read.
    fn background(
        &mut self,
        disk: &Disk,
        path: &Path,
        args: InputArgs,
    ) -> Option<Arc<PictureError>> {
        let key = (path.to_owned(), args.max_size);
        let known = self.backgrounds.entry(key);
        let known =
            known.or_insert_with(|| input::background(disk, path, args).err().map(Arc::new));
        known.clone()
    }
}

fn case(
    suite: &Suite,
    entry: &CaseEntry,
    options: &Options,
    file: File,
    (beside, problems): (&mut BesideCases, &mut Problems),
) -> Option<Case> {
    let name = match (&entry.name, &file.part) {
        (Some(SuiteText { text, .. }), None) => text.clone(),
        (Some(SuiteText { text, .. }), Some(part)) => format!("{text}/{part}"),
        (None, Some(part)) => part.clone(),
        // Written as in the suite here too: values of variables must not appear in reports.
        (None, None) => file_name::plain_stem(Path::new(&file.shown)).replace("$$", "$"),
    };
    let line = entry.name.as_ref().map_or(entry.line, |name| name.line);
    let mut is_there = file.mistake.is_none();
    let mut faults = CaseFaults::default();
    if let Some(text) = &file.mistake {
        let line = if file.is_unread { line } else { entry.file.line };
        let key = entry.session.as_ref().map_or("file", |_| "session");
        faults.add(line, format!("{key}: {text}"), file.is_unread);
    }
    if let Some(reason) = unfit(&name) {
        let text = format!("the name {name:?} {reason}");
        if entry.name.is_some() && file.part.is_none() {
            problems.add(line, text);
        } else if is_there {
            // The name of a file: no mistake in the suite's text.
            faults.add(line, text, false);
            is_there = false; // its baselines have no folder
        }
    }
    if entry.common.mistaken || suite.defaults.mistaken {
        return None; // options that were not understood would be missing
    }
    let output = match options.text("animation") {
        Some("all") => "{animation}/{frame:04}.png",
        _ => "{frame:04}.png",
    };
    let parsed = options.parse().and_then(|parsed| Ok((parsed, output.parse()?)));
    let (parsed, output) = match parsed {
        Ok(parsed) => parsed,
        Err(text) => {
            problems.add(entry.line, text);
            return None;
        }
    };
    let Parsed { input, mut shown, by } = parsed;
    if let Some(Background::Picture(path)) = &mut shown.background {
        let shown = path.display().to_string();
        *path = suite.folder.join(&*path);
        if let Some(why) = beside.background(&suite.disk, path, input) {
            let line = options.line("background").unwrap_or(entry.line);
            let text = format!("background: cannot read {shown}: {why}");
            let is_unread = matches!(&*why, PictureError::Read(error) if is_unread(error));
            faults.add(line, text, is_unread);
        }
    }
    for path in shown.skeleton.iter_mut().chain(&mut shown.motion) {
        *path = suite.folder.join(&*path);
    }
    // These are read when it is drawn, but whether they can be read decides about other baselines.
    let fonts = shown.font.iter_mut().map(|path| ("font", path));
    let camera_of = shown.camera_of.iter_mut().map(|path| ("camera-of", path));
    for (key, path) in fonts.chain(camera_of) {
        let shown = path.display().to_string();
        *path = suite.folder.join(&*path);
        if let Err(error) = Reading::of(path, Kind::Document).open()
            && is_unread(&error)
        {
            let line = options.line(key).unwrap_or(entry.line);
            faults.add(line, format!("{key}: cannot read {shown}: {error}"), true);
        }
    }
    let ignore = entry.common.ignore.or(&suite.defaults.ignore);
    let size = shown.size();
    let ignored = (beside.ignored).get(&ignore, size, &suite.folder, &suite.disk);
    let ignored = ignored.unwrap_or_else(|unusable| {
        match unusable {
            Unusable::Regions(line, text) => problems.add(line, text),
            // A mask is a file: only its cases are wrong without it.
            Unusable::Mask(line, text, is_unread) => faults.add(line, text, is_unread),
        }
        None
    });
    Some(Case {
        name,
        line,
        file: file.shown,
        typed: file.typed,
        path: file.path,
        input,
        options: options.clone(),
        shown,
        by,
        output,
        limits: entry.common.limits.or(suite.defaults.limits),
        tolerates: entry.common.limits.tolerates(),
        is_folder: file.is_unread && file.part.is_some(),
        found: file.part.is_some(),
        is_there,
        faults,
        ignored,
    })
}

/// Returns the reason why a name, with `/` between folders, is invalid on some system.
fn unfit(name: &str) -> Option<String> {
    for part in name.split('/') {
        if part.is_empty() {
            return Some("has an empty part".to_owned());
        }
        if part.starts_with('.') {
            return Some("has a part that starts with a dot".to_owned());
        }
        if let Err(reason) = file_name::check(part) {
            return Some(format!("is not a valid folder on every system: {part:?} {reason}"));
        }
    }
    None
}

/// Checks that each case has its own folder, and that none contains another's. If a pattern matched one of the files, that case is
/// in error; else the text of the suite is.
fn unlike(cases: &mut [Case], problems: &mut Problems) {
    cases.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    let mut folders: BTreeMap<String, (String, String, bool)> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for case in cases {
        if case.is_folder || unfit(&case.name).is_some() {
            // It has no folder of baselines, only a name in reports.
            if !taken.insert(case.name.clone()) {
                case.name = case.apart();
            }
            continue;
        }
        let folded = file_name::key(&case.name);
        let nearest = |folder: &str| folders.get(folder).cloned();
        let mut above = folded.as_str();
        let mut outer = None;
        while let Some((parent, _)) = above.rsplit_once('/') {
            above = parent;
            outer = outer.or_else(|| nearest(above));
        }
        let inner = folders.range(format!("{folded}/")..format!("{folded}0")).next();
        let same = nearest(&folded);
        let (text, found) = match (same, outer, inner) {
            (Some((name, file, found)), _, _) => (called_alike(&name, &file, case), found),
            (None, Some((outer, _, found)), _) => (lies_among(&case.name, &outer), found),
            (None, None, Some((_, (inner, _, found)))) => (lies_among(inner, &case.name), *found),
            (None, None, None) => {
                folders.insert(folded, (case.name.clone(), case.file.clone(), case.found));
                continue;
            }
        };
        if found || case.found {
            case.faults.add(case.line, text, false);
            case.is_there = false; // it has no folder
            case.name = case.apart();
        } else {
            problems.add(case.line, text);
        }
    }
}

fn called_alike(first: &str, first_file: &str, case: &Case) -> String {
    let called = match first == case.name {
        true => format!("two cases are named {first:?}"),
        false => format!(
            "two cases are named {first:?} and {:?}, which are the same folder on some systems",
            case.name
        ),
    };
    let files = match first_file == case.file {
        true => String::new(),
        false => format!(" ({first_file} and {})", case.file),
    };
    format!("{called}{files}; give each its own name = \"...\"")
}

fn lies_among(inner: &str, outer: &str) -> String {
    format!("the baselines of {inner:?} would lie among those of {outer:?}; rename one")
}
