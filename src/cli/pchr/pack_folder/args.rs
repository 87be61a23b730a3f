//! Options for folders.

use clap::{Args, ValueEnum};

use crate::packing::{Options, Order};
use crate::run::Failure;
use crate::run::input;

/// Options for folders.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for folders")]
pub(in crate::cli::pchr) struct FolderArgs {
    /// Largest width and height of a page in pixels; --max-size is the same here [default: 2048]
    #[arg(long, value_name = "PIXELS", conflicts_with = "max_size",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Options::MOST_SIZE)))]
    page_size: Option<u32>,
    /// Empty pixels on each side of a sprite [default: 2]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=128))]
    padding: Option<u32>,
    /// Repeat the pixels on the edges of a sprite this many times around it; the padding lies around these, and the atlas states
    /// the sum of both as its padding [default: 0]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=128))]
    extrude: Option<u32>,
    /// Make widths and heights of pages powers of two
    #[arg(long)]
    power_of_two: bool,
    /// Keep empty borders
    #[arg(long)]
    no_trim: bool,
    /// Place sprites in this order [default: best]
    #[arg(long, value_enum, value_name = "ORDER")]
    sort: Option<SortArg>,
    /// Keep .png at the end of names
    #[arg(long)]
    pub(super) keep_endings: bool,
    /// Rename sprites whose names an atlas cannot hold, instead of refusing them
    #[arg(long)]
    pub(super) safe_names: bool,
}

/// The number that `--max-size` gives: bytes of a file or, for a folder, pixels.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct MaxSize {
    pub(in crate::cli::pchr) number: u64,
    /// True if a unit stands behind it.
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

/// Order in which sprites are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SortArg {
    /// Whichever makes the fewest pages and, of those, the least area; never worse than another
    Best,
    /// The highest first
    Height,
    /// The widest first
    Width,
    /// By the longer side
    Side,
    /// By area
    Area,
    /// As they are named
    Name,
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
                    "--max-size is the width and height of a page here, in pixels, such as 2048; expected at most {most}"
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
            order: match self.sort {
                None | Some(SortArg::Best) => Order::Best,
                Some(SortArg::Height) => Order::Height,
                Some(SortArg::Width) => Order::Width,
                Some(SortArg::Side) => Order::Side,
                Some(SortArg::Area) => Order::Area,
                Some(SortArg::Name) => Order::Given,
            },
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
