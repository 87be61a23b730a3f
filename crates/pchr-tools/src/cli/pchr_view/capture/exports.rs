//! Exports: the options of animations and other exports; and pictures that become an atlas, and the clips in it.

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::quoted;
use pchr::image::Pixels;
use pchr::pose::transform_point;
use pchr::scene::Subject;
use pchr_foreign::atlas::Atlas;
use pchr_foreign::format::atlas_json::{self, AtlasDialect, Layout, SheetClip};
use pchr_foreign::format::pct;
use pchr_foreign::packing::{self, Picture};

use crate::capture::{AnimationFile, SheetFormat, Shot};
use crate::export::Trimming;
use crate::file_name;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::text::slashed;
use crate::view::plan::PlannedSheet;
use crate::view::reel_and_contact::{Contact, ReelOptions};
use crate::view::{Fit, Output, PLAYING_MARKS, Playing, Shown, Size, rate};

/// Side of the pictures of a contact sheet in pixels, unless it is chosen.
const CONTACT: u32 = 128;
/// Side of a page of an atlas in pixels, at most, unless a picture is larger: what phones draw.
const PAGE: u32 = 4096;

/// Options of exports.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Exports")]
pub(super) struct ExportArgs {
    /// Pictures per second of an animation, 0.1 to 1000 [default: the frames of the clip]
    #[arg(long, value_name = "FPS", value_parser = rate)]
    pub(super) fps: Option<f64>,
    /// Number of times that an animation plays; 0 is for ever. A video holds it as often [default: 0; a video: 1]
    #[arg(long, value_name = "N")]
    pub(super) loops: Option<u16>,
    /// Show the end of an animation as one more picture: of a loop its first one again
    #[arg(long)]
    pub(super) include_last: bool,
    /// Cut off what is transparent around all pictures (of an animation), or around each
    #[arg(long, value_name = "all|each", num_args = 0..=1, require_equals = true, default_missing_value = "all", hide_possible_values = true)]
    pub(super) trim: Option<Trimming>,
    /// Transparent pixels around each picture
    #[arg(long, value_name = "PIXELS", default_value_t, value_parser = clap::value_parser!(u32).range(..=4096), hide_default_value = true)]
    pub(super) pad: u32,
    /// Draw larger or smaller: 200% doubles the size and --zoom, but not the lines of overlays
    #[arg(long, value_name = "PERCENT", value_parser = scale)]
    pub(super) scale: Option<f64>,
    /// Make one labelled overview of .png outputs: a row a clip, evenly spaced frames; auto shows 8 frames of each clip, 128x128 unless
    /// -s says otherwise
    #[arg(long, value_name = "ROWSxCOLUMNS|auto", conflicts_with_all = ["frame", "time", "mix"])]
    pub(super) contact: Option<Contact>,
    /// Dialect of a .json atlas: hash, array or multiatlas (Phaser's, for several pages) [default: hash, or multiatlas]
    #[arg(long, value_name = "DIALECT", hide_possible_values = true, value_parser = dialects())]
    pub(super) dialect: Option<AtlasDialect>,
    /// Empty pixels on each side of a sprite of an atlas [default: 2]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=128))]
    padding: Option<u32>,
    /// Repeat the edge pixels of a sprite of an atlas this many times around it [default: 0]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=128))]
    extrude: Option<u32>,
    /// Round page sizes of an atlas up to powers of two
    #[arg(long)]
    power_of_two: bool,
}

fn dialects() -> impl TypedValueParser<Value = AtlasDialect> {
    let all = [AtlasDialect::Hash, AtlasDialect::Array, AtlasDialect::MultiAtlas];
    let named = move |text: &str| all.into_iter().find(|dialect| dialect.id() == text);
    PossibleValuesParser::new(all.map(AtlasDialect::id))
        .try_map(move |text| named(&text).ok_or_else(|| format!("unknown dialect {text:?}")))
}

impl ExportArgs {
    /// Checks that its options, and how the clip plays, mean something for an output. A saved session keeps how it plays.
    pub(super) fn check(
        &self,
        outputs: &[Output],
        shown: &Shown,
        playing: &Playing,
        saves_session: bool,
    ) -> Result<(), Failure> {
        let count = |is: fn(&Output) -> bool| outputs.iter().filter(|it| is(it)).count();
        let files = count(|it| matches!(it, Output::Files(_))) > 0;
        let stays = files || outputs.contains(&Output::Stdout);
        let moves = count(|it| matches!(it, Output::Animation(..))) > 0;
        let has_json = count(|it| matches!(it, Output::Sheet(SheetFormat::Json, _))) > 0;
        let sheets = count(|it| matches!(it, Output::Sheet(..)));
        if sheets > 1 {
            return Err(Failure::Usage("-o: only one atlas can be written in a run".into()));
        }
        let sheets = sheets > 0;
        let two = match (&shown.frame, shown.time) {
            (Some(_), _) if playing.section.is_some() => Some("--frame and --section"),
            (_, Some(_)) if playing.section.is_some() => Some("--time and --section"),
            (_, Some(_)) if self.fps.is_some() => Some("--time and --fps"),
            (_, Some(_)) if self.include_last => Some("--time and --include-last"),
            (_, Some(_)) if playing.ping_pong == Some(true) => Some("--time and --ping-pong"),
            _ => None,
        };
        if let Some(two) = two.filter(|_| !saves_session) {
            return Err(Failure::Usage(format!("{two} both choose the pictures; leave one out")));
        }
        if self.scale.is_some() && shown.camera_of.is_some() {
            let why = "--scale and --camera-of: the camera has a zoom of its own; leave one out";
            return Err(Failure::Usage(why.to_owned()));
        }
        let animations =
            "animations; write to a name that ends in .gif, .webp, .apng, .mp4, .webm or .mov";
        let clips = "animations and atlases; write to a name that ends in .gif, .webp, .apng, .mp4, .webm, .mov, .json or .pct";
        let pictures = match self.contact {
            Some(_) => "animations and single .png files, not for contact sheets",
            None => ".png files and animations; an atlas is trimmed anyway",
        };
        let atlases = "atlases; write to a name that ends in .json or .pct";
        let is_contact = self.contact.is_some();
        let mut templates = outputs.iter().filter_map(|output| match output {
            Output::Files(template) if is_contact => Some(template),
            _ => None,
        });
        let several = templates.find(|it| it.tells_frames_apart() || it.tells_animations_apart());
        if let Some(template) = several {
            return Err(Failure::Usage(format!(
                "--contact: one picture holds all frames, so {} may contain {{file}}, but not {{frame}} or {{animation}}",
                template.as_str()
            )));
        }
        let framed = if is_contact { moves } else { moves || stays };
        let rules = [
            ("--contact", is_contact, files, ".png files"),
            ("--fps", self.fps.is_some(), moves || sheets, clips),
            ("--loops", self.loops.is_some(), moves, animations),
            ("--include-last", self.include_last, moves || sheets, clips),
            ("--trim", self.trim.is_some(), framed, pictures),
            ("--pad", self.pad > 0, framed, pictures),
            (
                "--dialect",
                self.dialect.is_some(),
                has_json,
                "atlases; write to a name that ends in .json",
            ),
            ("--padding", self.padding.is_some(), sheets, atlases),
            ("--extrude", self.extrude.is_some(), sheets, atlases),
            ("--power-of-two", self.power_of_two, sheets, atlases),
        ];
        let set = playing.settings();
        for (name, _) in PLAYING_MARKS.iter().filter(|(name, _)| set.has(name) && !saves_session) {
            let of = match *name {
                "paused" | "fade" => "the window and for --save-session",
                _ if moves || sheets => continue,
                _ => clips,
            };
            return Err(Failure::Usage(format!("--{name} is for {of}")));
        }
        let wrong = rules.into_iter().find(|(_, given, fits, _)| *given && !fits);
        match wrong {
            Some((option, .., of)) => Err(Failure::Usage(format!("{option} is for {of}"))),
            None if self.trim == Some(Trimming::Each) && moves => {
                let why = "--trim=each: frames of an animation have one size; use --trim";
                Err(Failure::Usage(why.to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Options of the packing of pictures of a size, for images of this name.
    pub(super) fn packing(&self, name: String, size: [u32; 2]) -> packing::Options {
        let usual = packing::Options::default();
        let padding = self.padding.unwrap_or(usual.padding);
        let extrude = self.extrude.unwrap_or(usual.extrude);
        let room = (padding + extrude) * 2;
        let [width, height] = size.map(|side| side.saturating_add(room));
        let page_size = [width, height].map(|side| side.max(PAGE));
        packing::Options {
            name,
            page_size,
            padding,
            extrude,
            powers_of_two: self.power_of_two,
            ..usual
        }
    }

    /// Fits all clips of an atlas alike, so that a character has one size in all of them, unless the camera is chosen.
    pub(super) fn fit(outputs: &[Output], shown: &mut Shown) {
        let is_atlas = |output: &Output| matches!(output, Output::Sheet(..));
        if shown.animation.as_deref() == Some("all") && outputs.iter().any(is_atlas) {
            shown.fit = shown.fit.or(Some(Fit::Character));
        }
    }

    /// Makes pictures larger or smaller, as asked.
    pub(super) fn rescale(&self, shown: &mut Shown) -> Result<(), Failure> {
        if self.contact.is_some() {
            shown.resolution = shown.resolution.or(Some(Size([CONTACT; 2])));
        }
        let Some(scale) = self.scale else { return Ok(()) };
        let scaled = |side: u32| (f64::from(side) * scale).round().max(1.0);
        let [width, height] = shown.size().map(scaled);
        let size: Result<Size, String> = format!("{width}x{height}").parse();
        let size = size.map_err(|error| Failure::Usage(format!("--scale: {error}")))?;
        shown.resolution = Some(size);
        shown.zoom = shown.zoom.map(|zoom| zoom * scale);
        Ok(())
    }

    /// How animations become files, as these options and those of a session say.
    pub(super) fn reel(&self, playing: &Playing, ignores_moment: bool) -> ReelOptions {
        ReelOptions {
            ignores_moment,
            fps: self.fps,
            includes_last: self.include_last,
            plays: self.loops.unwrap_or(0),
            rate: playing.rate,
            speed: playing.speed,
            section: playing.section,
            is_ping_pong: playing.ping_pong == Some(true),
        }
    }
}

/// Reads a percentage or a factor: 1 % to 3200 %.
fn scale(text: &str) -> Result<f64, String> {
    let factor = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0),
        None => text.parse::<f64>().ok(),
    };
    let factor = factor.filter(|factor| (0.01..=32.0).contains(factor));
    factor.ok_or_else(|| format!("invalid scale {text:?}: expected 1% to 3200%, like 50%"))
}

/// Memory that pictures may take before they are trimmed.
const MOST_BYTES: u64 = 1 << 30;

/// Pictures of an atlas, gathered while they are drawn.
pub(super) struct CapturedSheet<'a> {
    sheet: &'a PlannedSheet,
    clips: Vec<SheetClip>,
    dialect: Option<AtlasDialect>,
    packing: packing::Options,
    pictures: Mutex<Vec<Option<Picture>>>,
}

impl<'a> CapturedSheet<'a> {
    /// An atlas of shots, all of one size.
    ///
    /// # Errors
    /// [`Failure::Usage`] if they take more memory than there may be.
    pub(super) fn new(
        sheet: &'a PlannedSheet,
        shots: &[Shot],
        args: &ExportArgs,
        size: [u32; 2],
    ) -> Result<Self, Failure> {
        let [width, height] = size.map(u64::from);
        let bytes = width * height * 4;
        if bytes.saturating_mul(shots.len() as u64) > MOST_BYTES {
            let (count, most) = (shots.len(), MOST_BYTES / bytes);
            return Err(Failure::Usage(format!(
                "{count} pictures of {width} x {height} for an atlas, expected at most {most} of this size; choose fewer frames (-f 0..:2) or a smaller size (-s)"
            )));
        }
        let mut rest = shots.iter();
        let mut names = sheet.names.iter();
        let clip = |clip: &AnimationFile| SheetClip {
            name: {
                let mut own = names.by_ref().take(clip.frames);
                let folder = own.next().and_then(|name| name.rsplit_once('/'));
                own.for_each(drop);
                folder.map_or("", |(folder, _)| folder).to_owned()
            },
            frames: clip.frames,
            fps: clip.rate,
            pivots: rest.by_ref().take(clip.frames).map(|shot| pivot(shot, size)).collect(),
        };
        let clips = sheet.clips.iter().map(clip).collect();
        let packing = args.packing(file_name::stem(&sheet.path), size);
        let pictures = Mutex::new(vec![None; shots.len()]);
        Ok(Self { sheet, clips, dialect: args.dialect, packing, pictures })
    }

    pub(super) fn take(&self, shot: usize, pixels: &Pixels) {
        let name = self.sheet.names.get(shot).map_or("", String::as_str);
        let picture = Picture::trimmed(name, pixels.clone());
        if let Some(place) = self.pictures.lock().get_mut(shot) {
            *place = Some(picture);
        }
    }

    /// Packs the pictures, and writes pages and text. Returns the files, the images of the pages before the text, and a report.
    pub(super) fn finish(
        mut self,
        subject: &'a dyn Subject,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(Vec<PathBuf>, SheetReport<'a>), Failure> {
        let pictures = std::mem::take(self.pictures.get_mut());
        let pictures: Vec<Picture> = pictures.into_iter().flatten().collect();
        let output = &self.sheet.path;
        let told = |error: &dyn Display| Failure::Usage(format!("{}: {error}", output.display()));
        let mut packed = packing::pack(&pictures, &self.packing).map_err(|error| told(&error))?;
        let text = match self.sheet.format {
            SheetFormat::Pct => {
                for (name, safe) in pct::safe_names(&mut packed.atlas) {
                    let (name, safe) = (quoted(&name), quoted(&safe));
                    messages.note(&format!(
                        "PCT cannot hold the name {name}; the sprite is named {safe}"
                    ));
                }
                pct::write(&packed.atlas).map_err(|error| told(&error))?
            }
            SheetFormat::Json => self.json(&packed.atlas)?,
        };
        let files = output::sheet_files(&packed, text, output, messages)?;
        output::write_together(&files, disk)?;
        let files: Vec<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
        let mut pages: Vec<String> = files.iter().map(|path| slashed(path)).collect();
        let path = pages.pop().unwrap_or_default();
        let animations = self.animations(&packed.atlas, subject);
        Ok((files, SheetReport { path, pages, animations }))
    }

    /// The animations in the packed atlas.
    fn animations(&self, atlas: &Atlas, subject: &'a dyn Subject) -> Vec<SheetAnimation<'a>> {
        let mut names = atlas.sprites.names().map(str::to_owned);
        let report = |(clip, of): (&SheetClip, &AnimationFile)| {
            let same = clip.pivots.windows(2).all(|pair| pair.first() == pair.last());
            let animation = of.animation.and_then(|id| subject.animation(id));
            SheetAnimation {
                name: of.animation.map_or("", |id| subject.animation_name(id)),
                fps: animation.map_or(0.0, |_| clip.fps),
                looping: animation.is_some_and(|clip| clip.timeline.looping),
                sprites: names.by_ref().take(clip.frames).collect(),
                pivot: clip.pivots.first().copied().unwrap_or_default(),
                pivots: if same { Vec::new() } else { clip.pivots.clone() },
            }
        };
        self.clips.iter().zip(&self.sheet.clips).map(report).collect()
    }

    /// Text of the atlas with its clips.
    fn json(&self, atlas: &Atlas) -> Result<String, Failure> {
        let pages = atlas.pages.len();
        let dialect = self.dialect.unwrap_or(AtlasDialect::for_pages(pages));
        if pages > dialect.most_pages() {
            return Err(Failure::Usage(format!(
                "{}: {pages} pages, but the dialect {} holds one; use --dialect multiatlas, fewer frames or a smaller size",
                self.sheet.path.display(),
                dialect.id()
            )));
        }
        let mut text = Vec::new();
        atlas_json::write(atlas, &self.clips, dialect, Layout::Lines, &mut text)?;
        String::from_utf8(text).map_err(|error| Failure::Running(error.into()))
    }
}

/// The atlas of the pictures, and values that its format cannot hold.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Sheet")]
pub(super) struct SheetReport<'a> {
    /// Path of the text.
    path: String,
    /// Paths of its pages' images.
    pages: Vec<String>,
    /// The animations in it, in order.
    animations: Vec<SheetAnimation<'a>>,
}

/// An animation of a sheet.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SheetAnimation<'a> {
    /// Its name in the file that was captured.
    name: &'a str,
    /// Frames per second at which the sprites play as fast as the animation: half of the file's if every second frame was taken.
    fps: f64,
    /// True if it starts again at the end.
    looping: bool,
    /// Names of its sprites, in order.
    sprites: Vec<String>,
    /// Place of the world's origin in the source of its first sprite: 0,0 is the top left, 1,1 the bottom right.
    pivot: [f32; 2],
    /// Pivot of each sprite, if the pivots differ (with `--fit frame`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pivots: Vec<[f32; 2]>,
}

/// The world's origin in a picture, as a fraction of its size.
#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn pivot(shot: &Shot, size: [u32; 2]) -> [f32; 2] {
    let [x, y] = transform_point(&shot.camera.screen_from_world(size), [0.0; 2]);
    let [width, height] = size.map(|side| side.max(1) as f32);
    [x / width, y / height]
}
