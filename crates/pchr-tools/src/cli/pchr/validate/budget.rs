//! `--budget`: findings about files that cost more than a project allows.

use std::path::Path;

use indicatif::DecimalBytes;

use pchr::document::{BoneId, Document, FileSection, ImageId};
use pchr::finding::{Finding, Findings, counted, quoted};
use pchr::playback::FrameAt;
use pchr::raster::{Cost, SubjectSizes};
use pchr::scene::{BudgetRule, Subject};

use crate::run::input;
use crate::run::{Disk, Failure};
use crate::text::nearest;
use crate::view::Size;

/// Keys, in the order of their rules.
const KEYS: [&str; 6] = ["vertices", "bones", "draws", "atlas", "memory", "overdraw"];

/// Limits; `None` where there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Limits {
    vertices: Option<usize>,
    bones: Option<usize>,
    draws: Option<usize>,
    /// Width and height of an image in pixels.
    atlas: Option<[u32; 2]>,
    /// Bytes on a graphics device.
    memory: Option<u64>,
    overdraw: Option<f64>,
}

impl Limits {
    /// Reads the value of the option: `KEY=LIMIT,…`, or the path of a TOML file with such keys.
    pub(super) fn read(text: &str, disk: &Disk) -> Result<Self, Failure> {
        let mut limits = Self::default();
        let keys = KEYS.join(", ");
        if text.trim().is_empty() {
            let text = format!("--budget: expected limits of {keys}, or a TOML file with them");
            return Err(Failure::Usage(text));
        }
        let (place, pairs): (String, Vec<(String, String)>) = if text.contains('=') {
            let pairs = text.split(',').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
            let pairs = pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
            ("--budget".to_owned(), pairs.collect())
        } else {
            let (path, name) = (Path::new(text), input::name(Path::new(text)));
            let content = input::read_text(disk, path)?;
            let table: toml::Table = content.parse().map_err(|error: toml::de::Error| {
                let before = content.get(..error.span().map_or(0, |span| span.start));
                let line = before.map_or(1, |before| before.matches('\n').count() + 1);
                Failure::Usage(format!("{name}: line {line}: {}", error.message()))
            })?;
            let pairs = table.into_iter().map(|(key, value)| match value {
                toml::Value::String(text) => (key, text),
                other => (key, other.to_string()),
            });
            (name, pairs.collect())
        };
        if pairs.is_empty() {
            return Err(Failure::Usage(format!("{place}: no limits; expected some of {keys}")));
        }
        for (key, value) in pairs {
            let set = limits.set(&key, &value);
            set.map_err(|why| Failure::Usage(format!("{place}: {why}")))?;
        }
        Ok(limits)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let count = || {
            let wrong = |_| format!("{key}: expected a whole number, not {value:?}");
            value.parse::<usize>().map(Some).map_err(wrong)
        };
        match key {
            "vertices" => self.vertices = count()?,
            "bones" => self.bones = count()?,
            "draws" => self.draws = count()?,
            "atlas" => {
                let Size(size) = value.parse().map_err(|why| format!("atlas: {why}"))?;
                self.atlas = Some(size);
            }
            "memory" => {
                self.memory = Some(input::size(value).map_err(|why| format!("memory: {why}"))?);
            }
            "overdraw" => {
                let number = value.parse().ok().filter(|it: &f64| it.is_finite() && *it > 0.0);
                let wrong = || format!("overdraw: expected a number above 0, not {value:?}");
                self.overdraw = Some(number.ok_or_else(wrong)?);
            }
            _ => {
                let near = nearest(key, KEYS.into_iter());
                let keys = if near.is_empty() { KEYS.join(", ") } else { near.join(", ") };
                return Err(format!("unknown key {key:?}; expected {keys}"));
            }
        }
        Ok(())
    }

    /// Returns what a subject costs too much.
    pub(super) fn overruns(&self, subject: &dyn Subject, document: Option<&Document>) -> Findings {
        let sizes = SubjectSizes::of(subject);
        let measures = self.draws.is_some() || self.overdraw.is_some();
        let cost = if measures { Cost::of(subject) } else { Cost::default() };
        let mut found = Findings::default();
        let mut add = |rule: BudgetRule, offset: u64, path: String, text: String| {
            found.push(Finding::new(rule.rule(), offset, &path, &text));
        };
        let offset = |at: Option<FrameAt>| {
            let clip = at.and_then(|at| Some((document?.animation(at.animation)?, at.frame)));
            clip.map_or(0, |(clip, frame)| clip.record_offset(frame, BoneId(0)))
        };
        let section = |section| document.map_or(0, |of| of.section_range(section).start);
        let too_many = |count: usize, limit: Option<usize>, one: &str, many: &str| {
            let (all, limit) = (counted(count, one, many), limit?);
            let by = count.checked_sub(limit).filter(|by| *by > 0)?;
            Some(format!("{all}, budget {limit}: {by} too many"))
        };
        if let Some(text) = too_many(sizes.vertices, self.vertices, "vertex", "vertices") {
            let largest = sizes.largest_mesh.and_then(|(id, n)| Some((id, subject.mesh(id)?, n)));
            let (path, most) = match &largest {
                Some((id, mesh, count)) => {
                    (format!("meshes[{}]", id.0), format!("; {} has {count}", quoted(mesh.name())))
                }
                None => ("meshes".to_owned(), String::new()),
            };
            let ranges = largest.and_then(|(id, ..)| document?.mesh_ranges(id));
            let at = ranges.map_or_else(|| section(FileSection::Meshes), |of| of.all.start);
            add(BudgetRule::Vertices, at, path, text + &most);
        }
        if let Some(text) = too_many(sizes.bones, self.bones, "bone", "bones") {
            add(BudgetRule::Bones, section(FileSection::Bones), "bones".to_owned(), text);
        }
        if let Some(text) = too_many(cost.draws.value, self.draws, "draw", "draws") {
            let (path, at) = moment(subject, cost.draws.at);
            add(BudgetRule::Draws, offset(cost.draws.at), path, text + &at);
        }
        for (id, size) in (0..).map(ImageId).zip(&sizes.images) {
            let [width, height] = *size;
            let limit = self.atlas.filter(|[most_x, most_y]| width > *most_x || height > *most_y);
            if let Some([most_x, most_y]) = limit {
                let text = format!("{width}x{height}, budget {most_x}x{most_y}");
                let ranges = document.and_then(|of| of.image_ranges(id));
                let at = ranges.map_or(0, |of| of.all.start);
                add(BudgetRule::Atlas, at, format!("images[{}]", id.0), text);
            }
        }
        let memory = sizes.memory();
        if let Some(limit) = self.memory.filter(|limit| memory > *limit) {
            let by = memory.saturating_sub(limit);
            let [all, limit, by] = [memory, limit, by].map(DecimalBytes);
            let text = format!("{all}, budget {limit}: {by} too many");
            add(BudgetRule::Memory, section(FileSection::Images), "images".to_owned(), text);
        }
        if let Some(limit) = self.overdraw.filter(|limit| cost.overdraw.value > *limit) {
            let (path, at) = moment(subject, cost.overdraw.at);
            let text = format!("overdraw {:.2}, budget {limit}{at}", cost.overdraw.value);
            add(BudgetRule::Overdraw, offset(cost.overdraw.at), path, text);
        }
        if let Some((limit, (at, refused))) = self.overdraw.zip(cost.uncounted) {
            let (path, words) = moment(subject, at);
            let text =
                format!("overdraw is too high to be counted, budget {limit}{words}: {refused}");
            add(BudgetRule::Overdraw, offset(at), path, text);
        }
        if self.overdraw.is_some() && cost.step > 1 {
            let Cost { step, measured, .. } = cost;
            let text =
                format!("overdraw was measured at 1 moment of every {step}, {measured} in all");
            let at = section(FileSection::Animations);
            add(BudgetRule::Sampled, at, "animations".to_owned(), text);
        }
        found
    }
}

/// Returns the place of a moment, and the same in words.
fn moment(subject: &dyn Subject, at: Option<FrameAt>) -> (String, String) {
    match at {
        Some(FrameAt { animation, frame, .. }) => (
            format!("animations[{}].frames[{frame}]", animation.0),
            format!(", in {} on frame {frame}", quoted(subject.animation_name(animation))),
        ),
        None => ("meshes".to_owned(), String::new()),
    }
}
