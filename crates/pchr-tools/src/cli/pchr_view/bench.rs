//! `pchr-view bench`: times by stage, and their comparison with an earlier report.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::bench::{self, Baseline, BenchJob, MaxSlower};
use crate::run::device::{Device, ReadyDevice};
use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output};
use crate::view::{AdapterArgs, RendererArg, Shown};

/// Arguments of `bench`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view bench hero.pchr
  pchr-view bench hero.pchr -a walk -s 1024x1024 --renderer both
  pchr-view bench art/*.pchr --renderer cpu --json > art.json
  pchr-view bench hero.pchr --renderer cpu --baseline bench.json --max-slower 15%

Each picture is drawn alone, on one thread, after 16 that do not count; frames are drawn in turn. Stages that run once: read, decode (the images), upload (for the renderer). Stages of each picture: pose, order (the meshes, sorted), prepare (the count of the work, overlays, buffers of an adapter), draw (by the CPU renderer; with an adapter, recording and submitting), frame (all four), and gpu, the adapter's own time, if it has timestamps. Reading the picture back is not measured. p50, p95 and p99 are measured times, by nearest rank.

--baseline compares medians: of frame, and of each other stage of a picture whose median was 20 µs or more. Stages that run once are not judged. Take the baseline on the same machine, with nothing else running. It must have the same files, options, size and renderer.

Exit codes: 0 done, 1 failed while running, 2 usage, or a baseline that does not fit, 3 slower than the baseline, 4 invalid input file, 5 no usable graphics adapter")]
pub(super) struct BenchArgs {
    /// Files to measure, or sessions; - reads a file from standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
    /// Pictures that are measured, of each file by each renderer
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
    #[command(flatten)]
    shown: Shown,
    /// Renderer
    #[arg(long, value_enum, default_value_t)]
    renderer: BenchRenderer,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Fail if a stage is slower than in this report, an earlier output of --json
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Percentage by which a median may be above that of the baseline
    #[arg(long, value_name = "P%", default_value = "10%", requires = "baseline")]
    max_slower: MaxSlower,
}

/// Selected renderers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum BenchRenderer {
    /// The GPU when any adapter is found, hardware or software; else the CPU renderer
    #[default]
    Auto,
    /// A graphics adapter
    Gpu,
    /// The built-in renderer
    Cpu,
    /// A graphics adapter, and the built-in renderer
    Both,
}

impl BenchArgs {
    /// Returns true if it opens an adapter.
    #[cfg(all(feature = "render", target_os = "linux"))]
    pub(super) fn may_open_adapter(&self) -> bool {
        self.renderer != BenchRenderer::Cpu
    }

    fn devices(&self, messages: &Messages) -> Result<Vec<ReadyDevice>, Failure> {
        let open = |renderer| {
            let device = Device::start(renderer, &self.adapter)?;
            device.open(Some(self.shown.size()), messages)
        };
        match self.renderer {
            BenchRenderer::Auto => Ok(vec![open(RendererArg::Auto)?]),
            BenchRenderer::Gpu => Ok(vec![open(RendererArg::Gpu)?]),
            BenchRenderer::Cpu => Ok(vec![ReadyDevice::Cpu]),
            BenchRenderer::Both => Ok(vec![open(RendererArg::Gpu)?, ReadyDevice::Cpu]),
        }
    }
}

/// Measures the files, and compares them with the baseline.
pub(super) fn run(args: &BenchArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    if args.shown.against.is_some() {
        return Err(Failure::Usage("--against: bench draws each file alone".into()));
    }
    let baseline = args.baseline.as_ref().map(|path| Baseline::read(disk, path)).transpose()?;
    if args.renderer == BenchRenderer::Cpu && args.adapter.asked() {
        messages.warning("--backend and --adapter have no effect: --renderer cpu uses no adapter");
    }
    let devices = args.devices(messages)?;
    if let Some(baseline) = &baseline {
        let files: Vec<_> = args.files.iter().map(|path| input::name(path)).collect();
        let renderers: Vec<_> = devices.iter().map(|device| device.drawn_by().name()).collect();
        baseline.check(&files, &renderers)?;
    }
    let report = BenchJob {
        files: &args.files,
        shown: &args.shown,
        input: args.input,
        pictures: args.frames as usize,
        devices: &devices,
        baseline: baseline.as_ref(),
        disk,
        messages,
    };
    let report = report.run()?;
    if args.json {
        output::write_json(&report)?;
    } else if !messages.quiet {
        output::write_text(bench::render(&report).as_bytes())?;
    }
    let Some(baseline) = baseline else {
        return Ok(());
    };
    let slower = baseline.slower(&report, args.max_slower);
    if slower.is_empty() {
        let name = &baseline.name;
        messages.note(&format!("no slower than {name} by more than {}", args.max_slower));
        return Ok(());
    }
    Err(Failure::Slower(slower))
}
