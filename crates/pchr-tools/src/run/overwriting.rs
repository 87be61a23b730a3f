//! Input files, which are never overwritten, by path and by file number.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Role of a file that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A baseline, or a file kept beside it. Only an update may overwrite it.
    Baseline,
    /// An input, which is never overwritten.
    Input,
}

/// Input files, with everything that identifies them.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    by_identity: BTreeMap<Identity, (Role, PathBuf)>,
    by_path: BTreeMap<PathBuf, (Role, PathBuf)>,
}

/// Device and number of a file: the same for all of its names.
pub(super) type Identity = (u64, u64);

impl Inputs {
    pub(super) fn note(
        &mut self,
        identity: Option<Identity>,
        real: Option<PathBuf>,
        path: &Path,
        role: Role,
    ) {
        let put = |slot: &mut (Role, PathBuf)| {
            if slot.0 < role {
                *slot = (role, path.to_owned());
            }
        };
        if let Some(identity) = identity {
            let new = || (role, path.to_owned());
            put(self.by_identity.entry(identity).or_insert_with(new));
        }
        if let Some(real) = real {
            put(self
                .by_path
                .entry(real)
                .or_insert_with(|| (role, path.to_owned())));
        }
    }

    pub(super) fn find(
        &self,
        identity: Option<Identity>,
        output: &Path,
    ) -> Option<&(Role, PathBuf)> {
        let by_identity = identity.and_then(|identity| self.by_identity.get(&identity));
        let by_path = || self.by_path.get(&fs::canonicalize(output).ok()?);
        let found = by_identity.or_else(by_path);
        #[cfg(windows)]
        let found = found.or_else(|| {
            // Hard links: the standard library does not say which file a path leads to.
            let same = |path: &Path| same_file::is_same_file(path, output).unwrap_or(false);
            let mut inputs = self.by_path.iter();
            inputs.find_map(|(path, input)| same(path).then_some(input))
        });
        found
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it is not known")]
pub(super) fn identity(metadata: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity(_: &fs::Metadata) -> Option<Identity> {
    None
}
