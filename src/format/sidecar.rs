//! The files that belong to another: images that it names, and skeleton and motions that are shown with it.

/// Reason why an image file is missing.
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

/// A file that is shown with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// Its name, without folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Gives the files that belong to another.
pub trait Sidecars {
    /// The bytes of the file at `path`, as the JSON file has it.
    ///
    /// # Errors
    /// [`SidecarError`] if there are none to give.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError>;

    /// Name of the file itself, without folder; empty if it has none.
    fn name(&self) -> String {
        String::new()
    }

    /// The skeleton that was chosen for a motion.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn chosen_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// The skeleton that lies beside a motion which numbers its bones, if it is plain which one that is.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn skeleton_beside(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// The skeleton for a motion for which none was chosen, and beside which none lies.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn offered_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// The motions that were chosen to be shown, too.
    ///
    /// # Errors
    /// [`SidecarError`] if one of them cannot be read.
    fn chosen_motions(&mut self) -> Result<Vec<Companion>, SidecarError> {
        Ok(Vec::new())
    }
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
