//! Checks the declared formats and sizes of images. Image data is not decoded.

use super::Check;
use crate::document::{ImageFormat, PchrRule};
use crate::finding::Findings;

impl Check<'_> {
    pub(super) fn images(&self, findings: &mut Findings) {
        let images = &self.directory.images;
        if images.is_empty() {
            findings.add(
                PchrRule::ImagesNone,
                12,
                || "imageCount".into(),
                || "no images; nothing can be drawn".into(),
            );
        }
        self.names(
            "images",
            images.len(),
            |i| images.get(i).map(|image| image.name),
            findings,
        );
        for (i, image) in images.iter().enumerate() {
            let fields_at = u64::from(image.data_at).saturating_sub(9);
            let format_at = fields_at.saturating_add(4);
            // A PNG has its own size, regardless of the declared one.
            let raw = image.format == ImageFormat::Rgba8888.number();
            if raw && (image.width == 0 || image.height == 0) {
                let message = || {
                    format!(
                        "{} x {} pixels cannot become a texture",
                        image.width, image.height
                    )
                };
                findings.add(
                    PchrRule::ImageEmpty,
                    fields_at,
                    || format!("images[{i}].width"),
                    message,
                );
            }
            if image.format > ImageFormat::Rgba8888.number() {
                let message =
                    || format!("format {}, expected 0 (png) or 1 (rgba8888)", image.format);
                findings.add(
                    PchrRule::ImageFormat,
                    format_at,
                    || format!("images[{i}].format"),
                    message,
                );
            } else if raw {
                let (width, height) = (u64::from(image.width), u64::from(image.height));
                let wanted = width.saturating_mul(height).saturating_mul(4);
                if wanted != u64::from(image.data_len) {
                    let message = || {
                        format!(
                            "{} bytes, expected {wanted} ({width} x {height} x 4)",
                            image.data_len
                        )
                    };
                    let at = format_at.saturating_add(1);
                    findings.add(
                        PchrRule::ImageLength,
                        at,
                        || format!("images[{i}].dataLength"),
                        message,
                    );
                }
            }
        }
    }
}
