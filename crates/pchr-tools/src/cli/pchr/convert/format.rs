//! Formats that are written, and their names.

use clap::ValueEnum;

use pchr::format::json;
use pchr_foreign::format::atlas_json;
use pchr_foreign::format::gltf::Container;

use crate::cli::pchr::written::Target;
use crate::cli::pchr::{atlas, motion};

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum To {
    /// PCHR v1
    Pchr,
    /// PCHR JSON, the mirror of the binary
    PchrJson,
    /// Pachario JSON
    #[value(alias = "pachario-json")]
    Pachario,
    /// PCT, Phaser's compact atlas
    Pct,
    /// SEAnim, a 3D motion
    Seanim,
    /// The JSON mirror of SEAnim
    SeanimJson,
    /// PXD animation, of the Hedgehog Engine
    AnmPxd,
    /// PXD skeleton
    SklPxd,
    /// glTF as one binary file
    Glb,
    /// glTF as text
    Gltf,
}

/// A dialect of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum JsonDialect {
    /// PCHR JSON, for a character
    Pchr,
    /// Pachario JSON, for a character
    Pachario,
    /// TexturePacker's hash, for an atlas with one page
    Hash,
    /// TexturePacker's array, for an atlas with one page
    Array,
    /// Phaser's multi-atlas
    Multiatlas,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Character(Target),
    Atlas(atlas::Target),
    /// A motion, a skeleton or both.
    Motion(motion::Target),
    /// JSON in the dialect usual for its content.
    Json,
}

const GLB: Format = Format::Motion(motion::Target::Gltf(Container::Binary));
const GLTF: Format = Format::Motion(motion::Target::Gltf(Container::Text));

/// Extensions of files and their formats; the longest that matches is used.
pub(super) const ENDINGS: [(&str, Format); 9] = [
    (".pchr", Format::Character(Target::Pchr)),
    (".json", Format::Json),
    (".pct", Format::Atlas(atlas::Target::Pct)),
    (".seanim", Format::Motion(motion::Target::Seanim)),
    (".seanim.json", Format::Motion(motion::Target::SeanimJson)),
    (".anm.pxd", Format::Motion(motion::Target::PxdAnimation)),
    (".skl.pxd", Format::Motion(motion::Target::PxdSkeleton)),
    (".glb", GLB),
    (".gltf", GLTF),
];

impl From<To> for Format {
    fn from(to: To) -> Self {
        match to {
            To::Pchr => Self::Character(Target::Pchr),
            To::PchrJson => Self::Character(Target::Json(json::Dialect::Pchr)),
            To::Pachario => Self::Character(Target::Json(json::Dialect::Pachario)),
            To::Pct => Self::Atlas(atlas::Target::Pct),
            To::Seanim => Self::Motion(motion::Target::Seanim),
            To::SeanimJson => Self::Motion(motion::Target::SeanimJson),
            To::AnmPxd => Self::Motion(motion::Target::PxdAnimation),
            To::SklPxd => Self::Motion(motion::Target::PxdSkeleton),
            To::Glb => GLB,
            To::Gltf => GLTF,
        }
    }
}

impl From<JsonDialect> for Format {
    fn from(dialect: JsonDialect) -> Self {
        let atlas = |dialect| Self::Atlas(atlas::Target::Json(Some(dialect)));
        match dialect {
            JsonDialect::Pchr => Self::Character(Target::Json(json::Dialect::Pchr)),
            JsonDialect::Pachario => Self::Character(Target::Json(json::Dialect::Pachario)),
            JsonDialect::Hash => atlas(atlas_json::Dialect::Hash),
            JsonDialect::Array => atlas(atlas_json::Dialect::Array),
            JsonDialect::Multiatlas => atlas(atlas_json::Dialect::MultiAtlas),
        }
    }
}
