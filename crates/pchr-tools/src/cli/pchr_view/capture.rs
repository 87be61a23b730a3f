//! `pchr-view capture`: pictures, animations and atlases to files.

mod exports;
mod outputs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, Parser as _};
use schemars::JsonSchema;
use serde::Serialize;

use pchr::finding::quoted;
use pchr::playback::Mix;
use pchr::pose::BindSource;
use pchr::scene::{Spatial, Subject};

use self::exports::{ExportArgs, SheetReport};
use self::outputs::{Outputs, SurveyJob, Written};
use super::contact_sheet::ContactReport;
use super::{ProgramArgs, ProgramCommand};
use crate::capture::{CaptureError, Shot, StageTimes, Taken};
use crate::cli::BindReport;
use crate::export::{AnimationReport, Shows};
use crate::open::{Openers, several_beside};
use crate::run::device::{Device, DrawnBy};
use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::prepare::{self, Prepared};
use crate::run::{Disk, Failure, messages, output};
use crate::session::{ENDING, Session, is_session};
use crate::text::slashed;
use crate::threads;
use crate::view::plan::PlanJob;
use crate::view::{CameraReport, Output, Playing, RendererArg, RendererArgs, Shown};

#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  pchr-view capture hero.pchr -o hero.png
  pchr-view capture hero.pchr -a walk -f 0..24:6 -s 256x256 -o 'walk/{frame:04}.png'
  pchr-view capture hero.pchr -a all -f all -o '{animation}/{frame}.png' --renderer cpu
  pchr-view capture hero.pchr --time 0.35 --smooth --background '#808080' -o - > now.png
  pchr-view capture hero.pchr --hide '*shadow' --center 0,120 --zoom 2 -o close.png --json
  pchr-view capture hero.pchr --overlay bones,names --overlay wireframe -s 1024x1024 -o rig.png
  pchr-view capture hero.pchr --overlay weights=hand_near --background studio.png -o hand.png
  pchr-view capture hero.pchr --mix idle:walk:0.5 -f 6 --mix-frame 2 -o between.png
  pchr-view capture hero.pchr --z-order 'tail=2' --renderer cpu -o behind.png
  pchr-view capture hero.pchr -a all --fps 12 -s 256x256 -o hero.json
  pchr-view capture new.pchr --camera-of old.pchr -f all -o 'new/{frame}.png'
  pchr-view capture hero.pchr-view.toml -o view.png
  pchr-view capture hero.pchr -a walk -s 256x256 -o walk.gif -o walk.webp
  pchr-view capture hero.pchr --contact auto -o contact.png
  pchr-view capture hero.pchr -a all --fps 15 --trim --pad 8 -o '{animation}.apng'

The PNG files say their camera and moment in a text (iTXt, keyword pchr-view), which compare and --camera-of read.

MESH is a name, a pattern (wildcards: * ? [..]) or an index like #3; an exact name wins. In --overlay, BONE and MESH are a name or an index; use the index if the name contains a comma.")]
pub(super) struct CaptureArgs {
    /// The file, or a session that was saved in the window; - reads the file from standard input
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Output path: a .png, which must contain {frame}, {frame:04} or {animation} if there are several pictures, and may contain {file};
    /// a .gif, .webp, .apng, .mp4, .webm or .mov for an animation, of all frames unless some are chosen; a .json or .pct for an atlas of
    /// all frames, with its pages beside it; - writes one PNG to standard output. Several are drawn once (repeatable)
    #[arg(short, long, value_name = "PATH", required = true)]
    pub(super) output: Vec<Output>,
    #[command(flatten)]
    pub(super) shown: Shown,
    #[command(flatten)]
    export: ExportArgs,
    #[command(flatten)]
    pub(super) playing: Playing,
    #[command(flatten)]
    pub(super) by: RendererArgs,
    /// Also write what these options show as a session, NAME.pchr-view.toml, which the window, capture and suites open
    #[arg(long, value_name = "FILE", value_parser = session_path)]
    pub(super) save_session: Option<PathBuf>,
    /// Threads that draw and encode [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) jobs: Option<u16>,
    /// Print a JSON report of the files written
    #[arg(long)]
    pub(super) json: bool,
    /// True if a session says the frame or time, and not the command line.
    #[arg(skip)]
    shows_moment: bool,
}

impl CaptureArgs {
    /// The arguments with what a session shows, and how it plays, in place of the session. Own options take precedence.
    fn with_session(&self, disk: &Disk) -> Result<Self, Failure> {
        let session = input::session(disk, &self.file, &self.shown, &self.playing)?;
        let allow_outside = self.input.allow_outside || session.reads_outside();
        Ok(Self {
            shown: session.shown,
            playing: session.playing,
            input: InputArgs { allow_outside, ..self.input },
            file: session.file,
            shows_moment: self.shown.frame.is_none() && self.shown.time.is_none(),
            ..self.clone()
        })
    }

    /// Text of the session at `path` with what these options show.
    fn session(&self, path: &PathBuf) -> Result<String, Failure> {
        let absolute = |path: &PathBuf| {
            std::path::absolute(path).map_err(|error| Failure::Running(error.into()))
        };
        if input::is_stdin(&self.file) {
            let why = "--save-session: a session names a file, not standard input";
            return Err(Failure::Usage(why.to_owned()));
        }
        let mut shown = self.shown.clone();
        for path in shown.paths_mut() {
            *path = absolute(path)?;
        }
        let session = Session {
            file: absolute(&self.file)?,
            stage: None,
            allow_outside: self.input.allow_outside,
            shown,
            playing: self.playing.clone(),
        };
        let path = absolute(path)?;
        let text = session.text(path.parent().unwrap_or(Path::new("")));
        text.map_err(|error| Failure::Usage(format!("--save-session: {error}")))
    }

    pub(super) fn plan(&self) -> PlanJob<'_> {
        PlanJob {
            options: &self.shown,
            outputs: &self.output,
            folders: false,
            stem: input::stem(&self.file),
            reel: self.export.reel(&self.playing, self.shows_moment),
            contact: self.export.contact,
        }
    }
}

fn session_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match is_session(&path) {
        true => Ok(path),
        false => Err(format!("expected a name that ends with {ENDING}")),
    }
}

pub(super) fn run(args: &CaptureArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    take(args, messages, disk, None).map(drop)
}

/// Takes the requested pictures, perhaps followed by another program.
fn take(
    args: &CaptureArgs,
    messages: &Messages,
    disk: &Disk,
    follow: Option<&Follow<'_>>,
) -> Result<Exported, Failure> {
    let start = Instant::now();
    args.export.check(&args.output, &args.shown, &args.playing, args.save_session.is_some())?;
    if args.json && args.output.contains(&Output::Stdout) {
        return Err(Failure::Usage("--json and -o - both write to standard output".into()));
    }
    let mut args = if is_session(&args.file) { args.with_session(disk)? } else { args.clone() };
    let session = args.save_session.as_ref().map(|path| args.session(path)).transpose()?;
    ExportArgs::fit(&args.output, &mut args.shown);
    args.export.rescale(&mut args.shown)?;
    let args = &args;
    let device = Device::start(args.by.renderer, &args.by.adapter)?;
    let file = input::name(&args.file);
    let companions = args.shown.companions();
    let opened = input::open(disk, &args.file, &file, args.input, &companions)?;
    let read = start.elapsed();
    let (mut images, findings) = prepare::decode(&opened, &file)?;
    let decoded = start.elapsed();
    let asked = |failure: Failure| failure.in_file(&file);
    prepare::replace_images(disk, &args.shown, opened.images(), args.input, &mut images)
        .map_err(asked)?;
    let prepared =
        Prepared::new(disk, &args.plan(), args.input, &opened.subject, &|_| None).map_err(asked)?;
    let Prepared { subject, plan, .. } = &prepared;
    let subject = &**subject;
    let note = args.plan().note(subject);
    let of_bind = opened.bind_warnings(subject);
    drop(opened); // the text of the file
    outputs::check(plan, disk)?;
    disk.check(args.save_session.as_deref())?;
    let planned = start.elapsed();

    let size = prepared.size;
    let opened = device.open(Some(size), messages)?;
    opened.expect(size);
    let mut drawer = opened.drawer(subject, images, &prepared, messages)?;
    let ready = start.elapsed();

    // Warnings are printed once only drawing can still fail, so that the first line of a failure is its error.
    messages.warnings(&file, &findings);
    say_bind(&file, subject, messages);
    messages.warnings(&file, &of_bind);
    if let Some(note) = note {
        messages.note(&format!("{file}: {note}"));
    }
    if let Some(spatial) = subject.spatial().filter(|_| subject.bone_count() > 0) {
        say_points(&args.file, &file, spatial, messages);
    }
    for note in prepared.notes(&args.shown) {
        messages.note(&format!("{file}: {note}"));
    }
    let of_outputs = outputs::notes(plan, args.shown.background());
    of_outputs.iter().for_each(|note| messages.note(note));
    if !plan.exact {
        let inexact = match subject.spatial() {
            Some(_) => "too many frames to measure them all; the fit may cut some of them off",
            None => "too many vertices and frames to measure; the fit may leave a larger margin",
        };
        messages.note(&format!("{file}: {inexact} (set the view with --center and --zoom)"));
    }
    if args.by.renderer == RendererArg::Cpu && args.by.adapter.asked() {
        messages.warning("--backend and --adapter have no effect: --renderer cpu uses no adapter");
    }
    let job = prepared.job(threads::count(args.jobs));
    let times = StageTimes::default();
    let look = SurveyJob::new(plan, &args.export);
    let all = plan.shots.len() + look.len();
    let progress = messages::progress(all, messages);
    let count = AtomicUsize::new(0);
    let drawn = || {
        progress.inc(1);
        opened.expect(size);
        let Some(follow) = follow else { return Ok(()) };
        let drawn = count.fetch_add(1, Ordering::Relaxed) + 1;
        (follow.drawn)([drawn, all, plan.shots.len()]);
        match follow.stop.load(Ordering::Relaxed) {
            true => Err(CaptureError::Write(std::io::ErrorKind::Interrupted.into())),
            false => Ok(()),
        }
    };
    let surveys = look.run(plan, &job, &mut drawer, &times, &drawn)?;
    let shows = follow.map(|follow| follow.picture);
    let outputs = Outputs::open(plan, args, &surveys, subject, size, disk, shows)?;
    let sink = |taken: &mut Taken<'_>| {
        if outputs.may_wait() {
            opened.rest();
        }
        outputs.take(taken, subject)?;
        drawn()
    };
    job.run(&mut drawer, &plan.shots, &times, &sink)?;
    progress.finish_and_clear();
    if let Some((path, session)) = args.save_session.as_ref().zip(session) {
        disk.write(path, session.as_bytes()).map_err(anyhow::Error::from)?;
        messages.detail(&format!("wrote {}", path.display()));
    }

    let Written { files, captures, animations, sheet, contact_sheets } =
        outputs.finish(subject, messages)?;
    let total = start.elapsed();
    let exported = Exported { files, pictures: plan.shots.len(), rate: plan.rate() };
    for path in &exported.files {
        messages.detail(&format!("wrote {}", path.display()));
    }
    if args.json {
        let mut times: Vec<_> = times.stages().collect();
        let marks = [
            ("read", read),
            ("decode", decoded - read),
            ("plan", planned - decoded),
            ("device", ready - planned),
        ];
        times.splice(0..0, marks);
        times.push(("total", total));
        output::write_json(&CaptureReport {
            version: crate::version(),
            file: &file,
            drawn_by: opened.drawn_by(),
            bind_pose: subject.bind().map(|bind| BindReport::new(bind, subject)),
            warnings: findings.iter().map(ToString::to_string).collect(),
            fonts: prepared.fonts(),
            captures,
            animations,
            sheet,
            contact_sheets,
            milliseconds: times
                .into_iter()
                .map(|(name, time)| (name.to_owned(), milliseconds(time)))
                .collect(),
        })?;
    }
    Ok(exported)
}

/// Warns the user if the bind pose is a guess.
fn say_bind(file: &str, subject: &dyn Subject, messages: &Messages) {
    let Some(bind) = subject.bind() else { return };
    match bind.source() {
        BindSource::FirstFrame(id) => messages.note(&format!(
            "{file}: no animation is named like a bind pose (bind, rest, setup, tpose); frame 0 of {} is used (choose another with --bind)",
            quoted(subject.animation_name(id))
        )),
        BindSource::Absent => messages.note(&format!("{file}: no animation has frames; vertices are drawn as stored")),
        BindSource::Named(_) | BindSource::Chosen(..) | BindSource::Disabled => {}
    }
}

/// Explains to the user why bones are not joined.
fn say_points(path: &Path, file: &str, spatial: &dyn Spatial, messages: &Messages) {
    if spatial.has_skeleton() {
        return;
    }
    let several = Some(path).filter(|_| spatial.lacks_skeleton());
    let why = several.and_then(several_beside);
    let why = why.as_deref().unwrap_or("choose one with --skeleton FILE");
    messages.note(&format!("{file}: no skeleton, so bones are shown as points: {why}"));
}

fn pictures<'a>(
    subject: &'a dyn Subject,
    shots: &[Shot],
    paths: &[PathBuf],
    sizes: &[[u32; 2]],
) -> Vec<CapturedPictureReport<'a>> {
    let describe = |((shot, path), [width, height]): ((&Shot, &PathBuf), &[u32; 2])| {
        let at = shot.at;
        let clip = at.and_then(|at| subject.animation(at.animation));
        CapturedPictureReport {
            path: slashed(path),
            animation: clip.map(|clip| clip.name),
            animation_index: at.map(|at| at.animation.0),
            frame: at.map(|at| at.frame),
            time: at.zip(clip).map_or(0.0, |(at, clip)| at.position() / clip.timeline.fps),
            mix: shot.mix.map(|mix| MixReport::new(mix, subject)),
            width: *width,
            height: *height,
            camera: shot.camera.into(),
        }
    };
    shots.iter().zip(paths).zip(sizes).map(describe).collect()
}

/// Captured pictures, their file and their renderer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct CaptureReport<'a> {
    /// Version of the program, with the commit that it was built from.
    version: &'static str,
    /// The file, as named on the command line; stdin for -.
    file: &'a str,
    /// Renderer of the pictures.
    drawn_by: DrawnBy,
    /// Pose in which the vertices were assumed to be stored, with the reason; null for content that has no bind pose.
    bind_pose: Option<BindReport<'a>>,
    /// Warnings about the file, one line each, starting with the rule's id.
    warnings: Vec<String>,
    /// Families of the fonts used for names that the built-in font cannot write; empty if there are none.
    fonts: &'a [String],
    /// The pictures that were written, in order; none if they became an atlas or animations.
    captures: Vec<CapturedPictureReport<'a>>,
    /// The animations that the pictures became; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    animations: Vec<AnimationReport<'a>>,
    /// The atlas that the pictures became; null unless -o requested one.
    sheet: Option<SheetReport<'a>>,
    /// The contact sheets that the pictures became; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contact_sheets: Vec<ContactReport<'a>>,
    /// Milliseconds by stage. Stages overlap, so they need not sum to total.
    #[schemars(with = "BTreeMap<String, f64>")]
    milliseconds: serde_json::Map<String, serde_json::Value>,
}

/// A picture that was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PictureReport", title = "Picture")]
struct CapturedPictureReport<'a> {
    /// Path of the PNG file, as the template of -o gave it.
    path: String,
    /// The animation; null if the file has none, and vertices were drawn as stored.
    animation: Option<&'a str>,
    /// The animation's index in the file, from 0.
    animation_index: Option<u16>,
    /// The frame, from 0; with --smooth, the earlier of the two.
    frame: Option<u16>,
    /// Seconds from the animation's start.
    time: f64,
    /// The cross-fade from that moment; null if there is none.
    mix: Option<MixReport<'a>>,
    /// Width in pixels.
    width: u32,
    /// Height in pixels.
    height: u32,
    /// Camera of the picture, before --trim and --pad.
    camera: CameraReport,
}

/// A cross-fade to another moment, bone by bone.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Mix")]
struct MixReport<'a> {
    /// The animation that fades in.
    animation: &'a str,
    /// Its index in the file, from 0.
    animation_index: u16,
    /// Its frame, from 0; with --smooth, the earlier of the two.
    frame: u16,
    /// Seconds from its start.
    time: f64,
    /// Its weight: 0 shows only the other animation, 1 only this one.
    amount: f32,
}

impl<'a> MixReport<'a> {
    fn new(mix: Mix, subject: &'a dyn Subject) -> Self {
        let Mix { to, amount } = mix;
        let fps = subject.animation(to.animation).map_or(1.0, |clip| clip.timeline.fps);
        Self {
            animation: subject.animation_name(to.animation),
            animation_index: to.animation.0,
            frame: to.frame,
            time: to.position() / fps,
            amount,
        }
    }
}

/// Milliseconds with three decimals.
fn milliseconds(duration: Duration) -> serde_json::Value {
    ((duration.as_secs_f64() * 1e6).round() / 1e3).into()
}

/// A capture to run: the words of a command line.
#[derive(Debug)]
pub struct ExportJob {
    args: Box<CaptureArgs>,
    openers: Openers,
}

/// Progress of a capture, and the way to stop it. All of it is called from any thread.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions have none")]
pub struct Follow<'a> {
    /// Called after each picture that is drawn: the number so far, that of all, and that of pictures to write. Some are drawn twice.
    pub drawn: &'a (dyn Fn([usize; 3]) + Sync),
    /// Called with each picture of a file, in straight alpha, as the file shows it: its number, from 0.
    pub picture: Shows<'a>,
    /// Set to stop before the next picture.
    pub stop: &'a AtomicBool,
}

/// Result of a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Files that were written.
    pub files: Vec<PathBuf>,
    /// Number of pictures.
    pub pictures: usize,
    /// Pictures per second, for animations and atlases.
    pub rate: Option<f64>,
}

impl ExportJob {
    /// Reads a command: `pchr-view capture` and its arguments.
    ///
    /// # Errors
    /// [`Failure::Usage`] for arguments that are not understood.
    pub fn parse(words: &[String], openers: Openers) -> Result<Self, Failure> {
        let args = ProgramArgs::try_parse_from(words);
        let args = args.map_err(|error| Failure::Usage(error.to_string()))?;
        match args.command {
            Some(ProgramCommand::Capture(args)) => Ok(Self { args, openers }),
            _ => Err(Failure::Usage("expected the command capture".to_owned())),
        }
    }

    /// Takes the pictures and writes the files. One core is left to the caller.
    ///
    /// # Errors
    /// Those of the command, and any error if it was stopped. No file is left half-written.
    pub fn run(&self, follow: &Follow<'_>) -> Result<Exported, Failure> {
        let cores = u16::try_from(threads::count(None)).unwrap_or(u16::MAX);
        let jobs = Some(self.args.jobs.unwrap_or(cores.saturating_sub(1).max(1)));
        let args = CaptureArgs { jobs, ..CaptureArgs::clone(&self.args) };
        let disk = Disk::new(self.openers);
        let messages = Messages { quiet: true, verbose: false };
        let exported = take(&args, &messages, &disk, Some(follow))?;
        disk.check_read(None)?;
        Ok(exported)
    }
}
