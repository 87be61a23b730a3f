//! Choices of the export dialog, presets, and the command that an export is.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use pchr::overlay::Layer;
use pchr::playback::FrameSpec;
use pchr_tools::view::{Fit, OverlayItem, OverlayList, Playing, Section, Shown, Size};

/// Part of the content that is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExportPart {
    /// The frame on screen.
    Frame,
    /// The animation on screen.
    #[default]
    Clip,
    /// The loop range of that animation.
    Section,
    /// Every animation, a file each, or all in one atlas.
    All,
}

impl ExportPart {
    pub(crate) const ALL: [Self; 4] = [Self::Frame, Self::Clip, Self::Section, Self::All];

    /// Returns the label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Frame => "This frame",
            Self::Clip => "This clip",
            Self::Section => "Loop range",
            Self::All => "All clips",
        }
    }
}

/// Format of the file.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExportFormat {
    Png,
    #[default]
    Gif,
    Webp,
    Apng,
    Mp4,
    Webm,
    Mov,
    Json,
    Pct,
    /// A row a clip, in one PNG file.
    Contact,
}

impl ExportFormat {
    pub(crate) const ALL: [Self; 10] = [
        Self::Png,
        Self::Gif,
        Self::Webp,
        Self::Apng,
        Self::Mp4,
        Self::Webm,
        Self::Mov,
        Self::Json,
        Self::Pct,
        Self::Contact,
    ];

    /// Returns the ending of its files.
    pub(crate) fn ending(self) -> &'static str {
        self.texts().0
    }

    /// Returns the label, and what the format holds.
    pub(crate) fn name(self) -> (&'static str, &'static str) {
        let (_, label, holds) = self.texts();
        (label, holds)
    }

    /// Returns the ending of its files, the label, and what the format holds.
    fn texts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Png => ("png", "PNG", "Exact pixels; a file for each frame"),
            Self::Gif => ("gif", "GIF", "256 colours; plays everywhere"),
            Self::Webp => ("webp", "WebP", "Exact pixels, smaller than APNG"),
            Self::Apng => ("apng", "APNG", "Exact pixels and times"),
            Self::Mp4 => ("mp4", "MP4", "H.264 video without transparency; needs FFmpeg"),
            Self::Webm => ("webm", "WebM", "VP9 video with transparency; needs FFmpeg"),
            Self::Mov => ("mov", "MOV", "ProRes 4444 for video editors; needs FFmpeg"),
            Self::Json => {
                ("json", "Sheet (JSON)", "PNG pages, and JSON for Phaser, PixiJS and others")
            }
            Self::Pct => ("pct", "Sheet (PCT)", "PNG pages, and Phaser's PCT"),
            Self::Contact => ("png", "Contact sheet", "One PNG: a row for each clip, for reviews"),
        }
    }

    /// Returns true for files that say how often they play, or videos that hold it as often.
    pub(crate) fn loops(self) -> bool {
        !self.is_sheet() && self != Self::Png
    }

    /// Returns true for files whose pictures follow each other at a rate.
    pub(crate) fn moves(self) -> bool {
        !matches!(self, Self::Png | Self::Contact)
    }

    pub(crate) fn is_video(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm | Self::Mov)
    }

    /// Returns true for files with all pictures beside each other.
    pub(crate) fn is_sheet(self) -> bool {
        matches!(self, Self::Json | Self::Pct | Self::Contact)
    }

    /// Returns true for pages of sprites with a file that says where they are.
    pub(crate) fn is_atlas(self) -> bool {
        matches!(self, Self::Json | Self::Pct)
    }

    /// Returns the choices at first.
    pub(crate) fn usual(self) -> ExportChoices {
        let usual = ExportChoices::default();
        match self {
            Self::Contact => ExportChoices { part: ExportPart::All, size: [128; 2], ..usual },
            Self::Json | Self::Pct => {
                ExportChoices { part: ExportPart::All, size: [256; 2], ..usual }
            }
            _ => usual,
        }
    }
}

/// Part of the world in the pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Framing {
    /// All that an animation shows.
    #[default]
    Fit,
    /// The part that the window shows.
    Window,
}

/// Choices for a format.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct ExportChoices {
    pub part: ExportPart,
    pub framing: Framing,
    /// Width and height in pixels of pictures that are fitted.
    pub size: [u32; 2],
    /// Size in per cent of that, or of the window's picture.
    pub scale: u16,
    /// Pictures per second; `None` for the frames of the animation.
    pub fps: Option<f64>,
    /// Number of times that it plays; 0 is for ever.
    pub loops: u16,
    /// True if what is transparent around all pictures is cut off.
    pub trim: bool,
    /// Transparent pixels around each picture.
    pub pad: u32,
    /// Pixels by which the edges of a sprite are repeated around it, and true for pages with sides that are powers of two.
    pub extrude: u32,
    pub power_of_two: bool,
    /// True for the window's colour or picture behind the character, instead of nothing.
    pub background: bool,
    pub overlays: bool,
    /// Bytes that a file may have; scale and rate are lowered until it has no more.
    pub max_bytes: Option<u64>,
}

impl Default for ExportChoices {
    fn default() -> Self {
        Self {
            part: ExportPart::Clip,
            framing: Framing::Fit,
            size: [512; 2],
            scale: 100,
            fps: None,
            loops: 0,
            trim: false,
            pad: 0,
            extrude: 0,
            power_of_two: false,
            background: false,
            overlays: false,
            max_bytes: None,
        }
    }
}

impl ExportChoices {
    /// Names of the choices in a settings file.
    pub(crate) const NAMES: [&str; 13] = [
        "part",
        "framing",
        "size",
        "scale",
        "fps",
        "loops",
        "trim",
        "pad",
        "extrude",
        "power-of-two",
        "background",
        "overlays",
        "max-bytes",
    ];

    /// Returns the choices within their ranges.
    pub(crate) fn clamped(self) -> Self {
        Self {
            size: self.size.map(|side| side.clamp(1, 16_384)),
            scale: self.scale.clamp(1, 3200),
            fps: self.fps.filter(|fps| fps.is_finite()).map(|fps| fps.clamp(0.1, 1000.0)),
            pad: self.pad.min(4096),
            extrude: self.extrude.min(16),
            max_bytes: self.max_bytes.map(|bytes| bytes.max(1000)),
            ..self
        }
    }

    /// Returns smaller choices, after a file had so many bytes more than it may; `None` if there is nothing left to lower.
    pub(crate) fn lowered(self, bytes: u64, rate: Option<f64>) -> Option<Self> {
        let most = self.max_bytes?;
        let ratio = most as f64 / bytes.max(1) as f64;
        let rate = self.fps.or(rate).unwrap_or(0.0);
        if rate > FLUENT {
            return Some(Self { fps: Some(FLUENT), ..self });
        }
        let factor = (ratio.sqrt() * 0.97).clamp(0.3, 0.95);
        let scale = f64::from(self.scale) * factor;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 3200")]
        let scale = (scale.floor().max(1.0) as u16).max(LEAST_SCALE);
        (scale < self.scale).then_some(Self { scale, ..self })
    }
}

/// Pictures per second that still look fluent, to which rates are lowered first.
const FLUENT: f64 = 15.0;
/// Per cent to which a size is lowered, at most.
const LEAST_SCALE: u16 = 10;

/// Choices with a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExportPreset {
    pub name: String,
    pub format: ExportFormat,
    pub choices: ExportChoices,
}

impl ExportPreset {
    /// Returns the presets that the program carries.
    pub(crate) fn usual() -> Vec<Self> {
        let usual = ExportChoices::default();
        let preset = |name: &str, format, choices| Self { name: name.to_owned(), format, choices };
        vec![
            preset(
                "Chat",
                ExportFormat::Gif,
                ExportChoices { trim: true, pad: 8, max_bytes: Some(8_000_000), ..usual },
            ),
            preset(
                "Store",
                ExportFormat::Mp4,
                ExportChoices { size: [1280, 720], background: true, loops: 3, ..usual },
            ),
            preset(
                "Engine sheet",
                ExportFormat::Json,
                ExportChoices { part: ExportPart::All, size: [256; 2], ..usual },
            ),
            preset(
                "Picture",
                ExportFormat::Png,
                ExportChoices { part: ExportPart::Frame, trim: true, pad: 16, ..usual },
            ),
        ]
    }
}

/// A finished export.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExportDone {
    /// Number of pictures.
    pub pictures: usize,
    /// Pictures per second, for animations and atlases.
    pub rate: Option<f64>,
    /// Bytes of all files.
    pub bytes: u64,
    /// Number of files.
    pub files: usize,
}

/// A view to export.
#[derive(Clone, Debug)]
pub(crate) struct ExportView {
    /// What the window shows.
    pub shown: Shown,
    pub playing: Playing,
    /// Name of the animation that is shown, or that is faded to.
    pub clip: Option<String>,
    /// Name of the file, without folder and ending.
    pub stem: String,
    /// True if nothing would be seen without overlays.
    pub is_bare: bool,
}

impl ExportView {
    /// Returns the options of `capture` for the pictures, without the file and the output.
    pub(crate) fn words(&self, format: ExportFormat, choices: &ExportChoices) -> Vec<String> {
        let (mut shown, mut playing) = (self.shown.clone(), self.playing.clone());
        playing.paused = None;
        playing.fade = None;
        if choices.part != ExportPart::Frame {
            (shown.frame, shown.time, shown.mix_frame, shown.mix_time) = (None, None, None, None);
            if !shown.is_synced() {
                shown.mix = None;
                shown.animation.clone_from(&self.clip);
            }
        }
        if choices.part == ExportPart::All {
            (shown.mix, shown.mix_sync) = (None, None);
            shown.animation = Some("all".to_owned());
        }
        playing.section = playing.section.filter(|_| choices.part == ExportPart::Section);
        if format == ExportFormat::Contact {
            (shown.frame, shown.time, shown.mix_frame, shown.mix_time) = (None, None, None, None);
            (shown.mix, shown.mix_sync) = (None, None);
            shown.animation = self.clip.clone().filter(|_| choices.part == ExportPart::Clip);
        }
        if format == ExportFormat::Png && choices.part != ExportPart::Frame {
            let (start, end) = match &playing.section {
                Some(Section([first, last])) => (*first, Some(u64::from(*last).saturating_add(1))),
                None => (0, None),
            };
            shown.frame = Some(FrameSpec::Range { start: start.into(), end, step: 1 });
        }
        if choices.part == ExportPart::Frame || !format.moves() {
            playing = Playing::default();
        }
        if choices.framing == Framing::Fit {
            (shown.center, shown.zoom) = (None, None);
            // The character has one size in all clips.
            let is_alike = choices.part == ExportPart::All && format != ExportFormat::Contact;
            shown.fit = is_alike.then_some(Fit::Character);
            shown.resolution = Some(Size(choices.size));
        }
        if !choices.background {
            shown.background = None;
        }
        if !choices.overlays {
            shown.overlay.clear();
            // Without meshes, bones are the picture.
            if self.is_bare {
                shown.overlay.push(OverlayList(vec![OverlayItem::Layer(Layer::Bones)]));
            }
            (shown.overlay_scale, shown.onion_tint) = (None, None);
        }
        let mut words = ["--renderer", "cpu"].map(str::to_owned).to_vec();
        words.extend(playing.words());
        let fps = choices.fps.filter(|_| format.moves() && shown.time.is_none());
        let pads = choices.pad > 0 && !format.is_sheet();
        let options = [
            (choices.scale != 100).then(|| format!("--scale={}%", choices.scale)),
            (format == ExportFormat::Contact).then(|| "--contact=auto".to_owned()),
            fps.map(|fps| format!("--fps={fps}")),
            (choices.loops > 0 && format.loops()).then(|| format!("--loops={}", choices.loops)),
            (choices.trim && !format.is_sheet()).then(|| "--trim".to_owned()),
            pads.then(|| format!("--pad={}", choices.pad)),
            (choices.extrude > 0 && format.is_atlas())
                .then(|| format!("--extrude={}", choices.extrude)),
            (choices.power_of_two && format.is_atlas()).then(|| "--power-of-two".to_owned()),
        ];
        words.extend(options.into_iter().flatten());
        words.extend(shown.words());
        words
    }

    /// Returns the name of the output in a folder: of a file, or of a folder with files. `number` tells names apart.
    pub(crate) fn base(
        &self,
        format: ExportFormat,
        choices: &ExportChoices,
        number: u32,
    ) -> PathBuf {
        let mut name = self.stem.clone();
        if format == ExportFormat::Contact {
            name += "-contact";
        } else if format.is_sheet() {
            name += "-sheet";
        } else if choices.part == ExportPart::All {
            name += "-clips";
        } else if let Some(clip) = &self.clip {
            name = format!("{name}-{}", clip.trim_start_matches('#'));
        }
        if let (ExportPart::Frame, Some(FrameSpec::One(frame))) = (choices.part, &self.shown.frame)
        {
            name = format!("{name}-{frame:04}");
        }
        name = pchr_tools::file_name::simple(&name);
        if number > 1 {
            name = format!("{name}-{number}");
        }
        if is_folder(format, choices) {
            return name.into();
        }
        format!("{name}.{}", format.ending()).into()
    }

    /// Returns the value of `-o` for a base that lies in a folder.
    pub(crate) fn output(
        &self,
        format: ExportFormat,
        choices: &ExportChoices,
        path: &std::path::Path,
    ) -> String {
        let path = path.to_string_lossy().replace('{', "{{").replace('}', "}}");
        match (is_folder(format, choices), format, choices.part) {
            (false, ..) => path,
            (true, ExportFormat::Png, ExportPart::All) => {
                format!("{path}/{{animation}}/{{frame:04}}.png")
            }
            (true, ExportFormat::Png, _) => format!("{path}/{{frame:04}}.png"),
            (true, format, _) => format!("{path}/{{animation}}.{}", format.ending()),
        }
    }
}

/// Returns true if an export is a folder with several files.
fn is_folder(format: ExportFormat, choices: &ExportChoices) -> bool {
    let several = choices.part == ExportPart::All && !format.is_sheet();
    several || format == ExportFormat::Png && choices.part != ExportPart::Frame
}

/// Number of bytes in a few digits.
pub(crate) struct InBytes(pub u64);

impl fmt::Display for InBytes {
    /// Formats it in the largest unit in which it is at least 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, u64); 3] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
        match UNITS.iter().find(|(_, size)| self.0 >= *size) {
            Some((name, size)) => {
                let tenths = self.0.saturating_mul(10).saturating_add(size / 2) / size;
                write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
            }
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pchr_tools::cli::pchr_view::ExportJob;
    use pchr_tools::open::Openers;

    use super::*;
    use crate::viewer::command_line::capture_words;

    fn view() -> ExportView {
        ExportView {
            shown: Shown {
                animation: Some("walk".into()),
                frame: Some(FrameSpec::One(7)),
                resolution: Some(Size([640, 480])),
                zoom: Some(2.0),
                ..Shown::default()
            },
            playing: Playing {
                paused: Some(true),
                speed: Some(0.5),
                section: Some(Section([2, 5])),
                ..Playing::default()
            },
            clip: Some("walk".into()),
            stem: "hero".into(),
            is_bare: false,
        }
    }

    #[test]
    fn every_export_is_a_command_that_capture_understands() {
        for format in ExportFormat::ALL {
            for part in ExportPart::ALL {
                for framing in [Framing::Fit, Framing::Window] {
                    let choices = ExportChoices {
                        part,
                        framing,
                        scale: 50,
                        fps: Some(12.0),
                        loops: 2,
                        trim: true,
                        pad: 3,
                        extrude: 1,
                        power_of_two: true,
                        ..format.usual()
                    };
                    let base = view().base(format, &choices, 1);
                    let output = view().output(format, &choices, &base);
                    let mut words = capture_words(Path::new("hero.pchr"), false, output);
                    words.extend(view().words(format, &choices));
                    let job = ExportJob::parse(&words, Openers::ALL);
                    assert!(job.is_ok(), "{words:?}: {job:?}");
                }
            }
        }
    }

    /// Words of an export in the usual size.
    fn words(view: &ExportView, format: ExportFormat, part: ExportPart) -> String {
        let choices = ExportChoices { part, ..ExportChoices::default() };
        view.words(format, &choices).join(" ")
    }

    #[test]
    fn an_export_has_the_options_of_its_part_and_no_more_and_a_blend_where_its_animation_is() {
        use ExportFormat::{Contact, Gif, Json, Png};
        use ExportPart::{All, Clip, Frame, Section};
        let mut blend = view();
        (blend.shown.animation, blend.shown.mix_sync) = (None, Some(true));
        blend.shown.mix = Some("walk:run:0.4".parse().unwrap());
        for (view, format, part, wanted) in [
            (&view(), Gif, Clip, "--speed 0.5 -a walk -s 512x512"),
            (&view(), Gif, Section, "--section 2..=5 --speed 0.5 -a walk -s 512x512"),
            (&view(), Png, Section, "-a walk -f 2..6 -s 512x512"),
            (&view(), Png, Frame, "-a walk -f 7 -s 512x512"),
            (&view(), Json, All, "--speed 0.5 -a all -s 512x512 --fit character"),
            (&view(), Contact, All, "--contact=auto -s 512x512"),
            (&blend, Gif, Clip, "--speed 0.5 --mix walk:run:0.4 --mix-sync -s 512x512"),
            (&blend, Png, Frame, "-f 7 --mix walk:run:0.4 --mix-sync -s 512x512"),
            (&blend, Gif, All, "--speed 0.5 -a all -s 512x512 --fit character"),
            (&blend, Contact, Clip, "--contact=auto -a walk -s 512x512"),
        ] {
            assert_eq!(words(view, format, part), format!("--renderer cpu {wanted}"));
        }
        let atlas = ExportChoices { extrude: 2, power_of_two: true, ..Json.usual() };
        let words_of_atlas = view().words(Json, &atlas).join(" ");
        assert!(words_of_atlas.contains(" --extrude=2 --power-of-two "), "{words_of_atlas}");
    }

    #[test]
    fn files_are_named_after_what_they_show() {
        use ExportFormat::{Contact, Gif, Json, Png};
        use ExportPart::{All, Clip, Frame};
        for (format, part, number, name) in [
            (Gif, Clip, 1, "hero-walk.gif"),
            (Gif, Clip, 2, "hero-walk-2.gif"),
            (Gif, All, 1, "hero-clips/{animation}.gif"),
            (Png, Frame, 1, "hero-walk-0007.png"),
            (Png, Clip, 1, "hero-walk/{frame:04}.png"),
            (Json, All, 1, "hero-sheet.json"),
            (Contact, All, 1, "hero-contact.png"),
        ] {
            let choices = ExportChoices { part, ..ExportChoices::default() };
            let base = view().base(format, &choices, number);
            assert_eq!(view().output(format, &choices, &base), name);
        }
    }

    #[test]
    fn rate_and_scale_are_lowered_until_nothing_is_left() {
        let all = ExportChoices { max_bytes: Some(1000), ..ExportChoices::default() };
        let slower = all.lowered(5000, Some(30.0)).unwrap();
        assert_eq!((slower.fps, slower.scale), (Some(15.0), 100));
        let smaller = slower.lowered(4000, Some(15.0)).unwrap();
        assert_eq!((smaller.fps, smaller.scale), (Some(15.0), 48));
        let least = ExportChoices { scale: 10, ..smaller };
        assert_eq!(least.lowered(2000, Some(15.0)), None);
        assert_eq!(ExportChoices::default().lowered(2000, Some(15.0)), None);
        let small = ExportChoices { scale: 14, ..smaller };
        assert_eq!(small.lowered(90_000, Some(15.0)).unwrap().scale, 10);
    }

    #[test]
    fn choices_have_the_names_of_the_settings_file() {
        let choices =
            ExportChoices { fps: Some(1.0), max_bytes: Some(1), ..ExportChoices::default() };
        let table = toml::Table::try_from(choices).unwrap();
        let mut names: Vec<&str> = table.keys().map(String::as_str).collect();
        let mut known = ExportChoices::NAMES;
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn sizes_have_the_largest_unit_that_fits() {
        let sizes = [999, 1_000, 1_234_567, 5_600_000_000].map(|size| InBytes(size).to_string());
        assert_eq!(sizes, ["999 bytes", "1.0 KB", "1.2 MB", "5.6 GB"]);
    }
}
