//! Tests of printed commands and names for files with hostile names: a command draws its picture and runs nothing else, no
//! value of a variable is printed, and no character disguises a name.

use std::path::Path;

use serde_json::Value;

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{SMALL, case, program, run, test};

/// Names that a shell would interpret.
#[cfg(unix)]
const HOSTILE: [&str; 9] = [
    "a$(touch pwned)b.pchr",
    "`touch pwned`.pchr",
    "'; touch pwned; '.pchr",
    "\"; touch pwned; \".pchr",
    "-rf.pchr",
    "$HOME ${ART}.pchr",
    "\u{2019}; touch pwned; \u{202e}.pchr",
    "two\nlines\n",
    "&calc& %PATH% !x ^.pchr",
];

#[cfg(unix)]
#[test]
fn a_command_of_a_report_takes_its_picture_and_runs_nothing_else() {
    let desk = Desk::new();
    let mut suite = SMALL.to_owned();
    for (index, name) in HOSTILE.iter().enumerate() {
        let mut hostile = puppet();
        hostile.parts.animations[1].name = format!("walk {}", name.trim_end());
        desk.put(&format!("art/{name}"), &hostile);
        // The escapes of JSON are valid in TOML.
        let file = serde_json::json!(format!("$ART/{}", name.replace('$', "$$")));
        suite += &format!(
            "[[case]]\nname = \"case {index}\"\nfile = {file}\nanimation = \"1\"\nhide = [\"shado[v-x]\"]\n"
        );
    }
    suite += "[[case]]\nname = \"here\"\nfile = \"./-*.pchr\"\n[[case]]\nname = \"there\"\nfile = \"${ART}/a*.pchr\"\n";
    desk.put("-o x.pchr", &puppet());
    desk.put_bytes("suite.toml", suite.as_bytes());
    let before = desk.files("art").len();
    let art = desk.path("art");
    let args = ["test", "suite.toml", "--report", "report", "--junit", "junit.xml"];
    let output = program(&desk, &args).env("ART", &art).output().unwrap();
    assert_eq!(output.status.code(), Some(6), "{}", said(&output));
    let report: Value = serde_json::from_slice(&desk.bytes("report/report.json")).unwrap();
    assert_eq!(crate::junit::parse(&desk.bytes("junit.xml")).test_suites.len(), HOSTILE.len() + 2);
    let mut ran = 0;
    for case in report["cases"].as_array().unwrap() {
        let frame = &case["frames"][0];
        let command = frame["command"].as_str().unwrap();
        let output = sh(&desk, command, &art);
        assert!(output.status.success(), "{command}: {}", said(&output));
        assert!(!desk.path("pwned").exists(), "{command}");
        let drawn = frame["pictures"]["actual"].as_str().unwrap();
        assert!(
            desk.picture("actual.png").pixels == desk.picture(&format!("report/{drawn}")).pixels,
            "{command} draws another picture"
        );
        ran += 1;
    }
    assert_eq!(ran, HOSTILE.len() + 2);
    assert_eq!(desk.files("art").len(), before, "nothing was written");
    // Variables in the suite's paths stay variables for the shell to expand.
    let command = self::case(&report, "there/a$(touch pwned)b")["frames"][0]["command"].to_string();
    assert!(command.contains("${ART}") && !command.contains(art.to_str().unwrap()), "{command}");
}

#[cfg(unix)]
fn sh(desk: &Desk, line: &str, art: &Path) -> std::process::Output {
    crate::pchr::help::shell_command(desk, line).env("ART", art).output().unwrap()
}

const SECRET: &str = "s3cr3t-t0k3n";

#[test]
fn the_value_of_a_variable_is_never_printed() {
    let desk = Desk::new();
    let secret = desk.path(SECRET);
    std::fs::create_dir_all(secret.join("deep")).unwrap();
    desk.put(&format!("{SECRET}/hero.pchr"), &puppet());
    desk.put_bytes(&format!("{SECRET}/broken.pchr"), b"PCHR");
    desk.put_bytes(
        &format!("{SECRET}/image.json"),
        br#"{"version":1,"fps":24,"images":[{"name":"a","width":1,"height":1,"format":"png","path":"a.png"}],"bones":[],"meshes":[],"animations":[]}"#,
    );
    desk.put_bytes(&format!("{SECRET}/text.json"), b"{\"fps\": 24, \"bones\": [}");
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", secret.join("deep/loop")).unwrap();
    let files = "$TOKEN $TOKEN/absent.pchr ${TOKEN}/absent.pchr $TOKEN/x*.pchr */$TOKEN/x.pchr \
                 $TOKEN/**/*.pchr $TOKEN/absent/*.pchr $TOKEN/[ $TOKEN/broken.pchr \
                 $TOKEN/image.json $TOKEN/text.json $TOKEN/hero.pchr";
    let wrongs =
        r#"animation = "none",frame = "99",background = "absent.png",overlay = "weights=none""#;
    let plain = files.split(' ').map(|file| (file, ""));
    for (file, more) in plain.chain(wrongs.split(',').map(|more| ("$TOKEN/hero.pchr", more))) {
        let rest = format!("file = \"{file}\"\n{more}");
        let suite = format!("{SMALL}[[case]]\n{rest}\n");
        desk.put_bytes("suite.toml", suite.as_bytes());
        for token in [secret.to_str().unwrap(), SECRET] {
            for more in [
                &["--report", "report", "--junit", "junit.xml", "-v"][..],
                &["--json"],
                &["--update", "-v"],
            ] {
                let args = [&["test", "suite.toml"], more].concat();
                let output = program(&desk, &args).env("TOKEN", token).output().unwrap();
                let printed = [&output.stdout[..], &output.stderr].concat();
                let printed = String::from_utf8(printed).unwrap();
                assert!(!printed.contains(SECRET), "{rest}: {printed}");
                assert!(!printed.is_empty(), "{rest}");
                for file in ["report/report.json", "report/index.html", "junit.xml"] {
                    if let Ok(bytes) = std::fs::read(desk.path(file)) {
                        let text = String::from_utf8(bytes).unwrap();
                        assert!(!text.contains(SECRET), "{rest}: {file}");
                    }
                }
                if desk.path("baselines").is_dir() {
                    let mut names = desk.files("baselines").into_keys();
                    assert!(names.all(|name| !name.contains(SECRET)), "{rest}");
                }
                let _ = std::fs::remove_dir_all(desk.path("baselines"));
            }
        }
    }
}

/// Name that most screens display as a different one.
const HIDDEN: &str = "hero\u{202e}gnp.pchr";

#[test]
fn names_are_printed_without_hidden_characters() {
    let desk = Desk::new();
    let mut odd = puppet();
    odd.parts.animations[1].name = "walk\u{2066}\u{200b}".to_owned();
    desk.put(HIDDEN, &odd);
    desk.put_bytes("broken\u{2067}.pchr", b"PCHR");
    let suite = format!("{SMALL}[[case]]\nfile = \"*.pchr\"\nanimation = \"all\"\n");
    desk.put_bytes("suite.toml", suite.as_bytes());
    let files = [HIDDEN, "broken\u{2067}.pchr", "absent\u{200f}.pchr"];
    let mut outputs = vec![
        test(&desk, &["-v", "--junit", "junit.xml"]),
        test(&desk, &["--junit", "-"]),
        test(&desk, &["--filter", "x\u{202e}"]),
        run(&desk, &["test", "suite\u{202e}.toml"]),
        run(&desk, &["capture", HIDDEN, "-a", "x", "-o", "x.png"]),
        run(&desk, &["compare", HIDDEN, "absent\u{202e}"]),
        run(&desk, &["test", "--init", "."]),
    ];
    for args in [
        &["validate"][..],
        &["validate", "-v"],
        &["validate", "--junit", "-"],
        &["inspect"],
        &["unpack", "-o", "out"],
        &["convert", "-o", "out.json"],
    ] {
        for file in files {
            outputs.push(desk.run_pchr(&[args, &[file]].concat()));
        }
    }
    for output in outputs {
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(text.clone()).unwrap();
            let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(!text.contains(hidden), "{text:?}");
        }
    }
    crate::junit::parse(&desk.bytes("junit.xml"));
}
