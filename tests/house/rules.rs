//! Tests that `docs/RULES.md` matches the table of rules (`PCHR_BLESS=1 cargo test --test house rules` regenerates it), and that
//! `docs/ARCHITECTURE.md` names files that exist.

use std::fmt::Write as _;
use std::path::Path;

use pchr::finding::Severity;
use pchr_foreign::format::rules;

use crate::golden;

/// Text of `docs/RULES.md` after the introduction, which people write.
fn tables() -> String {
    let mut page = String::new();
    for (title, severity) in
        [("Errors", Severity::Error), ("Warnings", Severity::Warning), ("Notes", Severity::Note)]
    {
        let of_severity = || rules().filter(|rule| rule.severity() == severity);
        writeln!(page, "\n## {title}\n\n| id | name | requirement |\n| --- | --- | --- |").unwrap();
        for rule in of_severity() {
            let (id, name, about) = (rule.id(), rule.name(), rule.about());
            let anchor = id.to_ascii_lowercase();
            writeln!(page, "| [{id}](#{anchor}) | `{name}` | {about} |").unwrap();
        }
        for rule in of_severity() {
            let (id, name, about) = (rule.id(), rule.name(), rule.about());
            writeln!(page, "\n### {id}\n\n`{name}`: {about}\n").unwrap();
            writeln!(page, "```text\n{}\n```\n\n{}", rule.example(), rule.advice()).unwrap();
        }
    }
    page
}

#[test]
fn the_page_says_what_the_table_says() {
    golden::check("docs/RULES.md", |page| {
        let (introduction, _) = page.split_once("\n## Errors").unwrap();
        introduction.to_owned() + &tables()
    });
}

#[test]
fn where_to_make_a_change_names_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let (_, table) = text.split_once("\n## Where to make a change\n").unwrap();
    let quoted = table.split('`').skip(1).step_by(2);
    for path in quoted.filter(|text| text.contains('/') && !text.contains([' ', '…'])) {
        let of_crate =
            ["pchr/", "pchr-foreign/", "pchr-tools/"].map(|name| path.strip_prefix(name));
        let name = path.split('/').next().unwrap();
        let path = match of_crate.into_iter().flatten().next() {
            Some(rest) => format!("crates/{name}/src/{rest}"),
            None => path.to_owned(),
        };
        assert!(root.join(&path).exists(), "{path} does not exist");
    }
}
