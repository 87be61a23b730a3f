//! The program's own file: the remembered state of the last run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use egui::ThemePreference;
use serde::{Deserialize, Serialize};

use pchr::overlay::{MOST_GHOSTS, Onion};
use pchr::playback::{FadeCurve, FadeOptions};
use pchr_tools::session::WindowLook;

use crate::viewer::export_choices::{ExportChoices, ExportFormat};
use crate::viewer::playback;
use crate::viewer::screenshot::ScreenshotChoices;

/// Number of remembered files.
const RECENT: usize = 12;

/// Remembered state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct Memory {
    /// Theme chosen in the window: `system`, `light` or `dark`.
    theme: Option<String>,
    /// Size of the interface in percent.
    pub scale: Option<u16>,
    /// True for more contrast.
    pub contrast: Option<bool>,
    /// True for less motion.
    pub motion: Option<bool>,
    /// Recent background colours as `#rrggbb`, the newest first.
    pub colors: Vec<String>,
    /// Recent files, newest first.
    pub recent: Vec<PathBuf>,
    /// Files and folders that were opened last.
    pub last: Vec<PathBuf>,
    /// Width of the side panel in logical pixels.
    pub side: Option<f32>,
    /// Height of the details below a list in logical pixels. Motions in space have their own.
    pub details: Option<f32>,
    pub details_in_space: Option<f32>,
    /// Height of the list of animations in logical pixels.
    pub clips: Option<f32>,
    pub window: Option<WindowMemory>,
    /// Width and height of the preview window in logical pixels.
    pub preview: Option<[u32; 2]>,
    /// True if the last window was drawn without graphics hardware, which was said then.
    pub software: bool,
    /// True if the loop check is on.
    pub loop_check: bool,
    pub curves: Option<CurvesMemory>,
    pub onion: Option<OnionMemory>,
    pub fade: Option<FadeMemory>,
    /// Look of the last window.
    pub view: WindowLook,
    pub hints: HintsMemory,
    pub export: ExportMemory,
    pub screenshot: ScreenshotChoices,
}

/// Last choices of the export dialog.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ExportMemory {
    pub format: ExportFormat,
    /// Folder of the files, if one was chosen.
    pub folder: Option<PathBuf>,
    /// Choices by format.
    pub choices: BTreeMap<ExportFormat, ExportChoices>,
}

/// State of the hints for beginners.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct HintsMemory {
    /// Ids of the hints that were followed.
    pub followed: Vec<String>,
    /// Number of runs with hints.
    pub starts: u8,
    /// True if hints were turned off.
    pub off: bool,
}

/// Settings of onion skin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OnionMemory {
    pub before: u16,
    pub after: u16,
    pub step: u16,
    /// RGB of the ghosts before, and of those after.
    pub tints: [[u8; 3]; 2],
}

/// Cross-fade when the animation is changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FadeMemory {
    /// Length in seconds.
    pub seconds: f64,
    /// True for a smooth curve, false for a linear one.
    #[serde(default)]
    pub smooth: bool,
}

/// State of the panel of curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CurvesMemory {
    /// Height in logical pixels.
    pub height: f32,
    /// Kinds of curves that are shown.
    pub shown: Vec<String>,
}

/// State of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct WindowMemory {
    /// Width and height in logical pixels while not maximised.
    pub size: [u32; 2],
    pub maximised: bool,
}

impl Memory {
    /// Parses the file.
    ///
    /// # Errors
    /// The reason why it cannot be understood, with its line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut memory: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.get(..at).unwrap_or(text).matches('\n').count();
            format!("line {}: {}", line.saturating_add(1), error.message())
        })?;
        memory.recent.truncate(RECENT);
        memory.side = memory.side.filter(|width| width.is_finite());
        memory.details = memory.details.filter(|height| height.is_finite());
        memory.details_in_space = memory.details_in_space.filter(|height| height.is_finite());
        memory.clips = memory.clips.filter(|height| height.is_finite());
        memory.curves = memory.curves.filter(|curves| curves.height.is_finite());
        Ok(memory)
    }

    pub(crate) fn text(&self) -> String {
        let mut memory = self.clone();
        // A text holds no other names.
        { [&mut memory.recent, &mut memory.last] }
            .into_iter()
            .for_each(|paths| paths.retain(|path| path.to_str().is_some()));
        toml::to_string(&memory).unwrap_or_default()
    }

    /// Returns the settings of onion skin.
    pub(crate) fn onion(&self) -> Onion {
        let kept = self.onion.map(|kept| Onion {
            before: kept.before.min(MOST_GHOSTS),
            after: kept.after.min(MOST_GHOSTS),
            step: kept.step.max(1),
            tints: kept.tints,
        });
        kept.unwrap_or(Onion::of(2, 2))
    }

    pub(crate) fn set_onion(&mut self, onion: Onion) {
        let Onion { before, after, step, tints } = onion;
        self.onion = Some(OnionMemory { before, after, step, tints });
    }

    pub(crate) fn fade(&self) -> FadeOptions {
        let kept = self.fade.and_then(|kept| {
            Some(FadeOptions {
                seconds: playback::within(kept.seconds)?,
                curve: if kept.smooth { FadeCurve::Smooth } else { FadeCurve::Linear },
            })
        });
        kept.unwrap_or_default()
    }

    pub(crate) fn set_fade(&mut self, fade: FadeOptions) {
        self.fade =
            Some(FadeMemory { seconds: fade.seconds, smooth: fade.curve == FadeCurve::Smooth });
    }

    pub(crate) fn theme(&self) -> Option<ThemePreference> {
        Some(super::theme(self.theme.as_deref()?).unwrap_or_default())
    }

    pub(crate) fn set_theme(&mut self, choice: ThemePreference) {
        self.theme = Some(choice.name().into());
    }
}

/// Puts a file at the top of a list of recent files.
pub(crate) fn remember(recent: &mut Vec<PathBuf>, path: &Path) {
    recent.retain(|known| known != path);
    recent.insert(0, path.to_owned());
    recent.truncate(RECENT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::screenshot::ScreenshotSize;

    fn full() -> Memory {
        let mut memory = Memory {
            recent: vec!["/a b/c.pchr".into(), "d".into()],
            last: vec!["/art".into()],
            window: Some(WindowMemory { size: [1280, 720], maximised: true }),
            preview: Some([200, 300]),
            software: true,
            loop_check: true,
            side: Some(280.5),
            details: Some(90.0),
            details_in_space: Some(300.0),
            clips: Some(120.0),
            curves: Some(CurvesMemory { height: 200.0, shown: vec!["turn".into()] }),
            scale: Some(125),
            contrast: Some(true),
            motion: Some(false),
            colors: vec!["#102030".into()],
            view: WindowLook::parse("overlay = \"bones\"\n[window]\nspeed = 0.5\n", Path::new(""))
                .unwrap(),
            hints: HintsMemory { followed: vec!["play".into()], starts: 2, off: true },
            export: ExportMemory {
                format: ExportFormat::Webp,
                folder: Some("/exports".into()),
                choices: BTreeMap::from([(
                    ExportFormat::Gif,
                    ExportChoices { fps: Some(12.5), trim: true, ..ExportChoices::default() },
                )]),
            },
            screenshot: ScreenshotChoices {
                size: ScreenshotSize::Fixed,
                fixed: [300, 200],
                ..ScreenshotChoices::default()
            },
            ..Memory::default()
        };
        memory.set_theme(ThemePreference::Dark);
        memory.set_onion(Onion::of(3, 0));
        memory.set_fade(FadeOptions { seconds: 0.3, curve: FadeCurve::Smooth });
        memory
    }

    #[test]
    fn what_is_written_is_read_again() {
        for memory in [Memory::default(), full()] {
            assert_eq!(Memory::parse(&memory.text()), Ok(memory));
        }
        assert_eq!(full().theme(), Some(ThemePreference::Dark));
        assert_eq!(Memory::default().theme(), None);
        assert_eq!(full().onion(), Onion::of(3, 0));
        assert_eq!(Memory::default().onion(), Onion::of(2, 2));
        assert_eq!(full().fade().seconds, 0.3);
        assert_eq!(Memory::default().fade(), FadeOptions::default());
        assert_eq!(Memory::parse("[fade]\nseconds = 99\n").unwrap().fade().seconds, 2.0);
    }

    #[test]
    fn what_cannot_be_understood_is_said_with_its_line() {
        let error = Memory::parse("recent = []\nwindow = 3\n").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
        // Settings of later versions are ignored.
        assert_eq!(Memory::parse("future = 1\n"), Ok(Memory::default()));
    }

    #[test]
    fn the_latest_file_is_first_and_none_is_there_twice() {
        let mut recent = Vec::new();
        for i in 0..20 {
            remember(&mut recent, Path::new(&format!("{i}")));
        }
        remember(&mut recent, Path::new("15"));
        assert_eq!(recent.len(), RECENT);
        assert_eq!(recent[0], Path::new("15"));
        assert_eq!(recent.iter().filter(|path| *path == Path::new("15")).count(), 1);
    }
}
