//! The files of a suite. Each is read for the first of its cases, its images are decoded once, and all of it is forgotten
//! after the last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cases::Case;
use crate::character::Character;
use crate::pose::BindChoice;
use crate::raster::RasterModel;
use crate::run::device::cpu_model;
use crate::run::input::{self, Input, InputArgs};
use crate::run::prepare::decode;
use crate::run::{Disk, Failure};

/// A file.
pub(super) struct Source {
    disk: Disk,
    path: PathBuf,
    /// As the suite writes it.
    name: String,
    args: InputArgs,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Cases that will still ask.
    users: usize,
    input: Option<(Arc<Input>, Character)>,
    /// For the CPU renderer, without and with smaller copies of the images.
    models: [Option<Arc<RasterModel>>; 2],
}

/// The file of each case, in the order of the cases.
pub(super) fn of<'a>(disk: &Disk, cases: impl Iterator<Item = &'a Case>) -> Vec<Arc<Source>> {
    let mut sources: BTreeMap<(&'a Path, bool), Arc<Source>> = BTreeMap::new();
    let of = |case: &'a Case| {
        let (path, args) = (case.path.as_path(), case.input);
        let source = sources
            .entry((path, args.allow_outside))
            .or_insert_with(|| {
                Arc::new(Source {
                    disk: disk.clone(),
                    path: path.to_owned(),
                    name: case.file.clone(),
                    args,
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

impl Source {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file, read.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn input(&self) -> Result<(Arc<Input>, Character), Failure> {
        let mut state = self.lock();
        if let Some(input) = &state.input {
            return Ok(input.clone());
        }
        let name = self.name.clone();
        let input = Arc::new(input::read_as(&self.disk, &self.path, name, self.args)?);
        let character = Character::new(input.document.clone(), BindChoice::Auto);
        state.input = Some((input.clone(), character.clone()));
        Ok((input, character))
    }

    /// The file, ready for the CPU renderer.
    ///
    /// # Errors
    /// [`Failure::Invalid`] if an image does not decode.
    pub(super) fn model(&self, input: &Input, mipmaps: bool) -> Result<Arc<RasterModel>, Failure> {
        let mut state = self.lock();
        let [plain, mipped] = &mut state.models;
        let model = if mipmaps { mipped } else { plain };
        if let Some(model) = model {
            return Ok(model.clone());
        }
        let (images, _) = decode(input)?;
        let made = Arc::new(cpu_model(&*input.document, images, mipmaps));
        *model = Some(made.clone());
        Ok(made)
    }

    /// A case will ask no more.
    pub(super) fn release(&self) {
        let mut state = self.lock();
        state.users = state.users.saturating_sub(1);
        if state.users == 0 {
            *state = State::default();
        }
    }
}
