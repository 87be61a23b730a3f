//! Texture atlases of every format, recognised by content.

use pchr::finding::{Findings, Invalid};
use pchr::format::Losses;

use super::atlas_json::{self, Dialect};
use super::pct;
use crate::atlas::Atlas;

/// A format of atlases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtlasFormat {
    /// Phaser's Compact Texture atlas.
    Pct,
    /// JSON.
    Json(Dialect),
}

impl AtlasFormat {
    /// Returns a short name, the same in all reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pct => "pct",
            Self::Json(dialect) => dialect.id(),
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pct => "PCT 1.0",
            Self::Json(dialect) => dialect.name(),
        }
    }
}

/// An atlas that was read.
#[derive(Clone, Debug)]
pub struct AtlasText {
    /// The atlas.
    pub atlas: Atlas,
    /// Its format.
    pub format: AtlasFormat,
    /// Warnings about it.
    pub warnings: Findings,
    /// Values that an atlas cannot hold.
    pub losses: Losses,
}

/// Returns true if a file is an atlas, or appears to be meant as one.
#[must_use]
pub fn looks_like_an_atlas(bytes: &[u8]) -> bool {
    if atlas_json::looks_like_an_atlas(bytes) {
        return true;
    }
    pct::looks_like_pct(bytes)
}

/// Reads an atlas of any format, with its findings. Page images are not read.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_atlas(bytes: &[u8]) -> Result<AtlasText, Invalid> {
    if atlas_json::looks_like_an_atlas(bytes) {
        let read = atlas_json::read(bytes)?;
        return Ok(AtlasText {
            atlas: read.atlas,
            format: AtlasFormat::Json(read.dialect),
            warnings: read.warnings,
            losses: read.losses,
        });
    }
    let (atlas, warnings) = pct::read(bytes)?;
    Ok(AtlasText {
        atlas,
        format: AtlasFormat::Pct,
        warnings,
        losses: Losses::default(),
    })
}
