//! Tests of hostile files and names, which could change what is said of others or corrupt the output.

use pchr::document::ImageFormat;
use pchr::image::{Effort, Pixels, encode_png};
use serde_json::Value;

use super::{desk, report, validate};
use crate::fixture::puppet;

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
    let alone: Vec<Value> =
        names.iter().flat_map(|name| report(&validate(&desk, &["--json", name]))).collect();
    let found = |file: &Value| file["findings"][0]["name"].clone();
    assert_eq!(found(&alone[0]), "image-decode");
    assert_eq!(found(&alone[2]), "limit");
    for _ in 0..4 {
        let together = validate(&desk, &[&["--json"], &names[..]].concat());
        assert_eq!(report(&together), alone);
    }
}

#[cfg(unix)] // other systems refuse such names
#[test]
fn whatever_is_in_a_name_and_however_it_ends_the_schemas_are_kept() {
    let desk = desk();
    let files = ["puppet.pchr", "odd.pchr", "broken.pchr", "absent \u{1}\u{fffe}.pchr"];
    for args in [&[][..], &["--strict"], &["--max-findings", "0"], &["--only", "W102"]] {
        let output = validate(&desk, &[&["--junit", "-"], args, &files].concat());
        let report = crate::junit::parse(&output.stdout);
        let tests = &report.test_suites[0].test_cases;
        assert_eq!(tests[3].name.as_str(), "absent \\u{1}\\u{fffe}.pchr");
        let times = tests.iter().map(|test| test.time.unwrap());
        assert!(times.sum::<std::time::Duration>() <= report.test_suites[0].time.unwrap());
    }
}
