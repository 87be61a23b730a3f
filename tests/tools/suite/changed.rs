//! Tests of what a suite says about a file whose pictures differ: its changes since the baselines were committed.

use std::process::Command;

use crate::desk::Desk;
use crate::fixtures::fixture;
use crate::suite::stage::{SMALL, blessed, case_of, ended, test};

fn git(desk: &Desk, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]);
    let output = git.arg("-C").arg(desk.path("")).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}

/// A desk with a suite of one case and its baselines.
fn walk() -> Desk {
    blessed(&format!("{SMALL}{}", case_of("walk", "puppet.pchr", "walk")))
}

/// The same desk, all of it committed.
fn committed() -> Desk {
    let desk = walk();
    git(&desk, &["init", "-q"]);
    git(&desk, &["add", "."]);
    git(&desk, &["commit", "-qm", "first"]);
    desk
}

#[test]
fn a_failure_says_what_changed_in_the_file_since_its_baselines_were_committed() {
    let desk = committed();
    desk.put_bytes("puppet.pchr", &fixture("edited"));
    // Later commits of the file do not count: the baselines are still the first.
    git(&desk, &["add", "."]);
    git(&desk, &["commit", "-qm", "edited"]);
    let output = test(&desk, &["--report", "report", "--junit", "junit.xml"]);
    ended(&output, 3, "error: 3 of 4 frames differ from their baselines");
    let text = String::from_utf8(output.stdout).unwrap();
    let wanted = "): walk: frames 1..=3 moved by up to 15.0 px: \"part.green\" on frame 3, at ";
    assert!(text.contains("note: changes since the baselines (commit "), "{text}");
    assert!(text.contains(wanted), "{text}");
    for change in ["floor: renamed from \"shadow\"", "part.green: 2 vertices have", "jump: removed"]
    {
        assert!(text.contains(change), "{text}");
    }
    for file in ["report/report.json", "report/index.html", "junit.xml"] {
        let text = String::from_utf8(desk.bytes(file)).unwrap();
        assert!(text.contains("moved by up to 15.0 px"), "{file}");
    }
}

#[test]
fn nothing_is_said_where_the_earlier_file_is_not_known() {
    // Baselines that are not committed may be those of any version.
    let changed = committed();
    changed.put_bytes("baselines/walk/note.txt", b"not committed");
    let no_repository = walk();
    for desk in [changed, no_repository] {
        desk.put_bytes("puppet.pchr", &fixture("edited"));
        let output = test(&desk, &[]);
        ended(&output, 3, "error: 3 of 4 frames differ from their baselines");
        assert!(!String::from_utf8(output.stdout).unwrap().contains("changes since"));
    }
}
