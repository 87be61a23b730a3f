//! Places of the images in a text, found once for all of them, because images are decoded one by one.

use std::collections::BTreeMap;

use super::findings::places;
use super::path::Path;
use super::text_of;
use crate::document::FileFormat;
use crate::finding::{Finding, Findings, TextPlace};

/// Fields in which decoding an image can find faults.
const FIELDS: [&str; 2] = ["data", "width"];

/// Places of these fields in all images, by their paths in the binary format.
#[derive(Debug, Default)]
pub(in crate::format) struct ImagePlaces {
    places: BTreeMap<String, (u64, TextPlace)>,
}

impl ImagePlaces {
    /// Finds the places of `count` images in a file, in one walk through its text.
    pub(in crate::format) fn find(file: &[u8], source: FileFormat, count: usize) -> Self {
        let Some((text, dialect)) = text_of(file, source) else {
            return Self::default();
        };
        let of_image = |i| FIELDS.map(|field| format!("images[{i}].{field}"));
        let packed: Vec<String> = (0..count).flat_map(of_image).collect();
        let paths: Vec<Path> = packed
            .iter()
            .map(|path| Path::of_packed(dialect, path))
            .collect();
        Self {
            places: packed.into_iter().zip(places(text, &paths)).collect(),
        }
    }

    /// Returns the findings in terms of a text, if all of them are about these fields.
    pub(in crate::format) fn place(
        &self,
        found: &Findings,
        source: FileFormat,
    ) -> Option<Findings> {
        let placed = |finding: &Finding| {
            let (offset, place) = self.places.get(&finding.path)?;
            Some(Finding {
                path: Path::of_packed(source.dialect(), &finding.path).to_string(),
                offset: *offset,
                text: Some(*place),
                ..finding.clone()
            })
        };
        let placed: Option<Vec<Finding>> = found.iter().map(placed).collect();
        Some(found.clone().with_kept(placed?))
    }
}
