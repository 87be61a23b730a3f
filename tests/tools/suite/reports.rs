//! Tests of reports: the files that a run writes for people and programs.

use serde_json::{Value, json};

use crate::desk::{Desk, said};
use crate::suite::stage::{THREE, blessed, case, ended, json as read, nudge, run, test, told};

/// Pictures in the folder of a report.
fn pictures(desk: &Desk) -> Vec<String> {
    let files = desk.files("report").into_keys();
    files.filter(|name| name.ends_with(".png")).collect()
}

#[test]
fn a_report_shows_what_was_expected_drawn_and_different() {
    let desk = blessed(THREE);
    let drawn = desk.picture("baselines/walk/0001.png");
    nudge(&desk, "baselines/walk/0001.png");
    std::fs::remove_file(desk.path("baselines/jump/0000.png")).unwrap();
    desk.capture(
        "puppet.pchr",
        &["-s", "9x9", "-o", "baselines/blink/0002.png"],
    );
    let output = test(&desk, &["--report", "report", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        output.stdout == desk.bytes("report/report.json"),
        "--json and the file are the same"
    );
    let report: Value = read(&desk, "report/report.json");
    assert_eq!(
        (&report["suite"], &report["shard"], &report["exitCode"]),
        (&json!("suite.toml"), &Value::Null, &json!(3))
    );
    assert_eq!(
        report["summary"],
        json!({"cases": 3, "frames": 9, "passed": 6, "failed": 2, "missing": 1, "updated": 0, "skipped": 0, "errors": 0, "unused": 0, "removed": 0})
    );

    let walk = &case(&report, "walk")["frames"][1];
    assert_eq!(
        (&walk["animation"], &walk["frame"], &walk["status"]),
        (&json!("walk"), &json!(1), &json!("failed"))
    );
    let of = |name: &str| format!("pictures/walk/0001.{name}.png");
    assert_eq!(
        walk["pictures"],
        json!({"expected": of("expected"), "actual": of("actual"), "difference": of("difference")})
    );
    assert!(desk.picture("report/pictures/walk/0001.actual.png") == drawn);
    assert!(
        desk.picture("report/pictures/walk/0001.expected.png")
            == desk.picture("baselines/walk/0001.png")
    );
    let difference = png::Decoder::new(std::io::Cursor::new(
        desk.bytes("report/pictures/walk/0001.difference.png"),
    ));
    let difference = difference.read_info().unwrap();
    assert_eq!(
        (difference.info().width, difference.info().height),
        (48, 32)
    );

    // The figures equal those of `compare` for the two files.
    let [expected, actual] = ["expected", "actual"].map(|name| format!("report/{}", of(name)));
    let args = ["compare", &expected, &actual, "--tolerance", "0", "--json"];
    let told: Value = serde_json::from_slice(&run(&desk, &args).stdout).unwrap();
    assert_eq!(walk["difference"]["differing"], 1);
    assert_eq!(walk["difference"], told["pairs"][0]["difference"]);

    let missing = &case(&report, "jump")["frames"][0]["pictures"];
    assert_eq!(
        *missing,
        json!({"expected": null, "actual": "pictures/jump/0000.actual.png", "difference": null})
    );
    let other_size = &case(&report, "blink")["frames"][2]["pictures"];
    assert_eq!(other_size["difference"], Value::Null);
    assert!(other_size["expected"].is_string());
    let fine = &case(&report, "walk")["frames"][0];
    assert_eq!(
        (&fine["pictures"], &fine["command"], &fine["message"]),
        (&Value::Null, &Value::Null, &json!(""))
    );
    assert_eq!(pictures(&desk).len(), 3 + 1 + 2);
    let page = String::from_utf8(desk.bytes("report/index.html")).unwrap();
    assert!(page.to_lowercase().starts_with("<!doctype html>") && page.contains("walk"));
}

#[test]
fn the_same_pictures_give_the_same_report_to_the_byte() {
    let desk = blessed(THREE);
    nudge(&desk, "baselines/walk/0001.png");
    test(&desk, &["--report", "report"]);
    let first = desk.files("report");
    test(&desk, &["--report", "report"]);
    assert!(first == desk.files("report"));
    test(&desk, &["--report", "deep/other"]);
    assert!(first == desk.files("deep/other"));
}

/// A report from someone else may name any file through links beside it.
#[cfg(unix)]
#[test]
fn a_report_is_not_led_out_of_its_folder() {
    use std::os::unix::fs::symlink;

    let desk = blessed(THREE);
    nudge(&desk, "baselines/walk/0001.png");
    std::fs::create_dir(desk.path("home")).unwrap();
    for name in ["mine.png", "0001.actual.png", "rc"] {
        desk.put_bytes(&format!("home/{name}"), b"mine");
    }
    let home = desk.files("home");
    let planted = || {
        let _ = std::fs::remove_dir_all(desk.path("report"));
        test(&desk, &["--report", "report"]);
        let json = String::from_utf8(desk.bytes("report/report.json")).unwrap();
        let json = json.replace("pictures/walk/0001.actual.png", "pictures/l/mine.png");
        desk.put_bytes("report/report.json", json.as_bytes());
        symlink("../../home", desk.path("report/pictures/l")).unwrap();
        std::fs::remove_file(desk.path("report/index.html")).unwrap();
        symlink("../home/rc", desk.path("report/index.html")).unwrap();
    };
    // Files that the old report names are not removed, and the file that its page links to is not overwritten.
    planted();
    let output = test(&desk, &["--report", "report"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(desk.files("home") == home);
    assert!(!desk.path("report/index.html").is_symlink());
    assert!(desk.bytes("report/index.html").len() > 1000);

    // Pictures are not written through a link.
    planted();
    std::fs::remove_dir_all(desk.path("report/pictures/walk")).unwrap();
    symlink("../../home", desk.path("report/pictures/walk")).unwrap();
    let output = test(&desk, &["--report", "report"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        told(&output).contains("is a link, which is not followed"),
        "{}",
        told(&output)
    );
    assert!(desk.files("home") == home);

    // A merge does not copy a file that a part links to.
    for (link, to) in [
        ("part/pictures/walk/0001.actual.png", "../../../home/rc"),
        ("part/pictures/walk", "../../home"),
        ("part/report.json", "../home/rc"),
    ] {
        let _ = std::fs::remove_dir_all(desk.path("part"));
        test(&desk, &["--report", "part"]);
        let there = desk.path(link);
        let _ = std::fs::remove_file(&there).or_else(|_| std::fs::remove_dir_all(&there));
        symlink(to, there).unwrap();
        let output = run(&desk, &["report", "merge", "part", "-o", "merged"]);
        assert_eq!(output.status.code(), Some(1), "{link}: {}", said(&output));
        assert!(
            said(&output).contains("is a link, which is not followed"),
            "{}",
            said(&output)
        );
        assert!(!desk.path("merged/index.html").exists());
    }
    assert!(desk.files("home") == home);
}

#[cfg(unix)]
#[test]
fn junit_behind_a_link_is_written_where_it_is() {
    let desk = blessed(THREE);
    std::os::unix::fs::symlink("real.xml", desk.path("link.xml")).unwrap();
    desk.put_bytes("real.xml", b"");
    let args = ["--junit", "link.xml", "--report", "report"];
    ended(&test(&desk, &args), 0, "");
    assert!(desk.bytes("real.xml").starts_with(b"<?xml"));
    // A second report replaces it there.
    let first = desk.bytes("real.xml");
    desk.put_bytes("suite.toml", b"[[case]]\nfile = 7\n");
    assert_eq!(test(&desk, &args).status.code(), Some(2));
    assert_ne!(desk.bytes("real.xml"), first);
    assert!(desk.path("link.xml").is_symlink());
}

#[cfg(unix)]
#[test]
fn junit_in_the_folder_of_a_report_is_not_led_out_of_it() {
    use std::os::unix::fs::symlink;

    let desk = blessed(THREE);
    std::fs::create_dir(desk.path("home")).unwrap();
    desk.put_bytes("home/rc", b"mine");
    for folder in ["report", "merged"] {
        std::fs::create_dir(desk.path(folder)).unwrap();
        symlink("../home/rc", desk.path(&format!("{folder}/junit.xml"))).unwrap();
        symlink("../home", desk.path(&format!("{folder}/sub"))).unwrap();
    }
    let to = |folder: &str, junit: &str| {
        let parts = ["report", "merge", "report", "-o", folder, "--junit", junit];
        let suite = ["test", "suite.toml", "--report", folder, "--junit", junit];
        run(&desk, if folder == "merged" { &parts } else { &suite })
    };
    for folder in ["report", "merged"] {
        let output = to(folder, &format!("{folder}/junit.xml"));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let junit = desk.path(&format!("{folder}/junit.xml"));
        assert!(!junit.is_symlink() && junit.metadata().unwrap().len() > 100);
        let output = to(folder, &format!("{folder}/sub/rc"));
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert_eq!(desk.bytes("home/rc"), b"mine");
        // JUnit output must not replace a file that the report has or would write.
        std::fs::remove_file(desk.path(&format!("{folder}/index.html"))).unwrap();
        for part in [
            "index.html",
            "report.json",
            "pictures/a.xml",
            "../report/report.json",
            "./index.html",
        ] {
            let part = format!(
                "{folder}/{}",
                part.replace("report/", &format!("{folder}/"))
            );
            let output = to(folder, &part);
            assert_eq!(output.status.code(), Some(2), "{part}: {}", said(&output));
            assert!(
                said(&output).contains("choose another name"),
                "{}",
                said(&output)
            );
        }
    }
}
