//! Crowds: many figures of one file in a picture, each with its own clip, start and place.
//!
//! ```text
//! Instances (how many, and how they stand) ──places──► origins ─┐
//! scene::Subject ───────────────────────────────────────────────┴──subject──► Crowd, a scene::Subject of its figures
//! ```

mod subject;
#[cfg(test)]
mod subject_tests;

pub use subject::{Crowd, CrowdFault};

use std::fmt;
use std::str::FromStr;

/// Number of figures, and how they stand: `N` or `N,scatter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instances {
    /// Number of figures, 1 to [`Self::MOST`].
    pub count: u16,
    /// True if they are scattered; else they stand in a grid.
    pub scattered: bool,
}

impl Instances {
    /// Largest number of figures.
    pub const MOST: u16 = 10_000;
    /// One figure.
    pub const ONE: Self = Self { count: 1, scattered: false };
}

impl FromStr for Instances {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (count, manner) = text.split_once(',').unwrap_or((text, "grid"));
        let count = count.trim().parse::<u16>().ok();
        let count = count.filter(|count| (1..=Self::MOST).contains(count));
        let scattered = match manner.trim() {
            "grid" => Some(false),
            "scatter" => Some(true),
            _ => None,
        };
        match (count, scattered) {
            (Some(count), Some(scattered)) => Ok(Self { count, scattered: scattered && count > 1 }),
            _ => Err(format!(
                "invalid instances {text:?}: expected 1 to {}, alone or with grid or scatter, like 16 or 16,scatter",
                Self::MOST
            )),
        }
    }
}

impl fmt::Display for Instances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)?;
        if self.scattered { f.write_str(",scatter") } else { Ok(()) }
    }
}
