//! Tests of the exit code of a run.

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::suite::stage::{
    SMALL, THREE, blessed, case, desk, ended, nudge, paint, report, test, told, with_status,
};

#[test]
fn a_tolerance_that_is_not_applied_is_a_warning_and_exact_false_applies_it() {
    const WHY: &str =
        "not applied: pictures of the CPU renderer must be equal (to apply it, set exact = false)";
    let own = THREE.replacen("frame = \"all\"\n", "frame = \"all\"\ntolerance = 4\n", 1);
    let desk = desk(&own);
    let warning = format!("warning: suite.toml:6: the tolerance of \"walk\" is {WHY}");
    ended(&test(&desk, &["--update"]), 0, &warning);
    nudge(&desk, "baselines/walk/0002.png");
    nudge(&desk, "baselines/jump/0001.png");
    let output = test(&desk, &[]);
    ended(&output, 3, &warning);
    assert_eq!(said(&output).matches("warning").count(), 1);
    // With `exact = false` the case keeps its tolerance; the other cases do not change.
    let inexact = own.replacen("tolerance", "exact = false\ntolerance", 1);
    desk.put_bytes("suite.toml", inexact.as_bytes());
    let report = report(&desk, &[]);
    assert_eq!(with_status(&report, "failed"), ["jump/0001"]);
    assert_eq!(
        case(&report, "walk")["frames"][2]["difference"]["tolerance"],
        4
    );
    ended(&test(&desk, &["--filter", "walk"]), 0, "");
    // The same for the whole suite. A case may still set `exact = true` for itself.
    let all = THREE.replace("[defaults]\n", "[defaults]\ntolerance = 2\nexact = false\n");
    desk.put_bytes("suite.toml", all.as_bytes());
    ended(&test(&desk, &[]), 0, "");
    let strict = all.replacen("frame = \"all\"\n", "frame = \"all\"\nexact = true\n", 1);
    desk.put_bytes("suite.toml", strict.as_bytes());
    let report = crate::suite::stage::report(&desk, &["-q"]);
    assert_eq!(with_status(&report, "failed"), ["walk/0002"]);
}

#[test]
fn the_command_of_a_frame_that_differs_takes_its_picture() {
    let odd = format!(
        "{SMALL}animation = \"walk\"\nhide = [\"*dow\", \"part.[g]*\"]\nbackground = \"checker\"\n[[case]]\nname = \"x\"\nfile = \"puppet.pchr\"\nframe = \"all\"\n"
    );
    let desk = blessed(&odd);
    nudge(&desk, "baselines/x/0003.png");
    let report = report(&desk, &["--report", "report"]);
    let command = case(&report, "x")["frames"][3]["command"]
        .as_str()
        .unwrap()
        .to_owned();
    let args = command.strip_prefix("pchr-view ").unwrap();
    let script = format!("exec {:?} {args}", env!("CARGO_BIN_EXE_pchr-view"));
    if cfg!(unix) {
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(desk.folder())
            .output()
            .unwrap();
        ended(&output, 0, "");
        assert!(desk.picture("actual.png") == desk.picture("report/pictures/x/0003.actual.png"));
        nudge(&desk, "actual.png");
        assert!(desk.picture("actual.png") == desk.picture("baselines/x/0003.png"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_a_failure_and_the_others_are_run() {
    // This file cannot be read from its start, not even by root.
    let desk = desk(&format!(
        "{THREE}[[case]]\nname = \"zzz\"\nfile = \"/proc/self/mem\"\n"
    ));
    let output = test(&desk, &[]);
    ended(
        &output,
        1,
        "note: unused baselines are not looked for, because a folder or file could not be read",
    );
    assert!(said(&output).ends_with("error: 1 of 10 frames could not be drawn or compared\n"));
    assert!(
        told(&output).contains("error    zzz: cannot read /proc/self/mem: "),
        "{}",
        told(&output)
    );
    assert_eq!(with_status(&report(&desk, &[]), "missing").len(), 9);
    let output = test(&desk, &["--update"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(desk.files("baselines").len(), 9 + 3);
}

/// Faults of a case with their exit codes, in order of precedence.
const WRONGS: [(&str, u8); 5] = [
    ("unreadable", 1),
    ("invalid", 4),
    ("differs", 3),
    ("missing", 6),
    ("absent", 2),
];

/// Suite with one sound case and some faulty ones.
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
            "differs" => nudge(&desk, "baselines/differs/0000.png"),
            _ => std::fs::remove_file(desk.path("baselines/missing/0000.png")).unwrap(),
        }
    }
    desk
}

#[test]
fn of_several_failures_the_gravest_gives_the_code() {
    for set in 0..1_usize << WRONGS.len() {
        let wrongs = || {
            WRONGS
                .iter()
                .enumerate()
                .filter(|(i, _)| set >> i & 1 == 1)
                .map(|(_, wrong)| wrong)
        };
        let names: Vec<&str> = wrongs().map(|(name, _)| *name).collect();
        let code = wrongs().next().map_or(0, |(_, code)| *code);
        let desk = with(&names);
        for args in [
            &[][..],
            &["--json"],
            &["-q"],
            &["--report", "report", "--junit", "junit.xml"],
        ] {
            let output = test(&desk, args);
            assert_eq!(
                output.status.code(),
                Some(code.into()),
                "{names:?} {args:?}: {}",
                said(&output)
            );
            assert_eq!(
                said(&output).lines().count(),
                usize::from(code != 0),
                "{}",
                said(&output)
            );
        }
        let report = report(&desk, &[]);
        assert_eq!(report["exitCode"], code);
        assert_eq!(report["summary"]["frames"], names.len() + 1);
    }
}

#[test]
fn a_baseline_with_other_colours_under_alpha_0_differs_and_the_line_says_so() {
    let desk = desk(THREE);
    assert_eq!(test(&desk, &["-q", "--update"]).status.code(), Some(0));
    let name = "baselines/walk/0002.png";
    let mut picture = desk.picture(name);
    assert_eq!(picture.pixels[0], [0; 4]);
    picture.pixels[0] = [255, 255, 255, 0];
    paint(&desk, name, &picture);
    let output = test(&desk, &[]);
    ended(&output, 3, "error: 1 of 9 frames differs from its baseline");
    let line = "         0002: 1 of 1536 pixels (0.07 %) differ; only colours hidden by alpha, first at 0,0; mean FLIP 0.0000\n";
    assert!(told(&output).contains(line), "{}", told(&output));
}
