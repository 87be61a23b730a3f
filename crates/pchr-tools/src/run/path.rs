//! Names of paths in messages; `-` is stdin or stdout.

use std::path::Path;

use crate::file_name;
use crate::text::slashed;

/// Returns the name of a file in messages and reports.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        slashed(path)
    }
}

/// Returns the file name without folder and extension, as an output name that is valid on every system.
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
