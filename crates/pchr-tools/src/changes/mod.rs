//! Changes between two versions of a file, in words and as a report: for `pchr diff`, suites and the window.

mod report;
mod words;

use std::sync::Arc;

use pchr::diff::{Diff, DiffJob, DiffSide};
use pchr::image::Pixels;
use pchr::raster::RasterModel;
use pchr::scene::Subject;

pub use report::DiffReport;
pub use words::{change_words, clip_words, section_name, summary};

pub use crate::text::smoothness::unit;

/// A version of a file, ready to be compared.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its content.
    pub subject: Arc<dyn Subject>,
    /// Its model.
    pub model: Arc<RasterModel>,
}

impl Version {
    /// Creates a version from content and its decoded images.
    #[must_use]
    pub fn new(subject: Arc<dyn Subject>, images: Vec<Pixels>) -> Self {
        let model = Arc::new(RasterModel::new(&*subject, images));
        Self { subject, model }
    }

    fn side(&self) -> DiffSide<'_> {
        DiffSide { subject: &*self.subject, model: &self.model }
    }
}

/// Compares two versions.
#[must_use]
pub fn compare(old: &Version, new: &Version) -> Diff {
    DiffJob { old: old.side(), new: new.side() }.run()
}
