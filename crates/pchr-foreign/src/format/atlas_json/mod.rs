//! Texture atlases in JSON: TexturePacker's two forms and Phaser's multi-atlas, read and written.
//!
//! ```text
//! text ──recognise──► dialect ──read──► Atlas, findings with lines and columns, and a list of what an atlas cannot hold
//! Atlas ──write──► text, and a list of what it cannot hold
//! ```

mod read;
mod recognise;
mod record;
mod rule;
#[cfg(test)]
mod tests;
mod write;

pub use read::{JsonAtlas, read};
pub use recognise::looks_like_an_atlas;
pub use rule::AtlasJsonRule;
pub use write::{Layout, write};

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
