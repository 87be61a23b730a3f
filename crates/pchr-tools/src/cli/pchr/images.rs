//! The images of an output document: their encoding, warnings about them, and the names of their files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::ValueEnum;

use pchr::bytes::Budget;
use pchr::document::{Image, ImageFault, ImageFormat, ImageParts, Images as _, PchrRule};
use pchr::finding::{Findings, Invalid};
use pchr::format::pchr::replace_images;
use pchr::format::{json, read};
use pchr::image::{decode_each, decode_straight};

use crate::file_name::{image_stem, is_reserved, key};
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

/// Returns the warnings about a document, with those about images that do not decode, or have another size than declared, as
/// `validate` does.
pub(super) fn check(input: &Input) -> Findings {
    let mut found = Findings::default();
    let budget = Budget::default();
    decode_each(&*input.document, &budget, true, &mut found, |_, _, _| ());
    let mut odd = input.document.warnings().clone();
    odd.extend(input.in_file(found));
    odd
}

/// The document with every image in one format; unchanged if none is requested.
pub(super) fn convert(
    input: Input,
    format: Option<ImageFormatArg>,
    messages: &Messages,
) -> Result<Input, Failure> {
    let Some(format) = format else {
        return Ok(input);
    };
    let document = &input.document;
    let mut images = Vec::with_capacity(document.images().len());
    let mut empty: usize = 0;
    let budget = Budget::default(); // of all images together
    for (id, image) in document.image_ids().zip(document.images()) {
        let refuse = |fault, message| {
            let mut findings = Findings::default();
            findings.push(document.image_finding(id, fault, message));
            input.invalid(findings)
        };
        let converted = match format {
            ImageFormatArg::Png => to_png(&image)?,
            ImageFormatArg::Rgba8888 => to_rgba(&image, &budget, refuse)?,
        };
        let stays = format == ImageFormatArg::Png && converted.format != ImageFormat::Png;
        empty = empty.saturating_add(stays.into());
        images.push(converted);
    }
    if empty > 0 {
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

/// The file of each image of a document, beside the one at `output`. A name that would leave the folder is refused or,
/// with `safe`, changed.
pub(super) fn image_files(
    input: &Input,
    safe: bool,
    output: &Path,
) -> Result<Vec<String>, Failure> {
    let images = input.document.images();
    let mut findings = Findings::default();
    let mut taken = ImageNames::default();
    if output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        let own = output.file_stem().unwrap_or_default();
        taken.names.insert(key(&own.to_string_lossy()));
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
        files.push(taken.unique(&image_stem(image.name())));
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

/// Names that files have already, by their keys.
#[derive(Default)]
struct ImageNames {
    names: BTreeSet<String>,
    /// Number at which counting continues.
    numbers: BTreeMap<String, u32>,
}

impl ImageNames {
    /// The name with its extension, and with a number where it is taken.
    fn unique(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        if !self.names.insert(key(&name)) {
            let number = self.numbers.entry(key(&name)).or_insert(1);
            loop {
                *number = number.saturating_add(1);
                name = format!("{stem}-{number}");
                if self.names.insert(key(&name)) {
                    break;
                }
            }
        }
        name + ".png"
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
    fn no_two_files_have_one_name() {
        let mut taken = ImageNames::default();
        let names = ["a", "A", "a-2", "a", "Ä", "ä", "A\u{308}"];
        let names = names.map(|name| taken.unique(name));
        assert_eq!(
            names,
            ["a.png", "A-2.png", "a-2-2.png", "a-3.png", "Ä.png", "ä-2.png", "A\u{308}-3.png"]
        );
    }
}
