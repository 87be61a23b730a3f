//! Tests of the documents: pasted examples run, and the commands of docs/TOOLS.md draw the pictures of README.md.

use std::path::Path;

use crate::desk::{Desk, said, succeeded};
use crate::help::{SAMPLE, files, shell};

/// Starts of commands that need the network, a compiler, a display or a checkout.
const NOT_HERE: [&str; 5] = [
    "script/run ",
    "script/test ",
    "cargo install ",
    "ffmpeg ",
    "pchr-view hero.pchr",
];

/// Scripts for other services, by the name in their first comment. Only their syntax is checked.
const ELSEWHERE: [&str; 5] = [
    "pictures.sbatch",
    "merge.sbatch",
    "submit.sh",
    "run.sh",
    "pictures.sh",
];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Blocks of shell commands in a document.
fn blocks(document: &str) -> Vec<String> {
    let parts = document.split("```sh\n").skip(1);
    let block = |part: &str| part.split_once("```").unwrap().0.to_owned();
    parts.map(block).collect()
}

/// Creates a folder with the files that examples name and the sample as `assets/sample.pchr`.
fn desk() -> Desk {
    let desk = Desk::new();
    for (name, bytes) in files() {
        std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
        desk.put_bytes(name, &bytes);
    }
    for folder in ["assets", "docs/pictures"] {
        std::fs::create_dir_all(desk.path(folder)).unwrap();
    }
    desk.put_bytes("assets/sample.pchr", SAMPLE);
    desk
}

#[test]
fn every_block_of_commands_runs() {
    for (document, least) in [
        ("README.md", 8),
        ("docs/TOOLS.md", 22),
        ("docs/MOTIONS.md", 11),
        ("docs/CI.md", 6),
    ] {
        let desk = desk();
        let git = shell(&desk, "git init -q").status.success();
        let (mut ran, mut elsewhere) = (0, 0);
        for block in blocks(&read(document)) {
            if block.starts_with("#!") {
                assert!(
                    ELSEWHERE
                        .iter()
                        .any(|name| block.contains(&format!("\n# {name}: "))),
                    "{block}"
                );
                desk.put_bytes("script.sh", block.as_bytes());
                succeeded(&shell(&desk, "sh -n script.sh"));
                elsewhere += 1;
                continue;
            }
            for line in block.lines() {
                if NOT_HERE.iter().any(|here| line.starts_with(here))
                    || (line.starts_with("git ") && !git)
                {
                    continue;
                }
                let output = shell(&desk, line);
                assert!(
                    output.status.success(),
                    "{document}: {line}\n{}",
                    said(&output)
                );
                ran += 1;
            }
        }
        assert!(ran >= least, "{document}: {ran}");
        assert!(
            elsewhere == 0 || elsewhere == ELSEWHERE.len(),
            "{document}: {elsewhere}"
        );
    }
}

#[test]
fn the_pictures_of_the_readme_are_what_its_commands_draw() {
    let desk = desk();
    let readme = read("README.md");
    let mut drawn = 0;
    for line in blocks(&read("docs/TOOLS.md"))
        .iter()
        .flat_map(|block| block.lines())
    {
        let Some((_, picture)) = line.split_once(" -o docs/pictures/") else {
            continue;
        };
        succeeded(&shell(&desk, line));
        let picture = format!("docs/pictures/{picture}");
        let published =
            std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(&picture)).unwrap();
        assert!(
            desk.bytes(&picture) == published,
            "{line} draws another picture"
        );
        assert!(
            readme.contains(&format!("<img src=\"{picture}\"")),
            "{picture}"
        );
        drawn += 1;
    }
    let stills = readme.matches("<img src=").count() - readme.matches(".webp\" width").count();
    assert_eq!(stills, drawn);
}

#[test]
fn no_address_is_published_that_is_not_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("docs"), root.join("schemas")];
    let mut files = vec![root.join("Cargo.toml"), root.join("README.md")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push(path)
            }
        }
    }
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains("github.com/pchr-view"), "{}", file.display());
    }
}
