//! Destination of pictures.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::capture::Template;
use crate::file_name;

/// Target of pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// One PNG on stdout.
    Stdout,
    /// PNG files.
    Files(Template),
    /// A PCT atlas with the images of its pages beside it.
    Sheet(PathBuf),
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self::Stdout);
        }
        if text.to_ascii_lowercase().ends_with(".pct") {
            return Ok(Self::Sheet(text.into()));
        }
        if !text.to_ascii_lowercase().ends_with(".png") && !file_name::is_null(Path::new(text)) {
            return Err(
                "pictures are written as .png, as an atlas with .pct, or with - to stdout"
                    .to_owned(),
            );
        }
        let template: Result<Template, _> = text.parse();
        template.map(Self::Files).map_err(|error| error.to_string())
    }
}
