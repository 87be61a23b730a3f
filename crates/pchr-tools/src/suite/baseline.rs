//! Baselines: a folder of PNG files per case, with a `baseline.json` that records how they were made.
//!
//! ```text
//! suite.toml
//! baselines/walk/baseline.json
//! baselines/walk/0000.png ...
//! ```
//!
//! In the file, equal cameras are written once, and each camera and each picture has a line, so that a change of one is a change of
//! one line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::{Kind, Reading};
use crate::run::device::DrawnBy;
use crate::run::disk::Role;
use crate::run::output::Inside;
use crate::run::{Disk, Failure};
use crate::view::option_rules::of_camera;
use crate::view::{CameraReport, Settings};

/// The record beside the pictures of a case.
pub(crate) const RECORD: &str = "baseline.json";

/// Record of how the baselines of a case were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BaselineRecord {
    /// The options of the case when baselines were last written, by their long names.
    pub(crate) options: Settings,
    /// Makers of the existing pictures.
    pub(crate) made_by: Vec<Maker>,
    /// The pictures, by their paths relative to this file's folder.
    pub(crate) frames: BTreeMap<String, BaselineFrame>,
}

/// Program and renderer that made pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Maker {
    /// Version of the program, with the commit that it was built from.
    pub(crate) version: String,
    /// The renderer and its adapter.
    #[serde(flatten)]
    pub(crate) drawn_by: DrawnBy,
}

/// Record of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BaselineFrame {
    /// Camera of the picture. It is used again, so that a character that grew looks different instead of being fitted again.
    pub(crate) camera: CameraReport,
    /// Index into the record's list of makers.
    pub(crate) made_by: usize,
}

impl BaselineRecord {
    /// Reads the record of a folder; `None` if there is none.
    pub(crate) fn read(disk: &Disk, folder: &Path) -> Result<Option<Self>, Failure> {
        let path = folder.join(RECORD);
        let text = match disk.read(Reading::of(&path, Kind::Text), Role::Baseline) {
            Err(error) if error.is_missing() => return Ok(None),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let record = parse_record(&text);
        let record =
            record.with_context(|| format!("{} is not a record of baselines", path.display()));
        Ok(record.map(Some)?)
    }

    /// Writes the record of a case to its folder below `root`, if it differs from the existing one.
    pub(crate) fn write(&self, disk: &Disk, root: &Path, case: &str) -> io::Result<()> {
        if Self::read(disk, &root.join(case)).is_ok_and(|there| there.as_ref() == Some(self)) {
            return Ok(());
        }
        let text = record_text(self)?;
        Inside(root).update(disk, &format!("{case}/{RECORD}"), text.as_bytes())
    }

    /// Returns true if the options that determine the view are unchanged.
    pub(crate) fn has_view_of(&self, options: &Settings) -> bool {
        of_camera().all(|name| self.options.get(name) == options.get(name))
    }

    /// Returns the program and renderer that made a picture.
    pub(crate) fn maker(&self, frame: &str) -> Option<&Maker> {
        self.made_by.get(self.frames.get(frame)?.made_by)
    }

    /// Records how a picture was made.
    pub(crate) fn note(&mut self, frame: &str, camera: CameraReport, maker: &Maker) {
        let made_by = index_of(maker, &mut self.made_by);
        self.frames.insert(frame.to_owned(), BaselineFrame { camera, made_by });
    }

    /// Removes pictures that are not `kept`, and makers without remaining pictures.
    pub(crate) fn keep(&mut self, kept: &BTreeSet<&str>) {
        self.frames.retain(|frame, _| kept.contains(frame.as_str()));
        let makers = std::mem::take(&mut self.made_by);
        for frame in self.frames.values_mut() {
            let Some(maker) = makers.get(frame.made_by) else { continue };
            frame.made_by = index_of(maker, &mut self.made_by);
        }
    }
}

/// Returns the index of a maker, which is added if it is new.
fn index_of(maker: &Maker, makers: &mut Vec<Maker>) -> usize {
    makers.iter().position(|known| known == maker).unwrap_or_else(|| {
        makers.push(maker.clone());
        makers.len().saturating_sub(1)
    })
}

/// Returns true if two renderers are of one class: the same kind of adapter with the same backend. Driver versions do not matter:
/// `llvmpipe (LLVM 15.0.6, 256 bits)` and `llvmpipe (LLVM 17, 512 bits)` are one class.
pub(crate) fn same_class(a: &DrawnBy, b: &DrawnBy) -> bool {
    let kind = |by: &DrawnBy| {
        let name = by.adapter.as_deref().unwrap_or_default();
        name.split(" (").next().unwrap_or_default().to_lowercase()
    };
    (&a.renderer, &a.backend, kind(a)) == (&b.renderer, &b.backend, kind(b))
}

pub(crate) fn describe(by: &DrawnBy) -> String {
    match (&by.adapter, &by.backend) {
        (Some(adapter), Some(backend)) => format!("{adapter} on {backend}"),
        _ => "the CPU renderer".to_owned(),
    }
}

/// Returns the schema of `baseline.json`.
pub(crate) fn schema() -> schemars::Schema {
    schemars::generate::SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<RecordFile>()
}

/// Origin of a case's baselines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Record")]
pub(crate) struct RecordFile {
    /// The options of the case when baselines were last written, by their long names.
    options: Settings,
    /// Programs and renderers that made pictures.
    made_by: Vec<Maker>,
    /// Cameras of pictures, each once, in the order of the pictures.
    #[serde(default)]
    cameras: Vec<CameraReport>,
    /// The pictures, by their paths from this file's folder.
    frames: BTreeMap<String, FrameEntry>,
}

/// Origin of one picture.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Frame")]
struct FrameEntry {
    /// Camera of the picture. It is used again, so that a character that grew looks different instead of being fitted again.
    camera: CameraEntry,
    /// Index into `madeBy`.
    made_by: usize,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "Camera of a frame")]
enum CameraEntry {
    /// An index into `cameras`.
    Index(usize),
    /// The camera, as earlier versions wrote it.
    Whole(CameraReport),
}

pub(crate) fn parse_record(text: &[u8]) -> anyhow::Result<BaselineRecord> {
    let file: RecordFile = serde_json::from_slice(text)?;
    let frame = |(name, entry): (String, FrameEntry)| {
        let camera = match entry.camera {
            CameraEntry::Whole(camera) => Some(camera),
            CameraEntry::Index(index) => file.cameras.get(index).copied(),
        };
        let camera = camera
            .ok_or_else(|| anyhow::anyhow!("{name:?} names a camera that is not in cameras"))?;
        anyhow::ensure!(
            camera.zoom > 0.0,
            "{name:?} has a zoom of {}, expected more than 0",
            camera.zoom
        );
        anyhow::ensure!(
            camera.camera().is_some(),
            "{name:?} has a camera whose center and view do not match"
        );
        let made_by = entry.made_by;
        anyhow::ensure!(
            made_by < file.made_by.len(),
            "{name:?} names a maker that is not in madeBy"
        );
        Ok((name, BaselineFrame { camera, made_by }))
    };
    let frames: anyhow::Result<_> = file.frames.into_iter().map(frame).collect();
    Ok(BaselineRecord { options: file.options, frames: frames?, made_by: file.made_by })
}

pub(crate) fn record_text(record: &BaselineRecord) -> serde_json::Result<String> {
    let mut places = BTreeMap::new();
    let mut cameras = Vec::new();
    let mut frames = Vec::new();
    for (name, BaselineFrame { camera, made_by }) in &record.frames {
        let key = serde_json::to_string(camera)?;
        let index = *places.entry(key).or_insert_with(|| {
            cameras.push(camera);
            cameras.len().saturating_sub(1)
        });
        let (camera, made_by) = (CameraEntry::Index(index), *made_by);
        frames.push((name.as_str(), FrameEntry { camera, made_by }));
    }
    let mut text = String::from("{\n");
    let (list, map) = (["[", "]"], ["{", "}"]);
    lines(&mut text, "options", map, record.options.iter().map(entry))?;
    lines(&mut text, "madeBy", list, record.made_by.iter().map(serde_json::to_string))?;
    lines(&mut text, "cameras", list, cameras.into_iter().map(serde_json::to_string))?;
    lines(&mut text, "frames", map, frames.into_iter().map(entry))?;
    text.truncate(text.len().saturating_sub(2)); // the last comma
    text.push_str("\n}\n");
    Ok(text)
}

fn entry<V: Serialize>((key, value): (&str, V)) -> serde_json::Result<String> {
    Ok(format!("{}: {}", serde_json::to_string(key)?, serde_json::to_string(&value)?))
}

/// Appends a key with a line for each item.
fn lines(
    text: &mut String,
    key: &str,
    [open, close]: [&str; 2],
    items: impl Iterator<Item = serde_json::Result<String>>,
) -> serde_json::Result<()> {
    let items = items.collect::<Result<Vec<_>, _>>()?;
    let _ = match items.as_slice() {
        [] => writeln!(text, "  \"{key}\": {open}{close},"),
        items => writeln!(text, "  \"{key}\": {open}\n    {}\n  {close},", items.join(",\n    ")),
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, backend: &str) -> DrawnBy {
        let [adapter, backend] = [name, backend].map(|name| Some(name.to_owned()));
        DrawnBy { renderer: "gpu".to_owned(), adapter, backend, driver: None, software: true }
    }

    fn camera(zoom: f64) -> CameraReport {
        let center = crate::view::Point::Flat([0.5, -0.25]);
        CameraReport { center, zoom, y_down: false, mirror: false, view: None }
    }

    #[test]
    fn versions_of_a_driver_make_no_class_but_interfaces_and_adapters_do() {
        let old = adapter("llvmpipe (LLVM 15.0.6, 256 bits)", "vulkan");
        assert!(same_class(&old, &adapter("llvmpipe (LLVM 19.1, 512 bits)", "vulkan")));
        assert!(!same_class(&old, &adapter("llvmpipe (LLVM 15.0.6, 256 bits)", "gl")));
        assert!(!same_class(&old, &adapter("NVIDIA H200", "vulkan")));
        assert!(!same_class(&old, &DrawnBy::cpu()) && same_class(&DrawnBy::cpu(), &DrawnBy::cpu()));
    }

    #[test]
    fn a_record_says_of_each_picture_what_made_it_and_forgets_what_is_gone() {
        let mut record = BaselineRecord::default();
        let maker = |drawn_by| Maker { version: "1".to_owned(), drawn_by };
        let first = maker(DrawnBy::cpu());
        let second = maker(adapter("A", "gl"));
        record.note("0000.png", camera(1.0), &first);
        record.note("0001.png", camera(2.0), &second);
        record.note("0002.png", camera(2.0), &second);
        record.keep(&BTreeSet::from(["0001.png", "0002.png"]));
        assert_eq!(record.made_by, std::slice::from_ref(&second));
        assert_eq!(record.maker("0002.png"), Some(&second));
        assert_eq!(record.maker("0000.png"), None);

        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::default();
        record.write(&disk, folder.path(), "new").unwrap();
        assert_eq!(BaselineRecord::read(&disk, &folder.path().join("new")).unwrap(), Some(record));
        assert_eq!(BaselineRecord::read(&disk, folder.path()).unwrap(), None);
        std::fs::write(folder.path().join(RECORD), b"{\"frames\":{}}").unwrap();
        assert!(BaselineRecord::read(&disk, folder.path()).is_err());
    }

    fn record(zooms: &[f64]) -> BaselineRecord {
        let mut record = BaselineRecord::default();
        let maker = Maker { version: "1.2.3 (abc)".to_owned(), drawn_by: DrawnBy::cpu() };
        record.options.put("frame", crate::view::Setting::One("all".to_owned()));
        for (i, zoom) in zooms.iter().enumerate() {
            record.note(&format!("walk/{i:04}.png"), camera(*zoom), &maker);
        }
        record
    }

    #[test]
    fn equal_cameras_are_said_once_and_each_picture_has_a_line() {
        let text = record_text(&record(&[1.5, 1.5, 3.0])).unwrap();
        let wanted = r#"{
  "options": {
    "frame": "all"
  },
  "madeBy": [
    {"version":"1.2.3 (abc)","renderer":"cpu","adapter":null,"backend":null,"driver":null,"software":false}
  ],
  "cameras": [
    {"center":[0.5,-0.25],"zoom":1.5,"yDown":false},
    {"center":[0.5,-0.25],"zoom":3.0,"yDown":false}
  ],
  "frames": {
    "walk/0000.png": {"camera":0,"madeBy":0},
    "walk/0001.png": {"camera":0,"madeBy":0},
    "walk/0002.png": {"camera":1,"madeBy":0}
  }
}
"#;
        assert_eq!(text, wanted);
    }

    #[test]
    fn a_record_comes_back_also_in_the_form_of_earlier_versions() {
        for record in [record(&[1.5, 1.5, 3.0]), record(&[]), BaselineRecord::default()] {
            let text = record_text(&record).unwrap();
            assert_eq!(parse_record(text.as_bytes()).unwrap(), record, "{text}");
            // There every frame had its camera.
            let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
            let cameras = old["cameras"].take();
            old.as_object_mut().unwrap().remove("cameras");
            for (_, frame) in old["frames"].as_object_mut().unwrap() {
                let index = usize::try_from(frame["camera"].as_u64().unwrap()).unwrap();
                frame["camera"] = cameras[index].clone();
            }
            assert_eq!(parse_record(old.to_string().as_bytes()).unwrap(), record);
        }
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused() {
        let text = record_text(&record(&[1.0])).unwrap();
        for (from, to, wanted) in [
            ("\"camera\":0", "\"camera\":7", "names a camera that is not in cameras"),
            ("\"madeBy\":0", "\"madeBy\":1", "names a maker that is not in madeBy"),
            ("\"zoom\":1.0", "\"zoom\":0.0", "has a zoom of 0, expected more than 0"),
            ("\"zoom\":1.0", "\"zoom\":-2", "has a zoom of -2, expected more than 0"),
        ] {
            let error = parse_record(text.replace(from, to).as_bytes()).unwrap_err().to_string();
            assert_eq!(error, format!("\"walk/0000.png\" {wanted}"));
        }
    }
}
