//! `pchr pack`: any file that is read to one binary file; a folder of pictures to an atlas.

mod pictures;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;

use pchr_foreign::atlas::{Atlas, covered_pixels};
use pchr_foreign::format::pct;
use pchr_foreign::packing::{Options, Order, PackError, pack};

use self::pictures::PackedPictures;
use super::content::{self, Content};
use super::images::{self, ImageFormatArg};
use super::report::{OutputReport, RenamedReport, WrittenReport};
use super::written::{self, CharacterTarget, WrittenDocument, WrittenTo};
use super::{Run, one_of};
use crate::run::input::InputArgs;
use crate::run::messages::Messages;
use crate::run::{Disk, Failure, input, output};
use crate::text::{slashed, words};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr pack hero.json -o hero.pchr
  pchr pack hero.json -o hero.pchr --image-format rgba8888
  pchr pack - -o - < hero.json > hero.pchr
  pchr pack hero.json -o hero.legacy.pchr --legacy
  pchr pack pictures -o atlas.pct
  pchr pack pictures -o atlas.pct --page-size 1024 --padding 1 --power-of-two

Both JSON dialects are read; images are read from the folder of the JSON file. PNG files are packed unchanged, so an unpacked file that was not edited packs to the same bytes again.

The PNG files in a folder and its subfolders are packed into a PCT atlas and its pages: atlas.png, or atlas_0.png, atlas_1.png and so on. Sprites are named by their paths in the folder, without .png. Frames (pictures whose names differ only in their last number) that have the same size are trimmed to one common box, around everything visible in them; they get several boxes only if the common box would not fit on a page. Identical pictures share one place on a page, trimmed as the first is.")]
pub(super) struct PackArgs {
    /// The JSON file, any other character file, or a folder of PNG files; - reads a file from standard input
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// Also read images outside the folder of the JSON file that names them
    #[arg(long)]
    allow_outside: bool,
    /// Read files of up to this size, like 512MiB or 3GiB [default: 4GiB, 1GiB from a pipe; 2GiB for an image]; for a folder,
    /// the same as --page-size, in pixels
    #[arg(long, value_name = "SIZE", value_parser = MaxSize::parse)]
    max_size: Option<MaxSize>,
    /// The .pchr file to write, or for a folder the .pct file; - writes a .pchr file to standard output
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Encoding of every image [default: as in the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Write a legacy packed file (JSON and a PNG in one file), for programs that read nothing else
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    folder: FolderArgs,
    /// Print a JSON report of the files written
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    if args.file.is_dir() {
        return folder(args, messages, disk);
    }
    if let Some(option) = args.folder.given() {
        let file = args.file.display();
        return Err(Failure::Usage(format!(
            "{option} is for folders of PNG files; {file} is a file"
        )));
    }
    if args.legacy && args.image_format == Some(ImageFormatArg::Rgba8888) {
        let text = "--legacy and --image-format rgba8888 cannot be combined: a legacy packed file holds a PNG";
        return Err(Failure::Usage(text.into()));
    }
    let max_size = args.max_size.map(|size| size.number);
    let input = InputArgs { allow_outside: args.allow_outside, max_size };
    let run = Run { messages, disk, input };
    let input = match content::read(disk, &args.file, input)? {
        Content::Character(input) => input,
        Content::Atlas(atlas) => {
            let (name, output) = (&atlas.name, args.output.display());
            return Err(Failure::Usage(format!(
                "{name}: an atlas cannot be packed; to make a character from it: pchr convert {name} -o {output}"
            )));
        }
        other @ (Content::Gltf(_) | Content::Pxd(_)) => {
            return Err(other.refusal("cannot pack a character from"));
        }
        Content::Motion(motion) => {
            let name = motion.name;
            return Err(Failure::Usage(format!(
                "{name}: a motion cannot be packed; to write SEAnim: pchr convert {name} -o OUT.seanim"
            )));
        }
    };
    let remarks = images::remarks(&input);
    let input = images::convert(input, args.image_format, messages)?;
    let format = input.document.source().id();
    let target = if args.legacy { CharacterTarget::Legacy } else { CharacterTarget::Pchr };
    let to = WrittenTo { output: &args.output, safe_names: false, json: args.json };
    WrittenDocument { input: &input, format, remarks, target, to }.run(run)
}

fn folder(args: &PackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let folder = args.file.as_path();
    let given = [
        ("--legacy", args.legacy),
        ("--image-format", args.image_format.is_some()),
        ("--allow-outside", args.allow_outside),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let folder = folder.display();
        return Err(Failure::Usage(format!("{option} is for files; {folder} is a folder")));
    }
    let start = Instant::now();
    let options = args.folder.options(page_stem(&args.output)?, args.max_size)?;
    let found = pictures::find(folder, &args.folder, disk, messages)?;
    let read = start.elapsed();
    let name = folder.display();
    let packed = pack(&found.pictures, &options).map_err(|error| match error {
        PackError::Size { .. } => Failure::Usage(format!(
            "{name}: {error}; set the page's width and height with --page-size"
        )),
        PackError::Name(_) => Failure::Rejected(format!("{name}: {error}")),
    })?;
    let text = pct::write(&packed.atlas);
    let text = text.map_err(|error| Failure::Rejected(format!("{name}: {error}")))?;
    let files = output::sheet_files(&packed, text, &args.output, messages)?;
    let old = output::left_over_pages(&files);
    let packing = start.elapsed().saturating_sub(read);
    output::write_together(&files, disk)?;
    found.say(folder, messages);
    let left = |path: &PathBuf| format!("{} is left over from the previous atlas", path.display());
    words::each(&old, left).iter().for_each(|note| messages.note(note));
    messages.detail(&figures(&args.output, &packed.atlas, [read, packing]));
    if args.json {
        output::write_json(&report(folder, &files, &packed.atlas, &found))?;
    }
    Ok(())
}

/// Pages and their fill, and times of reading and packing.
fn figures(output: &Path, atlas: &Atlas, [read, packing]: [Duration; 2]) -> String {
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
        output.display(),
        read.as_secs_f64(),
        packing.as_secs_f64()
    )
}

/// The output's name without its extension, from which those of the pages are made.
fn page_stem(output: &Path) -> Result<String, Failure> {
    let usage = |text: &str| Failure::Usage(format!("{}: {text}", output.display()));
    if !(output.extension()).is_some_and(|ending| ending.eq_ignore_ascii_case("pct")) {
        return Err(usage("a folder is packed into an atlas: expected an output like atlas.pct"));
    }
    match output.file_stem().and_then(|stem| stem.to_str()) {
        Some(stem) if !stem.contains([',', '\n', '\r']) => Ok(stem.to_owned()),
        _ => Err(usage(
            "pages are named after the output, and a PCT file cannot hold this name; choose one without commas",
        )),
    }
}

/// Options for folders.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for folders")]
struct FolderArgs {
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
    keep_endings: bool,
    /// Rename sprites whose names an atlas cannot hold, instead of failing
    #[arg(long)]
    safe_names: bool,
}

/// The number that `--max-size` gives: bytes of a file or, for a folder, pixels.
#[derive(Clone, Copy, Debug)]
struct MaxSize {
    number: u64,
    /// True if it has a unit.
    has_unit: bool,
}

impl MaxSize {
    fn parse(text: &str) -> Result<Self, String> {
        let number = input::size(text)?;
        let has_unit = text.ends_with(|c: char| !c.is_ascii_digit());
        Ok(Self { number, has_unit })
    }
}

impl FolderArgs {
    /// Options of the packing, for images of this name.
    fn options(&self, name: String, size: Option<MaxSize>) -> Result<Options, Failure> {
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
    fn given(&self) -> Option<&'static str> {
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
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// Result of `pchr pack` for a folder: that of other files, and figures of the packing. All pixels are carried over.
fn report(
    folder: &Path,
    files: &[(PathBuf, Vec<u8>)],
    atlas: &Atlas,
    found: &PackedPictures,
) -> WrittenReport {
    let mut report = WrittenReport::new(&slashed(folder), "png-folder");
    report.outputs = OutputReport::all(files);
    report.warnings = found.warnings(folder);
    let pages = (0_u32..).zip(&atlas.pages).map(|(number, page)| {
        let padding = page.padding.unwrap_or(0);
        let own = (atlas.sprites.values())
            .filter(|sprite| sprite.page == number && sprite.alias_of.is_none());
        let cell = |size: i32| u64::try_from(i64::from(size) + 2 * i64::from(padding)).unwrap_or(0);
        let cells = own.clone().map(|it| cell(it.rect.width) * cell(it.rect.height));
        let [width, height] = page.size;
        json!({
            "file": page.file,
            "width": width,
            "height": height,
            "padding": padding,
            "sprites": own.clone().count(),
            // Pixels of these sprites, with their padding.
            "usedPixels": cells.sum::<u64>(),
        })
    });
    let aliases = atlas.sprites.values().filter(|sprite| sprite.alias_of.is_some());
    report.packed = Some(json!({
        "pages": pages.collect::<Vec<_>>(),
        "sprites": atlas.sprites.len(),
        "aliases": aliases.count(),
        "renamed": found.renamed.iter().map(RenamedReport::from).collect::<Vec<_>>(),
    }));
    report
}
