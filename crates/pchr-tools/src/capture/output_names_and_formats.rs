//! Destinations of pictures (standard output, an atlas, files by names with placeholders), the formats of animations and atlases with
//! their endings and limits, and finished pictures: drawn pixels over their backdrop, with straight alpha.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use pchr::document::AnimationId;
use pchr::image::{Pixels, multiply_255, unpremultiply};

use crate::file_name;
use crate::file_name::safe;

/// Target of pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// One PNG on stdout.
    Stdout,
    /// PNG files.
    Files(Template),
    /// An atlas with the images of its pages beside it.
    Sheet(SheetFormat, Template),
    /// Files of animations, one for each.
    Animation(AnimationFormat, Template),
}

/// Format of an atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SheetFormat {
    Pct,
    /// JSON as TexturePacker writes it.
    Json,
}

/// Format of an animation's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnimationFormat {
    /// Exact pixels and times.
    Apng,
    /// 256 colours.
    Gif,
    /// Exact pixels, times in milliseconds.
    Webp,
    /// A video that FFmpeg encodes.
    Video(VideoFormat),
}

/// Endings of the formats' files, in small letters.
const ENDINGS: [(&str, AnimationFormat); 6] = [
    ("apng", AnimationFormat::Apng),
    ("gif", AnimationFormat::Gif),
    ("webp", AnimationFormat::Webp),
    ("mp4", AnimationFormat::Video(VideoFormat::Mp4)),
    ("webm", AnimationFormat::Video(VideoFormat::Webm)),
    ("mov", AnimationFormat::Video(VideoFormat::Mov)),
];

impl AnimationFormat {
    /// Returns the format of a file by its ending.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        ENDINGS.iter().find(|(of, _)| **of == ending).map(|(_, format)| *format)
    }

    /// Returns the most pixels on a side.
    pub(crate) fn most_side(self) -> u32 {
        match self {
            Self::Gif => 65_535,
            Self::Webp | Self::Video(_) => 16_384,
            Self::Apng => u32::MAX,
        }
    }

    /// Returns the most pictures per second that players show.
    pub(crate) fn most_fps(self) -> f64 {
        match self {
            Self::Gif => 50.0, // a shorter delay than 2/100 s is taken for 10/100 s
            _ => 1000.0,
        }
    }
}

/// Container of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VideoFormat {
    /// H.264, which everything plays; without transparency.
    Mp4,
    /// VP9 with alpha.
    Webm,
    /// ProRes 4444 with alpha, for video editors.
    Mov,
}

impl VideoFormat {
    /// Returns true if its videos may be transparent.
    pub(crate) fn has_alpha(self) -> bool {
        self != Self::Mp4
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnimationFile {
    pub(crate) path: PathBuf,
    /// The animation; `None` for the stored pose.
    pub(crate) animation: Option<AnimationId>,
    /// Number of its pictures, which follow each other; at least 1.
    pub(crate) frames: usize,
    /// Frames per second.
    pub(crate) rate: f64,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self::Stdout);
        }
        let template = || text.parse::<Template>();
        let small = text.to_ascii_lowercase();
        let sheet = match (small.ends_with(".pct"), small.ends_with(".json")) {
            (true, _) => Some(SheetFormat::Pct),
            (_, true) => Some(SheetFormat::Json),
            _ => None,
        };
        if let Some(format) = sheet {
            let template = template()?;
            if template.tells_frames_apart() || template.tells_animations_apart() {
                return Err("one atlas file holds all pictures, so its name may contain {file}, but not {animation} or {frame}".to_owned());
            }
            return Ok(Self::Sheet(format, template));
        }
        if let Some(format) = AnimationFormat::of(Path::new(text)) {
            let template = template()?;
            if template.tells_frames_apart() {
                return Err("one file holds all frames of an animation, so its name may contain {animation} and {file}, but not {frame}".to_owned());
            }
            return Ok(Self::Animation(format, template));
        }
        if !small.ends_with(".png") && !file_name::is_null(Path::new(text)) {
            return Err(
                "expected a name that ends in .png (pictures), .apng, .gif, .webp, .mp4, .webm or .mov (an animation), .json or .pct (an atlas), or - for standard output"
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
    pieces: Vec<OutputPiece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OutputPiece {
    Text(String),
    Frame { width: usize },
    Animation,
    File,
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
    type Err = String;

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
                pieces.push(OutputPiece::Text(std::mem::take(&mut literal)));
                pieces.push(place(name)?);
                rest = after;
            } else {
                return Err("unpaired brace in an output name; write {{ or }} for a literal brace"
                    .to_owned());
            }
        }
        literal.push_str(rest);
        pieces.push(OutputPiece::Text(literal));
        Ok(Self { text: text.to_owned(), pieces })
    }
}

fn place(name: &str) -> Result<OutputPiece, String> {
    match name {
        "frame" => Ok(OutputPiece::Frame { width: 0 }),
        "animation" => Ok(OutputPiece::Animation),
        "file" => Ok(OutputPiece::File),
        _ => {
            let width = name.strip_prefix("frame:").and_then(|width| width.parse().ok());
            let width = width.filter(|width| *width <= 9);
            width.map(|width| OutputPiece::Frame { width }).ok_or_else(|| {
                format!(
                    "unknown field {{{name}}} in an output name: expected {{frame}}, {{frame:04}}, {{animation}} or {{file}}"
                )
            })
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
        let is_frame = |piece: &OutputPiece| matches!(piece, OutputPiece::Frame { .. });
        self.pieces.iter().any(is_frame)
    }

    /// Returns true if each animation has its own path.
    #[must_use]
    pub fn tells_animations_apart(&self) -> bool {
        self.pieces.contains(&OutputPiece::Animation)
    }

    /// Returns the path of one picture. Names become file names that are valid on every system and stay in their folder.
    #[must_use]
    pub fn fill(&self, fields: &TemplateFields<'_>) -> String {
        let mut path = String::new();
        for piece in &self.pieces {
            match piece {
                OutputPiece::Text(text) => path.push_str(text),
                OutputPiece::Frame { width } => {
                    let _ = write!(path, "{:0width$}", fields.frame);
                }
                OutputPiece::Animation => path.push_str(&safe(fields.animation)),
                OutputPiece::File => path.push_str(&safe(fields.file)),
            }
        }
        path
    }
}

/// Background under the character, unless it is a colour that the renderer clears to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Backdrop {
    /// No backdrop: the picture as drawn.
    #[default]
    None,
    /// A checkerboard.
    Checker {
        /// Colour of the square in the upper left corner, and every other one from there: RGB, sRGB-encoded.
        even: [u8; 3],
        /// Colour of the other squares.
        odd: [u8; 3],
        /// Side of a square in pixels; 0 counts as 1.
        size: u32,
    },
    /// A picture: opaque, and of the output's size ([`pchr::image::cover`] makes it).
    Picture(Arc<Pixels>),
}

impl Backdrop {
    /// Puts the backdrop under premultiplied pixels, which become opaque, unless it is [`Self::None`].
    fn lay_under(&self, pixels: &mut Pixels) {
        match self {
            Self::None => {}
            Self::Checker { even, odd, size } => {
                let (width, size) = (pixels.width.max(1) as usize, (*size).max(1) as usize);
                let rows = pixels.rgba.as_chunks_mut::<4>().0.chunks_mut(width);
                for (y, row) in rows.enumerate() {
                    for (x, pixel) in row.iter_mut().enumerate() {
                        let is_even = (x / size + y / size).is_multiple_of(2);
                        lay_over(pixel, if is_even { *even } else { *odd });
                    }
                }
            }
            Self::Picture(picture) => {
                let behind = picture.rgba.as_chunks::<4>().0;
                for (pixel, [r, g, b, _]) in pixels.rgba.as_chunks_mut().0.iter_mut().zip(behind) {
                    lay_over(pixel, [*r, *g, *b]);
                }
            }
        }
    }
}

/// Steps from drawn pixels to a finished picture. On the window's screen `composite.wgsl` takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finish {
    /// Backdrop under the pixels.
    pub backdrop: Backdrop,
}

impl Finish {
    /// Converts drawn pixels to a picture for a file: over the backdrop, with straight alpha.
    pub fn run(&self, pixels: &mut Pixels) {
        let Self { backdrop } = self;
        backdrop.lay_under(pixels);
        unpremultiply(&mut pixels.rgba);
    }
}

/// Puts a premultiplied pixel over an opaque colour.
fn lay_over(pixel: &mut [u8; 4], behind: [u8; 3]) {
    let [r, g, b, a] = *pixel;
    let over = |c: u8, behind: u8| c.saturating_add(multiply_255(behind, 255 - a));
    let [behind_r, behind_g, behind_b] = behind;
    *pixel = [over(r, behind_r), over(g, behind_g), over(b, behind_b), 255];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, animation: &str) -> String {
        let fields = TemplateFields { frame: 7, animation, file: "hero" };
        template.parse::<Template>().unwrap().fill(&fields)
    }

    #[test]
    fn places_are_filled() {
        assert_eq!(fill("out/{file}-{animation}.{frame:04}.png", "walk"), "out/hero-walk.0007.png");
        assert_eq!(fill("{frame}{{x}}", "walk"), "7{x}");
        assert_eq!(fill("plain.png", "walk"), "plain.png");
    }

    #[test]
    fn what_is_not_known_is_named() {
        let error = |text: &str| text.parse::<Template>().unwrap_err();
        assert!(error("{frame:x}.png").starts_with("unknown field {frame:x} "));
        assert!(error("a}.png").starts_with("unpaired brace "));
    }

    #[test]
    fn a_picture_shows_through_what_is_not_opaque() {
        let rgba = [200, 100, 0, 255].repeat(3);
        let picture = Backdrop::Picture(Arc::new(Pixels { width: 3, height: 1, rgba }));
        let mut pixels =
            Pixels { width: 3, height: 1, rgba: vec![0, 0, 0, 0, 0, 0, 51, 51, 7, 8, 9, 255] };
        picture.lay_under(&mut pixels);
        assert_eq!(pixels.rgba, [200, 100, 0, 255, 160, 80, 51, 255, 7, 8, 9, 255]);
    }
}
