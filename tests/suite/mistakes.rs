//! What is wrong in a suite is told all at once, with file, line and key, before anything is drawn.

use crate::desk::{Desk, said};
use crate::fixture::puppet;
use crate::stage::{SMALL, blessed, desk, ended, put, test};

/// Runs a suite that ought to be refused; `wanted` has the lines (0: none) and what is said of them.
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

/// A case whose last line, the 3rd, is this.
#[track_caller]
fn refused_line(line: &str, words: &str) {
    let suite = format!("[[case]]\nfile = \"puppet.pchr\"\n{line}\n");
    refused(&suite, &[(3, words)]);
    // In [defaults] it is as wrong.
    let suite = format!("[defaults]\n{line}\n[[case]]\nfile = \"puppet.pchr\"\n");
    refused(&suite, &[(2, words)]);
}

const OPTIONS: &str = "allow-outside, animation, frame, time, resolution, fit, center, zoom, background, msaa, filter, mipmaps, \
                       overlay, overlay-scale, hide, only, show, z-order, smooth, loop, bind, y-down, renderer, backend, \
                       adapter, tolerance, max_outliers, ignore, mask; name and file in a [[case]]";

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
                "\"title\" is not known; there are [defaults], [[case]] and [adapter.\"NAME\"]",
            ),
            (
                5,
                &format!("\"resolutoin\" is not known; there are {OPTIONS}"),
            ),
            (6, "file belongs into a [[case]]"),
            (8, "the case has no file: file = \"hero.pchr\", or a glob"),
            (9, "zoom: \"-1\" is not a number above 0"),
            (
                13,
                "\"msaa\" is not known; there are tolerance and max_outliers",
            ),
            (17, "name is a text"),
            (18, "tolerance is a whole number from 0 to 255"),
            (
                19,
                "max_outliers: \"101%\" is no share of the pixels: 0% to 100%",
            ),
        ],
    );
}

#[test]
fn a_value_is_judged_in_the_words_of_capture() {
    let overlays =
        "bones, names, wireframe, bounds, origin, order, weights=BONE, mesh=MESH and bone=BONE";
    for (line, words) in [
        (
            "resolution = \"64\"",
            "resolution: \"64\" is no size; write WIDTHxHEIGHT, like 512x512",
        ),
        (
            "frame = \"0..\"",
            "frame: \"0..\" is no choice of frames; write 7, 0..24, 0..=24, 0..48:2 or all",
        ),
        (
            "center = \"1\"",
            "center: \"1\" is no point; write X,Y, like 0,120.5",
        ),
        (
            "overlay = [\"bones\", \"skin\"]",
            &format!("overlay: \"skin\" is no overlay; there are {overlays}"),
        ),
        (
            "fit = \"all\"",
            "fit: \"all\" is none of its values; possible values: animation, frame, character, none",
        ),
        (
            "msaa = 3",
            "msaa: \"3\" is none of its values; possible values: 1, 4",
        ),
        (
            "loop = \"maybe\"",
            "loop: \"maybe\" is none of its values; possible values: on, off",
        ),
    ] {
        refused_line(line, words);
    }
}

#[test]
fn a_value_of_another_type_is_refused() {
    refused_line("smooth = \"yes\"", "smooth is true or false");
    refused_line("y_down = 1", "y-down is true or false");
    refused_line("resolution = true", "resolution is a text or a number");
    refused_line("resolution = [64, 64]", "resolution is a text or a number");
    refused_line("hide = [\"a\", true]", "hide is a list of texts");
    refused_line("hide = true", "hide is a text or a list of texts");
    refused_line(
        "tolerance = 1.5",
        "tolerance is a whole number from 0 to 255",
    );
    refused("case = 1\n", &[(1, "case is a list of tables: [[case]]")]);
    refused("case = [1]\n", &[(1, "a case is a table: [[case]]")]);
    refused(
        "defaults = 1\n[[case]]\nfile = \"puppet.pchr\"\n",
        &[(1, "defaults is a table: [defaults]")],
    );
    refused(
        "adapter = 1\n[[case]]\nfile = \"puppet.pchr\"\n",
        &[(1, "adapter is a table of tables: [adapter.\"NAME\"]")],
    );
    refused(
        "[adapter]\nllvmpipe = 1\n[[case]]\nfile = \"puppet.pchr\"\n",
        &[(2, "adapter.\"llvmpipe\" is a table: [adapter.\"llvmpipe\"]")],
    );
    refused(
        "[[case]]\nfile = [\"puppet.pchr\"]\n",
        &[(2, "file is a text")],
    );
}

#[test]
fn what_has_no_place_in_a_suite_is_refused_with_the_reason() {
    refused_line(
        "output = \"x.png\"",
        "output has no place in a suite: pictures go beside the suite, into baselines",
    );
    refused_line(
        "jobs = 4",
        "jobs has no place in a suite: it belongs on the command line",
    );
    refused_line(
        "json = true",
        "json has no place in a suite: it belongs on the command line",
    );
    refused_line(
        "help = true",
        &format!("\"help\" is not known; there are {OPTIONS}"),
    );
    refused_line(
        "renderer = \"auto\"",
        "renderer is \"cpu\" or \"gpu\": baselines are of one or the other",
    );
    for key in ["adapter", "backend"] {
        refused(
            &format!("[[case]]\nfile = \"puppet.pchr\"\n{key} = \"vulkan\"\n"),
            &[(
                3,
                &format!("{key} belongs into [defaults]: one device serves the whole suite"),
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
            (4, "y-down is already given in line 3"),
            (7, "y-down is already given in line 6"),
            (10, "max-outliers is already given in line 9"),
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
                "frame and time cannot both be given (the other is in line 2)",
            ),
            (
                7,
                "frame and time cannot both be given (the other is in line 6)",
            ),
        ],
    );
    // A case may have the other one than its defaults.
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
    refused("", &[(0, "there is no [[case]] in it")]);
    refused(
        "[defaults]\nfit = \"none\"\n",
        &[(0, "there is no [[case]] in it")],
    );
    let desk = Desk::new();
    desk.put_bytes("suite.toml", b"\xff\xfe");
    let output = test(&desk, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).starts_with("error: cannot read suite.toml: "),
        "{}",
        said(&output)
    );
}

#[test]
fn files_that_are_not_there_are_named() {
    let suite = r#"[[case]]
file = "absent.pchr"
[[case]]
file = "art/*.pchr"
[[case]]
file = "*.png"
[[case]]
file = "$PCHR_NO_SUCH_VARIABLE/hero.pchr"
[[case]]
file = "${PCHR_NO_SUCH_VARIABLE}/*.pchr"
[[case]]
file = "[a"
[[case]]
file = ""
"#;
    let unset = "file: the environment does not say what $PCHR_NO_SUCH_VARIABLE is";
    let desk = Desk::new();
    std::fs::create_dir(desk.path("art")).unwrap();
    refused_on(
        &desk,
        suite,
        &[
            (2, "file: there is no absent.pchr"),
            (4, "file: no file matches \"art/*.pchr\" in art"),
            (6, "file: no file matches \"*.png\" in ."),
            (8, unset),
            (10, unset),
            (12, "file: unclosed character class; missing ']'"),
            (14, "file: it is empty"),
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
                "two cases are called \"a\"; name = \"...\" tells them apart",
            ),
            (
                12,
                "two cases are called \"b\" and \"B\", which is one folder on some systems; name = \"...\" tells them apart",
            ),
        ],
    );
    refused(
        &["a", "a/b/c", "A/d"].map(case).concat(),
        &[
            (
                6,
                "the baselines of \"a/b/c\" would lie among those of \"a\"",
            ),
            (9, "the baselines of \"A/d\" would lie among those of \"a\""),
        ],
    );
    let desk = Desk::new();
    for name in ["x/hero.pchr", "y/hero.pchr"] {
        put(&desk, name, &puppet());
    }
    refused_on(
        &desk,
        "[[case]]\nfile = \"x/*.pchr\"\n[[case]]\nfile = \"y/*.pchr\"\n",
        &[(
            3,
            "two cases are called \"hero\" (x/hero.pchr and y/hero.pchr); name = \"...\" tells them apart",
        )],
    );
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
    for name in ["a.", "a /b"] {
        named(name, "has a part that ends with a dot or a space");
    }
    for name in [
        "a\\b",
        "c:",
        "a?",
        "a*",
        "a|b",
        "<a>",
        "a\"b",
        "aux",
        "a/Con.1/b",
        "COM1",
    ] {
        named(name, "is no name for a folder on every system");
    }
}

#[test]
fn what_a_file_does_not_have_is_told_with_case_and_line() {
    let mut suite = SMALL.to_owned();
    let cases = [
        "animation = \"fly\"",
        "frame = 99",
        "animation = \"walk\"\nframe = \"2..9\"",
        "bind = \"fly\"",
        "hide = [\"hat\"]",
        "only = [\"part.*\", \"hat*\"]",
        "show = \"hat\"",
        "z_order = \"hat=1\"",
        "overlay = \"weights=tail\"",
    ];
    let lines: Vec<usize> = cases
        .iter()
        .zip('a'..)
        .map(|(case, name)| {
            suite += &format!("[[case]]\nfile = \"puppet.pchr\"\nname = \"{name}\"\n{case}\n");
            suite.lines().count() // that of the wrong key
        })
        .collect();
    let animations = "there are \"bind\", \"walk\", \"blink\", \"swap\", \"jump\"";
    let meshes = "there are \"shadow\", \"part.red\", \"part.green\"";
    let words = [
        format!("animation: there is no animation \"fly\"; {animations} (case \"a\")"),
        "frame: animation \"walk\": frame 99 is not there: the animation has 4 frames, 0..=3 (case \"b\")"
            .to_owned(),
        "frame: animation \"walk\": frame 4 is not there: the animation has 4 frames, 0..=3 (case \"c\")".to_owned(),
        format!("bind: there is no animation \"fly\"; {animations} (case \"d\")"),
        format!("hide: no mesh matches \"hat\"; {meshes} (case \"e\")"),
        format!("only: no mesh matches \"hat*\"; {meshes} (case \"f\")"),
        format!("show: no mesh matches \"hat\"; {meshes} (case \"g\")"),
        format!("z-order: no mesh matches \"hat\"; {meshes} (case \"h\")"),
        "overlay: there is no bone \"tail\"; there are \"root\", \"red\", \"green\" (case \"i\")"
            .to_owned(),
    ];
    let wanted: Vec<(usize, &str)> = lines
        .into_iter()
        .zip(words.iter().map(String::as_str))
        .collect();
    refused(&suite, &wanted);
}

#[test]
fn baselines_that_no_case_uses_are_named_one_by_one() {
    let case = |name: &str, frames: &str| {
        format!(
            "[[case]]\nname = \"{name}\"\nfile = \"puppet.pchr\"\nanimation = \"walk\"\nframe = \"{frames}\"\n"
        )
    };
    let desk = blessed(&format!(
        "{SMALL}{}{}",
        case("short", "all"),
        case("removed", "0..2")
    ));
    // Other files are not ours.
    desk.put_bytes("baselines/short/notes.txt", b"");
    desk.put_bytes("baselines/.gitattributes", b"");
    ended(&test(&desk, &[]), 0, "");
    let unused =
        |path: &str| format!("no case uses baselines/{path}: delete it, or bring its case back");
    let list = [
        "removed/0000.png",
        "removed/0001.png",
        "removed/baseline.json",
        "short/0002.png",
        "short/0003.png",
    ];
    let list = list.map(unused);
    let wanted: Vec<(usize, &str)> = list.iter().map(|words| (0, words.as_str())).collect();
    refused_on(&desk, &format!("{SMALL}{}", case("short", "0..2")), &wanted);
    for args in [
        &["--update"][..],
        &["--filter", "short"],
        &["--shard", "1/2"],
    ] {
        assert_eq!(test(&desk, args).status.code(), Some(2), "{args:?}");
    }
    // A clip that became shorter is the same mistake.
    let mut shorter = puppet();
    shorter.parts.animations[1].frame_count = 3;
    shorter.parts.animations[1].transforms.truncate(9);
    desk.remove("baselines/removed");
    desk.put("puppet.pchr", &shorter);
    let words = unused("short/0003.png");
    refused_on(
        &desk,
        &format!("{SMALL}{}", case("short", "all")),
        &[(0, &words)],
    );
}

#[test]
fn the_suite_is_named_as_it_was_typed() {
    let desk = desk("");
    std::fs::create_dir(desk.path("deep")).unwrap();
    desk.put_bytes(
        "deep/other suite.toml",
        b"[[case]]\nfile = \"puppet.pchr\"\n",
    );
    let output = crate::stage::run(&desk, &["test", "deep/other suite.toml"]);
    ended(
        &output,
        2,
        "error: deep/other suite.toml:2: file: there is no deep/puppet.pchr",
    );
}
