//! Options that cannot be followed.

/// An option that asks for what the subject does not have.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct ViewError {
    /// Long name of the option.
    pub(crate) option: &'static str,
    text: String,
}

impl ViewError {
    pub(super) fn new(option: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { option, text }
    }
}
