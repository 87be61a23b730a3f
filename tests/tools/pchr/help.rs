//! Tests of `--help`: every command of both programs has examples, and each example runs on the sample.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use pchr::format::json::Dialect;
use pchr::format::{self};

use crate::desk::{Desk, said, succeeded, without_surroundings};
use crate::fixture::puppet;

const PROGRAMS: [(&str, &str); 2] =
    [("pchr", env!("CARGO_BIN_EXE_pchr")), ("pchr-view", env!("CARGO_BIN_EXE_pchr-view"))];

/// Both programs and all of their commands, as words: `["pchr", "inspect"]`.
pub(crate) fn commands() -> Vec<Vec<String>> {
    let mut commands: Vec<_> = PROGRAMS.map(|(name, _)| vec![name.to_owned()]).into();
    let mut next = 0;
    while let Some(command) = commands.get(next).cloned() {
        for name in subcommands(&help(&command)) {
            commands.push([&command[..], &[name]].concat());
        }
        next += 1;
    }
    commands
}

pub(crate) fn help(command: &[String]) -> String {
    let (name, args) = command.split_first().unwrap();
    let (_, program) = PROGRAMS.iter().find(|(of, _)| of == name).unwrap();
    let output = Command::new(program).args(args).arg("--help").output();
    let output = output.unwrap();
    succeeded(&output);
    String::from_utf8(output.stdout).unwrap()
}

fn subcommands(help: &str) -> Vec<String> {
    // The continuation lines of a longer text are indented.
    let list = section(help, "Commands:").filter(|line| !line.starts_with("   "));
    let names = list.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Examples of a help text, ready to paste.
pub(crate) fn examples(help: &str) -> Vec<String> {
    section(help, "Examples:").map(|line| line.trim().to_owned()).collect()
}

/// Lines from a heading to the next empty line.
fn section<'a>(help: &'a str, heading: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = help.lines().skip_while(move |line| *line != heading);
    lines.skip(1).take_while(|line| !line.is_empty())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    No,
    Yes,
    /// Only as `--option=VALUE`.
    AfterEquals,
}

/// Long options of a command, as its help lists them.
pub(crate) fn options(command: &[String]) -> BTreeMap<String, Value> {
    let help = help(command);
    let is_option = |line: &&str| {
        line.starts_with("  ")
            && line.trim_start().starts_with('-')
            && !line.starts_with("         ")
    };
    let option = |line: &str| {
        let name = &line[line.find("--")?..];
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let (name, after) = name.split_at(end.unwrap_or(name.len()));
        let value = match after {
            _ if after.starts_with(" <") => Value::Yes,
            _ if after.starts_with("[=<") => Value::AfterEquals,
            _ => Value::No,
        };
        Some((name.to_owned(), value))
    };
    help.lines().filter(is_option).filter_map(option).collect()
}

/// Returns true for `pchr-view` without a command: it opens the window, which has its own tests.
fn opens_a_window(example: &str, commands: &[Vec<String>]) -> bool {
    let mut words = example.split(' ');
    let (program, next) = (words.next(), words.next());
    let mut views = commands.iter().filter(|command| command[0] == "pchr-view");
    program == Some("pchr-view")
        && !views.any(|command| command.len() > 1 && command.get(1).map(String::as_str) == next)
}

/// The sample, which most examples use as `hero.pchr`.
pub(crate) const SAMPLE: &[u8] = include_bytes!("../../../assets/sample.pchr");

pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let hero = format::read(SAMPLE.to_vec()).unwrap();
    let mut json = Vec::new();
    format::json::write(&hero, Dialect::Pchr, &["atlas.png".to_owned()], &mut json).unwrap();
    let atlas = hero.images().next().unwrap();
    let atlas = format::json::image_file(&atlas).unwrap().into_owned();
    let picture = picture(hero.bytes());
    vec![
        ("hero.pchr", hero.bytes().to_vec()),
        ("hero.pchr-view.toml", b"file = \"hero.pchr\"\n".into()),
        ("party.pchr-view.toml", b"[[character]]\nfile = \"art/hero.pchr\"\n".into()),
        ("hero.legacy.pchr", format::legacy::write(&hero).unwrap().0),
        ("hero.json", json),
        ("atlas.png", atlas.clone()),
        ("hero.pct", crate::pchr::atlas::TEXT.into()),
        ("texturepacker.json", crate::pchr::atlas::JSON.into()),
        ("page.png", crate::pchr::atlas::page()),
        ("walk.seanim", crate::pchr::motion::walk()),
        ("hero.skl.pxd", crate::pchr::pose::skeleton()),
        ("hero@walk.anm.pxd", crate::pchr::pxd::files()[1].1.clone()),
        ("walk.anm.pxd", crate::pchr::pxd::files()[1].1.clone()),
        ("art/hero.pchr", puppet().bytes()), // small, because suites draw every frame of it
        ("art/puppet.pchr", puppet().bytes()),
        ("walk.pchr", puppet().bytes()),
        ("old.pchr", puppet().bytes()),
        ("new.pchr", puppet().bytes()),
        ("studio.png", atlas),
        ("old.png", picture.clone()),
        ("new.png", picture.clone()),
        ("clock.png", picture.clone()), // a mask
        ("old/walk/0000.png", picture.clone()),
        ("new/walk/0000.png", picture),
    ]
}

/// Picture that `pchr-view capture` draws of a character by default.
fn picture(character: &[u8]) -> Vec<u8> {
    let output = Desk::new().run_with(&["capture", "-", "--renderer", "cpu", "-o", "-"], character);
    succeeded(&output);
    output.stdout
}

pub(crate) fn before(command: &[String]) -> &'static [&'static str] {
    const SUITE: [&str; 4] = [
        "printf '[[case]]\\nfile = \"%s\"\\n' hero.pchr puppet.pchr > suite.toml",
        "pchr-view test suite.toml --update",
        "pchr-view test suite.toml --shard 1/2 --report part-1",
        "pchr-view test suite.toml --shard 2/2 --report part-2",
    ];
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    match command.as_slice() {
        ["pchr-view"] => &SUITE[..2],
        // The suite covers every frame of every file in the folder, so most files are removed.
        ["pchr-view", "test"] => &["rm -r art hero* party* walk.anm.pxd"],
        ["pchr-view", "report", ..] => &SUITE,
        // A baseline that is met on a machine that is busier than before.
        ["pchr-view", "bench"] => &[
            "pchr-view bench hero.pchr --renderer cpu --json | jq '(.. | .p50? // empty) *= 1000' > bench.json",
        ],
        ["pchr", "inspect" | "pose"] => {
            &["pchr convert hero.skl.pxd --motion walk.seanim -o hero.glb"]
        }
        _ => &[],
    }
}

/// Folders that examples write to.
const FOLDERS: [&str; 3] =
    [".config/fish/conf.d", ".local/share/bash-completion/completions", ".zfunc"];

#[test]
fn every_command_has_examples() {
    let commands = commands();
    assert!(commands.len() >= 11, "{commands:?}");
    for command in commands {
        assert_ne!(examples(&help(&command)), [""; 0], "{command:?}");
    }
}

#[test]
#[cfg(unix)]
fn every_example_runs() {
    let (mut ran, mut failed) = (0, Vec::new());
    let commands = commands();
    for command in &commands {
        // An example may use the output of an earlier one.
        let desk = Desk::new();
        for folder in FOLDERS {
            std::fs::create_dir_all(desk.path(folder)).unwrap();
        }
        let pictures = crate::pchr::pack_folder::pictures();
        let pictures = pictures.iter().map(|(name, bytes)| (name.as_str(), bytes.clone()));
        for (name, bytes) in files().into_iter().chain(pictures) {
            desk.put_bytes(name, &bytes);
        }
        for line in before(command) {
            succeeded(&shell(&desk, line));
        }
        for example in examples(&help(command)) {
            let line = without_others(&desk, &example);
            ran += 1;
            failed.extend(fault(&desk, line, &commands));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(ran >= 30, "{ran}");
}

/// Start of the line, up to a pipe into a foreign program that is not installed, such as jq.
#[cfg(unix)]
fn without_others<'a>(desk: &Desk, example: &'a str) -> &'a str {
    let mut missing = example.match_indices(" | ").filter(|(at, pipe)| {
        let next = example[at + pipe.len()..].split_whitespace().next();
        // A pipe in quotes is part of an argument.
        example[..*at].matches('\'').count().is_multiple_of(2)
            && !shell(desk, &format!("command -v {}", next.unwrap())).status.success()
    });
    missing.next().map_or(example, |(at, _)| &example[..at])
}

/// Runs a line, and returns what is wrong with it. One that opens the window is read as far as that: there is no display.
#[cfg(unix)]
pub(crate) fn fault(desk: &Desk, line: &str, commands: &[Vec<String>]) -> Option<String> {
    let (fits, output) = if opens_a_window(line, commands) {
        let output = shell(desk, &format!("unset DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET; {line}"));
        (said(&output).starts_with("error: no window can be opened: "), output)
    } else {
        let output = shell(desk, line);
        (output.status.success(), output)
    };
    (!fits).then(|| format!("{line}: {}", said(&output)))
}

/// Runs a line as a user with the installed programs would.
#[cfg(unix)]
pub(crate) fn shell(desk: &Desk, line: &str) -> std::process::Output {
    shell_command(desk, line).output().unwrap()
}

#[cfg(unix)]
pub(crate) fn shell_command(desk: &Desk, line: &str) -> Command {
    let mut path = vec![std::path::Path::new(PROGRAMS[0].1).parent().unwrap().into()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut sh = Command::new("/bin/sh");
    without_surroundings(&mut sh).args(["-c", line]).current_dir(desk.folder());
    sh.env("PATH", std::env::join_paths(path).unwrap()).env("HOME", desk.folder());
    sh.env("XDG_RUNTIME_DIR", std::env::temp_dir()).stdin(Stdio::null());
    sh
}
