//! The output of `--json` matches its schema.

use clap::Parser as _;
use serde_json::Value;

use pchr::document::{AnimationParts, DocumentParts};
use pchr::format;

use super::{ValidateArgs, ValidateRun, json, sarif};
use crate::run::messages::Messages;
use crate::run::output;

const MESSAGES: Messages = Messages { quiet: true, verbose: false };

#[derive(clap::Parser)]
struct Program {
    #[command(flatten)]
    args: ValidateArgs,
}

/// Returns the output of `--json` with these arguments for a file with warnings, one with damaged text, and a valid one.
fn printed(args: &[&str]) -> Value {
    let desk = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = desk.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.into_os_string()
    };
    let odd = DocumentParts {
        animations: vec![AnimationParts::default(); 3],
        ..DocumentParts::default()
    };
    let files = [
        put("odd.pchr", &format::pchr::write(&odd).unwrap()),
        put("text.json", b"{\n  \"version\": 1,\n  \"fps\": }\n"),
        put("sample.pchr", include_bytes!("../../../../../../assets/sample.pchr")),
    ];
    let args = args.iter().map(|arg| (*arg).into());
    let args = ["validate".into()].into_iter().chain(files).chain(args);
    let args = Program::parse_from(args).args;
    let report = ValidateRun::new(&args, &MESSAGES, &crate::cli::Disk::default()).unwrap();
    serde_json::from_slice(&json::render(&report).unwrap()).unwrap()
}

/// The schema, changed to refuse unknown properties.
fn strict() -> Value {
    let mut schema = serde_json::to_value(output::schema::<Vec<json::FileReport<'_>>>()).unwrap();
    for definition in schema["$defs"].as_object_mut().unwrap().values_mut() {
        if definition["type"] == "object" {
            definition["unevaluatedProperties"] = false.into();
        }
    }
    schema
}

#[test]
fn what_is_printed_is_what_the_schema_says() {
    let validator = jsonschema::validator_for(&strict()).unwrap();
    let errors = |printed: &Value| -> Vec<String> {
        let errors = validator.iter_errors(printed);
        errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
    };
    let all = printed(&[]);
    assert_eq!(errors(&all), [""; 0], "{all:#}");
    let verdicts: Vec<&Value> =
        all.as_array().unwrap().iter().map(|file| &file["verdict"]).collect();
    assert_eq!(verdicts, ["warnings", "invalid", "valid"]);
    assert_eq!(all[1]["findings"][0]["line"], 3);
    let options = "--max-findings 1 --ignore fps-zero --only W102,animation-empty --strict";
    let bounded = printed(&options.split(' ').collect::<Vec<_>>());
    assert_eq!(errors(&bounded), [""; 0], "{bounded:#}");

    // The schema does not accept just anything.
    for (path, value) in [
        ("/0/verdict", "fine".into()),
        ("/0/findings/0/offset", Value::Null),
        ("/0/findings/0/places/0/line", 0.5.into()),
        ("/0/findings/0/advice", "none".into()),
    ] {
        let mut wrong = all.clone();
        let (parent, key) = path.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[key] = value;
        assert_eq!(errors(&wrong).len(), 1, "{path}: {:?}", errors(&wrong));
    }
}

#[test]
fn columns_are_those_of_the_text_that_was_checked() {
    let desk = tempfile::tempdir().unwrap();
    let path = desk.path().join("a.json");
    let text = "{\n \"bones\": [{\"name\": \"größe\", \"parent\": \"\"}] }";
    std::fs::write(&path, text).unwrap();
    let args = Program::parse_from(["validate".as_ref(), path.as_os_str()]).args;
    let report = ValidateRun::new(&args, &MESSAGES, &crate::cli::Disk::default()).unwrap();
    std::fs::write(&path, "ü".repeat(100)).unwrap();
    let log: Value = serde_json::from_slice(&sarif::render(&report).unwrap()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let fps = results.iter().find(|result| result["ruleId"] == "PCHR-E051");
    let region = &fps.unwrap()["locations"][0]["physicalLocation"]["region"];
    let line = text.lines().nth(1).unwrap();
    let before = line[..line.find("\"\"").unwrap()].chars().count();
    assert_eq!((&region["startLine"], &region["startColumn"]), (&2.into(), &(before + 1).into()));
}
