//! Options for folders.

use clap::{Args, ValueEnum};

use pchr_foreign::packing::{Options, Order};

use crate::run::Failure;
use crate::run::input;

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
    #[arg(long, value_enum, value_name = "ORDER")]
    sort: Option<SortArg>,
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

/// Order in which sprites are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SortArg {
    /// The order with the fewest pages, then the least area
    Best,
    /// Tallest first
    Height,
    /// Widest first
    Width,
    /// Longest side first
    Side,
    /// Largest area first
    Area,
    /// By name
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
