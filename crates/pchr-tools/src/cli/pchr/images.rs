//! The images of an output document: their encoding, warnings about them, and the names of their files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::ValueEnum;

use pchr::bytes::Budget;
use pchr::document::{Image, ImageFault, ImageFormat, ImageParts, Images as _, PchrRule};
use pchr::finding::{Findings, Invalid};
use pchr::format::pchr::replace_images;
use pchr::format::{Losses, json, read};
use pchr::image::{decode_each, decode_straight};

use super::report::Remarks;
use crate::file_name::{self, image_stem, is_reserved, key};
use crate::run::Failure;
use crate::run::input::Input;
use crate::run::messages::Messages;

/// Encoding of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ImageFormatArg {
    /// A PNG file: compact
    Png,
    /// Raw pixels, for readers without a PNG decoder
    Rgba8888,
}

/// Returns remarks about a document: its warnings, with those about images that do not decode, or have another size than declared, as
/// `validate` does.
pub(super) fn remarks(input: &Input) -> Remarks {
    let mut found = Findings::default();
    let budget = Budget::default();
    decode_each(&*input.document, &budget, true, &mut found, |_, _, _| ());
    let mut odd = input.document.warnings().clone();
    odd.extend(input.in_file(found));
    Remarks::about(&input.name, odd, Losses::default())
}

/// The document with every image in one format; unchanged if none is requested.
pub(super) fn convert(
    input: Input,
    format: Option<ImageFormatArg>,
    messages: &Messages,
) -> Result<Input, Failure> {
    let Some(format) = format else { return Ok(input) };
    let document = &input.document;
    let mut images = Vec::with_capacity(document.images().len());
    let budget = Budget::default(); // of all images together
    for (id, image) in document.image_ids().zip(document.images()) {
        let refuse = |fault, message| {
            let mut findings = Findings::default();
            findings.push(document.image_finding(id, fault, message));
            input.invalid(findings)
        };
        images.push(match format {
            ImageFormatArg::Png => to_png(&image)?,
            ImageFormatArg::Rgba8888 => to_rgba(&image, &budget, refuse)?,
        });
    }
    let stays = |image: &&ImageParts| image.format != ImageFormat::Png;
    let empty = images.iter().filter(stays).count();
    if format == ImageFormatArg::Png && empty > 0 {
        let file = &input.name;
        let images = match empty {
            1 => "1 image has no pixels and stays".to_owned(),
            _ => format!("{empty} images have no pixels and stay"),
        };
        messages.note(&format!("{file}: {images} rgba8888"));
    }
    let bytes = replace_images(document, &images).map_err(anyhow::Error::from)?;
    let changed = read(bytes)
        .map_err(|Invalid(findings)| Failure::Invalid { file: input.name.clone(), findings })?;
    let document = changed.read_from(document.source(), document.warnings().clone());
    Ok(input.with_document(document))
}

fn parts(image: &Image<'_>, format: ImageFormat, data: Vec<u8>) -> ImageParts {
    ImageParts {
        name: image.name().to_owned(),
        width: image.width(),
        height: image.height(),
        format,
        data,
    }
}

fn to_png(image: &Image<'_>) -> Result<ImageParts, Failure> {
    let data = json::image_file(image).map_err(anyhow::Error::from)?;
    let format = if data.is_empty() { image.format() } else { ImageFormat::Png };
    Ok(parts(image, format, data.into_owned()))
}

/// The real size of a PNG takes precedence over the declared one.
fn to_rgba(
    image: &Image<'_>,
    budget: &Budget,
    refuse: impl Fn(ImageFault, String) -> Failure,
) -> Result<ImageParts, Failure> {
    if image.format() == ImageFormat::Rgba8888 {
        return Ok(parts(image, ImageFormat::Rgba8888, image.data().to_vec()));
    }
    let pixels = decode_straight(image.data(), budget)
        .map_err(|error| refuse(error.fault(), error.to_string()))?;
    let side = |side: u32| {
        let most = u16::MAX;
        let message = || format!("a side of {side} pixels, expected at most {most}");
        u16::try_from(side).map_err(|_| refuse(ImageFault::Memory, message()))
    };
    let (width, height) = (side(pixels.width)?, side(pixels.height)?);
    Ok(ImageParts { width, height, ..parts(image, ImageFormat::Rgba8888, pixels.rgba) })
}

/// The file of each image of a document, beside the one at `to`. A name that would leave the folder is refused or,
/// with `safe`, changed.
pub(super) fn image_files(input: &Input, safe: bool, to: &Path) -> Result<Vec<String>, Failure> {
    let images = input.document.images();
    let mut findings = Findings::default();
    let mut taken = TakenPaths::default();
    if to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        let own = to.file_stem().unwrap_or_default();
        taken.take_free(&(own.to_string_lossy() + ENDING));
    }
    let mut files = Vec::with_capacity(images.len());
    for (id, image) in input.document.image_ids().zip(images) {
        if let Some(reason) = leaves_folder(image.name()).filter(|_| !safe) {
            let name = image.name();
            let message = || format!("{name:?} {reason}; rename it with --safe-names");
            let path = || format!("images[{}].name", id.0);
            let ranges = input.document.image_ranges(id).unwrap_or_default();
            findings.add(PchrRule::ImageFileName, ranges.all.start, path, message);
        }
        files.push(taken.take_free(&(image_stem(image.name()) + ENDING)));
    }
    if findings.is_empty() {
        return Ok(files);
    }
    Err(input.invalid(findings))
}

/// Returns the reason why a name must not become a path, if there is one.
fn leaves_folder(name: &str) -> Option<&'static str> {
    let mut bytes = name.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    if matches!(first, Some(b'/' | b'\\')) {
        return Some("is an absolute path");
    }
    if first.is_some_and(|byte| byte.is_ascii_alphabetic()) && second == Some(b':') {
        return Some("names a drive");
    }
    let mut parts = name.split(['/', '\\']);
    if parts.clone().any(|part| part == ".." || part == ".") {
        return Some("leads outside the folder");
    }
    parts.any(is_reserved).then_some("is a reserved name on Windows")
}

/// Maximum number of bytes of a path: less than any system allows, with room for the folder.
pub(super) const LONGEST_PATH: usize = 1000;
/// The extension of all files, in lower or upper case.
pub(super) const ENDING: &str = ".png";
/// Bytes of a name before an added number.
const CUT: usize = 200;

/// Another path, which every system can hold.
pub(super) fn made_safe(file: &str) -> String {
    let (folders, last) = file.rsplit_once('/').map_or((None, file), |(f, l)| (Some(f), l));
    let stem = last.get(..last.len().saturating_sub(ENDING.len()));
    let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or("sprite");
    let stem = stem.get(..stem.floor_char_boundary(CUT)).unwrap_or_default();
    let last = file_name::safe(stem) + ENDING;
    let folders = folders.into_iter().flat_map(|folders| folders.split('/'));
    let mut path: String = folders.map(|folder| file_name::safe(folder) + "/").collect();
    path.push_str(&last);
    if path.len() <= LONGEST_PATH { path } else { last }
}

/// Paths that files and folders have already, by their keys.
#[derive(Default)]
pub(super) struct TakenPaths {
    /// Files, with the paths that they have.
    files: BTreeMap<String, String>,
    folders: BTreeSet<String>,
    /// The next number to try.
    numbers: BTreeMap<String, u32>,
}

impl TakenPaths {
    /// Claims a path; or returns the path that conflicts with it.
    pub(super) fn take(&mut self, file: &str) -> Result<(), String> {
        let key = key(file);
        if let Some(other) = self.files.get(&key) {
            return Err(other.clone());
        }
        if self.folders.contains(&key) {
            return Err(format!("{file}/"));
        }
        let mut folders = key.match_indices('/').filter_map(|(end, _)| key.get(..end));
        if let Some(other) = folders.find_map(|folder| self.files.get(folder)) {
            return Err(other.clone());
        }
        // Paths in one folder follow each other, so the innermost folder is usually known already.
        let folders = key.rmatch_indices('/').filter_map(|(end, _)| key.get(..end));
        let new = folders.take_while(|folder| !self.folders.contains(*folder));
        let new: Vec<String> = new.map(str::to_owned).collect();
        self.folders.extend(new);
        self.files.insert(key, file.to_owned());
        Ok(())
    }

    /// Claims the path, with a number if it is taken; outside any folder if one of its folders is already a file.
    pub(super) fn take_free(&mut self, file: &str) -> String {
        let keyed = key(file);
        let mut folders = keyed.match_indices('/').filter_map(|(end, _)| keyed.get(..end));
        let file = match folders.any(|folder| self.files.contains_key(folder)) {
            true => made_safe(&file.replace('/', "_")),
            false => file.to_owned(),
        };
        if self.take(&file).is_ok() {
            return file;
        }
        let (stem, ending) = file.split_at(file.len().saturating_sub(ENDING.len()));
        let last = stem.rsplit('/').next().unwrap_or_default();
        let cut = stem.len().saturating_sub(last.len().saturating_sub(CUT));
        let stem = stem.get(..stem.floor_char_boundary(cut)).unwrap_or_default();
        let from = key(&file);
        loop {
            let number = self.numbers.entry(from.clone()).or_insert(1);
            *number = number.saturating_add(1);
            let file = format!("{stem}-{number}{ending}");
            if self.take(&file).is_ok() {
                return file;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_known() {
        let leading = "../x|..|.|a/../b|a\\..\\b|/etc/passwd|\\\\host\\share|C:\\x|c:x|CON|nul.png|\
                       a/AUX|com1|LPT9.txt|Com\u{b9}|nul ";
        for name in leading.split('|') {
            assert!(leaves_folder(name).is_some(), "{name}");
        }
        for name in "atlas|atlas.png|body/arm|a..b|...|CONSOLE|com0|com10||图集 🎨|ab:c".split('|')
        {
            assert_eq!(leaves_folder(name), None, "{name}");
        }
    }

    #[test]
    fn no_two_files_have_one_path() {
        let mut taken = TakenPaths::default();
        let files =
            "a.png A.png a-2.png x/b.png X/B.png d.png/e.png d.png a.png Ä.png ä.png A\u{308}.png";
        let wanted = "a.png A-2.png a-2-2.png x/b.png X/B-2.png d.png/e.png d-2.png a-3.png Ä.png \
                      ä-2.png A\u{308}-3.png";
        let free: Vec<_> = files.split(' ').map(|file| taken.take_free(file)).collect();
        assert_eq!(free.join(" "), wanted);
        assert!(taken.take("a.png/f.png").is_err(), "below a file");
        let other = taken.take_free("a.png/f.png");
        assert!(!other.starts_with("a.png/"), "{other}");
    }
}
