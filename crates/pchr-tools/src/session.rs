//! Sessions: views saved as `NAME.pchr-view.toml`, with the shown files relative to it.
//!
//! ```toml
//! # View of hero.pchr, saved by pchr-view
//! file = "hero.pchr"
//! animation = "walk"
//! frame = 12
//! center = [0, 120.5]
//! zoom = 1.5
//! hide = ["*shadow"]
//!
//! [window]
//! speed = 0.5
//! ```
//!
//! The table `window` has the options of [`Playing`], which captures leave out. A stage has tables `[[character]]` in place of `file`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::{Args, Command};
use schemars::Schema;
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

use super::stage::{Layout, members as stage};
use super::text::slashed;
use super::text::words::toml_text;
use super::view::option_rules::{self, form, grammar, over_session};
use super::view::settings::{Form, Misread, Setting, Settings};
use super::view::{MARKS, Mark, PLAYING_MARKS, Playing, Shown};

/// Key of the table of [`Playing`].
const WINDOW: &str = "window";

/// Keys that are no options.
const KEYS: [&str; 4] = ["file", "allow-outside", WINDOW, stage::CHARACTER];

mod look;

pub use self::look::{FOLDER_LOOK, FolderLook, WindowLook};
pub use super::file_name::{SESSION as ENDING, is_session};

/// Options, with their marks.
type Table = &'static [(&'static str, &'static [Mark])];

/// A saved view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// The shown file; of a stage, the session itself.
    pub file: PathBuf,
    /// Its characters, if it is a stage.
    pub stage: Option<Layout>,
    /// True if images that a JSON file names may lie outside its folder.
    pub allow_outside: bool,
    /// The view.
    pub shown: Shown,
    /// How it plays.
    pub playing: Playing,
}

/// Faults of a session, in the order of their lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", in_lines(.0))]
pub struct SessionError(
    /// Lines from 1, and what is wrong there.
    pub Vec<(usize, String)>,
);

/// All options of a session.
#[derive(Args)]
struct SessionOptions {
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    playing: Playing,
}

/// Their grammar.
static GRAMMAR: LazyLock<Command> = LazyLock::new(grammar::<SessionOptions>);

/// Returns the name of a session without its ending.
#[must_use]
pub fn session_stem(name: &str) -> &str {
    let end = name.len().saturating_sub(ENDING.len());
    let stem = name.get(..end).filter(|_| is_session(Path::new(name))).unwrap_or(name);
    stem.rsplit(['/', '\\']).next().unwrap_or(stem)
}

impl Session {
    /// Reads the text of the session at `path`.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SessionError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let Entries { file, stage, allow_outside, shown, playing, mut faults, .. } =
            Entries::parse(text, folder);
        let file = match (file, &stage) {
            (Some((_, line)), Some(_)) => {
                let why = "file: cannot be combined with [[character]]";
                faults.push((line, why.to_owned()));
                None
            }
            (Some((file, _)), None) => Some(file),
            (None, Some(_)) => Some(path.to_owned()),
            (None, None) if faults.is_empty() => {
                let why = "no file is named: expected file = \"hero.pchr\"";
                faults.push((1, why.to_owned()));
                None
            }
            (None, None) => None,
        };
        faults.sort();
        match file.filter(|_| faults.is_empty()) {
            Some(file) => Ok(Self { file, stage, allow_outside, shown, playing }),
            None => Err(SessionError(faults)),
        }
    }

    /// Returns true if it has an option that a view lacks, so that the view over it is another one.
    #[must_use]
    pub fn has_more_than(&self, shown: &Shown) -> bool {
        let (own, shown) = (self.shown.settings(), shown.settings());
        own.names().any(|name| !shown.has(name))
    }

    /// Returns true if files outside the folder of its file are read. A stage names its files, wherever they are.
    #[must_use]
    pub fn reads_outside(&self) -> bool {
        self.allow_outside || self.stage.is_some()
    }

    /// Returns the paths of its characters' files, or that of its file, and those of its options.
    fn paths_mut(&mut self) -> Vec<&mut PathBuf> {
        let mut paths: Vec<_> = match &mut self.stage {
            Some(stage) => stage.members.iter_mut().map(|member| &mut member.file).collect(),
            None => vec![&mut self.file],
        };
        paths.extend(self.shown.paths_mut());
        paths
    }

    /// Returns its text, as of a file in `folder`: paths are relative to it. All paths should be absolute.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] for a path that is not UTF-8.
    pub fn text(&self, folder: &Path) -> io::Result<String> {
        let mut moved = self.clone();
        if let Some(path) = moved.paths_mut().iter().find(|path| path.to_str().is_none()) {
            let text = format!(
                "{}: the name is not UTF-8, which a session cannot hold; rename the file",
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        { moved.shown.paths_mut() }.for_each(|path| *path = relative(path, folder));
        let file = |file: &Path| slashed(&relative(file, folder));
        let name = self.file.file_name().unwrap_or_default();
        let mut text = match &self.stage {
            Some(_) => "# Stage, saved by pchr-view\n".to_owned(),
            None => format!(
                "# View of {}, saved by pchr-view\nfile = {}\n",
                name.to_string_lossy().replace(char::is_control, " "),
                toml_text(&file(&self.file))
            ),
        };
        if self.allow_outside {
            text += "allow-outside = true\n";
        }
        text += &lines(MARKS, &moved.shown.settings());
        match lines(PLAYING_MARKS, &moved.playing.settings()) {
            playing if playing.is_empty() => {}
            playing => text += &format!("\n[window]\n{playing}"),
        }
        if let Some(layout) = &self.stage {
            text += &stage::write(layout, file);
        }
        Ok(text)
    }

    /// Returns the files that it names and that do not exist.
    #[must_use]
    pub fn missing(&self) -> Vec<PathBuf> {
        let mut missing: Vec<PathBuf> = Vec::new();
        for path in self.clone().paths_mut() {
            if !path.exists() && !missing.contains(path) {
                missing.push(path.clone());
            }
        }
        missing
    }

    /// Replaces a file by another one, and the files that are missing beside it by those beside the other.
    pub fn relocate(&mut self, missing: &Path, found: &Path) {
        let (from, to) = (missing.parent(), found.parent());
        let place = |path: &mut PathBuf| {
            if path == missing {
                found.clone_into(path);
            } else if let (false, Some((from, to))) = (path.exists(), from.zip(to))
                && let Ok(rest) = path.strip_prefix(from)
                && to.join(rest).exists()
            {
                *path = to.join(rest);
            }
        };
        self.paths_mut().into_iter().for_each(place);
    }

    /// Returns the session with the options of a command line, which take precedence.
    ///
    /// # Errors
    /// Options that cannot be combined, in words.
    pub fn with(&self, shown: &Shown, playing: &Playing) -> Result<Self, String> {
        let all = |shown: &Shown, playing: &Playing| {
            let mut settings = shown.settings();
            settings.extend(&playing.settings());
            settings
        };
        let (own, over) = (all(&self.shown, &self.playing), all(shown, playing));
        match over_session(&own, &over, &GRAMMAR).parse(&GRAMMAR) {
            Ok(SessionOptions { shown, playing }) => Ok(Self { shown, playing, ..self.clone() }),
            Err(Misread { option, why }) => Err(format!("--{option}: {why}")),
        }
    }
}

/// Entries of a session's table.
#[derive(Default)]
struct Entries {
    /// The shown file, and the line that names it.
    file: Option<(PathBuf, usize)>,
    stage: Option<Layout>,
    allow_outside: bool,
    shown: Shown,
    playing: Playing,
    settings: Settings,
    /// Lines of the options.
    lines: Vec<(String, usize)>,
    faults: Vec<(usize, String)>,
}

impl Entries {
    fn parse(text: &str, folder: &Path) -> Self {
        let line =
            |at: usize| text.get(..at).unwrap_or(text).matches('\n').count().saturating_add(1);
        let (table, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            return Self::read(table.get_ref(), line, folder);
        }
        let faults = errors.iter().map(|error| {
            let at = error.span().map_or(0, |span| span.start);
            (line(at), error.message().to_owned())
        });
        let mut faults: Vec<_> = faults.collect();
        faults.sort();
        Self { faults, ..Self::default() }
    }

    /// Reads a table. `line` returns the line of a place in the text. Paths are relative to `folder`.
    fn read(table: &DeTable<'_>, line: impl Fn(usize) -> usize, folder: &Path) -> Self {
        let mut read = Self::default();
        let entries = table.iter().flat_map(|(key, value)| match value.get_ref() {
            DeValue::Table(table) if key.get_ref() == WINDOW => {
                table.iter().map(|(key, value)| (PLAYING_MARKS, key, value)).collect()
            }
            _ => vec![(MARKS, key, value)],
        });
        for (known, key, value) in entries {
            let at = key.span().start;
            let line_of = &line;
            let line = line(at);
            let key = key.get_ref().replace('_', "-");
            let entry = match (key.as_str(), value.get_ref()) {
                _ if known.iter().any(|(name, _)| *name == key) => {
                    let mut options = GRAMMAR.get_arguments();
                    let option = options.find(|option| option.get_long() == Some(key.as_str()));
                    let setting = Setting::read(value.get_ref(), option.map_or(Form::One, form));
                    setting.map(|setting| read.settings.put(&key, setting))
                }
                ("file", DeValue::String(file)) if !file.is_empty() => {
                    read.file = Some((folder.join(file.as_ref()), line));
                    Ok(())
                }
                (stage::CHARACTER, tables) if known == MARKS => {
                    read.stage = Some(stage::read(tables, at, line_of, folder, &mut read.faults));
                    Ok(())
                }
                ("file", _) => Err("expected the path of a file".to_owned()),
                ("allow-outside", DeValue::Boolean(allow)) => {
                    read.allow_outside = *allow;
                    Ok(())
                }
                ("allow-outside", _) => Err("expected true or false".to_owned()),
                (WINDOW, _) => Err("expected a table: [window]".to_owned()),
                (key, _) => Err(unknown(key, known)),
            };
            match entry {
                Ok(()) => read.lines.push((key, line)),
                Err(why) => read.faults.push((line, format!("{key}: {why}"))),
            }
        }
        match read.settings.parse::<SessionOptions>(&GRAMMAR) {
            Ok(SessionOptions { shown, playing }) => (read.shown, read.playing) = (shown, playing),
            Err(Misread { option, why }) => {
                let line = read.lines.iter().find(|(key, _)| *key == option);
                read.faults.push((line.map_or(1, |(_, line)| *line), format!("{option}: {why}")));
            }
        }
        read.shown.paths_mut().for_each(|path| *path = folder.join(&*path));
        read.faults.sort();
        read
    }
}

/// Says why a key is none of the table `known`.
fn unknown(key: &str, known: Table) -> String {
    let (mut top, window) = (MARKS.iter().map(|(name, _)| *name), PLAYING_MARKS);
    if known == MARKS && window.iter().any(|(name, _)| *name == key) {
        return "belongs below [window]".to_owned();
    }
    let is_above = top.any(|name| name == key) || KEYS.contains(&key);
    if known == PLAYING_MARKS && is_above {
        return "belongs above [window]".to_owned();
    }
    let others = KEYS.into_iter().filter(|_| known == MARKS);
    stage::unknown("", key, known.iter().map(|(name, _)| *name).chain(others))
}

/// Returns the options of a table as lines of TOML.
fn lines(known: Table, settings: &Settings) -> String {
    let line = |(name, _): &(&str, _)| {
        let value = match settings.get(name)? {
            Setting::Switch(on) => on.to_string(),
            Setting::One(one) => bare(one),
            Setting::Several(all) => {
                let all: Vec<_> = all.iter().map(|one| bare(one)).collect();
                format!("[{}]", all.join(", "))
            }
        };
        Some(format!("{name} = {value}\n"))
    };
    known.iter().filter_map(line).collect()
}

/// Returns a path relative to a folder, if they lie on one drive.
fn relative(path: &Path, folder: &Path) -> PathBuf {
    let to = |path: &Path, folder: &Path| pathdiff::diff_paths(path, folder);
    let plain = to(path, folder);
    // Above a link to a folder there is another folder than its path says.
    let above = plain.as_ref().filter(|plain| plain.starts_with(".."));
    let real = above.and_then(|_| {
        let (parent, name) = (path.parent()?.canonicalize().ok()?, path.file_name()?);
        to(&parent.join(name), &folder.canonicalize().ok()?)
    });
    real.or(plain).unwrap_or_else(|| path.to_owned())
}

/// Returns a text as a TOML number, if it is one that is read as it is written, else as a string.
fn bare(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let is_number = all_digits(whole) && all_digits(fraction) && whole.len() <= 15;
    match is_number && (whole == "0" || !whole.starts_with('0')) {
        true => text.to_owned(),
        false => toml_text(text),
    }
}

fn in_lines(faults: &[(usize, String)]) -> String {
    let lines = faults.iter().map(|(line, why)| format!("line {line}: {why}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the schema of sessions, as of the JSON with the same content.
pub(crate) fn schema() -> Schema {
    let options = |known: Table| {
        let options = GRAMMAR.get_arguments().filter_map(|option| {
            let name = option.get_long()?;
            known.iter().find(|(known, _)| *known == name)?;
            Some((name.to_owned(), Value::Object(option_rules::schema(option))))
        });
        options.collect::<Map<_, _>>()
    };
    let own = json!({
        "file": {"type": "string", "minLength": 1, "description": "The shown file, relative to the session."},
        "allow-outside": {
            "type": "boolean",
            "description": "True if images that the file names may lie outside its folder.",
        },
        stage::CHARACTER: stage::schema(),
        WINDOW: {
            "description": "How the window plays. Captures leave it out.",
            "type": "object",
            "properties": options(PLAYING_MARKS),
            "additionalProperties": false,
        },
    });
    let mut properties = options(MARKS);
    properties.extend(own.as_object().cloned().unwrap_or_default());
    schemars::json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "A saved view: NAME.pchr-view.toml.",
        "type": "object",
        "properties": properties,
        "oneOf": [{"required": ["file"]}, {"required": [stage::CHARACTER]}],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "view.pchr-view.toml";

    const TEXT: &str = r##"# View of hero.pchr, saved by pchr-view
file = "art/hero.pchr"
allow-outside = true
animation = "walk"
frame = 12
center = "0.5,-2"
zoom = 1.25
background = "#102030"
overlay = ["bones,weights=arm"]
hide = ["#3", "*shadow", 7]
loop = "off"

[window]
paused = true
speed = 0.5
section = "2..=20"
fade = "0.3,smooth"
"##;

    #[test]
    fn a_session_is_written_as_it_is_read() {
        let folder = Path::new("/art");
        let session = Session::parse(TEXT, &folder.join(NAME)).unwrap();
        assert_eq!(session.file, Path::new("/art/art/hero.pchr"));
        assert_eq!(session.text(folder).unwrap(), TEXT);
        let there = session.text(Path::new("/art/art/views")).unwrap();
        assert!(there.contains("file = \"../hero.pchr\""), "{there}");
    }

    const STAGE: &str = r##"# Stage, saved by pchr-view
zoom = 1.25

[window]
speed = 0.5

[[character]]
file = "art/hero.pchr"
name = "hero"
at = [120, -0.5]
turn = 30
scale = 1.5
mirror = true
animation = "#1"
start = 0.25
speed = 2
tint = "#ffccaa"
play = ["idle", "walk"]
fade = 0.3

[[character]]
file = "../orc.pchr"
"##;

    #[test]
    fn a_stage_is_written_as_it_is_read() {
        let folder = Path::new("/art/views");
        let session = Session::parse(STAGE, &folder.join(NAME)).unwrap();
        assert_eq!(session.text(folder).unwrap(), STAGE);
        assert_eq!(session.file, folder.join(NAME));
        let layout = session.stage.clone().unwrap();
        let [hero, orc] = layout.members.as_slice() else { panic!("{layout:?}") };
        assert_eq!((hero.tint, hero.at), ([255, 204, 170], [120.0, -0.5]));
        assert_eq!(*orc, crate::stage::Member::new(folder.join("../orc.pchr")));
        let missing = [&hero.file, &orc.file].map(Clone::clone);
        assert_eq!(session.missing(), missing);
        assert!(session.reads_outside() && !session.allow_outside);
    }

    #[test]
    fn faults_of_characters_have_their_lines() {
        let text = "file = \"a\"\n[[character]]\nfile = \"a\"\nname = \"a\"\nat = [1]\ntint = \"red\"\n\n[[character]]\nname = \"a\"\nscale = 0\nspeeed = 1\nplay = \"walk\"\n";
        let SessionError(faults) = Session::parse(text, Path::new(NAME)).unwrap_err();
        let lines: Vec<_> = faults.iter().map(|(line, why)| format!("{line} {why}")).collect();
        let wanted = [
            "1 file: cannot be combined with [[character]]",
            "5 at: expected [x, y], both from -1000000 to 1000000",
            "6 tint: expected a colour like \"#ffccaa\"",
            "8 character: no file is named: expected file = \"hero.pchr\"",
            "8 name: \"a\" is the name of another character",
            "10 scale: expected a number from 0.001 to 1000",
            "11 speeed: unknown key of a character; closest: speed",
            "12 play: expected a list of animations",
        ];
        assert_eq!(lines, wanted);
        let error = Session::parse("character = 1\n", Path::new(NAME)).unwrap_err();
        assert_eq!(error.to_string(), "line 1: character: expected tables: [[character]]");
    }

    #[test]
    fn files_are_relative_to_the_session() {
        let text = "file = \"a.seanim\"\nskeleton = \"rig/a.glb\"\nbackground = \"../b.png\"\n";
        let session = Session::parse(text, &Path::new("/x/y").join(NAME)).unwrap();
        assert_eq!(session.shown.skeleton.as_deref(), Some(Path::new("/x/y/rig/a.glb")));
        assert_eq!(session.missing().len(), 3);
        let again = session.text(Path::new("/x/y")).unwrap();
        assert_eq!(again.split_once('\n').unwrap().1, text);
    }

    #[cfg(unix)]
    #[test]
    fn files_above_a_link_to_a_folder_are_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("real/deep")).unwrap();
        std::fs::write(at("top.pchr"), "").unwrap();
        std::os::unix::fs::symlink("real/deep", at("link")).unwrap();
        let session = Session {
            file: at("top.pchr"),
            ..Session::parse("file = \"x\"", Path::new(NAME)).unwrap()
        };
        let text = session.text(&at("link")).unwrap();
        assert!(text.contains("file = \"../../top.pchr\""), "{text}");
        assert!(Session::parse(&text, &at("link").join(NAME)).unwrap().missing().is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_toml_cannot_hold_is_refused() {
        use std::os::unix::ffi::OsStringExt as _;

        let mut session = Session::parse("file = \"x\"", &Path::new("/a").join(NAME)).unwrap();
        session.file = std::ffi::OsString::from_vec(vec![b'/', 0xff]).into();
        assert!(session.text(Path::new("/a")).is_err());
    }

    #[test]
    fn every_fault_is_listed_with_its_line() {
        let text =
            "zoom = -1\nfiles = \"a\"\nhide = true\nspeed = 2\n[window]\nzoom = 3\nspeeed = 4\n";
        let SessionError(faults) = Session::parse(text, Path::new(NAME)).unwrap_err();
        let lines: Vec<_> = faults.iter().map(|(line, why)| format!("{line} {why}")).collect();
        let wanted = [
            "1 zoom: invalid number \"-1\": expected more than 0",
            "2 files: unknown key; closest: file, filter",
            "3 hide: expected a string or a list of strings",
            "4 speed: belongs below [window]",
            "6 zoom: belongs above [window]",
            "7 speeed: unknown key; closest: speed",
        ];
        assert_eq!(lines, wanted);
        for (text, why) in [
            ("", "no file is named: expected file = \"hero.pchr\""),
            ("file = \"a\"\nframe = 1\ntime = 2\n", "cannot be combined with"),
            ("file = \"a\"\nfile = \"b\"\n", "duplicate key"),
        ] {
            let error = Session::parse(text, Path::new(NAME)).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn located_files_bring_their_neighbours() {
        let stage = "[[character]]\nfile = \"hero.pchr\"\n[[character]]\nfile = \"orc.pchr\"\n";
        for (text, names) in [
            ("file = \"a.seanim\"\nskeleton = \"a.glb\"\n", ["a.seanim", "a.glb"]),
            (stage, ["orc.pchr", "hero.pchr"]),
        ] {
            let there = tempfile::tempdir().unwrap();
            let [old, new] = [Path::new("/gone"), there.path()];
            for name in names {
                std::fs::write(new.join(name), b"").unwrap();
            }
            let mut session = Session::parse(text, &old.join(NAME)).unwrap();
            session.relocate(&old.join(names[0]), &new.join(names[0]));
            assert_eq!(session.missing(), Vec::<PathBuf>::new());
        }
    }

    #[test]
    fn names_end_like_sessions() {
        let names = ["a.pchr-view.toml", "A.PCHR-VIEW.TOML", ".pchr-view.toml", "a.toml"];
        let are = names.map(|name| is_session(Path::new(name)));
        assert_eq!(are, [true, true, false, false]);
    }
}
