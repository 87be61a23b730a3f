//! File formats that a document can come from, and the fingerprint of its bytes.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::OnceLock;

/// Format of a file, recognised by its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// PCHR v1: the flat binary format.
    #[default]
    Pchr,
    /// Legacy packed: a header, Pachario JSON and one PNG.
    LegacyPacked,
    /// PCHR JSON: the mirror of the binary.
    PchrJson,
    /// Pachario JSON: the output of the Pachario exporter.
    PacharioJson,
}

impl FileFormat {
    /// Returns its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pchr => "PCHR v1",
            Self::LegacyPacked => "legacy packed PCHR",
            Self::PchrJson => "PCHR JSON",
            Self::PacharioJson => "Pachario JSON",
        }
    }

    /// Returns the dialect in which findings about such a file are worded.
    #[cfg(feature = "json")]
    pub(crate) const fn dialect(self) -> Self {
        match self {
            Self::LegacyPacked => Self::PacharioJson,
            other => other,
        }
    }

    /// Returns its name, for programs.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pchr => "pchr",
            Self::LegacyPacked => "legacy-packed",
            Self::PchrJson => "pchr-json",
            Self::PacharioJson => "pachario-json",
        }
    }
}

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
