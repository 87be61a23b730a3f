//! Ignored parts of a case's pictures.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeValue;

use pchr::bytes::Budget;
use pchr::compare::{Ignored, Region};
use pchr::image::{DEFAULT_BUDGET, decode_straight};

use super::patterns::is_unread;
use crate::files::{Kind, Reading};
use crate::run::Disk;
use crate::run::disk::Role;

/// Settings from the suite; `None` where it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ignore {
    /// `ignore`: rectangles, and the line.
    regions: Option<(Vec<Region>, usize)>,
    /// `mask`: the path of a picture from the suite's folder, and the line. Empty for none.
    mask: Option<(String, usize)>,
}

impl Ignore {
    /// Sets `ignore` or `mask`; `None` for any other key.
    pub(crate) fn set(
        &mut self,
        key: &str,
        value: &DeValue<'_>,
        line: usize,
    ) -> Option<Result<(), String>> {
        match key {
            "ignore" => Some(regions(value).map(|regions| self.regions = Some((regions, line)))),
            "mask" => Some(match value {
                DeValue::String(path) => {
                    self.mask = Some((path.to_string(), line));
                    Ok(())
                }
                _ => Err("expected the path of a PNG file".to_owned()),
            }),
            _ => None,
        }
    }

    /// Returns these settings, with missing ones from `others`.
    pub(crate) fn or(&self, others: &Self) -> Self {
        Self {
            regions: self.regions.as_ref().or(others.regions.as_ref()).cloned(),
            mask: self.mask.as_ref().or(others.mask.as_ref()).cloned(),
        }
    }
}

/// Parses a rectangle or a list of them.
fn regions(value: &DeValue<'_>) -> Result<Vec<Region>, String> {
    let region = |value: &DeValue<'_>| match value {
        DeValue::String(text) => text.parse::<Region>().map_err(|error| error.to_string()),
        _ => Err("expected a list of rectangles, like [\"0,240,64x16\"]".to_owned()),
    };
    match value {
        DeValue::Array(list) => list.iter().map(|one| region(one.get_ref())).collect(),
        one => Ok(vec![region(one)?]),
    }
}

/// Reason why pixels cannot be ignored, with its line in the suite.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The rectangles do not fit.
    Regions(usize, String),
    /// The mask does not fit, is missing or is not a picture; or, if true, it could not be read, and may exist.
    Mask(usize, String, bool),
}

/// Inputs that decide which pixels are ignored: rectangles, mask and size.
type IgnoreKey = (Vec<Region>, String, [u32; 2]);

/// Ignored pixels, computed once for all cases with the same settings.
#[derive(Debug, Default)]
pub(crate) struct Cache(BTreeMap<IgnoreKey, Option<Arc<Ignored>>>);

impl Cache {
    /// Returns the ignored pixels of pictures of a size; `None` if all are compared. Masks are in `folder`.
    ///
    /// # Errors
    /// The reason why they cannot be ignored.
    pub(crate) fn get(
        &mut self,
        ignore: &Ignore,
        size: [u32; 2],
        folder: &Path,
        disk: &Disk,
    ) -> Result<Option<Arc<Ignored>>, Unusable> {
        let (regions, of_regions) = ignore.regions.clone().unwrap_or_default();
        let (path, of_mask) = ignore.mask.clone().unwrap_or_default();
        let key = (regions, path, size);
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let (regions, path, _) = &key;
        let cannot = |why: &dyn std::fmt::Display| format!("mask: cannot read {path}: {why}");
        let mask = || {
            let place = folder.join(path);
            let png = disk.read(Reading::of(&place, Kind::Picture), Role::Input);
            let png =
                png.map_err(|error| Unusable::Mask(of_mask, cannot(&error), is_unread(&error)))?;
            let mask = decode_straight(&png, &Budget::new(DEFAULT_BUDGET));
            mask.map_err(|error| Unusable::Mask(of_mask, cannot(&error), false))
        };
        let mask = match path.as_str() {
            "" => None,
            _ => Some(mask()?),
        };
        let rectangles = Ignored::new(size, regions, None);
        rectangles.map_err(|error| Unusable::Regions(of_regions, format!("ignore: {error}")))?;
        let ignored = Ignored::new(size, regions, mask.as_ref());
        let ignored =
            ignored.map_err(|error| Unusable::Mask(of_mask, format!("mask: {error}"), false))?;
        let ignored = ignored.map(Arc::new);
        self.0.insert(key, ignored.clone());
        Ok(ignored)
    }
}
