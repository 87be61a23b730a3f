//! A file that is read: a character or an atlas, recognised by its content.

use std::path::{Path, PathBuf};

use crate::atlas::Atlas;
use crate::bytes::Budget;
use crate::finding::Findings;
use crate::format::{AtlasFormat, AtlasText, looks_like_an_atlas, read_atlas};
use crate::open::sheet;
use crate::run::input::{self, Beside, Input, InputArgs};
use crate::run::{Disk, Failure};
use crate::sheet::Sheet;

/// The content of a file.
pub(in crate::cli::pchr) enum Content {
    /// A character.
    Character(Input),
    /// An atlas.
    Atlas(Box<AtlasFile>),
}

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

/// Reads a file, or stdin for `-`, of any kind. Images that a character's JSON names are read, too; those of an atlas are not.
pub(in crate::cli::pchr) fn read(
    disk: &Disk,
    path: &Path,
    args: InputArgs,
) -> Result<Content, Failure> {
    let name = input::name(path);
    let text = input::bytes(disk, path, &name, args)?;
    let document = |text| input::document(text, disk, path, name.clone(), args, &Budget::default());
    if !looks_like_an_atlas(&text) {
        let ending = path.extension().unwrap_or_default();
        if !ending.eq_ignore_ascii_case("pct") {
            return document(text).map(Content::Character);
        }
        // Another content with this ending; or an atlas that is damaged, and told as one.
        if let Ok(input) = document(text.clone()) {
            return Ok(Content::Character(input));
        }
    }
    match read_atlas(&text) {
        Ok(read) => Ok(Content::Atlas(Box::new(AtlasFile {
            name,
            path: path.to_owned(),
            args,
            read,
            text,
        }))),
        Err(invalid) => Err(input::refusal(&name, (invalid, text.into()))),
    }
}

impl AtlasFile {
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
    pub(super) fn beside<'a>(&self, disk: &'a Disk) -> Beside<'a> {
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
