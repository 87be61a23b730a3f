//! The output matches the schema.

use serde_json::Value;

use pchr::character::Character;
use pchr::document::{BoneTransform, DocumentParts, Vertex};
use pchr::pose::BindChoice;

use super::extent::Extent;
use super::gather::Gather;
use super::pixels;
use super::report::schema;
use crate::cli::pchr::findings::Fold;
use crate::fixture::{Builder, at, read, vertex};

/// Returns the output of `--json --images` for a document.
fn report(parts: &DocumentParts) -> Value {
    let character = Character::new(read(parts), BindChoice::Auto);
    let document = character.document();
    let mut findings = document.warnings().clone();
    character.bind().report(document, &mut findings);
    let decoded = pixels::decode(document, &mut findings);
    let folds = Fold::all(&findings);
    let extent = Extent::new(&character);
    let report = Gather {
        file: "hero.pchr",
        character: &character,
        folds: &folds,
        extent: &extent,
        decoded: &decoded,
    }
    .run();
    serde_json::to_value(report).unwrap()
}

/// One of everything: an image that decodes and one that does not, a mesh with an owner and one without, a bone that
/// cannot be inverted.
fn hero() -> DocumentParts {
    let flat = BoneTransform {
        scale_x: 0.0,
        ..BoneTransform::default()
    };
    let free = Vertex {
        bone_weights: [0.0; 4],
        ..vertex(0, [0.0; 2])
    };
    Builder::new()
        .fps(0)
        .image(1, &[[1, 2, 3, 4]])
        .png("broken", vec![0])
        .bone("root", None)
        .bone("flat", Some(0))
        .mesh("owned", 0, [vertex(0, [0.0; 2])], [0, 0, 0])
        .mesh("free", 0, [free], [0, 0, 0])
        .animation("walk", true, &[[at(0.0, 0.0), flat]])
        .still("", false, 0)
        .parts
}

/// The schema, changed to refuse unknown properties.
fn strict() -> Value {
    fn close(value: &mut Value) {
        if let Value::Object(object) = value {
            if object.contains_key("properties") {
                object.insert("additionalProperties".into(), false.into());
            }
            object.values_mut().for_each(close);
        }
        if let Value::Array(array) = value {
            array.iter_mut().for_each(close);
        }
    }
    let mut schema = serde_json::to_value(schema()).unwrap();
    close(&mut schema);
    schema
}

#[test]
fn what_is_written_is_what_the_schema_says() {
    let validator = jsonschema::validator_for(&strict()).unwrap();
    let errors = |report: &Value| -> Vec<String> {
        let errors = validator.iter_errors(report);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    };
    let full = report(&hero());
    assert_eq!(errors(&full), Vec::<String>::new(), "{full:#}");
    let empty = report(&DocumentParts::default());
    assert_eq!(errors(&empty), Vec::<String>::new(), "{empty:#}");

    // The schema does not accept just anything.
    let mut other = full.clone();
    other["bindPose"]["source"] = "guessed".into();
    assert_eq!(errors(&other).len(), 1);
    let mut other = full;
    other["animations"][0]
        .as_object_mut()
        .unwrap()
        .remove("seconds");
    assert_eq!(errors(&other).len(), 1);
}

#[test]
fn the_schema_describes_everything_and_names_it_alike() {
    fn walk(path: &str, value: &Value, silent: &mut Vec<String>) {
        let Value::Object(object) = value else { return };
        if let Some(Value::Object(properties)) = object.get("properties") {
            for (name, property) in properties {
                if !property["description"].is_string() || name.contains('_') {
                    silent.push(format!("{path}.{name}"));
                }
            }
        }
        for (name, value) in object {
            walk(&format!("{path}.{name}"), value, silent);
        }
    }
    let mut silent = Vec::new();
    walk("", &serde_json::to_value(schema()).unwrap(), &mut silent);
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn what_is_not_there_is_null() {
    let hero = report(&hero());
    assert_eq!(hero["meshes"][0]["owner"], 0);
    assert_eq!(hero["meshes"][1]["owner"], Value::Null);
    assert_eq!(hero["images"][0]["pixels"]["translucent"], 1);
    assert_eq!(hero["images"][1]["pixels"], Value::Null);
    assert_eq!(hero["animations"][1]["bounds"], Value::Null);
    assert_eq!(hero["animations"][1]["seconds"], 0.0);
    assert_eq!(hero["bindPose"]["source"], "first-frame");
    assert_eq!(hero["bindPose"]["degenerateBones"], serde_json::json!([1]));
    assert_eq!(hero["header"]["playbackFps"], 24.0);
    let empty = report(&DocumentParts::default());
    assert_eq!(empty["bounds"], Value::Null);
    assert_eq!(empty["defaultAnimation"], Value::Null);
    assert_eq!(empty["bindPose"]["source"], "absent");
    assert_eq!(
        empty["totals"]["seconds"].to_string(),
        "0.0",
        "and not -0.0"
    );
}
