//! The images that a text names, read from the files beside it.

use crate::bytes::{Budget, Lease};
use crate::document::{ImageFormat, ImageParts, PchrRule};
use crate::finding::quoted;
use crate::format::{SidecarError, Sidecars};
use crate::image::{ImageError, decode_leased};

/// Image files beside a text, and their memory budgets.
pub(super) struct ImageFiles<'a> {
    sidecars: &'a mut dyn Sidecars,
    /// Memory of the encoded files.
    files: Lease<'a>,
    /// Memory of the pixels of images that become raw.
    pixels: Lease<'a>,
}

impl<'a> ImageFiles<'a> {
    /// Files from `sidecars`. They draw on one budget, decoded pixels on the other.
    pub(super) fn new(
        sidecars: &'a mut dyn Sidecars,
        files: &'a Budget,
        pixels: &'a Budget,
    ) -> Self {
        Self {
            sidecars,
            files: files.lease(),
            pixels: pixels.lease(),
        }
    }

    /// Keeps the charges of the budgets, because a document has the memory.
    pub(super) fn keep(self) {
        self.files.keep();
        self.pixels.keep();
    }

    /// Reads an image's data: the file unchanged or, for rgba8888, its pixels. An image that cannot be read becomes a PNG without
    /// data, which causes no other findings.
    ///
    /// # Errors
    /// The broken rule, and the message.
    pub(super) fn fill(
        &mut self,
        image: &mut ImageParts,
        path: &str,
    ) -> Result<(), (PchrRule, String)> {
        match self.data(image, path) {
            Ok(data) => {
                image.data = data;
                Ok(())
            }
            Err((rule, message)) => {
                image.format = ImageFormat::Png;
                let (name, path) = (quoted(&image.name), quoted(path));
                Err((rule, format!("image {name}, path {path}: {message}")))
            }
        }
    }

    fn data(&mut self, image: &ImageParts, path: &str) -> Result<Vec<u8>, (PchrRule, String)> {
        let file = self.file(path)?;
        let empty = image.width == 0 || image.height == 0;
        if image.format == ImageFormat::Png || (empty && file.is_empty()) {
            return Ok(file);
        }
        let refused = |error: ImageError| {
            let rule = match error {
                ImageError::Budget(_) => PchrRule::Limit,
                _ => PchrRule::SidecarPixels,
            };
            (rule, error.to_string())
        };
        let (decoded, lease) = decode_leased(&file, self.pixels.budget()).map_err(refused)?;
        self.pixels.join(lease);
        let (width, height) = (u32::from(image.width), u32::from(image.height));
        if (width, height) != (decoded.width, decoded.height) {
            let message = format!(
                "declared as {width} x {height}, but the PNG is {} x {}",
                decoded.width, decoded.height
            );
            return Err((PchrRule::SidecarPixels, message));
        }
        Ok(decoded.rgba)
    }

    fn file(&mut self, path: &str) -> Result<Vec<u8>, (PchrRule, String)> {
        let file = self.sidecars.read(path).map_err(|error| {
            let rule = match error {
                SidecarError::Outside => PchrRule::SidecarPath,
                SidecarError::Unreadable(_) | SidecarError::Failed(_) => PchrRule::SidecarMissing,
                SidecarError::NotOne => PchrRule::LegacyImages,
            };
            (rule, error.to_string())
        })?;
        // Many images may name one file, so the size of the files does not limit the memory that a text needs.
        self.files
            .take(file.len() as u64, 1)
            .map_err(|error| (PchrRule::Limit, format!("image files: {error}")))?;
        Ok(file)
    }
}
