//! Tests of mistakes in a suite: all are reported at once with file, line and key, before anything is drawn.

use crate::desk::{Desk, said};
use crate::suite::stage::{ended, json, test};

/// Runs a suite that must be refused; `wanted` lists the expected lines (0: none) and messages.
#[track_caller]
fn refused_on(desk: &Desk, suite: &str, wanted: &[(usize, &str)]) {
    desk.put_bytes("suite.toml", suite.as_bytes());
    let before = desk.files("");
    let output = test(desk, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(output.stdout, b"");
    let list: Vec<&str> = said(&output).lines().collect();
    for (i, (line, words)) in wanted.iter().enumerate() {
        let lead = if i == 0 { "error: " } else { "  " };
        let place = match line {
            0 => "suite.toml".to_owned(),
            line => format!("suite.toml:{line}"),
        };
        assert_eq!(
            list.get(i).copied(),
            Some(format!("{lead}{place}: {words}").as_str()),
            "{list:#?}"
        );
    }
    assert_eq!(list.len(), wanted.len(), "{list:#?}");
    assert!(before == desk.files(""), "nothing is written");
}

#[track_caller]
fn refused(suite: &str, wanted: &[(usize, &str)]) {
    refused_on(&Desk::new(), suite, wanted);
}

#[test]
fn a_text_that_is_no_toml_is_refused_with_its_line() {
    refused(
        "[defaults]\nfit = none\n",
        &[(2, "invalid float, expected `nan`")],
    );
    refused(
        "[[case]]\nfile = \"puppet.pchr\"\nfile = \"puppet.pchr\"\n",
        &[(3, "duplicate key")],
    );
    refused(
        "[defaults]\nfit = none\n[[case]]\nfile = \"puppet.pchr\"\nzoom = 1.\n",
        &[
            (2, "invalid float, expected `nan`"),
            (5, "invalid fraction, expected digits"),
        ],
    );
    refused("", &[(0, "the suite has no [[case]]")]);
    refused(
        "[defaults]\nfit = \"none\"\n",
        &[(0, "the suite has no [[case]]")],
    );
    let desk = Desk::new();
    desk.put_bytes("suite.toml", b"\xff\xfe");
    let line = "error: suite.toml: not UTF-8 text; save the file as UTF-8";
    ended(&test(&desk, &["--report", "report"]), 2, line);
    let report = json(&desk, "report/report.json");
    assert_eq!(report["errors"][0], line.strip_prefix("error: ").unwrap());
}

/// As many mistakes as a hostile suite can hold: comparing each with all before it would be slow.
#[test]
fn of_many_mistakes_the_first_are_listed() {
    for table in ["", "[defaults]\n"] {
        let keys: String = (0..50_000).map(|i| format!("key{i} = 1\n")).collect();
        let desk = Desk::new();
        desk.put_bytes("suite.toml", format!("{table}{keys}").as_bytes());
        let output = test(&desk, &[]);
        assert_eq!(output.status.code(), Some(2));
        let list: Vec<&str> = said(&output).lines().collect();
        assert_eq!(list.len(), 101);
        let last = "  suite.toml: only the first 100 problems are listed";
        assert_eq!(list.last(), Some(&last));
    }
}
