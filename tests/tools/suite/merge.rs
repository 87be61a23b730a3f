//! Tests of `report merge`: the parts of a suite give the same report as the whole suite.

use std::process::Output;

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{THREE, desk, ended, json, nudge, run, test, told};

/// Suite with a differing frame, a missing one, and more cases.
fn troubled() -> Desk {
    let more = "[[case]]\nname = \"deep/hero\"\nfile = \"hero.pchr\"\n[[case]]\nname = \"deep/fox\"\nfile = \"hero.pchr\"\nanimation = \"all\"\n";
    let desk = desk(&format!("{THREE}{more}"));
    desk.put("hero.pchr", &puppet());
    ended(&test(&desk, &["--update"]), 0, "");
    nudge(&desk, "baselines/walk/0001.png");
    nudge(&desk, "baselines/deep/fox/swap/0000.png");
    std::fs::remove_file(desk.path("baselines/jump/0000.png")).unwrap();
    desk
}

/// Runs the parts of a suite; their reports are in `part-1` and so on.
fn parts(desk: &Desk, total: usize) -> Vec<String> {
    let part = |index: usize| {
        let folder = format!("part-{index}");
        test(
            desk,
            &["--shard", &format!("{index}/{total}"), "--report", &folder],
        );
        folder
    };
    (1..=total).map(part).collect()
}

fn merge(desk: &Desk, parts: &[String], more: &[&str]) -> Output {
    let parts = parts.iter().map(String::as_str);
    let args: Vec<&str> = ["report", "merge"]
        .into_iter()
        .chain(parts)
        .chain(["-o", "merged"])
        .chain(more.iter().copied())
        .collect();
    run(desk, &args)
}

#[track_caller]
fn hold(desk: &Desk, totals: &[usize]) {
    let whole = test(
        desk,
        &["--report", "whole", "--junit", "whole.xml", "--json"],
    );
    for total in totals {
        let mut folders = parts(desk, *total);
        folders.reverse();
        let output = merge(desk, &folders, &["--junit", "merged.xml", "--json"]);
        assert_eq!(
            (output.status.code(), said(&output)),
            (whole.status.code(), said(&whole))
        );
        assert!(output.stdout == whole.stdout);
        assert!(desk.files("merged") == desk.files("whole"), "{total} parts");
        assert!(desk.bytes("merged.xml") == desk.bytes("whole.xml"));
        let shown = merge(desk, &folders, &[]);
        assert_eq!(
            told(&shown),
            told(&test(desk, &[])).lines().last().unwrap().to_owned() + "\n"
        );
        assert!(
            desk.files("merged") == desk.files("whole"),
            "merged again over the last report"
        );
        for folder in folders {
            desk.remove(&folder);
        }
    }
}

#[test]
fn the_parts_give_the_whole_to_the_byte() {
    let desk = troubled();
    hold(&desk, &[1, 2, 3, 7]);
    assert_eq!(json(&desk, "merged/report.json")["exitCode"], 3);
    // With a frame that does not exist, a missing file, and unused baselines.
    let right = desk.bytes("suite.toml");
    let wrong = String::from_utf8(right.clone()).unwrap()
        + "frame = \"0..9\"\n[[case]]\nfile = \"*.none\"\n";
    desk.put_bytes("suite.toml", wrong.as_bytes());
    for folder in ["gone", "away"] {
        std::fs::create_dir(desk.path("baselines").join(folder)).unwrap();
        let path = format!("baselines/{folder}/0007.png");
        desk.put_bytes(&path, &desk.bytes("baselines/jump/0001.png"));
    }
    hold(&desk, &[1, 2, 3, 7]);
    let report = json(&desk, "merged/report.json");
    assert_eq!(
        (&report["exitCode"], &report["summary"]["unused"]),
        (&3.into(), &2.into())
    );
    desk.put_bytes("suite.toml", &right);
    ended(
        &test(&desk, &["--prune", "-q"]),
        3,
        "error: 2 of 15 frames differ from their baselines",
    );
    // With an invalid file.
    desk.put_bytes("hero.pchr", b"PCHR");
    hold(&desk, &[2, 3]);
    assert_eq!(json(&desk, "merged/report.json")["exitCode"], 4);
    // With an unreadable record.
    desk.put_bytes("baselines/jump/baseline.json", b"?");
    hold(&desk, &[2]);
    assert_eq!(json(&desk, "merged/report.json")["exitCode"], 1);
    desk.remove("baselines");
    desk.put("hero.pchr", &puppet());
    hold(&desk, &[2]);
    assert_eq!(json(&desk, "merged/report.json")["exitCode"], 6);
    ended(&test(&desk, &["--update"]), 0, "");
    hold(&desk, &[2]);
    assert_eq!(json(&desk, "merged/report.json")["exitCode"], 0);
}

/// Checks that merging ends with this code and message and writes nothing.
#[track_caller]
fn refused(desk: &Desk, parts: &[&str], code: i32, words: &str) {
    let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
    let output = merge(desk, &parts, &[]);
    assert_eq!(output.status.code(), Some(code), "{}", said(&output));
    assert!(
        said(&output).starts_with(&format!("error: {words}")),
        "{}",
        said(&output)
    );
    assert_eq!(output.stdout, b"");
    assert!(!desk.path("merged/report.json").exists());
}

#[test]
fn what_makes_no_whole_is_refused() {
    let desk = troubled();
    parts(&desk, 3);
    refused(
        &desk,
        &["part-1", "part-2", "part-1"],
        2,
        "part 1 of 3 is given twice, the second time in part-1\n",
    );
    refused(
        &desk,
        &["part-1", "part-3"],
        2,
        "of the 3 parts, reports are missing for: 2\n",
    );
    refused(
        &desk,
        &["part-2"],
        2,
        "of the 3 parts, reports are missing for: 1, 3\n",
    );
    test(&desk, &["--shard", "2/2", "--report", "half"]);
    refused(
        &desk,
        &["part-1", "half", "part-3"],
        2,
        "half is one of 2 parts, but the others are of 3\n",
    );
    test(&desk, &["--report", "whole"]);
    refused(
        &desk,
        &["whole", "part-1"],
        2,
        "part-1 is one of 3 parts, but the others are of 1\n",
    );

    std::fs::copy(desk.path("suite.toml"), desk.path("other.toml")).unwrap();
    run(
        &desk,
        &["test", "other.toml", "--shard", "2/3", "--report", "other"],
    );
    refused(
        &desk,
        &["part-1", "other", "part-3"],
        2,
        "part-1 holds a report of suite.toml, made by pchr-view ",
    );
    change(&desk, "part-2", |report| report["version"] = "0.0.1".into());
    refused(
        &desk,
        &["part-1", "part-2", "part-3"],
        2,
        "part-1 holds a report of suite.toml, made by pchr-view ",
    );
    let desk = troubled();
    parts(&desk, 2);
    // Part numbers that no run has.
    change(&desk, "part-1", |report| {
        report["shard"]["total"] = u32::MAX.into()
    });
    let named: Vec<String> = (2..=21).map(|part| part.to_string()).collect();
    let named = named.join(", ");
    refused(
        &desk,
        &["part-1"],
        2,
        &format!("of the 4294967295 parts, reports are missing for: {named} and 4294967274 more\n"),
    );
    change(&desk, "part-1", |report| {
        report["shard"]["index"] = 0.into()
    });
    let words = "part-1 says that it is part 0 of 4294967295\n";
    refused(&desk, &["part-1"], 2, words);
}

/// Changes the report of a part.
fn change(desk: &Desk, part: &str, change: impl FnOnce(&mut serde_json::Value)) {
    let name = format!("{part}/report.json");
    let mut report = json(desk, &name);
    change(&mut report);
    desk.put_bytes(&name, report.to_string().as_bytes());
}

#[test]
fn a_report_that_is_none_is_refused() {
    let desk = troubled();
    parts(&desk, 2);
    for none in [&b""[..], b"{}", b"[]", b"{\"version\": 7}"] {
        desk.put_bytes("part-2/report.json", none);
        refused(
            &desk,
            &["part-1", "part-2"],
            4,
            "part-2/report.json is not a report of this version: ",
        );
    }
    refused(
        &desk,
        &["part-1", "nowhere"],
        1,
        "cannot read nowhere/report.json: ",
    );
}

#[test]
fn pictures_are_read_and_written_in_the_reports_folders_only() {
    let desk = troubled();
    desk.put_bytes("secret.png", b"secret");
    for path in [
        "../secret.png",
        "pictures/../../secret.png",
        "/etc/hostname",
        "secret.png",
        "pictures\\..\\..\\secret.png",
        "pictures",
        "picturesque/x.png",
    ] {
        let desk = troubled();
        let folders = parts(&desk, 2);
        desk.put_bytes("secret.png", b"secret");
        let folder = folders
            .iter()
            .find(|folder| desk.path(folder).join("pictures").is_dir())
            .unwrap();
        change(&desk, folder, |report| {
            let cases = report["cases"].as_array_mut().unwrap().iter_mut();
            let frames = cases.flat_map(|case| case["frames"].as_array_mut().unwrap());
            let pictures = frames
                .map(|frame| &mut frame["pictures"])
                .find(|pictures| !pictures.is_null());
            pictures.unwrap()["actual"] = path.into();
        });
        refused(
            &desk,
            &["part-1", "part-2"],
            4,
            &format!("{folder} names a picture outside its folder: {path:?}\n"),
        );
        assert_eq!(desk.bytes("secret.png"), b"secret");
    }
    // A missing picture is a failure.
    let folders = parts(&desk, 2);
    for folder in &folders {
        let _ = std::fs::remove_dir_all(desk.path(folder).join("pictures"));
    }
    refused(&desk, &["part-1", "part-2"], 1, "cannot read part-");
}

#[test]
fn a_part_is_not_written_over() {
    let desk = troubled();
    let folders = parts(&desk, 2);
    let before = desk.files("");
    for output in ["part-1", "./part-2"] {
        let args = ["report", "merge", &folders[0], &folders[1], "-o", output];
        let merged = run(&desk, &args);
        ended(
            &merged,
            2,
            &format!("error: {output} is one of the parts: its pictures would be lost"),
        );
        assert!(before == desk.files(""));
    }
}

#[test]
fn parts_of_different_runs_do_not_make_a_whole() {
    let desk = troubled();
    let refused = |first: &[&str], second: &[&str]| {
        for (part, more) in [("1", first), ("2", second)] {
            let (shard, folder) = (format!("{part}/2"), format!("part-{part}"));
            test(
                &desk,
                &[&["--shard", &shard, "--report", &folder], more].concat(),
            );
        }
        let output = merge(&desk, &["part-1".to_owned(), "part-2".to_owned()], &[]);
        ended(
            &output,
            2,
            "error: part-1 and part-2 are parts of different runs: their suites, filters or files differ",
        );
    };
    refused(&[], &["--filter", "walk"]);
    refused(&["--filter", "deep"], &["--filter", "walk"]);
    // A file that only one machine cannot read leads to another split.
    let hero = desk.bytes("hero.pchr");
    test(&desk, &["--shard", "1/2", "--report", "part-1"]);
    desk.put_bytes("hero.pchr", &hero[..hero.len() / 2]);
    test(&desk, &["--shard", "2/2", "--report", "part-2"]);
    let output = merge(&desk, &["part-1".to_owned(), "part-2".to_owned()], &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}
