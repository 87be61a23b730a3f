//! The lists of the side panel, and the details of what is chosen there.

pub(crate) mod bones;
pub(crate) mod details;
pub(crate) mod meshes;
pub(crate) mod sprites;
