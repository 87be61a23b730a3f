//! Tests of `--sarif`: the log follows the schema of SARIF 2.1.0.

use pchr::finding::Rule;
use serde_json::{Value, json};

use super::{broken, desk, validate};
use crate::desk::Desk;
use crate::fixture::puppet;

/// Schema of the SARIF 2.1.0 objects that are written; nothing else is allowed in them.
fn schema() -> Value {
    serde_json::from_str(include_str!("sarif.schema.json")).unwrap()
}

/// The only run of a log, checked against the schema.
fn run(desk: &Desk, args: &[&str]) -> Value {
    let output = validate(desk, &[&["--sarif"], args].concat());
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema())
        .unwrap();
    let errors: Vec<String> = schema
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
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
fn the_schema_is_one_that_refuses() {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    assert!(!schema.is_valid(&json!({"version": "2.1.0", "runs": [{"results": []}]})));
}

#[test]
fn it_brings_all_rules_and_points_at_bytes() {
    let desk = desk();
    desk.put("my art#1.pchr", &broken());
    let run = run(&desk, &["puppet.pchr", "my art#1.pchr", "odd.pchr"]);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let all: Vec<Rule> = pchr_foreign::format::rules().collect();
    assert_eq!(rules.len(), all.len());
    for (rule, described) in all.iter().zip(rules) {
        assert_eq!(described["id"], rule.id());
        assert_eq!(described["shortDescription"]["text"], rule.about());
        assert!(
            described["help"]["text"]
                .as_str()
                .unwrap()
                .contains(rule.advice())
        );
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(result["ruleId"], all[index].id());
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let index = usize::try_from(file["index"].as_u64().unwrap()).unwrap();
        assert_eq!(run["artifacts"][index]["location"]["uri"], file["uri"]);
    }
    let parent = &results[0];
    assert_eq!(
        (&parent["ruleId"], &parent["level"]),
        (&"PCHR-E012".into(), &"error".into())
    );
    let location = &parent["locations"][0];
    assert_eq!(
        location["physicalLocation"]["artifactLocation"]["uri"],
        "my%20art%231.pchr"
    );
    assert_eq!(
        location["logicalLocations"][0]["fullyQualifiedName"],
        "bones[1].parent"
    );
    let name = puppet()
        .bytes()
        .windows(3)
        .position(|bytes| bytes == b"red")
        .unwrap();
    assert_eq!(
        location["physicalLocation"]["region"],
        json!({"byteOffset": name + 3})
    );
    let weights = &results[4];
    assert_eq!(
        (&weights["ruleId"], &weights["occurrenceCount"]),
        (&"PCHR-W123".into(), &12.into())
    );
    assert_eq!(
        weights["relatedLocations"].as_array().map(Vec::len),
        Some(11)
    );
    assert_eq!(run["artifacts"][0]["properties"]["verdict"], "valid");
}

#[test]
fn columns_of_a_text_count_characters() {
    let desk = desk();
    let text = r#"{
        "größe 🦀": 1, "version": 1, "fps": 0, "images": [], "meshes": [], "animations": [],
        "bones": [{"name": "root", "parentIdx": -1}]}"#;
    desk.put_bytes("größe.json", text.as_bytes());
    let run = run(&desk, &["größe.json"]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().unwrap();
    let found = results.iter().find(|found| found["ruleId"] == "PCHR-W102");
    let region = &found.unwrap()["locations"][0]["physicalLocation"]["region"];
    let byte = text.find("0,").unwrap();
    let line = text.lines().nth(1).unwrap();
    let before = line.chars().take_while(|c| *c != '0').count();
    assert_eq!(
        *region,
        json!({"byteOffset": byte, "startLine": 2, "startColumn": before + 1})
    );

    // The region of a text that can be read only once is the same.
    let output = desk.run_pchr_with(&["validate", "--sarif", "-"], text.as_bytes());
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let found = results.iter().find(|found| found["ruleId"] == "PCHR-W102");
    let of_stdin = &found.unwrap()["locations"][0]["physicalLocation"]["region"];
    assert_eq!(of_stdin, region);
}

#[test]
fn it_lists_the_filters_and_unreadable_files() {
    let desk = desk();
    let args = [
        "--ignore",
        "weight-sum",
        "--strict",
        "odd.pchr",
        "absent.pchr",
    ];
    let run = run(&desk, &args);
    let invocation = &run["invocations"][0];
    assert_eq!(
        (&invocation["executionSuccessful"], &invocation["exitCode"]),
        (&false.into(), &1.into())
    );
    let off = &invocation["ruleConfigurationOverrides"];
    assert_eq!(off.as_array().map(Vec::len), Some(1));
    assert_eq!(off[0]["descriptor"]["id"], "PCHR-W123");
    assert_eq!(off[0]["configuration"]["enabled"], false);
    let notice = &invocation["toolExecutionNotifications"][0];
    assert!(
        notice["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with("cannot read absent.pchr: ")
    );
    assert_eq!(
        notice["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "absent.pchr"
    );
    assert_eq!(run["properties"]["filters"]["ignore"], json!(["PCHR-W123"]));
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn it_is_whole_without_findings() {
    let run = run(&desk(), &["puppet.pchr"]);
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}
