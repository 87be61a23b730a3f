//! Actions of the group [`Action::Reference`](super::Action::Reference).

use std::path::PathBuf;
use std::sync::Arc;

use pchr::image::Levels;

use crate::viewer::reference::ReferenceLook;

/// Comparing with a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReferenceAction {
    /// Asks for a picture with the system's dialog.
    Ask,
    /// Reads a picture and shows it.
    Open(PathBuf),
    /// Shows a picture that was read, premultiplied, as large as the character.
    Show(PathBuf, Arc<Levels>),
    /// Another place or look.
    Look(ReferenceLook),
    /// Hides or shows it.
    Toggle,
    /// Puts it over the character, or behind it.
    Turn,
    /// Makes it as large as the character.
    Fit,
    /// Takes it away.
    Remove,
}

impl ReferenceAction {
    /// Name in a few words.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Ask => "Reference picture…",
            Self::Open(_) | Self::Show(..) => "Show a reference picture",
            Self::Look(_) => "Change the reference picture",
            Self::Toggle => "Hide or show the reference picture",
            Self::Turn => "Reference picture above or below",
            Self::Fit => "Fit the reference picture",
            Self::Remove => "Remove the reference picture",
        }
    }
}
