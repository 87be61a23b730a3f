//! Settings kept between two runs: the user's file, which the program only reads, and the program's own file (`memory`). The user's:
//!
//! ```toml
//! theme = "dark"     # or "light", "system"
//! contrast = "more"  # or "usual"; else the system's
//! motion = "reduced" # or "full"; else the system's
//! watch = true       # a file that changes is read again
//! restore = true     # without a file, the last view is shown again
//! screenshots = "/home/me/shots"
//!
//! [view]             # what a window starts with, in the keys of a session; else what the last one had
//! background = "#202020"
//! overlay = ["bones", "names"]
//!
//! [view.window]
//! speed = 0.5
//!
//! [keys]             # ids are those of the palette's actions
//! play = "Space"
//! next-file = ["N", "Ctrl+Right"]
//! quit = ""          # no key
//!
//! [export.Forum]     # a preset of the export dialog
//! format = "webp"    # or png, gif, apng, mp4, webm, mov, json, pct
//! size = [320, 320]
//! fps = 12
//! max-bytes = 2_000_000
//! ```

mod memory;

use std::path::{Path, PathBuf};

use egui::ThemePreference;
use pchr_tools::session::{SessionError, WindowLook};
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::viewer::action::{Bindings, Rebound};
use crate::viewer::export_choices::{ExportChoices, ExportFormat, ExportPreset};
use crate::viewer::problem::Problem;

pub(crate) use self::memory::{
    CurvesMemory, ExportMemory, HintsMemory, Memory, WindowMemory, remember,
};

/// Number of warnings that are listed one by one.
pub(crate) const LISTED: usize = 10;

/// Both files, and the problems with them.
#[derive(Debug, Default)]
pub(crate) struct ViewerSettings {
    pub config: Config,
    pub memory: Memory,
    pub warnings: Vec<String>,
    /// Another problem before the window was open.
    pub trouble: Option<Problem>,
}

impl ViewerSettings {
    /// Reads the user's settings from the text of a file.
    pub(crate) fn set_config(&mut self, file: &str, text: &str) {
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let warn = |warning| self.warnings.push(format!("{file}: {warning}"));
        self.config = Config::parse(text, folder, warn);
    }

    /// Reads the remembered state from the text of a file.
    pub(crate) fn set_memory(&mut self, file: &str, text: &str) {
        match Memory::parse(text) {
            Ok(memory) => self.memory = memory,
            Err(error) => self.warnings.push(format!("{file}: {error}")),
        }
    }

    /// Returns the user's keys. Problems with them are added to the warnings.
    pub(crate) fn bindings(&mut self, file: &str) -> Bindings {
        let (bindings, wrong) = Bindings::new(&self.config.keys);
        let named = wrong.iter().map(|warning| format!("{file}: {warning}"));
        self.warnings.extend(named);
        bindings
    }

    /// Returns the look that a window starts with: the user's, and that of the last run where that says nothing.
    pub(crate) fn look(&self) -> WindowLook {
        self.memory.view.under(&self.config.view)
    }

    /// Returns the problem to show: the other problem, or all warnings as one.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let first = self.warnings.get(..LISTED).unwrap_or(&self.warnings);
        let more = self.warnings.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| format!("and {more} more"));
        let lines = first.iter().chain(&more);
        let warned = || Problem::of_lines("Some settings were ignored", lines);
        let trouble = self.trouble.clone();
        trouble.or_else(|| (!first.is_empty()).then(warned))
    }
}

/// The user's settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Config {
    /// Theme, instead of the one chosen in the window.
    pub theme: Option<ThemePreference>,
    /// True for more contrast.
    pub contrast: Option<bool>,
    /// True for less motion.
    pub motion: Option<bool>,
    /// True if a file is read again when it changes, which is usual.
    pub watch: Option<bool>,
    /// True if the last view is shown again when no file is named.
    pub restore: bool,
    /// Folder for screenshots, instead of the pictures folder.
    pub screenshots: Option<PathBuf>,
    pub keys: Vec<Rebound>,
    /// Look that a window starts with.
    pub view: WindowLook,
    /// Presets of the export dialog, by name.
    pub exports: Vec<ExportPreset>,
}

impl Config {
    /// Reads the settings in `text`, of a file in `folder`. Calls `warn` for each part that is not understood.
    pub(crate) fn parse(text: &str, folder: &Path, mut warn: impl FnMut(String)) -> Self {
        let mut config = Self::default();
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line = |at: usize| ends.partition_point(|end| *end < at).saturating_add(1);
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                warn(format!("line {}: {}", line(at), error.message()));
                return config;
            }
        };
        let mut entries: Vec<_> = table.into_iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let at = line(key.span().start);
            let mut wrong = |wanted: &str, value: &DeValue<'_>| {
                let found = found(value);
                warn(format!("line {at}: {}: expected {wanted}, found {found}", key.get_ref()));
            };
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("theme", value) => match value.as_str().and_then(theme) {
                    Some(choice) => config.theme = Some(choice),
                    None => wrong("\"system\", \"light\" or \"dark\"", value),
                },
                ("contrast", value) => match value.as_str() {
                    Some(text @ ("more" | "usual")) => config.contrast = Some(text == "more"),
                    _ => wrong("\"more\" or \"usual\"", value),
                },
                ("motion", value) => match value.as_str() {
                    Some(text @ ("reduced" | "full")) => config.motion = Some(text == "reduced"),
                    _ => wrong("\"reduced\" or \"full\"", value),
                },
                ("watch", DeValue::Boolean(watch)) => config.watch = Some(*watch),
                ("restore", DeValue::Boolean(restore)) => config.restore = *restore,
                ("watch" | "restore", value) => wrong("true or false", value),
                ("screenshots", DeValue::String(folder)) => {
                    config.screenshots = Some(PathBuf::from(folder.as_ref()));
                }
                ("screenshots", value) => wrong("the path of a folder", value),
                ("keys", DeValue::Table(keys)) => {
                    for (id, value) in keys.iter() {
                        let line = line(id.span().start);
                        match keys_of(value) {
                            Some(keys) => config.keys.push(Rebound {
                                id: id.get_ref().to_string(),
                                keys,
                                line,
                            }),
                            None => warn(format!(
                                "line {line}: keys.{}: expected a string or a list of strings, found {}",
                                id.get_ref(),
                                found(value.get_ref())
                            )),
                        }
                    }
                }
                ("export", DeValue::Table(presets)) => {
                    for (name, value) in presets.iter() {
                        match preset(name.get_ref(), value.clone()) {
                            Ok(preset) => config.exports.push(preset),
                            Err(error) => warn(format!(
                                "line {}: export.{}: {error}",
                                line(name.span().start),
                                name.get_ref()
                            )),
                        }
                    }
                }
                ("view", DeValue::Table(view)) => match WindowLook::of_table(view, line, folder) {
                    Ok(look) => config.view = look,
                    Err(SessionError(faults)) => faults
                        .into_iter()
                        .for_each(|(line, why)| warn(format!("line {line}: view.{why}"))),
                },
                ("keys" | "export" | "view", value) => wrong("a table", value),
                (unknown, _) => warn(format!(
                    "line {at}: unknown key {unknown:?}: expected theme, contrast, motion, watch, restore, screenshots, keys, view or export"
                )),
            }
        }
        config.keys.sort_by_key(|rebound| rebound.line);
        config
    }
}

/// Reads a preset of the export dialog.
fn preset(name: &str, value: Spanned<DeValue<'_>>) -> Result<ExportPreset, String> {
    #[derive(serde::Deserialize)]
    struct Format {
        format: ExportFormat,
    }
    let table = value.get_ref().as_table().ok_or("expected a table")?;
    let keys: Vec<&str> = table.iter().map(|(key, _)| key.get_ref().as_ref()).collect();
    let wrong = keys.iter().find(|key| **key != "format" && !ExportChoices::NAMES.contains(key));
    if let Some(wrong) = wrong {
        let names = ExportChoices::NAMES.join(", ");
        return Err(format!("unknown key {wrong:?}: expected format, {names}"));
    }
    let read = |error: toml::de::Error| error.message().to_owned();
    let Format { format } =
        serde::Deserialize::deserialize(ValueDeserializer::from(value.clone())).map_err(read)?;
    let choices: ExportChoices =
        serde::Deserialize::deserialize(ValueDeserializer::from(value)).map_err(read)?;
    Ok(ExportPreset { name: name.to_owned(), format, choices: choices.clamped() })
}

fn theme(text: &str) -> Option<ThemePreference> {
    let all = [ThemePreference::System, ThemePreference::Light, ThemePreference::Dark];
    all.into_iter().find(|theme| theme.name() == text)
}

/// Returns a string, or a list of strings. An empty string stands for no key.
fn keys_of(value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
    let texts: Vec<&str> = match value.get_ref() {
        DeValue::String(text) => vec![text],
        DeValue::Array(texts) => {
            texts.iter().map(|text| text.get_ref().as_str()).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let named = texts.into_iter().filter(|text| !text.trim().is_empty());
    Some(named.map(str::to_owned).collect())
}

fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        other => format!("a value of the type {}", other.type_str()),
    }
}

#[cfg(test)]
mod tests {
    use pchr_tools::view::Background;
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> (Config, Vec<String>) {
        let mut warnings = Vec::new();
        (Config::parse(text, Path::new("/conf"), |warning| warnings.push(warning)), warnings)
    }

    #[test]
    fn what_the_user_wants_is_read() {
        let text = "theme = \"light\"\ncontrast = \"more\"\nmotion = \"full\"\nwatch = false\n[keys]\nplay = \"P\"\nfit = [\"F\", \"Ctrl+0\"]\nquit = \"\"\n";
        let (config, warnings) = parse(text);
        assert_eq!(warnings, [""; 0]);
        assert_eq!(config.theme, Some(ThemePreference::Light));
        assert_eq!((config.contrast, config.motion), (Some(true), Some(false)));
        assert_eq!(config.watch, Some(false));
        let keys = config.keys.iter().map(|it| format!("{} {:?} {}", it.id, it.keys, it.line));
        assert!(keys.eq(["play [\"P\"] 6", "fit [\"F\", \"Ctrl+0\"] 7", "quit [] 8"]));
        assert_eq!(parse(""), (Config::default(), Vec::new()));
    }

    #[test]
    fn what_is_not_known_or_wrong_is_named_with_its_line_and_the_rest_counts() {
        let text = "colour = 1\ntheme = \"blue\"\nwatch = \"no\"\ncontrast = 1\n\n[keys]\nplay = 7\nfit = \"G\"\n[more]\n";
        let (config, warnings) = parse(text);
        assert_eq!(
            warnings,
            [
                "line 1: unknown key \"colour\": expected theme, contrast, motion, watch, restore, screenshots, keys, view or export",
                "line 2: theme: expected \"system\", \"light\" or \"dark\", found \"blue\"",
                "line 3: watch: expected true or false, found \"no\"",
                "line 4: contrast: expected \"more\" or \"usual\", found a value of the type integer",
                "line 7: keys.play: expected a string or a list of strings, found a value of the type integer",
                "line 9: unknown key \"more\": expected theme, contrast, motion, watch, restore, screenshots, keys, view or export",
            ]
        );
        assert_eq!(config.keys.len(), 1);
        assert_eq!((config.theme, config.watch), (None, None));
        let (config, warnings) = parse("watch = false\ntheme\n");
        assert_eq!((config, warnings.len()), (Config::default(), 1), "it is no TOML");
        assert!(warnings[0].starts_with("line 2: "), "{warnings:?}");
    }

    #[test]
    fn presets_of_exports_are_read_and_what_is_wrong_with_them_is_said() {
        let text = "[export.Forum]\nformat = \"webp\"\nsize = [320, 200]\nfps = 12\nmax-bytes = 2_000_000\n[export.A]\nformat = \"bmp\"\n[export.B]\nformat = \"gif\"\ncolour = 1\n[export.C]\nsize = 3\n";
        let (config, warnings) = parse(text);
        let usual = ExportChoices::default();
        let (fps, max_bytes) = (Some(12.0), Some(2_000_000));
        let choices = ExportChoices { size: [320, 200], fps, max_bytes, ..usual };
        let forum = ExportPreset { name: "Forum".into(), format: ExportFormat::Webp, choices };
        assert_eq!(config.exports, [forum]);
        let starts = [
            "line 6: export.A: unknown variant `bmp`, expected one of `png`, `gif`",
            "line 8: export.B: unknown key \"colour\": expected format, part, framing, size",
            "line 11: export.C: missing field `format`",
        ];
        assert_eq!(warnings.len(), starts.len(), "{warnings:?}");
        for (warning, start) in warnings.iter().zip(starts) {
            assert!(warning.starts_with(start), "{warning}");
        }
    }

    #[test]
    fn the_look_is_read_as_in_a_session_and_faults_have_their_lines() {
        let text = "watch = true\n[view]\nbackground = \"wall.png\"\nfilter = \"nearest\"\n[view.window]\nspeed = 2\n";
        let (config, warnings) = parse(text);
        assert_eq!(warnings, [""; 0]);
        let (shown, playing) = config.view.view();
        let wall = Background::Picture("/conf/wall.png".into());
        assert_eq!((shown.background, playing.speed), (Some(wall), Some(2.0)));
        let (config, warnings) = parse("[view]\nanimation = \"walk\"\n[view.window]\nspeed = 99\n");
        assert_eq!(config.view, WindowLook::default());
        let [animation, speed] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!(animation, "line 2: view.animation: is for sessions only");
        assert!(speed.starts_with("line 4: view.speed: "), "{speed}");
    }

    /// Pieces of settings, right ones and wrong ones.
    const PIECES: &str = "[keys]|[view]|[export.A]|[[keys]]|[|\n|\n\n|theme|play| = |=|\"dark\"|\"Ctrl+\"|[\"N\", \"\"]|true|-1e999|{a = {}}|'''|\u{0}|ü";

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_text_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES.split('|').collect::<Vec<_>>()), 0..30)) {
            let text = pieces.concat();
            let lines = text.matches('\n').count() + 1;
            let (config, warnings) = parse(&text);
            prop_assert!(warnings.iter().all(|warning| !warning.is_empty()));
            prop_assert!(config.keys.iter().all(|key| (1..=lines).contains(&key.line)));
        }
    }
}
