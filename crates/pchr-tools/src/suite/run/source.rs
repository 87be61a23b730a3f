//! Files of a suite. Each is read for the first of its cases, its images are decoded once, and everything is dropped after the
//! last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use pchr::document::{ImageFault, ImageId};
use pchr::image::Pixels;
use pchr::raster::RasterModel;

use crate::files::Companions;
use crate::open::Opened;
use crate::run::device::cpu_model;
use crate::run::input::{self, InputArgs};
use crate::run::{Disk, Failure, prepare};
use crate::suite::cases::case::Case;

/// A file.
pub(crate) struct CaseSource {
    disk: Disk,
    path: PathBuf,
    /// Name as written in the suite.
    name: String,
    args: InputArgs,
    companions: Companions,
    state: Mutex<SourceState>,
}

#[derive(Default)]
struct SourceState {
    /// Cases that still need the file.
    users: usize,
    opened: Option<Arc<Opened>>,
    /// Models for the CPU renderer, without and with smaller copies of the images.
    models: [Option<Arc<RasterModel>>; 2],
}

/// Returns the file of each case, in the order of the cases.
pub(crate) fn of<'a>(disk: &Disk, cases: impl Iterator<Item = &'a Case>) -> Vec<Arc<CaseSource>> {
    let mut sources: BTreeMap<(&'a Path, bool, Companions), Arc<CaseSource>> = BTreeMap::new();
    let of = |case: &'a Case| {
        let source = sources.entry(case.source()).or_insert_with(|| {
            Arc::new(CaseSource {
                disk: disk.clone(),
                path: case.path.clone(),
                name: case.file.clone(),
                args: case.input,
                companions: case.shown.companions(),
                state: Mutex::default(),
            })
        });
        let mut state = source.state.lock();
        state.users = state.users.saturating_add(1);
        drop(state);
        source.clone()
    };
    cases.map(of).collect()
}

/// Opens a file by its path; messages use the name in the suite.
///
/// # Errors
/// Errors of opening; [`Failure::Rejected`] for a motion whose skeleton is missing, because the picture would be different without
/// it.
pub(crate) fn open(
    disk: &Disk,
    (path, name): (&Path, &str),
    args: InputArgs,
    companions: &Companions,
) -> Result<Opened, Failure> {
    let opened = input::open(disk, path, name, args, companions)?;
    if opened
        .subject
        .spatial()
        .is_some_and(|it| it.lacks_skeleton())
    {
        return Err(Failure::Rejected(format!(
            "{name}: the motion refers to its bones by number, and no .skl.pxd beside it matches its name; choose one with skeleton = \"FILE.skl.pxd\""
        )));
    }
    Ok(opened)
}

impl CaseSource {
    /// Returns the opened file.
    ///
    /// # Errors
    /// Errors of opening.
    pub(crate) fn opened(&self) -> Result<Arc<Opened>, Failure> {
        let mut state = self.state.lock();
        if let Some(opened) = &state.opened {
            return Ok(opened.clone());
        }
        let file = (self.path.as_path(), self.name.as_str());
        let opened = open(&self.disk, file, self.args, &self.companions)?;
        let opened = Arc::new(opened);
        state.opened = Some(opened.clone());
        Ok(opened)
    }

    /// Returns the file's model for the CPU renderer.
    ///
    /// # Errors
    /// [`Failure::Invalid`] if an image cannot be decoded, [`Failure::Rejected`] if its file is missing.
    pub(crate) fn model(
        &self,
        opened: &Opened,
        mipmaps: bool,
    ) -> Result<Arc<RasterModel>, Failure> {
        let mut state = self.state.lock();
        let [plain, mipped] = &mut state.models;
        let model = if mipmaps { mipped } else { plain };
        if let Some(model) = model {
            return Ok(model.clone());
        }
        let images = self.decoded(opened)?;
        let made = Arc::new(cpu_model(&*opened.subject, images, mipmaps));
        *model = Some(made.clone());
        Ok(made)
    }

    /// Returns the images of the file, premultiplied.
    ///
    /// # Errors
    /// Errors of opening, and of [`Self::model`].
    #[cfg(feature = "render")]
    pub(crate) fn images(&self) -> Result<Vec<Pixels>, Failure> {
        let opened = self.opened()?;
        self.decoded(&opened)
    }

    /// Returns the decoded images. Elsewhere a placeholder replaces a missing image; here it would become a baseline.
    fn decoded(&self, opened: &Opened) -> Result<Vec<Pixels>, Failure> {
        let (pixels, _) = prepare::decode(opened, &self.name)?;
        let images = opened.images();
        let is_missing =
            |id: &ImageId| (images.image(*id)).is_some_and(|image| image.data().is_empty());
        match images.image_ids().find(is_missing) {
            None => Ok(pixels),
            Some(id) => {
                let finding = images.image_finding(id, ImageFault::Data, "it has no data".into());
                Err(Failure::Rejected(format!("{}: {finding}", self.name)))
            }
        }
    }

    /// Counts a case as done with the file.
    pub(crate) fn release(&self) {
        let mut state = self.state.lock();
        state.users = state.users.saturating_sub(1);
        if state.users == 0 {
            *state = SourceState::default();
        }
    }
}
