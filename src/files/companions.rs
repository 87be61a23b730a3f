//! Files that are shown with another.

use std::path::PathBuf;

/// Files that are shown with another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Companions {
    /// The skeleton of a motion.
    pub skeleton: Option<PathBuf>,
    /// Motions for a skeleton or a character.
    pub motions: Vec<PathBuf>,
}

impl Companions {
    /// Without any.
    pub const NONE: Self = Self {
        skeleton: None,
        motions: Vec::new(),
    };
}
