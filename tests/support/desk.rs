//! A temporary folder to run the programs in, and the pictures that they make.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::io::{self, Cursor, Write as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::fixture::{Builder, puppet};

/// Variables by which CI systems and schedulers describe the machine. Runs have only those that a test sets.
const SURROUNDINGS: &str = "CI GITHUB_ACTIONS TF_BUILD TEAMCITY_VERSION \
    TEST_SHARD_INDEX TEST_TOTAL_SHARDS TEST_SHARD_STATUS_FILE CI_NODE_INDEX CI_NODE_TOTAL \
    CIRCLE_NODE_INDEX CIRCLE_NODE_TOTAL JOB_COMPLETION_INDEX SLURM_ARRAY_TASK_ID \
    SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_STEP";

/// Temporary folder with `puppet.pchr` in it, where the programs run.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.put("puppet.pchr", &puppet());
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, builder: &Builder) {
        self.put_bytes(name, &builder.bytes());
    }

    /// Writes a file and creates its folder if needed.
    pub(crate) fn put_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Changes one channel of a picture's first pixel by one.
    pub(crate) fn nudge(&self, name: &str) {
        let mut picture = self.picture(name);
        let channel = &mut picture.pixels[0][3];
        *channel = channel.checked_add(1).unwrap_or(254);
        self.put_bytes(name, &picture.encode());
    }

    /// Creates a named pipe that nobody writes to.
    #[cfg(unix)]
    pub(crate) fn put_pipe(&self, name: &str) {
        let made = Command::new("mkfifo").arg(self.path(name)).status();
        assert!(made.unwrap().success(), "{name}");
    }

    pub(crate) fn program(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_pchr-view"))
    }

    pub(crate) fn pchr(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_pchr"))
    }

    /// A shell in the folder that runs a script in which `$0` is a program.
    pub(crate) fn script(&self, program: &str, script: &str) -> Command {
        let mut shell = self.command("sh");
        shell.args(["-c", script, program]);
        shell
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).stdin(Stdio::null());
        // Without it, drivers that look for a Wayland display print to stderr.
        command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
        without_surroundings(&mut command);
        command
    }

    pub(crate) fn run_pchr(&self, args: &[&str]) -> Output {
        self.pchr().args(args).output().unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.program().args(args).output().unwrap()
    }

    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Output {
        let mut program = self.program();
        program.args(args);
        Self::feed(program, input)
    }

    pub(crate) fn feed(mut program: Command, input: &[u8]) -> Output {
        program.stdin(Stdio::piped());
        let mut running = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program may end before it has read everything.
        let written = running.stdin.take().unwrap().write_all(input);
        let is_broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        assert!(written.as_ref().err().is_none_or(is_broken), "{written:?}");
        running.wait_with_output().unwrap()
    }

    /// Runs `capture FILE` with the CPU renderer. It must succeed and print nothing on stdout.
    pub(crate) fn capture(&self, file: &str, args: &[&str]) {
        let args = [&["capture", file, "--renderer", "cpu"], args].concat();
        let output = self.run(&args);
        succeeded(&output);
        assert_eq!(output.stdout, b"", "{args:?}");
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn picture(&self, name: &str) -> Picture {
        Picture::decode(&self.bytes(name))
    }

    /// Every file below a folder, by its relative path.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(folder);
        let named = |path: PathBuf| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            (name.replace('\\', "/"), std::fs::read(&path).unwrap())
        };
        below(&root, |path| path.is_dir()).into_iter().map(named).collect()
    }

    /// Names of all files except `puppet.pchr`.
    pub(crate) fn made(&self) -> Vec<String> {
        self.files("").into_keys().filter(|name| name != "puppet.pchr").collect()
    }

    pub(crate) fn remove(&self, folder: &str) {
        std::fs::remove_dir_all(self.path(folder)).unwrap();
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// All that is in a folder and in those in it that are entered.
pub(crate) fn below(folder: &Path, is_entered: fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let inner = |path: PathBuf| match is_entered(&path) {
        true => below(&path, is_entered),
        false => vec![path],
    };
    entries.flat_map(inner).collect()
}

/// Removes the variables of CI systems and schedulers, in which no baseline is updated and cases are shared out.
pub(crate) fn without_surroundings(command: &mut Command) -> &mut Command {
    for name in SURROUNDINGS.split(' ') {
        command.env_remove(name);
    }
    command
}

pub(crate) fn said(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

pub(crate) fn succeeded(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
}

/// JSON that a program printed and succeeded.
#[track_caller]
pub(crate) fn json_of(output: &Output) -> serde_json::Value {
    succeeded(output);
    serde_json::from_slice(&output.stdout).unwrap()
}

type Extent = Option<(RangeInclusive<usize>, RangeInclusive<usize>)>;

/// A decoded picture with straight alpha.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 4]>,
}

impl Picture {
    pub(crate) fn decode(png: &[u8]) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgba).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgba);
        Self {
            width: info.width as usize,
            height: info.height as usize,
            pixels: rgba.as_chunks().0.to_vec(),
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut png = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        png.set_color(png::ColorType::Rgba);
        let mut png = png.write_header().unwrap();
        png.write_image_data(self.pixels.as_flattened()).unwrap();
        png.finish().unwrap();
        bytes
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 4] {
        assert!(x < self.width);
        self.pixels[y * self.width + x]
    }

    /// Columns and rows of the smallest rectangle that holds every pixel of a colour.
    pub(crate) fn extent(&self, color: [u8; 4]) -> Extent {
        self.extent_of(|pixel| pixel == color)
    }

    /// Columns and rows of the smallest rectangle that holds every pixel that is not transparent.
    pub(crate) fn drawn(&self) -> Extent {
        self.extent_of(|[.., a]| a > 0)
    }

    fn extent_of(&self, is: impl Fn([u8; 4]) -> bool) -> Extent {
        let there: Vec<usize> = (0..self.pixels.len()).filter(|i| is(self.pixels[*i])).collect();
        let xs = || there.iter().map(|i| i % self.width);
        let ys = || there.iter().map(|i| i / self.width);
        Some((xs().min()?..=xs().max()?, ys().min()?..=ys().max()?))
    }
}
