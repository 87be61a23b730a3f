//! Tests of `pchr validate`: verdicts, exit codes, folding, filters, and text output.

#[path = "validate/corpus.rs"]
mod corpus;
#[path = "validate/hostile.rs"]
mod hostile;
#[path = "validate/json.rs"]
mod json;
#[path = "validate/junit.rs"]
mod junit;
#[path = "validate/rules.rs"]
mod rules;
#[path = "validate/sarif.rs"]
mod sarif;

use std::process::Output;

use serde_json::Value;

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, puppet};

/// Creates a folder with a sound file, one with 12 warnings of one kind and one of another, and one with 2 errors and a warning.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("odd.pchr", &odd());
    desk.put("broken.pchr", &broken());
    desk
}

fn odd() -> Builder {
    let mut odd = puppet();
    odd.parts.fps = 0;
    let vertices = odd
        .parts
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.vertices);
    vertices.for_each(|vertex| vertex.bone_weights[0] = 0.5);
    odd
}

fn broken() -> Builder {
    let mut broken = puppet();
    broken.parts.flags = 1;
    broken.parts.bones[1].parent = Some(2);
    broken.parts.meshes[0].indices[5] = 7;
    broken
}

fn validate(desk: &Desk, args: &[&str]) -> Output {
    desk.run_pchr(&[&["validate"], args].concat())
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// Array that `--json` prints.
fn report(output: &Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

#[track_caller]
fn ended(output: &Output, code: i32, line: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", said(output));
    assert_eq!(said(output), line);
}

#[test]
fn a_sound_file_is_valid() {
    let output = validate(&desk(), &["puppet.pchr"]);
    ended(&output, 0, "");
    assert_eq!(text(&output), "puppet.pchr: valid\n");
}

#[test]
fn warnings_are_folded_and_do_not_fail() {
    let output = validate(&desk(), &["odd.pchr"]);
    ended(&output, 0, "");
    let wanted = "\
odd.pchr: 13 warnings
  warning PCHR-W102 fps-zero
    fps  byte 8 (0x8)  0 frames per second; played at 24
  warning PCHR-W123 weight-sum, 12 times
    meshes[0].vertices[0].boneWeights  byte 148 (0x94)  weights sum to 0.5, not 1; they are not renormalised
    meshes[0].vertices[1].boneWeights  byte 188 (0xbc)  weights sum to 0.5, not 1; they are not renormalised
    meshes[0].vertices[2].boneWeights  byte 228 (0xe4)  weights sum to 0.5, not 1; they are not renormalised
    (and 9 more)
";
    assert_eq!(text(&output), wanted);
}

#[test]
fn warnings_fail_if_that_is_asked_for_and_stay_warnings() {
    let desk = desk();
    let output = validate(&desk, &["--strict", "--json", "odd.pchr", "puppet.pchr"]);
    ended(&output, 4, "error: 1 of 2 files has warnings\n");
    assert_eq!(report(&output)[0]["verdict"], "warnings");
    ended(&validate(&desk, &["--strict", "puppet.pchr"]), 0, "");
}

#[test]
fn errors_come_first_and_fail() {
    let output = validate(&desk(), &["broken.pchr"]);
    ended(&output, 4, "error: broken.pchr is invalid\n");
    let lines: Vec<&str> = text(&output).lines().collect();
    assert_eq!(lines[0], "broken.pchr: 2 errors, 1 warning");
    assert_eq!(lines[1], "  error PCHR-E012 bone-parent-order");
    assert_eq!(lines[3], "  error PCHR-E022 mesh-index-range");
    assert_eq!(lines[5], "  warning PCHR-W101 header-flags");
    assert_eq!(lines.len(), 7);
}

#[test]
fn many_files_stay_in_order_and_end_in_a_summary() {
    let desk = desk();
    let mut files = Vec::new();
    for i in 0..20 {
        let name = format!("{i:02}.pchr");
        desk.put(&name, &if i % 3 == 0 { broken() } else { puppet() });
        files.push(name);
    }
    files.reverse();
    let args: Vec<&str> = files
        .iter()
        .map(String::as_str)
        .chain(["odd.pchr"])
        .collect();
    let output = validate(&desk, &args);
    ended(&output, 4, "error: 7 of 21 files are invalid\n");
    let heads: Vec<&str> = text(&output)
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    let names: Vec<&str> = heads
        .iter()
        .map(|line| line.split(':').next().unwrap())
        .collect();
    assert_eq!(names[..21], args);
    assert_eq!(heads[21], "21 files: 13 valid, 1 with warnings, 7 invalid");
}

#[test]
fn quiet_lists_only_what_fails_and_verbose_all_places_with_advice() {
    let desk = desk();
    let files = ["odd.pchr", "broken.pchr", "puppet.pchr"];
    let with = |args: &[&str]| validate(&desk, &[args, &files].concat());
    let quiet = with(&["-q"]);
    assert!(
        text(&quiet).starts_with("broken.pchr: 2 errors"),
        "{}",
        text(&quiet)
    );
    assert_eq!(text(&quiet).lines().count(), 7);
    let strict = with(&["-q", "--strict"]);
    assert!(
        text(&strict).starts_with("odd.pchr: 13 warnings\n") && !text(&strict).contains("puppet")
    );
    let full = with(&["-v"]);
    let places = text(&full).matches("weights sum to 0.5").count();
    assert_eq!(places, 12);
    assert!(text(&full).contains("\n    help: Write parents before their children, "));
}

#[test]
fn rules_are_ignored_or_picked_by_id_or_name() {
    let desk = desk();
    for args in [
        &[
            "--ignore",
            "bone-parent-order,PCHR-E022",
            "--ignore",
            "PCHR-W101",
        ][..],
        &[
            "--ignore",
            "Bone-Parent-Order",
            "--ignore",
            "e022,header-flags",
        ],
        &["--only", "PCHR-W102,uv-range"],
        &["--only", "header-flags", "--ignore", "PCHR-W101"],
    ] {
        let output = validate(&desk, &[args, &["--strict", "broken.pchr"]].concat());
        ended(&output, 0, "");
        let wanted = "broken.pchr: valid (3 ignored; not fully checked: an ignored error prevents loading)\n";
        assert_eq!(text(&output), wanted, "{args:?}");
    }
    let output = validate(&desk, &["--only", "mesh-index-range", "broken.pchr"]);
    ended(&output, 4, "error: broken.pchr is invalid\n");
    assert!(
        text(&output).starts_with("broken.pchr: 1 error (2 ignored; "),
        "{}",
        text(&output)
    );
    assert!(
        !report(&validate(
            &desk,
            &["--json", "--ignore", "E012,E022", "broken.pchr"]
        ))[0]["loads"]
            .as_bool()
            .unwrap()
    );
    let output = validate(&desk, &["--ignore", "weight-sum", "odd.pchr"]);
    assert!(
        text(&output).starts_with("odd.pchr: 1 warning (12 ignored)\n"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_rule_that_is_unknown_is_answered_with_those_that_are_near() {
    let desk = desk();
    for (typed, near) in [
        (
            "weight",
            &["weight-none", "weight-negative", "weight-sum"][..],
        ),
        ("E02", &["E020", "E021"]),
        ("PCHR-E019", &["PCHR-E01"]),
        ("bone_parent", &["bone-parent-order"]),
        ("mgaic", &["magic"]),
    ] {
        for option in ["--ignore", "--only"] {
            let output = validate(&desk, &[option, typed, "puppet.pchr"]);
            assert_eq!(output.status.code(), Some(2), "{typed}");
            assert_eq!(text(&output), "");
            let said = said(&output);
            assert!(
                said.contains(&format!("invalid value '{typed}' for '{option} <ID>'")),
                "{said}"
            );
            assert!(
                near.iter().all(|near| said.contains(near)),
                "{typed}: {said}"
            );
            assert!(said.lines().count() < 10, "{said}");
        }
    }
}

#[test]
fn a_rule_that_is_like_no_other_is_answered_with_where_they_are() {
    for option in ["--ignore", "--only"] {
        let output = validate(&desk(), &[option, "nosuch", "puppet.pchr"]);
        assert_eq!(output.status.code(), Some(2));
        let said = said(&output);
        assert!(said.contains("invalid value 'nosuch'"), "{said}");
        assert!(
            said.contains("tip: docs/RULES.md lists the rules"),
            "{said}"
        );
    }
}

#[test]
fn one_of_a_kind_is_told_of_in_the_singular() {
    let desk = desk();
    let mut one = Builder::new().bone("root", None).image(1, &[[0; 4]]);
    one.parts.meshes = puppet().parts.meshes;
    one.parts.meshes.truncate(1);
    let mesh = &mut one.parts.meshes[0];
    mesh.image = 1;
    mesh.vertices.truncate(1);
    mesh.vertices[0].bone_ids[0] = 1;
    mesh.indices = vec![2];
    desk.put("one.pchr", &one);
    let output = validate(&desk, &["one.pchr"]);
    for wanted in [
        "image 1, but there is 1 image\n",
        "1 index, not a multiple of 3\n",
        "vertex 2, but the mesh has 1 vertex\n",
        "bone 1 with weight 1, but there is 1 bone\n",
    ] {
        assert!(text(&output).contains(wanted), "{}", text(&output));
    }
    one.parts.bones[0].parent = Some(1);
    desk.put("one.pchr", &one);
    let output = validate(&desk, &["one.pchr"]);
    let wanted = "bone 0 has parent 1, but the skeleton has 1 bone\n";
    assert!(text(&output).contains(wanted), "{}", text(&output));
}

#[test]
fn a_bound_on_findings_bounds_what_is_listed_and_nothing_else() {
    let desk = desk();
    let output = validate(&desk, &["--max-findings", "1", "broken.pchr"]);
    ended(&output, 4, "error: broken.pchr is invalid\n");
    let lines: Vec<&str> = text(&output).lines().collect();
    assert_eq!(lines[0], "broken.pchr: 2 errors, 1 warning");
    assert_eq!(lines[3..], ["  (and 2 more broken rules)"]);
    let output = validate(&desk, &["--max-findings", "0", "--json", "broken.pchr"]);
    let file = &report(&output)[0];
    assert_eq!(
        (&file["verdict"], &file["errors"], &file["warnings"]),
        (&"invalid".into(), &2.into(), &1.into())
    );
    assert_eq!(
        (&file["findings"], &file["unlisted"]),
        (&Value::Array(vec![]), &3.into())
    );
}

#[test]
fn what_cannot_be_read_is_named_and_the_others_are_judged() {
    let desk = desk();
    std::fs::create_dir(desk.path("empty")).unwrap();
    let args = ["absent.pchr", "broken.pchr", "empty", "puppet.pchr"];
    let output = validate(&desk, &args);
    assert_eq!(output.status.code(), Some(1));
    let said: Vec<&str> = said(&output).lines().collect();
    assert!(
        said[0].starts_with("error: cannot read absent.pchr: "),
        "{said:?}"
    );
    assert_eq!(
        said[1],
        "error: cannot read empty: no .pchr, .pct, .seanim, .seanim.json, .anm.pxd, .skl.pxd, .glb or .gltf file in this folder, and no .json file with a character; to check other JSON, name the file"
    );
    assert_eq!(
        said[2..],
        ["error: 2 of 4 files could not be read, 1 is invalid"]
    );
    assert!(text(&output).starts_with("broken.pchr: 2 errors, 1 warning\n"));
    assert!(
        text(&output).ends_with("\npuppet.pchr: valid\n4 files: 1 valid, 1 invalid, 2 not read\n")
    );
    let output = validate(&desk, &["--json", "absent.pchr"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(crate::desk::said(&output).starts_with("error: cannot read absent.pchr: "));
    assert_eq!(crate::desk::said(&output).lines().count(), 1);
    let report = report(&output);
    assert_eq!(report[0]["file"], "absent.pchr");
    assert_eq!(report[0]["verdict"], "unreadable");
    let message = report[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("cannot read absent.pchr: "),
        "{message}"
    );
    let schema = crate::schema::validator("validate");
    let report = Value::Array(report);
    assert_eq!(crate::schema::objections(&schema, &report), [""; 0]);
}

#[test]
fn patterns_that_no_shell_has_expanded_are() {
    let desk = desk();
    for name in [
        "art/a.pchr",
        "art/b.pchr",
        "art/deep/c.pchr",
        "art/.d.pchr",
        "art/[x].pchr",
    ] {
        std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
        desk.put(name, &puppet());
    }
    let found = |pattern: &str| {
        let output = validate(&desk, &["--json", pattern]);
        succeeded(&output);
        let report = report(&output);
        let name = |file: &Value| file["file"].as_str().unwrap().to_owned();
        report.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        found("art/*.pchr"),
        ["art/[x].pchr", "art/a.pchr", "art/b.pchr"]
    );
    assert_eq!(found("art/?.pchr"), ["art/a.pchr", "art/b.pchr"]);
    assert_eq!(found("*/*/*.pchr"), ["art/deep/c.pchr"]);
    assert_eq!(
        found("art/**/[a-c].pchr"),
        ["art/a.pchr", "art/b.pchr", "art/deep/c.pchr"]
    );
    assert_eq!(found("art/.*.pchr"), ["art/.d.pchr"]);
    assert_eq!(found("p*.pchr"), ["puppet.pchr"]);
    assert_eq!(
        found("art/[x].pchr"),
        ["art/[x].pchr"],
        "a file may be called like a pattern"
    );
    let all = desk.path("art/*.pchr");
    assert_eq!(found(all.to_str().unwrap()).len(), 3);
    for (nothing, why) in [
        ("*.bin", "error: cannot read *.bin: no file matches"),
        ("nowhere/*.pchr", "error: cannot read nowhere/*.pchr: "),
    ] {
        let output = validate(&desk, &[nothing]);
        assert_eq!(output.status.code(), Some(1), "{nothing}");
        assert!(said(&output).starts_with(why), "{}", said(&output));
    }
    assert_eq!(validate(&desk, &["["]).status.code(), Some(2));
}

#[test]
fn a_folder_stands_for_the_files_in_it() {
    let desk = desk();
    std::fs::create_dir_all(desk.path("art/deep")).unwrap();
    let json = desk.run_pchr(&["convert", "puppet.pchr", "-o", "art/deep/hero.json"]);
    succeeded(&json);
    desk.put_bytes(
        "art/package.json",
        br#"{"name": "art", "version": "1.0.0"}"#,
    );
    for name in [
        "art/b.pchr",
        "art/deep/a.PCHR",
        "art/notes.json",
        "art/c.pchr.bak",
    ] {
        desk.put(name, &puppet());
    }
    let output = validate(&desk, &["odd.pchr", "art"]);
    ended(&output, 0, "");
    let heads = text(&output).lines().filter(|line| !line.starts_with(' '));
    let heads: Vec<String> = heads.map(|line| line.replace('\\', "/")).collect();
    assert_eq!(
        heads[1..],
        [
            "art/b.pchr: valid",
            "art/deep/a.PCHR: valid",
            "art/deep/hero.json: valid",
            "4 files: 3 valid, 1 with warnings"
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_followed_and_those_that_cannot_be_are_named() {
    use std::os::unix::fs::symlink;

    let desk = Desk::new();
    for name in ["art/deep/a.pchr", "elsewhere/b.pchr"] {
        std::fs::create_dir_all(desk.path(name).parent().unwrap()).unwrap();
        desk.put(name, &puppet());
    }
    symlink("../elsewhere", desk.path("art/linked")).unwrap();
    symlink("..", desk.path("art/deep/up")).unwrap();
    symlink("/nope", desk.path("art/.#lock")).unwrap();
    let note = "note: skipped art/deep/up: is a link to a folder that contains it\n";
    for given in ["art", "art/**/*.pchr", "art/*/*.pchr"] {
        let output = validate(&desk, &[given]);
        ended(&output, 0, note);
        assert_eq!(
            text(&output),
            "art/deep/a.pchr: valid\nart/linked/b.pchr: valid\n2 files: 2 valid\n",
            "{given}"
        );
    }
    symlink("far", desk.path("art/far")).unwrap(); // a link to itself
    symlink("/nope", desk.path("art/deep/notes.txt")).unwrap();
    for (given, broken) in [
        ("art", &["deep/notes.txt", "far"][..]),
        ("art/**/*.pchr", &["deep/notes.txt", "far"]),
        ("art/*/*.pchr", &["far"]),
    ] {
        let output = validate(&desk, &[given]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let errors = broken
            .iter()
            .map(|name| format!("error: cannot read art/{name}: is a broken link\n"));
        let errors = errors.collect::<String>();
        assert!(
            said.starts_with(&format!("{note}{errors}")),
            "{given}: {said}"
        );
    }
}

#[test]
fn the_standard_input_is_a_file_once() {
    let desk = desk();
    let run = |args: &[&str]| {
        let mut command = desk.pchr();
        command.args(["validate"]).args(args);
        command.stdin(std::fs::File::open(desk.path("broken.pchr")).unwrap());
        command.output().unwrap()
    };
    let output = run(&["-", "puppet.pchr"]);
    ended(&output, 4, "error: 1 of 2 files is invalid\n");
    assert!(text(&output).starts_with("stdin: 2 errors, 1 warning\n"));
    assert_eq!(run(&["-", "-"]).status.code(), Some(2));
}

#[test]
fn two_results_cannot_share_stdout() {
    let desk = desk();
    for args in [
        &["--json", "--sarif"][..],
        &["--json", "--junit", "-"],
        &["--sarif", "--junit", "-"],
        &[][..],
    ] {
        let files: &[&str] = if args.is_empty() {
            &[]
        } else {
            &["puppet.pchr"]
        };
        let output = validate(&desk, &[args, files].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output), "", "{args:?}");
    }
}

#[test]
fn colours_are_for_terminals_and_those_who_want_them() {
    let desk = desk();
    let escapes = |variables: &[(&str, &str)]| {
        let mut command = desk.pchr();
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let output = command
            .args(["validate", "odd.pchr"])
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        succeeded(&output);
        text(&output).matches('\u{1b}').count()
    };
    assert_eq!(escapes(&[]), 0);
    assert!(escapes(&[("CLICOLOR_FORCE", "1")]) > 0);
    assert_eq!(escapes(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), 0);
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let desk = desk();
    let files = ["odd.pchr", "broken.pchr", "puppet.pchr"];
    for format in [&["--json"][..], &["--sarif"], &["--junit", "-"], &["-v"]] {
        let run = || {
            let mut command = desk.pchr();
            command.arg("validate").args(format).args(files);
            command.env("SOURCE_DATE_EPOCH", "0"); // the time in JUnit reports
            command.output().unwrap().stdout
        };
        assert_eq!(run(), run(), "{format:?}");
    }
}
