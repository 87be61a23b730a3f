//! The images of a document that is written: another encoding, and what is odd about them.

use std::path::Path;

use clap::ValueEnum;

use crate::bytes::Budget;
use crate::cli::Failure;
use crate::cli::input;
use crate::cli::messages::Messages;
use crate::document::{Document, Findings, Image, ImageFormat, ImageParts, Rule};
use crate::format::pchr::replace_images;
use crate::format::{json, read};
use crate::image::{DEFAULT_BUDGET, decode_straight, png_size};

/// How images are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ImageFormatArg {
    /// A PNG file: compact
    Png,
    /// Raw pixels, for readers that decode nothing
    Rgba8888,
}

/// Warns of PNG files that are none, or of another size than announced. Their pixels are not decoded.
pub(super) fn check(document: &Document, file: &str, messages: &Messages) {
    for (i, image) in document.images().enumerate() {
        if image.format() != ImageFormat::Png {
            continue;
        }
        let announced = [u32::from(image.width()), u32::from(image.height())];
        match png_size(image.data()) {
            Err(error) => messages.warning(&format!(
                "{file}: images[{i}] {:?} cannot be drawn: {error}",
                image.name()
            )),
            Ok(size) if size != announced => {
                let ([width, height], [x, y]) = (announced, size);
                messages.warning(&format!(
                    "{file}: images[{i}] {:?} is announced as {width} x {height}, the PNG is {x} x {y}",
                    image.name()
                ));
            }
            Ok(_) => {}
        }
    }
}

/// The document with every image in one format; as it is, if none is asked for.
pub(super) fn convert(
    document: Document,
    format: Option<ImageFormatArg>,
    path: &Path,
    messages: &Messages,
) -> Result<Document, Failure> {
    let Some(format) = format else {
        return Ok(document);
    };
    let file = input::name(path);
    let mut images = Vec::with_capacity(document.images().len());
    for (i, image) in document.images().enumerate() {
        images.push(match format {
            ImageFormatArg::Png => to_png(&image)?,
            ImageFormatArg::Rgba8888 => to_rgba(i, &image, |found| Failure::Invalid {
                file: file.clone(),
                findings: input::in_file(path, &document, found),
            })?,
        });
        if format == ImageFormatArg::Png
            && images
                .last()
                .is_some_and(|image| image.format != ImageFormat::Png)
        {
            messages.note(&format!(
                "{file}: images[{i}] {:?} has no pixels and stays as it is",
                image.name()
            ));
        }
    }
    let bytes = replace_images(&document, &images).map_err(anyhow::Error::from)?;
    let changed = read(bytes).map_err(|invalid| Failure::Invalid {
        file,
        findings: invalid.0,
    })?;
    Ok(changed.read_from(document.source(), document.warnings().clone()))
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

/// A PNG has the size that it has, whatever was announced.
fn to_rgba(
    i: usize,
    image: &Image<'_>,
    invalid: impl Fn(Findings) -> Failure,
) -> Result<ImageParts, Failure> {
    if image.format() == ImageFormat::Rgba8888 {
        return Ok(parts(image, ImageFormat::Rgba8888, image.data().to_vec()));
    }
    let refuse = |rule, message: String| {
        let mut findings = Findings::default();
        findings.add(
            rule,
            image.data_offset(),
            || format!("images[{i}].data"),
            || message,
        );
        invalid(findings)
    };
    let pixels = decode_straight(image.data(), &Budget::new(DEFAULT_BUDGET))
        .map_err(|error| refuse(Rule::ImageDecode, format!("{:?}: {error}", image.name())))?;
    let side = |side: u32| {
        u16::try_from(side).map_err(|_| {
            refuse(
                Rule::Limit,
                format!(
                    "{:?}: a side of {side} pixels, 65535 is the most",
                    image.name()
                ),
            )
        })
    };
    let (width, height) = (side(pixels.width)?, side(pixels.height)?);
    Ok(ImageParts {
        width,
        height,
        ..parts(image, ImageFormat::Rgba8888, pixels.rgba)
    })
}
