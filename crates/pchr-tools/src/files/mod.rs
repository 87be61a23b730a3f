//! Files on disk: reading them whole, the images that a JSON file names, the companions that were chosen for a file, and the names of
//! motions. Images are read only from the folder of their JSON file, unless others are allowed.

mod read;

use std::fs;
use std::path::{Component, Path, PathBuf};

use pchr::format::{SidecarError, Sidecars};

use crate::file_name;

pub use read::{
    Kind, ReadError, Reading, Seen, Stamp, alike, is_cut_off, with_alike, with_conflict,
};

pub(crate) use read::{conflict, is_pointer};

/// The folder of a JSON file.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    allow_outside: bool,
    /// Size limit of images that replaces that of [`Kind::Picture`].
    pub(crate) max_size: Option<u64>,
}

impl Folder {
    /// Returns the folder of the file at `path`; for `-`, standard input, the current directory. With `allow_outside` paths may
    /// leave it.
    #[must_use]
    pub fn of(path: &Path, allow_outside: bool) -> Self {
        Self { path: file_name::folder(path).to_owned(), allow_outside, max_size: None }
    }

    /// Returns the location of the file that a JSON file names as `path`. The file may be missing, or a link out of the folder:
    /// [`enter`](Self::enter) checks that.
    ///
    /// # Errors
    /// [`SidecarError::Outside`] if the path leaves the folder, [`SidecarError::Unreadable`] if it is empty.
    pub fn place(&self, path: &str) -> Result<PathBuf, SidecarError> {
        if path.is_empty() {
            return Err(SidecarError::Unreadable("the path is empty".into()));
        }
        // Files are exported on one system and opened on another.
        let path = path.replace('\\', "/");
        let relative = Path::new(&path);
        let drive = path.as_bytes().get(1) == Some(&b':');
        if self.allow_outside {
            return Ok(self.path.join(relative));
        }
        // A file's own address may lead back into the folder.
        let within = fs::canonicalize(&self.path).ok();
        let within =
            within.and_then(|folder| relative.strip_prefix(folder).ok().map(Path::to_owned));
        let inside = match &within {
            Some(within) => inside(within),
            None => inside(relative).filter(|_| !drive),
        };
        Ok(self.path.join(inside.ok_or(SidecarError::Outside)?))
    }

    /// Checks that a file at a [`place`](Self::place) may be read: no link leads out of the folder.
    ///
    /// # Errors
    /// [`SidecarError::Outside`] if a link does, [`SidecarError::Unreadable`] if there is no such file, [`SidecarError::Failed`] if the
    /// system cannot say.
    pub fn enter(&self, file: &Path) -> Result<(), SidecarError> {
        if self.allow_outside {
            return Ok(());
        }
        let real = |path: &Path| {
            fs::canonicalize(path)
                .map_err(|error| self.fault(path, &with_alike(path, error).into()))
        };
        if real(file)?.starts_with(real(&self.path)?) { Ok(()) } else { Err(SidecarError::Outside) }
    }

    /// Returns the error of a file that cannot be read. It names the file relative to this folder, because the message about the
    /// JSON file names the folder.
    #[must_use]
    pub fn unreadable(&self, path: &Path, error: &dyn std::fmt::Display) -> SidecarError {
        let inside = match path.strip_prefix(&self.path) {
            Ok(inside) if inside == Path::new("") => Path::new("."),
            inside => inside.unwrap_or(path),
        };
        SidecarError::Unreadable(format!("cannot read {}: {error}", inside.display()))
    }

    /// The same for an error of reading, which may be the system's.
    fn fault(&self, path: &Path, error: &ReadError) -> SidecarError {
        match self.unreadable(path, error) {
            SidecarError::Unreadable(words) if error.is_failure() => SidecarError::Failed(words),
            fault => fault,
        }
    }
}

/// Returns a path that stays in its folder, without `..`: after a link, such a step would lead elsewhere.
pub(crate) fn inside(relative: &Path) -> Option<PathBuf> {
    let mut inside = PathBuf::new();
    for part in relative.components() {
        match part {
            Component::Normal(name) => inside.push(name),
            Component::CurDir => {}
            Component::ParentDir if inside.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(inside)
}

impl Sidecars for Folder {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let path = self.place(path)?;
        self.enter(&path)?;
        let reading = Reading { max_size: self.max_size, ..Reading::of(&path, Kind::Picture) };
        reading.run().map_err(|error| self.fault(&path, &error))
    }
}

/// Companion files, which are shown together with another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Companions {
    /// The skeleton selected for motions.
    pub skeleton: Option<PathBuf>,
    /// The skeleton of a motion for which none was selected, and which has none beside it.
    pub offered: Option<PathBuf>,
    /// Motions for a skeleton or a character.
    pub motions: Vec<PathBuf>,
}

impl Companions {
    /// No companions.
    pub const NONE: Self = Self { skeleton: None, offered: None, motions: Vec::new() };
}

/// Extensions that are removed from a motion's name.
const ENDINGS: [&str; 10] = [
    ".seanim.json",
    ".seanim",
    ".anm.pxd",
    ".skl.pxd",
    ".pxd",
    ".glb",
    ".gltf",
    ".pchr",
    ".legacy.pchr",
    ".json",
];

/// Returns the name of a motion: its file name, without folder and extension.
#[must_use]
pub fn motion_name(path: &Path) -> String {
    if path == Path::new("-") {
        return "stdin".to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let lower = name.to_ascii_lowercase();
    let fits = |ending: &&str| lower.len() > ending.len() && lower.ends_with(*ending);
    let ending = ENDINGS.into_iter().filter(fits).map(str::len).max();
    let length = name.len().saturating_sub(ending.unwrap_or(0));
    name.get(..length).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(folder: &Path, path: &str, allow_outside: bool) -> Result<Vec<u8>, SidecarError> {
        Folder::of(&folder.join("hero.json"), allow_outside).read(path)
    }

    #[test]
    fn only_what_lies_in_the_folder_is_read() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("in");
        fs::create_dir_all(folder.join("deep")).unwrap();
        fs::write(outer.path().join("out.png"), "out").unwrap();
        fs::write(folder.join("a.png"), "a").unwrap();
        fs::write(folder.join("deep/b.png"), "b").unwrap();
        let inside = "a.png=a ./a.png=a deep/../a.png=a deep/b.png=b deep\\b.png=b \
                      ./deep/../deep/b.png=b";
        for (path, content) in inside.split(' ').map(|pair| pair.split_once('=').unwrap()) {
            assert_eq!(read(&folder, path, false).unwrap(), content.as_bytes(), "{path}");
        }
        let absolute = outer.path().join("out.png");
        let absolute = absolute.to_str().unwrap();
        let paths = "../out.png deep/../../out.png deep/../../in/a.png C:\\out.png ..\\out.png \\\\host\\out.png";
        for path in paths.split(' ').chain([absolute]) {
            assert!(matches!(read(&folder, path, false), Err(SidecarError::Outside)), "{path}");
        }
        assert_eq!(read(&folder, "../out.png", true).unwrap(), b"out");
        assert_eq!(read(&folder, absolute, true).unwrap(), b"out");
        for path in ["", "c.png", "deep"] {
            let error = read(&folder, path, false).unwrap_err();
            assert!(matches!(error, SidecarError::Unreadable(_)), "{path}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("in");
        fs::create_dir(&folder).unwrap();
        fs::write(outer.path().join("out.png"), "out").unwrap();
        fs::write(folder.join("a.png"), "a").unwrap();
        std::os::unix::fs::symlink("../out.png", folder.join("link.png")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("up")).unwrap();
        std::os::unix::fs::symlink("a.png", folder.join("inner.png")).unwrap();
        assert!(matches!(read(&folder, "link.png", false), Err(SidecarError::Outside)));
        assert!(matches!(read(&folder, "up/out.png", false), Err(SidecarError::Outside)));
        assert_eq!(read(&folder, "inner.png", false).unwrap(), b"a");
        // The system would look one folder up; here the path is resolved as written.
        fs::write(outer.path().join("a.png"), "out").unwrap();
        assert_eq!(read(&folder, "up/../a.png", false).unwrap(), b"a");
        assert_eq!(read(&folder, "link.png", true).unwrap(), b"out");
    }

    #[test]
    fn names_of_motions_have_no_endings() {
        let names = "a/hero@walk.anm.pxd=hero@walk WALK.SEANIM.JSON=WALK walk.v2.seanim=walk.v2 \
                     .glb=.glb -=stdin";
        for (path, name) in names.split(' ').map(|pair| pair.split_once('=').unwrap()) {
            assert_eq!(motion_name(Path::new(path)), name);
        }
    }
}
