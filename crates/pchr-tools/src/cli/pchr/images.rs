//! The images of an output document: their encoding, and warnings about them.

use clap::ValueEnum;

use pchr::bytes::Budget;
use pchr::document::{Image, ImageFault, ImageFormat, ImageParts, Images as _};
use pchr::finding::{Findings, Invalid};
use pchr::format::pchr::replace_images;
use pchr::format::{json, read};
use pchr::image::{decode_each, decode_straight};

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

/// Finds images that do not decode, or have another size than declared, as `validate` does.
pub(super) fn check(input: &Input) -> Findings {
    let mut found = Findings::default();
    let budget = Budget::default();
    decode_each(&*input.document, &budget, true, &mut found, |_, _, _| ());
    input.in_file(found)
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
    let changed = read(bytes).map_err(|Invalid(findings)| Failure::Invalid {
        file: input.name.clone(),
        findings,
    })?;
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
    let format = if data.is_empty() {
        image.format()
    } else {
        ImageFormat::Png
    };
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
    Ok(ImageParts {
        width,
        height,
        ..parts(image, ImageFormat::Rgba8888, pixels.rgba)
    })
}
