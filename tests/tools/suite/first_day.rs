//! Tests of the first steps with a suite: from a folder of files to a suite that passes.

use crate::desk::Desk;
use crate::fixture::{Builder, puppet};
use crate::suite::stage::{ended, run, stamps, told};

/// Names that must be quoted, escaped or shortened for a suite.
fn names() -> Vec<&'static str> {
    let names = "hero.pchr|my hero.pchr|it's.pchr|a = 1 # no comment.pchr|größe/火.PCHR|a/same.pchr|\
                 b/same.pchr|a-same.pchr|one/two/three/deep.pchr|[x]{y}.pchr|\
                 5$ or $HOME or ${HOME}.pchr|.hidden.pchr";
    let mut names: Vec<&str> = names.split('|').collect();
    if cfg!(unix) {
        // Other systems do not allow such names.
        let more = "say \"hi\".pchr|w*ld?.pchr|w_ld_.pchr|end. .pchr|nul.pchr|Aux.1.pchr";
        names.extend(more.split('|'));
    }
    names
}

fn jumper() -> Builder {
    let mut jumper = puppet();
    jumper.parts.animations.drain(..4);
    jumper
}

#[test]
fn whatever_files_there_are_make_a_suite_that_is_blessed_and_passes() {
    let desk = Desk::new();
    for name in names() {
        desk.put(&format!("art/{name}"), &jumper());
    }
    desk.put_bytes("art/notes.txt", b"no character");
    ended(&run(&desk, &["test", "--init", "art"]), 0, "");
    let count = names().len();
    let suite = String::from_utf8(desk.bytes("art/suite.toml")).unwrap();
    assert_eq!(suite.matches("\n[[case]]\n").count(), count);
    let explained =
        "# A suite of captures|[defaults]|# tolerance = 4|# frame = \"0..24:6\"|# [adapter.";
    for explained in explained.split('|') {
        assert!(suite.contains(explained), "{explained}");
    }

    assert_eq!(run(&desk, &["test", "art/suite.toml"]).status.code(), Some(6));
    assert!(!desk.path("art/baselines").exists());

    let output = run(&desk, &["test", "art/suite.toml", "--update"]);
    ended(&output, 0, "");
    let files = desk.files("art/baselines");
    let (pictures, records): (Vec<_>, Vec<_>) = files.keys().partition(|it| it.ends_with(".png"));
    assert_eq!((pictures.len(), records.len()), (2 * count, count));
    for name in pictures {
        let line = format!("         wrote baselines/{name}\n");
        assert!(told(&output).contains(&line), "{line}{}", told(&output));
    }

    let before = stamps(&desk, "art");
    let output = run(&desk, &["test", "art/suite.toml"]);
    ended(&output, 0, "");
    assert!(told(&output).ends_with(&format!("{0} frames: {0} passed\n", 2 * count)));
    let output = run(&desk, &["test", "art/suite.toml", "--update"]);
    ended(&output, 0, "");
    assert!(!told(&output).contains("wrote"));
    ended(&run(&desk, &["test", "art/suite.toml", "--update=all"]), 0, "");
    assert!(before == stamps(&desk, "art"), "nothing was written again");
}

#[test]
fn stages_are_cases_and_other_sessions_are_not() {
    let desk = Desk::new();
    desk.put("art/jumper.pchr", &jumper());
    let stage = b"[[character]]\nfile = \"jumper.pchr\"\n";
    desk.put_bytes("art/party.pchr-view.toml", stage);
    desk.put_bytes("art/jumper.pchr-view.toml", b"file = \"jumper.pchr\"\n");
    ended(&run(&desk, &["test", "--init", "art"]), 0, "");
    let suite = String::from_utf8(desk.bytes("art/suite.toml")).unwrap();
    let case = "[[case]]\nsession = \"party.pchr-view.toml\"\nname = \"party\"\nanimation = \"#0\"\nframe = \"0,1\"\n";
    assert!(suite.contains(case), "{suite}");
    assert_eq!(suite.matches("\n[[case]]\n").count(), 2);
    ended(&run(&desk, &["test", "art/suite.toml", "--update"]), 0, "");
}

#[test]
fn what_the_first_suite_explains_is_what_the_page_on_ci_says() {
    let desk = Desk::new();
    ended(&run(&desk, &["test", "--init", "."]), 0, "");
    let suite = String::from_utf8(desk.bytes("suite.toml")).unwrap();
    let page = include_str!("../../../docs/CI.md");
    let values = |text: &str, key: &str| {
        let lines = text.lines().map(|line| line.trim_start_matches("# "));
        let values =
            lines.filter_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix("= "));
        let value = |value: &str| value.split('#').next().unwrap().trim().to_owned();
        values.map(value).collect::<Vec<_>>()
    };
    for key in ["tolerance", "max_outliers"] {
        let ours = values(&suite, key);
        assert_eq!(ours.len(), 2, "{key}");
        let theirs = values(page, key);
        assert!(ours.iter().all(|value| theirs.contains(value)), "{key}: {ours:?}, {theirs:?}");
    }
}
