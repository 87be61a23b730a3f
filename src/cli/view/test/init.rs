//! `--init`: the first suite.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use walkdir::WalkDir;

use super::judge::slashed;
use crate::cli::pchr::names::is_reserved;
use crate::cli::{Failure, output};

/// The file that is written.
const NAME: &str = "suite.toml";

const HEAD: &str = r#"# A suite of captures, held against baselines:
#
#   pchr-view test suite.toml --update    takes the pictures as baselines; commit the folder baselines/
#   pchr-view test suite.toml             compares; ends with 3 if a picture differs, 6 if a baseline is missing
#
# Any option of `pchr-view capture --help` can be given by its long name, here or in a case.

[defaults]
resolution = "256x256"
# renderer = "cpu"              # pixels that are equal on every machine; "gpu" tests the GPU path
# background = "checker"
# tolerance = 2                 # for pictures of adapters: how much a channel may differ, 0 to 255,
# max_outliers = "0.1%"         # and how many pixels may differ by more
"#;

const TAIL: &str = r#"
# More that a case can say:
#
# [[case]]
# name = "walk"                 # its baselines are baselines/walk/0000.png ...
# file = "characters/*.pchr"    # a pattern makes a case of each file: walk/hero, walk/fox ...
# animation = "walk"            # a name, an index, or "all"
# frame = "0..24:6"             # 7, 0..24, 0..=24, every 6th, or "all"
# hide = ["shadow*"]
#
# For adapters of another class than the one that made the baselines:
#
# [adapter."llvmpipe"]
# tolerance = 4
# max_outliers = "0.5%"
"#;

/// Writes a suite for the files in a folder.
///
/// # Errors
/// [`Failure::Usage`] if there are no files, or is a suite already; [`Failure::Running`] if it cannot be written.
pub(super) fn run(folder: &Path) -> Result<(), Failure> {
    let path = folder.join(NAME);
    if path.exists() {
        return Err(Failure::Usage(format!(
            "{} is already there",
            path.display()
        )));
    }
    let files = find(folder)?;
    if files.is_empty() {
        return Err(Failure::Usage(format!(
            "there are no .pchr files in {}",
            folder.display()
        )));
    }
    let mut text = HEAD.to_owned();
    for (file, name) in files.iter().zip(names(&files)) {
        let _ = write!(
            text,
            "\n[[case]]\nfile = {}\nname = {}\nanimation = \"all\"\nframe = \"all\"\n",
            // A $ would be read as that of a variable.
            quoted(&slashed(file).replace('$', "$$")),
            quoted(&name)
        );
    }
    text.push_str(TAIL);
    output::write_whole(&path, text.as_bytes())?;
    let cases = if files.len() == 1 {
        "1 file".to_owned()
    } else {
        format!("{} files", files.len())
    };
    let said = format!(
        "wrote {path} with the animations of {cases}\npchr-view test {path} --update takes the first baselines\n",
        path = path.display()
    );
    Ok(output::write_stdout(said.as_bytes())?)
}

/// The files in a folder and below, by their paths from there.
fn find(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(std::io::Error::from);
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        let path = entry.path();
        let is_ours = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("pchr"));
        if is_ours
            && entry.file_type().is_file()
            && let Ok(inside) = path.strip_prefix(folder)
        {
            files.push(inside.to_owned());
        }
    }
    Ok(files)
}

/// The names of the files' cases: as short as tells them apart, and fit for folders on every system.
fn names(files: &[PathBuf]) -> Vec<String> {
    let stem = |file: &Path| fit(&file.file_stem().unwrap_or_default().to_string_lossy());
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let count = met.entry(stem(file).to_lowercase()).or_default();
        *count = count.saturating_add(1);
    }
    let mut taken = BTreeSet::new();
    let mut name = |file: &PathBuf| {
        let stem = stem(file);
        let name = match met.get(&stem.to_lowercase()) {
            Some(1) => stem,
            _ => fit(&slashed(&file.with_extension("")).replace('/', "-")),
        };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| taken.insert(name.to_lowercase()));
        free.unwrap_or(name)
    };
    files.iter().map(&mut name).collect()
}

/// A text as a folder may be called.
fn fit(text: &str) -> String {
    let unfit = |c: char| c.is_control() || r#"\:*?"<>|"#.contains(c);
    let text = text.replace(unfit, "_");
    match text.trim_start_matches('.').trim_end_matches(['.', ' ']) {
        "" => "case".to_owned(),
        device if is_reserved(device) => format!("_{device}"),
        fit => fit.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
