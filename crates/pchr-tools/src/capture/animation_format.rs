//! Formats of animations as files.

use std::path::{Path, PathBuf};

use pchr::document::AnimationId;

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

/// An animation in a file.
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
