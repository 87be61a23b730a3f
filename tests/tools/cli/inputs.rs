//! Tests of inputs: endless and oversized ones, special files, and names.

use std::process::Output;

use crate::desk::{Desk, said, succeeded};

/// Runs a command line of `pchr` or `pchr-view`.
fn run(desk: &Desk, line: &str) -> Output {
    let mut words = line.split(' ');
    let mut program = match words.next() {
        Some("pchr") => desk.pchr(),
        _ => desk.program(),
    };
    program.args(words).output().unwrap()
}

/// Checks that a command line fails with this code and an error line with these words.
#[track_caller]
fn failed(desk: &Desk, line: &str, code: i32, words: &str) {
    let output = run(desk, line);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{line}: {said}");
    let first = said.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("error: ") && first.contains(words),
        "{line}: {said}"
    );
}

/// Commands that read a character, a background, a suite or pictures from `X`.
const READERS: [&str; 10] = [
    "pchr inspect X",
    "pchr pack X -o out.pchr",
    "pchr unpack X -o out",
    "pchr convert X -o out.pchr",
    "pchr validate X",
    "pchr-view capture X --renderer cpu -o out.png",
    "pchr-view capture puppet.pchr --renderer cpu -o out.png --background X",
    "pchr-view compare X a.png",
    "pchr-view compare a.png X",
    "pchr-view test X",
];

/// A file that is there, and that the system cannot read: an error of input and output, also for root.
#[cfg(target_os = "linux")]
#[test]
fn an_image_that_the_system_cannot_read_is_no_missing_one() {
    let desk = Desk::new();
    succeeded(&run(&desk, "pchr unpack puppet.pchr -o json"));
    let image = desk.path("json/image 0.png");
    std::fs::remove_file(&image).unwrap();
    let lines = [
        "pchr inspect json/puppet.json --allow-outside",
        "pchr pack json/puppet.json --allow-outside -o out.pchr",
        "pchr validate json/puppet.json --allow-outside",
        "pchr-view capture json/puppet.json --allow-outside --renderer cpu -o out.png",
    ];
    for line in lines {
        assert_eq!(run(&desk, line).status.code(), Some(4), "{line}");
    }
    std::os::unix::fs::symlink("/proc/self/mem", image).unwrap();
    for line in lines {
        failed(&desk, line, 1, "cannot read image 0.png: ");
    }
    assert!(!desk.path("out.png").exists() && !desk.path("out.pchr").exists());
}

#[test]
fn a_merge_conflict_is_named_with_its_line() {
    let desk = Desk::new();
    succeeded(&run(&desk, "pchr unpack puppet.pchr -o json"));
    let json = String::from_utf8(desk.bytes("json/puppet.json")).unwrap();
    let (first, rest) = json.split_once('\n').unwrap();
    let halves = format!("{first}\n<<<<<<< HEAD\n\"a\": 1,\n=======\n>>>>>>> theirs\n{rest}");
    desk.put_bytes("json/puppet.json", halves.as_bytes());
    failed(
        &desk,
        "pchr pack json/puppet.json -o a.pchr",
        4,
        "has a merge conflict on line 2; resolve it",
    );
    let suite = "<<<<<<< ours\n[defaults]\n=======\n>>>>>>> theirs\n";
    desk.put_bytes("suite.toml", suite.as_bytes());
    failed(
        &desk,
        "pchr-view test suite.toml",
        2,
        "suite.toml:1: has a merge conflict",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_never_ends_is_refused_within_its_limit() {
    let desk = Desk::new();
    desk.capture("puppet.pchr", &["-s", "9x9", "-o", "a.png"]);
    let line = READERS.iter().map(|line| line.replace('X', "/dev/zero"));
    for line in line.filter(|line| !line.contains("test") && !line.contains("--background")) {
        let line = format!("{line} --max-size 8MiB");
        failed(
            &desk,
            &line,
            1,
            "cannot read /dev/zero: is larger than 8 MiB",
        );
    }
    let words = "cannot read the background /dev/zero: is not a regular file";
    failed(
        &desk,
        "pchr-view capture puppet.pchr --renderer cpu -o out.png --background /dev/zero",
        1,
        words,
    );
    // Without a limit set by the user, in less memory than the file would take.
    let mut shell = std::process::Command::new("sh");
    let script = "ulimit -v 700000; exec \"$0\" validate /dev/zero";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_pchr")]);
    let output = shell.env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).starts_with("error: cannot read /dev/zero: "),
        "{}",
        said(&output)
    );
    assert_eq!(said(&output).lines().count(), 1);
}

/// Nobody writes to the pipe, so opening it would block forever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_background_and_no_baseline() {
    let desk = Desk::new();
    desk.put_pipe("pipe.png");
    failed(
        &desk,
        "pchr-view capture puppet.pchr --renderer cpu -o out.png --background pipe.png",
        1,
        "cannot read the background pipe.png: is not a regular file",
    );
    desk.put_bytes(
        "suite.toml",
        b"[[case]]\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n",
    );
    std::fs::create_dir_all(desk.path("baselines/puppet")).unwrap();
    std::fs::rename(
        desk.path("pipe.png"),
        desk.path("baselines/puppet/0000.png"),
    )
    .unwrap();
    let output = run(&desk, "pchr-view test suite.toml");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("is not a regular file"), "{told}");
}

#[cfg(unix)]
#[test]
fn both_null_devices_take_every_output() {
    let desk = Desk::new();
    for null in ["/dev/null", "NUL"] {
        for line in [
            "pchr-view capture puppet.pchr --renderer cpu -o X",
            "pchr-view capture puppet.pchr --renderer cpu -f all -o X",
            "pchr convert puppet.pchr --to pchr -o X",
            "pchr pack puppet.pchr -o X",
            "pchr validate puppet.pchr --junit X",
        ] {
            succeeded(&run(&desk, &line.replace('X', null)));
        }
    }
    assert_eq!(desk.made(), [""; 0]);
}

#[test]
fn names_that_some_system_cannot_hold_are_refused_in_templates() {
    let desk = Desk::new();
    let long = "x".repeat(252);
    for (output, part, why) in [
        ("CON.png", "CON.png", "is a reserved name on Windows"),
        ("nul/{frame}.png", "nul", "is a reserved name on Windows"),
        ("a./b.png", "a.", "ends with a dot or a space"),
        (
            "a?.png",
            "a?.png",
            "has a '?', which not every system allows",
        ),
        (
            &format!("{long}.png"),
            &format!("{long}.png"),
            "has 256 bytes, expected at most 255",
        ),
    ] {
        let line = format!("pchr-view capture puppet.pchr --renderer cpu -o {output}");
        failed(&desk, &line, 2, &format!("the name {part:?} {why}"));
    }
    assert_eq!(desk.made(), [""; 0]);
    // Names from the file become valid file names, and no two of them are the same file.
    let mut hero = crate::fixture::puppet();
    let names = ["CON", "con", "a.", "\u{e9}", "e\u{301}"];
    for (animation, name) in hero.parts.animations.iter_mut().zip(names) {
        animation.name = name.into();
    }
    desk.put("hero.pchr", &hero);
    let line = "pchr-view capture hero.pchr --renderer cpu -s 9x9 -a all -o out/{animation}.png";
    succeeded(&run(&desk, line));
    let made: Vec<String> = desk.files("out").into_keys().collect();
    assert_eq!(
        made,
        [
            "CON_.png",
            "a_.png",
            "con_#1.png",
            "e\u{301}#4.png",
            "\u{e9}.png"
        ]
    );
}
