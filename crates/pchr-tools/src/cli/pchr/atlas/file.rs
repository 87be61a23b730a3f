//! The file of an atlas.

use std::borrow::Cow;
use std::path::PathBuf;

use pchr::finding::{Findings, Invalid};
use pchr_foreign::atlas::Atlas;
use pchr_foreign::format::{AtlasFormat, AtlasText, read_atlas};
use pchr_foreign::sheet::Sheet;

use crate::open::sheet;
use crate::run::input::{Beside, InputArgs};
use crate::run::{Disk, Failure};

/// An atlas that was read, and its text. Its page images are not read.
#[derive(Debug)]
pub(in crate::cli::pchr) struct AtlasFile {
    /// The name that messages give the file.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) args: InputArgs,
    pub(super) read: AtlasText,
    pub(super) text: Vec<u8>,
}

impl AtlasFile {
    /// Reads an atlas from a text; messages call the file at `path` `name`.
    pub(in crate::cli::pchr) fn read(
        name: String,
        path: PathBuf,
        args: InputArgs,
        text: Vec<u8>,
    ) -> Result<Self, (Invalid, Cow<'static, [u8]>)> {
        match read_atlas(&text) {
            Ok(read) => Ok(Self {
                name,
                path,
                args,
                read,
                text,
            }),
            Err(invalid) => Err((invalid, text.into())),
        }
    }

    /// The name that messages give the file.
    pub(in crate::cli::pchr) fn name(&self) -> &str {
        &self.name
    }

    /// The atlas.
    pub(in crate::cli::pchr) fn atlas(&self) -> &Atlas {
        &self.read.atlas
    }

    /// Format that was recognised.
    pub(in crate::cli::pchr) fn format(&self) -> AtlasFormat {
        self.read.format
    }

    /// Bytes of the text.
    pub(in crate::cli::pchr) fn size(&self) -> u64 {
        self.text.len() as u64
    }

    /// The files beside it.
    pub(super) fn beside<'a>(&'a self, disk: &'a Disk) -> Beside<'a> {
        Beside::new(disk, &self.path, self.args)
    }

    /// The atlas with the images of its pages, as they lie in their files.
    pub(in crate::cli::pchr) fn sheet(&self, disk: &Disk) -> Sheet {
        sheet(self.read.clone(), &self.text, &mut self.beside(disk))
    }

    /// The failure of an atlas in which errors were found after it was read.
    pub(super) fn invalid(&self, found: Findings) -> Failure {
        Failure::Invalid {
            file: self.name.clone(),
            findings: found.in_text(&self.text),
        }
    }
}
