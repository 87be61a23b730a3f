//! Schema of suites. Their options are those of captures.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::options;

/// Returns the schema of `suite.toml`, as of the JSON with the same content.
pub(crate) fn suite() -> Schema {
    let limits = json!({
        "tolerance": {
            "description": "Largest allowed difference of a channel, for pictures of adapters.",
            "type": "integer", "minimum": 0, "maximum": 255,
        },
        "max_outliers": {
            "description": "How many pixels may differ by more than the tolerance: a number, or a percentage like \"0.1%\".",
            "type": ["integer", "string"],
        },
    });
    let mut limits = limits.as_object().cloned().unwrap_or_default();
    spell_both_ways(&mut limits);
    let mut common = limits.clone();
    common.insert(
        "exact".to_owned(),
        json!({"type": "boolean", "description": "True if pictures must be equal, ignoring tolerances [default: true for the CPU renderer]."}),
    );
    common.insert(
        "ignore".to_owned(),
        json!({
            "description": "Rectangles that are not compared: X,Y,WxH in pixels from the left and the top.",
            "type": ["string", "array"], "items": {"type": "string"},
        }),
    );
    common.insert(
        "mask".to_owned(),
        json!({
            "description": "A PNG file of the pictures' size: pixels that are neither black nor transparent in it are not compared.",
            "type": "string",
        }),
    );
    for (name, form, help) in options::described() {
        let mut schema = Value::Object(form.schema());
        if name == "renderer" {
            schema = json!({"enum": ["cpu", "gpu"]});
        }
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), help.into());
        }
        common.insert(name.to_owned(), schema);
    }
    spell_both_ways(&mut common);
    let mut case = common.clone();
    for of_the_suite in ["adapter", "backend"] {
        case.remove(of_the_suite);
    }
    case.insert(
        "name".to_owned(),
        json!({"type": "string", "description": "Name of the case, and the folder of its baselines in baselines/."}),
    );
    case.insert(
        "file".to_owned(),
        json!({"type": "string", "description": "The file, or a pattern that makes one case per file. $NAME is read from the environment."}),
    );
    case.insert(
        "session".to_owned(),
        json!({"type": "string", "description": "A view that was saved in the window: its file and its options. Other keys override them."}),
    );
    let table = |properties: Map<String, Value>| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let mut case = table(case);
    if let Some(case) = case.as_object_mut() {
        let either = json!([{"required": ["file"]}, {"required": ["session"]}]);
        case.insert("anyOf".to_owned(), either);
    }
    common.insert(
        "baselines".to_owned(),
        json!({"type": "string", "minLength": 1, "description": "Folder of the baselines, relative to the suite [default: baselines]. Suites may share one."}),
    );
    let mut defaults = table(common);
    if let Some(defaults) = defaults.as_object_mut() {
        let text = "Defaults for every case: options of captures, by their long names.";
        defaults.insert("description".to_owned(), text.into());
    }
    schemars::json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "A suite of captures to compare with baselines: the input of pchr-view test.",
        "type": "object",
        "properties": {
            "defaults": defaults,
            "case": {
                "description": "The cases: frames of one file, or of each file that a pattern matches.",
                "type": "array", "items": case, "minItems": 1,
            },
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

/// Adds the other spelling of each key: in a suite, `_` and `-` are the same.
fn spell_both_ways(properties: &mut Map<String, Value>) {
    let other = |name: &String| match name.contains('_') {
        true => name.replace('_', "-"),
        false => name.replace('-', "_"),
    };
    let others: Vec<_> = properties
        .iter()
        .map(|(name, schema)| (other(name), schema.clone()))
        .collect();
    properties.extend(others);
}
