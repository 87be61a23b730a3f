//! `pchr pack` of a folder: PNG files to an atlas, with the images of its pages beside it.

mod args;
mod pictures;
mod report;

use std::path::Path;
use std::time::{Duration, Instant};

pub(super) use args::{FolderArgs, MaxSize};

use pchr_foreign::atlas::{Atlas, covered_pixels};
use pchr_foreign::format::pct;
use pchr_foreign::packing::{PackError, pack};

use self::report::Report;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, output, sheet};
use crate::text::words;

/// A folder that is to be packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackFolder<'a> {
    pub(super) folder: &'a Path,
    pub(super) output: &'a Path,
    pub(super) args: &'a FolderArgs,
    /// Width and height of pages, if another option says them.
    pub(super) page_size: Option<MaxSize>,
    pub(super) json: bool,
}

impl PackFolder<'_> {
    /// Packs it.
    pub(super) fn run(self, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
        let start = Instant::now();
        let name = self.stem()?;
        let options = self.args.options(name, self.page_size)?;
        let found = pictures::find(self.folder, self.args, disk, messages)?;
        let read = start.elapsed();
        let packed = pack(&found.pictures, &options).map_err(|error| match error {
            PackError::Size { .. } => Failure::Usage(format!(
                "{}: {error}; set the page's width and height with --page-size",
                self.folder.display()
            )),
            PackError::Name(_) => Failure::Rejected(self.told(&error)),
        })?;
        let text =
            pct::write(&packed.atlas).map_err(|error| Failure::Rejected(self.told(&error)))?;
        let files = sheet::files(&packed, text, self.output, messages)?;
        let old = sheet::left_over(&files);
        let packing = start.elapsed().saturating_sub(read);
        sheet::write(&files, disk)?;
        found.say(self.folder, messages);
        for note in words::each(&old, |path| {
            format!("{} is left over from the previous atlas", path.display())
        }) {
            messages.note(&note);
        }
        messages.detail(&self.figures(&packed.atlas, [read, packing]));
        match self.json {
            true => output::write_json(&Report::new(self.folder, &files, &packed.atlas, &found)),
            false => Ok(()),
        }
    }

    /// Pages and their fill, and times of reading and packing.
    fn figures(self, atlas: &Atlas, [read, packing]: [Duration; 2]) -> String {
        let sizes: Vec<[u32; 2]> = atlas.pages.iter().map(|page| page.size).collect();
        let covered: u64 = covered_pixels(atlas, &sizes).iter().sum();
        let pixels = sizes
            .iter()
            .map(|[width, height]| u64::from(*width) * u64::from(*height));
        let fill = words::share(covered, pixels.sum());
        let sprites = words::count(atlas.sprites.len(), "sprite", "sprites");
        let pages = words::count(sizes.len(), "page", "pages");
        let sizes: Vec<String> = sizes.iter().map(|[w, h]| format!("{w} x {h}")).collect();
        let sizes = words::listed(sizes.iter(), sizes.len());
        format!(
            "{}: {sprites} on {pages} ({sizes}), {fill} full; read in {:.2} s, packed in {:.2} s",
            self.output.display(),
            read.as_secs_f64(),
            packing.as_secs_f64()
        )
    }

    fn told(self, error: &dyn std::fmt::Display) -> String {
        format!("{}: {error}", self.folder.display())
    }

    /// The output's name without its extension, from which those of the pages are made.
    fn stem(self) -> Result<String, Failure> {
        let output = self.output;
        let usage = |text: &str| Failure::Usage(format!("{}: {text}", output.display()));
        let is_pct = (output.extension()).is_some_and(|ending| ending.eq_ignore_ascii_case("pct"));
        if !is_pct {
            return Err(usage(
                "a folder is packed into an atlas: expected an output like atlas.pct",
            ));
        }
        let stem = output.file_stem().and_then(|stem| stem.to_str());
        match stem {
            Some(stem) if !stem.contains([',', '\n', '\r']) => Ok(stem.to_owned()),
            _ => Err(usage(
                "pages are named after the output, and a PCT file cannot hold this name; choose one without commas",
            )),
        }
    }
}
