//! Comparison with an earlier report: refused if it was taken in another way, else the stages that are slower.

use std::path::{Component, Path};
use std::str::FromStr;

use super::BenchReport;
use super::report::{FORMAT, FRAME, FileBench, RendererBench};
use crate::run::{Disk, Failure, input};
use crate::view::Settings;

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

    /// Checks that a file has the same options, and pictures of the same size.
    pub(super) fn check_file(
        &self,
        file: &str,
        options: &Settings,
        [width, height]: [u32; 2],
    ) -> Result<(), Failure> {
        let Some(before) = self.file(file) else {
            return Ok(());
        };
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
