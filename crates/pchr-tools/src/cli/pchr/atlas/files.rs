//! The file of each sprite, below one folder: none leaves it on any system, and no two are the same.

use std::collections::{BTreeMap, BTreeSet};

use pchr::finding::{Findings, quoted};
use pchr_foreign::atlas::PctRule;

use super::file::AtlasFile;
use crate::file_name::{self, Reason, key};
use crate::run::Failure;

/// Maximum number of bytes of a path: less than any system allows, with room for the folder.
const MOST: usize = 1000;
/// The extension of all files, in lower or upper case.
const ENDING: &str = ".png";
/// Bytes of a name before an added number.
const CUT: usize = 200;

impl AtlasFile {
    /// The file of each sprite, with `/` between folders. A name that cannot be one is refused or, with `safe`, changed.
    pub(super) fn sprite_files(&self, safe: bool) -> Result<Vec<String>, Failure> {
        let mut found = Findings::default();
        let mut taken = Taken::default();
        let mut files = Vec::with_capacity(self.read.atlas.sprites.len());
        for (name, sprite) in self.read.atlas.sprites.iter() {
            let file = usual_file(name);
            let path = || format!("sprite {}", quoted(name));
            let mut refuse = |rule: PctRule, message: String| {
                let message = || format!("{message}; rename it with --safe-names");
                found.add(rule, sprite.offset, path, message);
            };
            let file = match fault(&file) {
                Some(fault) if !safe => {
                    refuse(PctRule::FileName, fault);
                    continue;
                }
                Some(_) => made_safe(&file),
                None => file,
            };
            match taken.take(&file) {
                Ok(()) => files.push(file),
                Err(_) if safe => files.push(taken.other(&file)),
                Err(other) => {
                    let other = quoted(&other);
                    refuse(
                        PctRule::FileName,
                        format!("would be written to the same file as {other}"),
                    );
                }
            }
        }
        if found.is_empty() {
            return Ok(files);
        }
        Err(self.invalid(found))
    }
}

/// The name as that of a PNG file; any other extension stays part of it.
pub(super) fn usual_file(name: &str) -> String {
    let stem = name.len().saturating_sub(ENDING.len());
    let (stem, ending) = name.split_at_checked(stem).unwrap_or((name, ""));
    let has_ending = ending.eq_ignore_ascii_case(ENDING);
    if has_ending && !stem.is_empty() && !stem.ends_with('/') {
        name.to_owned()
    } else {
        format!("{name}{ENDING}")
    }
}

/// Returns the reason why a path must not become a file below a folder, if there is one.
fn fault(file: &str) -> Option<String> {
    if file.len() > MOST {
        return Some(format!("has {} bytes, expected at most {MOST}", file.len()));
    }
    if file.starts_with('/') {
        return Some("is an absolute path".into());
    }
    if file.ends_with("/.png") || file == ".png" {
        return Some("has no name before its extension".into());
    }
    let faults = file.split('/').map(file_name::check);
    let reason = faults.filter_map(Result::err).next()?;
    Some(match reason {
        Reason::Empty => "has a folder without a name".into(),
        reason => reason.to_string(),
    })
}

/// Another path, which has no fault.
fn made_safe(file: &str) -> String {
    let (folders, last) = file
        .rsplit_once('/')
        .map_or((None, file), |(f, l)| (Some(f), l));
    let stem = last.get(..last.len().saturating_sub(ENDING.len()));
    let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or("sprite");
    let stem = stem
        .get(..stem.floor_char_boundary(CUT))
        .unwrap_or_default();
    let last = file_name::safe(stem) + ENDING;
    let folders = folders.into_iter().flat_map(|folders| folders.split('/'));
    let mut path: String = folders
        .map(|folder| file_name::safe(folder) + "/")
        .collect();
    path.push_str(&last);
    if path.len() <= MOST { path } else { last }
}

/// Paths that files and folders have already, by their keys.
#[derive(Default)]
struct Taken {
    /// Files, with the paths that they have.
    files: BTreeMap<String, String>,
    folders: BTreeSet<String>,
    /// The next number to try.
    numbers: BTreeMap<String, u32>,
}

impl Taken {
    /// Claims a path; or returns the path that conflicts with it.
    fn take(&mut self, file: &str) -> Result<(), String> {
        let key = key(file);
        if let Some(other) = self.files.get(&key) {
            return Err(other.clone());
        }
        if self.folders.contains(&key) {
            return Err(format!("{file}/"));
        }
        let folders = || key.match_indices('/').filter_map(|(end, _)| key.get(..end));
        for folder in folders() {
            if let Some(other) = self.files.get(folder) {
                return Err(other.clone());
            }
        }
        // Those of one folder follow each other: most are known by the innermost.
        let new: Vec<&str> = folders()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .take_while(|folder| !self.folders.contains(*folder))
            .collect();
        self.folders.extend(new.into_iter().map(str::to_owned));
        self.files.insert(key, file.to_owned());
        Ok(())
    }

    /// Claims the path with a number; outside any folder if one of its folders is already a file.
    fn other(&mut self, file: &str) -> String {
        let keyed = key(file);
        let mut folders = keyed
            .match_indices('/')
            .filter_map(|(end, _)| keyed.get(..end));
        let file = match folders.any(|folder| self.files.contains_key(folder)) {
            true => made_safe(&file.replace('/', "_")),
            false => file.to_owned(),
        };
        if self.take(&file).is_ok() {
            return file;
        }
        let (stem, ending) = file.split_at(file.len().saturating_sub(ENDING.len()));
        let last = stem.rsplit('/').next().unwrap_or_default();
        let cut = stem.len().saturating_sub(last.len().saturating_sub(CUT));
        let stem = stem
            .get(..stem.floor_char_boundary(cut))
            .unwrap_or_default();
        let from = key(&file);
        loop {
            let number = self.numbers.entry(from.clone()).or_insert(1);
            *number = number.saturating_add(1);
            let file = format!("{stem}-{number}{ending}");
            if self.take(&file).is_ok() {
                return file;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused_and_made_safe() {
        let long = "a/".repeat(600);
        let long_name = "x".repeat(300);
        let cut = "x".repeat(200) + ".png";
        for (name, safe) in [
            ("../x", "__/x.png"),
            ("a/../../x.png", "a/__/__/x.png"),
            ("/etc/passwd", "_/etc/passwd.png"),
            ("C:\\x", "C__x.png"),
            ("c:x.png", "c_x.png"),
            ("nul", "nul_.png"),
            ("a/COM1/b", "a/COM1_/b.png"),
            ("a\nb", "a_b.png"),
            ("", "sprite.png"),
            ("a//b", "a/_/b.png"),
            ("a/", "a/sprite.png"),
            ("x ./y", "x__/y.png"),
            (&long, "sprite.png"),
            (&long_name, &cut),
        ] {
            let file = usual_file(name);
            assert!(fault(&file).is_some(), "{name}");
            let made = made_safe(&file);
            assert_eq!(fault(&made), None, "{name}: {made}");
            assert_eq!(made, safe, "{name}");
        }
    }

    #[test]
    fn other_endings_stay_part_of_the_name() {
        for (name, file) in [
            ("a", "a.png"),
            ("a.png", "a.png"),
            ("a.PNG", "a.PNG"),
            (".png", ".png.png"),
            ("b/a.webp", "b/a.webp.png"),
            ("walk.01", "walk.01.png"),
            ("图集 🎨", "图集 🎨.png"),
        ] {
            assert_eq!(usual_file(name), file);
            assert_eq!(fault(file), None);
        }
    }

    #[test]
    fn no_two_sprites_have_one_file() {
        let mut taken = Taken::default();
        for (file, wanted) in [
            ("a.png", "a.png"),
            ("A.png", "A-2.png"),
            ("a-2.png", "a-2-2.png"),
            ("x/b.png", "x/b.png"),
            ("X/B.png", "X/B-2.png"),
            ("d.png/e.png", "d.png/e.png"),
            ("d.png", "d-2.png"),
        ] {
            let file = match taken.take(file) {
                Ok(()) => file.to_owned(),
                Err(_) => taken.other(file),
            };
            assert_eq!(file, wanted);
        }
        assert!(taken.take("a.png/f.png").is_err(), "below a file");
        let other = taken.other("a.png/f.png");
        assert!(!other.starts_with("a.png/"), "{other}");
    }
}
