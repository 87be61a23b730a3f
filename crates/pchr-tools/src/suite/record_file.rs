//! The written form of `baseline.json`: equal cameras once, and a line for each camera and each picture, so that a change of one is
//! a change of one line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::record::{Frame, Maker, Record};
use crate::view::CameraReport;
use crate::view::settings::Settings;

/// Origin of a case's baselines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Record")]
pub(super) struct RecordFile {
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

/// Reads a record.
///
/// # Errors
/// Reason why the text is not a record.
pub(super) fn parse(text: &[u8]) -> anyhow::Result<Record> {
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
        Ok((name, Frame { camera, made_by }))
    };
    let frames: anyhow::Result<_> = file.frames.into_iter().map(frame).collect();
    Ok(Record {
        options: file.options,
        frames: frames?,
        made_by: file.made_by,
    })
}

/// Returns the text of a record.
pub(super) fn text(record: &Record) -> serde_json::Result<String> {
    let mut places = BTreeMap::new();
    let mut cameras = Vec::new();
    let mut frames = Vec::new();
    for (name, Frame { camera, made_by }) in &record.frames {
        let key = serde_json::to_string(camera)?;
        let index = *places.entry(key).or_insert_with(|| {
            cameras.push(camera);
            cameras.len().saturating_sub(1)
        });
        let (camera, made_by) = (CameraEntry::Index(index), *made_by);
        frames.push((name, FrameEntry { camera, made_by }));
    }
    let mut text = String::from("{\n");
    map(&mut text, "options", record.options.iter())?;
    list(&mut text, "madeBy", &record.made_by)?;
    list(&mut text, "cameras", cameras)?;
    map(&mut text, "frames", frames)?;
    text.truncate(text.len().saturating_sub(2)); // the last comma
    text.push_str("\n}\n");
    Ok(text)
}

fn list<T: Serialize>(
    text: &mut String,
    key: &str,
    items: impl IntoIterator<Item = T>,
) -> serde_json::Result<()> {
    let items = items
        .into_iter()
        .map(|item| serde_json::to_string(&item))
        .collect::<Result<Vec<_>, _>>()?;
    lines(text, key, ["[", "]"], &items);
    Ok(())
}

fn map<K: Serialize, V: Serialize>(
    text: &mut String,
    key: &str,
    entries: impl IntoIterator<Item = (K, V)>,
) -> serde_json::Result<()> {
    let entry = |(key, value): (K, V)| {
        let [key, value] = [serde_json::to_string(&key)?, serde_json::to_string(&value)?];
        Ok(format!("{key}: {value}"))
    };
    let entries = entries
        .into_iter()
        .map(entry)
        .collect::<serde_json::Result<Vec<_>>>()?;
    lines(text, key, ["{", "}"], &entries);
    Ok(())
}

/// Appends a key with a line for each item.
fn lines(text: &mut String, key: &str, [open, close]: [&str; 2], items: &[String]) {
    let _ = match items {
        [] => writeln!(text, "  \"{key}\": {open}{close},"),
        items => writeln!(
            text,
            "  \"{key}\": {open}\n    {}\n  {close},",
            items.join(",\n    ")
        ),
    };
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;
    use crate::run::device::DrawnBy;

    fn camera(zoom: f64) -> CameraReport {
        CameraReport {
            center: crate::view::Center::Flat([0.5, -0.25]),
            zoom,
            y_down: false,
            view: None,
        }
    }

    fn record(zooms: &[f64]) -> Record {
        let mut record = Record::default();
        let maker = Maker {
            version: "1.2.3 (abc)".to_owned(),
            drawn_by: DrawnBy::cpu(),
        };
        let all = crate::view::Setting::One("all".to_owned());
        record.options.put("frame", all);
        for (i, zoom) in zooms.iter().enumerate() {
            record.note(&format!("walk/{i:04}.png"), camera(*zoom), &maker);
        }
        record
    }

    #[test]
    fn equal_cameras_are_said_once_and_each_picture_has_a_line() {
        let text = text(&record(&[1.5, 1.5, 3.0])).unwrap();
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
        for record in [record(&[1.5, 1.5, 3.0]), record(&[]), Record::default()] {
            let text = text(&record).unwrap();
            assert_eq!(parse(text.as_bytes()).unwrap(), record, "{text}");
            // There every frame had its camera.
            let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
            let cameras = old["cameras"].take();
            old.as_object_mut().unwrap().remove("cameras");
            for (_, frame) in old["frames"].as_object_mut().unwrap() {
                let index = usize::try_from(frame["camera"].as_u64().unwrap()).unwrap();
                frame["camera"] = cameras[index].clone();
            }
            assert_eq!(parse(old.to_string().as_bytes()).unwrap(), record);
        }
    }

    #[test]
    fn a_character_that_grew_changes_a_line_for_each_camera() {
        let lines = |zoom: f64| {
            let text = text(&record(&[zoom; 200])).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let (before, after) = (lines(1.5), lines(2.5));
        let changed = before.iter().zip(&after).filter(|(a, b)| a != b);
        assert_eq!((before.len(), changed.count()), (after.len(), 1));
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused() {
        let text = text(&record(&[1.0])).unwrap();
        for (from, to, wanted) in [
            (
                "\"camera\":0",
                "\"camera\":7",
                "names a camera that is not in cameras",
            ),
            (
                "\"madeBy\":0",
                "\"madeBy\":1",
                "names a maker that is not in madeBy",
            ),
            (
                "\"zoom\":1.0",
                "\"zoom\":0.0",
                "has a zoom of 0, expected more than 0",
            ),
            (
                "\"zoom\":1.0",
                "\"zoom\":-2",
                "has a zoom of -2, expected more than 0",
            ),
        ] {
            let wrong = text.replace(from, to);
            let error = parse(wrong.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, format!("\"walk/0000.png\" {wanted}"));
        }
    }
}
