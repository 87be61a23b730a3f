//! Numbers that tell the meshes of one subject from those of another.

use std::hash::{DefaultHasher, Hasher as _};
use std::sync::OnceLock;

use super::Mesh;

/// A number for all meshes of a subject, computed once.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint(OnceLock<u64>);

impl Fingerprint {
    /// Returns a hash of the vertices, indices and image ids of `meshes`. Later calls return the first result.
    pub fn of<'a>(&self, meshes: impl Iterator<Item = Mesh<'a>>) -> u64 {
        *self.0.get_or_init(|| hash(meshes))
    }
}

fn hash<'a>(meshes: impl Iterator<Item = Mesh<'a>>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for mesh in meshes {
        hasher.write_u16(mesh.image().0);
        hasher.write_usize(mesh.vertex_count());
        hasher.write(mesh.vertex_records().as_flattened());
        hasher.write_usize(mesh.index_count());
        hasher.write(mesh.index_records().as_flattened());
    }
    hasher.finish()
}
