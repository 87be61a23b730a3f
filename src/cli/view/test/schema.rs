//! The schema of suites: the options are those that captures have.

use clap::ArgAction;
use schemars::Schema;
use serde_json::{Map, Value, json};

use super::options;

/// The schema of `suite.toml`, as of the JSON with the same content.
pub(in crate::cli) fn suite() -> Schema {
    let limits = json!({
        "tolerance": {
            "description": "How much a channel may differ, for pictures of adapters.",
            "type": "integer", "minimum": 0, "maximum": 255,
        },
        "max_outliers": {
            "description": "How many pixels may differ by more: a number, or a share like \"0.1%\".",
            "type": ["integer", "string"],
        },
    });
    let limits = limits.as_object().cloned().unwrap_or_default();
    let mut common = limits.clone();
    for (name, action, help) in options::described() {
        let mut schema = match action {
            ArgAction::SetTrue => json!({"type": "boolean"}),
            ArgAction::Append => json!({"type": ["string", "array"], "items": {"type": "string"}}),
            _ => json!({"type": ["string", "number"]}),
        };
        if name == "renderer" {
            schema = json!({"enum": ["cpu", "gpu"]});
        }
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), help.into());
        }
        common.insert(name, schema);
    }
    let mut case = common.clone();
    for of_the_suite in ["adapter", "backend"] {
        case.remove(of_the_suite);
    }
    case.insert(
        "name".to_owned(),
        json!({"type": "string", "description": "Folder of its baselines, below baselines/."}),
    );
    case.insert(
        "file".to_owned(),
        json!({"type": "string", "description": "The file; a pattern makes a case of each file. $NAME is read from the environment."}),
    );
    let table = |properties: Map<String, Value>| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let mut case = table(case);
    if let Some(case) = case.as_object_mut() {
        case.insert("required".to_owned(), json!(["file"]));
    }
    schemars::json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "A suite of captures that are held against baselines: what pchr-view test reads.",
        "type": "object",
        "properties": {
            "defaults": table(common),
            "case": {"type": "array", "items": case, "minItems": 1},
            "adapter": {
                "description": "Limits for baselines of another class of adapter, by a part of the adapter's name.",
                "type": "object",
                "additionalProperties": table(limits),
            },
        },
        "required": ["case"],
        "additionalProperties": false,
    })
}
