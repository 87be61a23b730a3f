//! The report of a measurement and its table; and the comparison with an earlier report: refused if that was taken in another way, else
//! the stages that are slower.

use std::fmt::Write as _;
use std::path::{Component, Path};
use std::str::FromStr;
use std::time::Duration;

use indicatif::DecimalBytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use pchr::finding::counted;

use crate::capture::PipelineStage;
use crate::run::device::DrawnBy;
use crate::run::{Disk, Failure, input};
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
    /// Pictures that differ: the frames of the animations. They are drawn in turn, as many as are measured.
    pub(crate) pictures: usize,
    /// Vertices of all meshes.
    pub(crate) vertices: usize,
    /// Bones.
    pub(crate) bones: usize,
    /// Bytes of the images on a graphics device.
    pub(crate) texture_bytes: u64,
    /// Bytes of vertices and indices on a graphics device.
    pub(crate) mesh_bytes: u64,
    /// The most draws of a picture that was drawn.
    pub(crate) draws: usize,
    /// The highest overdraw of a picture that was drawn, of a crowd that of its first one: mean layers of the pixels that are covered.
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
const FRAME: &str = "frame";

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
    fn once(time: Duration) -> Self {
        Self::of(vec![time])
    }

    /// Returns true for times that can have been measured.
    fn is_sound(&self) -> bool {
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
    let measured = file.renderers.iter().map(|renderer| renderer.stages.frame.count).max();
    let drawn = match measured {
        Some(count) if count < file.pictures => format!(", the first {count} of them drawn"),
        _ => String::new(),
    };
    let frames = counted(file.pictures, "frame", "frames");
    writeln!(text, "{}: {animations}, {frames}{drawn}", file.file)?;
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

/// Median in microseconds from which on a stage of a baseline is judged by itself. Shorter ones vary by more than a percentage says.
const LEAST: f64 = 20.0;

/// Percentage by which a median may grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MaxSlower(f64);

impl FromStr for MaxSlower {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.trim().strip_suffix('%').and_then(|number| number.trim().parse().ok());
        let percent = percent.filter(|percent: &f64| percent.is_finite() && *percent >= 0.0);
        let wrong = || {
            format!("invalid percentage {text:?}: expected a number of 0 or more and %, like 10%")
        };
        percent.map(Self).ok_or_else(wrong)
    }
}

impl std::fmt::Display for MaxSlower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}%", self.0)
    }
}

/// An earlier report.
pub(crate) struct Baseline {
    /// Name of its file.
    pub(crate) name: String,
    report: BenchReport,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a text that is not such a report, [`Failure::Running`] for a file that cannot be read.
    pub(crate) fn read(disk: &Disk, path: &Path) -> Result<Self, Failure> {
        let text = input::read_text(disk, path)?;
        let name = input::name(path);
        let refused = |why: String| refused(&name, why);
        let wrong = |error: serde_json::Error| {
            refused(format!("expected a report of pchr-view bench --json: {error}"))
        };
        // The form is checked first, so that another kind of report is named as such.
        let json: serde_json::Value = serde_json::from_str(&text).map_err(wrong)?;
        if let Some(format) = json.get("format").filter(|format| **format != FORMAT) {
            let text = format!(
                "format {format}, expected {FORMAT}: take the baseline again with this version"
            );
            return Err(refused(text));
        }
        let report: BenchReport = serde_json::from_value(json).map_err(wrong)?;
        for file in &report.files {
            for renderer in &file.renderers {
                let mut times = renderer.stages.of_pictures();
                if let Some((stage, times)) = times.find(|(_, times)| !times.is_sound()) {
                    let text = format!(
                        "{}: {stage}: p50 {}, expected times of 0 or more",
                        file.file, times.p50
                    );
                    return Err(refused(text));
                }
            }
        }
        Ok(Self { name, report })
    }

    /// Checks that it has these files, and times of each by these renderers.
    pub(crate) fn check(&self, files: &[String], renderers: &[String]) -> Result<(), Failure> {
        let refused = |why: String| Err(refused(&self.name, why));
        if let Some(file) = files.iter().find(|file| self.file(file).is_none()) {
            return refused(format!("taken without {file}"));
        }
        for FileBench { file, renderers: of_old, .. } in &self.report.files {
            if !files.iter().any(|known| is_same_file(known, file)) {
                return refused(format!("taken with {file}, too"));
            }
            let of_old: Vec<String> = of_old.iter().map(|it| it.drawn_by.name()).collect();
            if of_old.is_empty() {
                return refused(format!("{file}: taken without a renderer"));
            }
            if of_old != renderers {
                let [old, new] = [&of_old, renderers].map(|list| list.join(" and "));
                return refused(format!("taken with renderer {old}, not {new}"));
            }
        }
        Ok(())
    }

    /// Checks that a file has the same options, and as many pictures of the same size.
    pub(super) fn check_file(
        &self,
        file: &str,
        options: &Settings,
        [width, height]: [u32; 2],
        pictures: usize,
    ) -> Result<(), Failure> {
        let Some(before) = self.file(file) else { return Ok(()) };
        let differ = |what: &str, old: &str, new: &str| {
            Err(refused(&self.name, format!("taken with {what} {old}, not {new}")))
        };
        let words = |options: &Settings| {
            let mut options = options.clone();
            options.remove("resolution"); // the sizes of the pictures are compared below
            let words: Vec<String> = options.assignments().collect();
            if words.is_empty() { "no options".to_owned() } else { words.join(" ") }
        };
        let (old, new) = (words(&before.options), words(options));
        if old != new {
            return differ("other options:", &old, &new);
        }
        let old = [before.width, before.height];
        if old != [width, height] {
            let [old, new] =
                [old, [width, height]].map(|[width, height]| format!("{width}x{height}"));
            return differ("pictures of", &old, &new);
        }
        let counts = before.renderers.iter().map(|renderer| renderer.stages.frame.count);
        if let Some(old) = { counts }.find(|count| *count != pictures) {
            return differ("--frames", &old.to_string(), &pictures.to_string());
        }
        Ok(())
    }

    /// Returns a line for each stage whose median has grown by more than `most`: of whole pictures, and of stages that are long enough
    /// to be judged by themselves.
    pub(crate) fn slower(&self, new: &BenchReport, most: MaxSlower) -> Vec<String> {
        let mut lines = Vec::new();
        for file in &new.files {
            let before = self.file(&file.file);
            for renderer in &file.renderers {
                let is_same =
                    |before: &&RendererBench| before.drawn_by.name() == renderer.drawn_by.name();
                let before = before.and_then(|before| before.renderers.iter().find(is_same));
                for (stage, times) in renderer.stages.of_pictures() {
                    let mut before = before.iter().flat_map(|before| before.stages.of_pictures());
                    let Some((_, before)) = before.find(|(name, _)| *name == stage) else {
                        continue;
                    };
                    let is_judged = stage == FRAME || before.p50 >= LEAST;
                    if is_judged && times.p50 > before.p50 * (1.0 + most.0 / 100.0) {
                        lines.push(format!(
                            "{}, {}: {stage} has a median of {:.1} µs, {:.1} µs before: slower by more than {most}",
                            file.file, renderer.drawn_by.renderer, times.p50, before.p50
                        ));
                    }
                }
            }
        }
        lines
    }

    fn file(&self, name: &str) -> Option<&FileBench> {
        self.report.files.iter().find(|file| is_same_file(&file.file, name))
    }
}

/// Returns true if two paths, as they are written, name the same file.
fn is_same_file(a: &str, b: &str) -> bool {
    let parts = |path| Path::new(path).components().filter(|part| *part != Component::CurDir);
    parts(a).eq(parts(b))
}

fn refused(name: &str, why: String) -> Failure {
    Failure::Usage(format!("--baseline {name}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let of = |count: u64| Times::of((1..=count).rev().map(Duration::from_micros).collect());
        let of_200 = of(200);
        let wanted = [100.0, 190.0, 198.0, 20100.0];
        assert_eq!([of_200.p50, of_200.p95, of_200.p99, of_200.sum], wanted);
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
