//! Several skeletons, any of which may belong to a motion.

use std::path::Path;

use crate::files::{skeleton_beside, skeletons_beside};
use crate::text::{visible, words};

/// Returns a message that several skeletons are beside a motion, and their names, if its own name does not determine one.
pub(crate) fn several_beside(motion: &Path) -> Option<String> {
    if skeleton_beside(motion).ok()?.is_some() {
        return None;
    }
    let found = skeletons_beside(motion).ok()?;
    let names = found.iter().filter_map(|path| path.file_name());
    let names = names.map(|name| visible(&name.to_string_lossy()).into_owned());
    let names = words::listed(names, found.len());
    (found.len() > 1).then(|| {
        format!(
            "several skeletons lie beside the motion, and its name matches none: {names}; choose one with --skeleton FILE"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeletons_are_listed_where_a_name_tells_none_of_them_apart() {
        let folder = tempfile::tempdir().unwrap();
        let beside = |motion: &str| several_beside(&folder.path().join(motion));
        assert_eq!(beside("walk.anm.pxd"), None);
        for name in ["a.skl.pxd", "b\u{202e}.skl.pxd"] {
            assert_eq!(beside("walk.anm.pxd"), None);
            std::fs::write(folder.path().join(name), []).unwrap();
        }
        let said = beside("walk.anm.pxd").unwrap();
        assert!(said.contains(": a.skl.pxd; b\\u{202e}.skl.pxd;"), "{said}");
        assert_eq!(beside("a_walk.anm.pxd"), None);
        assert_eq!(several_beside(Path::new("-")), None);
    }
}
