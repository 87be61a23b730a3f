//! Companion files, which are shown together with another file.

use std::path::PathBuf;

/// Companion files, which are shown together with another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Companions {
    /// The skeleton selected for motions.
    pub skeleton: Option<PathBuf>,
    /// The skeleton of a motion for which none was selected, and which has none beside it.
    pub offered: Option<PathBuf>,
    /// Motions for a skeleton or a character.
    pub motions: Vec<PathBuf>,
}

impl Companions {
    /// No companions.
    pub const NONE: Self = Self {
        skeleton: None,
        offered: None,
        motions: Vec::new(),
    };
}
