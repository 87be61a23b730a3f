//! The pixels of the images, for `--images`: decoded on all cores, counted, and not kept.

use std::io::Cursor;

use pchr::bytes::Budget;
use pchr::document::{Document, Image, ImageFormat};
use pchr::finding::Findings;
use pchr::image::{Pixels, decode_each};

use super::report::PixelsReport;

/// Result of decoding an image: its pixels, or the reason why it has none.
pub(super) type Decoded = Result<PixelsReport, String>;

/// Decodes every image; adds faults to `findings`, in their order.
pub(super) fn decode(document: &Document, findings: &mut Findings) -> Vec<Decoded> {
    let counted =
        |id, pixels: Pixels, found: &Findings| match (found.first_error(), document.image(id)) {
            (None, Some(image)) => Ok(count(&image, &pixels)),
            (error, _) => Err(error.map(|error| error.message.clone()).unwrap_or_default()),
        };
    decode_each(document, &Budget::default(), true, findings, counted)
}

fn count(image: &Image<'_>, pixels: &Pixels) -> PixelsReport {
    let (color, bit_depth) = kind(image).unwrap_or(("rgba", 8));
    let mut report = PixelsReport {
        width: pixels.width,
        height: pixels.height,
        color,
        bit_depth,
        opaque: 0,
        translucent: 0,
        transparent: 0,
    };
    if image.format() == ImageFormat::Rgba8888 && image.data().is_empty() {
        // Such an image has no pixels; the renderer draws one transparent pixel instead.
        (report.width, report.height) = (image.width().into(), image.height().into());
        return report;
    }
    for [.., alpha] in pixels.rgba.as_chunks::<4>().0 {
        match alpha {
            255 => report.opaque += 1,
            0 => report.transparent += 1,
            _ => report.translucent += 1,
        }
    }
    report
}

/// Kind of colour and bits of a PNG.
fn kind(image: &Image<'_>) -> Option<(&'static str, u8)> {
    if image.format() != ImageFormat::Png {
        return None;
    }
    let mut decoder = png::Decoder::new(Cursor::new(image.data()));
    let info = decoder.read_header_info().ok()?;
    let color = match info.color_type {
        png::ColorType::Grayscale => "grey",
        png::ColorType::GrayscaleAlpha => "grey-alpha",
        png::ColorType::Rgb => "rgb",
        png::ColorType::Rgba => "rgba",
        png::ColorType::Indexed => "indexed",
    };
    Some((color, info.bit_depth as u8))
}
