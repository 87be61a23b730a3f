//! Tests that the modules are layers: each uses only those below it, and the lower ones do not depend on the machine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a source file that cannot be understood is a failed test"
)]

#[path = "layers/circles.rs"]
mod circles;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Modules of each level, lowest first, as in the table of `docs/ARCHITECTURE.md`.
const LEVELS: [&[&str]; 12] = [
    &["bytes", "file_name", "finding"],
    &["acl", "atlas", "document"],
    &["image", "motion", "playback"],
    &["compare", "format", "pose"],
    &["packing", "plane", "scene"],
    &[
        "armature",
        "character",
        "overlay",
        "raster",
        "render",
        "sheet",
    ],
    &["capture", "files", "text", "typeface"],
    &["open", "view"],
    &["run", "viewer"],
    &["suite"],
    &["cli"],
    &["program"],
];

/// Highest level without a file system, threads, clock or environment, which keeps it fit for the web.
const PURE: usize = 5;

/// Modules of the standard library that depend on the machine.
const MACHINE: [&str; 6] = ["fs", "thread", "time", "env", "net", "process"];

/// Accepted exceptions as `(file, std module)`. An exception that is no longer needed fails the test.
const EXCEPTIONS: [(&str, &str); 1] = [
    // `WGPU_BACKEND` and `WGPU_ADAPTER_NAME`, read only on a program's request; empty on the web.
    ("render/gpu.rs", "env"),
];

fn level(module: &str) -> Option<usize> {
    LEVELS.iter().position(|level| level.contains(&module))
}

#[test]
fn a_module_uses_only_modules_on_lower_levels() {
    let mut violations = String::new();
    for source in sources() {
        for used in upward(&source.path, &source.code) {
            writeln!(violations, "{}: uses {used}", source.path).unwrap();
        }
    }
    assert!(violations.is_empty(), "\n{violations}");
}

#[test]
fn lower_levels_use_nothing_of_the_machine() {
    let mut met = Vec::new();
    for source in sources() {
        for used in of_the_machine(&source.path, &source.code) {
            met.push((source.path.clone(), used));
        }
    }
    let known = EXCEPTIONS.map(|(path, used)| (path.to_owned(), used.to_owned()));
    assert_eq!(met, known);
}

/// The window's inner half is only state and panels: threads, files and the event loop belong to the desktop.
#[test]
fn the_inner_half_of_the_window_knows_no_machine() {
    let mut met = Vec::new();
    for Source { path, code } in sources() {
        let inner = path.starts_with("viewer/") && !path.starts_with("viewer/desktop/");
        if inner && path != "viewer/mod.rs" {
            met.extend(desktop_in(&code).map(|used| format!("{path}: uses {used}")));
        }
    }
    assert_eq!(met, [""; 0]);
    let used = |text: &str| desktop_in(&code(text)).collect::<Vec<_>>();
    assert_eq!(
        used("use std::{fmt, fs::File}; fn f(_: &winit::Window) {}"),
        ["fs", "winit"]
    );
    assert_eq!(used("use crate::viewer::desktop::threads;"), ["desktop"]);
    assert_eq!(
        used("use super::desktop::threads; use core::time::Duration;"),
        ["desktop"]
    );
}

/// Desktop facilities that code uses.
fn desktop_in(code: &str) -> impl Iterator<Item = String> {
    let machine = |name: &String| MACHINE.contains(&name.as_str());
    let standard = names_after(code, "std::").into_iter().filter(machine);
    let crates = ["winit", "rfd", "arboard", "notify", "desktop"].into_iter();
    let crates = crates.filter(|name| code.contains(&format!("{name}::")));
    standard
        .chain(crates.map(str::to_owned))
        .collect::<Vec<_>>()
        .into_iter()
}

#[test]
fn every_module_has_a_level() {
    let lib = std::fs::read_to_string(src().join("lib.rs")).unwrap();
    let code = code(&lib);
    let words: Vec<&str> = code.split_whitespace().collect();
    let modules = words.windows(2).filter(|pair| pair[0] == "mod");
    let mut modules: Vec<&str> = modules.map(|pair| pair[1].trim_end_matches(';')).collect();
    let mut known = LEVELS.concat();
    modules.sort_unstable();
    known.sort_unstable();
    assert_eq!(modules, known);
}

#[test]
fn a_violation_is_seen_in_every_way_to_write_it() {
    let upward = |text: &str| upward("pose/deep/job.rs", &code(text));
    assert_eq!(upward("use crate::scene::Camera2d;"), ["scene"]);
    assert_eq!(
        upward("use crate::{document::Bone, scene::{A, B}, render};"),
        ["scene", "render"]
    );
    assert_eq!(upward("fn f(list: &crate::scene::DrawList) {}"), ["scene"]);
    assert_eq!(upward("use super::super::super::cli;"), ["cli"]);
    assert_eq!(upward("use pchr_view::viewer::run;"), ["viewer"]);
    assert_eq!(
        upward("use crate::format::read;"),
        ["format"],
        "the same level"
    );
    assert_eq!(upward("use crate::nowhere::X;"), ["nowhere"]);
    assert_eq!(upward("use crate::*;"), ["*"]);
    let fine = r##"
        //! [`crate::viewer`] is notified.
        use crate::document::Document; // not crate::cli
        use super::super::affine::Affine;
        pub(crate) fn f<'a>(c: char) -> &'a str { if c == '"' { "crate::cli" } else { r#"crate::"cli"# } }
        #[cfg(test)]
        mod tests { use crate::scene::Scene; mod deeper { use crate::cli; } }
    "##;
    assert_eq!(upward(fine), [""; 0]);
    assert_eq!(upward(&format!("{fine} use crate::cli;")), ["cli"]);
}

#[test]
fn what_belongs_to_the_machine_is_seen() {
    let used = |path: &str, text: &str| of_the_machine(path, &code(text));
    assert_eq!(used("raster/mod.rs", "use std::time::Instant;"), ["time"]);
    assert_eq!(
        used("scene/mod.rs", "use std::{fmt, fs::File, thread};"),
        ["fs", "thread"]
    );
    assert_eq!(used("capture/mod.rs", "use std::time::Instant;"), [""; 0]);
    let fine = r#"
        #[cfg(feature = "threads")]
        fn f() { std::thread::yield_now(); }
        #[cfg(test)]
        use std::env;
        use std::fmt;
    "#;
    assert_eq!(used("raster/mod.rs", fine), [""; 0]);
}

struct Source {
    /// Path below `src`, with `/`.
    path: String,
    code: String,
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All source files except those of the programs and of tests, sorted by path.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec![src()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(src()).unwrap().to_str().unwrap();
            let name = name.replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name.contains('/') && !name.starts_with("bin/") {
                let code = code(&std::fs::read_to_string(&path).unwrap());
                let path = name;
                sources.push(Source { path, code });
            }
        }
    }
    sources.retain(|source| !source.path.ends_with("tests.rs"));
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 50, "the sources are found");
    sources
}

/// Modules that a file must not use but does: those that are not below its own.
fn upward(path: &str, code: &str) -> Vec<String> {
    let own = path.split('/').next().unwrap();
    let own_level = level(own).unwrap_or_else(|| panic!("{own} has no level"));
    let supers = "super::".repeat(depth(path));
    let mut used = Vec::new();
    for root in ["crate::", "pchr_view::", &supers] {
        used.extend(names_after(code, root));
    }
    used.retain(|name| name != own && level(name).is_none_or(|level| level >= own_level));
    used
}

/// Number of modules on the path to a file, itself included.
fn depth(path: &str) -> usize {
    let names = path.split('/').count();
    names - usize::from(path.ends_with("/mod.rs"))
}

/// Modules of the standard library that a file of a lower level must not use but does.
fn of_the_machine(path: &str, code: &str) -> Vec<String> {
    let own = path.split('/').next().unwrap();
    let mut used = names_after(code, "std::");
    used.retain(|name| {
        MACHINE.contains(&name.as_str()) && level(own).is_some_and(|level| level <= PURE)
    });
    used.dedup();
    used
}

/// Names that follow the start of a path: one name, or all at the top level of a group in braces.
fn names_after(code: &str, root: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(root) {
        let continues = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        if code[..at].ends_with(continues) {
            continue; // the end of another path
        }
        let rest = &code[at + root.len()..];
        let name = |text: &str| -> String {
            let word = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '*');
            text.trim_start().chars().take_while(word).collect()
        };
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name(rest));
            continue;
        };
        names.push(name(group));
        let mut open = 1;
        for (i, c) in group.char_indices() {
            match c {
                '{' => open += 1,
                '}' => open -= 1,
                ',' if open == 1 => names.push(name(&group[i + 1..])),
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
    }
    // `super::` may start a longer chain, and a group may end with a comma.
    names.retain(|name| !name.is_empty() && name != "super");
    names
}

/// Source text without comments, quoted text, and code only for tests or threads.
fn code(text: &str) -> String {
    let text = text.replace("#[cfg(feature = \"threads\")]", "#[cfg(test)]");
    let mut code = without_comments_and_quotes(&text);
    const TEST: &str = "#[cfg(test)]";
    while let Some(start) = code.find(TEST) {
        let end = start + TEST.len() + item(&code[start + TEST.len()..]);
        code.replace_range(start..end, "");
    }
    code
}

/// Length of the item at the start of a text: up to its `;` or its closing brace.
fn item(text: &str) -> usize {
    let mut open = 0;
    for (i, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            ';' if open == 0 => return i + 1,
            _ => {}
        }
        if c == '}' && open == 0 {
            return i + 1;
        }
    }
    text.len()
}

fn without_comments_and_quotes(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").unwrap() + 2
        } else if c == '"' {
            quoted(rest)
        } else if let Some(hashes) = raw(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            start + rest[start..].find(&end).unwrap() + end.len()
        } else if c == '\'' {
            character(rest)
        } else {
            0
        };
        let taken = if skipped == 0 {
            code.push(c);
            c.len_utf8()
        } else {
            code.push(' ');
            skipped
        };
        rest = &rest[taken..];
    }
    code
}

/// Number of `#` of the raw string at the start of a text.
fn raw(text: &str) -> Option<usize> {
    let text = text.strip_prefix('r')?;
    let hashes = text.len() - text.trim_start_matches('#').len();
    text[hashes..].starts_with('"').then_some(hashes)
}

/// Length of the string at the start of a text.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return i + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Length of the character literal at the start of a text; 0 for a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, c))) => {
            let from = at + c.len_utf8();
            from + text[from..].find('\'').unwrap() + 1
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}
