//! Short messages in the strip above the picture.

use pchr_tools::text::visible;

use super::Action;

/// A message that is shown for some seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub text: String,
    /// Action of a button beside the text.
    pub offer: Option<Box<Action>>,
}

impl Message {
    /// Creates a message without a button.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self {
            text: visible(text.as_ref()).into_owned(),
            offer: None,
        }
    }

    /// Adds a button for an action.
    pub(crate) fn offering(self, action: Action) -> Self {
        Self {
            offer: Some(Box::new(action)),
            ..self
        }
    }
}
