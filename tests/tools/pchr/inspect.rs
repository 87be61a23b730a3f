//! Tests of `pchr inspect`.

use std::process::Output;

use pchr::document::{AnimationParts, BoneParts, ImageFormat, ImageParts, MeshParts};
use serde_json::Value;

use crate::desk::{Desk, said, succeeded};
use crate::fixture::{Builder, puppet};

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn inspect(desk: &Desk, args: &[&str]) -> String {
    let output = desk.run_pchr(&[&["inspect"], args].concat());
    succeeded(&output);
    assert_eq!(said(&output), "", "{args:?}");
    text(&output).to_owned()
}

fn json(desk: &Desk, args: &[&str]) -> Value {
    serde_json::from_str(&inspect(desk, &[args, &["--json"]].concat())).unwrap()
}

/// Checks the byte ranges of sections and their elements in the JSON against the file.
fn ranges_hold(bytes: &[u8], report: &Value) {
    let range = |value: &Value| {
        let [offset, length] = ["offset", "length"].map(|key| value[key].as_u64().unwrap());
        offset as usize..(offset + length) as usize
    };
    let uint16 = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let mut end = 0;
    for section in report["sections"].as_array().unwrap() {
        let name = section["name"].as_str().unwrap();
        let place = range(&section["bytes"]);
        assert_eq!(place.start, end, "{name} follows what is before it");
        end = place.end;
        let Some(count) = section["count"].as_u64() else { continue };
        assert_eq!(uint16(place.start), count as usize, "{name}");
        let elements = report[name].as_array().unwrap();
        assert_eq!(elements.len(), count as usize, "{name}");
        let mut at = place.start + 2;
        for element in elements {
            let place = range(&element["bytes"]);
            assert_eq!(place.start, at, "{element}");
            at = place.end;
            let text = element["name"].as_str().unwrap();
            assert_eq!(uint16(place.start), text.len());
            assert!(bytes[place.start + 2..].starts_with(text.as_bytes()));
            for last in ["data", "frames", "indexBytes"] {
                if !element[last].is_null() {
                    assert_eq!(range(&element[last]).end, place.end, "{last}: {element}");
                }
            }
            if !element["vertexBytes"].is_null() {
                let vertices = range(&element["vertexBytes"]);
                assert_eq!(vertices.len() as u64, 40 * element["vertices"].as_u64().unwrap());
                assert_eq!(vertices.end, range(&element["indexBytes"]).start);
                let indices = range(&element["indexBytes"]).len() as u64;
                assert_eq!(indices, 6 * element["triangles"].as_u64().unwrap());
            }
        }
        assert_eq!(at, end, "{name} ends with its last element");
    }
    assert_eq!(end, bytes.len());
}

#[test]
fn byte_ranges_fill_the_file_and_hold_what_they_say() {
    let desk = Desk::new();
    let mut bytes = puppet().bytes();
    let report = json(&desk, &["puppet.pchr"]);
    ranges_hold(&bytes, &report);
    let data = report["images"][1]["data"]["offset"].as_u64().unwrap() as usize;
    assert_eq!(bytes[data..data + 4], crate::fixture::GREEN);

    bytes.extend_from_slice(b"after the end");
    desk.put_bytes("longer.pchr", &bytes);
    let report = json(&desk, &["longer.pchr"]);
    ranges_hold(&bytes, &report);
    assert_eq!(report["sections"][5]["bytes"]["length"], 13);
    assert_eq!(report["findings"][0]["id"], "PCHR-W103");

    desk.put("nothing.pchr", &Builder::new());
    ranges_hold(&Builder::new().bytes(), &json(&desk, &["nothing.pchr"]));
}

#[test]
fn as_many_elements_as_a_file_can_hold_are_listed() {
    let many = usize::from(u16::MAX);
    let mut builder = Builder::new();
    let image = ImageParts { format: ImageFormat::Rgba8888, ..ImageParts::default() };
    builder.parts.images = vec![image; many];
    builder.parts.bones = vec![BoneParts::default(); many];
    builder.parts.meshes = vec![MeshParts::default(); many];
    builder.parts.animations = vec![AnimationParts::default(); many];
    let desk = Desk::new();
    desk.put("many.pchr", &builder);
    let output = desk.run_pchr(&["inspect", "many.pchr"]);
    succeeded(&output);
    let contents =
        "65,535 images, 65,535 bones (65,535 roots, 1 level), 65,535 meshes, 65,535 animations";
    assert!(text(&output).contains(contents), "{}", text(&output));
}
