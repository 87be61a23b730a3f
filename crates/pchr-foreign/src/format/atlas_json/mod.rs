//! Texture atlases in JSON: TexturePacker's two forms and Phaser's multi-atlas, read and written.
//!
//! ```text
//! text ──recognise──► dialect ──read──► Atlas, findings with lines and columns, and a list of what an atlas cannot hold
//! Atlas ──write──► text, and a list of what it cannot hold
//! ```

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use pchr::format::other::{start, without_mark};

pub use read::{JsonAtlas, read};
pub use rule::AtlasJsonRule;
pub use write::{Layout, write};

mod read;
mod rule;
#[cfg(test)]
mod tests;
mod write;

/// JSON dialects of atlases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// TexturePacker's hash: one page, and an object of sprites by their names.
    #[default]
    Hash,
    /// TexturePacker's array: one page, and a list of sprites.
    Array,
    /// Phaser's multi-atlas: a list of pages, each with its sprites.
    MultiAtlas,
}

impl Dialect {
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
        if pages > 1 {
            Self::MultiAtlas
        } else {
            Self::Hash
        }
    }
}

/// Returns true if bytes are an atlas in JSON, possibly damaged: an object with `frames` or `textures`, and without the keys of a
/// character.
#[must_use]
pub fn looks_like_an_atlas(bytes: &[u8]) -> bool {
    if !start(bytes).starts_with(b"{") {
        return false;
    }
    let mut signs = Signs::default();
    // Text before damage is enough: in a character, reading stops at the first decisive key.
    let _ = serde_json::Deserializer::from_slice(without_mark(bytes)).deserialize_map(&mut signs);
    signs.atlas && !signs.character
}

/// Keys met so far.
#[derive(Default)]
struct Signs {
    atlas: bool,
    character: bool,
}

impl<'de> Visitor<'de> for &mut Signs {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "fps" | "images" | "bones" | "meshes" => {
                    self.character = true;
                    return Err(A::Error::custom("found"));
                }
                "frames" | "textures" => self.atlas = true,
                _ => {}
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
