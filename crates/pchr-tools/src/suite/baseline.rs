//! Baselines: a folder of PNG files per case, with a `baseline.json` that records how they were made.
//!
//! ```text
//! suite.toml
//! baselines/walk/baseline.json
//! baselines/walk/0000.png ...
//! ```

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use clap::ValueEnum;

use super::record::{Frame, Maker, Record};
use super::record_file::{self, RecordFile};
use crate::files::{Kind, Reading};
use crate::run::device::DrawnBy;
use crate::run::disk::Role;
use crate::run::inside::Inside;
use crate::run::{Disk, Failure};
use crate::view::CameraReport;
use crate::view::Settings;
use crate::view::grammar::of_camera;

/// Default folder of all baselines, relative to the suite's.
pub(super) const FOLDER: &str = "baselines";

/// The record beside the pictures of a case.
pub(super) const RECORD: &str = "baseline.json";

/// Baselines that an update writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Update {
    /// Only baselines that are missing or differ from the new picture.
    Failing,
    /// All baselines.
    All,
}

impl Record {
    /// Reads the record of a folder; `None` if there is none.
    ///
    /// # Errors
    /// [`Failure::Running`] if it cannot be read or is invalid.
    pub(super) fn read(disk: &Disk, folder: &Path) -> Result<Option<Self>, Failure> {
        let path = folder.join(RECORD);
        let text = match disk.read(Reading::of(&path, Kind::Text), Role::Baseline) {
            Err(error) if error.is_missing() => return Ok(None),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let record = record_file::parse(&text);
        let record =
            record.with_context(|| format!("{} is not a record of baselines", path.display()));
        Ok(record.map(Some)?)
    }

    /// Writes the record of a case to its folder below `root`, if it differs from the existing one.
    pub(super) fn write(&self, disk: &Disk, root: &Path, case: &str) -> io::Result<()> {
        if Self::read(disk, &root.join(case)).is_ok_and(|there| there.as_ref() == Some(self)) {
            return Ok(());
        }
        let text = record_file::text(self)?;
        Inside(root).update(disk, &format!("{case}/{RECORD}"), text.as_bytes())
    }

    /// Returns true if the options that determine the view are unchanged.
    pub(super) fn has_view_of(&self, options: &Settings) -> bool {
        of_camera().all(|name| self.options.get(name) == options.get(name))
    }

    /// Returns the program and renderer that made a picture.
    pub(super) fn maker(&self, frame: &str) -> Option<&Maker> {
        self.made_by.get(self.frames.get(frame)?.made_by)
    }

    /// Records how a picture was made.
    pub(super) fn note(&mut self, frame: &str, camera: CameraReport, maker: &Maker) {
        let known = self.made_by.iter().position(|known| known == maker);
        let made_by = known.unwrap_or_else(|| {
            self.made_by.push(maker.clone());
            self.made_by.len().saturating_sub(1)
        });
        self.frames
            .insert(frame.to_owned(), Frame { camera, made_by });
    }

    /// Removes pictures that are not `kept`, and makers without remaining pictures.
    pub(super) fn keep(&mut self, kept: &BTreeSet<&str>) {
        self.frames.retain(|frame, _| kept.contains(frame.as_str()));
        let makers = std::mem::take(&mut self.made_by);
        for frame in self.frames.values_mut() {
            let Some(maker) = makers.get(frame.made_by) else {
                continue;
            };
            let known = self.made_by.iter().position(|known| known == maker);
            frame.made_by = known.unwrap_or_else(|| {
                self.made_by.push(maker.clone());
                self.made_by.len().saturating_sub(1)
            });
        }
    }
}

impl Maker {
    /// Returns this program, drawing with `drawn_by`.
    pub(super) fn now(drawn_by: DrawnBy) -> Self {
        let version = crate::version().to_owned();
        Self { version, drawn_by }
    }
}

/// Returns true if two renderers are of one class: the same kind of adapter with the same backend. Driver versions do not matter:
/// `llvmpipe (LLVM 15.0.6, 256 bits)` and `llvmpipe (LLVM 17, 512 bits)` are one class.
pub(super) fn same_class(a: &DrawnBy, b: &DrawnBy) -> bool {
    let kind = |by: &DrawnBy| {
        let name = by.adapter.as_deref().unwrap_or_default();
        name.split(" (").next().unwrap_or_default().to_lowercase()
    };
    (&a.renderer, &a.backend, kind(a)) == (&b.renderer, &b.backend, kind(b))
}

/// Describes the renderer in words.
pub(super) fn describe(by: &DrawnBy) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, backend: &str) -> DrawnBy {
        DrawnBy {
            renderer: "gpu".to_owned(),
            adapter: Some(name.to_owned()),
            backend: Some(backend.to_owned()),
            driver: None,
            software: true,
        }
    }

    fn camera(zoom: f64) -> CameraReport {
        CameraReport {
            center: crate::view::Center::Flat([0.5, -0.25]),
            zoom,
            y_down: false,
            view: None,
        }
    }

    #[test]
    fn versions_of_a_driver_make_no_class_but_interfaces_and_adapters_do() {
        let old = adapter("llvmpipe (LLVM 15.0.6, 256 bits)", "vulkan");
        assert!(same_class(
            &old,
            &adapter("llvmpipe (LLVM 19.1, 512 bits)", "vulkan")
        ));
        assert!(!same_class(
            &old,
            &adapter("llvmpipe (LLVM 15.0.6, 256 bits)", "gl")
        ));
        assert!(!same_class(&old, &adapter("NVIDIA H200", "vulkan")));
        assert!(!same_class(&old, &DrawnBy::cpu()));
        assert!(same_class(&DrawnBy::cpu(), &DrawnBy::cpu()));
    }

    #[test]
    fn a_record_says_of_each_picture_what_made_it_and_forgets_what_is_gone() {
        let mut record = Record::default();
        let first = Maker::now(DrawnBy::cpu());
        let second = Maker::now(adapter("A", "gl"));
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
        assert_eq!(
            Record::read(&disk, &folder.path().join("new")).unwrap(),
            Some(record)
        );
        assert_eq!(Record::read(&disk, folder.path()).unwrap(), None);
        std::fs::write(folder.path().join(RECORD), b"{\"frames\":{}}").unwrap();
        assert!(Record::read(&disk, folder.path()).is_err());
    }
}
