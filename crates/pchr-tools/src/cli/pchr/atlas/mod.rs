//! Texture atlases: PCT and JSON. Shared code of the commands, and their parts for atlases.

mod character;
mod convert;
mod copies;
mod file;
mod files;
mod pages;
mod region;
mod unpack;

pub(super) use convert::{Convert, Target};
pub(super) use file::AtlasFile;
pub(super) use unpack::Unpack;
