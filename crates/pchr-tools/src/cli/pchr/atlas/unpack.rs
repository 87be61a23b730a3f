//! `pchr unpack` of an atlas: a PNG file for each sprite.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use pchr::bytes::{Budget, BudgetError};
use pchr::finding::{Findings, quoted};
use pchr::image::{Effort, Pixels, encode_png};
use pchr_foreign::atlas::{PctRule, Rect, Sprite};

use super::file::AtlasFile;
use super::files::usual_file;
use crate::cli::pchr::report::{OutputReport, RenamedReport, WrittenReport};
use crate::run::messages::Messages;
use crate::run::output::Inside;
use crate::run::output::{self, Complete};
use crate::run::{Disk, Failure};
use crate::text::words;

/// Maximum number of pixels of all files together: 16 Gi.
const MOST_PIXELS: u64 = 1 << 34;

/// Manner in which sprites are written.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pchr) struct Unpack<'a> {
    pub(in crate::cli::pchr) folder: &'a Path,
    /// As they lie on the page, without the borders of their sources.
    pub(in crate::cli::pchr) trimmed: bool,
    /// Names that cannot be files are changed.
    pub(in crate::cli::pchr) safe_names: bool,
}

/// A sprite and its file.
struct SpriteJob<'a> {
    name: &'a str,
    sprite: &'a Sprite,
    /// Path relative to the folder.
    file: String,
    path: PathBuf,
    size: [u32; 2],
}

impl SpriteJob<'_> {
    /// Returns true if some of it lies on a page of this size. Any part of a page without a size does.
    fn is_on(&self, page: [u32; 2]) -> bool {
        let [left, top, right, bottom] = self.sprite.covered().edges();
        let [width, height] = page.map(i64::from);
        let is_on = left < width && top < height && right > 0 && bottom > 0;
        is_on || self.sprite.rect.is_empty()
    }
}

impl Unpack<'_> {
    /// Writes all sprites. They are complete before the first takes its name.
    pub(in crate::cli::pchr) fn run(
        self,
        file: &AtlasFile,
        json: bool,
        messages: &Messages,
        disk: &Disk,
    ) -> Result<(), Failure> {
        let mut odd = file.read.warnings.clone();
        let budget = Budget::default();
        let mut nothing: Vec<&str> = Vec::new();
        let jobs = self.jobs(file, &budget, &mut nothing)?;
        disk.check(jobs.iter().map(|job| job.path.as_path()))?;
        let mut complete: Vec<(Complete, OutputReport)> = Vec::with_capacity(jobs.len());
        for page in 0..file.read.atlas.pages.len() {
            let of_page = |job: &&SpriteJob<'_>| job.sprite.page as usize == page;
            let mut jobs: Vec<&SpriteJob<'_>> = jobs.iter().filter(of_page).collect();
            if jobs.is_empty() {
                continue;
            }
            let pixels = file.page_pixels(page, disk, &mut odd)?;
            jobs.retain(|job| {
                let is_seen = job.is_on([pixels.width, pixels.height]);
                if !is_seen {
                    nothing.push(job.name);
                }
                is_seen
            });
            let write = |job: &&SpriteJob<'_>| self.write(job, &pixels, disk);
            let largest = jobs.iter().map(|job| bytes(job.size)).max().unwrap_or(0);
            let threads = rayon::current_num_threads() as u64;
            // Memory has the same limit as for one page.
            let at_once = largest.saturating_mul(threads) <= budget.limit();
            let written: Result<Vec<_>, Failure> = match at_once {
                true => jobs.par_iter().map(write).collect(),
                false => jobs.iter().map(write).collect(),
            };
            complete.extend(written?);
        }
        let mut report = WrittenReport::new(&file.name, file.read.format.id());
        for (file, output) in complete {
            file.take_place()?;
            report.outputs.push(output);
        }
        let name = &file.name;
        let renamed = jobs.iter().filter_map(|job| {
            let usual = usual_file(job.name);
            (usual != job.file).then_some((usual, job.file.as_str()))
        });
        let renamed: Vec<(String, &str)> = renamed.collect();
        let mut said = words::each(&renamed, |(usual, file)| {
            let (usual, file) = (quoted(usual), quoted(file));
            format!("{name}: the file {usual} is now named {file}")
        });
        if !nothing.is_empty() {
            let sprites = words::count(nothing.len(), "sprite has", "sprites have");
            let names = nothing.iter().map(|name| quoted(name));
            let names = words::listed(names, nothing.len());
            said.push(format!(
                "{name}: {sprites} no pixels on the page; no files written for: {names}"
            ));
        }
        report.renamed = renamed.iter().map(RenamedReport::from).collect();
        let findings = odd.iter().map(ToString::to_string);
        report.warnings = findings.chain(said.iter().cloned()).collect();
        messages.oddities(name, &odd);
        said.iter().for_each(|text| messages.warning(text));
        if json {
            output::write_json(&report)?;
        }
        Ok(())
    }

    /// The sprites that have pixels. Their memory is reserved before anything is written.
    fn jobs<'a>(
        &self,
        file: &'a AtlasFile,
        budget: &Budget,
        nothing: &mut Vec<&'a str>,
    ) -> Result<Vec<SpriteJob<'a>>, Failure> {
        let files = file.sprite_files(self.safe_names)?;
        let named = file.read.atlas.sprites.iter();
        let mut jobs = Vec::with_capacity(files.len());
        let mut left = MOST_PIXELS;
        let mut refused = Findings::default();
        for ((name, sprite), path) in named.zip(files) {
            let [width, height] = match self.trimmed {
                true => [sprite.rect.width, sprite.rect.height],
                false => sprite.source_size(),
            };
            let at = || format!("sprite {}", quoted(name));
            let size = [width, height].map(|side| side.max(0).unsigned_abs());
            if size.contains(&0) {
                nothing.push(name);
                continue;
            }
            let room: Result<(), BudgetError> = budget.lease().take(bytes(size), 1);
            let pixels = bytes(size) / 4;
            let message = match (room, left.checked_sub(pixels)) {
                (Ok(()), Some(rest)) => {
                    left = rest;
                    jobs.push(SpriteJob {
                        name,
                        sprite,
                        path: self.folder.join(&path),
                        file: path,
                        size,
                    });
                    continue;
                }
                (Err(error), _) => format!("{width} x {height} pixels: {error}"),
                (_, None) => {
                    format!("its pixels would exceed the limit of {MOST_PIXELS} for all files")
                }
            };
            refused.add(PctRule::Limit, sprite.offset, at, || message);
        }
        if refused.is_empty() {
            return Ok(jobs);
        }
        Err(file.invalid(refused))
    }

    fn write(
        self,
        job: &SpriteJob<'_>,
        page: &Pixels,
        disk: &Disk,
    ) -> Result<(Complete, OutputReport), Failure> {
        let offset = if self.trimmed {
            [0, 0]
        } else {
            job.sprite.source_offset()
        };
        let pixels = draw(page, job.sprite, offset, job.size);
        let mut png = Vec::new();
        encode_png(&pixels, Effort::Some, &mut png)
            .map_err(|error| anyhow::Error::from(error).context(job.name.to_owned()))?;
        let mut file = Inside(self.folder).create(disk, &job.file)?;
        file.write_all(&png)?;
        let report = OutputReport::new(&job.path, png.len());
        Ok((file.complete()?, report))
    }
}

/// Bytes of a picture in memory.
fn bytes([width, height]: [u32; 2]) -> u64 {
    u64::from(width)
        .saturating_mul(height.into())
        .saturating_mul(4)
}

/// A picture of a `size` with a sprite at an `offset`. What lies outside the picture, or of the page, is left out.
pub(super) fn draw(page: &Pixels, sprite: &Sprite, offset: [i32; 2], size: [u32; 2]) -> Pixels {
    let [width, height] = size;
    let mut picture = Pixels {
        width,
        height,
        rgba: vec![0; bytes_of(width, height)],
    };
    let Rect {
        width: across,
        height: down,
        ..
    } = sprite.rect;
    let columns = visible(offset[0], across, width);
    for row in visible(offset[1], down, height) {
        if !sprite.rotated {
            copy_row(page, sprite, &mut picture, offset, row);
            continue;
        }
        for column in columns.clone() {
            // Turned clockwise: the left edge lies on top.
            let x = i64::from(sprite.rect.x) + i64::from(down) - 1 - row;
            let y = i64::from(sprite.rect.y) + column;
            let to = [column + i64::from(offset[0]), row + i64::from(offset[1])];
            if let (Some(from), Some(to)) = (at(page, [x, y]), at(&picture, to)) {
                let texel: Option<[u8; 4]> = page
                    .rgba
                    .get(from..from + 4)
                    .and_then(|texel| texel.try_into().ok());
                if let (Some(texel), Some(to)) = (texel, picture.rgba.get_mut(to..to + 4)) {
                    to.copy_from_slice(&texel);
                }
            }
        }
    }
    picture
}

/// Copies a row of a sprite that is not rotated.
fn copy_row(page: &Pixels, sprite: &Sprite, picture: &mut Pixels, offset: [i32; 2], row: i64) {
    let [x, y] = [sprite.rect.x, sprite.rect.y].map(i64::from);
    let [left, top] = offset.map(i64::from);
    // First and last column that is on the page and in the picture.
    let first = 0.max(-x).max(-left);
    let last = i64::from(sprite.rect.width)
        .min(i64::from(page.width) - x)
        .min(i64::from(picture.width) - left);
    let Ok(count) = usize::try_from((last - first).saturating_mul(4)) else {
        return;
    };
    let from = at(page, [x + first, y + row]);
    let to = at(picture, [left + first, top + row]);
    if let (Some(from), Some(to)) = (from, to)
        && let Some(from) = page.rgba.get(from..from + count)
        && let Some(to) = picture.rgba.get_mut(to..to + count)
    {
        to.copy_from_slice(from);
    }
}

/// Rows or columns of a sprite that are in a picture.
fn visible(offset: i32, size: i32, picture: u32) -> std::ops::Range<i64> {
    let offset = i64::from(offset);
    (-offset).max(0)..i64::from(size).min(i64::from(picture) - offset)
}

/// Index of a pixel's first byte.
fn at(pixels: &Pixels, [x, y]: [i64; 2]) -> Option<usize> {
    let x = u32::try_from(x).ok().filter(|x| *x < pixels.width)?;
    let y = u32::try_from(y).ok().filter(|y| *y < pixels.height)?;
    Some((y as usize * pixels.width as usize + x as usize) * 4)
}

fn bytes_of(width: u32, height: u32) -> usize {
    (width as usize)
        .saturating_mul(height as usize)
        .saturating_mul(4)
}
