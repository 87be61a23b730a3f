//! Formats of atlases and 3D motions, recognised by content.
#![deny(clippy::arithmetic_side_effects)]

use std::borrow::Cow;

use pchr::document::PchrRule;
use pchr::finding::{Findings, Invalid, Rule};
use pchr::format::Losses;
use pchr::scene::{BudgetRule, SmoothnessRule};

use self::atlas_json::{AtlasDialect, AtlasJsonRule};
use self::gltf::GltfRule;
use self::pxd::PxdRule;
use super::acl::AclRule;
use super::atlas::{Atlas, PctRule};
use super::motion::{ArmatureRule, Motion, PlaneRule, SeanimRule};

pub(crate) use adapt::{list_reframed, list_unheld};

pub mod adapt;
pub mod atlas_json;
pub mod dragonbones;
pub mod gltf;
mod json_text;
pub mod pct;
pub mod pxd;
pub mod seanim;
pub mod seanim_json;

/// Returns the rules of all formats, grouped by format: errors first, sorted by id.
pub fn rules() -> impl Iterator<Item = Rule> + Clone {
    let pchr = PchrRule::ALL.iter().map(|rule| rule.rule());
    let atlases = PctRule::ALL.iter().map(|rule| rule.rule());
    let atlases = atlases.chain(AtlasJsonRule::ALL.iter().map(|rule| rule.rule()));
    let motions = SeanimRule::ALL.iter().map(|rule| rule.rule());
    let motions = motions.chain(PxdRule::ALL.iter().map(|rule| rule.rule()));
    let motions = motions.chain(AclRule::ALL.iter().map(|rule| rule.rule()));
    let motions = motions.chain(GltfRule::ALL.iter().map(|rule| rule.rule()));
    let shown = PlaneRule::ALL.iter().map(|rule| rule.rule());
    let shown = shown.chain(ArmatureRule::ALL.iter().map(|rule| rule.rule()));
    let smoothness = SmoothnessRule::ALL.iter().map(|rule| rule.rule());
    let budgets = BudgetRule::ALL.iter().map(|rule| rule.rule());
    pchr.chain(atlases).chain(motions).chain(shown).chain(smoothness).chain(budgets)
}

/// Returns the content that `read` reads, with its findings. They have an error if it returns `None`.
fn with_findings<T>(
    read: impl FnOnce(&mut Findings) -> Option<T>,
) -> Result<(T, Findings), Invalid> {
    let mut found = Findings::default();
    match read(&mut found) {
        Some(read) => Ok((read, found)),
        None => Err(Invalid(found)),
    }
}

/// A format of atlases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtlasFormat {
    /// Phaser's Compact Texture atlas.
    Pct,
    /// JSON.
    Json(AtlasDialect),
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
    atlas_json::looks_like_an_atlas(bytes) || pct::looks_like_pct(bytes)
}

/// Reads an atlas of any format, with its findings. Page images are not read.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_atlas(bytes: &[u8]) -> Result<AtlasText, Invalid> {
    if atlas_json::looks_like_an_atlas(bytes) {
        return atlas_json::read(bytes);
    }
    let (atlas, warnings) = pct::read(bytes)?;
    Ok(AtlasText { atlas, format: AtlasFormat::Pct, warnings, losses: Losses::default() })
}

/// A format of motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionFormat {
    /// SEAnim version 1.
    Seanim,
    /// Its mirror in JSON.
    SeanimJson,
}

impl MotionFormat {
    /// Returns a short name, the same in all reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Seanim => "seanim",
            Self::SeanimJson => "seanim-json",
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seanim => "SEAnim v1",
            Self::SeanimJson => "SEAnim JSON",
        }
    }
}

/// A motion that was read.
#[derive(Clone, Debug)]
pub struct MotionFile {
    /// The motion. Of another format than SEAnim, its offsets are those of the SEAnim file that it says.
    pub motion: Motion,
    /// Its format.
    pub format: MotionFormat,
    /// Warnings about it.
    pub warnings: Findings,
    /// Values that a motion cannot hold.
    pub losses: Losses,
    /// Blocks of the file; of another format, those of the SEAnim file that it says.
    pub outline: seanim::SeanimOutline,
}

/// Returns true if a file is a motion, or appears to be meant as one.
#[must_use]
pub fn looks_like_a_motion(bytes: &[u8]) -> bool {
    seanim_json::looks_like_a_mirror(bytes) || seanim::is_seanim(bytes)
}

/// Reads a motion of any format, with its findings. An unrecognised file is read as SEAnim.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_motion(bytes: Cow<'static, [u8]>) -> Result<MotionFile, Invalid> {
    if seanim_json::looks_like_a_mirror(&bytes) {
        return seanim_json::read(&bytes);
    }
    let outline = seanim::outline(&bytes).unwrap_or_default();
    let (motion, warnings) = seanim::read(bytes)?;
    let format = MotionFormat::Seanim;
    Ok(MotionFile { motion, format, warnings, losses: Losses::default(), outline })
}
