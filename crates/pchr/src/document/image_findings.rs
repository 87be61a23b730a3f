//! Images of a document, and the findings about them.

use super::{Document, Image, ImageFault, ImageId, Images, PchrRule};
use crate::finding::{Finding, quoted};

impl Images for Document {
    fn image_count(&self) -> usize {
        self.images().len()
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        self.image(id)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        let ranges = self.image_ranges(id).unwrap_or_default();
        let (rule, field, offset) = match fault {
            ImageFault::Memory => (PchrRule::Limit, "data", ranges.data.start),
            ImageFault::Data => (PchrRule::ImageDecode, "data", ranges.data.start),
            ImageFault::Size => (PchrRule::ImageSize, "width", ranges.size.start),
        };
        let message = match (fault, self.image(id)) {
            (ImageFault::Memory | ImageFault::Data, Some(image)) => {
                format!("{}: {message}", quoted(image.name()))
            }
            _ => message,
        };
        Finding::new(rule, offset, &format!("images[{}].{field}", id.0), &message)
    }
}
