//! Tests of cases that cannot be drawn: each is a separate error, the others run, and every report lists all of them.

use serde_json::Value;

use crate::desk::{Desk, said};
use crate::fixture::{Builder, puppet};
use crate::suite::stage::{
    SMALL, blessed, case, desk, ended, json, report, run, stamps, test, told, with_status,
};

/// Two cases, each with its own file and 4 baselines.
fn two() -> Desk {
    let case = |name: &str| {
        format!(
            "[[case]]\nname = \"{name}\"\nfile = \"{name}.pchr\"\nanimation = \"walk\"\nframe = \"0..4\"\n"
        )
    };
    let desk = desk(&format!("{SMALL}{}{}", case("fine"), case("hero")));
    desk.put("fine.pchr", &puppet());
    desk.put("hero.pchr", &puppet());
    ended(&test(&desk, &["--update"]), 0, "");
    desk
}

fn changed(change: impl FnOnce(&mut Builder)) -> Builder {
    let mut puppet = puppet();
    change(&mut puppet);
    puppet
}

/// The puppet with three frames of the walk instead of four.
fn shorter() -> Builder {
    changed(|puppet| {
        let walk = &mut puppet.parts.animations[1];
        walk.frame_count = 3;
        walk.transforms.truncate(9);
    })
}

fn replace(desk: &Desk, from: &str, to: &str) {
    let suite = String::from_utf8(desk.bytes("suite.toml")).unwrap();
    assert!(suite.contains(from));
    desk.put_bytes("suite.toml", suite.replace(from, to).as_bytes());
}

/// A way to break the case "hero", its message, and the baselines that become unused.
type Trouble = (fn(&Desk), &'static str, &'static [&'static str]);

/// Start of the message about a file that cannot be loaded.
const BROKEN: &str = "hero.pchr: ";

const ALL: &[&str] = &["hero/0000", "hero/0001", "hero/0002", "hero/0003"];

const THERE_ARE: &str = "available: \"bind\", \"step\", \"blink\", \"swap\", \"jump\"";

const TROUBLES: [Trouble; 6] = [
    (
        |desk| desk.put("hero.pchr", &shorter()),
        "suite.toml:13: frame: animation \"walk\": frame 3 does not exist; the animation has 3 frames, 0..=2",
        &["hero/0003"],
    ),
    (
        |desk| {
            let renamed = changed(|puppet| puppet.parts.animations[1].name = "step".to_owned());
            desk.put("hero.pchr", &renamed);
        },
        "suite.toml:12: animation: no animation is named \"walk\"; THERE_ARE",
        ALL,
    ),
    (
        |desk| std::fs::remove_file(desk.path("hero.pchr")).unwrap(),
        "suite.toml:11: file: hero.pchr does not exist",
        ALL,
    ),
    (
        |desk| {
            replace(desk, "\"hero.pchr\"", "\"her?.png\"");
        },
        "suite.toml:11: file: no file matches \"her?.png\"",
        ALL,
    ),
    (
        |desk| {
            replace(
                desk,
                "\"hero.pchr\"",
                "\"$PCHR_NO_SUCH_VARIABLE/hero.pchr\"",
            );
        },
        "suite.toml:11: file: the environment variable $PCHR_NO_SUCH_VARIABLE is not set",
        ALL,
    ),
    (|desk| desk.put_bytes("hero.pchr", b"PCHR?"), BROKEN, ALL),
];

#[test]
fn the_other_cases_run_and_every_report_says_all_of_it() {
    for (i, (trouble, words, unused)) in TROUBLES.into_iter().enumerate() {
        let words = words.replace("THERE_ARE", THERE_ARE);
        let code = if words == BROKEN { 4 } else { 2 };
        let desk = two();
        let args = ["--report", "report", "--junit", "junit.xml"];
        ended(&test(&desk, &args), 0, "");
        trouble(&desk);
        let before = stamps(&desk, "baselines");
        let output = test(&desk, &args);
        let last = match code {
            4 => "error: 1 of 5 frames could not be drawn: a file is invalid",
            _ => {
                "error: 1 of 5 frames could not be drawn: the suite names something that does not exist"
            }
        };
        ended(&output, code, last);
        let text = told(&output);
        assert!(text.contains("ok       fine (4 frames)\n"), "{text}");
        assert!(text.contains(&format!("error    hero: {words}")), "{text}");

        let report = json(&desk, "report/report.json");
        assert_eq!(report["exitCode"], code);
        assert_eq!(with_status(&report, "passed").len(), 4);
        assert_eq!(with_status(&report, "unused"), unused, "{i}");
        let error = case(&report, "hero")["error"].as_str().unwrap();
        assert!(error.starts_with(&words), "{error}");
        let junit = String::from_utf8(desk.bytes("junit.xml")).unwrap();
        let said = words.replace('\"', "&quot;");
        for part in [said.as_str(), "fine"] {
            assert!(junit.contains(part), "{junit}");
        }
        assert_eq!(junit.matches("type=\"unused\"").count(), unused.len());
        let page = String::from_utf8(desk.bytes("report/index.html")).unwrap();
        for name in unused {
            let message =
                format!("baselines/{name}.png is kept because its case could not be drawn");
            assert!(page.contains(&message), "{name}");
        }

        // The other case alone, the suite in parts, and runs that would change baselines.
        ended(&test(&desk, &["--filter", "fine"]), 0, "");
        let parts = ["1/2", "2/2"].map(|part| test(&desk, &["--shard", part]).status.code());
        assert_eq!(parts, [Some(0), Some(code)], "{i}");
        for prune in [&["--prune"][..], &["--update=all"]] {
            assert_eq!(test(&desk, prune).status.code(), Some(code), "{prune:?}");
            assert!(before == stamps(&desk, "baselines"), "{i} {prune:?}");
        }
    }
}

#[test]
fn an_update_takes_the_other_cases_and_ends_with_the_code_of_the_error() {
    for (trouble, words, _) in TROUBLES {
        let desk = two();
        let right = desk.files("baselines");
        trouble(&desk);
        for name in ["0001.png", "baseline.json"] {
            std::fs::remove_file(desk.path(&format!("baselines/fine/{name}"))).unwrap();
        }
        let output = test(&desk, &["--update"]);
        let code = if words == BROKEN { 4 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(told(&output).contains("wrote baselines/fine/0001.png\n"));
        assert!(right == desk.files("baselines"));
    }
}

/// Suite of these cases, all of the walk, with their frames.
fn walks(cases: &[(&str, &str)]) -> String {
    let case = |(name, frames): &(&str, &str)| {
        format!(
            "[[case]]\nname = \"{name}\"\nfile = \"puppet.pchr\"\nanimation = \"walk\"\nframe = \"{frames}\"\n"
        )
    };
    SMALL.to_owned() + &cases.iter().map(case).collect::<String>()
}

const LEFT: [&str; 5] = [
    "gone/deep/0000",
    "gone/deep/0001",
    "gone/deep/baseline.json",
    "short/0002",
    "short/0003",
];

/// Baselines of a removed case and of removed frames, with foreign files among them.
fn leftovers() -> Desk {
    let desk = blessed(&walks(&[("short", "all"), ("gone/deep", "0..2")]));
    desk.put_bytes("suite.toml", walks(&[("short", "0..2")]).as_bytes());
    for foreign in [
        "baselines/short/notes.txt",
        "baselines/.gitattributes",
        "baselines/0000.png",
        "baselines/short/reference.png",
        "baselines/gone/deep/0000.PNG",
    ] {
        desk.put_bytes(foreign, b"mine");
    }
    desk
}

#[test]
fn unused_baselines_are_results_and_prune_removes_and_names_each() {
    let desk = leftovers();
    let before = stamps(&desk, "baselines");
    for args in [&[][..], &["--update"]] {
        let output = test(&desk, args);
        ended(
            &output,
            2,
            "error: 5 baselines are unused; remove them with --prune",
        );
        let text = told(&output);
        assert!(
            text.contains("UNUSED   gone/deep (no case): 3 unused\n"),
            "{text}"
        );
        assert!(
            text.contains("UNUSED   short (2 frames): 2 unused baselines\n"),
            "{text}"
        );
        assert!(text.contains("         unused: 0002, 0003\n"), "{text}");
        assert!(
            text.ends_with("1 case, 2 frames: 2 passed, 5 unused\n"),
            "{text}"
        );
    }
    assert_eq!(with_status(&report(&desk, &[]), "unused"), LEFT);
    // Each run considers only its own baselines.
    let filtered = |text: &str| with_status(&report(&desk, &["--filter", text]), "unused");
    assert_eq!(filtered("short"), LEFT[3..]);
    assert_eq!(filtered("gone"), LEFT[..3]);
    let mut parts = Vec::new();
    for part in ["1/2", "2/2"] {
        parts.extend(with_status(&report(&desk, &["--shard", part]), "unused"));
    }
    parts.sort();
    assert_eq!(parts, LEFT);
    assert!(
        before
            .keys()
            .all(|name| desk.path("baselines").join(name).exists())
    );

    for prune in ["--prune", "--update=all"] {
        let desk = leftovers();
        let output = test(&desk, &[prune]);
        ended(&output, 0, "");
        for name in LEFT {
            let ending = if name.ends_with(".json") { "" } else { ".png" };
            let path = format!("{name}{ending}");
            let line = format!("         removed baselines/{path}\n");
            assert!(told(&output).contains(&line), "{line}{}", told(&output));
        }
        assert!(told(&output).ends_with("1 case, 2 frames: 2 passed, 5 removed\n"));
        let left: Vec<String> = desk.files("baselines").into_keys().collect();
        assert_eq!(
            left,
            [
                ".gitattributes",
                "0000.png",
                "gone/deep/0000.PNG",
                "short/0000.png",
                "short/0001.png",
                "short/baseline.json",
                "short/notes.txt",
                "short/reference.png",
            ]
        );
        let record = json(&desk, "baselines/short/baseline.json");
        assert_eq!(record["frames"].as_object().unwrap().len(), 2);
        ended(&test(&desk, &[]), 0, "");
    }
    // A folder that becomes empty is removed too.
    let desk = leftovers();
    std::fs::remove_file(desk.path("baselines/gone/deep/0000.PNG")).unwrap();
    ended(&test(&desk, &["--prune", "--filter", "gone"]), 0, "");
    assert!(!desk.path("baselines/gone").exists());
    assert!(desk.path("baselines/short/0003.png").exists());
}

#[test]
fn nothing_is_removed_in_ci_unless_by_force() {
    let desk = leftovers();
    let before = stamps(&desk, "baselines");
    let run = |args: &[&str]| {
        let mut program =
            crate::suite::stage::program(&desk, &[&["test", "suite.toml"], args].concat());
        program.env("CI", "true").output().unwrap()
    };
    let words = "error: baselines are not removed in CI (CI is set in the environment), where nobody would review them; allow it with --force";
    ended(&run(&["--prune"]), 2, words);
    assert!(before == stamps(&desk, "baselines"));
    ended(&run(&["--prune", "--force"]), 0, "");
}

#[cfg(unix)]
#[test]
fn nothing_is_removed_through_a_link() {
    use std::os::unix::fs::symlink;
    let picture = |desk: &Desk, folder: &str| {
        std::fs::create_dir_all(desk.path(folder)).unwrap();
        desk.put_bytes(&format!("{folder}/0000.png"), b"mine");
        desk.put_bytes(
            &format!("{folder}/baseline.json"),
            b"{\"options\":{},\"madeBy\":[],\"frames\":{}}",
        );
    };
    let desk = leftovers();
    for folder in ["elsewhere", "elsewhere/walk"] {
        picture(&desk, folder);
    }
    symlink(desk.path("elsewhere"), desk.path("baselines/link")).unwrap();
    symlink(
        desk.path("elsewhere/walk"),
        desk.path("baselines/short/walk"),
    )
    .unwrap();
    symlink(
        desk.path("elsewhere/0000.png"),
        desk.path("baselines/short/0009.png"),
    )
    .unwrap();
    let before = stamps(&desk, "elsewhere");
    ended(&test(&desk, &["--prune"]), 0, "");
    assert!(before == stamps(&desk, "elsewhere"));
    assert!(desk.path("baselines/short/0009.png").exists());
    // Nor if the folder of baselines is itself a link.
    let desk = leftovers();
    std::fs::rename(desk.path("baselines"), desk.path("elsewhere")).unwrap();
    symlink(desk.path("elsewhere"), desk.path("baselines")).unwrap();
    let before = stamps(&desk, "elsewhere");
    ended(&test(&desk, &["--prune"]), 0, "");
    assert!(before == stamps(&desk, "elsewhere"));
}

#[test]
fn a_suite_that_cannot_be_understood_says_so_in_every_report() {
    let desk = two();
    let args = ["--report", "report", "--junit", "junit.xml"];
    let wrongs = [
        (
            "[[case]]\nfile = 7\n[defaults]\nzoom = 0\n",
            vec![
                "suite.toml:2: file: expected a string",
                "suite.toml:4: zoom: invalid number \"0\": expected more than 0",
            ],
            &[][..],
        ),
        (
            "[[case]]\nfile = \"fine.pchr\"\n",
            vec!["no case has \"other\" in its name; available: \"fine\""],
            &["--filter", "other"],
        ),
    ];
    for (suite, words, more) in wrongs {
        let right = desk.bytes("suite.toml");
        ended(&test(&desk, &args), 0, "");
        desk.put_bytes("suite.toml", suite.as_bytes());
        let before = stamps(&desk, "baselines");
        let output = test(&desk, &[&args, more].concat());
        ended(&output, 2, &format!("error: {}", words[0]));
        assert_eq!(told(&output), "");
        let report = json(&desk, "report/report.json");
        assert_eq!(report["exitCode"], 2);
        assert_eq!(report["errors"], serde_json::json!(words));
        assert_eq!(report["cases"], Value::Array(Vec::new()));
        let page = String::from_utf8(desk.bytes("report/index.html")).unwrap();
        let junit = String::from_utf8(desk.bytes("junit.xml")).unwrap();
        for words in words {
            assert!(page.contains(&words.replace('"', "\\\"")), "{words}");
            assert!(
                junit.contains(&words.replace('"', "&quot;")),
                "{words}{junit}"
            );
        }
        assert!(junit.contains("errors=\"1\""), "{junit}");
        assert!(before == stamps(&desk, "baselines"));
        // A merge gives the same messages.
        let merged = run(&desk, &["report", "merge", "report", "-o", "merged"]);
        assert_eq!(
            (merged.status.code(), said(&merged)),
            (Some(2), said(&output))
        );
        assert_eq!(json(&desk, "merged/report.json"), report);
        desk.put_bytes("suite.toml", &right);
    }
}
