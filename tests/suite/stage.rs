//! A desk with a suite on it, and what a run of it says and leaves behind.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::time::SystemTime;

use serde_json::Value;

use crate::desk::{Desk, Picture, said};
use crate::fixture::Builder;

/// By these, CI systems and schedulers say where a program runs. Here it is nowhere but where a test says.
const SURROUNDINGS: [&str; 13] = [
    "CI",
    "TEST_SHARD_INDEX",
    "TEST_TOTAL_SHARDS",
    "TEST_SHARD_STATUS_FILE",
    "CI_NODE_INDEX",
    "CI_NODE_TOTAL",
    "CIRCLE_NODE_INDEX",
    "CIRCLE_NODE_TOTAL",
    "JOB_COMPLETION_INDEX",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_COUNT",
    "SLURM_ARRAY_TASK_MIN",
    "SLURM_ARRAY_TASK_STEP",
];

/// Small pictures that are soon made, at the front of a suite.
pub(crate) const SMALL: &str = "[defaults]\nresolution = \"48x32\"\nmsaa = 1\n";

/// Three cases with nine frames.
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

/// A folder with `puppet.pchr` and `suite.toml`.
pub(crate) fn desk(suite: &str) -> Desk {
    let desk = Desk::new();
    desk.put_bytes("suite.toml", suite.as_bytes());
    desk
}

/// The same, with baselines.
pub(crate) fn blessed(suite: &str) -> Desk {
    let desk = desk(suite);
    ended(&test(&desk, &["--update"]), 0, "");
    desk
}

/// `pchr-view` with these arguments, ready to run where nothing is said of shards and CI.
pub(crate) fn program(desk: &Desk, args: &[&str]) -> Command {
    let mut program = desk.program();
    for name in SURROUNDINGS {
        program.env_remove(name);
    }
    // Reports of the same moment can be compared.
    program.env("SOURCE_DATE_EPOCH", "0");
    program.args(args);
    program
}

pub(crate) fn run(desk: &Desk, args: &[&str]) -> Output {
    program(desk, args).output().unwrap()
}

/// `pchr-view test suite.toml`, and more.
pub(crate) fn test(desk: &Desk, args: &[&str]) -> Output {
    run(desk, &[&["test", "suite.toml"], args].concat())
}

/// What the program said on stdout.
pub(crate) fn told(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// It ended with a code, after this as the first line on stderr; nothing at all there if that is empty.
#[track_caller]
pub(crate) fn ended(output: &Output, code: i32, first: &str) {
    let (told, said) = (told(output), said(output));
    assert_eq!(output.status.code(), Some(code), "{told}{said}");
    match first {
        "" => assert_eq!(said, ""),
        first => assert_eq!(said.lines().next(), Some(first), "{told}{said}"),
    }
}

/// What a run says with `--json`, whatever it ends with.
#[track_caller]
pub(crate) fn report(desk: &Desk, args: &[&str]) -> Value {
    let output = test(desk, &[args, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// What became of each frame: `walk/0003` and `passed`. A case that could not be drawn is there by its name.
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

/// Names of the frames that have a status.
pub(crate) fn with_status(report: &Value, status: &str) -> Vec<String> {
    let found = statuses(report).into_iter().filter(|(_, of)| of == status);
    found.map(|(name, _)| name).collect()
}

/// A case of a report.
#[track_caller]
pub(crate) fn case<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut cases = report["cases"].as_array().unwrap().iter();
    cases.find(|case| case["name"] == name).unwrap()
}

/// A file of JSON.
#[track_caller]
pub(crate) fn json(desk: &Desk, name: &str) -> Value {
    serde_json::from_slice(&desk.bytes(name)).unwrap()
}

/// The camera of each picture that the record of a case names.
#[track_caller]
pub(crate) fn cameras(desk: &Desk, case: &str) -> BTreeMap<String, Value> {
    let record = json(desk, &format!("baselines/{case}/baseline.json"));
    let frames = record["frames"].as_object().unwrap().iter();
    let camera =
        |frame: &Value| record["cameras"][frame["camera"].as_u64().unwrap() as usize].clone();
    frames
        .map(|(name, frame)| (name.clone(), camera(frame)))
        .collect()
}

/// Puts a character into a folder that may not be there yet.
pub(crate) fn put(desk: &Desk, name: &str, builder: &Builder) {
    std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
    desk.put(name, builder);
}

/// Every file below a folder with its bytes and when it was written.
pub(crate) fn stamps(desk: &Desk, folder: &str) -> BTreeMap<String, (SystemTime, Vec<u8>)> {
    let stamp = |(name, bytes): (String, Vec<u8>)| {
        let path = desk.path(folder).join(&name);
        let written = std::fs::metadata(path).unwrap().modified().unwrap();
        (name, (written, bytes))
    };
    desk.files(folder).into_iter().map(stamp).collect()
}

/// Changes one channel of the first pixel of a picture by one step.
pub(crate) fn nudge(desk: &Desk, name: &str) {
    let mut picture = desk.picture(name);
    let channel = &mut picture.pixels[0][3];
    *channel = channel.checked_add(1).unwrap_or(254);
    paint(desk, name, &picture);
}

/// Writes a picture.
pub(crate) fn paint(desk: &Desk, name: &str, picture: &Picture) {
    let mut bytes = Vec::new();
    let mut png = png::Encoder::new(&mut bytes, picture.width as u32, picture.height as u32);
    png.set_color(png::ColorType::Rgba);
    let mut png = png.write_header().unwrap();
    png.write_image_data(picture.pixels.as_flattened()).unwrap();
    png.finish().unwrap();
    desk.put_bytes(name, &bytes);
}

/// A puppet that is taller than the usual one: a view that is fitted to it is another.
pub(crate) fn grown() -> Builder {
    let mut grown = crate::fixture::puppet();
    for vertex in grown
        .parts
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.vertices)
    {
        vertex.position[1] *= 2.0;
    }
    grown
}
