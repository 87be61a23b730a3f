//! Tests of `pchr schema`: the schemas accept exactly what the programs read and write.

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::desk::{Desk, json_of, said, succeeded};

const NAMES: &str = "pchr, pachario, seanim, inspect, inspect-atlas, inspect-motion, inspect-pxd, \
    inspect-gltf, validate, pose, diff, convert, capture, compare, doctor, suite, session, report, baseline, bench";

/// Schema of this name, as the program prints it.
pub(crate) fn schema(name: &str) -> Value {
    let output = Desk::new().run_pchr(&["schema", name]);
    assert_eq!(said(&output), "");
    json_of(&output)
}

pub(crate) fn validator(name: &str) -> Validator {
    jsonschema::draft202012::new(&schema(name)).unwrap()
}

pub(crate) fn objections(validator: &Validator, document: &Value) -> Vec<String> {
    let errors = validator.iter_errors(document);
    errors.map(|error| format!("{}: {error}", error.instance_path())).take(5).collect()
}

#[test]
fn each_is_a_schema_and_says_what_each_property_is() {
    for name in NAMES.split(", ") {
        let schema = schema(name);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert!(jsonschema::meta::validate(&schema).is_ok(), "{name}");
        for key in ["title", "description"] {
            assert!(schema[key].is_string(), "{name} has no {key}");
        }
        let mut properties = 0;
        each_property(&schema, &mut |key, property| {
            properties += 1;
            assert!(property["description"].is_string(), "{name}: {key} has no description");
        });
        assert!(properties > 5, "{name}: {properties}");
    }
}

fn each_property(schema: &Value, see: &mut dyn FnMut(&str, &Value)) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                properties.iter().for_each(|(key, value)| see(key, value));
            }
            map.values().for_each(|value| each_property(value, see));
        }
        Value::Array(list) => list.iter().for_each(|value| each_property(value, see)),
        _ => {}
    }
}

#[test]
fn the_published_files_are_what_is_printed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pchr-tools/schemas");
    for name in ["pchr", "pachario", "seanim"] {
        let file = std::fs::read(folder.join(format!("{name}.schema.json"))).unwrap();
        assert_eq!(Desk::new().run_pchr(&["schema", name]).stdout, file);
    }
}

#[test]
fn without_a_name_it_is_that_of_pchr_json_and_a_wrong_name_lists_the_right_ones() {
    let desk = Desk::new();
    let output = desk.run_pchr(&["schema"]);
    succeeded(&output);
    assert_eq!(output.stdout, desk.run_pchr(&["schema", "pchr"]).stdout);
    let output = desk.run_pchr(&["schema", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    assert!(said(&output).contains(NAMES), "{}", said(&output));
}

/// A small character in both JSON dialects.
fn dialects() -> [(&'static str, Value); 2] {
    let pchr = |x: f64| json!({"x": x, "y": 2, "u": 0.5, "v": 1, "boneIds": [0, 1, 0, 0], "boneWeights": [0.75, 0.25, 0, 0]});
    let pachario = |x: f64| json!({"x": x, "y": 2, "u": 0.5, "v": 1, "bones": [{"idx": 0, "weight": 0.75}, {"idx": 1, "weight": 0.25}]});
    let flagged = json!({"x": 1, "y": -2.5, "rotation": 90, "scaleX": 1, "scaleY": 0.5, "zOrder": -3, "flags": 1});
    let visible = json!({"x": 1, "y": -2.5, "rotation": 90, "scaleX": 1, "scaleY": 0.5, "zOrder": -3, "visible": true});
    [
        (
            "pchr",
            json!({
                "version": 1, "fps": 24,
                "images": [{"name": "dot", "width": 1, "height": 1, "path": "dot.png", "format": "png"}],
                "bones": [{"name": "root", "parent": -1}, {"name": "tip", "parent": 0}],
                "meshes": [{"name": "m", "image": 0, "vertices": [pchr(0.0), pchr(1.0), pchr(2.0)], "indices": [0, 1, 2]}],
                "animations": [{"name": "a", "flags": 1, "frames": [[flagged, flagged]]}],
            }),
        ),
        (
            "pachario",
            json!({
                "version": 1, "fps": 24,
                "images": [{"name": "dot", "width": 1, "height": 1, "path": "dot.png"}],
                "bones": [{"name": "root", "parentIdx": -1}, {"name": "tip", "parentIdx": 0}],
                "meshes": [{"name": "m", "imageIdx": 0, "vertices": [pachario(0.0), pachario(1.0), pachario(2.0)], "triangles": [0, 1, 2]}],
                "animations": [{"name": "a", "loop": true, "frames": [[visible, visible]]}],
            }),
        ),
    ]
}

/// The schema of a dialect and the program that reads it, which must agree.
pub(crate) struct Judges {
    desk: Desk,
    dialect: &'static str,
    validator: Validator,
}

impl Judges {
    pub(crate) fn new(dialect: &'static str) -> Self {
        let desk = Desk::new();
        desk.put_bytes("dot.png", include_bytes!("../../fuzz/white.png"));
        Self { desk, dialect, validator: validator(dialect) }
    }

    pub(crate) fn agree(&self, document: &Value, valid: bool, what: &str) {
        let objections = objections(&self.validator, document);
        let dialect = self.dialect;
        assert_eq!(objections.is_empty(), valid, "schema {dialect}, {what}: {objections:?}");
        self.desk.put_bytes("case.json", document.to_string().as_bytes());
        let output = self.desk.run_pchr(&["inspect", "case.json"]);
        let (code, said) = (if valid { 0 } else { 4 }, said(&output));
        assert_eq!(output.status.code(), Some(code), "reader of {dialect}, {what}: {said}");
    }
}

#[test]
fn schema_and_reader_want_the_same_keys() {
    for (dialect, good) in dialects() {
        let judges = Judges::new(dialect);
        judges.agree(&good, true, "as it is");
        let mut objects = Vec::new();
        each_object("", &good, &mut objects);
        assert!(objects.len() >= 7, "{objects:?}");
        for path in objects {
            for key in good.pointer(&path).unwrap().as_object().unwrap().keys() {
                let mut broken = good.clone();
                broken.pointer_mut(&path).unwrap().as_object_mut().unwrap().remove(key);
                judges.agree(&broken, false, &format!("{path} without {key}"));
            }
            let mut more = good.clone();
            let object = more.pointer_mut(&path).unwrap().as_object_mut();
            object.unwrap().insert("comment".into(), "more".into());
            judges.agree(&more, dialect == "pachario", &format!("{path} with another key"));
        }
    }
}

/// Paths of all objects in a document; lists contribute only their first element.
fn each_object(path: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            found.push(path.to_owned());
            for (key, value) in map {
                each_object(&format!("{path}/{key}"), value, found);
            }
        }
        Value::Array(list) => {
            if let Some(first) = list.first() {
                each_object(&format!("{path}/0"), first, found);
            }
        }
        _ => {}
    }
}

#[test]
fn schema_and_reader_want_the_same_values_of_pchr_json() {
    let name = "n".repeat(65_536);
    hold(
        0,
        &json!({
            "/version": [[], [2, "1"]],
            "/fps": [[0, 65_535, 24.0], [65_536, -1, 23.976, "24", null]],
            "/flags": [[65_535], [65_536]],
            "/trailing": [["", "00ff"], ["00f", "0g"]],
            "/images/0/width": [[0], [-1]], "/images/0/height": [[], [65_536]],
            "/images/0/format": [["rgba8888"], ["jpeg", 0]], "/images/0/path": [[], [""]], "/images/0/name": [[""], []],
            "/bones": [[], [{}]], "/bones/0/name": [[&name[1..]], [name, 7]],
            "/bones/0/parent": [[], [-2]], "/bones/1/parent": [[], [32_768, null]],
            "/meshes/0/image": [[], [70_000]], "/meshes/0/indices": [[[]], []], "/meshes/0/indices/0": [[], [-1, 65_536]],
            "/animations/0/flags": [[255], [256, true]], "/animations/0/frames": [[[]], []],
        }),
    );
    hold(
        0,
        &json!({
            "/meshes/0/vertices/0/x": [[-3.402_823_5e38], [1e39]], "/meshes/0/vertices/0/y": [[], ["NaN"]],
            "/meshes/0/vertices/0/u": [[-7], []],
            "/meshes/0/vertices/0/boneIds": [[], [[0, 0, 0], [0, 0, 0, 0, 0]]],
            "/meshes/0/vertices/0/boneIds/3": [[65_535], [70_000, -1]],
            "/meshes/0/vertices/0/boneWeights": [[], [[1], [1, 0, 0, 0, 0]]],
            "/meshes/0/vertices/0/boneWeights/0": [[-1], ["Infinity"]],
            "/animations/0/frames/0/0/x": [["NaN"], ["nan", "+Infinity", "NaN(0x3f800000)", "1", null, -1e39]],
            "/animations/0/frames/0/0/y": [["Infinity"], []], "/animations/0/frames/0/0/rotation": [["-Infinity"], []],
            "/animations/0/frames/0/0/scaleX": [["NaN(0x7fc00001)"], []],
            "/animations/0/frames/0/0/scaleY": [["NaN(0xFFC00001)", 3.402_823_5e38], []],
            "/animations/0/frames/0/0/flags": [[], [256, -1]],
            "/animations/0/frames/0/0/zOrder": [[32_767, -32_768], [32_768, -32_769, 0.5]],
        }),
    );
}

#[test]
fn schema_and_reader_want_the_same_values_of_pachario_json() {
    let five = vec![json!({"idx": 0, "weight": 0.2}); 5];
    hold(
        1,
        &json!({
            "/version": [[], [2]], "/fps": [[], [65_536]], "/images/0/width": [[], [-1]], "/bones/0/parentIdx": [[], [-2]],
            "/meshes/0/imageIdx": [[], [70_000]], "/meshes/0/triangles/0": [[], [65_536]],
            "/meshes/0/vertices/0/x": [[], [null]], "/meshes/0/vertices/0/bones": [[[], five], [[0, 1]]],
            "/meshes/0/vertices/0/bones/0/idx": [[], [-1]], "/meshes/0/vertices/0/bones/0/weight": [[], ["1"]],
            "/animations/0/loop": [[], [1]], "/animations/0/frames/0/0/x": [[], ["NaN"]],
            "/animations/0/frames/0/0/visible": [[], [0]], "/animations/0/frames/0/0/zOrder": [[-32_768], [32_768]],
        }),
    );
}

/// A document with one value changed at a time, by pointers to lists of values that are accepted and refused.
pub(crate) fn changes(good: &Value, cases: &Value) -> Vec<(Value, bool, String)> {
    let mut changes = Vec::new();
    for (path, lists) in cases.as_object().unwrap() {
        let (place, key) = path.rsplit_once('/').unwrap();
        for (valid, list) in [(true, &lists[0]), (false, &lists[1])] {
            for value in list.as_array().unwrap() {
                let mut changed = good.clone();
                match changed.pointer_mut(place).unwrap() {
                    Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
                    place => place[key] = value.clone(),
                }
                changes.push((changed, valid, format!("{path} {value:.40}")));
            }
        }
    }
    changes
}

/// Checks the small character with one value changed at a time.
fn hold(dialect: usize, cases: &Value) {
    let (dialect, good) = dialects()[dialect].clone();
    let judges = Judges::new(dialect);
    for (changed, valid, what) in changes(&good, cases) {
        judges.agree(&changed, valid, &what);
    }
}

#[test]
fn what_pchr_says_in_json_is_as_its_schema_says() {
    let desk = Desk::new();
    let mut odd = crate::fixture::puppet();
    odd.parts.flags = 1; // Pachario JSON cannot express them
    desk.put("odd.pchr", &odd);
    desk.put("gallery.pchr", &crate::fixtures::gallery());
    desk.put_bytes("pictures/a.png", include_bytes!("../../fuzz/white.png"));
    desk.put_bytes("a.pct", crate::pchr::atlas::TEXT.as_bytes());
    desk.put_bytes("page.png", &crate::pchr::atlas::page());
    desk.put_bytes("walk.seanim", &crate::pchr::motion::walk());
    for (name, bytes) in crate::pchr::pxd::files() {
        desk.put_bytes(name, &bytes);
    }
    for (name, line) in [
        ("inspect-pxd", "inspect keys.anm.pxd --json"),
        ("inspect-pxd", "inspect walk.anm.pxd --json"),
        ("inspect-pxd", "inspect hero.skl.pxd --json"),
        ("validate", "validate walk.anm.pxd --json"),
        ("inspect-motion", "inspect walk.seanim --json"),
        ("validate", "validate walk.seanim --json"),
        ("convert", "convert walk.seanim -o walk.json --json"),
        ("inspect-motion", "inspect walk.json --json"),
        ("inspect-atlas", "inspect a.pct --json"),
        ("validate", "validate a.pct --json"),
        ("convert", "unpack a.pct -o sprites --json"),
        ("convert", "convert a.pct -o a.json --json"),
        ("convert", "pack pictures -o new.pct --json"),
        ("inspect", "inspect puppet.pchr --json"),
        ("inspect", "inspect odd.pchr --json -q"),
        ("inspect", "inspect gallery.pchr --json --images"),
        ("validate", "validate absent.pchr --json"),
        ("validate", "validate puppet.pchr odd.pchr --json"),
        ("convert", "unpack puppet.pchr -o out --json"),
        ("convert", "pack out/puppet.json -o new.pchr --json"),
        ("convert", "convert odd.pchr -o odd.json --to pachario --json"),
    ] {
        let output = desk.run_pchr(&line.split(' ').collect::<Vec<_>>());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let objections = objections(&validator(name), &report);
        assert!(objections.is_empty(), "{line}: {objections:?}");
    }
}

/// Checks a document against a schema that refuses it with a value changed.
fn holds(validator: &Validator, text: &[u8], pointer: &str, wrong: Value) -> Value {
    let document: Value = serde_json::from_slice(text).unwrap();
    let objections = objections(validator, &document);
    assert!(objections.is_empty(), "{objections:?}");
    let mut changed = document.clone();
    *changed.pointer_mut(pointer).unwrap() = wrong;
    assert!(!validator.is_valid(&changed));
    document
}

#[test]
fn what_capture_says_is_as_its_schema_says() {
    let validator = validator("capture");
    let desk = Desk::new();
    let mut still = crate::fixture::puppet();
    still.parts.animations.clear();
    desk.put("still.pchr", &still);
    let mut unnamed = crate::fixture::puppet();
    unnamed.parts.animations.remove(0);
    desk.put("unnamed.pchr", &unnamed);
    for (line, source) in [
        ("puppet.pchr -f all --renderer cpu", "named"),
        ("puppet.pchr --bind walk:1 --time 0.15 --smooth --renderer cpu", "chosen"),
        ("puppet.pchr --bind none --y-down --renderer cpu", "none"),
        ("unnamed.pchr --renderer cpu", "first-frame"),
        ("still.pchr --renderer cpu", "absent"),
        ("puppet.pchr", "named"),
    ] {
        let line = format!("capture --json -q -s 16x16 -o {{frame}}.png {line}");
        let output = desk.run(&line.split(' ').collect::<Vec<_>>());
        succeeded(&output);
        let report = holds(&validator, &output.stdout, "/captures", Value::Null);
        assert_eq!(report["bindPose"]["source"], source);
    }
}

#[test]
fn what_doctor_says_is_as_its_schema_says() {
    let validator = validator("doctor");
    let desk = Desk::new();
    for (args, name, value) in
        [(&[][..], "DISPLAY", ":nonsense"), (&["--adapter", "of nobody"], "WGPU_ADAPTER_NAME", "x")]
    {
        let args = [&["doctor", "--json"], args].concat();
        let output = desk.program().args(args).env(name, value).output().unwrap();
        holds(&validator, &output.stdout, "/selfTests/0/result", "unknown".into());
    }
}

#[test]
fn what_compare_says_is_as_its_schema_says() {
    let validator = validator("compare");
    let desk = Desk::new();
    for folder in ["old", "new", "broken"] {
        for frame in ["0", "1"] {
            let output = format!("{folder}/{frame}.png");
            desk.capture("puppet.pchr", &["-s", "16x16", "-f", frame, "-o", &output]);
        }
    }
    desk.put_bytes("broken/0.png", b"no picture");
    for (line, code) in
        [("old new", 0), ("old/0.png old/1.png", 3), ("old broken --diff diff", 1), (". old", 3)]
    {
        let args: Vec<&str> = ["compare", "--json"].into_iter().chain(line.split(' ')).collect();
        let output = desk.run(&args);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        holds(&validator, &output.stdout, "/passed", Value::Null);
    }
}

fn test(desk: &Desk, args: &[&str]) -> std::process::Output {
    let mut program = desk.program();
    program.arg("test").args(args).output().unwrap()
}

/// Suites, each with true if it can be run. Every file that they name exists.
fn suites() -> Vec<(String, bool)> {
    const RIGHT: &str = r#"animation = "walk";animation = 1;frame = "0..4:2"&animation = "walk";time = 0.25;
resolution = "20x30"&fit = "none"&center = "1,2"&zoom = 0.5;msaa = 1&filter = "nearest"&mipmaps = true;
overlay = ["bones", "bone=#2"]&overlay_scale = 2&hide = "shadow";z-order = ["shadow=1"]&y_down = true&loop = "off";
tolerance = 255&max_outliers = 7;max-outliers = "0.1%"&renderer = "cpu""#;
    const WRONG: &str = r#"resolutoin = "20x30";output = "x.png";jobs = 2;json = true;renderer = "auto";smooth = "yes";
resolution = true;resolution = [20, 30];hide = true;hide = ["shadow", true];
tolerance = 256;tolerance = -1;tolerance = 0.5;max_outliers = 0.5"#;
    let case = "[[case]]\nname = \"x\"\nfile = \"puppet.pchr\"\n";
    let mut suites = vec![
        (String::new(), false),
        ("case = []\n".to_owned(), false),
        ("title = 1\n".to_owned() + case, false),
        ("[[case]]\nname = \"x\"\n".to_owned(), false),
        ("[[case]]\nfile = 1\n".to_owned(), false),
        ("[[case]]\nfile = \"puppet.pchr\"\nname = 1\n".to_owned(), false),
        (format!("[defaults]\nfile = \"puppet.pchr\"\n{case}"), false),
        (format!("[defaults]\nbackend = \"gl\"\nadapter = \"x\"\n{case}"), true),
        (format!("{case}backend = \"gl\"\n"), false),
        (format!("{case}adapter = \"x\"\n"), false),
        (format!("{case}[adapter.llvmpipe]\ntolerance = 4\nmax_outliers = \"1%\"\n"), true),
        (format!("{case}[adapter.llvmpipe]\nmsaa = 4\n"), false),
        (format!("{case}[adapter]\nllvmpipe = 4\n"), false),
    ];
    for (lists, runs) in [(RIGHT, true), (WRONG, false)] {
        for lines in lists.split(';').map(|lines| lines.trim().replace('&', "\n")) {
            suites.push((format!("{case}{lines}\n"), runs));
            suites.push((format!("[defaults]\n{lines}\n{case}"), runs));
        }
    }
    suites
}

#[test]
fn schema_and_reader_want_the_same_suites() {
    let validator = validator("suite");
    let desk = Desk::new();
    succeeded(&test(&desk, &["--init", "."]));
    let first = String::from_utf8(desk.bytes("suite.toml")).unwrap();
    for (suite, runs) in suites().into_iter().chain([(first, true)]) {
        let document: Value = toml::from_str(&suite).unwrap();
        let objections = objections(&validator, &document);
        assert_eq!(objections.is_empty(), runs, "{suite}{objections:?}");
        desk.put_bytes("suite.toml", suite.as_bytes());
        let code = if runs { 6 } else { 2 };
        let output = test(&desk, &["suite.toml"]);
        assert_eq!(output.status.code(), Some(code), "{suite}{}", said(&output));
    }
}

#[test]
fn what_tests_say_and_record_is_as_its_schema_says() {
    let [report, baseline] = ["report", "baseline"].map(validator);
    let desk = Desk::new();
    let case = |name: &str| {
        format!("[[case]]\nname = \"{name}\"\nfile = \"{name}.pchr\"\nanimation = \"all\"\n")
    };
    let suite = ["fine", "other", "broken"].map(case).concat();
    desk.put_bytes("suite.toml", format!("[defaults]\nresolution = \"16x16\"\n{suite}").as_bytes());
    for name in ["fine", "other", "broken"] {
        desk.put(&format!("{name}.pchr"), &crate::fixture::puppet());
    }
    // Missing, updated, passed; then different, removed, unreadable, invalid.
    for (args, code) in [(&[][..], 6), (&["--update"], 0), (&[], 0), (&["--shard", "1/2"], 0)] {
        let output = test(&desk, &[&["suite.toml", "--json"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        holds(&report, &output.stdout, "/exitCode", Value::Null);
    }
    let other = "-s 16x16 --background checker -o baselines/other/walk/0000.png";
    desk.capture("puppet.pchr", &other.split(' ').collect::<Vec<_>>());
    desk.put_bytes("baselines/other/bind/0000.png", b"?");
    std::fs::remove_file(desk.path("baselines/other/jump/0000.png")).unwrap();
    desk.put_bytes("broken.pchr", b"?");
    let output = test(&desk, &["suite.toml", "--report", "report"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    holds(&report, &desk.bytes("report/report.json"), "/cases", Value::Null);
    let records = desk.files("baselines").into_iter();
    let records: Vec<_> = records.filter(|(name, _)| name.ends_with(".json")).collect();
    assert_eq!(records.len(), 3);
    for (_, record) in &records {
        holds(&baseline, record, "/frames", Value::Null);
    }
}

#[test]
#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]
fn every_pachario_json_of_the_corpus_is_as_its_schema_says() {
    let corpus = crate::corpus::root();
    let list = |folder: &std::path::Path| {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let folders = list(&corpus.join("characters")).into_iter();
    let folders = folders.filter(|path| path.is_dir()).chain([corpus.join("synthetic")]);
    let files = folders.flat_map(|folder| list(&folder));
    let [pachario, pchr] = ["pachario", "pchr"].map(validator);
    let mut held = 0;
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let document = crate::corpus::json(&path);
        if document.get("bones").is_none() || document.get("fps").is_none() {
            continue; // expected results and indices
        }
        let objections = objections(&pachario, &document);
        assert!(objections.is_empty(), "{}: {objections:?}", path.display());
        assert!(!pchr.is_valid(&document), "{}", path.display());
        held += 1;
    }
    assert!(held >= 9, "{held}");
}
