//! Companion files: images that a file names, and a skeleton and motions that are shown with it.

use std::fmt;

/// Reason why an image file is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SidecarError {
    /// Its path leaves the folder of the JSON file.
    #[error("the path leads outside the folder of the JSON file; allow this with --allow-outside")]
    Outside,
    /// It is not the one image that a legacy packed file holds.
    #[error("a legacy packed file holds one image")]
    NotOne,
    /// In words.
    #[error("{0}")]
    Unreadable(String),
    /// It may be there, but the system cannot read it; in words.
    #[error("{0}")]
    Failed(String),
}

/// A file that is shown with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// Its name, without folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Source of companion files.
///
/// A function from a path to bytes is one, so files may come from an archive, a cache or the network:
///
/// ```
/// # use std::collections::HashMap;
/// # use pchr::{document::Document, finding::Invalid, format};
/// # fn load(json: Vec<u8>, archive: &HashMap<String, Vec<u8>>) -> Result<Document, Invalid> {
/// format::read_with(json, &mut |path: &str| archive.get(path).cloned().ok_or("not in the archive"))
/// # }
/// # assert!(load(b"{}".to_vec(), &HashMap::new()).is_err());
/// ```
pub trait Sidecars {
    /// Returns the bytes of the file at `path`, as written in the JSON file: by an untrusted author, so it may lead out of its folder.
    ///
    /// # Errors
    /// [`SidecarError`] if there are none.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError>;

    /// Returns the name of the file itself, without folder; empty if it has none.
    fn name(&self) -> String {
        String::new()
    }

    /// Returns the skeleton selected for a motion.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn chosen_skeleton(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// Returns the skeleton beside a motion that numbers its bones, if it is unambiguous.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn skeleton_beside(&mut self) -> Result<Option<Companion>, SidecarError> {
        Ok(None)
    }

    /// Returns the skeleton of a motion for which none was selected and which has none beside it. `tracks` is the number of tracks of
    /// a motion that numbers its bones.
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn offered_skeleton(
        &mut self,
        tracks: Option<usize>,
    ) -> Result<Option<Companion>, SidecarError> {
        let _ = tracks;
        Ok(None)
    }

    /// Returns the motions that were selected to be shown too.
    ///
    /// # Errors
    /// [`SidecarError`] if one of them cannot be read.
    fn chosen_motions(&mut self) -> Result<Vec<Companion>, SidecarError> {
        Ok(Vec::new())
    }

    /// Returns the skeleton beside a selected motion that numbers its bones, if it is unambiguous. `motion` is its index in
    /// [`chosen_motions`](Self::chosen_motions).
    ///
    /// # Errors
    /// [`SidecarError`] if it cannot be read.
    fn skeleton_of_motion(&mut self, motion: usize) -> Result<Option<Companion>, SidecarError> {
        let _ = motion;
        Ok(None)
    }
}

impl<F, E> Sidecars for F
where
    F: FnMut(&str) -> Result<Vec<u8>, E>,
    E: fmt::Display,
{
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let unreadable = |error| SidecarError::Unreadable(format!("{path:?}: {error}"));
        self(path).map_err(unreadable)
    }
}

/// Source without image files: only documents that contain their images can be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSidecars;

impl Sidecars for NoSidecars {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        Err(SidecarError::Unreadable(format!(
            "{path:?} cannot be read: other files are not available here"
        )))
    }
}
