//! `pchr-view capture`: frames to PNG files.

use std::path::PathBuf;
use std::time::Instant;

use indicatif::ProgressBar;

use super::args::CaptureArgs;
use super::device::Device;
use super::plan::{Plan, Target};
use super::prepare::{Loaded, Prepared};
use super::report::{CaptureReport, PictureReport, milliseconds, print};
use super::values::{Output, RendererArg};
use crate::capture::{StageTimes, Taken};
use crate::character::Character;
use crate::cli::messages::Messages;
use crate::cli::{Disk, Failure, output, threads};
use crate::finding::{Findings, quoted};
use crate::pose::BindSource;
use crate::scene::Subject;
use crate::text::slashed;

/// Takes the pictures that `args` ask for.
pub(super) fn run(args: &CaptureArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let start = Instant::now();
    if args.json && args.output == Output::Stdout {
        return Err(Failure::Usage(
            "--json and -o - both write to stdout".into(),
        ));
    }
    let device = Device::start(args.renderer, &args.adapter)?;
    let Loaded {
        character,
        input,
        images,
        findings,
        read,
        decoded,
    } = Loaded::read(disk, &args.file, args.input, start)?;
    let asked = |failure: Failure| failure.in_file(&input.name);
    let prepared = Prepared::new(disk, args, &character, &|_| None).map_err(asked)?;
    let Prepared {
        character, plan, ..
    } = &prepared;
    let mut of_bind = Findings::default();
    character.bind().report(character.document(), &mut of_bind);
    let of_bind = input.in_file(of_bind);
    let file = input.into_name();
    if let Target::Files(paths) = &plan.target {
        disk.check(paths.iter().map(PathBuf::as_path))?;
    }
    let planned = start.elapsed();

    let opened = device.open(Some(prepared.picture.size), messages)?;
    let size = prepared.picture.size;
    opened.expect(size);
    let mut drawer = opened.drawer(character, images, &prepared, messages);
    let ready = start.elapsed();

    if let Target::Files(paths) = &plan.target {
        output::make_folders(paths.iter().map(PathBuf::as_path))?;
    }
    // What is odd is said once nothing but drawing is left to fail: the first line of a failure is its error.
    messages.warnings(&file, &findings);
    say_bind(&file, character, messages);
    messages.warnings(&file, &of_bind);
    if !plan.exact {
        messages.note(&format!(
            "{file}: too many vertices and frames to measure all of them; the fit may leave a larger margin (--center and --zoom set the view)"
        ));
    }
    if args.renderer == RendererArg::Cpu && args.adapter.asked() {
        messages.warning("--renderer cpu uses no adapter: --backend and --adapter change nothing");
    }
    let job = prepared.job(threads::count(args.jobs));
    let times = StageTimes::default();
    let progress = progress(plan.shots.len(), messages);
    let sink = |taken: &mut Taken<'_>| {
        match &plan.target {
            Target::Stdout => {
                opened.rest(); // the one picture is drawn, and may take its time through a pipe
                output::write_stdout(taken.png()?)?;
            }
            Target::Files(paths) => {
                if let Some(path) = paths.get(taken.shot) {
                    disk.write_picture(path, taken.png()?)?;
                }
            }
        }
        progress.inc(1);
        opened.expect(size);
        Ok(())
    };
    job.run(&mut drawer, &plan.shots, &times, &sink)?;
    progress.finish_and_clear();

    let total = start.elapsed();
    let Target::Files(paths) = &plan.target else {
        return Ok(());
    };
    for path in paths {
        messages.detail(&format!("wrote {}", path.display()));
    }
    if args.json {
        let mut times: Vec<_> = times.stages().to_vec();
        let marks = [
            ("read", read),
            ("decode", decoded - read),
            ("plan", planned - decoded),
            ("device", ready - planned),
        ];
        times.splice(0..0, marks);
        times.push(("total", total));
        print(&CaptureReport {
            version: env!("PCHR_VERSION"),
            file: &file,
            drawn_by: opened.drawn_by(),
            bind_pose: character.into(),
            warnings: findings.iter().map(ToString::to_string).collect(),
            captures: pictures(character, plan, paths, size),
            milliseconds: times
                .into_iter()
                .map(|(name, time)| (name.to_owned(), milliseconds(time)))
                .collect(),
        })?;
    }
    Ok(())
}

/// A bar on a terminal, when there is more than one picture.
pub(super) fn progress(pictures: usize, messages: &Messages) -> ProgressBar {
    if pictures > 1 && messages.shows_progress() {
        ProgressBar::new(pictures as u64) // draws to stderr, and only if that is a terminal
    } else {
        ProgressBar::hidden()
    }
}

/// The user should know when the bind pose is a guess.
fn say_bind(file: &str, subject: &Character, messages: &Messages) {
    let name = |id| (subject as &dyn Subject).animation_name(id);
    match subject.bind().source() {
        BindSource::FirstFrame(id) => messages.note(&format!(
            "{file}: no animation is named like a bind pose; frame 0 of {} is taken for it (--bind chooses)",
            quoted(name(id))
        )),
        BindSource::Absent => messages.note(&format!("{file}: no animation has a frame; vertices are drawn as stored")),
        BindSource::Named(_) | BindSource::Chosen(..) | BindSource::Disabled => {}
    }
}

fn pictures<'a>(
    subject: &'a dyn Subject,
    plan: &Plan,
    paths: &[PathBuf],
    [width, height]: [u32; 2],
) -> Vec<PictureReport<'a>> {
    let describe = |(shot, path): (&crate::capture::Shot, &PathBuf)| {
        let at = shot.at;
        let clip = at.and_then(|at| subject.animation(at.animation));
        PictureReport {
            path: slashed(path),
            animation: clip.map(|clip| clip.name),
            animation_index: at.map(|at| at.animation.0),
            frame: at.map(|at| at.frame),
            time: at
                .zip(clip)
                .map_or(0.0, |(at, clip)| at.position() / clip.timeline.fps),
            width,
            height,
            camera: shot.camera.into(),
        }
    };
    plan.shots.iter().zip(paths).map(describe).collect()
}
