//! Tests of the documents: their commands run as they stand, options that they name exist, and the commands of docs/TOOLS.md draw
//! the pictures of README.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

use crate::desk::{Desk, below, succeeded};
use crate::pchr::help::{SAMPLE, Value, before, commands, fault, files, options, shell};

/// Documents whose commands are neither run nor checked.
const NOT_READ: [&str; 2] = [
    "docs/CHANGELOG.md", // commands of earlier versions
    "docs/STYLE.md",     // examples of messages, good and bad
];

/// Commands of the documents that cannot run here, and the reason.
const NOT_HERE: [(&str, &str); 10] = [
    ("script/run [FILE]", "installs packages, opens the window"),
    ("script/test", "installs packages, runs this test"),
    ("cargo install --locked --path . --no-default-features", "compiles everything"),
    (
        "ffmpeg -framerate 30 -i frames/%04d.png -c:v libwebp_anim -quality 70 -loop 0 docs/pictures/walk.webp",
        "another program",
    ),
    (
        "pchr-view bench hero.pchr -a walk --renderer cpu --baseline bench.json --max-slower 15%",
        "fails on a machine that is busier than before",
    ),
    ("git difftool --tool=pchr --no-prompt HEAD~1 -- hero.pchr", "opens a window"),
    ("pchr validate --motion-quality", "names an option, without a file"),
    ("pchr pack --legacy", "names an option, without a file"),
    ("pchr validate FILE...", "stands for any files"),
    ("pchr pose --space skin", "names an option, without a file"),
];

/// Ends of commands that write a video, which may not be possible here.
const VIDEOS: [&str; 3] = [".mp4", ".webm", ".mov"];

/// Options in the documents that are not ours.
const OF_OTHERS: [&str; 3] = ["--no-default-features", "--no-deps", "--all-features"];

/// Scripts for other services by the name in their first comment, and a command that runs each as `script.sh` in place of the
/// service; empty where that is not possible.
const SCRIPTS: [(&str, &str); 7] = [
    (
        "pictures.sbatch",
        "export SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1 && for i in 1 2 3 4; do SLURM_ARRAY_TASK_ID=$i sh script.sh art/suite.toml slurm || exit; done",
    ),
    ("merge.sbatch", "sh script.sh slurm"),
    ("submit.sh", ""), // calls sbatch; script/slurm-proof runs it
    ("run.sh", ""),    // calls kubectl
    (
        "changed-characters",
        "git config user.name A && git config user.email a@example.com && cp FILE hero.pchr && git add hero.pchr && git commit -qm old \
         && pchr unpack hero.pchr -o edited && jq '.meshes[0].vertices[].x += 50' edited/hero.json > edited/moved.json && pchr pack edited/moved.json -o hero.pchr \
         && git commit -qam new && sh script.sh HEAD~1 && grep -q 'before and after' changes/changes.md && test -s changes/hero.pchr.png",
    ),
    ("comment-changes", ""), // calls gh
    (
        "pictures.sh",
        "mkdir bazel && TEST_UNDECLARED_OUTPUTS_DIR=bazel XML_OUTPUT_FILE=bazel/junit.xml sh script.sh \"$(command -v pchr-view)\" art/suite.toml",
    ),
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// Texts of README.md and the documents, by name.
fn documents() -> Vec<(String, String)> {
    let files = std::fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let names = files.map(|file| format!("docs/{}", file.unwrap().file_name().to_str().unwrap()));
    let is_read = |name: &String| name.ends_with(".md") && !NOT_READ.contains(&name.as_str());
    let mut names: Vec<_> = names.filter(is_read).chain(["README.md".to_owned()]).collect();
    names.sort();
    assert!(names.len() >= 9, "{names:?}");
    names.into_iter().map(|name| (name.clone(), read(&name))).collect()
}

/// A part of a document with commands.
#[derive(Debug, PartialEq)]
enum Part<'a> {
    /// Language and text of a block.
    Block(&'a str, &'a str),
    /// Code within a line.
    Code(&'a str),
}

fn parts(document: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for (index, piece) in document.split("```").enumerate() {
        if index % 2 == 1 {
            let (language, text) = piece.split_once('\n').unwrap();
            parts.push(Part::Block(language, text));
            continue;
        }
        parts.extend(piece.split('`').skip(1).step_by(2).map(Part::Code));
    }
    parts
}

/// A line of a block without and with its comment.
fn comment(line: &str) -> (&str, &str) {
    let (command, comment) = line.split_once(" #").unwrap_or((line, ""));
    (command.trim(), comment.trim())
}

/// Returns true for a command in the text that has more than names in it.
fn is_whole(code: &str, commands: &[Vec<String>]) -> bool {
    let words: Vec<String> = code.split(' ').map(str::to_owned).collect();
    ["pchr", "pchr-view"].contains(&words[0].as_str()) && !commands.contains(&words)
}

/// Commands of ours in a block for a service, each as one line for each of four parts.
fn of_service(block: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in block.lines() {
        let starts = ["pchr-view test ", "pchr-view report "];
        let command = if let Some((_, list)) = line.split_once("[pchr-view, ") {
            let list = list.trim_end_matches(']').replace('"', "").replace(", ", " ");
            format!("pchr-view {list}")
        } else if let Some(at) = starts.iter().find_map(|start| line.find(start)) {
            line[at..].trim_end_matches("\"]").trim_end_matches(" ||").to_owned()
        } else {
            continue;
        };
        let command = command.replace("${{ strategy.job-total }}", "4");
        let command = command.replace(" /art/", " art/").replace(" /reports/", " reports/");
        let parts = if command.contains("pchr-view test ") { 4 } else { 1 };
        for part in 1..=parts {
            let index = part - 1;
            let command = command
                .replace("${{ matrix.part }}", &part.to_string())
                .replace("$(JOB_COMPLETION_INDEX)", &index.to_string());
            let variables = [
                ("$CI_NODE", format!("export CI_NODE_TOTAL=4 CI_NODE_INDEX={part} && ")),
                ("$CIRCLE", format!("export CIRCLE_NODE_TOTAL=4 CIRCLE_NODE_INDEX={index} && ")),
                ("--shard-total", format!("export JOB_COMPLETION_INDEX={index} && ")),
            ];
            let variables = variables.into_iter().find(|(word, _)| command.contains(word));
            let variables = variables.unwrap_or_default().1;
            // GitHub collects the folder of each part under its name.
            let collected = match command.ends_with("--report part") {
                true => format!(" && mv part parts/part-{part}"),
                false => String::new(),
            };
            lines.push(format!("{variables}{command}{collected}"));
        }
    }
    lines
}

/// Creates a folder with the files that examples name, the sample as `assets/sample.pchr` and as `FILE`, a suite and its parts.
fn desk() -> Desk {
    let desk = Desk::new();
    for (name, bytes) in files() {
        desk.put_bytes(name, &bytes);
    }
    std::fs::create_dir_all(desk.path("docs/pictures")).unwrap();
    desk.put_bytes("assets/sample.pchr", SAMPLE);
    desk.put_bytes("FILE", SAMPLE);
    for line in before(&["pchr-view".to_owned(), "report".to_owned()]) {
        succeeded(&shell(&desk, line));
    }
    succeeded(&shell(&desk, "mkdir parts && mv part-1 part-2 parts"));
    desk
}

/// Commands of the documents that ran or not, and those that failed.
#[derive(Debug, Default)]
struct Ran {
    count: usize,
    scripts: BTreeSet<&'static str>,
    left_out: BTreeSet<&'static str>,
    failed: Vec<String>,
}

fn run(document: &str) -> Ran {
    let mut ran = Ran::default();
    let (desk, commands) = (desk(), commands());
    let git = shell(&desk, "git init -q").status.success();
    let mut line = |line: &str| {
        let command = comment(line).0;
        if let Some((listed, _)) = NOT_HERE.iter().find(|(listed, _)| *listed == command) {
            ran.left_out.insert(listed);
        } else if cfg!(skip_video_tests) && VIDEOS.iter().any(|name| command.ends_with(name)) {
            // Needs ffmpeg.
        } else if !command.is_empty() && (git || !command.starts_with("git ")) {
            ran.count += 1;
            ran.failed.extend(fault(&desk, line, &commands));
        }
    };
    for part in parts(document) {
        match part {
            Part::Code(code) if is_whole(code, &commands) => line(code),
            Part::Block("sh", script) if script.starts_with("#!") => {
                let mut scripts = SCRIPTS.iter();
                let script_of = scripts.find(|(name, _)| script.contains(&format!("\n# {name}: ")));
                let (name, command) = script_of.unwrap_or_else(|| panic!("{script}"));
                desk.put_bytes("script.sh", script.as_bytes());
                line("sh -n script.sh");
                line(command);
                ran.scripts.insert(name);
            }
            Part::Block("sh", block) => block.lines().for_each(&mut line),
            Part::Block("yaml", block) => {
                if block.contains("pchr-view test ") || block.contains("[pchr-view, test, ") {
                    line("rm -rf part parts report reports && mkdir parts");
                }
                of_service(block).iter().for_each(|command| line(command));
            }
            _ => {}
        }
    }
    ran
}

#[test]
fn every_command_of_the_documents_runs() {
    let mut ran = Ran::default();
    let mut of_services = 0;
    let documents = documents();
    let of_each = thread::scope(|scope| {
        let threads = documents.iter().map(|(_, document)| scope.spawn(|| run(document)));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for ((name, document), of_it) in documents.iter().zip(of_each) {
        ran.count += of_it.count;
        ran.scripts.extend(of_it.scripts);
        ran.left_out.extend(of_it.left_out);
        ran.failed.extend(of_it.failed.iter().map(|fault| format!("{name}: {fault}")));
        for part in parts(document) {
            if let Part::Block("yaml", block) = part {
                of_services += of_service(block).len();
            }
        }
    }
    assert!(ran.failed.is_empty(), "{}", ran.failed.join("\n"));
    assert!(ran.count >= 80, "{}", ran.count);
    assert_eq!(of_services, 4 * 5, "five commands for each of four services");
    // Nothing is listed that is no longer there.
    assert_eq!(ran.left_out.len(), NOT_HERE.len(), "{:?}", ran.left_out);
    assert_eq!(ran.scripts.len(), SCRIPTS.len(), "{:?}", ran.scripts);
}

#[test]
fn a_wrong_command_of_a_document_is_found() {
    let document = "Run `pchr inspect FILE` or `pchr-view FILE --colour red`, `pchr pack`.\n\n```sh\npchr validate FILE\npchr validate --sarif log FILE # a file\n```\n\n```yaml\n- run: pchr-view test no.toml ||\n```\n";
    let ran = run(document);
    let failed: Vec<_> =
        { ran.failed.iter() }.map(|fault| fault.split(": ").next().unwrap()).collect();
    let suite = "pchr-view test no.toml";
    let wrong = ["pchr-view FILE --colour red", "pchr validate --sarif log FILE # a file"];
    assert_eq!(failed, [&wrong[..], &[suite; 4]].concat());
}

/// Options that a document names where there are none, or with a value that they do not take.
fn wrong_options(document: &str) -> Vec<String> {
    let commands = commands();
    let by_command: BTreeMap<String, _> =
        { commands.iter() }.map(|command| (command.join(" "), options(command))).collect();
    let mut wrong = Vec::new();
    for part in parts(document) {
        match part {
            Part::Code(code) if code.starts_with("--") => {
                let words: Vec<&str> = code.split(' ').collect();
                for (index, word) in words.iter().enumerate() {
                    let (option, value) = word.split_once('=').unwrap_or((word, ""));
                    if !option.starts_with("--") || OF_OTHERS.contains(&option) {
                        continue;
                    }
                    let next = words.get(index + 1).is_some_and(|next| !next.starts_with('-'));
                    let takes = { by_command.values() }.filter_map(|options| options.get(option));
                    let fits = |takes: &Value| match takes {
                        Value::No => value.is_empty() && !next,
                        Value::Yes => true,
                        Value::AfterEquals => !next,
                    };
                    if !{ takes }.any(fits) {
                        wrong.push(code.to_owned());
                    }
                }
            }
            Part::Block("sh", block) => {
                for line in block.lines() {
                    let (command, comment) = comment(line);
                    let of = { by_command.iter() }
                        .filter(|(name, _)| format!("{command} ").starts_with(&format!("{name} ")));
                    let Some((_, options)) = of.max_by_key(|(name, _)| name.len()) else {
                        continue;
                    };
                    for piece in comment.split([',', ';']).map(str::trim) {
                        let words: Vec<&str> = piece.split(' ').collect();
                        let (option, value) = words[0].split_once('=').unwrap_or((words[0], ""));
                        let fits = match options.get(option) {
                            Some(Value::No) => words.len() == 1 && value.is_empty(),
                            Some(Value::Yes) => words.len() == 2 || !value.is_empty(),
                            Some(Value::AfterEquals) => words.len() == 1,
                            None => !option.starts_with("--"),
                        };
                        if !fits {
                            wrong.push(piece.to_owned());
                        }
                    }
                }
            }
            _ => {}
        }
    }
    wrong
}

#[test]
fn options_that_the_documents_name_exist_and_take_their_values() {
    for (name, document) in documents() {
        assert_eq!(wrong_options(&document), [""; 0], "{name}");
    }
    let wrong = "`--sarif FILE`, `--report DIR --junit FILE`, `--update=all`, `--colour`\n```sh\npchr validate a # --json, --sarif FILE, --junit FILE; --strict, --report DIR\n```\n";
    assert_eq!(wrong_options(wrong), ["--sarif FILE", "--colour", "--sarif FILE", "--report DIR"]);
}

#[test]
fn the_pictures_of_the_readme_are_what_its_commands_draw() {
    let desk = desk();
    let readme = read("README.md");
    let mut drawn = 0;
    for line in read("docs/TOOLS.md").lines() {
        let Some((_, picture)) = line.split_once(" -o docs/pictures/") else { continue };
        succeeded(&shell(&desk, line));
        let picture = format!("docs/pictures/{picture}");
        let published = std::fs::read(Path::new(ROOT).join(&picture)).unwrap();
        assert!(desk.bytes(&picture) == published, "{line} draws another picture");
        assert!(readme.contains(&format!("<img src=\"{picture}\"")), "{picture}");
        drawn += 1;
    }
    let stills = readme.matches("<img src=").count() - readme.matches(".webp\" width").count();
    assert_eq!(stills, drawn);
}

#[test]
fn no_address_is_published_that_is_not_there() {
    let root = Path::new(ROOT);
    let mut files = vec![root.join("Cargo.toml"), root.join("README.md")];
    for folder in ["src", "docs", "crates"] {
        files.extend(below(&root.join(folder), |path| path.is_dir()));
    }
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains("github.com/pchr-view"), "{}", file.display());
    }
}
