//! Tests of mistakes in a suite: all are reported at once with file, line and key, before anything is drawn.

use crate::desk::{Desk, said};
use crate::stage::{SMALL, blessed, desk, ended, json, test};

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

/// Checks that a case is refused for this third line.
#[track_caller]
fn refused_line(line: &str, words: &str) {
    let suite = format!("[[case]]\nfile = \"puppet.pchr\"\n{line}\n");
    refused(&suite, &[(3, words)]);
    // The same line is refused in [defaults].
    let suite = format!("[defaults]\n{line}\n[[case]]\nfile = \"puppet.pchr\"\n");
    refused(&suite, &[(2, words)]);
}

#[test]
fn every_mistake_is_told_at_once_in_the_order_of_the_lines() {
    let suite = r#"
title = "none"

[defaults]
resolutoin = "64x64"
file = "puppet.pchr"

[[case]]
zoom = -1

[adapter."llvmpipe"]
tolerance = 4
msaa = 1

[[case]]
file = "puppet.pchr"
name = 7
tolerance = 256
max-outliers = "101%"
"#;
    refused(
        suite,
        &[
            (
                2,
                "unknown key \"title\": expected [defaults], [[case]] or [adapter.\"NAME\"]",
            ),
            (
                5,
                "unknown key \"resolutoin\"; closest: resolution (pchr schema suite lists all keys)",
            ),
            (6, "file belongs in a [[case]]"),
            (
                8,
                "the case has no file: expected file = \"hero.pchr\", or a pattern",
            ),
            (9, "zoom: invalid number \"-1\": expected more than 0"),
            (
                13,
                "unknown key \"msaa\": expected tolerance or max_outliers",
            ),
            (17, "name: expected a string"),
            (18, "tolerance: expected a whole number from 0 to 255"),
            (
                19,
                "max_outliers: invalid percentage \"101%\": expected 0% to 100%",
            ),
        ],
    );
}

#[test]
fn a_case_that_is_not_understood_hides_no_mistake_of_another() {
    let suite = r#"[[case]]
file = "puppet.pchr"
name = "a."
ignore = "0,0,9000x1"
tolerance = -1

[[case]]
file = "puppet.pchr"
name = "b/"
ignore = "0,0,9000x1"

[[case]]
file = "[a"
smooth = 1

[[case]]
file = "puppet.pchr"
name = "c"
[[case]]
file = "puppet.pchr"
name = "C"
"#;
    refused(
        suite,
        &[
            (
                3,
                "the name \"a.\" is not a valid folder on every system: \"a.\" ends with a dot or a space",
            ),
            (5, "tolerance: expected a whole number from 0 to 255"),
            (9, "the name \"b/\" has an empty part"),
            (
                10,
                "ignore: 0,0,9000x1 lies partly outside the picture, which is 512x512",
            ),
            (13, "file: unclosed character class; missing ']'"),
            (14, "smooth: expected true or false"),
            (
                21,
                "two cases are named \"c\" and \"C\", which are the same folder on some systems; give each its own name = \"...\"",
            ),
        ],
    );
}

#[test]
fn a_value_is_judged_in_the_words_of_capture() {
    let overlays = "bones, names, wireframe, bounds, origin, order, axes, grid, path, weights=BONE, mesh=MESH, bone=BONE, trail=BONE, trail=MESH:VERTEX or onion=BEFORE,AFTER[,STEP]";
    for (line, words) in [
        (
            "resolution = \"64\"",
            "resolution: invalid size \"64\": expected WIDTHxHEIGHT, like 512x512",
        ),
        (
            "frame = \"..4\"",
            "frame: invalid frame range \"..4\": expected 7, 0..24, 0..=24, 0..48:2, 0..:2, a list like 0,6,12 or all",
        ),
        (
            "center = \"1\"",
            "center: invalid point \"1\": expected X,Y, like 0,120.5, or X,Y,Z for a 3D motion",
        ),
        (
            "overlay = [\"bones\", \"skin\"]",
            &format!("overlay: invalid overlay \"skin\": expected {overlays}"),
        ),
        (
            "fit = \"all\"",
            "fit: invalid value \"all\": expected one of animation, frame, character, none",
        ),
        (
            "msaa = 3",
            "msaa: invalid value \"3\": expected one of 1, 4",
        ),
        (
            "loop = \"maybe\"",
            "loop: invalid value \"maybe\": expected one of on, off",
        ),
    ] {
        refused_line(line, words);
    }
}

#[test]
fn a_value_of_another_type_is_refused() {
    refused_line("smooth = \"yes\"", "smooth: expected true or false");
    refused_line("y_down = 1", "y-down: expected true or false");
    refused_line(
        "resolution = true",
        "resolution: expected a string or a number",
    );
    refused_line(
        "resolution = [64, 64]",
        "resolution: expected a string or a number",
    );
    refused_line(
        "center = [0, true]",
        "center: expected a string, a number, or a list of the parts between commas",
    );
    refused_line("hide = [\"a\", true]", "hide: expected a list of strings");
    refused_line(
        "hide = true",
        "hide: expected a string or a list of strings",
    );
    refused_line(
        "tolerance = 1.5",
        "tolerance: expected a whole number from 0 to 255",
    );
    refused(
        "case = 1\n",
        &[(1, "case: expected a list of tables: [[case]]")],
    );
    refused(
        "case = [1]\n",
        &[(1, "expected a case as a table: [[case]]")],
    );
    refused(
        "defaults = 1\n[[case]]\nfile = \"puppet.pchr\"\n",
        &[(1, "defaults: expected a table: [defaults]")],
    );
    refused(
        "adapter = 1\n[[case]]\nfile = \"puppet.pchr\"\n",
        &[(1, "adapter: expected tables: [adapter.\"NAME\"]")],
    );
    refused(
        "[adapter]\nllvmpipe = 1\n[[case]]\nfile = \"puppet.pchr\"\n",
        &[(
            2,
            "adapter.\"llvmpipe\": expected a table: [adapter.\"llvmpipe\"]",
        )],
    );
    refused(
        "[[case]]\nfile = [\"puppet.pchr\"]\n",
        &[(2, "file: expected a string")],
    );
}

#[test]
fn what_has_no_place_in_a_suite_is_refused_with_the_reason() {
    refused_line(
        "output = \"x.png\"",
        "output cannot be set in a suite: pictures go beside the suite, into baselines",
    );
    refused_line(
        "jobs = 4",
        "jobs cannot be set in a suite: it belongs on the command line",
    );
    refused_line(
        "json = true",
        "json cannot be set in a suite: it belongs on the command line",
    );
    refused_line(
        "help = true",
        "unknown key \"help\" (pchr schema suite lists all keys)",
    );
    refused_line(
        "renderer = \"auto\"",
        "renderer: expected \"cpu\" or \"gpu\"",
    );
    for key in ["adapter", "backend"] {
        refused(
            &format!("[[case]]\nfile = \"puppet.pchr\"\n{key} = \"vulkan\"\n"),
            &[(
                3,
                &format!("{key} belongs in [defaults]: the whole suite uses one device"),
            )],
        );
    }
}

#[test]
fn a_key_is_given_once_however_it_is_spelled() {
    let twice = "y-down = true\ny_down = true\n";
    let suite = format!(
        "[[case]]\nfile = \"puppet.pchr\"\n{twice}[defaults]\n{twice}[adapter.x]\nmax_outliers = 1\nmax-outliers = 2\n"
    );
    refused(
        &suite,
        &[
            (4, "y-down is already given on line 3"),
            (7, "y-down is already given on line 6"),
            (10, "max-outliers is already given on line 9"),
        ],
    );
}

#[test]
fn a_frame_and_a_time_are_not_both_meant() {
    let both = "time = 0.1\nframe = 1\n";
    refused(
        &format!("[defaults]\n{both}[[case]]\nfile = \"puppet.pchr\"\n{both}"),
        &[
            (
                3,
                "frame and time cannot be combined (the other is on line 2)",
            ),
            (
                7,
                "frame and time cannot be combined (the other is on line 6)",
            ),
        ],
    );
    // A case may set one of them where its defaults set the other.
    let suite =
        format!("{SMALL}frame = 1\n[[case]]\nname = \"a\"\nfile = \"puppet.pchr\"\ntime = 0.2\n");
    ended(&test(&blessed(&suite), &[]), 0, "");
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

#[test]
fn a_pattern_that_is_none_is_refused() {
    refused(
        "[[case]]\nfile = \"[a\"\n[[case]]\nfile = \"\"\n",
        &[
            (2, "file: unclosed character class; missing ']'"),
            (4, "file: it is empty"),
        ],
    );
}

#[test]
fn each_case_has_a_folder_of_its_own() {
    let case = |name: &str| format!("[[case]]\nfile = \"puppet.pchr\"\nname = \"{name}\"\n");
    refused(
        &["a", "b", "a", "B"].map(case).concat(),
        &[
            (
                9,
                "two cases are named \"a\"; give each its own name = \"...\"",
            ),
            (
                12,
                "two cases are named \"b\" and \"B\", which are the same folder on some systems; give each its own name = \"...\"",
            ),
        ],
    );
    refused(
        &["a", "a/b/c", "A/d"].map(case).concat(),
        &[
            (
                6,
                "the baselines of \"a/b/c\" would lie among those of \"a\"; rename one",
            ),
            (
                9,
                "the baselines of \"A/d\" would lie among those of \"a\"; rename one",
            ),
        ],
    );
}

#[test]
fn the_folder_of_baselines_is_one_from_the_suites() {
    let case = "[[case]]\nfile = \"puppet.pchr\"\n";
    for folder in ["\"\"", "\"/srv/baselines\"", "'C:\\baselines'", "7"] {
        refused(
            &format!("[defaults]\nbaselines = {folder}\n{case}"),
            &[(
                2,
                "baselines: expected a folder, relative to the suite, like baselines = \"../baselines\"",
            )],
        );
    }
    refused(
        &format!("{case}baselines = \"there\"\n"),
        &[(
            3,
            "baselines belongs in [defaults]: one folder holds those of the whole suite",
        )],
    );
    refused_line("exact = 1", "exact: expected true or false");
}

#[test]
fn a_name_is_one_for_a_folder_on_every_system() {
    let named = |name: &str, why: &str| {
        let suite = format!("[[case]]\nfile = \"puppet.pchr\"\nname = '{name}'\n");
        refused(&suite, &[(3, &format!("the name {name:?} {why}"))]);
    };
    for name in ["", "/a", "a/", "a//b"] {
        named(name, "has an empty part");
    }
    for name in ["..", "../a", "a/../b", ".git", "a/.b"] {
        named(name, "has a part that starts with a dot");
    }
    let long = "é".repeat(128);
    for (name, part, why) in [
        ("a.", "a.", "ends with a dot or a space"),
        ("a /b", "a ", "ends with a dot or a space"),
        ("c:", "c:", "has a ':', which not every system allows"),
        ("a?", "a?", "has a '?', which not every system allows"),
        ("a|b", "a|b", "has a '|', which not every system allows"),
        ("aux", "aux", "is a reserved name on Windows"),
        ("a/Con.1/b", "Con.1", "is a reserved name on Windows"),
        (&long, &long, "has 256 bytes, expected at most 255"),
    ] {
        named(
            name,
            &format!("is not a valid folder on every system: {part:?} {why}"),
        );
    }
}

#[test]
fn the_suite_is_named_as_it_was_typed() {
    let desk = desk("");
    std::fs::create_dir(desk.path("deep")).unwrap();
    desk.put_bytes(
        "deep/other suite.toml",
        b"[[case]]\nname = \"\"\nfile = \"puppet.pchr\"\n",
    );
    let output = crate::stage::run(&desk, &["test", "deep/other suite.toml"]);
    ended(
        &output,
        2,
        "error: deep/other suite.toml:2: the name \"\" has an empty part",
    );
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
