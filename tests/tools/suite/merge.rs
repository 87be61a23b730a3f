//! Tests of `report merge`: the parts of a suite give the same report as the whole suite.

use std::process::Output;

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{THREE, desk, ended, json, run, test, told};

/// Suite with a differing frame, a missing one, and more cases.
fn troubled() -> Desk {
    let more = "[[case]]\nname = \"deep/hero\"\nfile = \"hero.pchr\"\n[[case]]\nname = \"deep/fox\"\nfile = \"hero.pchr\"\nanimation = \"all\"\n";
    let desk = desk(&format!("{THREE}{more}"));
    desk.put("hero.pchr", &puppet());
    ended(&test(&desk, &["--update"]), 0, "");
    desk.nudge("baselines/walk/0001.png");
    desk.nudge("baselines/deep/fox/swap/0000.png");
    std::fs::remove_file(desk.path("baselines/jump/0000.png")).unwrap();
    desk
}

/// Runs the parts of a suite; their reports are in `part-1` and so on.
fn parts(desk: &Desk, total: usize) -> Vec<String> {
    let part = |index: usize| {
        let folder = format!("part-{index}");
        test(desk, &["--shard", &format!("{index}/{total}"), "--report", &folder]);
        folder
    };
    (1..=total).map(part).collect()
}

fn merge(desk: &Desk, parts: &[String], more: &[&str]) -> Output {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let args = [&["report", "merge"], &parts[..], &["-o", "merged"], more].concat();
    run(desk, &args)
}

#[track_caller]
fn hold(desk: &Desk, totals: &[usize], code: i32) {
    let whole = test(desk, &["--report", "whole", "--junit", "whole.xml", "--json"]);
    assert_eq!(whole.status.code(), Some(code), "{}", said(&whole));
    assert_eq!(json(desk, "whole/report.json")["exitCode"], code);
    for total in totals {
        let mut folders = parts(desk, *total);
        folders.reverse();
        let output = merge(desk, &folders, &["--junit", "merged.xml", "--json"]);
        assert_eq!((output.status.code(), said(&output)), (whole.status.code(), said(&whole)));
        assert!(output.stdout == whole.stdout);
        assert!(desk.files("merged") == desk.files("whole"), "{total} parts");
        assert!(desk.bytes("merged.xml") == desk.bytes("whole.xml"));
        let shown = merge(desk, &folders, &[]);
        assert_eq!(told(&shown), told(&test(desk, &[])).lines().last().unwrap().to_owned() + "\n");
        assert!(desk.files("merged") == desk.files("whole"), "merged again over the last report");
        for folder in folders {
            desk.remove(&folder);
        }
    }
}

#[test]
fn the_parts_give_the_whole_to_the_byte() {
    let desk = troubled();
    hold(&desk, &[1, 2, 3, 7], 3);
    // With a frame that does not exist, a missing file, and unused baselines.
    let right = desk.bytes("suite.toml");
    let wrong = String::from_utf8(right.clone()).unwrap()
        + "frame = \"0..9\"\n[[case]]\nfile = \"*.none\"\n";
    desk.put_bytes("suite.toml", wrong.as_bytes());
    for folder in ["gone", "away"] {
        let path = format!("baselines/{folder}/0007.png");
        desk.put_bytes(&path, &desk.bytes("baselines/jump/0001.png"));
    }
    hold(&desk, &[1, 2, 3, 7], 3);
    assert_eq!(json(&desk, "merged/report.json")["summary"]["unused"], 2);
    desk.put_bytes("suite.toml", &right);
    ended(&test(&desk, &["--prune", "-q"]), 3, "error: 2 of 15 frames differ from their baselines");
    // With an invalid file.
    desk.put_bytes("hero.pchr", b"PCHR");
    hold(&desk, &[2, 3], 4);
    // With an unreadable record.
    desk.put_bytes("baselines/jump/baseline.json", b"?");
    hold(&desk, &[2], 1);
    desk.remove("baselines");
    desk.put("hero.pchr", &puppet());
    hold(&desk, &[2], 6);
    ended(&test(&desk, &["--update"]), 0, "");
    hold(&desk, &[2], 0);
}
