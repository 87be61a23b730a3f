//! `pchr-view doctor`: the graphics adapters and displays of this machine, and a test of its renderers.
//!
//! [`machine`], [`adapters`] (with the GPU renderer) and [`self_test`] find out, each a part of the [`DoctorReport`];
//! [`text`] writes it for people.

#[cfg(feature = "render")]
mod adapters;
mod machine;
mod self_test;
mod text;

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use self::self_test::SelfTest;
use crate::run::messages::Messages;
use crate::run::{Failure, output};
use crate::view::AdapterArgs;

/// Time limit for all drivers of the machine together.
#[cfg(feature = "render")]
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(2);

/// Arguments of `doctor`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view doctor
  pchr-view doctor --backend gl     # whether it would work with OpenGL
  pchr-view doctor --json | jq .usedAdapter.name

Each adapter is opened, even if it would not be used. The self-test draws the built-in sample at 64x64: the CPU renderer must match the expected picture bit for bit; the adapter that would be used may differ by more than 16 of 255 in up to 2 % of the pixels, because adapters place edges differently.

Exit codes: 0 drawing works (without a usable adapter, on the CPU), 1 a self-test failed, 2 usage, 5 no usable adapter although --backend or --adapter asks for one")]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Examines the machine, tests the renderers and prints the results. `has_window` says whether the program can open one.
pub(super) fn run(
    args: &DoctorArgs,
    messages: &Messages,
    sample: &[u8],
    has_window: bool,
) -> Result<(), Failure> {
    let subject = SelfTest::new(sample)?;
    #[cfg(feature = "render")]
    let watchdog = crate::run::device::Watchdog::start(messages);
    #[cfg(feature = "render")]
    if let Some(watchdog) = &watchdog {
        watchdog.expect_within(PATIENCE);
    }
    let (adapters, on_gpu) = adapters(args, &subject)?;
    #[cfg(feature = "render")]
    drop(watchdog);
    let report = DoctorReport {
        program: machine::program(has_window),
        adapters,
        displays: machine::displays(has_window),
        self_tests: vec![subject.on_cpu(), on_gpu],
    };
    if args.json {
        output::write_json(&report)?;
    } else if !messages.quiet {
        output::write_text(text::render(&report, has_window).as_bytes())?;
    }
    if let Some(test) = report.self_tests.iter().find(|test| test.has_failed()) {
        let (renderer, said) = (test.renderer, &test.said);
        return Err(Failure::Running(anyhow::anyhow!(
            "the self-test of the {renderer} renderer failed: {said}"
        )));
    }
    match report.adapters.none_because {
        Some(reason) if args.adapter.asked() => Err(Failure::NoAdapter(reason)),
        _ => Ok(()),
    }
}

#[cfg(feature = "render")]
fn adapters(
    args: &DoctorArgs,
    subject: &SelfTest,
) -> Result<(AdaptersReport, SelfTestReport), Failure> {
    let (report, gpu) = adapters::look(&args.adapter)?;
    let test = match gpu {
        Some(gpu) => subject.on_gpu(&gpu),
        None => SelfTestReport::skipped("no usable adapter"),
    };
    Ok((report, test))
}

#[cfg(not(feature = "render"))]
#[expect(clippy::unnecessary_wraps, reason = "as with the GPU renderer")]
fn adapters(_: &DoctorArgs, _: &SelfTest) -> Result<(AdaptersReport, SelfTestReport), Failure> {
    const REASON: &str = "this program was built without the GPU renderer (feature `render`)";
    let report =
        AdaptersReport { none_because: Some(REASON.to_owned()), ..AdaptersReport::default() };
    Ok((report, SelfTestReport::skipped("built without it")))
}

/// The program, the graphics adapters and displays of this machine, and whether the renderers draw correctly.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct DoctorReport {
    #[serde(flatten)]
    pub(super) program: ProgramReport,
    #[serde(flatten)]
    pub(super) adapters: AdaptersReport,
    /// The possible display servers; empty if the system has its own.
    pub(super) displays: Vec<DisplayReport>,
    /// A picture by each renderer, compared with the known one.
    pub(super) self_tests: Vec<SelfTestReport>,
}

/// The program and the machine.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProgramReport {
    /// Version of the program, with the commit that it was built from.
    pub(super) version: &'static str,
    /// The operating system and the processor that it was built for.
    pub(super) platform: String,
    /// Number of threads that can run at a time.
    pub(super) cores: usize,
    /// The cargo features that it was built with.
    pub(super) features: Vec<&'static str>,
    /// The ffmpeg on the PATH; null if there is none.
    pub(super) ffmpeg: Option<FfmpegReport>,
}

/// An installed ffmpeg.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Ffmpeg")]
pub(super) struct FfmpegReport {
    /// Path.
    pub(super) path: PathBuf,
    /// The version that it reports; null if it does not run.
    pub(super) version: Option<String>,
}

/// The graphics interfaces and adapters.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdaptersReport {
    /// The graphics interfaces that the program was built for.
    pub(super) backends: Vec<BackendReport>,
    /// Environment variables that are set and affect the choice.
    pub(super) environment: Vec<VariableReport>,
    /// The adapter that would be used; null if there is none.
    pub(super) used_adapter: Option<UsedReport>,
    /// Reason why no adapter would be used; null if one would.
    pub(super) none_because: Option<String>,
}

/// A graphics interface.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Backend")]
pub(super) struct BackendReport {
    /// Its name, as --backend takes it.
    pub(super) name: &'static str,
    /// Reason why it has no adapters; null if it has.
    pub(super) problem: Option<String>,
    /// Its adapters, hardware first.
    pub(super) adapters: Vec<AdapterReport>,
}

/// A graphics adapter.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Adapter")]
pub(super) struct AdapterReport {
    /// Its name; --adapter matches a part of it.
    pub(super) name: String,
    /// Type of the adapter; software draws on the CPU.
    #[schemars(extend("enum" = ["discrete", "integrated", "virtual", "software", "other"]))]
    pub(super) kind: &'static str,
    /// Its driver, as far as the driver states it.
    pub(super) driver: String,
    /// True for the adapter that would be used.
    pub(super) used: bool,
    /// Reason why it cannot be used; null if it can.
    pub(super) refused: Option<String>,
    /// The largest side of a picture, in pixels.
    pub(super) texture_side: u32,
    /// The largest buffer, in bytes.
    pub(super) buffer_bytes: u64,
    /// True if 32-bit float textures can be read, which is required.
    pub(super) float_textures: bool,
    /// True if 8-bit RGBA can be drawn with 4 samples per pixel, which is required.
    pub(super) four_samples: bool,
    /// True if its drawing time can be measured, for the window's statistics.
    pub(super) timestamps: bool,
}

/// An environment variable.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Variable")]
pub(super) struct VariableReport {
    /// Its name.
    pub(super) name: &'static str,
    /// Value of the variable.
    pub(super) value: String,
    /// Its effect.
    pub(super) effect: &'static str,
}

/// The adapter that would be used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Used adapter")]
pub(super) struct UsedReport {
    /// Its name.
    pub(super) name: String,
    /// The graphics interface.
    pub(super) backend: String,
    /// Reason for this choice.
    pub(super) reason: String,
}

/// A display server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Display")]
pub(super) struct DisplayReport {
    /// Kind of display server.
    #[schemars(extend("enum" = ["X11", "Wayland"]))]
    pub(super) name: &'static str,
    /// The environment variable that says where it is.
    pub(super) variable: &'static str,
    /// Value of the variable; null if it is not set.
    pub(super) value: Option<String>,
    /// Reason why it cannot be reached; null if it responds, or if there is no display server.
    pub(super) problem: Option<String>,
    /// True if the window would use it.
    pub(super) used: bool,
}

/// A picture of the sample, compared with the known one.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Self-test")]
pub(super) struct SelfTestReport {
    /// The renderer or adapter that drew it.
    #[schemars(extend("enum" = ["cpu", "gpu"]))]
    pub(super) renderer: &'static str,
    /// The result.
    #[schemars(extend("enum" = ["passed", "failed", "skipped"]))]
    pub(super) result: &'static str,
    /// The same in words.
    pub(super) said: String,
    /// Difference from the expected picture; null if there is none.
    pub(super) difference: Option<FiguresReport>,
    /// Time to get ready for the sample and to draw it, in milliseconds; null if there is none.
    pub(super) milliseconds: Option<f64>,
}

/// Difference of a picture from the known one.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Figures")]
pub(super) struct FiguresReport {
    /// Pixels of the picture.
    pub(super) pixels: u64,
    /// Pixels that differ at all.
    pub(super) differing: u64,
    /// The largest difference, 0 to 255.
    pub(super) largest: u8,
    /// Tolerated difference.
    pub(super) tolerance: u8,
    /// Pixels that differ by more than that.
    pub(super) outliers: u64,
    /// Maximum number of such pixels that is tolerated.
    pub(super) allowed_outliers: u64,
}

impl SelfTestReport {
    /// That of the GPU renderer, without one.
    pub(super) fn skipped(why: &str) -> Self {
        Self {
            renderer: "gpu",
            result: "skipped",
            said: why.to_owned(),
            difference: None,
            milliseconds: None,
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.result == "failed"
    }
}
