//! Motions of every format, recognised by content.

use std::borrow::Cow;

use pchr::finding::{Findings, Invalid};
use pchr::format::Losses;

use super::seanim;
use super::seanim_json;
use crate::motion::Motion;

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

    /// Returns the format of a file that is a motion, or appears to be meant as one.
    fn of(bytes: &[u8]) -> Option<Self> {
        if seanim_json::looks_like_a_mirror(bytes) {
            return Some(Self::SeanimJson);
        }
        seanim::is_seanim(bytes).then_some(Self::Seanim)
    }
}

/// A motion that was read.
#[derive(Clone, Debug)]
pub struct MotionFile {
    /// The motion.
    pub motion: Motion,
    /// Its format.
    pub format: MotionFormat,
    /// Warnings about it.
    pub warnings: Findings,
    /// Values that a motion cannot hold.
    pub losses: Losses,
    /// Blocks of the file; of another format, those of the SEAnim file that it says.
    pub outline: seanim::Outline,
}

/// Returns true if a file is a motion, or appears to be meant as one.
#[must_use]
pub fn looks_like_a_motion(bytes: &[u8]) -> bool {
    MotionFormat::of(bytes).is_some()
}

/// Reads a motion of any format, with its findings. An unrecognised file is read as SEAnim.
///
/// # Errors
/// [`Invalid`] with every finding, if one of them is an error.
pub fn read_motion(bytes: Cow<'static, [u8]>) -> Result<MotionFile, Invalid> {
    match MotionFormat::of(&bytes) {
        Some(format @ MotionFormat::SeanimJson) => {
            let mirror = seanim_json::read(&bytes)?;
            Ok(MotionFile {
                motion: mirror.motion,
                format,
                warnings: mirror.warnings,
                losses: mirror.losses,
                outline: mirror.outline,
            })
        }
        _ => {
            let outline = seanim::outline(&bytes).unwrap_or_default();
            let (motion, warnings) = seanim::read(bytes)?;
            Ok(MotionFile {
                motion,
                format: MotionFormat::Seanim,
                warnings,
                losses: Losses::default(),
                outline,
            })
        }
    }
}
