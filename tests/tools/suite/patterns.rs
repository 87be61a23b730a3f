//! Tests of patterns: the files that become cases, from any working directory.

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{desk, ended, json, test, told};
#[cfg(unix)]
use crate::suite::stage::{run_bound, set_mode};

/// A broken link and a name that no suite can hold are separate errors; the other files are drawn.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_meant_keep_no_others_from_being_drawn() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    let desk = desk("[[case]]\nfile = \"*.pchr\"\nresolution = \"9x9\"\n");
    let strange = desk.path("").join(OsStr::from_bytes(b"hero\xff.pchr"));
    std::fs::write(strange, puppet().bytes()).unwrap();
    symlink("nowhere", desk.path("gone.pchr")).unwrap();
    let output = test(&desk, &["--update", "--report", "report"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let cases = json(&desk, "report/report.json")["cases"].take();
    let told = cases.as_array().unwrap().iter();
    let told: Vec<_> =
        told.map(|case| (case["name"].as_str().unwrap(), case["error"].as_str())).collect();
    let line = "suite.toml:2: file: ";
    let gone = format!("{line}gone.pchr is a broken link");
    let strange = format!("{line}the name of hero\u{fffd}.pchr is not UTF-8");
    let wanted = [("gone", Some(&*gone)), ("hero\u{fffd}", Some(&*strange)), ("puppet", None)];
    assert_eq!(told, wanted);
    assert!(desk.path("baselines/puppet/0000.png").is_file());
}

/// Note of a run in which a part of the suite could not be read.
const NOT_LOOKED_FOR: &str =
    "note: unused baselines are not looked for, because a folder or file could not be read";

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_listed_is_named() {
    let desk = desk("[[case]]\nfile = \"**/*.pchr\"\nresolution = \"9x9\"\n");
    desk.put("locked/hero.pchr", &puppet());
    std::fs::create_dir(desk.path("art")).unwrap();
    std::fs::rename(desk.path("suite.toml"), desk.path("art/suite.toml")).unwrap();
    std::os::unix::fs::symlink("../locked", desk.path("art/run")).unwrap();
    let ended_with = |args: &[&str], why: &str| {
        let output = run_bound(&desk, &[&["test", "art/suite.toml"], args].concat());
        ended(&output, 1, NOT_LOOKED_FOR);
        let why = format!("suite.toml:1: file: cannot read {why}: permission denied\n");
        assert!(told(&output).contains(&why), "{}", told(&output));
    };
    set_mode(&desk, "locked", 0o000);
    ended_with(&["--junit", "junit.xml"], "run");
    let junit = String::from_utf8(desk.bytes("junit.xml")).unwrap();
    assert!(junit.contains("<testsuite name=\"run\""), "{junit}");
    set_mode(&desk, "art", 0o111);
    ended_with(&[], "the folder of the suite");
    set_mode(&desk, "art", 0o755);
    set_mode(&desk, "locked", 0o755);
}

#[cfg(unix)]
#[test]
fn a_file_of_a_case_that_cannot_be_read_keeps_all_baselines() {
    let picture = |desk: &Desk| desk.capture("puppet.pchr", &["-s", "9x9", "-o", "other.png"]);
    for (key, line) in [
        ("file", ""),
        ("background", "background = \"./other.png\"\n"),
        ("mask", "mask = \"other.png\"\n"),
        ("camera-of", "camera-of = \"other.png\"\n"),
        ("font", "font = [\"other.png\"]\n"),
    ] {
        let case = "[[case]]\nfile = \"art/*.pchr\"\nresolution = \"9x9\"\n";
        let gone = "[[case]]\nname = \"gone\"\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n";
        let desk = desk(&format!("{case}{gone}"));
        desk.put("art/hero.pchr", &puppet());
        desk.put("art/fox.pchr", &puppet());
        picture(&desk);
        ended(&test(&desk, &["--update"]), 0, "");
        let before = desk.files("baselines");
        let more = "[[case]]\nname = \"more\"\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n";
        let more = if key == "file" { "" } else { more };
        desk.put_bytes("suite.toml", format!("{case}{more}{line}").as_bytes());
        let name = if key == "file" { "art/hero.pchr" } else { "other.png" };
        set_mode(&desk, name, 0o000);
        let output = run_bound(&desk, &["test", "suite.toml", "--prune"]);
        ended(&output, 1, NOT_LOOKED_FOR);
        let why = format!("{name}: Permission denied");
        assert!(told(&output).contains(&why), "{key}: {}", told(&output));
        assert_eq!(desk.files("baselines"), before, "{key}");
        set_mode(&desk, name, 0o644);
        let output = run_bound(&desk, &["test", "suite.toml", "--prune"]);
        assert!(!desk.path("baselines/gone").exists(), "{key}: {output:?}");
    }
}

#[cfg(unix)]
#[test]
fn baselines_that_cannot_be_listed_are_an_error_beside_the_results() {
    let cases = |names: &[&str]| {
        let case = |name: &&str| {
            format!("[[case]]\nname = \"{name}\"\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n")
        };
        names.iter().map(case).collect::<String>()
    };
    let desk = desk(&cases(&["a", "b", "old"]));
    ended(&test(&desk, &["--update"]), 0, "");
    desk.put_bytes("suite.toml", cases(&["a", "b"]).as_bytes());
    let why = "cannot read baselines/zz: permission denied";
    std::fs::create_dir(desk.path("baselines/zz")).unwrap();
    set_mode(&desk, "baselines/zz", 0o000);
    for args in [&[][..], &["--prune"], &["--update=all"]] {
        let args = [&["test", "suite.toml", "--report", "report"], args].concat();
        let output = run_bound(&desk, &args);
        ended(&output, 1, &format!("note: unused baselines are not looked for: {why}"));
        assert!(said(&output).ends_with(&format!("error: {why}\n")));
        let report = json(&desk, "report/report.json");
        assert_eq!(report["errors"], serde_json::json!([why]));
        assert_eq!((&report["exitCode"], &report["summary"]["cases"]), (&1.into(), &2.into()));
        assert!(desk.path("baselines/old/0000.png").exists(), "{args:?}");
    }
    // A case whose own folder it is has its error too.
    set_mode(&desk, "baselines/zz", 0o755);
    set_mode(&desk, "baselines/a", 0o000);
    let output = run_bound(&desk, &["test", "suite.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let text = told(&output);
    assert!(text.contains("error    a: cannot read "), "{text}");
    assert!(text.contains("ok       b "), "{text}");
    set_mode(&desk, "baselines/a", 0o755);
}
