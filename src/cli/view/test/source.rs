//! The files of a suite. Each is read once, however many cases it is in; its images are decoded for the first of them
//! and forgotten after the last.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::cases::Case;
use crate::cli::Failure;
use crate::cli::input::{self, Input};
use crate::cli::view::device::cpu_model;
use crate::cli::view::prepare::decode;
use crate::document::Document;
use crate::image::Pixels;
use crate::raster::RasterModel;

/// A file.
pub(super) struct Source {
    input: Input,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Cases that will still ask.
    users: usize,
    /// For the CPU renderer, without and with smaller copies of the images.
    models: [Option<Arc<RasterModel>>; 2],
}

/// The file of each case, or why it cannot be read; in the order of the cases.
pub(super) fn read(cases: &[&Case]) -> Vec<Result<Arc<Source>, Arc<Failure>>> {
    let key = |case: &Case| (case.args.file.clone(), case.args.input.allow_outside);
    let mut users: BTreeMap<(PathBuf, bool), (&Case, usize)> = BTreeMap::new();
    for case in cases {
        let (_, count) = users.entry(key(case)).or_insert((case, 0));
        *count = count.saturating_add(1);
    }
    let read = |(key, (case, users)): ((PathBuf, bool), (&Case, usize))| {
        let source = input::read(&case.args.file, case.args.input).map(|input| {
            let state = State {
                users,
                ..State::default()
            };
            Arc::new(Source {
                input,
                state: Mutex::new(state),
            })
        });
        (key, source.map_err(Arc::new))
    };
    let sources: BTreeMap<_, _> = users.into_par_iter().map(read).collect();
    let of = |case: &&Case| sources.get(&key(case)).cloned();
    cases.iter().filter_map(of).collect()
}

impl Source {
    pub(super) fn document(&self) -> &Document {
        &self.input.document
    }

    /// Its images, premultiplied.
    ///
    /// # Errors
    /// [`Failure::Invalid`] if one does not decode.
    pub(super) fn images(&self) -> Result<Vec<Pixels>, Failure> {
        decode(&self.input).map(|(images, _)| images)
    }

    /// It, ready for the CPU renderer.
    ///
    /// # Errors
    /// As [`Self::images`].
    pub(super) fn model(&self, mipmaps: bool) -> Result<Arc<RasterModel>, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let [plain, mipped] = &mut state.models;
        let model = if mipmaps { mipped } else { plain };
        if let Some(model) = model {
            return Ok(model.clone());
        }
        let made = Arc::new(cpu_model(self.document(), self.images()?, mipmaps));
        *model = Some(made.clone());
        Ok(made)
    }

    /// A case will ask no more.
    pub(super) fn release(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.users = state.users.saturating_sub(1);
        if state.users == 0 {
            state.models = [None, None];
        }
    }
}
