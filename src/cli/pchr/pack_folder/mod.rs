//! `pchr pack` of a folder: PNG files to an atlas, with the images of its pages beside it.

mod args;
mod pictures;
mod report;

use std::path::Path;

pub(super) use args::FolderArgs;

use self::report::Report;
use crate::format::pct;
use crate::packing::{PackError, pack};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output, sheet};

/// A folder that is to be packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackFolder<'a> {
    pub(super) folder: &'a Path,
    pub(super) output: &'a Path,
    pub(super) args: &'a FolderArgs,
    /// Width and height of pages, if another option says them.
    pub(super) page_size: Option<u64>,
    pub(super) json: bool,
}

impl PackFolder<'_> {
    /// Packs it.
    pub(super) fn run(self, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
        let name = self.stem()?;
        let options = self.args.options(name, self.page_size)?;
        let found = pictures::find(self.folder, self.args, disk, messages)?;
        let packed = pack(&found.pictures, &options).map_err(|error| match error {
            PackError::Size { .. } => Failure::Usage(format!(
                "{}: {error}; --page-size sets its width and height",
                self.folder.display()
            )),
            PackError::Name(_) => Failure::Rejected(self.told(&error)),
        })?;
        let text =
            pct::write(&packed.atlas).map_err(|error| Failure::Rejected(self.told(&error)))?;
        let files = sheet::files(&packed, text, self.output, messages)?;
        sheet::write(&files, disk)?;
        found.say(self.folder, messages);
        match self.json {
            true => output::write_json(&Report::new(self.folder, &files, &packed.atlas, &found)),
            false => Ok(()),
        }
    }

    fn told(self, error: &dyn std::fmt::Display) -> String {
        format!("{}: {error}", self.folder.display())
    }

    /// The output's name without its ending, from which those of the pages are made.
    fn stem(self) -> Result<String, Failure> {
        let output = self.output;
        let usage = |text: &str| Failure::Usage(format!("{}: {text}", output.display()));
        let is_pct = (output.extension()).is_some_and(|ending| ending.eq_ignore_ascii_case("pct"));
        if !is_pct {
            return Err(usage(
                "a folder is packed to an atlas; name the output like atlas.pct",
            ));
        }
        let stem = output.file_stem().and_then(|stem| stem.to_str());
        match stem {
            Some(stem) if !stem.contains([',', '\n', '\r']) => Ok(stem.to_owned()),
            _ => Err(usage(
                "pages are named like the output, and a PCT file cannot hold this name; take one without commas",
            )),
        }
    }
}
