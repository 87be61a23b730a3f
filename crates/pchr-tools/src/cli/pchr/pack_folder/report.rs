//! JSON of `pchr pack` for a folder: that of other files, and figures of the packing.

use std::path::{Path, PathBuf};

use serde::Serialize;

use pchr_foreign::atlas::Atlas;

use super::pictures::Pictures;
use crate::cli::pchr::report::RenamedReport;
use crate::text::slashed;

/// Result of `pchr pack` for a folder.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    /// The program's version.
    version: String,
    /// The folder that was read.
    file: String,
    /// The folder that was read.
    format: &'static str,
    /// The files that were written; the last names the others.
    outputs: Vec<Output>,
    /// Always empty: all pixels are carried over.
    not_carried_over: [(); 0],
    /// Warnings about the folder.
    warnings: Vec<String>,
    packed: Packed,
}

/// Figures of the packing.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Packed {
    /// The pages, in order.
    pages: Vec<Page>,
    /// Number of sprites, aliases among them.
    sprites: usize,
    /// Number of sprites that share the pixels of another.
    aliases: usize,
    /// Sprites that were renamed.
    renamed: Vec<RenamedReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Path of the file.
    path: String,
    /// Its length in bytes.
    bytes: u64,
}

#[derive(Debug, Serialize)]
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
        let renamed = found.renamed.iter();
        let renamed = renamed.map(|(from, to)| RenamedReport::new(from, to));
        let pages = (0..).zip(&atlas.pages);
        let pages = pages.map(|(number, page)| Page::new(number, page, atlas));
        let aliases = atlas.sprites.values();
        Self {
            version: crate::version().to_owned(),
            file: slashed(folder),
            format: "png-folder",
            outputs: outputs.collect(),
            not_carried_over: [],
            warnings: found.warnings(folder),
            packed: Packed {
                pages: pages.collect(),
                sprites: atlas.sprites.len(),
                aliases: aliases.filter(|sprite| sprite.alias_of.is_some()).count(),
                renamed: renamed.collect(),
            },
        }
    }
}

impl Page {
    fn new(number: u32, page: &pchr_foreign::atlas::Page, atlas: &Atlas) -> Self {
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
