//! Tests that no command overwrites a file that it read, however the file is named as input and as output.

use std::process::{Command, Output};

use crate::desk::{Desk, said, succeeded};
use crate::fixture::puppet;

const SUITE: &str = "[defaults]
resolution = \"32x24\"
background = \"studio.png\"

[[case]]
name = \"walk\"
file = \"hero.json\"
animation = \"walk\"
frame = \"0..2\"
";

/// Creates `hero.json` with `hero.png` and `0001.png`, `suite.toml` with its baselines, two folders of pictures, a report, and
/// other names for some of them.
fn desk() -> Desk {
    let desk = Desk::new();
    let mut hero = puppet();
    hero.parts.images[0].name = "hero".into();
    hero.parts.images[1].name = "0001".into();
    desk.put("hero.pchr", &hero);
    succeeded(&desk.run_pchr(&["unpack", "hero.pchr", "-o", "."]));
    desk.capture("puppet.pchr", &["-s", "32x24", "-o", "studio.png"]);
    for folder in ["old", "new"] {
        for name in ["a", "b"] {
            let path = format!("{folder}/{name}.png");
            let zoom = if folder == "old" { "1" } else { "2" };
            desk.capture("puppet.pchr", &["-s", "9x9", "--zoom", zoom, "-o", &path]);
        }
    }
    desk.put_bytes("suite.toml", SUITE.as_bytes());
    succeeded(&run(&desk, "pchr-view test suite.toml --update --force"));
    desk.capture(
        "puppet.pchr",
        &["-s", "32x24", "-o", "baselines/walk/0000.png"],
    );
    let differs = run(&desk, "pchr-view test suite.toml --report part");
    assert_eq!(differs.status.code(), Some(3), "{}", said(&differs));
    for folder in ["diff", "reports", "merged"] {
        std::fs::create_dir(desk.path(folder)).unwrap();
    }
    let hard = [
        ("hero.png", "hard.png"),
        ("new/b.png", "diff/b.png"),
        ("suite.toml", "reports/index.html"),
        ("part/pictures/walk/0000.actual.png", "merged/index.html"),
    ];
    for (file, name) in hard {
        std::fs::hard_link(desk.path(file), desk.path(name)).unwrap();
    }
    desk
}

fn run(desk: &Desk, line: &str) -> Output {
    let mut words = line.split(' ');
    let mut program = match words.next() {
        Some("pchr") => desk.pchr(),
        _ => desk.program(),
    };
    program.args(words).output().unwrap()
}

/// Command lines whose output and input are the same file, with the names of both.
const LINES: [(&str, &str, &str); 27] = [
    (
        "pchr-view capture hero.json -o hero.png",
        "hero.png",
        "./hero.png",
    ),
    (
        "pchr-view capture hero.json -o hard.png",
        "hard.png",
        "./hero.png",
    ),
    (
        "pchr-view capture hero.json -f 0..3 -o {frame:04}.png",
        "0001.png",
        "./0001.png",
    ),
    (
        "pchr-view capture puppet.pchr --background studio.png -o ./studio.png",
        "./studio.png",
        "studio.png",
    ),
    (
        "pchr-view capture hero.json -o old/../{file}.png",
        "old/../hero.png",
        "./hero.png",
    ),
    ("pchr pack hero.json -o hero.json", "hero.json", "hero.json"),
    ("pchr pack hero.json -o hero.png", "hero.png", "./hero.png"),
    (
        "pchr convert hero.json --to pchr -o hard.png",
        "hard.png",
        "./hero.png",
    ),
    (
        "pchr convert hero.pchr -o hero.pchr",
        "hero.pchr",
        "hero.pchr",
    ),
    (
        "pchr convert hero.json --to pachario -o hero.json",
        "./hero.png",
        "./hero.png",
    ),
    ("pchr unpack hero.json -o .", "./hero.png", "./hero.png"),
    (
        "pchr validate hero.pchr --junit hero.pchr",
        "hero.pchr",
        "hero.pchr",
    ),
    (
        "pchr validate puppet.pchr hero.json --junit 0001.png",
        "0001.png",
        "./0001.png",
    ),
    (
        "pchr-view compare old/a.png new/a.png --diff old/a.png",
        "old/a.png",
        "old/a.png",
    ),
    (
        "pchr-view compare old/b.png new/b.png --diff diff/b.png",
        "diff/b.png",
        "new/b.png",
    ),
    (
        "pchr-view compare old new --diff diff",
        "diff/b.png",
        "new/b.png",
    ),
    (
        "pchr-view test suite.toml --junit suite.toml",
        "suite.toml",
        "suite.toml",
    ),
    (
        "pchr-view test suite.toml --junit hero.json",
        "hero.json",
        "hero.json",
    ),
    (
        "pchr-view test suite.toml --junit hard.png",
        "hard.png",
        "./hero.png",
    ),
    (
        "pchr-view test suite.toml --junit studio.png",
        "studio.png",
        "studio.png",
    ),
    (
        "pchr-view test suite.toml --junit baselines/walk/0001.png",
        "baselines/walk/0001.png",
        "baselines/walk/0001.png",
    ),
    (
        "pchr-view test suite.toml --junit baselines/walk/baseline.json",
        "baselines/walk/baseline.json",
        "baselines/walk/baseline.json",
    ),
    (
        "pchr-view test suite.toml --update --force --junit hero.png",
        "hero.png",
        "./hero.png",
    ),
    (
        "pchr-view test suite.toml --report reports",
        "reports/index.html",
        "suite.toml",
    ),
    (
        "pchr-view report merge part -o merged",
        "merged/index.html",
        "part/pictures/walk/0000.actual.png",
    ),
    (
        "pchr-view report merge part -o other --junit part/report.json",
        "part/report.json",
        "part/report.json",
    ),
    (
        "pchr-view report merge part -o other --junit part/pictures/walk/0000.actual.png",
        "part/pictures/walk/0000.actual.png",
        "part/pictures/walk/0000.actual.png",
    ),
];

/// Checks that the error line names both files.
#[track_caller]
fn refused(desk: &Desk, output: &Output, (written, read): (&str, &str), line: &str) {
    let wanted = format!(
        "error: the output {written} would overwrite the input {read}; choose another output\n"
    );
    let wanted = wanted.replace("./", "");
    assert_eq!(said(output).replace("./", ""), wanted, "{line}");
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert_eq!(output.stdout, b"", "{line}");
    let _ = desk;
}

#[test]
fn no_command_writes_over_its_inputs() {
    let desk = desk();
    let before = desk.files("");
    for (line, written, read) in LINES {
        let output = run(&desk, line);
        refused(&desk, &output, (written, read), line);
        assert!(before == desk.files(""), "{line} wrote something");
    }
}

#[cfg(unix)]
#[test]
fn links_and_stdin_are_inputs_by_any_name() {
    use std::os::unix::fs::symlink;

    let desk = desk();
    let link = |to: &str, name: &str| symlink(to, desk.path(name)).unwrap();
    link("hero.pchr", "link.pchr");
    link(".", "here");
    link("hero.png", "link.png");
    // A baseline that is also an input is not overwritten.
    std::fs::remove_file(desk.path("baselines/walk/0000.png")).unwrap();
    link("../../studio.png", "baselines/walk/0000.png");
    let before = desk.path("studio.png");
    let before = (std::fs::read(before).unwrap(), desk.bytes("hero.png"));
    for (line, written, read) in [
        (
            "pchr convert hero.pchr -o link.pchr",
            "link.pchr",
            "hero.pchr",
        ),
        (
            "pchr convert link.pchr -o here/hero.pchr",
            "here/hero.pchr",
            "link.pchr",
        ),
        (
            "pchr-view capture hero.json -o here/link.png",
            "here/link.png",
            "hero.png",
        ),
        (
            "pchr-view test suite.toml --update=all --force",
            "baselines/walk/0000.png",
            "studio.png",
        ),
    ] {
        refused(&desk, &run(&desk, line), (written, read), line);
    }
    let now = (desk.bytes("studio.png"), desk.bytes("hero.png"));
    assert!(before == now && desk.path("link.pchr").is_symlink());
    for (program, line) in [
        (
            env!("CARGO_BIN_EXE_pchr"),
            "convert - -o hero.pchr < hero.pchr",
        ),
        (
            env!("CARGO_BIN_EXE_pchr-view"),
            "compare - old/b.png --diff old/a.png < old/a.png",
        ),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{program} {line}")]);
        let output = shell.current_dir(desk.folder()).output().unwrap();
        let said = said(&output);
        assert!(said.contains("would overwrite the input stdin"), "{said}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn outputs_beside_their_inputs_are_written() {
    let desk = desk();
    for line in [
        "pchr pack hero.json -o hero.pchr",
        "pchr pack hero.json -o hero.pchr",
        "pchr unpack hero.pchr -o .",
        "pchr-view capture hero.json --renderer cpu -o other.png",
        "pchr-view capture hero.json --renderer cpu -o other.png",
        "pchr-view capture puppet.pchr --renderer cpu -s 1x1 -o hero.png",
        "pchr-view test suite.toml --update --force",
        "pchr-view test suite.toml --update=all --force --report part",
        "pchr-view compare old/a.png old/b.png --diff new/a.png",
    ] {
        let output = run(&desk, line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", said(&output));
    }
}
