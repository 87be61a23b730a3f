//! Tests that there are no cycles: in no folder do two files or subfolders use each other, directly or not.

use std::collections::{BTreeMap, BTreeSet};

use super::{Source, code, sources};

/// Segments of a path from the root of the crate.
type Path = Vec<String>;

#[test]
fn nothing_uses_a_neighbour_that_uses_it() {
    for folder in [
        "crates/pchr/src",
        "crates/pchr-foreign/src",
        "crates/pchr-tools/src",
        "src",
    ] {
        let found = circles(&sources(folder));
        assert_eq!(found, Vec::<Vec<String>>::new(), "{folder}");
    }
}

#[test]
fn a_circle_is_seen_at_every_depth_and_through_what_a_folder_offers() {
    let circles = |files: &[(&str, &str)]| {
        let source = |(path, text): &(&str, &str)| Source {
            folder: String::new(),
            path: (*path).to_owned(),
            code: code(text),
        };
        circles(&files.iter().map(source).collect::<Vec<_>>())
    };
    let files = [
        ("a/one.rs", "use super::two::{Second, third::*};"),
        ("a/two.rs", "fn f() { crate::a::one::g() }"),
    ];
    assert_eq!(circles(&files), [["a/one", "a/two"]]);
    let folders = [
        ("a/mod.rs", "mod one; mod two; pub use two::deep::Second;"),
        ("a/one/mod.rs", "use super::Second;"),
        ("a/two/mod.rs", "mod deep;"),
        ("a/two/deep.rs", "use super::super::one;"),
    ];
    assert_eq!(circles(&folders), [["a/one", "a/two"]]);
    let three = [
        ("a/one.rs", "use super::two::Second;"),
        ("a/two.rs", "use super::three::Third;"),
        ("a/three.rs", "use crate::{a::one::First, b::Other};"),
        ("b/mod.rs", "use crate::a::one;"),
    ];
    assert_eq!(
        circles(&three),
        [vec!["a", "b"], vec!["a/one", "a/three", "a/two"]]
    );
    let fine = [
        ("a/mod.rs", "mod one; mod two; pub use one::First;"),
        ("a/one.rs", "/// See [`super::two`]."),
        (
            "a/two.rs",
            "use super::First; #[cfg(test)] use crate::b::Other;",
        ),
        ("b.rs", "use crate::a::{First, two::Second};"),
    ];
    assert_eq!(circles(&fine), [[""; 0]; 0]);
}

/// Cycles among the files and subfolders of each folder, each sorted.
fn circles(sources: &[Source]) -> Vec<Vec<String>> {
    let modules: BTreeMap<Path, Module> = sources
        .iter()
        .map(|source| {
            let path = module_path(&source.path);
            let module = Module::read(&path, &source.code);
            (path, module)
        })
        .collect();
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (user, module) in &modules {
        for path in &module.uses {
            let Some(used) = resolve(&modules, path, 0) else {
                continue;
            };
            let common = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
            // The first segments that differ are neighbours, unless one path contains the other.
            if common < user.len() && common < used.len() {
                let neighbour = |path: &Path| path[..=common].join("/");
                let edges = graph.entry(neighbour(user)).or_default();
                edges.insert(neighbour(&used));
            }
        }
    }
    let reach: BTreeMap<&String, BTreeSet<&String>> = graph
        .keys()
        .map(|from| (from, reachable(&graph, from)))
        .collect();
    let mut circles = BTreeSet::new();
    for (from, reached) in &reach {
        if reached.contains(from) {
            let back = |to: &&&String| reach.get(*to).is_some_and(|of| of.contains(from));
            let circle = reached.iter().filter(back);
            circles.insert(circle.map(|name| (*name).clone()).collect::<Vec<_>>());
        }
    }
    circles.into_iter().collect()
}

/// Everything that a module uses, directly or indirectly.
fn reachable<'g>(
    graph: &'g BTreeMap<String, BTreeSet<String>>,
    from: &'g String,
) -> BTreeSet<&'g String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for used in graph.get(next).into_iter().flatten() {
            if reached.insert(used) {
                open.push(used);
            }
        }
    }
    reached
}

/// Paths in a module, from the root of the crate.
struct Module {
    uses: Vec<Path>,
    /// Names that the module re-exports.
    offers: BTreeMap<String, Path>,
}

impl Module {
    fn read(own: &Path, code: &str) -> Self {
        let mut module = Self {
            uses: Vec::new(),
            offers: BTreeMap::new(),
        };
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | ')');
        for root in ["crate::", "super::", "self::"] {
            for (at, _) in code.match_indices(root) {
                if !code[..at].ends_with(word) && !offered(&code[..at]) {
                    let paths = tree(&code[at..]);
                    module
                        .uses
                        .extend(paths.iter().map(|path| absolute(own, path)));
                }
            }
        }
        for (at, _) in code.match_indices("use ") {
            let start = at + "use ".len();
            if offered(&code[..start]) {
                for path in tree(&code[start..]) {
                    let path = absolute(own, &path);
                    module
                        .offers
                        .extend(path.last().cloned().map(|name| (name, path)));
                }
            }
        }
        module
    }
}

/// Returns true if a text ends with `pub use `, of any visibility.
fn offered(before: &str) -> bool {
    let before = before.strip_suffix("use ").unwrap_or_default().trim_end();
    before.ends_with("pub") || (before.ends_with(')') && before.contains("pub("))
}

/// Paths in a tree of `use`.
fn tree(text: &str) -> Vec<Path> {
    let mut paths = Vec::new();
    grow(text, &mut Vec::new(), &mut paths);
    paths
}

/// Adds the paths at the start of a text and returns the rest of it.
fn grow<'t>(text: &'t str, before: &mut Path, paths: &mut Vec<Path>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = grow(rest, before, paths).trim_start();
            match rest.strip_prefix(',') {
                Some(after) => rest = after,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if name.is_empty() {
        return text.strip_prefix('*').unwrap_or(text);
    }
    before.push(name.to_owned());
    let rest = match rest.strip_prefix("::") {
        Some(inner) => grow(inner, before, paths),
        None => {
            paths.push(before.clone());
            let renamed = rest.trim_start().strip_prefix("as ").map(str::trim_start);
            let word =
                |name: &'t str| name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            renamed.map_or(rest, word)
        }
    };
    before.pop();
    rest
}

/// Path in a module, made absolute from the root of the crate.
fn absolute(own: &Path, path: &[String]) -> Path {
    let mut from = own.clone();
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => from.clear(),
            "super" => {
                from.pop();
            }
            "self" => {}
            _ => break,
        }
        rest = after;
    }
    from.extend_from_slice(rest);
    from
}

/// Module that a path leads to, directly or through re-exports.
fn resolve(modules: &BTreeMap<Path, Module>, path: &Path, steps: usize) -> Option<Path> {
    let known = |len: &usize| modules.contains_key(&path[..*len]);
    let len = (1..=path.len()).rev().find(known)?;
    let (found, rest) = path.split_at(len);
    let offered = rest
        .first()
        .and_then(|name| modules[found].offers.get(name));
    let offered = offered
        .filter(|_| steps < 8)
        .and_then(|to| resolve(modules, to, steps + 1));
    Some(offered.unwrap_or_else(|| found.to_vec()))
}

/// Module path of a file.
fn module_path(file: &str) -> Path {
    let name = file.trim_end_matches(".rs").trim_end_matches("/mod");
    name.split('/').map(str::to_owned).collect()
}
