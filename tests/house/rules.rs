//! Tests that `docs/RULES.md` matches the table of rules (`PCHR_BLESS=1 cargo test --test house rules` regenerates it), and that
//! `docs/ARCHITECTURE.md` names files that exist.

use std::fmt::Write as _;
use std::path::Path;

use pchr::finding::Severity;
use pchr_foreign::format::rules;

const BEGINNING: &str = "\
# Rules

The rules that files are checked against. `pchr validate FILE...` reports every place where a rule is broken, with section, element and
byte offset; opening a file in the window or capturing it does the same check.

- **Errors** (`...-E...`) keep a file from being loaded, or one of its images from being drawn. `pchr validate` ends with
  exit code 4.
- **Warnings** (`...-W...`) do not: the file is shown, and the rule says how. With `--strict` they, too, end with exit code 4.
- **Notes** (`...-N...`) say that nothing is wrong, but something is worth a look. `pchr validate --motion-quality` lists them. With
  `--strict` they end with exit code 4 only if `--only` names them.
- An id is stable: it is never given to another rule. Rules of different formats that require the same thing may share a name.
  `--ignore` and `--only` take an id, a name, or an id without its format: `E003` is `PCHR-E003`, `PCT-E003`, `ATLAS-E003`, `SEANIM-E003`, `PXD-E003`, `ACL-E003` and `GLTF-E003`.
- `BUDGET-E…` findings are about limits that `--budget` sets, not about faults: the file is shown.
- Formats that another program adds may have no rules of their own: `FILE-E001` says that such a file could not be read.
- `STAGE-E001` says why the characters of a session cannot be shown together, with the line in the session.
- `ARMATURE-…` findings appear where a 3D motion is shown; `pchr validate` does not report them.
- `PLANE-W…` findings appear where a 3D motion is added to a 2D character, not in `pchr validate`; see `docs/PLANE.md`.
- A finding that follows from another is not reported, so a file that ends early may have more findings once it is complete.
- In JSON, all wrong values are reported at once, with line and column, and so are all missing image files; in the JSON of 3D
  motions, only the first wrong value. Meaning (parents, indices, weights) is checked once all values are right. If the text
  is damaged, the damage and any errors before it are reported.
- Values of unknown keys are skipped, however deeply they nest. Names and keys of more than 120 characters end in `…`.

This page is generated from the tables `crates/pchr/src/document/rule.rs` (PCHR), `crates/pchr-foreign/src/atlas/rule.rs` (PCT), `crates/pchr-foreign/src/motion/rule.rs` (SEAnim),
`crates/pchr-foreign/src/format/pxd/mod.rs` (PXD), `crates/pchr-foreign/src/acl/mod.rs` (ACL), `crates/pchr-foreign/src/format/gltf/mod.rs` (glTF), `crates/pchr/src/scene/smoothness/mod.rs` (MOTION) and those of other formats.
";

/// Text of `docs/RULES.md`.
fn page() -> String {
    let mut page = BEGINNING.to_owned();
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/RULES.md");
    if std::env::var_os("PCHR_BLESS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let text = text.replace("\r\n", "\n"); // some Git settings check it out like this
    assert!(text == page(), "docs/RULES.md is stale: PCHR_BLESS=1 cargo test --test house rules");
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
