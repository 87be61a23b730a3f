//! `pchr-view`: shows and captures. The window is not known here: the program passes it in.

mod capture;
mod compare;
mod contact_sheet;
mod doctor;
mod thumbnails;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use self::capture::CaptureArgs;
use self::compare::CompareArgs;
use self::doctor::DoctorArgs;
use self::thumbnails::{ContactArgs, ThumbnailArgs};
use super::{Failure, finish, parse};
use crate::bench::{self, BenchArgs};
use crate::cli::Verbosity;
use crate::open::Openers;
use crate::suite::{self, ReportArgs, TestArgs};
#[cfg(all(feature = "render", target_os = "linux"))]
use crate::view::RendererArg;
use crate::view::{Playing, Shown, option_rules};

pub use self::capture::{ExportJob, Exported, Follow};
pub use crate::view::{AdapterArgs, Background, Point, Size};
pub(super) use capture::CaptureReport;
pub(super) use compare::CompareReport;
pub(super) use doctor::DoctorReport;

const NO_WINDOW: &str = "this program was built without the window (feature `viewer`); `pchr-view capture` draws to files";

/// Opens the window of a program that has one.
pub type OpenWindow = fn(Openers, WindowArgs) -> Result<(), Failure>;

/// Runs `pchr-view` with the process's arguments, over the kinds of content of `openers`. `sample` is the file of the built-in
/// sample character, which `doctor` draws.
pub fn main(
    version: &'static str,
    sample: &'static [u8],
    openers: Openers,
    window: Option<OpenWindow>,
) -> ExitCode {
    let args = match parse::<ProgramArgs>("pchr-view", version) {
        Ok(args) => args,
        Err(code) => return code,
    };
    #[cfg(all(feature = "render", target_os = "linux"))]
    if args.command.as_ref().is_some_and(ProgramCommand::may_open_adapter) {
        with_runtime_dir();
    }
    finish(args.verbosity, openers, |messages, disk| match args.command {
        Some(ProgramCommand::Capture(capture)) => capture::run(&capture, messages, disk),
        Some(ProgramCommand::Compare(args)) => compare::run(&args, messages, disk),
        Some(ProgramCommand::Doctor(args)) => {
            doctor::run(&args, messages, sample, window.is_some())
        }
        Some(ProgramCommand::Thumbnail(args)) => thumbnails::thumbnail(&args, disk),
        Some(ProgramCommand::Contact(args)) => thumbnails::contact(&args, messages, disk),
        Some(ProgramCommand::Test(args)) => suite::test(&args, messages, disk),
        Some(ProgramCommand::Report(args)) => suite::report(args, messages, disk),
        Some(ProgramCommand::Bench(args)) => bench::run(&args, messages, disk),
        None => match window {
            Some(open) => open(openers, args.window),
            None => Err(Failure::Usage(NO_WINDOW.into())),
        },
    })
}

/// Restarts the program in the same process if `XDG_RUNTIME_DIR` is missing. Returns where it is set; also if that fails,
/// since two extra lines of output must not stop the program.
///
/// Mesa's Vulkan drivers look for a Wayland display also where nothing is shown, and libwayland calls it an `error:` if the variable
/// is not set, as in every container. The drivers offer no way to ask them not to, and a process cannot safely change its own
/// environment; so the program takes its own place, with the variable set to a folder that is not there.
#[cfg(all(feature = "render", target_os = "linux"))]
fn with_runtime_dir() {
    use std::os::unix::process::CommandExt as _;

    const VARIABLE: &str = "XDG_RUNTIME_DIR";
    let value = std::env::var_os(VARIABLE).unwrap_or_default();
    if value.as_encoded_bytes().starts_with(b"/") {
        return;
    }
    let mut args = std::env::args_os();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), args.next()) {
        let mut again = std::process::Command::new(program);
        again.arg0(name).args(args).env(VARIABLE, "/nonexistent");
        drop(again.exec()); // returns only if it failed
    }
}

/// The command line of the program, for completions and man pages.
pub(super) fn command() -> clap::Command {
    <ProgramArgs as clap::CommandFactory>::command()
}

/// Shows PCHR characters, atlases and 3D motions in a window, and captures them as pictures without opening one.
#[derive(Debug, Parser)]
#[command(
    name = "pchr-view",
    version = crate::version(),
    args_conflicts_with_subcommands = true,
    help_expected = true,
    mut_args(option_rules::hide_of_captures),
    after_help = "Examples:
  pchr-view                        # the built-in sample
  pchr-view hero.pchr              # opens, fits and plays; drop other files on the window
  pchr-view art                    # a gallery of all files in the folder and below it
  pchr-view capture hero.pchr -o hero.png
  pchr-view capture hero.pchr -a walk -f all -o 'walk/{frame:04}.png' --renderer cpu
  pchr-view compare old.png new.png --diff diff.png
  pchr-view test suite.toml --report report
  pchr-view bench hero.pchr

Exit codes: 0 done, 1 failed while running, 2 usage, 3 pictures differ, or slower than a baseline, 4 invalid input file, 5 no usable graphics \
adapter, 6 a baseline is missing"
)]
struct ProgramArgs {
    #[command(subcommand)]
    command: Option<ProgramCommand>,
    #[command(flatten)]
    window: WindowArgs,
    #[command(flatten)]
    verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
enum ProgramCommand {
    /// Draws frames to PNG files, without a display; with --renderer cpu, without a GPU driver
    Capture(Box<CaptureArgs>),
    /// Compares two pictures, or the pictures in two folders
    Compare(CompareArgs),
    /// Lists the graphics adapters and displays of this machine, and tests the renderers
    Doctor(DoctorArgs),
    /// Draws a small picture of a file, for file managers
    Thumbnail(ThumbnailArgs),
    /// Draws an overview of the files in a folder, as a picture or as a page
    Contact(ContactArgs),
    /// Compares a suite of captures with its baselines
    Test(Box<TestArgs>),
    /// Merges test reports
    Report(ReportArgs),
    /// Measures how long files take to read and draw, stage by stage
    Bench(Box<BenchArgs>),
}

#[cfg(all(feature = "render", target_os = "linux"))]
impl ProgramCommand {
    /// Returns true if it may load graphics drivers without a window.
    fn may_open_adapter(&self) -> bool {
        match self {
            Self::Capture(capture) => capture.by.renderer != RendererArg::Cpu,
            Self::Bench(bench) => bench.may_open_adapter(),
            Self::Doctor(_) | Self::Test(_) => true,
            Self::Compare(_) | Self::Thumbnail(_) | Self::Contact(_) | Self::Report(_) => false,
        }
    }
}

/// Arguments of the window.
#[derive(Clone, Debug, Args)]
pub struct WindowArgs {
    /// Files to show [default: the built-in sample]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also read images outside the folder of the JSON file or atlas that names them
    #[arg(long)]
    pub allow_outside: bool,
    /// Leave out the looks that are remembered from the last run, and those of config.toml and of folders
    #[arg(long)]
    pub no_defaults: bool,
    /// How they play.
    #[command(flatten)]
    pub playing: Playing,
    /// View of the files.
    #[command(flatten)]
    pub shown: Shown,
    /// Graphics adapter that draws.
    #[command(flatten)]
    pub adapter: AdapterArgs,
    /// Window size
    #[arg(long, value_name = "WxH")]
    pub window_size: Option<Size>,
    /// Start as a small window in front of others, with the picture alone; Shift+F9 or Escape ends that
    #[arg(long)]
    pub preview: bool,
}

/// Entries for fuzzing: texts that others may have written. No file is opened.
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzz {
    use clap::Parser;

    use pchr::character::Character;
    use pchr::document::Document;
    use pchr::pose::BindChoice;

    use super::capture::CaptureArgs;
    use crate::view::select;

    pub use crate::suite::fuzz::{baseline, reports, suite};

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Capture {
        #[command(flatten)]
        args: CaptureArgs,
    }

    /// Takes the options of `capture` that are typed, and plans the pictures of a document.
    pub fn plan(typed: &[String], document: Document) {
        let Ok(Capture { args }) = Capture::try_parse_from(typed) else { return };
        let character = Character::new(document, BindChoice::Auto);
        let Ok(bind) = args.shown.bind_choice(&character) else { return };
        let character = character.with_bind(bind);
        let _ = select::overlay(&character, &args.shown);
        if let Ok(view) = select::meshes(&character, &args.shown)
            && let Ok(plan) = args.plan().run(&character, &view, &|_| None, None)
        {
            for shot in plan.shots {
                assert!(shot.camera.zoom() > 0.0 && shot.camera.zoom().is_finite());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_below_zero_is_a_value_and_the_message_says_what_is_wrong_with_it() {
        let capture = ["pchr-view", "capture", "walk.seanim", "-o", "walk.png"];
        for (before, option) in [
            (&capture[..1], "--zoom"),
            (&capture[..1], "--speed"),
            (&capture[..1], "--fov"),
            (&capture, "--zoom"),
            (&capture, "--fov"),
        ] {
            let args = [before, &[option, "-1"]].concat();
            let error = ProgramArgs::try_parse_from(args).unwrap_err().to_string();
            assert!(error.contains("\"-1\": expected "), "{error}");
        }
    }
}
