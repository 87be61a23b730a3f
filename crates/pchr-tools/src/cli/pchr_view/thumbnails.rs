//! `pchr-view contact`: an overview of the files in a folder, as a picture or as a page; and `pchr-view thumbnail`: a small picture for
//! file managers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use clap::Args;
use indicatif::HumanBytes;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rayon::prelude::*;

use pchr::image::{Effort, Pixels, encode_png};

use super::contact_sheet::{LINE, Paper, cut};
use crate::run::input::{is_stdin, name};
use crate::run::messages::{self, Messages};
use crate::run::walk::{BROKEN, CIRCLE, FoundFiles, is_hidden};
use crate::run::{Disk, Failure, output};
use crate::session::is_session;
use crate::text::words::count;
use crate::text::{Natural, slashed, visible};
use crate::thumbnail::{Facts, Figure, FileVersion, Thumbnail, reason};
use crate::typeface::Fonts;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view contact art -o overview.png
  pchr-view contact art -o overview.html      # one page, pictures included
  pchr-view contact art -s 96 -o small.png

Files are those in the folder and below it, sorted by name, except hidden ones. Each is shown as pchr-view thumbnail does; a file
that cannot be read or is invalid has the reason in its place.

Exit codes: 0 every file is shown, 1 a file or a folder could not be read, 2 usage, 4 a file is invalid")]
pub(super) struct ContactArgs {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The .png or .html file to write
    #[arg(short, long, value_name = "PATH", value_parser = overview_path)]
    output: PathBuf,
    /// Width and height of each picture in pixels
    #[arg(short, long, value_name = "N", default_value_t = 160, value_parser = clap::value_parser!(u32).range(32..=512))]
    size: u32,
}

fn overview_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let fits = is_page(&path).is_some();
    fits.then_some(path).ok_or_else(|| format!("{text:?} ends with neither .png nor .html"))
}

/// Returns true for a page, false for a picture, by the extension.
fn is_page(path: &Path) -> Option<bool> {
    match path.extension()?.to_ascii_lowercase().to_str()? {
        "png" => Some(false),
        "html" | "htm" => Some(true),
        _ => None,
    }
}

struct OverviewFile {
    path: PathBuf,
    /// The path relative to the folder.
    name: String,
    bytes: u64,
    shown: Result<Thumbnail, Failure>,
}

pub(super) fn contact(args: &ContactArgs, messages: &Messages, disk: &Disk) -> Result<(), Failure> {
    let path = args.output.as_path();
    let found = found(&args.folder, messages, disk)?;
    let progress = messages::progress(found.len(), messages);
    let files: Vec<OverviewFile> = { found.into_par_iter() }
        .map(|(path, why)| {
            progress.inc(1);
            let shown = why
                .map_or(Ok(()), |why| Err(unread(&path, &why)))
                .and_then(|()| Ok(Figure::read(disk, &path, args.size)?.thumbnail()?));
            let bytes = FileVersion::of(&path).map_or(0, |version| version.bytes);
            let inside = path.strip_prefix(&args.folder).unwrap_or(&path);
            OverviewFile { name: visible(&slashed(inside)).into_owned(), path, bytes, shown }
        })
        .collect();
    progress.finish_and_clear();
    disk.check([path])?;
    match is_page(path) {
        Some(true) => disk.write(path, page(&files, args)?.as_bytes())?,
        _ => disk.write_picture(path, &png(&sheet(&files, args.size)?)?)?,
    }
    let failures = files.iter().filter_map(|file| file.shown.as_ref().err());
    failures.clone().for_each(|failure| messages.warning(&failure.to_string()));
    let (invalid, unread): (Vec<_>, Vec<_>) = failures.partition(|failure| failure.code() == 4);
    let all = files.len();
    match (unread.len(), invalid.len()) {
        (0, 0) => Ok(()),
        (0, invalid) => Err(Failure::Rejected(format!("{invalid} of {all} files are invalid"))),
        (unread, invalid) => Err(Failure::Running(anyhow::anyhow!(
            "{unread} of {all} files could not be read, {invalid} are invalid"
        ))),
    }
}

/// The failure to read a part of the folder.
fn unread(path: &Path, why: &str) -> Failure {
    Failure::Running(anyhow::anyhow!("cannot read {}: {why}", name(path)))
}

/// Returns the files of a folder, and parts that cannot be read, each with the reason; sorted by name.
fn found(
    folder: &Path,
    messages: &Messages,
    disk: &Disk,
) -> Result<Vec<(PathBuf, Option<String>)>, Failure> {
    let found = FoundFiles::of(folder, usize::MAX);
    let found = found.map_err(|error| unread(folder, &error.to_string()))?;
    for path in &found.circles {
        messages.note(&format!("skipped {}: {CIRCLE}", name(path)));
    }
    let is_wanted = |path: &PathBuf| {
        let mut parts = path.strip_prefix(folder).unwrap_or(path).components();
        !parts.any(|part| is_hidden(Path::new(part.as_os_str())))
    };
    let files = found.files.into_iter();
    let files = files.filter(|path| disk.openers().is_in(path) || is_session(path));
    let broken = found.dangling.into_iter().map(|path| (path, Some(BROKEN.to_owned())));
    let failed = found.unread.into_iter().map(|(path, error)| (path, Some(error.to_string())));
    let all = files.map(|path| (path, None)).chain(broken).chain(failed);
    let mut all: Vec<_> = all.filter(|(path, _)| is_wanted(path)).collect();
    if all.is_empty() {
        let (folder, endings) = (name(folder), disk.openers().endings());
        return Err(Failure::Usage(format!("{folder}: no {endings} file in it")));
    }
    all.sort_by_cached_key(|(path, _)| Natural::new(&slashed(path)));
    Ok(all)
}

/// Pixels between cells, and around all of them.
const GAP: u32 = 12;
/// Pixels between a picture and its name.
const BELOW: u32 = 4;
/// Width that a picture of all has at most, if it need not be wider.
const WIDTH: u32 = 1280;
/// Longest side of a picture of all.
const MOST: u32 = 16_384;
/// Width of a character of the built-in font.
const CHARACTER: u32 = 6;
/// Colours of the sheet, of names, of a cell without a picture, and of its text.
const PAPER: [u8; 3] = [250; 3];
const NAME: [u8; 3] = [30; 3];
const EMPTY: [u8; 3] = [240, 228, 226];
const REASON: [u8; 3] = [150, 40, 30];

fn sheet(files: &[OverviewFile], side: u32) -> Result<Pixels, Failure> {
    let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
    let [width, height] = [side + GAP, side + BELOW + LINE + GAP];
    let most = |cell: u32| ((MOST - GAP) / cell).max(1);
    // Wider only if it would be too high.
    let columns = ((WIDTH - GAP) / width).max(1).max(count.div_ceil(most(height))).min(count);
    if columns > most(width) {
        let text = format!(
            "{count} pictures of {side} x {side} are too many for one picture; choose a smaller size (-s), or a page (-o overview.html)"
        );
        return Err(Failure::Usage(text));
    }
    let size = [GAP + columns * width, GAP + count.div_ceil(columns) * height];
    let mut paper = Paper::new(size, PAPER);
    let mut fonts = Fonts::system();
    for (number, file) in (0..).zip(files) {
        let [left, top] = [GAP + number % columns * width, GAP + number / columns * height];
        if let Ok(shown) = &file.shown {
            paper.lay(&shown.pixels, [left, top]);
        } else if let Err(failure) = &file.shown {
            let [r, g, b] = EMPTY;
            let mut cell = Pixels::empty();
            cell.clear([side; 2], [r, g, b, 255]);
            paper.lay(&cell, [left, top]);
            let room = side - 2 * BELOW;
            let lines = wrapped(&reason(failure, &file.path), (room / CHARACTER) as usize);
            for (line, top) in lines.iter().zip((top + BELOW..top + room).step_by(LINE as usize)) {
                paper.write(
                    &cut(line, room, &mut fonts)?,
                    [left + BELOW, top],
                    REASON,
                    &mut fonts,
                )?;
            }
        }
        // With its folders, if there is room.
        let whole = cut(&file.name, side, &mut fonts)?;
        let own = file.name.rsplit('/').next().unwrap_or(&file.name);
        let own = if whole == file.name { whole } else { cut(own, side, &mut fonts)? };
        paper.write(&own, [left, top + side + BELOW], NAME, &mut fonts)?;
    }
    Ok(paper.0)
}

/// Breaks a text into lines of so many characters, between words where it can.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut room = width;
    for word in text.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        if rest.len() > room && room < width {
            lines.push(String::new());
            room = width;
        }
        while let Some(line) = lines.last_mut() {
            let taken: String = rest.drain(..rest.len().min(room)).collect();
            room = room.saturating_sub(taken.chars().count() + 1);
            line.push_str(&taken);
            line.push(' ');
            if rest.is_empty() {
                break;
            }
            lines.push(String::new());
            room = width;
        }
    }
    lines
}

/// Characters that a link escapes.
const LINKED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// Start of the page.
const HEAD: &str = include_str!("overview.html");

fn page(files: &[OverviewFile], args: &ContactArgs) -> Result<String, Failure> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let page = absolute(&args.output);
    let folder = page.parent().unwrap_or(&page);
    let title = absolute(&args.folder);
    let title = title.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let count = count(files.len(), "file", "files");
    let head = HEAD.replace("{title}", &escaped(&visible(&title))).replace("{count}", &count);
    let mut text = head.replace("{side}", &args.size.to_string());
    for file in files {
        let path = absolute(&file.path);
        let link = pathdiff::diff_paths(&path, folder).unwrap_or(path);
        let link = utf8_percent_encode(&slashed(&link), LINKED).to_string();
        let name = escaped(&file.name);
        let figure = match &file.shown {
            Ok(Thumbnail { pixels, facts }) => {
                let (png, facts) = (BASE64.encode(png(pixels)?), in_words(facts, file.bytes));
                format!(
                    "<figure><a href=\"{link}\"><img src=\"data:image/png;base64,{png}\" alt=\"\">{name}</a><small>{facts}</small></figure>\n"
                )
            }
            Err(failure) => {
                let reason = escaped(&reason(failure, &file.path));
                format!(
                    "<figure class=\"broken\"><a href=\"{link}\"><p>{reason}</p>{name}</a></figure>\n"
                )
            }
        };
        text.push_str(&figure);
    }
    let _ = writeln!(text, "</main>\n</html>");
    Ok(text)
}

fn in_words(facts: &Facts, bytes: u64) -> String {
    let mut words = vec![escaped(&facts.kind)];
    words.extend((facts.bones > 0).then(|| count(facts.bones, "bone", "bones")));
    words.push(HumanBytes(bytes).to_string());
    words.extend((facts.warnings > 0).then(|| count(facts.warnings, "warning", "warnings")));
    words.join(" · ")
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pchr-view thumbnail hero.pchr hero.png
  pchr-view thumbnail hero.pchr hero.png -s 512

It shows the frame that a window starts with, fitted, transparent, and drawn by the CPU renderer. File managers run it if
assets/desktop is installed. An invalid file has no thumbnail: exit code 4.")]
pub(super) struct ThumbnailArgs {
    /// The file, or a session
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The PNG file to write; - writes it to standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(short, long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=2048))]
    size: u32,
}

pub(super) fn thumbnail(args: &ThumbnailArgs, disk: &Disk) -> Result<(), Failure> {
    // Nobody would read the details of an invalid file.
    let figure =
        Figure::read(disk, &args.file, args.size).map_err(|failure| match failure.code() {
            4 => Failure::Rejected(failure.to_string()),
            _ => failure,
        })?;
    disk.check([args.output.as_path()])?;
    let png = png(&figure.thumbnail()?.pixels)?;
    match is_stdin(&args.output) {
        true => Ok(output::write_stdout(&png)?),
        false => Ok(disk.write_picture(&args.output, &png)?),
    }
}

fn png(pixels: &Pixels) -> Result<Vec<u8>, Failure> {
    let mut png = Vec::new();
    encode_png(pixels, Effort::Some, &mut png).map_err(anyhow::Error::from)?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reasons_are_broken_between_words_where_they_can_be() {
        let lines = |text, width| {
            let lines = wrapped(text, width);
            lines.iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(lines("frame data ends at byte 7", 11), "frame data|ends at|byte 7");
        assert_eq!(lines("abcdefghij k", 4), "abcd|efgh|ij k");
        assert_eq!(lines("", 4), "");
    }
}
