//! What `pchr pack` of a folder says in JSON.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::pictures::Pictures;
use crate::atlas::Atlas;
use crate::run::output;
use crate::text::slashed;

/// What `pchr pack` made of a folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    /// The program's version.
    version: String,
    /// The folder that was read.
    folder: String,
    /// The files that were written; the last names the others.
    outputs: Vec<Output>,
    /// The pages, in order.
    pages: Vec<Page>,
    /// Number of sprites, aliases among them.
    sprites: usize,
    /// Number of sprites that share the pixels of another.
    aliases: usize,
    /// Sprites that got another name.
    renamed: Vec<Renamed>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Where it lies.
    path: String,
    /// Its length in bytes.
    bytes: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Page {
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

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Renamed {
    /// The name that it would have had.
    from: String,
    /// Its name.
    to: String,
}

impl Report {
    pub(super) fn new(
        folder: &Path,
        files: &[(PathBuf, Vec<u8>)],
        atlas: &Atlas,
        found: &Pictures,
    ) -> Self {
        let outputs = files.iter().map(|(path, bytes)| Output {
            path: slashed(path),
            bytes: bytes.len() as u64,
        });
        let renamed = found.renamed.iter().map(|(from, to)| Renamed {
            from: from.clone(),
            to: to.clone(),
        });
        let pages = (0..).zip(&atlas.pages);
        let pages = pages.map(|(number, page)| Page::new(number, page, atlas));
        let aliases = atlas.sprites.values();
        Self {
            version: env!("PCHR_VERSION").to_owned(),
            folder: slashed(folder),
            outputs: outputs.collect(),
            pages: pages.collect(),
            sprites: atlas.sprites.len(),
            aliases: aliases.filter(|sprite| sprite.alias_of.is_some()).count(),
            renamed: renamed.collect(),
        }
    }
}

impl Page {
    fn new(number: u32, page: &crate::atlas::Page, atlas: &Atlas) -> Self {
        let padding = page.padding.unwrap_or(0);
        let own = (atlas.sprites.values())
            .filter(|sprite| sprite.page == number && sprite.alias_of.is_none());
        let cell = |size: i32| u64::try_from(i64::from(size) + 2 * i64::from(padding)).unwrap_or(0);
        let cells = own
            .clone()
            .map(|sprite| cell(sprite.rect.width) * cell(sprite.rect.height));
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

/// The schema of what `--json` prints.
pub(in crate::cli::pchr) fn schema() -> schemars::Schema {
    output::schema::<Report>()
}
