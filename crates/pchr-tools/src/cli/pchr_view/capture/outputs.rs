//! Outputs of a capture: looked at before they are drawn if that matters, written while they are drawn.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use parking_lot::Mutex;

use pchr::image::{PixelRect, Pixels};
use pchr::scene::Subject;

use super::exports::{CapturedSheet, ExportArgs, SheetReport};
use super::{CaptureArgs, CapturedPictureReport, pictures};
use crate::capture::{
    AnimationFile, AnimationFormat, CaptureError, CaptureJob, Drawer, Shot, StageTimes, Taken,
};
use crate::cli::pchr_view::contact_sheet::{ContactReport, ContactSheet, unusable};
use crate::export::{AnimationReport, Animations, Shows, Survey, Trimming, find_ffmpeg};
use crate::file_name;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::typeface::Fonts;
use crate::view::Background;
use crate::view::cameras::{self, PictureView};
use crate::view::plan::{PicturePlan, PictureTarget};

/// Frames whose colours make the palette of a GIF file, at most.
const SAMPLED: usize = 32;

/// Checks what can be checked before drawing: no output is an input or another output, and what is needed is installed.
pub(super) fn check(plan: &PicturePlan, disk: &Disk) -> Result<(), Failure> {
    let mut taken = BTreeMap::new();
    for (number, target) in plan.targets.iter().enumerate() {
        for path in paths_of(&target.output) {
            let path = std::path::absolute(&path).unwrap_or(path);
            let other = taken.insert(file_name::key(&path.to_string_lossy()), number);
            if other.is_some_and(|other| other != number) && !file_name::is_null(&path) {
                return Err(Failure::Usage(format!(
                    "-o: two outputs would be written to {}; choose another name for one of them",
                    path.display()
                )));
            }
        }
    }
    for target in &plan.targets {
        let paths = paths_of(&target.output);
        // The images of an atlas are not known yet: it may have several pages.
        let known = if let PictureTarget::Sheet(_) = target.output { 1 } else { paths.len() };
        disk.check(paths.iter().take(known).map(PathBuf::as_path))?;
        if let PictureTarget::Animations(AnimationFormat::Video(_), files) = &target.output
            && let Some(file) = files.first()
            && let Err(error) = find_ffmpeg()
        {
            return Err(Failure::Running(anyhow::anyhow!(
                "{}: videos need ffmpeg, which cannot be started ({error}); install it, or write .webp, .apng, .gif or .png, which need nothing",
                file.path.display()
            )));
        }
    }
    Ok(())
}

/// Paths of an output, as far as they are known before drawing; an atlas has the image of its page beside it.
fn paths_of(output: &PictureTarget) -> Vec<PathBuf> {
    match output {
        PictureTarget::Stdout => Vec::new(),
        PictureTarget::Files(paths) => paths.clone(),
        PictureTarget::Sheet(sheet) => vec![sheet.path.clone(), sheet.path.with_extension("png")],
        PictureTarget::Contact(contact) => vec![contact.path.clone()],
        PictureTarget::Animations(_, files) => files.iter().map(|file| file.path.clone()).collect(),
    }
}

/// Notes about clips that a contact sheet has no rows for, and about transparency that an output cannot hold.
pub(super) fn notes(plan: &PicturePlan, background: &Background) -> Vec<String> {
    let left_out = plan.targets.iter().find_map(|target| match &target.output {
        PictureTarget::Contact(contact) if contact.left_out > 0 => Some(format!(
            "{}: {} without a row; choose more rows with --contact ROWSxCOLUMNS",
            contact.path.display(),
            if contact.left_out == 1 {
                "1 clip".to_owned()
            } else {
                format!("{} clips", contact.left_out)
            }
        )),
        _ => None,
    });
    let has_alpha =
        matches!(background, Background::Transparent | Background::Color([.., 0..=254]));
    let opaque = plan.targets.iter().find_map(|target| match &target.output {
        PictureTarget::Animations(AnimationFormat::Video(format), files) if !format.has_alpha() => {
            files.first()
        }
        _ => None,
    });
    let opaque = opaque.filter(|_| has_alpha).map(|file| {
        format!(
            "{}: without transparency, so the picture lies over white; choose another colour with --background",
            file.path.display()
        )
    });
    left_out.into_iter().chain(opaque).collect()
}

/// Pictures to look at before anything is written.
pub(super) struct SurveyJob {
    shots: Vec<Shot>,
    /// For each of those the outputs and groups that depend on it, and true if its colours matter.
    of: Vec<Vec<(usize, usize, bool)>>,
}

impl SurveyJob {
    /// Pictures that are looked at; none if nothing depends on them.
    pub(super) fn new(plan: &PicturePlan, args: &ExportArgs) -> Self {
        let mut looks: BTreeMap<usize, Vec<(usize, usize, bool)>> = BTreeMap::new();
        for (output, target) in plan.targets.iter().enumerate() {
            let (groups, is_gif) = match &target.output {
                PictureTarget::Animations(format, files) => {
                    let frames = files.iter().map(|file| file.frames).collect();
                    (frames, *format == AnimationFormat::Gif)
                }
                PictureTarget::Files(_) | PictureTarget::Stdout => {
                    (vec![target.shots.len()], false)
                }
                PictureTarget::Sheet(_) | PictureTarget::Contact(_) => continue,
            };
            let mut shots = target.shots.iter();
            for (group, frames) in groups.into_iter().enumerate() {
                let step = frames.div_ceil(SAMPLED).max(1);
                for (number, shot) in shots.by_ref().take(frames).enumerate() {
                    let counts = is_gif && number.is_multiple_of(step);
                    if counts || args.trim == Some(Trimming::All) {
                        looks.entry(*shot).or_default().push((output, group, counts));
                    }
                }
            }
        }
        let shots = looks.keys().filter_map(|shot| plan.shots.get(*shot)).copied().collect();
        Self { shots, of: looks.into_values().collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.shots.len()
    }

    /// Draws the pictures and looks at them: one survey for each output.
    pub(super) fn run(
        &self,
        plan: &PicturePlan,
        job: &CaptureJob<'_>,
        drawer: &mut Drawer,
        times: &StageTimes,
        done: &(dyn Fn() -> Result<(), CaptureError> + Sync),
    ) -> Result<Vec<Survey>, CaptureError> {
        let groups = plan.targets.iter().map(|target| match &target.output {
            PictureTarget::Animations(_, files) => files.len(),
            _ => 1,
        });
        let surveys: Vec<Survey> = groups.map(Survey::new).collect();
        if self.shots.is_empty() {
            return Ok(surveys);
        }
        let sink = |taken: &mut Taken<'_>| {
            for (output, group, counts) in self.of.get(taken.shot).into_iter().flatten() {
                if let Some(survey) = surveys.get(*output) {
                    survey.look(*group, taken.pixels, *counts);
                }
            }
            done()
        };
        job.run(drawer, &self.shots, times, &sink)?;
        Ok(surveys)
    }
}

/// A picture's part that is kept, and what is put around it.
#[derive(Clone, Copy, Debug)]
struct PictureFraming {
    rect: Option<PixelRect>,
    /// True if each picture is cut to what is visible in it.
    is_own: bool,
    pad: u32,
}

impl PictureFraming {
    /// The framing of a group of pictures.
    fn new(args: &ExportArgs, survey: Option<&Survey>, group: usize) -> Self {
        let all = args.trim == Some(Trimming::All);
        let seen = survey.filter(|_| all).map(|survey| survey.visible(group).unwrap_or(PIXEL));
        Self { rect: seen, is_own: args.trim == Some(Trimming::Each), pad: args.pad }
    }

    /// Returns true if pictures stay as they are.
    fn is_none(self) -> bool {
        self.rect.is_none() && !self.is_own && self.pad == 0
    }

    /// The size of pictures of a size, unless each has its own.
    fn size(self, size: [u32; 2]) -> [u32; 2] {
        let size = self.rect.map_or(size, |rect| rect.size);
        size.map(|side| side.saturating_add(self.pad.saturating_mul(2)))
    }

    fn run(self, pixels: &Pixels) -> Cow<'_, Pixels> {
        if self.is_none() {
            return Cow::Borrowed(pixels);
        }
        let own = self.is_own.then(|| pixels.visible().unwrap_or(PIXEL));
        let part = pixels.cut(own.or(self.rect).unwrap_or(pixels.rect()));
        Cow::Owned(if self.pad > 0 { part.padded(self.pad) } else { part })
    }
}

/// Returns a picture as a PNG, and its size. A part has no text, since its camera is not that of the whole.
fn png<'t>(
    taken: &'t mut Taken<'_>,
    framing: PictureFraming,
    text: &str,
) -> Result<(&'t [u8], [u32; 2]), CaptureError> {
    let pixels = taken.pixels;
    match framing.run(pixels) {
        Cow::Borrowed(whole) => {
            let size = [whole.width, whole.height];
            Ok((taken.encode(whole, Some((cameras::PNG_KEYWORD, text)))?, size))
        }
        Cow::Owned(part) => Ok((taken.encode(&part, None)?, [part.width, part.height])),
    }
}

/// What is kept of pictures with nothing to see.
const PIXEL: PixelRect = PixelRect { offset: [0, 0], size: [1, 1] };

/// Outputs that pictures are written to.
pub(super) struct Outputs<'a> {
    plan: &'a PicturePlan,
    outputs: Vec<OpenOutput<'a>>,
    /// For each shot the outputs that take it, and the number of the picture there.
    takers: Vec<Vec<(usize, usize)>>,
    disk: &'a Disk,
    /// Called with pictures as files show them.
    shows: Option<Shows<'a>>,
}

enum OpenOutput<'a> {
    Stdout(PictureFraming),
    /// Files, and the sizes of the pictures in them.
    Files(&'a [PathBuf], PictureFraming, Mutex<Vec<[u32; 2]>>),
    Sheet(CapturedSheet<'a>),
    Contact(ContactSheet<'a>),
    /// Animations, and the framing of each picture's file.
    Animations(Box<Animations<'a>>, Vec<(usize, PictureFraming)>),
}

impl<'a> Outputs<'a> {
    /// Opens the outputs of a plan, with a survey for each. Pictures have this size; `shows` is called with them as files show them.
    pub(super) fn open(
        plan: &'a PicturePlan,
        args: &CaptureArgs,
        surveys: &[Survey],
        subject: &dyn Subject,
        size: [u32; 2],
        disk: &'a Disk,
        shows: Option<Shows<'a>>,
    ) -> Result<Self, Failure> {
        let export = &args.export;
        let mut takers = vec![Vec::new(); plan.shots.len()];
        let mut outputs = Vec::with_capacity(plan.targets.len());
        for (output, target) in plan.targets.iter().enumerate() {
            for (number, shot) in target.shots.iter().enumerate() {
                if let Some(takers) = takers.get_mut(*shot) {
                    takers.push((output, number));
                }
            }
            let survey = surveys.get(output);
            outputs.push(match &target.output {
                PictureTarget::Stdout => OpenOutput::Stdout(PictureFraming::new(export, survey, 0)),
                PictureTarget::Files(paths) => {
                    output::make_folders(paths.iter().map(PathBuf::as_path))?;
                    let sizes = Mutex::new(vec![size; paths.len()]);
                    OpenOutput::Files(paths, PictureFraming::new(export, survey, 0), sizes)
                }
                PictureTarget::Sheet(sheet) => {
                    let shots = plan.shots_of(target);
                    OpenOutput::Sheet(CapturedSheet::new(sheet, &shots, export, size)?)
                }
                PictureTarget::Contact(contact) => {
                    output::make_folders([contact.path.as_path()])?;
                    let mut fonts = match args.shown.font.as_slice() {
                        [] => Fonts::system(),
                        files => Fonts::from_files(files).map_err(unusable)?,
                    };
                    OpenOutput::Contact(ContactSheet::new(contact, subject, size, &mut fonts)?)
                }
                PictureTarget::Animations(format, files) => {
                    output::make_folders(files.iter().map(|file| file.path.as_path()))?;
                    let framings =
                        (0..files.len()).map(|group| PictureFraming::new(export, survey, group));
                    let framings: Vec<_> = framings.collect();
                    let sizes: Vec<_> = framings.iter().map(|framing| framing.size(size)).collect();
                    check_sizes(*format, files, &sizes)?;
                    let palettes = match (format, survey) {
                        (AnimationFormat::Gif, Some(survey)) => {
                            (0..files.len()).map(|group| survey.palette(group)).collect()
                        }
                        _ => Vec::new(),
                    };
                    let of = files.iter().zip(framings);
                    let of = of.map(|(file, framing)| (file.frames, framing)).collect();
                    let plays = export.loops.unwrap_or(0);
                    let animations =
                        Animations::new(*format, files, sizes, palettes, plays, disk, shows);
                    OpenOutput::Animations(Box::new(animations), of)
                }
            });
        }
        Ok(Self { plan, outputs, takers, disk, shows })
    }

    /// Returns true if an output may keep pictures waiting for longer than drawing takes.
    pub(super) fn may_wait(&self) -> bool {
        let waits = |output: &PictureTarget| {
            matches!(output, PictureTarget::Stdout | PictureTarget::Animations(..))
        };
        self.plan.targets.iter().any(|target| waits(&target.output))
    }

    /// Gives a picture to the outputs that take it.
    pub(super) fn take(
        &self,
        taken: &mut Taken<'_>,
        subject: &dyn Subject,
    ) -> Result<(), CaptureError> {
        let text =
            self.plan.shots.get(taken.shot).map(|shot| PictureView::new(shot, subject).text());
        let text = text.unwrap_or_default();
        let takers = self.takers.get(taken.shot).map_or(&[][..], Vec::as_slice);
        for (output, number) in takers {
            match self.outputs.get(*output) {
                None => {}
                Some(OpenOutput::Stdout(framing)) => {
                    output::write_stdout(png(taken, *framing, &text)?.0)?;
                }
                Some(OpenOutput::Files(paths, framing, sizes)) => {
                    let Some(path) = paths.get(*number) else { continue };
                    if let Some(shows) = self.shows {
                        shows(*number, framing.run(taken.pixels).into_owned());
                    }
                    let (png, size) = png(taken, *framing, &text)?;
                    self.disk.write_picture(path, png)?;
                    if let Some(place) = sizes.lock().get_mut(*number) {
                        *place = size;
                    }
                }
                Some(OpenOutput::Contact(sheet)) => sheet.take(*number, taken.pixels),
                Some(OpenOutput::Sheet(sheet)) => {
                    sheet.take(*number, taken.pixels);
                    if let Some(shows) = self.shows {
                        shows(*number, taken.pixels.clone());
                    }
                }
                Some(OpenOutput::Animations(animations, framings)) => {
                    let mut before = 0;
                    let of = framings.iter().find(|(frames, _)| {
                        before += frames;
                        *number < before
                    });
                    let Some((_, framing)) = of else { continue };
                    let pixels = framing.run(taken.pixels).into_owned();
                    let text = framing.is_none().then(|| (cameras::PNG_KEYWORD, text.clone()));
                    animations.take(*number, pixels, text)?;
                }
            }
        }
        Ok(())
    }

    /// Writes what waits for all pictures.
    pub(super) fn finish(
        self,
        subject: &'a dyn Subject,
        messages: &Messages,
    ) -> Result<Written<'a>, Failure> {
        let mut written = Written::default();
        for (output, target) in self.outputs.into_iter().zip(&self.plan.targets) {
            let mut files = paths_of(&target.output);
            match output {
                OpenOutput::Stdout(_) => {}
                OpenOutput::Files(paths, _, sizes) => {
                    let shots = self.plan.shots_of(target);
                    let sizes = sizes.into_inner();
                    written.captures.extend(pictures(subject, &shots, paths, &sizes));
                }
                OpenOutput::Sheet(sheet) => {
                    let (there, report) = sheet.finish(subject, messages, self.disk)?;
                    files = there;
                    written.sheet = Some(report);
                }
                OpenOutput::Contact(sheet) => {
                    written.contact_sheets.push(sheet.finish(subject, self.disk, self.shows)?);
                }
                OpenOutput::Animations(animations, _) => {
                    written.animations.extend(animations.report(subject));
                }
            }
            written.files.extend(files);
        }
        Ok(written)
    }
}

/// What was written.
#[derive(Default)]
pub(super) struct Written<'a> {
    pub(super) files: Vec<PathBuf>,
    pub(super) captures: Vec<CapturedPictureReport<'a>>,
    pub(super) animations: Vec<AnimationReport<'a>>,
    pub(super) sheet: Option<SheetReport<'a>>,
    pub(super) contact_sheets: Vec<ContactReport<'a>>,
}

/// Checks that a format can hold animations of these sizes.
fn check_sizes(
    format: AnimationFormat,
    files: &[AnimationFile],
    sizes: &[[u32; 2]],
) -> Result<(), Failure> {
    let most = format.most_side();
    let large = sizes.iter().zip(files).find(|(size, _)| size.iter().any(|side| *side > most));
    match large {
        None => Ok(()),
        Some(([width, height], file)) => Err(Failure::Usage(format!(
            "{}: {width} x {height} pixels, but its format has at most {most} on each side; choose a smaller size (-s)",
            file.path.display()
        ))),
    }
}
