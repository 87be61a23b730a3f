//! A desk with a suite on it, and the output and files of its runs.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::time::SystemTime;

use serde_json::Value;

use crate::desk::{Desk, Picture, said};
use crate::fixture::Builder;

/// Head of a suite with small pictures, which are quick to draw.
pub(crate) const SMALL: &str = "[defaults]\nresolution = \"48x32\"\nmsaa = 1\n";

/// A case with all frames of an animation.
pub(crate) fn case_of(name: &str, file: &str, animation: &str) -> String {
    format!(
        "[[case]]\nname = {name:?}\nfile = {file:?}\nanimation = {animation:?}\nframe = \"all\"\n"
    )
}

/// Suite of three cases with nine frames.
pub(crate) const THREE: &str = r#"[defaults]
resolution = "48x32"
msaa = 1

[[case]]
name = "walk"
file = "puppet.pchr"
animation = "walk"
frame = "all"

[[case]]
name = "blink"
file = "puppet.pchr"
animation = "blink"
frame = "all"

[[case]]
name = "jump"
file = "puppet.pchr"
animation = "jump"
frame = "all"
"#;

pub(crate) fn desk(suite: &str) -> Desk {
    let desk = Desk::new();
    desk.put_bytes("suite.toml", suite.as_bytes());
    desk
}

/// Does the same and makes baselines.
pub(crate) fn blessed(suite: &str) -> Desk {
    let desk = desk(suite);
    ended(&test(&desk, &["--update"]), 0, "");
    desk
}

pub(crate) fn program(desk: &Desk, args: &[&str]) -> Command {
    let mut program = desk.program();
    // All reports have the same time, so they can be compared.
    program.env("SOURCE_DATE_EPOCH", "0");
    program.args(args);
    program
}

pub(crate) fn run(desk: &Desk, args: &[&str]) -> Output {
    program(desk, args).output().unwrap()
}

/// Runs `pchr-view` as a user whom permissions bind: root is none. The user gets everything on the desk.
#[cfg(unix)]
pub(crate) fn run_bound(desk: &Desk, args: &[&str]) -> Output {
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65534;

    fn give(path: &std::path::Path) {
        std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        if path.is_dir() && !path.is_symlink() {
            std::fs::read_dir(path).unwrap().for_each(|entry| give(&entry.unwrap().path()));
        }
    }
    let mut program = program(desk, args);
    if rustix::process::geteuid().is_root() {
        give(desk.folder());
        program.uid(NOBODY).gid(NOBODY);
    }
    program.output().unwrap()
}

#[cfg(unix)]
pub(crate) fn set_mode(desk: &Desk, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(desk.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
}

pub(crate) fn test(desk: &Desk, args: &[&str]) -> Output {
    run(desk, &[&["test", "suite.toml"], args].concat())
}

pub(crate) fn told(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Checks the exit code and the first line on stderr; an empty `first` means an empty stderr.
#[track_caller]
pub(crate) fn ended(output: &Output, code: i32, first: &str) {
    let (told, said) = (told(output), said(output));
    assert_eq!(output.status.code(), Some(code), "{told}{said}");
    match first {
        "" => assert_eq!(said, ""),
        first => assert_eq!(said.lines().next(), Some(first), "{told}{said}"),
    }
}

/// Report that a run prints with `--json`, with any exit code.
#[track_caller]
pub(crate) fn report(desk: &Desk, args: &[&str]) -> Value {
    let output = test(desk, &[args, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Status of each frame, as from `walk/0003` to `passed`. A case that could not be drawn has one entry with its name.
pub(crate) fn statuses(report: &Value) -> BTreeMap<String, String> {
    let mut statuses = BTreeMap::new();
    for case in report["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        if case["error"].is_string() {
            statuses.insert(name.to_owned(), "error".to_owned());
        }
        for frame in case["frames"].as_array().unwrap() {
            let status = frame["status"].as_str().unwrap().to_owned();
            let frame = frame["name"].as_str().unwrap();
            statuses.insert(format!("{name}/{frame}"), status);
        }
    }
    statuses
}

pub(crate) fn with_status(report: &Value, status: &str) -> Vec<String> {
    let found = statuses(report).into_iter().filter(|(_, of)| of == status);
    found.map(|(name, _)| name).collect()
}

#[track_caller]
pub(crate) fn case<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut cases = report["cases"].as_array().unwrap().iter();
    cases.find(|case| case["name"] == name).unwrap()
}

#[track_caller]
pub(crate) fn json(desk: &Desk, name: &str) -> Value {
    serde_json::from_slice(&desk.bytes(name)).unwrap()
}

#[track_caller]
pub(crate) fn cameras(desk: &Desk, case: &str) -> BTreeMap<String, Value> {
    let record = json(desk, &format!("baselines/{case}/baseline.json"));
    let frames = record["frames"].as_object().unwrap().iter();
    let camera =
        |frame: &Value| record["cameras"][frame["camera"].as_u64().unwrap() as usize].clone();
    frames.map(|(name, frame)| (name.clone(), camera(frame))).collect()
}

/// Every file below a folder with its modification time and bytes.
pub(crate) fn stamps(desk: &Desk, folder: &str) -> BTreeMap<String, (SystemTime, Vec<u8>)> {
    let stamp = |(name, bytes): (String, Vec<u8>)| {
        let written = std::fs::metadata(desk.path(folder).join(&name)).unwrap().modified().unwrap();
        (name, (written, bytes))
    };
    desk.files(folder).into_iter().map(stamp).collect()
}

/// Writes a picture.
pub(crate) fn paint(desk: &Desk, name: &str, picture: &Picture) {
    desk.put_bytes(name, &picture.encode());
}

/// A taller puppet than usual, so a view that is fitted to it differs.
pub(crate) fn grown() -> Builder {
    let mut grown = crate::fixture::puppet();
    for vertex in grown.parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices) {
        vertex.position[1] *= 2.0;
    }
    grown
}
