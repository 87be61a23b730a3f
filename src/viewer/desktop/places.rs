//! The files of settings: where they lie, and how they are read.
//!
//! Both lie where the system wants them (on Linux `~/.config/pchr-view/config.toml` and
//! `~/.local/state/pchr-view/state.toml`, on Windows under `AppData`, on macOS under `Application Support`), or both in
//! the folder that the variable `PCHR_VIEW_CONFIG_DIR` names. Nothing in them keeps the window from opening.

use std::path::{Path, PathBuf};

use pchr_tools::files::{Kind, Reading};
use pchr_tools::session::Session;

use crate::viewer::settings::Settings;

/// Name of the file with the last view.
const LAST: &str = "last.pchr-view.toml";

/// Paths of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub config: PathBuf,
    pub memory: PathBuf,
    /// The last view, if it is to be restored.
    pub session: PathBuf,
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
            session: state.join(LAST),
        })
    }

    fn within(folder: &Path) -> Self {
        Self {
            config: folder.join("config.toml"),
            memory: folder.join("state.toml"),
            session: folder.join(LAST),
        }
    }
}

/// Reads both files. A missing file is not an error.
pub(crate) fn read(places: Option<&Places>) -> Settings {
    let mut settings = Settings::default();
    if let Some(Places { config, memory, .. }) = places {
        read_file(config, &mut settings, Settings::set_config);
        read_file(memory, &mut settings, Settings::set_memory);
    }
    settings
}

/// Reads the last view; `None` if there is none, or if its files are gone.
pub(crate) fn last(path: &Path) -> Option<Session> {
    let text = Reading::of(path, Kind::Text).run().ok()?;
    let text = String::from_utf8(text).ok()?;
    let session = Session::parse(&text, path.parent()?).ok()?;
    session.missing().is_empty().then_some(session)
}

fn read_file(path: &Path, settings: &mut Settings, set: fn(&mut Settings, &str, &str)) {
    let text = match Reading::of(path, Kind::Text).run() {
        Ok(text) => String::from_utf8(text).map_err(|_| "is not UTF-8 text".to_owned()),
        Err(error) if error.is_missing() => return,
        Err(error) => Err(error.to_string()),
    };
    let file = path.display().to_string();
    match text {
        Ok(text) => set(settings, &file, &text),
        Err(error) => settings.warnings.push(format!("{file}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::settings::{Config, LISTED, Memory};

    #[test]
    fn without_files_everything_is_as_it_comes_and_nothing_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let settings = read(Some(&Places::within(folder.path())));
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
        let settings = read(Some(&places));
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
        let settings = read(Some(&places));
        let message = settings.problem().unwrap().message;
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), LISTED + 1);
        assert!(lines[1].contains("config.toml: line 2: unknown key \"k1\""));
        assert_eq!(lines[LISTED], "and 99990 more");
    }

    #[test]
    fn keys_that_do_not_exist_are_named_with_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::within(folder.path());
        std::fs::write(&places.config, "[keys]\nplay = \"Nokey\"\nfit = \"V\"\n").unwrap();
        let mut settings = read(Some(&places));
        let bindings = settings.bindings(&places.config.display().to_string());
        assert_eq!(bindings.of("fit").len(), 1);
        let [warning] = settings.warnings.as_slice() else {
            panic!("{:?}", settings.warnings);
        };
        let end = "config.toml: line 2: play: unknown key \"Nokey\"";
        assert!(warning.ends_with(end), "{warning}");
    }
}
