//! `pchr-view doctor`: the graphics adapters and displays of this machine, and a test of its renderers.
//!
//! [`machine`] and [`self_test`] find out, each a part of the [`DoctorReport`], which is written as JSON or for people.

mod machine;
mod self_test;

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use schemars::JsonSchema;
use serde::Serialize;

use self::self_test::SelfTest;
use crate::run::messages::Messages;
use crate::run::{Failure, output};
use crate::text::visible;
use crate::text::words::number;
use crate::view::AdapterArgs;

/// Time limit for all drivers of the machine together.
#[cfg(feature = "render")]
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(2);

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
        let mut text = String::new();
        let _ = describe(&mut text, &report, has_window); // a string takes everything
        output::write_text(text.as_bytes())?;
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
    let (report, gpu) = machine::adapters(&args.adapter)?;
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

/// Buffer size from which no file can reach the limit.
const ANY_BUFFER: u64 = 1 << 40;

/// Writes the report as text, on one screen.
fn describe(out: &mut String, report: &DoctorReport, has_window: bool) -> fmt::Result {
    write_program(out, &report.program)?;
    write_adapters(out, &report.adapters)?;
    write_displays(out, &report.displays, has_window)?;
    write_self_tests(out, &report.self_tests)
}

fn write_program(out: &mut String, program: &ProgramReport) -> fmt::Result {
    let ProgramReport { version, platform, cores, features, ffmpeg } = program;
    writeln!(out, "pchr-view {version}")?;
    let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    writeln!(out, "  machine    {platform}, {cores}")?;
    writeln!(out, "  built with {}", features.join(", "))?;
    let ffmpeg = ffmpeg.as_ref().map(|ffmpeg| {
        let path = ffmpeg.path.display().to_string();
        let version = ffmpeg.version.as_deref();
        format!("{path} ({})", version.unwrap_or("it does not run"))
    });
    let ffmpeg = ffmpeg.unwrap_or_else(|| "not on the PATH".to_owned());
    writeln!(out, "  ffmpeg     {}", visible(&ffmpeg))
}

fn write_adapters(out: &mut String, report: &AdaptersReport) -> fmt::Result {
    writeln!(out, "\nAdapters")?;
    for backend in &report.backends {
        if let Some(problem) = &backend.problem {
            writeln!(out, "  {:8} {}", backend.name, visible(problem))?;
        }
        for adapter in &backend.adapters {
            write_adapter(out, backend.name, adapter)?;
        }
    }
    for variable in &report.environment {
        let text = format!("{}={}: {}", variable.name, variable.value, variable.effect);
        writeln!(out, "  {}", visible(&text))?;
    }
    match (&report.used_adapter, &report.none_because) {
        (Some(used), _) => {
            writeln!(out, "  used: {} ({})", visible(&used.name), used.backend)?;
            writeln!(out, "        {}", visible(&used.reason))
        }
        (None, reason) => {
            writeln!(out, "  used: none; the CPU renderer is used")?;
            writeln!(out, "        {}", visible(reason.as_deref().unwrap_or_default()))
        }
    }
}

fn write_adapter(out: &mut String, backend: &str, adapter: &AdapterReport) -> fmt::Result {
    let AdapterReport { name, kind, driver, used, refused, .. } = adapter;
    let mark = if *used { '*' } else { ' ' };
    writeln!(out, "{mark} {backend:8} {}, {kind}", visible(name))?;
    if !driver.is_empty() {
        writeln!(out, "           {}", visible(driver))?;
    }
    writeln!(out, "           {}", limits(adapter))?;
    match refused {
        Some(reason) => writeln!(out, "           cannot be used: {}", visible(reason)),
        None => Ok(()),
    }
}

fn limits(adapter: &AdapterReport) -> String {
    let side = number(adapter.texture_side);
    let buffers = if adapter.buffer_bytes >= ANY_BUFFER {
        "of any size".to_owned()
    } else {
        format!("up to {}", HumanBytes(adapter.buffer_bytes))
    };
    let has = |there: bool, what: &str| {
        if there { what.to_owned() } else { format!("no {what}") }
    };
    [
        format!("pictures up to {side} x {side}"),
        format!("buffers {buffers}"),
        has(adapter.float_textures, "float textures"),
        has(adapter.four_samples, "4 samples"),
        has(adapter.timestamps, "timestamps"),
    ]
    .join(", ")
}

fn write_displays(out: &mut String, displays: &[DisplayReport], has_window: bool) -> fmt::Result {
    if displays.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nDisplays")?;
    for display in displays {
        let DisplayReport { name, variable, value, problem, used } = display;
        let mark = if *used { '*' } else { ' ' };
        let found = match (value, problem) {
            (None, _) => format!("{variable} is not set"),
            (Some(value), None) => format!("{variable}={value} responds"),
            (Some(value), Some(problem)) => {
                format!("{variable}={value} does not respond: {problem}")
            }
        };
        writeln!(out, "{mark} {name:8} {}", visible(&found))?;
    }
    let others = displays.iter().filter(|display| !display.used);
    let mut answering =
        others.filter(|display| display.value.is_some() && display.problem.is_none());
    let used = displays.iter().find(|display| display.used);
    let used = match (used, used.and_then(|used| used.problem.as_ref())) {
        _ if !has_window => "none, this program was built without the window".to_owned(),
        (None, _) => "none, so no window can open; captures need no display".to_owned(),
        (Some(used), None) => format!("{} for the window; captures need no display", used.name),
        (Some(used), Some(_)) => match answering.next() {
            Some(other) => {
                let (used, variable, other) = (used.name, used.variable, other.name);
                format!(
                    "{used} for the window, but the window will not open; unset {variable} to use {other}"
                )
            }
            None => format!(
                "{} for the window, which will not open; captures need no display",
                used.name
            ),
        },
    };
    writeln!(out, "  used: {used}")
}

fn write_self_tests(out: &mut String, tests: &[SelfTestReport]) -> fmt::Result {
    writeln!(out, "\nSelf-test")?;
    for test in tests {
        let SelfTestReport { renderer, result, said, milliseconds, .. } = test;
        write!(out, "  {renderer}  {result}: {}", visible(said))?;
        match milliseconds {
            Some(milliseconds) => writeln!(out, " ({milliseconds:.0} ms)")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
