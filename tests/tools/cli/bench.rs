//! Tests of `pchr-view bench`: its report, and the comparison with a baseline. No time is judged.

use std::process::Output;

use serde_json::{Value, json};

use crate::desk::{Desk, json_of, said, succeeded};
use crate::fixture::puppet;
use crate::pchr::schema::{objections, validator};

/// Runs the CPU renderer without any adapter to find.
fn bench(desk: &Desk, args: &str) -> Output {
    let mut program = desk.program();
    program.env("WGPU_ADAPTER_NAME", "Voodoo 5 6000").env_remove("DISPLAY");
    let words = "bench puppet.pchr --renderer cpu --frames 5 -s 64x64".split(' ');
    program.args(words.chain(args.split(' '))).output().unwrap()
}

/// The report, with each median multiplied.
fn times(report: &Value, factor: f64) -> Value {
    let mut report = report.clone();
    let stages = report["files"][0]["renderers"][0]["stages"].as_object_mut().unwrap();
    for times in stages.values_mut().filter(|times| times.is_object()) {
        times["p50"] = json!(times["p50"].as_f64().unwrap() * factor);
    }
    report
}

#[test]
fn a_report_says_what_it_measured_as_its_schema_says() {
    let desk = Desk::new();
    let report = json_of(&bench(&desk, "-a walk --json"));
    let validator = validator("bench");
    assert_eq!(objections(&validator, &report), Vec::<String>::new());
    assert!(!objections(&validator, &json!({"format": 1})).is_empty());
    let file = &report["files"][0];
    assert_eq!((&file["file"], &file["animations"]), (&json!("puppet.pchr"), &json!(["walk"])));
    assert_eq!((&file["vertices"], &file["bones"]), (&json!(12), &json!(3)));
    let renderer = &file["renderers"][0];
    assert_eq!(renderer["drawnBy"]["renderer"], "cpu");
    let stages = renderer["stages"].as_object().unwrap();
    let counts: Vec<_> = stages.iter().map(|(name, it)| (&**name, it["count"].as_u64())).collect();
    let of_pictures = ["pose", "order", "prepare", "draw", "frame"].map(|name| (name, Some(5)));
    for wanted in of_pictures.into_iter().chain([("read", Some(1)), ("gpu", None)]) {
        assert!(counts.contains(&wanted), "{wanted:?}: {counts:?}");
    }
}

#[test]
fn every_kind_of_content_is_measured() {
    let desk = Desk::new();
    desk.put_bytes("a.pct", crate::pchr::atlas::TEXT.as_bytes());
    desk.put_bytes("page.png", &crate::pchr::atlas::page());
    desk.put_bytes("walk.seanim", &crate::pchr::motion::walk());
    desk.put_bytes("still.pchr", &{
        let mut still = puppet();
        still.parts.animations.clear();
        still.bytes()
    });
    let files = "bench a.pct walk.seanim still.pchr puppet.pchr -q --json --renderer cpu --frames 2 -s 16x16";
    let report = json_of(&desk.run(&files.split(' ').collect::<Vec<_>>()));
    let of_files = report["files"].as_array().unwrap().iter();
    let draws: Vec<_> = of_files.map(|file| file["draws"].as_u64().unwrap()).collect();
    assert_eq!(draws.len(), 4);
    assert_eq!(draws[1], 0, "bones in space have no meshes");
    assert_eq!(report["files"][2]["animations"], json!([]));
}

#[test]
fn a_baseline_is_met_or_what_is_slower_is_listed() {
    let desk = Desk::new();
    let report = json_of(&bench(&desk, "--json"));
    desk.put_bytes("slow.json", times(&report, 1e6).to_string().as_bytes());
    desk.put_bytes("fast.json", times(&report, 1e-6).to_string().as_bytes());
    let met = bench(&desk, "-q --baseline slow.json");
    succeeded(&met);
    assert_eq!(met.stdout, b"");
    let mut elsewhere = times(&report, 1e6);
    elsewhere["files"][0]["file"] = json!("./puppet.pchr");
    elsewhere["files"][0]["options"] = json!({}); // the size is that of the pictures
    desk.put_bytes("elsewhere.json", elsewhere.to_string().as_bytes());
    succeeded(&bench(&desk, "-q --baseline elsewhere.json"));
    let slower = bench(&desk, "-q --baseline fast.json --max-slower 50%");
    assert_eq!(slower.status.code(), Some(3));
    let first = said(&slower).lines().next().unwrap();
    assert!(first.starts_with("error: puppet.pchr, cpu: frame has a median of "), "{first}");
    assert!(first.ends_with("slower by more than 50%"), "{first}");
}

#[test]
fn a_baseline_that_does_not_fit_is_refused() {
    let desk = Desk::new();
    let report = json_of(&bench(&desk, "--json"));
    let drawn_by = json!({"renderer": "gpu", "adapter": "A", "backend": "vulkan", "driver": "", "software": false});
    let draw = "/files/0/renderers/0/stages/draw/p50";
    let changed = [
        ("/format", json!(2), "format 2, expected 1: take the baseline again with this version"),
        ("/files/0/options", json!({"msaa": "1"}), "other options: --msaa=1, not no options"),
        ("/files/0/file", json!("b.pchr"), "taken without puppet.pchr"),
        ("/files/0/renderers/0/stages/frame/count", json!(4), "taken with --frames 4, not 5"),
        ("/files/0/width", json!(32), "taken with pictures of 32x64, not 64x64"),
        ("/files/0/renderers/0/drawnBy", drawn_by, "taken with renderer A (vulkan), not cpu"),
        ("/files/0/renderers", json!([]), "puppet.pchr: taken without a renderer"),
        (draw, json!(-1.5), "puppet.pchr: draw: p50 -1.5, expected times of 0 or more"),
        (draw, Value::Null, "invalid type: null, expected f64"),
    ];
    let changed = changed.map(|(pointer, value, why)| {
        let mut changed = report.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        (changed.to_string(), why)
    });
    let infinite = report.to_string().replacen("\"p50\":", "\"p50\":1e999,\"p5\":", 1);
    let wanted = "expected a report of pchr-view bench --json: ";
    for (text, why) in changed.into_iter().chain([
        ("no".to_owned(), &*format!("{wanted}expected ident at line 1 column 2")),
        ("{}".to_owned(), &*format!("{wanted}missing field `format`")),
        (infinite, "number out of range"),
    ]) {
        desk.put_bytes("old.json", text.as_bytes());
        // Before anything is measured, so there is no report.
        let refused = bench(&desk, "--baseline old.json");
        assert_eq!(refused.stdout, b"");
        assert_eq!(refused.status.code(), Some(2), "{why}: {}", said(&refused));
        assert!(said(&refused).starts_with("error: --baseline old.json: "), "{}", said(&refused));
        assert!(said(&refused).contains(why), "{why}: {}", said(&refused));
    }
}
