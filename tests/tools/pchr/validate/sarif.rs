//! Tests of `--sarif`: the log follows the schema of SARIF 2.1.0.

use pchr::finding::Rule;
use serde_json::{Value, json};

use super::{broken, desk, validate};
use crate::desk::Desk;

/// Schema of the SARIF 2.1.0 objects that are written; nothing else is allowed in them.
fn schema() -> Value {
    serde_json::from_str(include_str!("sarif.schema.json")).unwrap()
}

/// The only run of a log, checked against the schema.
fn run(desk: &Desk, args: &[&str]) -> Value {
    let output = validate(desk, &[&["--sarif"], args].concat());
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = jsonschema::options().should_validate_formats(true).build(&schema()).unwrap();
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
