//! Texture atlases of every format, recognised by content.

#[cfg(feature = "json")]
use super::Losses;
#[cfg(feature = "json")]
use super::atlas_json::{self, Dialect};
use super::pct;
use crate::atlas::Atlas;
use crate::finding::{Findings, Invalid};

/// A format of atlases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtlasFormat {
    /// Phaser's Compact Texture atlas.
    Pct,
    /// JSON.
    #[cfg(feature = "json")]
    Json(Dialect),
}

impl AtlasFormat {
    /// Returns a short name, the same in all reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pct => "pct",
            #[cfg(feature = "json")]
            Self::Json(dialect) => dialect.id(),
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pct => "PCT 1.0",
            #[cfg(feature = "json")]
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
    #[cfg(feature = "json")]
    pub losses: Losses,
}

/// Returns true if a file is an atlas, or appears to be meant as one.
#[must_use]
pub fn looks_like_an_atlas(bytes: &[u8]) -> bool {
    #[cfg(feature = "json")]
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
    #[cfg(feature = "json")]
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
        #[cfg(feature = "json")]
        losses: Losses::default(),
    })
}
