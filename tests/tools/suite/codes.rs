//! Tests of the exit code of a run, and of mistakes in a suite.

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{SMALL, ended, report, test};

/// Faults of a case with their exit codes, in order of precedence.
const WRONGS: [(&str, u8); 5] =
    [("unreadable", 1), ("invalid", 4), ("differs", 3), ("missing", 6), ("absent", 2)];

fn with(wrongs: &[&str]) -> Desk {
    let case = |name: &str| format!("[[case]]\nname = \"{name}\"\nfile = \"{name}.pchr\"\n");
    let desk = Desk::new();
    let mut suite = SMALL.to_owned();
    for name in ["right"].iter().chain(wrongs) {
        desk.put(&format!("{name}.pchr"), &puppet());
        suite += &case(name);
    }
    desk.put_bytes("suite.toml", suite.as_bytes());
    ended(&test(&desk, &["--update"]), 0, "");
    for wrong in wrongs {
        match *wrong {
            "unreadable" => desk.put_bytes("baselines/unreadable/baseline.json", b"?"),
            "invalid" => desk.put_bytes("invalid.pchr", b"PCHR?"),
            "absent" => std::fs::remove_file(desk.path("absent.pchr")).unwrap(),
            "differs" => desk.nudge("baselines/differs/0000.png"),
            _ => std::fs::remove_file(desk.path("baselines/missing/0000.png")).unwrap(),
        }
    }
    desk
}

#[test]
fn of_several_failures_the_gravest_gives_the_code() {
    for set in 0..1_usize << WRONGS.len() {
        let wrongs =
            || WRONGS.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, wrong)| wrong);
        let names: Vec<&str> = wrongs().map(|(name, _)| *name).collect();
        let code = wrongs().next().map_or(0, |(_, code)| *code);
        let desk = with(&names);
        for args in [&[][..], &["--json"], &["-q"], &["--report", "report", "--junit", "junit.xml"]]
        {
            let output = test(&desk, args);
            let said = said(&output);
            assert_eq!(output.status.code(), Some(code.into()), "{names:?} {args:?}: {said}");
            assert_eq!(said.lines().count(), usize::from(code != 0), "{said}");
        }
        let report = report(&desk, &[]);
        assert_eq!(report["exitCode"], code);
        assert_eq!(report["summary"]["frames"], names.len() + 1);
    }
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
        assert_eq!(list.last(), Some(&"  suite.toml: only the first 100 problems are listed"));
    }
}
