//! `pchr-view doctor`: the graphics adapters and displays of this machine, and a test of its renderers.
//!
//! [`program`], [`adapters`] (with the GPU renderer), [`displays`] and [`self_test`] find out, each a part of the [`report`];
//! [`text`] writes it for people.

#[cfg(feature = "render")]
mod adapters;
mod displays;
mod program;
mod report;
mod self_test;
mod text;

use clap::Args;

pub(in crate::cli) use self::report::schema;
use self::report::{AdaptersReport, DoctorReport, SelfTestReport};
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
    let watchdog = crate::run::watchdog::Watchdog::start(messages);
    #[cfg(feature = "render")]
    if let Some(watchdog) = &watchdog {
        watchdog.expect_within(PATIENCE);
    }
    let (adapters, on_gpu) = adapters(args, &subject)?;
    #[cfg(feature = "render")]
    drop(watchdog);
    let report = DoctorReport {
        program: program::look(has_window),
        adapters,
        displays: displays::look(has_window),
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
    let report = AdaptersReport {
        none_because: Some(REASON.to_owned()),
        ..AdaptersReport::default()
    };
    Ok((report, SelfTestReport::skipped("built without it")))
}
