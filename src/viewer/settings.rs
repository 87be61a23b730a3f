//! What is kept between two runs: the user's file, which the program only reads, and the program's own.
//!
//! Both lie where the system wants them (on Linux `~/.config/pchr-view/config.toml` and
//! `~/.local/state/pchr-view/state.toml`, on Windows under `AppData`, on macOS under `Application Support`), or both in
//! the folder that the variable `PCHR_VIEW_CONFIG_DIR` names. Nothing in them keeps the window from opening.

mod config;
mod memory;

use std::path::{Path, PathBuf};

use super::keys::Bindings;
use super::problem::Problem;
use crate::files::{Kind, Reading};

pub(crate) use self::config::Config;
pub(crate) use self::memory::{Memory, Saver, WindowMemory, remember};

/// Warnings that are listed one by one.
const LISTED: usize = 10;

/// Where the files lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub config: PathBuf,
    pub memory: PathBuf,
}

impl Places {
    /// `None` where the user has no home.
    pub(crate) fn find() -> Option<Self> {
        if let Some(folder) = std::env::var_os("PCHR_VIEW_CONFIG_DIR").filter(|dir| !dir.is_empty())
        {
            return Some(Self::within(Path::new(&folder)));
        }
        let folders = directories::ProjectDirs::from("", "", "pchr-view")?;
        let state = folders.state_dir().unwrap_or(folders.data_local_dir());
        Some(Self {
            config: folders.config_dir().join("config.toml"),
            memory: state.join("state.toml"),
        })
    }

    fn within(folder: &Path) -> Self {
        Self {
            config: folder.join("config.toml"),
            memory: folder.join("state.toml"),
        }
    }
}

/// Both files, and what is wrong with them.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pub config: Config,
    pub memory: Memory,
    pub warnings: Vec<String>,
    /// What else went wrong before the window was there.
    pub trouble: Option<Problem>,
}

impl Settings {
    /// Reads both. One that is not there is none.
    pub(crate) fn read(places: Option<&Places>) -> Self {
        let mut settings = Self::default();
        let Some(Places { config, memory }) = places else {
            return settings;
        };
        let warnings = &mut settings.warnings;
        if let Some(text) = read(config, warnings) {
            settings.config = Config::parse(&text, |warning| {
                warnings.push(format!("{}: {warning}", config.display()));
            });
        }
        if let Some(text) = read(memory, warnings) {
            match Memory::parse(&text) {
                Ok(parsed) => settings.memory = parsed,
                Err(error) => warnings.push(format!("{}: {error}", memory.display())),
            }
        }
        settings
    }

    /// The keys that the user wants; what is wrong with them joins the warnings.
    pub(crate) fn bindings(&mut self, places: Option<&Places>) -> Bindings {
        let (bindings, wrong) = Bindings::of_commands(&self.config.keys);
        let file = places.map(|places| places.config.display().to_string());
        let file = file.unwrap_or_default();
        let named = wrong.iter().map(|warning| format!("{file}: {warning}"));
        self.warnings.extend(named);
        bindings
    }

    /// What is to be read of it: what else went wrong, or the warnings as one.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let first = self.warnings.get(..LISTED).unwrap_or(&self.warnings);
        let more = match self.warnings.len().saturating_sub(LISTED) {
            0 => None,
            more => Some(format!("and {more} more")),
        };
        let lines = first.iter().chain(&more).map(String::as_str);
        let warned = || Problem::of_lines("Some settings do not count", lines);
        let trouble = self.trouble.clone();
        trouble.or_else(|| (!first.is_empty()).then(warned))
    }
}

fn read(path: &Path, warnings: &mut Vec<String>) -> Option<String> {
    let text = match Reading::of(path, Kind::Text).run() {
        Ok(text) => String::from_utf8(text).map_err(|_| "is not UTF-8 text".to_owned()),
        Err(error) if error.is_missing() => return None,
        Err(error) => Err(error.to_string()),
    };
    text.map_err(|error| warnings.push(format!("{}: {error}", path.display())))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_files_everything_is_as_it_comes_and_nothing_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::read(Some(&Places::within(folder.path())));
        assert_eq!(settings.config, Config::default());
        assert_eq!(settings.memory, Memory::default());
        assert_eq!(settings.warnings, [""; 0]);
    }

    #[test]
    fn broken_files_are_named_and_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::within(folder.path());
        std::fs::write(&places.config, "watch = \n").unwrap();
        std::fs::write(&places.memory, [0xff, 0xfe]).unwrap();
        let settings = Settings::read(Some(&places));
        assert_eq!(settings.config, Config::default());
        assert_eq!(settings.memory, Memory::default());
        let [config, memory] = settings.warnings.as_slice() else {
            panic!("{:?}", settings.warnings);
        };
        assert!(config.contains("config.toml: line 1: "), "{config}");
        assert!(memory.contains("state.toml: "), "{memory}");
        let problem = settings.problem().unwrap();
        assert_eq!(problem.message.lines().count(), 2);
    }

    #[test]
    fn a_file_full_of_mistakes_is_told_in_a_few_lines() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::within(folder.path());
        let wrong: String = (0..100_000).map(|i| format!("k{i} = 1\n")).collect();
        std::fs::write(&places.config, wrong).unwrap();
        let settings = Settings::read(Some(&places));
        let message = settings.problem().unwrap().message;
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), LISTED + 1);
        assert!(lines[1].contains("config.toml: line 2: \"k1\" is not known"));
        assert_eq!(lines[LISTED], "and 99990 more");
    }

    #[test]
    fn keys_that_do_not_exist_are_named_with_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::within(folder.path());
        std::fs::write(&places.config, "[keys]\nplay = \"Nokey\"\nfit = \"G\"\n").unwrap();
        let mut settings = Settings::read(Some(&places));
        let bindings = settings.bindings(Some(&places));
        assert_eq!(bindings.of("fit").len(), 1);
        let [warning] = settings.warnings.as_slice() else {
            panic!("{:?}", settings.warnings);
        };
        let end = "config.toml: line 2: play: there is no key \"Nokey\"";
        assert!(warning.ends_with(end), "{warning}");
    }
}
