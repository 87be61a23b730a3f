//! Destination of pictures.

use std::path::Path;
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
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self::Stdout);
        }
        if !text.to_ascii_lowercase().ends_with(".png") && !file_name::is_null(Path::new(text)) {
            return Err("pictures are written as .png, or with - to stdout".to_owned());
        }
        let template: Result<Template, _> = text.parse();
        template.map(Self::Files).map_err(|error| error.to_string())
    }
}
