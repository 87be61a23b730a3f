//! Tests that a report depends neither on the suite's location nor on the path by which it is named.

use std::process::Output;

use crate::desk::{Desk, succeeded};

const SUITE: &str = r#"
[defaults]
resolution = "32x32"

[[case]]
name = "differs"
file = "puppet.pchr"

[[case]]
name = "invalid"
file = "invalid.pchr"

[[case]]
name = "unreadable"
file = "$PUPPETS/puppet.pchr"
"#;

/// Suite with a picture that differs, an invalid file, and a baseline that is not a picture.
fn desk() -> Desk {
    let desk = Desk::new();
    let puppet = desk.bytes("puppet.pchr");
    desk.put_bytes("suite.toml", SUITE.as_bytes());
    desk.put_bytes("invalid.pchr", &puppet);
    succeeded(&test(&desk, &["suite.toml", "--update", "--force"]));
    let other = ["-s", "32x32", "--background", "#ff0000", "-o", "baselines/differs/0000.png"];
    desk.capture("puppet.pchr", &other);
    desk.put_bytes("invalid.pchr", &puppet[..puppet.len() - 1]);
    desk.put_bytes("baselines/unreadable/0000.png", b"no picture");
    desk
}

fn test(desk: &Desk, args: &[&str]) -> Output {
    let mut program = desk.program();
    program.env("PUPPETS", desk.folder());
    program.arg("test").args(args).output().unwrap()
}

#[test]
fn a_report_is_the_same_wherever_the_suite_lies() {
    let (here, there) = (desk(), desk());
    let near = test(&here, &["suite.toml", "--report", "report"]);
    let far = test(&there, &[there.path("suite.toml").to_str().unwrap(), "--report", "report"]);
    assert_eq!((near.status.code(), far.status.code()), (Some(1), Some(1)));
    let (near, far) = (here.files("report"), there.files("report"));
    assert!(near.len() > 2, "{:?}", near.keys());
    for (file, bytes) in &near {
        let other = far.get(file).map(|bytes| String::from_utf8_lossy(bytes));
        assert_eq!(Some(String::from_utf8_lossy(bytes)), other, "{file}");
    }
    assert_eq!(near.len(), far.len());
}
