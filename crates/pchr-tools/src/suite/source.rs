//! Files of a suite. Each is read for the first of its cases, its images are decoded once, and everything is dropped after the
//! last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pchr::document::{ImageFault, ImageId};
use pchr::image::Pixels;
use pchr::raster::RasterModel;

use super::cases::Case;
use crate::files::Companions;
use crate::open::Opened;
use crate::run::device::cpu_model;
use crate::run::input::{self, InputArgs};
use crate::run::prepare;
use crate::run::{Disk, Failure};

/// A file.
pub(super) struct Source {
    disk: Disk,
    path: PathBuf,
    /// Name as written in the suite.
    name: String,
    args: InputArgs,
    companions: Companions,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Cases that still need the file.
    users: usize,
    opened: Option<Arc<Opened>>,
    /// Models for the CPU renderer, without and with smaller copies of the images.
    models: [Option<Arc<RasterModel>>; 2],
}

/// File and settings with which it is opened.
type Key<'a> = (&'a Path, bool, Companions);

/// Returns the file of each case, in the order of the cases.
pub(super) fn of<'a>(disk: &Disk, cases: impl Iterator<Item = &'a Case>) -> Vec<Arc<Source>> {
    let mut sources: BTreeMap<Key<'a>, Arc<Source>> = BTreeMap::new();
    let of = |case: &'a Case| {
        let (path, args) = (case.path.as_path(), case.input);
        let source = sources
            .entry((path, args.allow_outside, case.shown.companions()))
            .or_insert_with(|| {
                Arc::new(Source {
                    disk: disk.clone(),
                    path: path.to_owned(),
                    name: case.file.clone(),
                    args,
                    companions: case.shown.companions(),
                    state: Mutex::default(),
                })
            });
        let mut state = source.lock();
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
pub(super) fn open(
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

impl Source {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the opened file.
    ///
    /// # Errors
    /// Errors of opening.
    pub(super) fn opened(&self) -> Result<Arc<Opened>, Failure> {
        let mut state = self.lock();
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
    pub(super) fn model(
        &self,
        opened: &Opened,
        mipmaps: bool,
    ) -> Result<Arc<RasterModel>, Failure> {
        let mut state = self.lock();
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
    pub(super) fn images(&self) -> Result<Vec<Pixels>, Failure> {
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
    pub(super) fn release(&self) {
        let mut state = self.lock();
        state.users = state.users.saturating_sub(1);
        if state.users == 0 {
            *state = State::default();
        }
    }
}
