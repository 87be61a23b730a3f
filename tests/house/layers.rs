//! Tests of what Cargo does not see of the layers: in each crate no file or folder uses a neighbour that uses it, and the libraries
//! and the inner half of the window do not depend on the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Names from the root of a crate, or after `std`.
type Names = Vec<String>;

const CRATES: [&str; 4] =
    ["crates/pchr/src", "crates/pchr-foreign/src", "crates/pchr-tools/src", "src"];

/// Modules of the standard library, and crates, that depend on the machine.
const MACHINE: [&str; 10] =
    ["fs", "thread", "time", "env", "net", "process", "winit", "rfd", "arboard", "notify"];

/// `WGPU_BACKEND` and `WGPU_ADAPTER_NAME`, read only on a program's request; empty on the web.
const EXCEPTION: [&str; 2] = ["crates/pchr/src/render/adapter.rs", "env"];

#[test]
fn nothing_uses_a_neighbour_that_uses_it() {
    for folder in CRATES {
        assert_eq!(circles(&read(texts(folder))), Vec::<Names>::new(), "{folder}");
    }
}

/// The libraries are fit for the web. Of the window, threads, files and the event loop belong to `viewer/desktop`.
#[test]
fn what_needs_no_machine_uses_none() {
    let mut met = Vec::new();
    for folder in CRATES {
        for (path, text) in texts(folder) {
            let text = code(&text);
            let library = ["crates/pchr/src", "crates/pchr-foreign/src"].contains(&folder);
            let panels = path.starts_with("src/viewer/")
                && !path.starts_with("src/viewer/desktop/")
                && path != "src/viewer/mod.rs";
            if !library && !panels {
                continue;
            }
            let used = paths(&text, &["std", "winit", "rfd", "arboard", "notify"]);
            let names = used.into_iter().flat_map(|path| path.into_iter().take(2));
            let mut names: BTreeSet<String> =
                names.filter(|name| MACHINE.contains(&name.as_str())).collect();
            if panels {
                let own = paths(&text, &["crate", "super"]).into_iter().flatten();
                names.extend(own.filter(|name| name == "desktop"));
            }
            met.extend(names.into_iter().map(|name| [path.clone(), name]));
        }
    }
    assert_eq!(met, [EXCEPTION]);
}

const OF_LINUX: [&str; 1] = ["x11rb"];

#[test]
fn files_are_left_out_elsewhere_exactly_if_they_need_what_only_linux_has() {
    let folder = "src/viewer/desktop/";
    let texts = texts("src");
    let needed = texts.iter().filter(|(path, text)| {
        path.starts_with(folder) && !paths(&code(text), &OF_LINUX).is_empty()
    });
    let needed: Vec<_> = needed.map(|(path, _)| path.as_str()).collect();
    let front = &texts[&format!("{folder}mod.rs")];
    let left_out = front.split("#[cfg(target_os = \"linux\")]\nmod ").skip(1);
    let names = left_out.map(|rest| rest.split(';').next().unwrap());
    let left_out: Vec<_> = names.map(|name| format!("{folder}{name}.rs")).collect();
    assert_eq!(needed, left_out);
}

#[test]
fn a_circle_is_seen_at_every_depth_and_through_what_a_folder_offers() {
    let of = |files: &[(&str, &str)]| {
        let files =
            files.iter().map(|(path, text)| (format!("src/{path}"), text.replace(';', ";\n")));
        circles(&read(files.collect()))
    };
    let circle = [["a/one", "a/two"]];
    let at_one_depth = of(&[
        ("a/one.rs", "use super::two::{Second, third::*};"),
        ("a/two.rs", "fn f() { crate::a::one::g() }"),
    ]);
    assert_eq!(at_one_depth, circle);
    let through_an_offer = of(&[
        ("a/mod.rs", "mod one; mod two; pub use two::deep::Second;"),
        ("a/one/mod.rs", "use super::Second;"),
        ("a/two/mod.rs", "mod deep;"),
        ("a/two/deep.rs", "use super::super::one;"),
    ]);
    assert_eq!(through_an_offer, circle);
    let none = of(&[
        ("a/mod.rs", "mod one; mod two; pub use one::First;"),
        ("a/one.rs", "/// See [`super::two`]."),
        ("a/two.rs", "use super::First;\n#[cfg(test)]\nmod tests { use crate::b::Other; }"),
        ("b.rs", "use crate::a::{First, two::Second};"),
    ]);
    assert_eq!(none, [[""; 0]; 0]);
}

/// Source files below a folder without comments and tests, by path.
fn texts(folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(open) = folders.pop() {
        for entry in fs::read_dir(format!("{}/{open}", env!("CARGO_MANIFEST_DIR"))).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{open}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.ends_with(".rs")
                && !["tests.rs", "/lib.rs"].iter().any(|end| path.ends_with(end))
                && !["/bin/", "/tests/"].iter().any(|part| path.contains(part))
            {
                found.insert(path, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    assert!(found.len() > 30, "the sources are found");
    found
}

/// Code without comments, and without what is only for tests or threads.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("#[cfg(test)]")
            || trimmed.starts_with("#[cfg(feature = \"threads\")]")
        {
            // rustfmt ends an item with a bracket at the column of its first line.
            let space = line.len() - trimmed.len();
            let ends = |line: &str| {
                let at = |end: &str| line.get(space..).is_some_and(|rest| rest.starts_with(end));
                line.trim_end().ends_with(';')
                    && !line[..space.min(line.len())].contains(|c| c != ' ')
                    && !at(" ")
                    || at("}")
            };
            let _ = lines.by_ref().find(|line| ends(line));
        } else if !trimmed.starts_with("//") {
            code.push_str(line.split(" // ").next().unwrap_or_default());
            code.push('\n');
        }
    }
    code
}

/// What a module uses and offers to others.
struct Module {
    uses: Vec<Names>,
    offers: Vec<Names>,
}

fn read(texts: BTreeMap<String, String>) -> BTreeMap<Names, Module> {
    let module = |(path, text): (String, String)| {
        let (_, inner) = path.split_once("src/").unwrap();
        let inner = inner.trim_end_matches(".rs").trim_end_matches("/mod");
        let own: Names = inner.split('/').map(str::to_owned).collect();
        let text = code(&text);
        let (mut offered, mut rest) = (String::new(), String::new());
        for statement in text.split_inclusive(';') {
            let line = statement.trim_start();
            match line.starts_with("pub use ")
                || line.starts_with("pub(") && line.contains(") use ")
            {
                true => offered += &line.replacen("use ", "use self::", 1),
                false => rest += statement,
            }
        }
        let root = |text: String, root: &str| {
            text.replace(&format!("self::{root}::"), &format!("{root}::"))
        };
        let offered = ["crate", "super", "self"].into_iter().fold(offered, root);
        let absolute = |text: &str| {
            let paths = paths(text, &["crate", "super", "self"]).into_iter();
            paths.map(|path| absolute(&own, path)).collect()
        };
        let module = Module { uses: absolute(&rest), offers: absolute(&offered) };
        (own, module)
    };
    texts.into_iter().map(module).collect()
}

/// Paths in a text that begin with one of these names; `{…}` gives one for each of its parts.
fn paths(text: &str, roots: &[&str]) -> Vec<Names> {
    let mut found = Vec::new();
    for root in roots {
        for (at, _) in text.match_indices(&format!("{root}::")) {
            if !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                grow(&text[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Adds the paths at the start of a text and returns the rest of it.
fn grow<'t>(text: &'t str, before: &mut Names, found: &mut Vec<Names>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = grow(rest, before, found).trim_start();
            match rest.strip_prefix(',') {
                Some(after) => rest = after,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end =
        text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '*')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return text;
    }
    before.push(name.to_owned());
    let rest = match rest.strip_prefix("::") {
        Some(inner) => grow(inner, before, found),
        None => {
            found.push(before.clone());
            rest.trim_start().strip_prefix("as ").map_or(rest, |name| {
                name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
            })
        }
    };
    before.pop();
    rest
}

/// A path in a module, from the root of its crate.
fn absolute(own: &Names, path: Names) -> Names {
    let mut from = own.clone();
    for name in path {
        match name.as_str() {
            "crate" => from.clear(),
            "super" => drop(from.pop()),
            "self" => {}
            _ => from.push(name),
        }
    }
    from
}

/// Module that a path leads to, directly or through what modules offer.
fn resolve(modules: &BTreeMap<Names, Module>, path: &Names, steps: usize) -> Option<Names> {
    let len = (1..=path.len()).rev().find(|len| modules.contains_key(&path[..*len]))?;
    let found = &path[..len];
    let offers =
        modules[found].offers.iter().find(|offer| steps < 8 && offer.last() == path.get(len));
    let further = offers.and_then(|offer| resolve(modules, offer, steps + 1));
    Some(further.unwrap_or_else(|| found.to_vec()))
}

/// Circles among the files and subfolders of each folder, each sorted.
fn circles(modules: &BTreeMap<Names, Module>) -> Vec<Names> {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (user, module) in modules {
        for used in module.uses.iter().filter_map(|path| resolve(modules, path, 0)) {
            let common = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
            // The first names that differ are neighbours, unless one path contains the other.
            if common < user.len() && common < used.len() {
                let [from, to] = [user, &used].map(|path| path[..=common].join("/"));
                graph.entry(from).or_default().insert(to);
            }
        }
    }
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            let used = graph.get(next).into_iter().flatten();
            open.extend(used.filter(|used| reached.insert((*used).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|from| (from, reached(from))).collect();
    let circle = |from: &String| {
        let back = |to: &&String| reached.get(to).is_some_and(|of| of.contains(from));
        reached[from].iter().filter(back).cloned().collect()
    };
    let circles: BTreeSet<Names> =
        graph.keys().map(circle).filter(|circle: &Names| !circle.is_empty()).collect();
    circles.into_iter().collect()
}
