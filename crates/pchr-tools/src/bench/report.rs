//! The report of a measurement, which is also the baseline of a later one, and its table.

use std::fmt::Write as _;
use std::time::Duration;

use indicatif::DecimalBytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::finding::counted;

use crate::capture::PipelineStage;
use crate::run::device::DrawnBy;
use crate::view::{Setting, Settings};

/// Version of the report's form.
pub(crate) const FORMAT: u32 = 1;

/// Times of files by stage, and their costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Bench")]
pub(crate) struct BenchReport {
    /// Version of this form: 1. A baseline of another form is refused.
    pub(crate) format: u32,
    /// Version of the program, with the commit that it was built from.
    pub(crate) version: String,
    /// Most memory that the process used so far, in bytes; null where the system does not say.
    pub(crate) peak_memory: Option<u64>,
    /// The files, in the order of the command line.
    pub(crate) files: Vec<FileBench>,
}

/// A file and its times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "File")]
pub(crate) struct FileBench {
    /// The file, as named on the command line; stdin for -.
    pub(crate) file: String,
    /// What the pictures show: the options that were given, and those of a session, by their long names.
    pub(crate) options: Settings,
    /// The animations that were drawn; none if the file has none with frames.
    pub(crate) animations: Vec<String>,
    /// Width of the pictures in pixels.
    pub(crate) width: u32,
    /// Height of the pictures in pixels.
    pub(crate) height: u32,
    /// Pictures that differ: the frames of the animations. They are drawn in turn.
    pub(crate) pictures: usize,
    /// Vertices of all meshes.
    pub(crate) vertices: usize,
    /// Bones.
    pub(crate) bones: usize,
    /// Bytes of the images on a graphics device.
    pub(crate) texture_bytes: u64,
    /// Bytes of vertices and indices on a graphics device.
    pub(crate) mesh_bytes: u64,
    /// The most draws of a picture.
    pub(crate) draws: usize,
    /// The highest overdraw of a picture: mean layers of the pixels that are covered.
    pub(crate) overdraw: f64,
    /// Times by each renderer.
    pub(crate) renderers: Vec<RendererBench>,
}

/// Times of a file by a renderer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Times by a renderer")]
pub(crate) struct RendererBench {
    /// The renderer.
    pub(crate) drawn_by: DrawnBy,
    /// Times of its stages.
    pub(crate) stages: Stages,
}

/// Times by stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Stages {
    /// Reading and checking the file. Once.
    pub(crate) read: Times,
    /// Decoding its images. Once.
    pub(crate) decode: Times,
    /// Preparing vertices and textures for the renderer. Once.
    pub(crate) upload: Times,
    /// Posing the bones.
    pub(crate) pose: Times,
    /// Sorting the meshes, if their order changed.
    pub(crate) order: Times,
    /// Checking the work, drawing overlays as triangles, and writing an adapter's buffers.
    pub(crate) prepare: Times,
    /// Drawing by the CPU renderer; with an adapter, recording and submitting commands.
    pub(crate) draw: Times,
    /// A whole picture: pose, order, prepare and draw.
    pub(crate) frame: Times,
    /// The adapter's own time for the picture, without the ghosts under it; null if it has no timestamps, and for the CPU renderer.
    pub(crate) gpu: Option<Times>,
}

impl Stages {
    /// Returns the stages that ran once, with their names.
    pub(crate) fn once(&self) -> [(&'static str, &Times); 3] {
        [("read", &self.read), ("decode", &self.decode), ("upload", &self.upload)]
    }

    /// Returns the stages of each picture, with their names; the whole picture is `frame`.
    pub(crate) fn of_pictures(&self) -> impl Iterator<Item = (&'static str, &Times)> {
        let each = [
            ("pose", &self.pose),
            ("order", &self.order),
            ("prepare", &self.prepare),
            ("draw", &self.draw),
            (FRAME, &self.frame),
        ];
        each.into_iter().chain(self.gpu.as_ref().map(|gpu| ("gpu", gpu)))
    }
}

/// Name of the whole picture among the stages.
pub(crate) const FRAME: &str = "frame";

/// Times of a stage in microseconds. Percentiles are times that were measured, by nearest rank: p95 is the shortest one that at least
/// 95 % are not longer than.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Times")]
pub(crate) struct Times {
    /// Median.
    #[schemars(range(min = 0.0))]
    pub(crate) p50: f64,
    /// 95th percentile.
    #[schemars(range(min = 0.0))]
    pub(crate) p95: f64,
    /// 99th percentile.
    #[schemars(range(min = 0.0))]
    pub(crate) p99: f64,
    /// Sum.
    #[schemars(range(min = 0.0))]
    pub(crate) sum: f64,
    /// Number of times.
    pub(crate) count: usize,
}

impl Times {
    /// Sums up times, in any order.
    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |percent: usize| {
            let rank = times.len().saturating_mul(percent).div_ceil(100);
            let time = times.get(rank.saturating_sub(1)).copied();
            microseconds(time.unwrap_or_default())
        };
        let [p50, p95, p99] = [50, 95, 99].map(at);
        Self { p50, p95, p99, sum: microseconds(times.iter().sum()), count: times.len() }
    }

    /// Returns the times of a stage that ran once.
    pub(super) fn once(time: Duration) -> Self {
        Self::of(vec![time])
    }

    /// Returns true for times that can have been measured.
    pub(super) fn is_sound(&self) -> bool {
        let Self { p50, p95, p99, sum, .. } = self;
        [p50, p95, p99, sum].iter().all(|time| time.is_finite() && **time >= 0.0)
    }
}

/// Microseconds with three decimals.
fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e9).round() / 1e3
}

/// Times of pictures by stage.
#[derive(Debug, Default)]
pub(super) struct PictureTimes {
    stages: [Vec<Duration>; 4],
    frame: Vec<Duration>,
    gpu: Vec<Duration>,
}

/// Stages of a picture, in order.
const OF_PICTURE: [PipelineStage; 4] =
    [PipelineStage::Pose, PipelineStage::Order, PipelineStage::Prepare, PipelineStage::Draw];

impl PictureTimes {
    /// Adds a picture: the times of its stages, and that of the adapter.
    pub(super) fn add(&mut self, times: &crate::capture::StageTimes, gpu: Option<Duration>) {
        let each = OF_PICTURE.map(|stage| times.of(stage));
        for (all, time) in self.stages.iter_mut().zip(each) {
            all.push(time);
        }
        self.frame.push(each.iter().sum());
        self.gpu.extend(gpu);
    }

    /// Sums up all pictures, of a file that took these times to read, decode and upload.
    pub(super) fn sum_up(self, once: [Duration; 3]) -> Stages {
        let [read, decode, upload] = once.map(Times::once);
        let [pose, order, prepare, draw] = self.stages.map(Times::of);
        let gpu = (!self.gpu.is_empty()).then(|| Times::of(self.gpu));
        let frame = Times::of(self.frame);
        Stages { read, decode, upload, pose, order, prepare, draw, frame, gpu }
    }
}

/// Returns the report for people. Times are in milliseconds.
pub(crate) fn render(report: &BenchReport) -> String {
    let mut text = String::new();
    for file in &report.files {
        let _ = describe(&mut text, file);
        for renderer in &file.renderers {
            let _ = table(&mut text, file, renderer);
        }
    }
    if let Some(bytes) = report.peak_memory {
        let _ = writeln!(text, "peak memory {}", DecimalBytes(bytes));
    }
    text
}

fn describe(text: &mut String, file: &FileBench) -> std::fmt::Result {
    let animations = match file.animations.as_slice() {
        [] => "no animation".to_owned(),
        [name] => name.clone(),
        several => format!("{} animations", several.len()),
    };
    let [textures, meshes] = [file.texture_bytes, file.mesh_bytes].map(DecimalBytes);
    writeln!(text, "{}: {animations}, {}", file.file, counted(file.pictures, "frame", "frames"))?;
    let each = match file.options.get("instances") {
        Some(Setting::One(count)) if count != "1" => "each figure ",
        _ => "",
    };
    writeln!(
        text,
        "  {each}{}, {}; {}, overdraw {:.2}, textures {textures}, meshes {meshes}",
        counted(file.vertices, "vertex", "vertices"),
        counted(file.bones, "bone", "bones"),
        counted(file.draws, "draw", "draws"),
        file.overdraw,
    )
}

fn table(text: &mut String, file: &FileBench, renderer: &RendererBench) -> std::fmt::Result {
    let RendererBench { stages, .. } = renderer;
    let about = format!(
        "{}, {}x{}, {} pictures",
        renderer.drawn_by.name(),
        file.width,
        file.height,
        stages.frame.count
    );
    writeln!(text, "  {about}")?;
    writeln!(text, "    {:8}{:>11}{:>11}{:>11}{:>12}", "ms", "p50", "p95", "p99", "sum")?;
    for (name, times) in stages.once() {
        writeln!(text, "    {name:8}{:>45.3}", times.sum / 1e3)?;
    }
    for (name, times) in stages.of_pictures() {
        let Times { p50, p95, p99, sum, .. } = *times;
        let [p50, p95, p99, sum] = [p50, p95, p99, sum].map(|time| time / 1e3);
        writeln!(text, "    {name:8}{p50:>11.3}{p95:>11.3}{p99:>11.3}{sum:>12.3}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let of = |count: u64| Times::of((1..=count).rev().map(Duration::from_micros).collect());
        let of_200 = of(200);
        assert_eq!(
            [of_200.p50, of_200.p95, of_200.p99, of_200.sum],
            [100.0, 190.0, 198.0, 20100.0]
        );
        let of_3 = of(3);
        assert_eq!([of_3.p50, of_3.p95, of_3.p99, of_3.sum], [2.0, 3.0, 3.0, 6.0]);
        assert_eq!((of_3.count, Times::of(Vec::new())), (3, Times::default()));
    }

    #[test]
    fn a_picture_takes_the_time_of_its_stages() {
        let times = crate::capture::StageTimes::default();
        let stages = OF_PICTURE.into_iter().chain([PipelineStage::Encode]).zip(1..);
        for (stage, micros) in stages {
            times.add(stage, Duration::from_micros(micros));
        }
        let mut pictures = PictureTimes::default();
        pictures.add(&times, None);
        let stages = pictures.sum_up([Duration::ZERO; 3]);
        assert_eq!((stages.draw.p50, stages.frame.p50, stages.gpu), (4.0, 10.0, None));
    }
}
