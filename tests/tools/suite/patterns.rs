//! Tests of patterns: the files that become cases, from any working directory.

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{SMALL, desk, ended, json, program, put, report, run, test, told};
#[cfg(unix)]
use crate::suite::stage::{run_bound, set_mode};

/// Folders with characters and other files.
fn gallery() -> Desk {
    let desk = Desk::new();
    for name in [
        "art/hero.pchr",
        "art/fox.pchr",
        "art/deep/hero.pchr",
        "art/deep/er/owl.pchr",
        "art/[odd].pchr",
    ] {
        put(&desk, name, &puppet());
    }
    desk.put_bytes("art/readme.md", b"");
    desk
}

#[test]
fn animations_of_one_name_have_baselines_of_their_own() {
    let mut twins = puppet();
    for (animation, name) in twins
        .parts
        .animations
        .iter_mut()
        .zip(["a", "a/b", "a_b", "a", "../a"])
    {
        animation.name = name.to_owned();
    }
    let desk = Desk::new();
    desk.put("twins.pchr", &twins);
    let suite =
        format!("{SMALL}[[case]]\nfile = \"twins.pchr\"\nanimation = \"all\"\nframe = \"all\"\n");
    desk.put_bytes("suite.toml", suite.as_bytes());
    ended(&test(&desk, &["--update"]), 0, "");
    assert_eq!(desk.files("baselines").len(), 13);
    assert_eq!(desk.files("baselines/twins").len(), 13);
    ended(&test(&desk, &[]), 0, "");
}

#[test]
fn paths_start_from_the_suites_folder_wherever_it_is_run() {
    let desk = Desk::new();
    for name in [
        "project/art/hero.pchr",
        "project/art/fox.pchr",
        "elsewhere/x.pchr",
    ] {
        put(&desk, name, &puppet());
    }
    desk.capture("puppet.pchr", &["-s", "8x8", "-o", "project/back.png"]);
    let suite = format!(
        "{SMALL}background = \"./back.png\"\n[[case]]\nfile = \"art/*.pchr\"\n[[case]]\nname = \"up\"\nfile = \"../puppet.pchr\"\n"
    );
    desk.put_bytes("project/suite.toml", suite.as_bytes());
    ended(
        &run(&desk, &["test", "project/suite.toml", "--update"]),
        0,
        "",
    );
    assert_eq!(desk.files("project/baselines").len(), 6);
    let absolute = desk.path("project/suite.toml").to_str().unwrap().to_owned();
    let mut reports = Vec::new();
    for (folder, suite) in [
        ("", "project/suite.toml"),
        ("project", "suite.toml"),
        ("project", "./suite.toml"),
        ("elsewhere", "../project/suite.toml"),
        ("elsewhere", &absolute),
    ] {
        let mut program = program(&desk, &["test", suite, "--json", "--report", "report"]);
        let output = program.current_dir(desk.path(folder)).output().unwrap();
        ended(&output, 0, "");
        reports.push(output.stdout);
        assert!(
            json(
                &desk,
                format!("{folder}/report/report.json").trim_start_matches('/')
            )["cases"]
                .is_array()
        );
    }
    assert!(reports.windows(2).all(|pair| pair[0] == pair[1]));
}

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
    let told: Vec<_> = cases
        .as_array()
        .unwrap()
        .iter()
        .map(|case| (case["name"].as_str().unwrap(), case["error"].as_str()))
        .collect();
    let line = "suite.toml:2: file: ";
    assert_eq!(
        told,
        [
            (
                "gone",
                Some(format!("{line}gone.pchr is a broken link").as_str())
            ),
            (
                "hero\u{fffd}",
                Some(format!("{line}the name of hero\u{fffd}.pchr is not UTF-8").as_str())
            ),
            ("puppet", None),
        ]
    );
    assert!(desk.path("baselines/puppet/0000.png").is_file());
}

#[cfg(unix)]
#[test]
fn loops_are_passed_over_with_a_note() {
    use std::os::unix::fs::symlink;

    let desk = desk("[[case]]\nfile = \"**/*.pchr\"\nresolution = \"9x9\"\n");
    put(&desk, "deep/hero.pchr", &puppet());
    symlink("..", desk.path("deep/loop")).unwrap();
    let output = test(&desk, &["--update"]);
    let note = "note: \"**/*.pchr\": skipped deep/loop: is a link to a folder that";
    assert!(said(&output).starts_with(note), "{}", said(&output));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let made: Vec<_> = desk.files("baselines").into_keys().collect();
    assert_eq!(
        made,
        [
            "deep/hero/0000.png",
            "deep/hero/baseline.json",
            "puppet/0000.png",
            "puppet/baseline.json"
        ]
    );
}

/// Replaces a folder with a link that no user can follow for a moment, and returns its path.
#[cfg(unix)]
fn lost(desk: &Desk, folder: &str) -> std::path::PathBuf {
    let path = desk.path(folder);
    std::fs::rename(&path, desk.path("kept")).unwrap();
    // A name of 300 bytes is too long for every file system, also for root.
    std::os::unix::fs::symlink("x".repeat(300), &path).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_an_error_and_keeps_its_baselines() {
    let text = "[[case]]\nfile = \"art/**/*.pchr\"\nresolution = \"9x9\"\n";
    for head in ["", "[defaults]\nbaselines = \"shared\"\n"] {
        let desk = desk(&format!("{head}{text}"));
        put(&desk, "art/deep/hero.pchr", &puppet());
        put(&desk, "art/fox.pchr", &puppet());
        ended(&test(&desk, &["--update"]), 0, "");
        let folder = if head.is_empty() {
            "baselines"
        } else {
            "shared"
        };
        let before = desk.files(folder);
        assert_eq!(before.len(), 4);
        let path = lost(&desk, "art/deep");
        for args in [
            &[][..],
            &["--prune"],
            &["--update=all"],
            &["--shard", "1/1"],
        ] {
            let output = test(&desk, args);
            ended(
                &output,
                1,
                "note: unused baselines are not looked for, because a folder or file could not be read",
            );
            let told = crate::suite::stage::told(&output);
            let line = head.lines().count() + 1;
            let why = format!("suite.toml:{line}: file: cannot read art/deep: ");
            assert!(told.contains(&why), "{told}");
            assert_eq!(desk.files(folder), before, "{args:?}");
        }
        let report = report(&desk, &[]);
        assert_eq!(report["summary"]["passed"], 1, "the others run: {report}");
        assert_eq!(report["summary"]["errors"], 1);
        std::fs::remove_file(&path).unwrap();
        std::fs::rename(desk.path("kept"), &path).unwrap();
        ended(&test(&desk, &[]), 0, "");
    }
}

#[cfg(unix)]
#[test]
fn a_first_suite_is_not_made_of_half_a_folder() {
    let desk = gallery();
    lost(&desk, "art/deep");
    let output = run(&desk, &["test", "--init", "art"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let why = said(&output);
    assert!(why.starts_with("error: cannot read art/deep: "), "{why}");
    assert!(!desk.path("art/suite.toml").exists());
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_not_said_to_be_missing() {
    let desk = desk("[[case]]\nname = \"a\"\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n");
    ended(&test(&desk, &["--update"]), 0, "");
    let before = desk.files("baselines");
    lost(&desk, "puppet.pchr");
    let output = test(&desk, &["--prune"]);
    assert_eq!(output.status.code(), Some(1));
    let told = crate::suite::stage::told(&output);
    assert!(told.contains("file: cannot read puppet.pchr: "), "{told}");
    assert_eq!(desk.files("baselines"), before);
}

/// Note of a run in which a part of the suite could not be read.
const NOT_LOOKED_FOR: &str =
    "note: unused baselines are not looked for, because a folder or file could not be read";

#[cfg(unix)]
#[test]
fn a_broken_link_may_lead_to_a_folder_and_keeps_its_baselines() {
    use std::os::unix::fs::symlink;

    for pattern in ["art/**/*.pchr", "art/deep/*.pchr", "art/*/hero.pchr"] {
        let text = format!(
            "[[case]]\nfile = \"{pattern}\"\n[[case]]\nname = \"a\"\nfile = \"puppet.pchr\"\n"
        );
        let desk = desk(&text.replace(".pchr\"\n", ".pchr\"\nresolution = \"9x9\"\n"));
        put(&desk, "art/deep/hero.pchr", &puppet());
        ended(&test(&desk, &["--update"]), 0, "");
        let before = desk.files("baselines");
        let path = desk.path("art/deep");
        std::fs::rename(&path, desk.path("kept")).unwrap();
        for target in ["/nope/deep", "deep"] {
            symlink(target, &path).unwrap();
            for args in ["--prune", "--update=all"] {
                let output = test(&desk, &[args]);
                ended(&output, 1, NOT_LOOKED_FOR);
                let why = "suite.toml:1: file: cannot read art/deep: ";
                assert!(told(&output).contains(why), "{}", told(&output));
                assert_eq!(desk.files("baselines"), before, "{args:?}");
            }
            std::fs::remove_file(&path).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn a_broken_link_that_no_pattern_means_is_no_error() {
    use std::os::unix::fs::symlink;

    let text = "[[case]]\nfile = \"art/*/*.pchr\"\nresolution = \"9x9\"\n[[case]]\nfile = \"**/*.pchr\"\nname = \"all\"\nresolution = \"9x9\"\n";
    let desk = desk(text);
    put(&desk, "art/deep/hero.pchr", &puppet());
    ended(&test(&desk, &["--update"]), 0, "");
    symlink("/nope", desk.path("art/deep/.#lock")).unwrap();
    ended(&test(&desk, &["--prune"]), 0, "");
    let one = text.split("[[case]]\nfile = \"**").next().unwrap();
    desk.put_bytes("suite.toml", one.as_bytes());
    symlink("/nope", desk.path("art/deep/notes.txt")).unwrap();
    ended(&test(&desk, &["--prune"]), 0, "");
}

#[cfg(unix)]
#[test]
fn a_broken_link_beside_a_suite_may_be_a_suite() {
    let case = |name| {
        format!("[[case]]\nname = \"{name}\"\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n")
    };
    let desk = desk(&case("a"));
    desk.put_bytes("other.toml", case("b").as_bytes());
    for suite in ["suite.toml", "other.toml"] {
        ended(&run(&desk, &["test", suite, "--update"]), 0, "");
    }
    let before = desk.files("baselines");
    std::fs::remove_file(desk.path("other.toml")).unwrap();
    std::os::unix::fs::symlink("/nope", desk.path("other.toml")).unwrap();
    ended(&test(&desk, &["--prune"]), 0, "");
    assert_eq!(desk.files("baselines"), before);
}

#[cfg(unix)]
#[test]
fn a_selection_keeps_a_folder_that_may_hold_its_cases() {
    let desk = desk("[[case]]\nfile = \"art/**/*.pchr\"\nresolution = \"9x9\"\n");
    put(&desk, "art/deep/hero.pchr", &puppet());
    put(&desk, "art/fox.pchr", &puppet());
    ended(&test(&desk, &["--update"]), 0, "");
    lost(&desk, "art/deep");
    for (args, passed) in [
        (["--filter", "fox"], 1),
        (["--case", "fox"], 1),
        (["--filter", "hero"], 0),
        (["--case", "deep/hero"], 0),
    ] {
        let output = test(&desk, &args);
        ended(&output, 1, NOT_LOOKED_FOR);
        let told = told(&output);
        assert!(told.contains("file: cannot read art/deep: "), "{told}");
        assert!(
            told.contains(&format!(": {passed} passed, 1 could")),
            "{told}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_listed_is_named() {
    let desk = desk("[[case]]\nfile = \"**/*.pchr\"\nresolution = \"9x9\"\n");
    put(&desk, "locked/hero.pchr", &puppet());
    std::fs::create_dir(desk.path("art")).unwrap();
    std::fs::rename(desk.path("suite.toml"), desk.path("art/suite.toml")).unwrap();
    std::os::unix::fs::symlink("../locked", desk.path("art/run")).unwrap();
    let ended_with = |args: &[&str], why: &str| {
        let args = [&["test", "art/suite.toml"], args].concat();
        let output = run_bound(&desk, &args);
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
        put(&desk, "art/hero.pchr", &puppet());
        put(&desk, "art/fox.pchr", &puppet());
        picture(&desk);
        ended(&test(&desk, &["--update"]), 0, "");
        let before = desk.files("baselines");
        let more = "[[case]]\nname = \"more\"\nfile = \"puppet.pchr\"\nresolution = \"9x9\"\n";
        let more = if key == "file" { "" } else { more };
        desk.put_bytes("suite.toml", format!("{case}{more}{line}").as_bytes());
        let name = if key == "file" {
            "art/hero.pchr"
        } else {
            "other.png"
        };
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
fn a_first_suite_is_made_of_all_files_or_none() {
    use std::os::unix::fs::symlink;

    let desk = gallery();
    put(&desk, "elsewhere/cat.pchr", &puppet());
    let init = || run_bound(&desk, &["test", "--init", "art"]);
    set_mode(&desk, "art/fox.pchr", 0o000);
    ended(
        &init(),
        1,
        "error: cannot read art/fox.pchr: Permission denied (os error 13)",
    );
    set_mode(&desk, "art/fox.pchr", 0o644);
    symlink("/nope", desk.path("art/far")).unwrap();
    ended(&init(), 1, "error: cannot read art/far: is a broken link");
    assert!(!desk.path("art/suite.toml").exists());
    std::fs::remove_file(desk.path("art/far")).unwrap();
    symlink("../elsewhere", desk.path("art/linked")).unwrap();
    symlink("..", desk.path("art/deep/up")).unwrap();
    ended(
        &init(),
        0,
        "note: skipped art/deep/up: is a link to a folder that contains it",
    );
    let suite = String::from_utf8(desk.bytes("art/suite.toml")).unwrap();
    assert!(suite.contains("file = \"linked/cat.pchr\""), "{suite}");
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
        ended(
            &output,
            1,
            &format!("note: unused baselines are not looked for: {why}"),
        );
        assert!(said(&output).ends_with(&format!("error: {why}\n")));
        let report = json(&desk, "report/report.json");
        assert_eq!(report["errors"], serde_json::json!([why]));
        assert_eq!(
            (&report["exitCode"], &report["summary"]["cases"]),
            (&1.into(), &2.into())
        );
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
