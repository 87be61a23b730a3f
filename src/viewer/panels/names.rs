//! Names of files as they are shown.

use pchr_tools::text::visible;

/// Returns a name without hidden characters, or a replacement for an empty one.
pub(super) fn shown(name: &str) -> String {
    match name {
        "" => "(no name)".to_owned(),
        name => visible(name).into_owned(),
    }
}
