//! Report about an atlas. Its JSON is a contract, and [`schema`] says which.

use schemars::{JsonSchema, Schema};
use serde::{Serialize, Serializer};

use crate::cli::pchr::findings::FindingReport;
use crate::run::output;

/// The JSON Schema of the whole report.
pub(in crate::cli::pchr) fn schema() -> Schema {
    output::schema::<Report>()
}

/// Output of `pchr inspect --json` for an atlas.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
    /// Version of the program that wrote this.
    pub(super) program_version: &'static str,
    /// The file as it was named; "stdin" for -.
    pub(super) file: &'a str,
    /// Format that was recognised by the content.
    #[schemars(extend("enum" = ["pct", "hash", "array", "multiatlas"]))]
    pub(super) format: &'static str,
    /// The same for people.
    #[serde(skip)]
    pub(super) format_name: &'static str,
    /// Bytes of the text.
    pub(super) size: u64,
    /// Sums over the elements.
    pub(super) totals: Totals,
    /// The same atlas as JSON without white space.
    pub(super) as_json: AsJson,
    /// Findings about the file, each rule once, in the order in which they were first met. An error here is a page image
    /// that does not decode: other errors leave nothing to inspect.
    pub(super) findings: Vec<FindingReport<'a>>,
    /// The pages, as the file states them.
    pub(super) pages: Vec<PageReport<'a>>,
    /// The image files of the pages, in their order.
    pub(super) images: Vec<ImageReport<'a>>,
    /// The folder names that a PCT file lists.
    pub(super) folders: &'a [String],
    /// The grids of equal sprites that a PCT file has.
    pub(super) blocks: Vec<BlockReport<'a>>,
    /// The flip-books, each of several sprites, in the order of their first ones.
    pub(super) flip_books: Vec<FlipBookReport<'a>>,
    /// The sprites that share the place of another, each with that one's name.
    pub(super) aliases: Vec<AliasReport<'a>>,
    /// The sprites by their names, in the order of the file.
    #[serde(serialize_with = "by_key")]
    #[schemars(with = "std::collections::BTreeMap<String, FrameReport<'a>>")]
    pub(super) frames: Vec<FrameReport<'a>>,
}

fn by_key<S: Serializer>(frames: &[FrameReport<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(frames.iter().map(|frame| (frame.key, frame)))
}

/// Sums over the elements.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Totals {
    /// Pages.
    pub(super) pages: usize,
    /// Sprites, aliases included.
    pub(super) sprites: usize,
    /// Sprites that share the place of another.
    pub(super) aliases: usize,
    /// Sprites whose empty borders were cut off.
    pub(super) trimmed: usize,
    /// Grids of equal sprites.
    pub(super) blocks: usize,
    /// Sprites in the blocks.
    pub(super) in_blocks: usize,
    /// Flip-books, each of several sprites.
    pub(super) flip_books: usize,
    /// Pixels of all pages.
    pub(super) pixels: u64,
    /// Pixels that sprites cover, each counted once.
    pub(super) covered_pixels: u64,
    /// Covered pixels in percent of all pixels; null if there are no pixels.
    pub(super) fill_percent: Option<f64>,
}

/// An atlas as JSON.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AsJson {
    /// The dialect: hash or, for an atlas with several pages, multiatlas.
    #[schemars(extend("enum" = ["hash", "multiatlas"]))]
    pub(super) dialect: &'static str,
    /// Bytes of the text.
    pub(super) bytes: u64,
    /// Bytes saved by the file, in percent; below 0 if it is larger.
    pub(super) smaller_percent: f64,
}

/// A page, as the file states it.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct PageReport<'a> {
    /// Path of the image file.
    pub(super) filename: &'a str,
    /// Pixel format.
    pub(super) format: &'a str,
    /// Width in pixels; 0 if the file states none.
    pub(super) width: u32,
    /// Height in pixels; 0 if the file states none.
    pub(super) height: u32,
    /// Empty pixels on each side of a sprite; null if the file states none.
    pub(super) padding: Option<i32>,
}

/// The image file of a page.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImageReport<'a> {
    /// Its path, as the page names it.
    pub(super) file: &'a str,
    /// Bytes of the file; null if it could not be read: findings say why.
    pub(super) bytes: Option<u64>,
    /// Width and height of the PNG; null if it could not be read, or is not a PNG.
    pub(super) size: Option<[u32; 2]>,
    /// Sprites on the page, aliases included.
    pub(super) sprites: usize,
    /// Pixels that sprites cover, each counted once.
    pub(super) covered_pixels: u64,
    /// The same in percent of the page; null if it has no pixels.
    pub(super) fill_percent: Option<f64>,
}

/// A grid of equal sprites.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct BlockReport<'a> {
    /// Index of its page.
    pub(super) page: u32,
    /// Number of its sprites, aliases not included.
    pub(super) sprites: usize,
    /// Width of each.
    pub(super) w: i32,
    /// Height of each.
    pub(super) h: i32,
    /// Name of the first.
    pub(super) first: &'a str,
    /// Name of the last.
    pub(super) last: &'a str,
}

/// A flip-book.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct FlipBookReport<'a> {
    /// Its name.
    pub(super) name: String,
    /// Names of its sprites, as they are shown.
    pub(super) sprites: Vec<&'a str>,
}

/// A sprite that shares the place of another.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct AliasReport<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Name of the other.
    pub(super) original: &'a str,
}

/// A sprite.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameReport<'a> {
    /// Its whole name.
    pub(super) key: &'a str,
    /// Index of its page.
    pub(super) page: u32,
    /// Left edge on the page.
    pub(super) x: i32,
    /// Top edge on the page.
    pub(super) y: i32,
    /// Upright width.
    pub(super) w: i32,
    /// Upright height.
    pub(super) h: i32,
    /// True if empty borders were cut off.
    pub(super) trimmed: bool,
    /// True if it lies on the page turned by 90 degrees clockwise.
    pub(super) rotated: bool,
    /// Width of its source.
    pub(super) source_w: i32,
    /// Height of its source.
    pub(super) source_h: i32,
    /// Place in its source, from the left.
    pub(super) trim_x: i32,
    /// Place in its source, from the top.
    pub(super) trim_y: i32,
}
