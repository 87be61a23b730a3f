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
    /// A PCT atlas with the images of its pages beside it.
    Sheet(Template),
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self::Stdout);
        }
        let template = || text.parse::<Template>().map_err(|error| error.to_string());
        if text.to_ascii_lowercase().ends_with(".pct") {
            let template = template()?;
            if template.tells_frames_apart() || template.tells_animations_apart() {
                return Err("one atlas file holds all pictures, so its name may contain {file}, but not {animation} or {frame}".to_owned());
            }
            return Ok(Self::Sheet(template));
        }
        if !text.to_ascii_lowercase().ends_with(".png") && !file_name::is_null(Path::new(text)) {
            return Err(
                "expected a name that ends in .png (pictures) or .pct (an atlas), or - for standard output"
                    .to_owned(),
            );
        }
        template().map(Self::Files)
    }
}
