//! The image files that a JSON file names.

/// Why an image file is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SidecarError {
    /// Its path leaves the folder of the JSON file.
    #[error("the path leaves the folder of the JSON file")]
    Outside,
    /// It is not the one image that a legacy packed file holds.
    #[error("a legacy packed file holds one image")]
    NotOne,
    /// In words.
    #[error("{0}")]
    Unreadable(String),
}

/// Gives the image files that a JSON file names.
pub trait Sidecars {
    /// The bytes of the file at `path`, as the JSON file has it.
    ///
    /// # Errors
    /// [`SidecarError`] if there are none to give.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError>;
}

/// There are no image files: only documents that hold their images can be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSidecars;

impl Sidecars for NoSidecars {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        Err(SidecarError::Unreadable(format!(
            "{path:?} cannot be read: there are no files here"
        )))
    }
}
