//! Files that are shown with another.

use std::path::PathBuf;

/// Files that are shown with another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Companions {
    /// The skeleton that was chosen for motions.
    pub skeleton: Option<PathBuf>,
    /// The skeleton of a motion for which none was chosen, and beside which none lies.
    pub offered: Option<PathBuf>,
    /// Motions for a skeleton or a character.
    pub motions: Vec<PathBuf>,
}

impl Companions {
    /// Without any.
    pub const NONE: Self = Self {
        skeleton: None,
        offered: None,
        motions: Vec::new(),
    };
}
