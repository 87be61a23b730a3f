//! `pchr unpack`: a file to JSON and PNG images in a folder; an atlas to a PNG file for each sprite, below one folder. None leaves it on
//! any system, and no two are the same.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use pchr::bytes::Budget;
use pchr::finding::{Findings, quoted};
use pchr::format::json::Dialect;
use pchr::image::{Effort, Pixels, encode_png};
use pchr_foreign::atlas::{PctRule, Sprite};

use super::atlas::AtlasFile;
use super::content::{self, Content};
use super::images::{self, ENDING, LONGEST_PATH, TakenPaths, made_safe};
use super::report::{OutputReport, RenamedReport, WrittenReport};
use super::written::{self, CharacterTarget, WrittenDocument, WrittenTo};
use super::{Run, one_of};
use crate::file_name;
use crate::run::input::{self, InputArgs};
use crate::run::messages::Messages;
use crate::run::output::{self, Complete, Inside};
use crate::run::{Disk, Failure};
use crate::text::words;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr unpack hero.pchr -o hero
  pchr unpack hero.pchr -o hero --dialect pachario
  pchr unpack hero.pchr -o - | head -20
  pchr unpack hero.pct -o sprites
  pchr unpack hero.pct -o sprites --trimmed

Writes hero/hero.json and, beside it, each image as a PNG file with the image's name; existing files are replaced. PCHR JSON keeps the whole character; anything that Pachario JSON cannot hold is listed.

From an atlas, each sprite becomes a PNG file at the size of its source; its name gives the file name and the folders. Nothing else is written. If a name ends in an extension other than .png, .png is added after it. Names that lead outside the folder, or that some systems treat as the same file, are refused.")]
pub(super) struct UnpackArgs {
    /// The .pchr file, the atlas, or any other character file; - reads it from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// The folder to write to, created if missing; - writes only the JSON, to standard output
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// JSON dialect for a character [default: pchr]
    #[arg(long, value_parser = one_of([
        ("pchr", "PCHR JSON, the mirror of the binary", Dialect::Pchr),
        ("pachario", "Pachario JSON", Dialect::Pachario),
    ]))]
    dialect: Option<Dialect>,
    /// Write the sprites of an atlas trimmed, as on their pages, but upright
    #[arg(long)]
    trimmed: bool,
    /// Rename images and sprites whose names lead outside the folder, instead of failing
    #[arg(long)]
    safe_names: bool,
    /// Print a JSON report of the files written
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &UnpackArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    written::check_stdout(&args.output, args.json)?;
    let stdout = input::is_stdin(&args.output);
    let run = Run { messages, disk, input: args.input };
    let to = WrittenTo { output: &args.output, safe_names: args.safe_names, json: args.json };
    let input = match content::read(disk, &args.file, args.input)? {
        Content::Character(input) => input,
        other @ (Content::Gltf(_) | Content::Pxd(_)) => {
            return Err(other.refusal("cannot unpack images from"));
        }
        Content::Motion(motion) => {
            let name = motion.name;
            return Err(Failure::Usage(format!(
                "{name}: a motion has no images to unpack; to write its JSON mirror: pchr convert {name} -o OUT.json"
            )));
        }
        Content::Atlas(_) if stdout => {
            let text = "an atlas is unpacked to many files; expected a folder instead of -";
            return Err(Failure::Usage(text.into()));
        }
        Content::Atlas(_) if args.dialect.is_some() => {
            return Err(Failure::Usage("--dialect is for characters; this is an atlas".into()));
        }
        Content::Atlas(file) => return Unpack { trimmed: args.trimmed, to }.run(&file, run),
    };
    if args.trimmed {
        return Err(Failure::Usage("--trimmed is for atlases; this is a character".into()));
    }
    let remarks = images::remarks(&input);
    let format = input.document.source().id();
    let target = CharacterTarget::Json(args.dialect.unwrap_or_default());
    let file = args.output.join(input::stem(&args.file) + ".json");
    let to = if stdout { to } else { WrittenTo { output: &file, ..to } };
    WrittenDocument { input: &input, format, remarks, target, to }.run(run)
}

/// Maximum number of pixels of all files together: 16 Gi.
const MOST_PIXELS: u64 = 1 << 34;

/// Manner in which sprites are written.
#[derive(Clone, Copy, Debug)]
struct Unpack<'a> {
    /// As they lie on the page, without the borders of their sources.
    trimmed: bool,
    /// The folder.
    to: WrittenTo<'a>,
}

/// A sprite and its file.
struct SpriteJob<'a> {
    name: &'a str,
    sprite: &'a Sprite,
    /// Path relative to the folder.
    file: String,
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
    fn run(self, file: &AtlasFile, Run { messages, disk, .. }: Run<'_>) -> Result<(), Failure> {
        let mut odd = file.read.warnings.clone();
        let budget = Budget::default();
        let mut nothing: Vec<&str> = Vec::new();
        let jobs = self.jobs(file, &budget, &mut nothing)?;
        let paths = jobs.iter().map(|job| self.to.output.join(&job.file));
        disk.check(paths.collect::<Vec<_>>().iter().map(PathBuf::as_path))?;
        let mut complete: Vec<Complete> = Vec::with_capacity(jobs.len());
        for page in 0..file.read.atlas.pages.len() {
            let of_page = |job: &&SpriteJob<'_>| job.sprite.page as usize == page;
            let mut jobs: Vec<&SpriteJob<'_>> = jobs.iter().filter(of_page).collect();
            if jobs.is_empty() {
                continue;
            }
            let pixels = file.page_pixels(page, disk, &mut odd)?;
            let is_unseen = |job: &mut &SpriteJob<'_>| !job.is_on([pixels.width, pixels.height]);
            nothing.extend(jobs.extract_if(.., is_unseen).map(|job| job.name));
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
        for file in complete {
            report.outputs.push(OutputReport::new(&file));
            file.take_place()?;
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
        if self.to.json {
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
        let files = file.sprite_files(self.to.safe_names)?;
        let named = file.read.atlas.sprites.iter();
        let mut jobs = Vec::with_capacity(files.len());
        let mut left = MOST_PIXELS;
        let mut refused = Findings::default();
        for ((name, sprite), file) in named.zip(files) {
            let [width, height] = match self.trimmed {
                true => [sprite.rect.width, sprite.rect.height],
                false => sprite.source_size(),
            };
            let size = [width, height].map(|side| side.max(0).unsigned_abs());
            if size.contains(&0) {
                nothing.push(name);
                continue;
            }
            let room = budget.lease().take(bytes(size), 1);
            let message = match (room, left.checked_sub(bytes(size) / 4)) {
                (Ok(()), Some(rest)) => {
                    left = rest;
                    jobs.push(SpriteJob { name, sprite, file, size });
                    continue;
                }
                (Err(error), _) => format!("{width} x {height} pixels: {error}"),
                (_, None) => {
                    format!("its pixels would exceed the limit of {MOST_PIXELS} for all files")
                }
            };
            let at = || format!("sprite {}", quoted(name));
            refused.add(PctRule::Limit, sprite.offset, at, || message);
        }
        if refused.is_empty() {
            return Ok(jobs);
        }
        Err(file.invalid(refused))
    }

    fn write(self, job: &SpriteJob<'_>, page: &Pixels, disk: &Disk) -> Result<Complete, Failure> {
        let offset = if self.trimmed { [0, 0] } else { job.sprite.source_offset() };
        let pixels = draw(page, job.sprite, offset, job.size);
        let mut png = Vec::new();
        encode_png(&pixels, Effort::Some, &mut png)
            .map_err(|error| anyhow::Error::from(error).context(job.name.to_owned()))?;
        let mut file = Inside(self.to.output).create(disk, &job.file)?;
        file.write_all(&png)?;
        Ok(file.complete()?)
    }
}

/// Bytes of a picture in memory.
fn bytes([width, height]: [u32; 2]) -> u64 {
    u64::from(width).saturating_mul(height.into()).saturating_mul(4)
}

/// A picture of a `size` with a sprite at an `offset`. What lies outside the picture, or of the page, is left out.
fn draw(page: &Pixels, sprite: &Sprite, offset: [i32; 2], size: [u32; 2]) -> Pixels {
    let [width, height] = size;
    let mut picture = Pixels::empty();
    picture.clear(size, [0; 4]);
    let [left, top] = [sprite.rect.x, sprite.rect.y].map(i64::from);
    let [x0, y0] = offset.map(i64::from);
    for row in visible(offset[1], sprite.rect.height, height) {
        for column in visible(offset[0], sprite.rect.width, width) {
            // Turned clockwise: the left edge lies on top.
            let [x, y] = match sprite.rotated {
                true => [i64::from(sprite.rect.height) - 1 - row, column],
                false => [column, row],
            };
            if let Some(from) = at(page, [left + x, top + y])
                && let Some(to) = at(&picture, [x0 + column, y0 + row])
                && let Some(from) = page.rgba.get(from..from + 4)
                && let Some(to) = picture.rgba.get_mut(to..to + 4)
            {
                to.copy_from_slice(from);
            }
        }
    }
    picture
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

impl AtlasFile {
    /// The file of each sprite, with `/` between folders. A name that cannot be one is refused or, with `safe`, changed.
    fn sprite_files(&self, safe: bool) -> Result<Vec<String>, Failure> {
        let mut found = Findings::default();
        let mut taken = TakenPaths::default();
        let mut files = Vec::with_capacity(self.read.atlas.sprites.len());
        for (name, sprite) in self.read.atlas.sprites.iter() {
            let file = usual_file(name);
            let path = || format!("sprite {}", quoted(name));
            let mut refuse = |message: String| {
                let message = || format!("{message}; rename it with --safe-names");
                found.add(PctRule::FileName, sprite.offset, path, message);
            };
            let file = match fault(&file) {
                Some(fault) if !safe => {
                    refuse(fault);
                    continue;
                }
                Some(_) => made_safe(&file),
                None => file,
            };
            if safe {
                files.push(taken.take_free(&file));
            } else if let Err(other) = taken.take(&file) {
                let other = quoted(&other);
                refuse(format!("would be written to the same file as {other}"));
            } else {
                files.push(file);
            }
        }
        if found.is_empty() {
            return Ok(files);
        }
        Err(self.invalid(found))
    }
}

/// The name as that of a PNG file; any other extension stays part of it.
fn usual_file(name: &str) -> String {
    let stem = name.len().saturating_sub(ENDING.len());
    let (stem, ending) = name.split_at_checked(stem).unwrap_or((name, ""));
    let has_ending = ending.eq_ignore_ascii_case(ENDING);
    if has_ending && !stem.is_empty() && !stem.ends_with('/') {
        name.to_owned()
    } else {
        format!("{name}{ENDING}")
    }
}

/// Returns the reason why a path must not become a file below a folder, if there is one.
fn fault(file: &str) -> Option<String> {
    if file.len() > LONGEST_PATH {
        return Some(format!("has {} bytes, expected at most {LONGEST_PATH}", file.len()));
    }
    if file.starts_with('/') {
        return Some("is an absolute path".into());
    }
    if file.ends_with("/.png") || file == ".png" {
        return Some("has no name before its extension".into());
    }
    let mut faults = file.split('/').map(|part| (part, file_name::check(part)));
    match faults.find_map(|(part, checked)| Some((part, checked.err()?)))? {
        ("", _) => Some("has a folder without a name".into()),
        (_, reason) => Some(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused_and_made_safe() {
        let long = "a/".repeat(600);
        let long_name = "x".repeat(300);
        let cut = "x".repeat(200) + ".png";
        for (name, safe) in [
            ("../x", "__/x.png"),
            ("a/../../x.png", "a/__/__/x.png"),
            ("/etc/passwd", "_/etc/passwd.png"),
            ("a/COM1/b", "a/COM1_/b.png"),
            ("", "sprite.png"),
            ("a//b", "a/_/b.png"),
            ("a/", "a/sprite.png"),
            ("x ./y", "x__/y.png"),
            (&long, "sprite.png"),
            (&long_name, &cut),
        ] {
            let file = usual_file(name);
            assert!(fault(&file).is_some(), "{name}");
            let made = made_safe(&file);
            assert_eq!(fault(&made), None, "{name}: {made}");
            assert_eq!(made, safe, "{name}");
        }
    }

    #[test]
    fn other_endings_stay_part_of_the_name() {
        let names = "a=a.png|a.png=a.png|a.PNG=a.PNG|.png=.png.png|b/a.webp=b/a.webp.png|\
                     walk.01=walk.01.png|图集 🎨=图集 🎨.png";
        for (name, file) in names.split('|').map(|pair| pair.split_once('=').unwrap()) {
            assert_eq!(usual_file(name), file);
            assert_eq!(fault(file), None);
        }
    }
}
