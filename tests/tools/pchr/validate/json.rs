//! Tests of `--json`: an array with an object for each file.

use serde_json::{Value, json};

use super::{desk, report, validate};

#[test]
fn it_says_of_each_file_what_the_contract_asks_for_and_more() {
    let output = validate(&desk(), &["--json", "odd.pchr", "puppet.pchr"]);
    let files = report(&output);
    let place = |path: &str, offset: u32, message: &str| json!({"path": path, "offset": offset, "message": message});
    let fps = place("fps", 8, "0 frames per second; played at 24");
    let [odd, puppet] = files.as_slice() else {
        panic!("{files:?}")
    };
    assert_eq!(odd["file"], "odd.pchr");
    assert_eq!(odd["verdict"], "warnings");
    assert_eq!((&odd["errors"], &odd["warnings"]), (&0.into(), &13.into()));
    let [first, second] = odd["findings"].as_array().unwrap().as_slice() else {
        panic!("{odd}")
    };
    let mut wanted = json!({"id": "PCHR-W102", "name": "fps-zero", "severity": "warning", "count": 1, "places": [fps]});
    wanted
        .as_object_mut()
        .unwrap()
        .extend(fps.as_object().unwrap().clone());
    assert_eq!(*first, wanted);
    assert_eq!(
        (&second["id"], &second["count"]),
        (&"PCHR-W123".into(), &12.into())
    );
    let places = second["places"].as_array().unwrap();
    assert_eq!(places.len(), 12);
    let offsets: Vec<u64> = places
        .iter()
        .map(|place| place["offset"].as_u64().unwrap())
        .collect();
    assert!(
        offsets.is_sorted() && offsets[0] == second["offset"],
        "{offsets:?}"
    );
    let wanted = json!({
        "file": "puppet.pchr", "verdict": "valid", "loads": true, "errors": 0, "warnings": 0,
        "findings": [], "unlisted": 0, "ignored": [],
    });
    assert_eq!(*puppet, wanted);
}

#[test]
fn it_says_what_was_left_out_and_why() {
    let args = [
        "--json",
        "--strict",
        "--max-findings",
        "1",
        "--ignore",
        "fps-zero",
        "--ignore",
        "PCHR-E022",
    ];
    let output = validate(&desk(), &[&args[..], &["odd.pchr"]].concat());
    assert_eq!(output.status.code(), Some(4));
    let file = &report(&output)[0];
    assert_eq!(
        file["ignored"],
        json!([{"id": "PCHR-W102", "name": "fps-zero", "count": 1}])
    );
    let filters =
        json!({"only": [], "ignore": ["PCHR-W102", "PCHR-E022"], "strict": true, "maxFindings": 1});
    assert_eq!(file["filters"], filters);
    assert_eq!(file["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(file["unlisted"], Value::from(0));
}

#[test]
fn places_of_a_rule_are_bounded_and_its_count_is_not() {
    let desk = desk();
    let mut many = super::puppet();
    let mesh = &mut many.parts.meshes[0];
    mesh.indices = vec![9; 3000];
    desk.put("many.pchr", &many);
    let output = validate(&desk, &["--json", "many.pchr"]);
    let finding = &report(&output)[0]["findings"][0];
    assert_eq!(finding["count"], 3000);
    assert_eq!(finding["places"].as_array().map(Vec::len), Some(100));
}
