//! Paths as messages name them; `-` is stdin or stdout.

use std::path::Path;

use crate::file_name;
use crate::text::slashed;

/// The name that messages and reports give the file.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        slashed(path)
    }
}

/// The file's name without folder and extension, as a name for outputs that every system can hold.
pub(crate) fn stem(path: &Path) -> String {
    if is_stdin(path) {
        return "stdin".to_owned();
    }
    file_name::stem(path)
}

/// Returns true for `-`: stdin for inputs, stdout for outputs.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
