//! Folders of font files, as fontconfig's settings name them, without fontconfig.
#![cfg(not(any(windows, target_vendor = "apple")))]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders within folders that are entered.
const MAX_DEPTH: u8 = 16;

/// Files that may hold fonts, in order.
pub(super) fn font_files() -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut entered = BTreeSet::new();
    for folder in folders() {
        collect(&folder, 0, &mut entered, &mut found);
    }
    found.into_iter().collect()
}

/// Adds the font files of a folder that was not entered before.
fn collect(
    folder: &Path,
    depth: u8,
    entered: &mut BTreeSet<PathBuf>,
    found: &mut BTreeSet<PathBuf>,
) {
    let is_new = fs::canonicalize(folder).is_ok_and(|real| entered.insert(real));
    if depth > MAX_DEPTH || !is_new {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, depth + 1, entered, found);
        } else if is_font(&path) {
            found.insert(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        && path.is_file()
}

/// Folders that are there, in order, none within another.
fn folders() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let data = folder("XDG_DATA_HOME").or_else(|| Some(home.as_ref()?.join(".local/share")));
    let mut found = BTreeSet::new();
    found.extend(data.as_ref().map(|data| data.join("fonts")));
    found.extend(home.as_ref().map(|home| home.join(".fonts")));
    let shared = env::var_os("XDG_DATA_DIRS").filter(|folders| !folders.is_empty());
    let shared = shared.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    found.extend(env::split_paths(&shared).map(|folder| folder.join("fonts")));
    found.extend(["/usr/share/fonts", "/usr/local/share/fonts"].map(PathBuf::from));
    for settings in settings(home.as_deref()) {
        let Ok(settings) = fs::read_to_string(settings) else {
            continue;
        };
        found.extend(named(&settings, home.as_deref(), data.as_deref()));
    }
    outermost(found)
}

/// An absolute folder in the environment.
fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
}

/// Files of fontconfig's settings.
fn settings(home: Option<&Path>) -> Vec<PathBuf> {
    let own = folder("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")));
    let mut files = vec![PathBuf::from("/etc/fonts/fonts.conf")];
    files.extend(env::var_os("FONTCONFIG_FILE").map(PathBuf::from));
    files.extend(own.map(|own| own.join("fontconfig/fonts.conf")));
    let Ok(parts) = fs::read_dir("/etc/fonts/conf.d") else {
        return files;
    };
    let mut parts: Vec<PathBuf> = parts.flatten().map(|part| part.path()).collect();
    parts.retain(|part| part.extension().is_some_and(|extension| extension == "conf"));
    parts.sort();
    files.extend(parts);
    files
}

/// Folders that `dir` elements name.
fn named(settings: &str, home: Option<&Path>, data: Option<&Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for part in uncommented(settings).split("<dir").skip(1) {
        let Some((attributes, rest)) = part.split_once('>') else {
            continue;
        };
        let Some((name, _)) = rest.split_once('<') else {
            continue;
        };
        let name = name.trim();
        let folder = if let Some(name) = name.strip_prefix("~/") {
            home.map(|home| home.join(name))
        } else if attributes.contains("\"xdg\"") {
            data.map(|data| data.join(name))
        } else {
            Some(PathBuf::from(name))
        };
        found.extend(folder.filter(|folder| folder.is_absolute()));
    }
    found
}

fn uncommented(settings: &str) -> String {
    let mut parts = settings.split("<!--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once("-->").map_or("", |(_, rest)| rest));
    }
    text
}

/// Folders that are there, each file of them reached once.
fn outermost(folders: BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let real: BTreeSet<PathBuf> =
        folders.into_iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect();
    let mut kept: Vec<PathBuf> = Vec::new();
    for folder in real {
        if !kept.iter().any(|outer| folder.starts_with(outer)) {
            kept.push(folder);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_name_folders() {
        let settings = r#"<fontconfig><!-- <dir>/no</dir> -->
            <dir>/usr/share/fonts</dir> <dir prefix="xdg">fonts</dir>
            <dir>~/.fonts</dir> <dir>relative</dir> <dir"#;
        let folders = named(settings, Some(Path::new("/home/a")), Some(Path::new("/data")));
        let expected = ["/usr/share/fonts", "/data/fonts", "/home/a/.fonts"];
        assert_eq!(folders, expected.map(PathBuf::from));
    }

    #[test]
    fn each_folder_is_entered_once() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        for name in ["b.ttf", "a.OTF", "c.pfb"] {
            fs::write(inner.join(name), "").unwrap();
        }
        std::os::unix::fs::symlink(folder.path(), inner.join("again")).unwrap();
        let mut found = BTreeSet::new();
        collect(folder.path(), 0, &mut BTreeSet::new(), &mut found);
        assert!(found.iter().eq(&["a.OTF", "b.ttf"].map(|name| inner.join(name))), "{found:?}");
    }

    #[test]
    fn folders_within_others_are_left_out() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let all = BTreeSet::from([outer.path().to_owned(), inner, outer.path().join("missing")]);
        assert_eq!(outermost(all), [fs::canonicalize(outer.path()).unwrap()]);
    }
}
