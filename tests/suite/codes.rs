//! Tests of the exit code of a run.

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::stage::{
    SMALL, THREE, blessed, case, desk, ended, nudge, paint, report, statuses, test, told,
    with_status,
};

#[test]
fn a_pixel_by_a_step_is_a_difference_for_the_cpu_renderer_whatever_the_suite_tolerates() {
    let tolerant = THREE.replace(
        "[defaults]\n",
        "[defaults]\ntolerance = 255\nmax_outliers = \"100%\"\n",
    );
    let tolerant = tolerant + "[adapter.cpu]\ntolerance = 255\nmax_outliers = \"100%\"\n";
    for suite in [THREE, &tolerant] {
        let desk = desk(suite);
        assert_eq!(test(&desk, &["-q", "--update"]).status.code(), Some(0));
        assert_eq!(test(&desk, &["-q"]).status.code(), Some(0));
        nudge(&desk, "baselines/walk/0002.png");
        let output = test(&desk, &[]);
        let why = "error: 1 of 9 frames differs from its baseline";
        match suite == THREE {
            true => ended(&output, 3, why),
            false => ended(
                &output,
                3,
                "warning: suite.toml: the tolerance of [defaults] is not applied: pictures of the CPU renderer must be equal (to apply it, set exact = false)",
            ),
        }
        let line = "         0002: 1 of 1536 pixels (0.07 %) differ; largest difference 1 at 0,0; only alpha differs; mean FLIP ";
        assert!(told(&output).contains(line), "{}", told(&output));
        assert!(
            told(&output).contains("DIFFERS  walk (4 frames): 1 differs\n"),
            "{}",
            told(&output)
        );
        assert!(
            told(&output).ends_with("3 cases, 9 frames: 8 passed, 1 failed\n"),
            "{}",
            told(&output)
        );
        let report = report(&desk, &[]);
        assert_eq!(with_status(&report, "failed"), ["walk/0002"]);
        let frame = &case(&report, "walk")["frames"][2];
        assert_eq!(
            (
                &frame["difference"]["outliers"],
                &frame["difference"]["tolerance"]
            ),
            (&1.into(), &0.into())
        );
        assert_eq!(report["exitCode"], 3);
    }
}

#[test]
fn a_tolerance_of_all_pixels_is_a_warning_also_as_a_number() {
    let suite = |most: u32| {
        format!(
            "[defaults]\nresolution = \"48x32\"\nexact = false\nmax_outliers = {most}\n[[case]]\nfile = \"puppet.pchr\"\n"
        )
    };
    let desk = desk(&suite(48 * 32));
    let warning = "warning: suite.toml:5: the tolerance of \"puppet\" accepts every picture";
    ended(&test(&desk, &["--update"]), 0, warning);
    ended(&test(&desk, &[]), 0, warning);
    desk.put_bytes("suite.toml", suite(48 * 32 - 1).as_bytes());
    ended(&test(&desk, &[]), 0, "");
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
    let report = crate::stage::report(&desk, &["-q"]);
    assert_eq!(with_status(&report, "failed"), ["walk/0002"]);
}

#[test]
fn another_version_of_the_program_is_said_once() {
    let desk = blessed(THREE);
    for case in ["walk", "jump"] {
        let name = format!("baselines/{case}/baseline.json");
        let mut record = crate::stage::json(&desk, &name);
        record["madeBy"][0]["version"] = "0.0.9 (abc)".into();
        desk.put_bytes(&name, record.to_string().as_bytes());
    }
    let args = ["--report", "report", "--junit", "junit.xml"];
    let output = test(&desk, &args);
    ended(&output, 0, "");
    let report = crate::stage::json(&desk, "report/report.json");
    let version = report["version"].as_str().unwrap();
    let note = format!(
        "note: baselines of 2 cases were made by pchr-view 0.0.9 (abc); this is {version}\n"
    );
    assert!(told(&output).contains(&note), "{}", told(&output));
    assert_eq!(told(&output).matches("0.0.9").count(), 1);
    assert_eq!(
        case(&report, "walk")["baselineVersions"],
        serde_json::json!(["0.0.9 (abc)"])
    );
    assert_eq!(
        case(&report, "blink")["baselineVersions"],
        serde_json::json!([])
    );
    for file in ["report/index.html", "junit.xml"] {
        let text = String::from_utf8(desk.bytes(file)).unwrap();
        assert_eq!(
            text.matches("0.0.9 (abc)").count(),
            2,
            "{file}: once a case"
        );
    }
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

#[test]
fn a_baseline_of_another_size_is_a_difference() {
    let desk = blessed(THREE);
    desk.capture(
        "puppet.pchr",
        &["-s", "20x10", "-o", "baselines/jump/0001.png"],
    );
    let output = test(&desk, &[]);
    ended(&output, 3, "error: 1 of 9 frames differs from its baseline");
    assert!(
        told(&output).contains("0001: the baseline is 20 x 10, the picture 48 x 32\n"),
        "{}",
        told(&output)
    );
}

#[test]
fn what_cannot_be_read_is_a_failure_of_the_run() {
    let desk = blessed(THREE);
    desk.put_bytes("baselines/walk/baseline.json", b"{}");
    let output = test(&desk, &[]);
    ended(
        &output,
        1,
        "error: 1 of 6 frames could not be drawn or compared",
    );
    let why = "error    walk: baselines/walk/baseline.json is not a record of baselines: missing field `options`";
    assert!(told(&output).contains(why), "{}", told(&output));
    assert_eq!(
        with_status(&report(&desk, &[]), "passed").len(),
        5,
        "the other cases run"
    );

    let desk = blessed(THREE);
    desk.put_bytes("baselines/walk/0001.png", b"no png");
    let output = test(&desk, &[]);
    ended(
        &output,
        1,
        "error: 1 of 9 frames could not be drawn or compared",
    );
    assert!(
        told(&output).contains("         0001: cannot read baselines/walk/0001.png: "),
        "{}",
        told(&output)
    );

    let desk = blessed(
        &format!("{SMALL}background = \"./absent.png\"\n[[case]]\nfile = \"puppet.pchr\"\n")
            .replace("background", "# background"),
    );
    desk.put_bytes(
        "suite.toml",
        format!("{SMALL}background = \"./absent.png\"\n[[case]]\nfile = \"puppet.pchr\"\n")
            .as_bytes(),
    );
    let output = test(&desk, &[]);
    ended(
        &output,
        2,
        "error: the frame could not be drawn: the suite names something that does not exist",
    );
    let line = "error    puppet: suite.toml:4: background: cannot read ./absent.png: ";
    assert!(told(&output).starts_with(line), "{}", told(&output));
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

#[test]
fn an_invalid_file_is_told_and_the_others_are_run() {
    let desk = blessed(
        &format!("{THREE}[[case]]\nname = \"hero\"\nfile = \"hero.pchr\"\nframe = \"all\"\n")
            .replace("hero.pchr", "puppet.pchr"),
    );
    desk.put_bytes(
        "suite.toml",
        format!("{THREE}[[case]]\nname = \"hero\"\nfile = \"hero.pchr\"\nframe = \"all\"\n")
            .as_bytes(),
    );
    let whole = puppet().bytes();
    desk.put_bytes("hero.pchr", &whole[..whole.len() - 40]);
    let output = test(&desk, &[]);
    ended(
        &output,
        4,
        "error: 1 of 10 frames could not be drawn: a file is invalid",
    );
    let line = told(&output)
        .lines()
        .find(|line| line.starts_with("error    hero: hero.pchr: "));
    assert!(
        line.is_some_and(|line| line.contains("PCHR-") || line.contains("byte")),
        "{}",
        told(&output)
    );
    let report = report(&desk, &[]);
    assert_eq!(with_status(&report, "passed").len(), 9);
    assert_eq!(statuses(&report)["hero"], "error");
    // Its baselines are not treated as unused, since its frames are unknown.
    assert!(desk.path("baselines/hero/0000.png").is_file());
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
fn a_report_that_cannot_be_written_is_a_failure_of_the_run() {
    let desk = blessed(THREE);
    desk.put_bytes("file", b"");
    for args in [
        ["--report", "file/report"],
        ["--report", "file"],
        ["--junit", "file/junit.xml"],
        ["--junit", "baselines"],
    ] {
        let output = test(&desk, &args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
        assert!(said(&output).starts_with("error: "), "{}", said(&output));
    }
}

#[test]
fn a_filter_that_nothing_passes_lists_the_cases() {
    let desk = blessed(THREE);
    let output = test(&desk, &["--filter", "run"]);
    ended(
        &output,
        2,
        "error: no case has \"run\" in its name; available: \"blink\", \"jump\", \"walk\"",
    );
    let output = test(&desk, &["--filter", "k"]);
    ended(&output, 0, "");
    assert!(
        told(&output).ends_with("2 cases, 7 frames: 7 passed\n"),
        "{}",
        told(&output)
    );
}
