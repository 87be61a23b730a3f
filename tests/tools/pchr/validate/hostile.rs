//! Tests of hostile names and keys, which could corrupt the output.

use pchr::document::ImageFormat;
use pchr::image::{Effort, Pixels, encode_png};
use serde_json::Value;

use super::{desk, ended, report, text, validate};
use crate::desk::Desk;
use crate::fixture::puppet;

/// Writes Pachario JSON with two unknown keys.
fn with_keys(desk: &Desk, first: &str, second: &str) {
    let file = format!(
        r#"{{"version": 1, "fps": 12, "{first}": 1, "{second}": 2, "images": [], "bones": [{{"name": "b", "parentIdx": -1}}], "animations": [], "meshes": []}}"#
    );
    desk.put_bytes("keys.json", file.as_bytes());
}

#[test]
fn a_key_of_any_length_is_told_of() {
    let desk = desk();
    with_keys(&desk, &"k".repeat(100_000), "odd");
    for form in [&[][..], &["-v"], &["--junit", "-"], &["--sarif"]] {
        let output = validate(&desk, &[form, &["keys.json"]].concat());
        ended(&output, 0, "");
        assert!(text(&output).contains("kkkkkkkkkkkkkkkk"), "{form:?}");
    }
    let strict = format!(r#"{{"version": 1, "{}": 1}}"#, "k".repeat(100_000));
    desk.put_bytes("strict.json", strict.as_bytes());
    let output = validate(&desk, &["strict.json"]);
    ended(&output, 4, "error: strict.json is invalid\n");
    assert!(text(&output).contains("PCHR-E05"), "{}", text(&output));
}

#[cfg(unix)] // other systems refuse such names
/// PNG of one pixel whose header declares a larger square.
fn announcing(side: u32) -> Vec<u8> {
    let mut png = Vec::new();
    encode_png(&Pixels::transparent(), Effort::Least, &mut png).unwrap();
    png[16..20].copy_from_slice(&side.to_be_bytes());
    png[20..24].copy_from_slice(&side.to_be_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&png[12..29]);
    png[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    png
}

#[test]
fn files_that_share_their_memory_are_judged_as_if_alone() {
    let desk = desk();
    let names: Vec<String> = (0..12).map(|i| format!("large{i}.pchr")).collect();
    for (i, name) in names.iter().enumerate() {
        let mut large = puppet();
        // The images need two thirds of the memory for images, or slightly more than all of it.
        let side: u16 = if i % 3 == 2 { 16_385 } else { 13_377 };
        let image = &mut large.parts.images[0];
        (image.width, image.height) = (side, side);
        image.format = ImageFormat::Png;
        image.data = announcing(side.into());
        desk.put(name, &large);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let alone: Vec<Value> = names
        .iter()
        .flat_map(|name| report(&validate(&desk, &["--json", name])))
        .collect();
    let found = |file: &Value| file["findings"][0]["name"].clone();
    assert_eq!(found(&alone[0]), "image-decode");
    assert_eq!(found(&alone[2]), "limit");
    for _ in 0..4 {
        let together = validate(&desk, &[&["--json"], &names[..]].concat());
        assert_eq!(report(&together), alone);
    }
}
