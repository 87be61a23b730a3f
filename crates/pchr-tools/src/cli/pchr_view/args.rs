//! Arguments of `pchr-view`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::capture::CaptureArgs;
use super::compare::CompareArgs;
use super::doctor::DoctorArgs;
use crate::cli::Verbosity;
use crate::suite::{ReportArgs, TestArgs};
#[cfg(all(feature = "render", target_os = "linux"))]
use crate::view::RendererArg;
use crate::view::{AdapterArgs, Playing, Shown, Size, grammar};

/// Shows PCHR characters, atlases and 3D motions in a window, and captures them as pictures without opening one.
#[derive(Debug, Parser)]
#[command(
    name = "pchr-view",
    version = crate::version(),
    args_conflicts_with_subcommands = true,
    help_expected = true,
    mut_args(grammar::hide_of_captures),
    after_help = "Examples:
  pchr-view                        # the built-in sample
  pchr-view hero.pchr              # opens, fits and plays; drop other files on the window
  pchr-view capture hero.pchr -o hero.png
  pchr-view capture hero.pchr -a walk -f all -o 'walk/{frame:04}.png' --renderer cpu
  pchr-view compare old.png new.png --diff diff.png
  pchr-view test suite.toml --report report

Exit codes: 0 done, 1 failed while running, 2 usage, 3 pictures differ, 4 invalid input file, 5 no usable graphics \
adapter, 6 a baseline is missing"
)]
pub(super) struct ProgramArgs {
    #[command(subcommand)]
    pub(super) command: Option<ProgramCommand>,
    #[command(flatten)]
    pub(super) window: WindowArgs,
    #[command(flatten)]
    pub(super) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(super) enum ProgramCommand {
    /// Draws frames to PNG files, without a display; with --renderer cpu, without a GPU driver
    Capture(Box<CaptureArgs>),
    /// Compares two pictures, or the pictures in two folders
    Compare(CompareArgs),
    /// Lists the graphics adapters and displays of this machine, and tests the renderers
    Doctor(DoctorArgs),
    /// Compares a suite of captures with its baselines
    Test(Box<TestArgs>),
    /// Merges test reports
    Report(ReportArgs),
}

#[cfg(all(feature = "render", target_os = "linux"))]
impl ProgramCommand {
    /// Returns true if it may load graphics drivers without a window.
    pub(super) fn may_open_adapter(&self) -> bool {
        match self {
            Self::Capture(capture) => capture.by.renderer != RendererArg::Cpu,
            Self::Doctor(_) | Self::Test(_) => true,
            Self::Compare(_) | Self::Report(_) => false,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        ProgramArgs::command().debug_assert();
    }
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
