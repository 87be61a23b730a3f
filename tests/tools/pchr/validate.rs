//! Tests of `pchr validate`: hostile files and names, and `--sarif`, whose log follows the schema of the SARIF 2.1.0 objects that are
//! written, which allows nothing else in them.

#[path = "validate/rules.rs"]
mod rules;

use std::process::Output;

use pchr::document::ImageFormat;
use pchr::finding::Rule;
use pchr::image::{Effort, Pixels, encode_png};
use serde_json::{Value, json};

use crate::desk::{Desk, said};
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
    let vertices = odd.parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices);
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

fn report(output: &Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

/// PNG of one pixel whose header declares a larger square.
fn announcing(side: u32) -> Vec<u8> {
    let mut png = Vec::new();
    encode_png(&Pixels::transparent(), Effort::Least, &mut png).unwrap();
    png[16..20].copy_from_slice(&side.to_be_bytes());
    png[20..24].copy_from_slice(&side.to_be_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&png[12..29]);
    png[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    png
}

#[test]
fn files_that_share_their_memory_are_judged_as_if_alone() {
    let desk = desk();
    let names: Vec<String> = (0..12).map(|i| format!("large{i}.pchr")).collect();
    for (i, name) in names.iter().enumerate() {
        let mut large = puppet();
        // The images need two thirds of the memory for images, or slightly more than all of it.
        let side: u16 = if i % 3 == 2 { 16_385 } else { 13_377 };
        let image = &mut large.parts.images[0];
        (image.width, image.height) = (side, side);
        image.format = ImageFormat::Png;
        image.data = announcing(side.into());
        desk.put(name, &large);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let alone: Vec<Value> =
        names.iter().flat_map(|name| report(&validate(&desk, &["--json", name]))).collect();
    let found = |file: &Value| file["findings"][0]["name"].clone();
    assert_eq!(found(&alone[0]), "image-decode");
    assert_eq!(found(&alone[2]), "limit");
    for _ in 0..4 {
        let together = validate(&desk, &[&["--json"], &names[..]].concat());
        assert_eq!(report(&together), alone);
    }
}

#[cfg(unix)] // other systems refuse such names
#[test]
fn whatever_is_in_a_name_and_however_it_ends_the_schemas_are_kept() {
    let desk = desk();
    let files = ["puppet.pchr", "odd.pchr", "broken.pchr", "absent \u{1}\u{fffe}.pchr"];
    for args in [&[][..], &["--strict"], &["--max-findings", "0"], &["--only", "W102"]] {
        let output = validate(&desk, &[&["--junit", "-"], args, &files].concat());
        let report = crate::junit::parse(&output.stdout);
        let tests = &report.test_suites[0].test_cases;
        assert_eq!(tests[3].name.as_str(), "absent \\u{1}\\u{fffe}.pchr");
        let times = tests.iter().map(|test| test.time.unwrap());
        assert!(times.sum::<std::time::Duration>() <= report.test_suites[0].time.unwrap());
    }
}

/// The only run of a log, checked against the schema.
fn run(desk: &Desk, args: &[&str]) -> Value {
    let output = validate(desk, &[&["--sarif"], args].concat());
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("validate/sarif.schema.json")).unwrap();
    let schema = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    assert!(!schema.is_valid(&json!({"version": "2.1.0", "runs": [{"results": []}]})));
    let errors = schema.iter_errors(&log);
    let errors: Vec<_> = errors.map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        log["runs"][0]["invocations"][0]["exitCode"].as_i64(),
        output.status.code().map(i64::from)
    );
    log["runs"][0].clone()
}

#[test]
fn logs_keep_the_schema_and_refer_to_the_rules_and_files_that_they_list() {
    let desk = desk();
    desk.put("my art#1.pchr", &broken());
    let all: Vec<Rule> = pchr_foreign::format::rules().collect();
    for (files, count) in [
        (&["puppet.pchr"][..], 0),
        (&["puppet.pchr", "my art#1.pchr", "odd.pchr"], 5),
        (&["--ignore=weight-sum", "--strict", "odd.pchr", "absent \u{1}.pchr"], 1),
    ] {
        let run = run(&desk, files);
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert_eq!(rules.len(), all.len());
        for (rule, described) in all.iter().zip(rules) {
            assert_eq!(described["id"], rule.id());
            assert_eq!(described["shortDescription"]["text"], rule.about());
            let help = described["help"]["text"].as_str().unwrap();
            assert!(help.contains(rule.advice()));
        }
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), count);
        for result in results {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], all[index].id());
            let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            let index = file["index"].as_u64().unwrap() as usize;
            assert_eq!(run["artifacts"][index]["location"]["uri"], file["uri"]);
        }
    }
}
