//! Texture atlases in JSON: TexturePacker's two forms and Phaser's multi-atlas, read and written.
//!
//! ```text
//! text ──recognise──► dialect ──read──► Atlas, findings with lines and columns, and a list of what an atlas cannot hold
//! Atlas ──write──► text, and a list of what it cannot hold
//! ```

use pchr::finding::rules;

use super::json_text::{AfterKey, each_key};

pub use read::read;
pub use write::{Layout, SheetClip, write};

mod read;
#[cfg(test)]
mod tests;
mod write;

rules! {
    /// A rule of atlases in JSON: TexturePacker's and Phaser's. Those of sprites and pages are [`PctRule`](crate::atlas::PctRule)s.
    AtlasJsonRule "ATLAS"

    /// The text is valid JSON in UTF-8.
    Syntax = Error "001" "syntax" {
        example: "document: expected `,` or `}`",
        advice: "Export the file again; a comma or a bracket is missing, or the file was cut short.",
    }
    /// Values that an atlas needs are present, and have the right type.
    Value = Error "002" "value" {
        example: "frames.hero.frame.x: invalid type: string \"8px\", expected a 32-bit whole number",
        advice: "Write a value of the expected type: sizes and positions are whole numbers of pixels, without units.",
    }
    /// A file is at most 256 MiB in size and has at most 1,000,000 sprites.
    Limit = Error "003" "limit" {
        example: "frames: more than 1000000 sprites",
        advice: "Split the atlas.",
    }
    /// A trimmed sprite has a source.
    Source = Error "004" "source" {
        example: "frames.hero: trimmed, but without sourceSize and spriteSourceSize",
        advice: "Export the file again with trim information. Phaser fails on such a file.",
    }
    /// A page names its image.
    Image = Warning "101" "image" {
        example: "meta.image: missing; the page is named \"\"",
        advice: "Write the file name of the image as meta.image.",
    }
    /// Names of sprites are unique.
    NameDuplicate = Warning "102" "name-duplicate" {
        example: "frames.hero: \"hero\" is also the name of an earlier sprite; the later one is used",
        advice: "Give each sprite its own name, or load each page as a separate atlas.",
    }
    /// A sprite that is not trimmed is as large as its source.
    TrimFlag = Warning "103" "trim-flag" {
        example: "frames.hero: not marked as trimmed, but 40 x 30 of a source of 64 x 64; drawn untrimmed, as in Phaser",
        advice: "Write \"trimmed\": true if the sprite is trimmed.",
    }
    /// A sprite is as large in its source as on its page.
    SourceSize = Warning "104" "source-size" {
        example: "frames.hero.spriteSourceSize: 64 x 64, but the frame is 40 x 30; the frame's size is used",
        advice: "Export the file again: spriteSourceSize is the sprite's position and size in its source.",
    }
    /// All pages of an atlas are in one file.
    MultiPack = Warning "105" "multi-pack" {
        example: "meta.related_multi_packs: only this file of a multi-pack is read, not the others: \"hero-1.json\"",
        advice: "Open each file by itself, or export a Phaser multi-atlas, which has all pages in one file.",
    }
    /// An atlas has no frame durations, frame tags or animations.
    Playback = Warning "106" "playback" {
        example: "meta.frameTags: frame tags are ignored; numbered sprites are played in order, all equally long",
        advice: "Choose the speed where the sprites are played. To play a tag or an animation alone, export its sprites with a name of their own, like run_0, run_1.",
    }
}

/// JSON dialects of atlases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtlasDialect {
    /// TexturePacker's hash: one page, and an object of sprites by their names.
    #[default]
    Hash,
    /// TexturePacker's array: one page, and a list of sprites.
    Array,
    /// Phaser's multi-atlas: a list of pages, each with its sprites.
    MultiAtlas,
}

impl AtlasDialect {
    /// Returns a short name, the same in all reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Array => "array",
            Self::MultiAtlas => "multiatlas",
        }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hash => "TexturePacker JSON (hash)",
            Self::Array => "TexturePacker JSON (array)",
            Self::MultiAtlas => "Phaser multi-atlas JSON",
        }
    }

    /// Returns the largest number of pages that it can hold.
    #[must_use]
    pub const fn most_pages(self) -> usize {
        match self {
            Self::Hash | Self::Array => 1,
            Self::MultiAtlas => usize::MAX,
        }
    }

    /// Returns the usual dialect for a number of pages.
    #[must_use]
    pub const fn for_pages(pages: usize) -> Self {
        if pages > 1 { Self::MultiAtlas } else { Self::Hash }
    }
}

/// Returns true if bytes are an atlas in JSON, possibly damaged: an object with `frames` or `textures`, and without the keys of a
/// character.
#[must_use]
pub fn looks_like_an_atlas(bytes: &[u8]) -> bool {
    let (mut atlas, mut character) = (false, false);
    each_key(bytes, |_, key| match key {
        "fps" | "images" | "bones" | "meshes" => {
            character = true;
            AfterKey::Stop
        }
        _ => {
            atlas |= matches!(key, "frames" | "textures");
            AfterKey::Next
        }
    });
    atlas && !character
}
