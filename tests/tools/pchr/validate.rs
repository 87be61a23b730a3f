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

pub(crate) fn odd() -> Builder {
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

pub(crate) fn broken() -> Builder {
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
fn warnings_fail_if_that_is_asked_for_and_stay_warnings() {
    let desk = desk();
    let output = validate(&desk, &["--strict", "--json", "odd.pchr", "puppet.pchr"]);
    ended(&output, 4, "error: 1 of 2 files has warnings\n");
    assert_eq!(report(&output)[0]["verdict"], "warnings");
    ended(&validate(&desk, &["--strict", "puppet.pchr"]), 0, "");
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
    let schema = crate::pchr::schema::validator("validate");
    let report = Value::Array(report);
    assert_eq!(crate::pchr::schema::objections(&schema, &report), [""; 0]);
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
