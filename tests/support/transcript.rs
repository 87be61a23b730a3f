//! Transcripts: command lines and what they print, in text files that `PCHR_BLESS=1` updates.
//!
//! ```text
//! ## A claim; it starts in a new folder with puppet.pchr
//! $ put suite.toml
//! < [[case]]
//! $ pchr-view test suite.toml | head 1
//!   a line on stdout
//! ! a line on stderr
//! ? 2
//! ```
//!
//! `? 2` is an exit code other than 0, and lines after `<` are standard input. A command is one of the programs, with variables
//! before it as in a shell, or one of [`Folder::tool`]; `in FOLDER` before it changes the folder. An `alias` before the first
//! section holds for all of them.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde_json::Value;

use crate::desk::{Desk, Picture, below, succeeded};
use crate::golden;

/// Makes the files that a transcript asks for with `make NAME FILE`.
pub(crate) type Fixtures = fn(&str) -> Vec<u8>;

/// Runs the transcript `tests/golden/NAME.txt`.
pub(crate) fn check(name: &str, fixtures: Fixtures) {
    golden::check(&format!("tests/golden/{name}.txt"), |text| replay(text, fixtures));
}

/// The transcript with what its commands print now.
fn replay(text: &str, fixtures: Fixtures) -> String {
    let mut folder = Folder::new(fixtures);
    let mut shared: Option<BTreeMap<String, Vec<String>>> = None;
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if ["  ", "! ", "? "].iter().any(|lead| line.starts_with(lead)) || line == "!" {
            continue;
        }
        writeln!(out, "{line}").unwrap();
        if line.starts_with("## ") {
            let aliases = shared.get_or_insert(folder.aliases).clone();
            folder = Folder::new(fixtures);
            folder.aliases = aliases;
        } else if let Some(command) = line.strip_prefix("$ ") {
            let mut input = String::new();
            while let Some(line) = lines.next_if(|line| line.starts_with('<')) {
                writeln!(out, "{line}").unwrap();
                input += line.strip_prefix("< ").unwrap_or_default();
                input.push('\n');
            }
            let input = input.replace("[VERSION]", env!("PCHR_VERSION"));
            out += &folder.run(command, input.into_bytes());
        } else {
            let known = line.is_empty() || line.starts_with('#');
            assert!(known, "not a line of a transcript: {line}");
        }
    }
    out
}

#[derive(Default)]
struct Ended {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    code: i32,
}

impl Ended {
    fn of(stdout: impl Into<Vec<u8>>) -> Self {
        Self { stdout: stdout.into(), ..Self::default() }
    }
}

struct Folder {
    desk: Desk,
    fixtures: Fixtures,
    /// Commands with names of their own.
    aliases: BTreeMap<String, Vec<String>>,
    seen: Vec<(String, Picture)>,
    looked: Vec<(String, Vec<u8>)>,
    /// Files at the last `changed`.
    before: BTreeMap<String, Stamp>,
}

/// Time of the last change and contents of a file.
type Stamp = (Option<SystemTime>, Vec<u8>);

impl Folder {
    fn new(fixtures: Fixtures) -> Self {
        let desk = Desk::new();
        let puppet = desk.bytes("puppet.pchr");
        Self {
            before: stamps(desk.folder()),
            desk,
            fixtures,
            aliases: BTreeMap::new(),
            seen: Vec::new(),
            looked: vec![("puppet.pchr".to_owned(), puppet)],
        }
    }

    /// Runs a line and returns the lines that it adds to the transcript.
    fn run(&mut self, line: &str, input: Vec<u8>) -> String {
        let folder = self.desk.folder().to_str().unwrap().to_owned();
        let words: Vec<String> =
            words(line).into_iter().map(|word| word.replace("[FOLDER]", &folder)).collect();
        let mut stages: Vec<&[String]> = words.split(|word| word == "\0|").collect();
        let mut target = None;
        if let Some(last) = stages.last_mut()
            && let [rest @ .., sign, name] = *last
            && sign == "\0>"
        {
            *last = rest;
            target = Some(name);
        }
        let mut ended = Ended::of(input);
        let mut text = String::new();
        for stage in stages {
            let next = self.command(stage, &ended.stdout);
            ended = Ended { code: ended.code.max(next.code), ..next };
            for line in self.shown(&ended.stderr).lines() {
                writeln!(text, "{}", format!("! {line}").trim_end()).unwrap();
            }
        }
        match target {
            Some(name) => self.desk.put_bytes(name, &ended.stdout),
            None => {
                let lines = self.shown(&ended.stdout);
                text = lines.lines().map(|line| format!("  {line}\n")).collect::<String>() + &text;
            }
        }
        if ended.code != 0 {
            writeln!(text, "? {}", ended.code).unwrap();
        }
        text
    }

    /// What is printed, without what differs from machine to machine and the last line of every wrong command line.
    fn shown(&self, bytes: &[u8]) -> String {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return format!("[{} bytes]", bytes.len());
        };
        let folder = self.desk.folder().canonicalize().unwrap();
        let text = text.replace(folder.to_str().unwrap(), "[FOLDER]");
        let text = text.replace(self.desk.folder().to_str().unwrap(), "[FOLDER]");
        let text = text.replace("\n\nFor more information, try '--help'.", "");
        untimed(&text.replace(env!("PCHR_VERSION"), "[VERSION]"))
    }

    fn command(&mut self, words: &[String], input: &[u8]) -> Ended {
        let (first, args) = words.split_first().expect("a command");
        if first == "in" {
            let mut inner = args[1..].to_vec();
            inner.insert(0, format!("PWD={}", args[0]));
            return self.command(&inner, input);
        }
        if let Some(alias) = self.aliases.get(first) {
            return self.command(&[alias, args].concat(), input);
        }
        let set = words.iter().take_while(|word| is_variable(word)).count();
        let (variables, words) = words.split_at(set);
        let (first, args) = words.split_first().expect("a command");
        let mut program = match first.as_str() {
            "pchr" => self.desk.pchr(),
            "pchr-view" => self.desk.program(),
            _ => return self.tool(first, args, input),
        };
        program.env("SOURCE_DATE_EPOCH", "0").args(args);
        for variable in variables {
            let (name, value) = variable.split_once('=').unwrap();
            match name {
                "PWD" => program.current_dir(self.desk.path(value)),
                _ => program.env(name, value),
            };
        }
        let output = Desk::feed(program, input);
        Ended {
            stdout: output.stdout,
            stderr: output.stderr,
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// Commands beside the programs: they make files and look at them.
    fn tool(&mut self, tool: &str, args: &[String], input: &[u8]) -> Ended {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let path = |name: &str| self.desk.path(name);
        let input_text = || String::from_utf8_lossy(input);
        match (tool, &args[..]) {
            ("alias", [name, command]) => {
                self.aliases.insert((*name).to_owned(), words(command));
            }
            ("make", [fixture, name]) => self.desk.put_bytes(name, &(self.fixtures)(fixture)),
            ("put", [name]) => self.desk.put_bytes(name, input),
            // The puppet with values at these pointers of its JSON.
            ("puppet", [name, changes @ ..]) => {
                for (name, bytes) in puppet(name, changes) {
                    self.desk.put_bytes(&name, &bytes);
                }
            }
            // Changes values of a JSON file.
            ("set", [name, changes @ ..]) => {
                let mut value = serde_json::from_slice(&self.desk.bytes(name)).unwrap();
                change(&mut value, changes);
                self.desk.put_bytes(name, value.to_string().as_bytes());
            }
            // A picture of one colour, with other pixels at `X,Y=COLOR`.
            ("picture", [name, size, color, pixels @ ..]) => {
                let [width, height] = pair(size, 'x');
                let pixels_of = vec![rgba(color); width * height];
                let mut picture = Picture { width, height, pixels: pixels_of };
                paint(&mut picture, pixels);
                self.desk.put_bytes(name, &picture.encode());
            }
            ("paint", [name, pixels @ ..]) => {
                let mut picture = self.desk.picture(name);
                paint(&mut picture, pixels);
                self.desk.put_bytes(name, &picture.encode());
            }
            // Text in a picture, which is JSON.
            ("view", [name, pointers @ ..]) => {
                let png = self.desk.bytes(name);
                let reader = png::Decoder::new(std::io::Cursor::new(png)).read_info();
                let reader = reader.unwrap();
                let texts = reader.info().utf8_text.iter();
                let text: String = texts.map(|text| text.get_text().unwrap()).collect();
                return Ended::of(json(text.as_bytes(), pointers));
            }
            // Files that appeared (+), vanished (-), got other contents (~) or were written again (=) since the last time.
            ("changed", []) => {
                let before = std::mem::replace(&mut self.before, stamps(self.desk.folder()));
                return Ended::of(changed(&before, &self.before));
            }
            ("cat", names) => {
                return Ended::of(
                    names.iter().flat_map(|name| self.desk.bytes(name)).collect::<Vec<_>>(),
                );
            }
            ("ls", folders) => {
                let folder = folders.first().unwrap_or(&".");
                let mut lines = BTreeMap::<String, String>::new();
                for path in self.desk.files(folder).into_keys() {
                    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
                    let folder =
                        if folder.is_empty() { String::new() } else { format!("{folder}/ ") };
                    *lines.entry(folder).or_default() += &format!("{name} ");
                }
                let line =
                    |(folder, names): (String, String)| format!("{folder}{}\n", names.trim_end());
                return Ended::of(lines.into_iter().map(line).collect::<String>());
            }
            ("mkdir", names) => {
                names.iter().for_each(|name| fs::create_dir_all(path(name)).unwrap())
            }
            ("rm", names) => {
                for name in names.iter().map(|name| path(name)) {
                    let folder = name.is_dir() && !name.is_symlink();
                    let removed =
                        if folder { fs::remove_dir_all(name) } else { fs::remove_file(name) };
                    removed.unwrap();
                }
            }
            ("cp", [from, to]) => self.desk.put_bytes(to, &self.desk.bytes(from)),
            ("mv", [from, to]) => fs::rename(path(from), path(to)).unwrap(),
            #[cfg(unix)]
            ("ln", [to, name]) => {
                fs::create_dir_all(path(name).parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(to, path(name)).unwrap();
            }
            ("hard", [from, name]) => fs::hard_link(path(from), path(name)).unwrap(),
            #[cfg(unix)]
            ("pipe", [name]) => self.desk.put_pipe(name),
            // Replaces the first occurrence of a text in a file.
            ("edit", [name, from, to]) => {
                let text = String::from_utf8(self.desk.bytes(name)).unwrap();
                assert!(text.contains(from), "{from} is not in {name}");
                self.desk.put_bytes(name, text.replacen(from, to, 1).as_bytes());
            }
            // The first bytes of a file.
            ("cut", [name, count, to]) => {
                self.desk.put_bytes(to, &self.desk.bytes(name)[..count.parse().unwrap()]);
            }
            // Other bytes at an offset.
            ("patch", [name, at, hex, to]) => {
                let mut bytes = self.desk.bytes(name);
                let at = match at.strip_prefix("0x") {
                    Some(digits) => usize::from_str_radix(digits, 16),
                    None => at.parse(),
                };
                for (place, byte) in (at.unwrap()..).zip(hex.as_bytes().as_chunks::<2>().0) {
                    let digits = std::str::from_utf8(byte).unwrap();
                    bytes[place] = u8::from_str_radix(digits, 16).unwrap();
                }
                self.desk.put_bytes(to, &bytes);
            }
            ("colors", names) => {
                return Ended::of(names.iter().map(|name| self.colors(name)).collect::<String>());
            }
            ("look", names) => {
                return Ended::of(names.iter().map(|name| self.look(name)).collect::<String>());
            }
            // Changes one channel of a picture's first pixel by one.
            ("nudge", [name]) => self.desk.nudge(name),
            ("grep", [word]) => return filtered(&input_text(), |_, line| line.contains(word)),
            ("grep", ["-v", word]) => {
                return filtered(&input_text(), |_, line| !line.contains(word));
            }
            ("head", [count]) => {
                let count: usize = count.parse().unwrap();
                return filtered(&input_text(), |number, _| number < count);
            }
            ("tail", [count]) => {
                let first = input_text().lines().count().saturating_sub(count.parse().unwrap());
                return filtered(&input_text(), |number, _| number >= first);
            }
            ("count", []) => return Ended::of(format!("{} lines\n", input_text().lines().count())),
            ("json", pointers) => return Ended::of(json(input, pointers)),
            _ => panic!("unknown command: {tool} {args:?}"),
        }
        Ended::default()
    }

    /// Size of a file, or an earlier file that has the same bytes.
    fn look(&mut self, name: &str) -> String {
        let bytes = self.desk.bytes(name);
        let same = self.looked.iter().find(|(_, seen)| *seen == bytes);
        let text = std::str::from_utf8(&bytes).ok();
        let size = match (same, text) {
            (Some((other, _)), _) => format!("the same as {other}"),
            (None, Some(text)) => format!("{} lines", text.lines().count()),
            (None, None) if bytes.starts_with(b"\x89PNG") => {
                let picture = Picture::decode(&bytes);
                format!("{} x {}", picture.width, picture.height)
            }
            (None, None) => format!("{} bytes", bytes.len()),
        };
        self.looked.push((again(name, &self.looked), bytes));
        format!("{name}: {size}\n")
    }

    /// Size of a picture, and number and extent of the pixels of its most frequent colours; or an earlier picture that it equals.
    fn colors(&mut self, name: &str) -> String {
        let picture = self.desk.picture(name);
        let same = self.seen.iter().find(|(_, seen)| *seen == picture);
        let mut text = format!("{name}: {} x {}", picture.width, picture.height);
        if let Some((other, _)) = same {
            return text + &format!(", the same as {other}\n");
        }
        let mut counts = BTreeMap::<[u8; 4], usize>::new();
        for pixel in &picture.pixels {
            *counts.entry(*pixel).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
        writeln!(text, ", {} colours", counts.len()).unwrap();
        for ([r, g, b, a], count) in counts.into_iter().take(5) {
            let (x, y) = picture.extent([r, g, b, a]).unwrap();
            writeln!(text, "  #{r:02x}{g:02x}{b:02x}{a:02x} {count:6} at {x:?} {y:?}").unwrap();
        }
        self.seen.push((again(name, &self.seen), picture));
        text
    }
}

/// Name of a file that may have been seen before.
fn again<T>(name: &str, seen: &[(String, T)]) -> String {
    match seen.iter().filter(|(seen, _)| seen.starts_with(name)).count() {
        0 => name.to_owned(),
        times => format!("{name} #{}", times + 1),
    }
}

/// Text with `[TIME]` in place of durations, as in `packed in 0.01 s`.
fn untimed(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split(" in ").enumerate() {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_time = index > 0 && rest.len() < part.len() && rest.starts_with(" s");
        out += if index > 0 { " in " } else { "" };
        out += if is_time { "[TIME]" } else { "" };
        out += if is_time { rest } else { part };
    }
    out
}

/// Lines of a text that are kept, by their numbers and themselves.
fn filtered(text: &str, keep: impl Fn(usize, &str) -> bool) -> Ended {
    let lines = text.lines().enumerate().filter(|(number, line)| keep(*number, line));
    Ended::of(lines.map(|(_, line)| format!("{line}\n")).collect::<String>())
}

/// Values at these pointers, one a line; `*` in a pointer is each element of a list. Without pointers, the whole value.
fn json(text: &[u8], pointers: &[&str]) -> String {
    let value: Value = serde_json::from_slice(text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)));
    if pointers.is_empty() {
        return format!("{value:#}\n");
    }
    let mut out = String::new();
    for pointer in pointers {
        let steps: Vec<&str> = pointer.split('/').skip(1).collect();
        let values = values(&value, "", &steps);
        if values.is_empty() {
            writeln!(out, "{pointer}: none").unwrap();
        }
        for (path, value) in values {
            writeln!(out, "{path}: {value}").unwrap();
        }
    }
    out
}

/// Values that steps lead to, with their paths.
fn values<'v>(value: &'v Value, path: &str, steps: &[&str]) -> Vec<(String, &'v Value)> {
    let Some((step, rest)) = steps.split_first() else { return vec![(path.to_owned(), value)] };
    let names = match (*step, value) {
        ("*", Value::Array(list)) => (0..list.len()).map(|i| i.to_string()).collect(),
        ("*", Value::Object(map)) => map.keys().cloned().collect(),
        _ => vec![(*step).to_owned()],
    };
    let inner = |name: String| {
        let inner = value.pointer(&format!("/{name}"));
        inner.map_or_else(Vec::new, |inner| values(inner, &format!("{path}/{name}"), rest))
    };
    names.into_iter().flat_map(inner).collect()
}

/// Files below a folder; links stand for themselves.
fn stamps(folder: &Path) -> BTreeMap<String, Stamp> {
    let found = below(folder, |path| path.is_dir() && !path.is_symlink()).into_iter();
    let stamped = |path: std::path::PathBuf| {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let stamp = match metadata.is_file() {
            true => (metadata.modified().ok(), fs::read(&path).unwrap()),
            false => (None, Vec::new()),
        };
        (path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), stamp)
    };
    found.map(stamped).collect()
}

fn changed(before: &BTreeMap<String, Stamp>, now: &BTreeMap<String, Stamp>) -> String {
    let gone = before.keys().filter(|name| !now.contains_key(*name));
    let mut lines: Vec<String> = gone.map(|name| format!("- {name}\n")).collect();
    for (name, stamp) in now {
        match before.get(name) {
            None => lines.push(format!("+ {name}\n")),
            Some(old) if old.1 != stamp.1 => lines.push(format!("~ {name}\n")),
            Some(old) if old.0 != stamp.0 => lines.push(format!("= {name}\n")),
            Some(_) => {}
        }
    }
    lines.concat()
}

/// Sets values at pointers: JSON or text, `-` to remove one, `@POINTER` for a copy; a pointer that ends with `/-` appends to a list.
fn change(value: &mut Value, changes: &[&str]) {
    for [pointer, new] in changes.as_chunks().0 {
        let (place, key) = pointer.rsplit_once('/').unwrap();
        let new = match new.strip_prefix('@') {
            Some(from) => value.pointer(from).unwrap().clone(),
            None => serde_json::from_str(new).unwrap_or_else(|_| (*new).into()),
        };
        let remove = new == "-";
        match value.pointer_mut(place).expect("a place in the JSON") {
            Value::Array(list) if key == "-" => list.push(new),
            Value::Array(list) if remove => drop(list.remove(key.parse().unwrap())),
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = new,
            Value::Object(map) if remove => drop(map.remove(key)),
            place => place[key] = new,
        }
    }
}

/// The puppet with changes: PCHR v1, or JSON with its pictures.
fn puppet(name: &str, changes: &[&str]) -> Vec<(String, Vec<u8>)> {
    let desk = Desk::new();
    succeeded(&desk.run_pchr(&["unpack", "puppet.pchr", "-o", "json"]));
    let mut value = serde_json::from_slice(&desk.bytes("json/puppet.json")).unwrap();
    change(&mut value, changes);
    desk.put_bytes("json/puppet.json", value.to_string().as_bytes());
    if name.ends_with(".json") {
        let (folder, _) = name.rsplit_once('/').unwrap_or((".", name));
        let files = desk.files("json").into_iter();
        let beside = |(file, bytes): (String, _)| match file.as_str() {
            "puppet.json" => (name.to_owned(), bytes),
            file => (format!("{folder}/{file}"), bytes),
        };
        return files.map(beside).collect();
    }
    succeeded(&desk.run_pchr(&["-q", "pack", "json/puppet.json", "-o", "out.pchr"]));
    vec![(name.to_owned(), desk.bytes("out.pchr"))]
}

fn pair(text: &str, between: char) -> [usize; 2] {
    let (x, y) = text.split_once(between).unwrap();
    [x, y].map(|side| side.parse().unwrap())
}

/// Colour of a text like `#1e3ce6ff`.
fn rgba(text: &str) -> [u8; 4] {
    u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap().to_be_bytes()
}

fn paint(picture: &mut Picture, pixels: &[&str]) {
    for pixel in pixels {
        let (at, color) = pixel.split_once('=').unwrap();
        let [x, y] = pair(at, ',');
        picture.pixels[y * picture.width + x] = rgba(color);
    }
}

fn is_variable(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
    })
}

/// Words of a line, as a shell splits it: `'…'` as it is, `"…"` with `\n`, `\t` and `\u{…}`. Signs are words with a zero in front.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '|' | '>' if word.is_none() => words.push(format!("\0{c}")),
            '\'' => word.get_or_insert_default().extend(chars.by_ref().take_while(|c| *c != '\'')),
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    word.push(if c == '\\' { escaped(&mut chars) } else { c });
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The character after a backslash.
fn escaped(chars: &mut std::str::Chars<'_>) -> char {
    match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('u') => {
            let digits = chars.by_ref().skip(1).take_while(|c| *c != '}').collect::<String>();
            char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap()
        }
        other => other.expect("a character after the backslash"),
    }
}
