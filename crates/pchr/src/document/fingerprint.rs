//! Numbers that tell the meshes of one subject from those of another.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::OnceLock;

/// A number for all meshes of a subject, computed once.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint(OnceLock<u64>);

impl Fingerprint {
    /// Returns a hash of all `meshes`, each a [`super::Mesh`], valid while the program runs. Later calls return the first result.
    pub fn of(&self, meshes: impl Iterator<Item = impl Hash>) -> u64 {
        *self.0.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            meshes.for_each(|mesh| mesh.hash(&mut hasher));
            hasher.finish()
        })
    }
}
