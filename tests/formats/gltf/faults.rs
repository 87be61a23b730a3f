//! Tests of invalid files: each fault is reported by its rule, and no file costs more than its bytes.

use std::collections::BTreeSet;
use std::time::Instant;

use pchr::format::NoSidecars;
use pchr_foreign::format::gltf::{self, GltfRule};
use serde_json::{Value, json};

use super::{binary, findings};
use crate::golden;

/// Sound file with two bones, and two keys for the translation of the second.
fn sound() -> Value {
    json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a", "children": [1]}, {"name": "b"}, {"name": "c"}],
        "skins": [{"joints": [0, 1]}],
        "buffers": [{"byteLength": 40}],
        "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"},
        ],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 1}, {"input": 0, "output": 2}],
        }],
    })
}

fn data(times: [f32; 2]) -> Vec<u8> {
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    { times.into_iter().chain(values) }.flat_map(f32::to_le_bytes).collect()
}

/// Sound file with one value changed at a JSON pointer, whose last part may be new.
fn with(pointer: &str, value: Value) -> Value {
    let mut json = sound();
    set(&mut json, pointer, value);
    json
}

fn set(json: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap() {
        Value::Array(list) => match key.parse::<usize>() {
            Ok(index) if index < list.len() => list[index] = value,
            _ => list.push(value),
        },
        parent => parent[key] = value,
    }
}

/// Findings of a file without the offsets in its JSON, with true if it has errors.
fn told(file: &[u8]) -> (bool, Vec<String>) {
    let (is_error, found) = findings(file);
    let short = found.iter().map(|line| {
        let (start, rest) = line.split_once(" at byte ").unwrap();
        let message = rest.split_once("): ").unwrap().1;
        format!("{start}: {message}")
    });
    (is_error, short.collect())
}

fn of_json(json: &Value) -> (bool, Vec<String>) {
    told(&binary(json, &data([0.0, 1.0])))
}

#[test]
fn each_rule_is_told_where_it_is_broken() {
    let mut broken = BTreeSet::new();
    golden::cases("gltf_faults", |values| {
        let mut json = sound();
        for value in values.split("; /") {
            let (pointer, value) = value.split_once(' ').unwrap();
            let pointer = format!("/{}", pointer.trim_start_matches('/'));
            set(&mut json, &pointer, serde_json::from_str(value).unwrap());
        }
        let (is_error, found) = of_json(&json);
        let rules = || found.iter().filter_map(|line| line.split(' ').next());
        assert_eq!(is_error, rules().any(|rule| rule.starts_with("GLTF-E")), "{found:?}");
        broken.extend(rules().map(str::to_owned));
        found
    });
    let late = ": 9.999999848243207e30 seconds is too late for any frame number";
    let again = ".input[1]: 1 s comes after 1 s, expected a later time; the last key";
    for (times, rule, said) in [
        ([0.0, f32::NAN], "E015 time", ".input[1]: NaN seconds, expected 0 or more"),
        ([-1.0, 0.0], "E015 time", ".input[0]: -1 seconds, expected 0 or more"),
        ([1e30, 1e31], "E007 limit", late),
        ([1.0, 1.0], "W103 time-order", again),
    ] {
        let (is_error, found) = told(&binary(&sound(), &data(times)));
        let expected = format!("GLTF-{rule}: animations[0].samplers[0]{said}");
        assert!(found[0].starts_with(&expected), "{found:?}\n{expected}");
        assert_eq!((found.len(), is_error), (1, rule.starts_with('E')), "{found:?}");
        broken.insert(expected.split(' ').next().unwrap().to_owned());
    }
    let mut wild = data([0.0, 1.0]);
    wild[8..12].copy_from_slice(&f32::NAN.to_le_bytes());
    let (_, found) = told(&binary(&sound(), &wild));
    let odd = "not-finite: animations[0].samplers[0].output[0]: [NaN, 2.0, 3.0] is not finite";
    assert_eq!(found, [format!("GLTF-W104 {odd}")]);
    broken.insert("GLTF-W104".to_owned());
    broken.extend(containers());
    let all: BTreeSet<String> =
        { GltfRule::ALL.iter() }.map(|rule| rule.rule().id().to_owned()).collect();
    assert_eq!(broken, all);
}

/// Checks faults of containers and texts, and returns their rules.
fn containers() -> BTreeSet<String> {
    let file = binary(&sound(), &data([0.0, 1.0]));
    let put = |at: usize, bytes: &[u8]| {
        let mut file = file.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let json_end = 20 + u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let cut = br#"{"asset":{"version":"2.0"}"#.to_vec();
    let mut lines = b"\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"},\n".to_vec();
    lines.extend(br#""nodes":[{"children":[1]}]}"#);
    let short = "header at byte 0 (0x0): 11 bytes, expected 12 or more";
    let magic = r#"magic at byte 0 (0x0): "glTf", expected "glTF" or JSON"#;
    let chunk = r#"chunks[0] at byte 16 (0x10): "BIN\0", expected "JSON""#;
    let text = "document at byte 30 (0x1e): byte 0xff is not UTF-8";
    let cases: [(Vec<u8>, &str, &str); 13] = [
        (put(0, b"glTf"), "E001 magic", magic),
        (put(4, &[1]), "E002 version", "version at byte 4 (0x4): 1, but this program reads 2"),
        (file[..11].to_vec(), "E003 unexpected-end", short),
        (put(15, &[0xff]), "E003 unexpected-end", "chunks[0] at byte 12 (0xc): "),
        (put(16, b"BIN\0"), "E004 chunk", chunk),
        (put(21, b"!"), "E005 json-syntax", "document at byte "),
        (put(30, b"\xff"), "E005 json-syntax", text),
        (put(8, &[1]), "W101 container", "length at byte 8 (0x8): "),
        (put(json_end + 4, b"BON\0"), "W101 container", "chunks[1] at byte "),
        (cut, "E005 json-syntax", "document at line 1, column 26"),
        (lines, "E008 index", "nodes[0].children[0] at line 2, column 23 (byte 53)"),
        (b"{}".to_vec(), "E006 json-value", "document at line 1, column 2"),
        (Vec::new(), "E001 magic", "magic at byte 0 (0x0): an empty file, expected"),
    ];
    let mut broken = BTreeSet::new();
    for (file, rule, said) in cases {
        let (is_error, found) = findings(&file);
        let expected = format!("GLTF-{rule}: {said}");
        assert!(found[0].starts_with(&expected), "{found:?}\n{expected}");
        assert!(is_error || rule.starts_with('W'), "{found:?}");
        broken.insert(expected.split(' ').next().unwrap().to_owned());
    }
    broken
}

#[test]
fn a_matrix_of_a_node_that_stays_is_no_fault() {
    let identity = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    assert_eq!(of_json(&with("/nodes/0/matrix", identity)), (false, Vec::new()));
}

#[test]
fn zeros_that_fill_up_the_json_are_told_and_ignored() {
    let mut text = sound().to_string().into_bytes();
    let end = text.len();
    text.resize(end.next_multiple_of(4) + 4, 0);
    let zeros = text.len() - end;
    let chunks = binary(&json!(0), &data([0.0, 1.0]));
    let mut file = chunks[..8].to_vec();
    file.extend((chunks.len() as u32 + text.len() as u32 - 4).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(&text);
    file.extend(&chunks[24..]);
    let at = 20 + end;
    let said = format!(
        "GLTF-W101 container: chunks[0] at byte {at} ({at:#x}): {zeros} zero bytes after the JSON, expected spaces; ignored"
    );
    assert_eq!(findings(&file), (false, vec![said]));
    // Zeros within it are a fault.
    file[30] = 0;
    assert!(findings(&file).0);
}

#[test]
fn a_file_cut_anywhere_is_told() {
    let file = binary(&sound(), &data([0.0, 1.0]));
    for end in 0..file.len() {
        let (is_error, found) = findings(&file[..end]);
        assert!(is_error || found[0].starts_with("GLTF-W101"), "{end}: {found:?}");
    }
}

#[test]
fn many_of_anything_cost_little() {
    let start = Instant::now();
    let nodes = |count: usize| "{},".repeat(count - 1) + "{}";
    let text = |nodes: &str| format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{nodes}]}}");
    let (is_error, found) = findings(text(&nodes(1_000_001)).as_bytes());
    assert!(is_error && found[0].contains("GLTF-E007 limit: nodes"), "{found:?}");
    let chain: Vec<String> = (1..100_000).map(|i| format!("{{\"children\":[{i}]}}")).collect();
    let (is_error, found) = findings(text(&format!("{},{{}}", chain.join(","))).as_bytes());
    assert!(!is_error && found.len() == 100, "names");
    // One input with many keys, used by many channels.
    let mut json = sound();
    json["nodes"] = (0..200).map(|_| json!({"name": "x"})).collect();
    let count = 200_000;
    let times: Vec<u8> = (0..count).flat_map(|i| (i as f32).to_le_bytes()).collect();
    json["buffers"][0]["byteLength"] = json!(times.len());
    json["bufferViews"][0] = json!({"buffer": 0, "byteLength": times.len()});
    json["accessors"][0]["count"] = json!(count);
    json["accessors"][1] = json!({"componentType": 5126, "count": count, "type": "VEC3"});
    let channel = |node| json!({"sampler": 0, "target": {"node": node, "path": "scale"}});
    json["animations"][0]["channels"] = (0..200).map(channel).collect();
    json["skins"] = json!([]);
    let (is_error, found) = told(&binary(&json, &times));
    assert!(is_error && found.iter().any(|line| line.starts_with("GLTF-E007")), "{found:?}");
    // Many animations with one channel each.
    let one = |_| {
        let mut animation = json["animations"][0].clone();
        animation["channels"] = json!([channel(0)]);
        animation
    };
    json["animations"] = (0..20_000).map(one).collect();
    let (is_error, found) = told(&binary(&json, &times));
    let is_limit = |line: &String| line.starts_with("GLTF-E007");
    assert!(is_error && found.iter().any(is_limit), "{found:?}");
    // Nesting is limited only by the length of the text.
    let deep = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(500_000));
    assert!(findings(deep.as_bytes()).0 && start.elapsed().as_secs() < 60);
}

#[test]
fn utf_16_and_compressed_data_are_named_with_the_way_out() {
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let text = format!("\u{feff}{}", sound());
        let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        let (is_error, found) = findings(&bytes);
        assert!(is_error);
        assert!(found[0].contains("UTF-16 text; save it as UTF-8"), "{found:?}");
    }
    let mut json = sound();
    set(&mut json, "/extensionsRequired", json!(["EXT_meshopt_compression"]));
    let (_, found) = findings(json.to_string().as_bytes());
    let of_buffer = "no data: it is compressed with EXT_meshopt_compression, which this program does not read; write the file without it, as gltfpack does without -c and -cc";
    assert!(found.iter().any(|line| line.ends_with(of_buffer)), "{found:?}");
    assert!(found.iter().all(|line| !line.contains("read without it")), "{found:?}");
}

#[test]
fn rotations_of_any_length_are_normalised_where_they_are_read() {
    for length in [2.0, 1e-3, 1e200, 1e308] {
        let json = with("/nodes/1/rotation", json!([0.0, 0.6 * length, 0.0, 0.8 * length]));
        let file = gltf::read(&binary(&json, &data([0.0, 1.0])), &mut NoSidecars).unwrap();
        let rotation = file.skeleton.bones()[1].rest.rotation;
        for (found, wanted) in rotation.into_iter().zip([0.0, 0.6, 0.0, 0.8]) {
            assert!((found - wanted).abs() < 1e-12, "{length}: {rotation:?}");
        }
        assert_eq!(file.warnings.iter().count(), 1, "{length}");
    }
    // Keys of length 2: (0, 0, 0, 2), and (2, 0, 0, 0).
    let json = with(
        "/animations/0/channels/0",
        json!({"sampler": 1, "target": {"node": 1, "path": "rotation"}}),
    );
    let numbers = [0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0_f32];
    let bytes: Vec<u8> = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
    let file = gltf::read(&binary(&json, &bytes), &mut NoSidecars).unwrap();
    let track = file.clips[0].motion.tracks()[0].timed().unwrap();
    let rotations = track.rotation.as_ref().unwrap().values();
    assert_eq!(rotations, [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]);
    let said: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    assert!(said[0].ends_with("rotation of length 2.0000, expected 1; normalised"), "{said:?}");
}
