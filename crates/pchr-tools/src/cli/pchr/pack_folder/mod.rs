//! `pchr pack` of a folder: PNG files to an atlas, with the images of its pages beside it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use pchr_foreign::atlas::{Atlas, covered_pixels};
use pchr_foreign::format::pct;
use pchr_foreign::packing::{Options, Order, PackError, pack};

use self::pictures::PackedPictures;
use super::one_of;
use super::report::{OutputReport, RenamedReport, WrittenReport};
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, input, output, sheet};
use crate::text::{slashed, words};

mod pictures;

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
            true => {
                output::write_json(&FolderReport::new(self.folder, &files, &packed.atlas, &found))
            }
            false => Ok(()),
        }
    }

    /// Pages and their fill, and times of reading and packing.
    fn figures(self, atlas: &Atlas, [read, packing]: [Duration; 2]) -> String {
        let sizes: Vec<[u32; 2]> = atlas.pages.iter().map(|page| page.size).collect();
        let covered: u64 = covered_pixels(atlas, &sizes).iter().sum();
        let pixels = sizes.iter().map(|[width, height]| u64::from(*width) * u64::from(*height));
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

/// Options for folders.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for folders")]
pub(in crate::cli::pchr) struct FolderArgs {
    /// Largest width and height of a page in pixels; same as --max-size for a folder [default: 2048]
    #[arg(long, value_name = "PIXELS", conflicts_with = "max_size",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Options::MOST_SIZE)))]
    page_size: Option<u32>,
    /// Empty pixels on each side of a sprite [default: 2]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=128))]
    padding: Option<u32>,
    /// Repeat the edge pixels of a sprite this many times around it, between the sprite and its padding; the atlas gives the sum
    /// of the two as its padding [default: 0]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=128))]
    extrude: Option<u32>,
    /// Round page sizes up to powers of two
    #[arg(long)]
    power_of_two: bool,
    /// Keep empty borders
    #[arg(long)]
    no_trim: bool,
    /// Place sprites in this order [default: best]
    #[arg(long, value_name = "ORDER", value_parser = one_of([
        ("best", "The order with the fewest pages, then the least area", Order::Best),
        ("height", "Tallest first", Order::Height),
        ("width", "Widest first", Order::Width),
        ("side", "Longest side first", Order::Side),
        ("area", "Largest area first", Order::Area),
        ("name", "By name", Order::Given),
    ]))]
    sort: Option<Order>,
    /// Keep .png at the end of names
    #[arg(long)]
    pub(super) keep_endings: bool,
    /// Rename sprites whose names an atlas cannot hold, instead of failing
    #[arg(long)]
    pub(super) safe_names: bool,
}

/// The number that `--max-size` gives: bytes of a file or, for a folder, pixels.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct MaxSize {
    pub(in crate::cli::pchr) number: u64,
    /// True if it has a unit.
    has_unit: bool,
}

impl MaxSize {
    /// Reads it, as bytes.
    pub(in crate::cli::pchr) fn parse(text: &str) -> Result<Self, String> {
        let number = input::size(text)?;
        let has_unit = text.ends_with(|c: char| !c.is_ascii_digit());
        Ok(Self { number, has_unit })
    }
}

impl FolderArgs {
    /// Returns whether pictures lose their empty borders.
    pub(super) fn trims(&self) -> bool {
        !self.no_trim
    }

    /// Options of the packing, for images of this name.
    pub(super) fn options(&self, name: String, size: Option<MaxSize>) -> Result<Options, Failure> {
        let size = match size.map(|size| (size.has_unit, u32::try_from(size.number))) {
            None => self.page_size,
            Some((false, Ok(size @ 1..=Options::MOST_SIZE))) => Some(size),
            Some(_) => {
                let most = Options::MOST_SIZE;
                return Err(Failure::Usage(format!(
                    "invalid --max-size for a folder: expected the width and height of a page in pixels, 1 to {most}"
                )));
            }
        };
        let usual = Options::default();
        Ok(Options {
            name,
            page_size: size.map_or(usual.page_size, |size| [size; 2]),
            padding: self.padding.unwrap_or(usual.padding),
            extrude: self.extrude.unwrap_or(usual.extrude),
            powers_of_two: self.power_of_two,
            order: self.sort.unwrap_or_default(),
        })
    }

    /// An option that is given; all of them are for folders.
    pub(in crate::cli::pchr) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--page-size", self.page_size.is_some()),
            ("--padding", self.padding.is_some()),
            ("--extrude", self.extrude.is_some()),
            ("--power-of-two", self.power_of_two),
            ("--no-trim", self.no_trim),
            ("--sort", self.sort.is_some()),
            ("--keep-endings", self.keep_endings),
            ("--safe-names", self.safe_names),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given);
        given.next().map(|(name, _)| name)
    }
}

/// Result of `pchr pack` for a folder: that of other files, and figures of the packing. All pixels are carried over.
#[derive(Debug, Serialize)]
struct FolderReport {
    #[serde(flatten)]
    written: WrittenReport,
    packed: PackedFigures,
}

/// Figures of the packing.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PackedFigures {
    /// The pages, in order.
    pages: Vec<PackedPage>,
    /// Number of sprites, aliases among them.
    sprites: usize,
    /// Number of sprites that share the pixels of another.
    aliases: usize,
    /// Sprites that were renamed.
    renamed: Vec<RenamedReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PackedPage {
    /// Its image file, beside the atlas.
    file: String,
    /// Width in pixels.
    width: u32,
    /// Height in pixels.
    height: u32,
    /// Empty pixels on each side of a sprite.
    padding: i32,
    /// Number of sprites that lie on it.
    sprites: usize,
    /// Pixels of these sprites, with their padding.
    used_pixels: u64,
}

impl FolderReport {
    fn new(
        folder: &Path,
        files: &[(PathBuf, Vec<u8>)],
        atlas: &Atlas,
        found: &PackedPictures,
    ) -> Self {
        let mut written = WrittenReport::new(&slashed(folder), "png-folder");
        let outputs = files.iter();
        let outputs = outputs.map(|(path, bytes)| OutputReport::new(path, bytes.len()));
        written.outputs = outputs.collect();
        written.warnings = found.warnings(folder);
        let pages = (0..).zip(&atlas.pages);
        let aliases = atlas.sprites.values();
        let packed = PackedFigures {
            pages: pages.map(|(at, page)| PackedPage::new(at, page, atlas)).collect(),
            sprites: atlas.sprites.len(),
            aliases: aliases.filter(|sprite| sprite.alias_of.is_some()).count(),
            renamed: found.renamed.iter().map(RenamedReport::from).collect(),
        };
        Self { written, packed }
    }
}

impl PackedPage {
    fn new(number: u32, page: &pchr_foreign::atlas::Page, atlas: &Atlas) -> Self {
        let padding = page.padding.unwrap_or(0);
        let own = (atlas.sprites.values())
            .filter(|sprite| sprite.page == number && sprite.alias_of.is_none());
        let cell = |size: i32| u64::try_from(i64::from(size) + 2 * i64::from(padding)).unwrap_or(0);
        let cells = own.clone().map(|sprite| cell(sprite.rect.width) * cell(sprite.rect.height));
        let [width, height] = page.size;
        Self {
            file: page.file.clone(),
            width,
            height,
            padding,
            sprites: own.clone().count(),
            used_pixels: cells.sum(),
        }
    }
}
