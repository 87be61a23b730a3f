//! Destinations of pictures: standard output, an atlas, or files, by names with placeholders.

use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr;

use crate::file_name;
use crate::file_name::safe;

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

/// An output path that may hold `{frame}`, `{frame:04}`, `{animation}` and `{file}`; `{{` and `}}` are braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    pieces: Vec<NamePiece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamePiece {
    Text(String),
    Frame { width: usize },
    Animation,
    File,
}

/// Reason why a template is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// An unknown field.
    #[error(
        "unknown field {{{0}}} in an output name: expected {{frame}}, {{frame:04}}, {{animation}} or {{file}}"
    )]
    Unknown(String),
    /// A brace without its other half.
    #[error("unpaired brace in an output name; write {{{{ or }}}} for a literal brace")]
    Brace,
}

/// Values of the placeholders.
#[derive(Clone, Copy, Debug)]
pub struct TemplateFields<'a> {
    /// Frame number.
    pub frame: u16,
    /// Name of the animation.
    pub animation: &'a str,
    /// Name of the input file without folder and extension.
    pub file: &'a str,
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            literal.push_str(before);
            if let Some(after) = brace.strip_prefix("{{") {
                literal.push('{');
                rest = after;
            } else if let Some(after) = brace.strip_prefix("}}") {
                literal.push('}');
                rest = after;
            } else if let Some((name, after)) =
                brace.strip_prefix('{').and_then(|b| b.split_once('}'))
            {
                pieces.push(NamePiece::Text(std::mem::take(&mut literal)));
                pieces.push(place(name)?);
                rest = after;
            } else {
                return Err(TemplateError::Brace);
            }
        }
        literal.push_str(rest);
        pieces.push(NamePiece::Text(literal));
        Ok(Self {
            text: text.to_owned(),
            pieces,
        })
    }
}

fn place(name: &str) -> Result<NamePiece, TemplateError> {
    match name {
        "frame" => Ok(NamePiece::Frame { width: 0 }),
        "animation" => Ok(NamePiece::Animation),
        "file" => Ok(NamePiece::File),
        _ => {
            let width = name
                .strip_prefix("frame:")
                .and_then(|width| width.parse().ok());
            let width = width.filter(|width| *width <= 9);
            width
                .map(|width| NamePiece::Frame { width })
                .ok_or_else(|| TemplateError::Unknown(name.to_owned()))
        }
    }
}

impl Template {
    /// Returns the template as typed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if each frame has its own path.
    #[must_use]
    pub fn tells_frames_apart(&self) -> bool {
        let is_frame = |piece: &NamePiece| matches!(piece, NamePiece::Frame { .. });
        self.pieces.iter().any(is_frame)
    }

    /// Returns true if each animation has its own path.
    #[must_use]
    pub fn tells_animations_apart(&self) -> bool {
        self.pieces.contains(&NamePiece::Animation)
    }

    /// Returns the path of one picture. Names become file names that are valid on every system and stay in their folder.
    #[must_use]
    pub fn fill(&self, fields: &TemplateFields<'_>) -> String {
        let mut path = String::new();
        for piece in &self.pieces {
            match piece {
                NamePiece::Text(text) => path.push_str(text),
                NamePiece::Frame { width } => {
                    let _ = write!(path, "{:0width$}", fields.frame);
                }
                NamePiece::Animation => path.push_str(&safe(fields.animation)),
                NamePiece::File => path.push_str(&safe(fields.file)),
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, animation: &str) -> String {
        let fields = TemplateFields {
            frame: 7,
            animation,
            file: "hero",
        };
        template.parse::<Template>().unwrap().fill(&fields)
    }

    #[test]
    fn places_are_filled() {
        assert_eq!(
            fill("out/{file}-{animation}.{frame:04}.png", "walk"),
            "out/hero-walk.0007.png"
        );
        assert_eq!(fill("{frame}{{x}}", "walk"), "7{x}");
        assert_eq!(fill("plain.png", "walk"), "plain.png");
    }

    #[test]
    fn a_name_cannot_leave_its_folder() {
        assert_eq!(fill("out/{animation}.png", "../a/b\0"), "out/.._a_b_.png");
        assert_eq!(fill("{animation}/x.png", ".."), "__/x.png");
        assert_eq!(fill("{animation}/x.png", ""), "_/x.png");
        assert_eq!(fill("{animation}/x.png", "CON"), "CON_/x.png");
        assert_eq!(fill("{animation}/x.png", "a. "), "a__/x.png");
    }

    #[test]
    fn what_is_not_known_is_named() {
        let error = |text: &str| text.parse::<Template>().unwrap_err();
        assert_eq!(error("{name}.png"), TemplateError::Unknown("name".into()));
        assert_eq!(
            error("{frame:x}.png"),
            TemplateError::Unknown("frame:x".into())
        );
        assert_eq!(error("a{.png"), TemplateError::Brace);
        assert_eq!(error("a}.png"), TemplateError::Brace);
    }
}
