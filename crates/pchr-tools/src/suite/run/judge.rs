//! Compares a picture with its baseline, and says what a case needs to know about it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use pchr::compare::{DifferenceReport, MaxOutliers, Pair, Tolerance};
use pchr::image::{Effort, Pixels, encode_png};
use pchr::scene::{Camera, Subject};

use super::Update;
use super::outcome::{ComparedBaseline, compare, in_words, pair};
use crate::capture::{CaptureError, Shot, Taken};
use crate::files::{Kind, Reading};
use crate::run::Failure;
use crate::run::device::DrawnBy;
use crate::run::output::Inside;
use crate::suite::baseline::{BaselineRecord, Maker, RECORD, describe, same_class};
use crate::suite::cases::Case;
use crate::suite::cases::file::Suite;
use crate::suite::report::folder;
use crate::suite::report::{FrameResult, Status, frame_name};
use crate::text::shell::{self, Word};
use crate::text::slashed;
use crate::text::words::{count, number};
use crate::view::{MARKS, Mark, Setting, option_rules};

/// Tolerance of the CPU renderer, whose pictures are the same everywhere.
const EXACT: Tolerance = Tolerance { channel: 0, max_outliers: MaxOutliers::Pixels(0) };

/// Compares the pictures of a case with its baselines, or makes baselines of them.
pub(crate) struct Judge<'a> {
    suite: &'a Suite,
    case: &'a Case,
    pub(crate) folder: PathBuf,
    /// Folder of the report, if one is written.
    report: Option<&'a Path>,
    update: Option<Update>,
    maker: Maker,
    /// Record as read.
    record: BaselineRecord,
    /// Updated record, with every frame that was judged.
    next: Mutex<BaselineRecord>,
    pub(crate) notes: Vec<String>,
}

impl<'a> Judge<'a> {
    /// Reads the existing baselines.
    pub(crate) fn new(
        suite: &'a Suite,
        case: &'a Case,
        report: Option<&'a Path>,
        update: Option<Update>,
        drawn_by: DrawnBy,
    ) -> Result<Self, Failure> {
        let folder = suite.baselines().join(&case.name);
        let record = match (BaselineRecord::read(&suite.disk, &folder), update) {
            (Err(_), Some(Update::All)) => None, // it will be written again
            (record, _) => record?,
        };
        let notes = record
            .iter()
            .flat_map(|record| of_baselines(record, case, &drawn_by))
            .chain(of_ignored(case))
            .collect();
        let record = record.unwrap_or_default();
        Ok(Self {
            suite,
            case,
            folder,
            report,
            update,
            maker: Maker { version: crate::version().to_owned(), drawn_by },
            next: Mutex::new(record.clone()),
            record,
            notes,
        })
    }

    /// Returns the camera of a baseline, if the picture must have the same.
    pub(crate) fn camera(&self, path: &Path) -> Option<Camera> {
        if self.update == Some(Update::All) || !self.record.has_view_of(&self.case.options.settings)
        {
            return None;
        }
        self.record.frames.get(&slashed(path))?.camera.camera()
    }

    /// Prepares the record before the first picture of an update. It removes cameras that will change, so that a picture and a
    /// camera that do not belong together never coexist, whenever the run is interrupted.
    pub(crate) fn begin(&self, paths: &[PathBuf], shots: &[Shot]) -> io::Result<()> {
        if self.update.is_none() {
            return Ok(());
        }
        let mut record = self.next.lock();
        let before = record.frames.len();
        for (path, shot) in paths.iter().zip(shots) {
            let path = slashed(path);
            if record.frames.get(&path).is_some_and(|frame| frame.camera != shot.camera.into()) {
                record.frames.remove(&path);
            }
        }
        if record.frames.len() < before {
            record.write(&self.suite.disk, &self.suite.baselines(), &self.case.name)?;
        }
        Ok(())
    }

    /// Judges one picture; `path` is that of its baseline, relative to the case's folder.
    pub(crate) fn judge(
        &self,
        taken: &mut Taken<'_>,
        shot: &Shot,
        path: &Path,
        subject: &dyn Subject,
    ) -> FrameResult {
        let at = shot.at;
        let clip = at.and_then(|at| subject.animation(at.animation));
        let mut report = FrameResult {
            animation: clip.map(|clip| clip.name.to_owned()),
            frame: at.map(|at| at.frame),
            ..FrameResult::new(frame_name(path), Status::Passed, String::new())
        };
        if let Err(error) = self.compare(&mut report, taken, shot, path) {
            report.status = Status::Error;
            report.message = error.to_string();
        }
        if report.status.code() != 0 {
            report.command = Some(command_of(self.case, shot, subject));
        }
        report
    }

    fn compare(
        &self,
        report: &mut FrameResult,
        taken: &mut Taken<'_>,
        shot: &Shot,
        path: &Path,
    ) -> Result<(), CaptureError> {
        let key = slashed(path);
        let tolerance = self.tolerance(self.record.maker(&key), taken.pixels);
        let baseline = self.folder.join(path);
        let ignored = self.case.ignored.as_deref();
        let compared =
            compare(&self.suite.disk, self.reading(&baseline), taken.pixels, ignored, tolerance);
        // An unreadable file may hold anything, so it is not overwritten unless requested.
        let stays = matches!(
            compared,
            ComparedBaseline::Same | ComparedBaseline::Within(_) | ComparedBaseline::Unreadable(_)
        );
        let wanted = self.update.is_some_and(|update| update == Update::All || !stays);
        let written = wanted && self.write(&key, taken.pixels)?;
        if self.update.is_some() && (wanted || !matches!(compared, ComparedBaseline::Unreadable(_)))
        {
            self.note(&key, shot, written);
        }
        if written {
            report.status = Status::Updated;
            report.message = format!("wrote {}", self.shown(&report.name));
            return Ok(());
        }
        self.say(report, compared, tolerance, taken)
    }

    /// Writes the result of a comparison, and its pictures, to the report.
    fn say(
        &self,
        report: &mut FrameResult,
        compared: ComparedBaseline,
        tolerance: Tolerance,
        taken: &mut Taken<'_>,
    ) -> Result<(), CaptureError> {
        let mut shown = None;
        let mut turn = None;
        let expected = match compared {
            ComparedBaseline::Same => return Ok(()),
            ComparedBaseline::Within(difference) => {
                report.difference = Some(DifferenceReport::new(&difference, &tolerance, None));
                return Ok(());
            }
            ComparedBaseline::Beyond(difference, expected) => {
                report.status = Status::Failed;
                let pair = pair(&expected, taken.pixels, self.case.ignored.as_deref()).ok();
                let flip = pair.as_ref().map(Pair::mean_flip);
                let wanted = pair.filter(|_| self.report.is_some());
                shown = wanted.map(|pair| pair.picture(tolerance.channel));
                let figures = DifferenceReport::new(&difference, &tolerance, flip);
                report.message = in_words(&figures);
                report.difference = Some(figures);
                Some(expected)
            }
            ComparedBaseline::OtherSize(expected, one) => {
                turn = Some(one);
                report.status = Status::Failed;
                let pixels = taken.pixels;
                report.message = format!(
                    "the baseline is {} x {}, the picture {} x {}",
                    expected.width, expected.height, pixels.width, pixels.height
                );
                Some(expected)
            }
            ComparedBaseline::Missing => {
                report.status = Status::Missing;
                report.message = "no baseline".to_owned();
                None
            }
            ComparedBaseline::Unreadable(why) => {
                report.status = Status::Error;
                let shown = self.shown(&report.name);
                report.message =
                    format!("cannot read {shown}: {why} (write it again with --update=all)");
                None
            }
        };
        if let Some(folder) = self.report {
            let stem = format!("{}/{}", self.case.name, report.name);
            let paths = folder::write_pictures(
                &self.suite.disk,
                folder,
                &stem,
                expected.as_ref(),
                taken.pixels,
                shown.as_ref(),
            );
            report.pictures = Some(paths?);
        }
        drop(turn);
        Ok(())
    }

    /// Returns other versions of the program that made baselines.
    pub(crate) fn versions(&self) -> Vec<String> {
        let makers = self.record.made_by.iter();
        let versions: BTreeSet<&String> = makers.map(|maker| &maker.version).collect();
        versions.into_iter().filter(|version| **version != self.maker.version).cloned().collect()
    }

    /// Returns true if every picture is compared exactly.
    pub(crate) fn is_exact(&self) -> bool {
        let mut makers = self.record.made_by.iter();
        self.is_exact_with(None) && makers.all(|maker| self.is_exact_with(Some(&maker.drawn_by)))
    }

    /// Returns true if a picture must equal its baseline: as the suite states, else if the CPU renderer drew both.
    fn is_exact_with(&self, then: Option<&DrawnBy>) -> bool {
        let is_cpu = |by: &DrawnBy| by.renderer == "cpu";
        let both_cpu = is_cpu(&self.maker.drawn_by) && then.is_none_or(is_cpu);
        self.case.limits.exact.unwrap_or(both_cpu)
    }

    /// Returns the tolerance of a picture against a baseline that `maker` made.
    fn tolerance(&self, maker: Option<&Maker>, pixels: &Pixels) -> Tolerance {
        let now = &self.maker.drawn_by;
        let then = maker.map(|maker| &maker.drawn_by);
        if self.is_exact_with(then) {
            return EXACT;
        }
        let mut limits = self.case.limits;
        if then.is_some_and(|then| !same_class(now, then)) {
            let of_pair = [Some(now), then].into_iter().flatten().find_map(|by| {
                let name = by.adapter.as_deref().unwrap_or("cpu").to_lowercase();
                self.suite.adapters.iter().find(|(part, _)| name.contains(&part.to_lowercase()))
            });
            limits = of_pair.map_or(limits, |(_, of_pair)| of_pair.or(limits));
        }
        let Tolerance { channel, max_outliers } =
            Tolerance::of_renderers(u64::from(pixels.width) * u64::from(pixels.height));
        Tolerance {
            channel: limits.tolerance.unwrap_or(channel),
            max_outliers: limits.max_outliers.unwrap_or(max_outliers),
        }
    }

    /// Returns the path of a frame's baseline, relative to the suite's folder: reports are the same on every machine.
    fn shown(&self, frame: &str) -> String {
        format!("{}/{}/{frame}.png", self.suite.baselines_shown(), self.case.name)
    }

    /// Returns limits for reading a baseline. It is a file, and may be as large as the case's input.
    fn reading<'p>(&self, path: &'p Path) -> Reading<'p> {
        Reading { max_size: self.case.input.max_size, ..Reading::of(path, Kind::Picture) }
    }

    /// Makes a baseline of a picture. Returns true if it changed.
    fn write(&self, key: &str, pixels: &Pixels) -> Result<bool, CaptureError> {
        let mut png = Vec::new();
        encode_png(pixels, Effort::Some, &mut png).map_err(io::Error::other)?;
        let there = self.reading(&self.folder.join(key)).run();
        if there.is_ok_and(|there| there == png) {
            return Ok(false);
        }
        let path = format!("{}/{key}", self.case.name);
        Inside(&self.suite.baselines()).update(&self.suite.disk, &path, &png)?;
        Ok(true)
    }

    fn note(&self, key: &str, shot: &Shot, written: bool) {
        let camera = shot.camera.into();
        let mut record = self.next.lock();
        if written
            || self.update == Some(Update::All)
            || record.frames.get(key).is_none_or(|frame| frame.camera != camera)
        {
            record.note(key, camera, &self.maker);
        }
    }

    /// Completes the record after the last picture of an update.
    pub(crate) fn end(&self, paths: &[PathBuf], frames: &[FrameResult]) -> io::Result<()> {
        if self.update.is_none() {
            return Ok(());
        }
        let mut record = self.next.lock();
        let paths: Vec<String> = paths.iter().map(|path| slashed(path)).collect();
        record.keep(&paths.iter().map(String::as_str).collect::<BTreeSet<_>>());
        // All baselines, or at least some, now match these options.
        let all_are =
            paths.len() == frames.len() && frames.iter().all(|frame| frame.status.code() == 0);
        if all_are || frames.iter().any(|frame| frame.status == Status::Updated) {
            record.options.clone_from(&self.case.options.settings);
        }
        if record.frames.is_empty() {
            return Ok(()); // no picture was written that would need a record
        }
        record.write(&self.suite.disk, &self.suite.baselines(), &self.case.name)
    }

    /// Adds a note about baselines without a record of how they were made. Their view is unknown.
    pub(crate) fn note_unrecorded(&mut self, paths: &[PathBuf]) {
        let unrecorded = paths.iter().filter(|path| {
            !self.record.frames.contains_key(&slashed(path)) && self.folder.join(path).is_file()
        });
        let count = unrecorded.count();
        if count > 0 {
            let (were, views_are) = match count {
                1 => ("was", "its view is"),
                _ => ("were", "their views are"),
            };
            self.notes.push(format!(
                "{}/{}/{RECORD} does not record how {count} of the baselines {were} made, so {views_are} fitted again{}",
                self.suite.baselines_shown(),
                self.case.name,
                match self.update {
                    None => "; record it with --update",
                    Some(_) => "",
                }
            ));
        }
    }
}

/// Returns a note with the share of each picture that is not compared.
fn of_ignored(case: &Case) -> Option<String> {
    let ignored = case.ignored.as_ref()?.count();
    let [width, height] = case.shown.size().map(u64::from);
    let pixels = count(width * height, "pixel", "pixels");
    let are = if ignored == 1 { "is" } else { "are" };
    Some(format!("{} of {pixels} {are} ignored in each picture", number(ignored)))
}

/// Returns notes about a case, to be read before its pictures.
fn of_baselines(record: &BaselineRecord, case: &Case, now: &DrawnBy) -> Vec<String> {
    let mut notes = Vec::new();
    for maker in &record.made_by {
        let then = &maker.drawn_by;
        if !same_class(then, now) {
            notes.push(format!(
                "baselines were drawn by {}, these pictures by {}, another class of adapter",
                describe(then),
                describe(now)
            ));
        } else if then.driver != now.driver {
            let version = |by: &DrawnBy| by.driver.clone().unwrap_or_default();
            notes.push(format!(
                "baselines were drawn with driver {}, these pictures with {}",
                version(then),
                version(now)
            ));
        }
    }
    let options = &case.options.settings;
    let keys: BTreeSet<&str> = record.options.names().chain(options.names()).collect();
    for key in keys.into_iter().filter(|key| *key != "renderer") {
        let (then, now) = (record.options.get(key), options.get(key));
        if then != now {
            let say =
                |value: Option<&Setting>| value.map_or("not given".to_owned(), ToString::to_string);
            notes.push(format!(
                "{key} was {} when the baselines were made, and is {} now",
                say(then),
                say(now)
            ));
        }
    }
    notes
}

fn command_of(case: &Case, shot: &Shot, subject: &dyn Subject) -> String {
    // Files are named as in the suite, not by the folder that they were found in.
    let mut settings = case.shown.of_shot(subject, shot).settings();
    for (name, setting) in case.options.settings.iter() {
        let row = MARKS.iter().find(|(known, _)| *known == name);
        if row.is_none_or(|(_, marks)| marks.contains(&Mark::File) && settings.has(name)) {
            settings.put(name, setting.clone());
        }
    }
    let mut words: Vec<Word> = vec!["pchr-view".into(), "capture".into(), case.typed.clone()];
    words.extend(option_rules::words(&settings).into_iter().map(Word::from));
    words.extend(["-o", "actual.png"].map(Word::from));
    shell::posix(&words)
}
