//! Tests of what Cargo does not see of the layers: in each crate no file uses a neighbour that uses it, and the libraries do not
//! depend on the machine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a source file that cannot be understood is a failed test"
)]

#[path = "layers/circles.rs"]
mod circles;

use std::path::Path;

/// Crates without a file system, threads, clock or environment, which keeps them fit for the web.
const PURE: [&str; 2] = ["pchr", "pchr-foreign"];

/// Modules of the standard library that depend on the machine.
const MACHINE: [&str; 6] = ["fs", "thread", "time", "env", "net", "process"];

/// Accepted exceptions as `(file, std module)`. An exception that is no longer needed fails the test.
const EXCEPTIONS: [(&str, &str); 1] = [
    // `WGPU_BACKEND` and `WGPU_ADAPTER_NAME`, read only on a program's request; empty on the web.
    ("crates/pchr/src/render/gpu.rs", "env"),
];

#[test]
fn the_libraries_use_nothing_of_the_machine() {
    let mut met = Vec::new();
    for name in PURE {
        for source in sources(&format!("crates/{name}/src")) {
            let used = of_the_machine(&source.code);
            met.extend(used.into_iter().map(|used| (source.full(), used)));
        }
    }
    let known = EXCEPTIONS.map(|(path, used)| (path.to_owned(), used.to_owned()));
    assert_eq!(met, known);
}

/// The window's inner half is only state and panels: threads, files and the event loop belong to the desktop.
#[test]
fn the_inner_half_of_the_window_knows_no_machine() {
    let mut met = Vec::new();
    for Source { path, code, .. } in sources("src") {
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
fn what_belongs_to_the_machine_is_seen() {
    let used = |text: &str| of_the_machine(&code(text));
    assert_eq!(used("use std::time::Instant;"), ["time"]);
    assert_eq!(used("use std::{fmt, fs::File, thread};"), ["fs", "thread"]);
    let fine = r##"
        //! [`std::fs`] is not read.
        #[cfg(feature = "threads")]
        fn f() { std::thread::yield_now(); }
        pub(crate) fn g<'a>(c: char) -> &'a str { if c == '"' { "std::env" } else { r#"std::"net"# } }
        #[cfg(test)]
        mod tests { use std::env; mod deeper { use std::fs; } }
        use std::fmt; // not std::process
    "##;
    assert_eq!(used(fine), [""; 0]);
    assert_eq!(used(&format!("{fine} use std::net;")), ["net"]);
}

struct Source {
    /// Folder of the crate's sources.
    folder: String,
    /// Path below that folder, with `/`.
    path: String,
    code: String,
}

impl Source {
    fn full(&self) -> String {
        format!("{}/{}", self.folder, self.path)
    }
}

/// Source files of a crate except its root, those of the programs and of tests, sorted by path.
fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(open) = folders.pop() {
        for entry in std::fs::read_dir(open).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            let name = name.replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "lib.rs" && !name.starts_with("bin/") {
                sources.push(Source {
                    folder: folder.to_owned(),
                    path: name,
                    code: code(&std::fs::read_to_string(&path).unwrap()),
                });
            }
        }
    }
    sources.retain(|source| !source.path.ends_with("tests.rs"));
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 50, "the sources are found");
    sources
}

/// Modules of the standard library that a library must not use but does.
fn of_the_machine(code: &str) -> Vec<String> {
    let mut used = names_after(code, "std::");
    used.retain(|name| MACHINE.contains(&name.as_str()));
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
    names.retain(|name| !name.is_empty()); // a group may end with a comma
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
