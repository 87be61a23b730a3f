//! Texture atlases: PCT and JSON. Shared code of the commands, and their parts for atlases.

mod convert;
mod file;
mod unpack_sprites;

pub(super) use convert::{AtlasTarget, ConvertAtlas};
pub(super) use file::AtlasFile;
pub(super) use unpack_sprites::Unpack;
