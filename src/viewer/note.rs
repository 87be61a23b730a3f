//! Notes, such as the reason why an older version of a file is shown.

/// A message that stays as long as it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// The message in a few words.
    pub text: String,
    /// The reason, with its place in the file. Shown on demand.
    pub detail: String,
}
