//! Comparison with an earlier report: refused if it was taken in another way, else the stages that are slower.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use super::BenchReport;
use super::report::{FORMAT, FRAME, FileBench, RendererBench};
use crate::run::{Disk, Failure, input};

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

/// Reads a baseline.
///
/// # Errors
/// [`Failure::Usage`] for a text that is not such a report, [`Failure::Running`] for a file that cannot be read.
pub(crate) fn read(disk: &Disk, path: &Path) -> Result<BenchReport, Failure> {
    let text = input::read_text(disk, path)?;
    let name = input::name(path);
    let refused = |why: String| Failure::Usage(format!("--baseline {name}: {why}"));
    // First of all, so that a report of another form is called that.
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
        refused(format!("expected a report of pchr-view bench --json: {error}"))
    })?;
    if let Some(format) = json.get("format").filter(|format| **format != FORMAT) {
        let text = format!(
            "format {format}, expected {FORMAT}: take the baseline again with this version"
        );
        return Err(refused(text));
    }
    let report: BenchReport = serde_json::from_value(json).map_err(|error| {
        refused(format!("expected a report of pchr-view bench --json: {error}"))
    })?;
    for file in &report.files {
        for renderer in &file.renderers {
            let wrong = renderer.stages.of_pictures().find(|(_, times)| !times.is_sound());
            if let Some((stage, times)) = wrong {
                let text = format!(
                    "{}: {stage}: p50 {}, expected times of 0 or more",
                    file.file, times.p50
                );
                return Err(refused(text));
            }
        }
    }
    Ok(report)
}

/// Checks that two reports can be compared: the same files and options, in pictures of one size, by the same renderers.
///
/// # Errors
/// The first thing that differs, in words.
pub(crate) fn check(old: &BenchReport, new: &BenchReport) -> Result<(), String> {
    let differ =
        |what: &str, old: &str, new: &str| Err(format!("taken with {what} {old}, not {new}"));
    let files = |report: &BenchReport| -> BTreeSet<String> {
        report.files.iter().map(|file| file.file.clone()).collect()
    };
    let (of_old, of_new) = (files(old), files(new));
    if let Some(file) = of_new.difference(&of_old).next() {
        return Err(format!("taken without {file}"));
    }
    if let Some(file) = of_old.difference(&of_new).next() {
        return Err(format!("taken with {file}, too"));
    }
    for file in &new.files {
        let Some(before) = old.files.iter().find(|before| before.file == file.file) else {
            continue;
        };
        let words = |file: &FileBench| {
            let words: Vec<String> = file.options.assignments().collect();
            if words.is_empty() { "no options".to_owned() } else { words.join(" ") }
        };
        if words(before) != words(file) {
            return differ("other options:", &words(before), &words(file));
        }
        let size = |file: &FileBench| format!("{}x{}", file.width, file.height);
        if size(before) != size(file) {
            return differ("pictures of", &size(before), &size(file));
        }
    }
    let renderers = |report: &BenchReport| -> BTreeSet<String> {
        let of_files = report.files.iter().flat_map(|file| &file.renderers);
        of_files.map(RendererBench::name).collect()
    };
    let (of_old, of_new) = (renderers(old), renderers(new));
    if of_old != of_new {
        let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" and ");
        return differ("renderer", &list(&of_old), &list(&of_new));
    }
    Ok(())
}

/// Returns a line for each stage whose median has grown by more than `most`: of whole pictures, and of stages that are long enough
/// to be judged by themselves.
pub(crate) fn slower(old: &BenchReport, new: &BenchReport, most: MaxSlower) -> Vec<String> {
    let mut lines = Vec::new();
    for file in &new.files {
        let before = old.files.iter().find(|before| before.file == file.file);
        for renderer in &file.renderers {
            let is_same = |before: &&RendererBench| before.name() == renderer.name();
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
