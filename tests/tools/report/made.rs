//! Made-up reports, and the pages that the program makes from them.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::desk::{Desk, Picture, said};

pub(crate) type Color = [u8; 4];

/// Script that is true once all pictures of the frame are in place.
pub(crate) const PLACED: &str = "[...document.querySelectorAll('#panes img')].every(image => image.parentElement.offsetWidth > 0)";

pub(crate) const RED: Color = [200, 30, 30, 255];
pub(crate) const BLUE: Color = [30, 60, 200, 255];
pub(crate) const WHITE: Color = [255, 255, 255, 255];

/// Histogram of a differing frame: bounds of the differences, and numbers of pixels.
const BUCKETS: [([u8; 2], u64); 9] = [
    ([1, 1], 4),
    ([2, 2], 3),
    ([3, 4], 0),
    ([5, 8], 0),
    ([9, 16], 1),
    ([17, 32], 0),
    ([33, 64], 0),
    ([65, 128], 1),
    ([129, 255], 1),
];

/// A frame of the animation "walk", without pictures.
pub(crate) fn frame(name: &str, status: &str) -> Value {
    json!({
        "name": name, "animation": "walk", "frame": 0, "status": status, "message": "", "command": null,
        "difference": null, "pictures": null,
    })
}

/// A differing frame: 3 outliers of 256 pixels, the largest at 5, 2.
pub(crate) fn failed(name: &str) -> Value {
    let mut frame = frame(name, "failed");
    frame["message"] = json!("3 of 256 pixels differ by more than 2");
    frame["command"] = json!("pchr-view capture hero.pchr -f 0 -o it.png");
    frame["difference"] = json!({
        "pixels": 256, "ignored": 0, "differing": 10, "tolerance": 2, "outliers": 3, "allowedOutliers": 1, "alphaOnly": false,
        "largest": {"difference": 170, "at": [5, 2], "channel": "red", "expected": RED, "actual": BLUE}, "meanFlip": 0.0125,
        "histogram": BUCKETS.map(|([from, to], pixels)| json!({"from": from, "to": to, "pixels": pixels})),
    });
    frame["pictures"] = json!({"expected": "pictures/expected.png", "actual": "pictures/actual.png", "difference": "pictures/difference.png"});
    frame
}

pub(crate) fn missing(name: &str) -> Value {
    let mut frame = frame(name, "missing");
    frame["pictures"] =
        json!({"expected": null, "actual": "pictures/actual.png", "difference": null});
    frame
}

pub(crate) fn case(name: &str, frames: &[Value]) -> Value {
    json!({
        "name": name, "file": format!("{name}.pchr"), "notes": [], "baselineVersions": [], "error": null, "frames": frames,
        "drawnBy": {"renderer": "cpu", "adapter": null, "backend": null, "driver": null, "software": true},
    })
}

/// Cases with every status: 3 failed frames of 2 cases, one missing, updated and skipped, an error, and 5 that passed.
pub(crate) fn mixed() -> Vec<Value> {
    let mut broken = case("broken", &[]);
    broken["error"] = json!("broken.pchr: frame data ends at byte 40");
    broken["drawnBy"] = Value::Null;
    let mut walk = case(
        "walk",
        &[frame("0000", "passed"), failed("0001"), frame("0002", "passed"), failed("0003")],
    );
    walk["notes"] = json!(["another class of adapter made the baselines"]);
    let passed = ["0000", "0001", "0002"].map(|name| frame(name, "passed"));
    vec![
        case("absent", &[frame("0000", "skipped")]),
        broken,
        case("calm", &passed),
        case("fresh", &[missing("0000")]),
        case("told", &[frame("0000", "updated")]),
        walk,
        case("wave/left", &[failed("up/0000")]),
    ]
}

pub(crate) fn png(width: u32, height: u32, color: impl Fn(u32, u32) -> Color) -> Vec<u8> {
    let pixels = (0..width * height).map(|i| color(i % width, i / width)).collect();
    Picture { width: width as usize, height: height as usize, pixels }.encode()
}

/// The page of a report, in its own folder.
pub(crate) struct Page {
    desk: Desk,
}

impl Page {
    /// Makes a page of cases. In all frames the expected picture is red, the actual one blue, and the difference white.
    pub(crate) fn new(cases: &[Value]) -> Self {
        let plain = |color| png(16, 16, |_, _| color);
        let pictures = [("expected", RED), ("actual", BLUE), ("difference", WHITE)];
        Self::with(cases, &pictures.map(|(name, color)| (name, plain(color))))
    }

    pub(crate) fn of_errors(errors: &[&str]) -> Self {
        let mut refused = report(&[]);
        refused["errors"] = json!(errors);
        refused["exitCode"] = 2.into();
        Self::merged(&refused, &[])
    }

    pub(crate) fn with(cases: &[Value], pictures: &[(&str, Vec<u8>)]) -> Self {
        Self::merged(&report(cases), pictures)
    }

    fn merged(report: &Value, pictures: &[(&str, Vec<u8>)]) -> Self {
        let desk = Desk::new();
        desk.put_bytes("in/report.json", report.to_string().as_bytes());
        for (name, bytes) in pictures {
            desk.put_bytes(&format!("in/pictures/{name}.png"), bytes);
        }
        let merged = desk.run(&["report", "merge", "in", "-o", "out"]);
        let code = merged.status.code().map(i64::from);
        assert_eq!(code, report["exitCode"].as_i64(), "{}", said(&merged));
        Self { desk }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.desk.path("out/index.html")
    }

    /// Opens the page in a browser, at an address that ends with `hash`.
    pub(crate) fn open_at(&self, hash: &str) -> Browser {
        let mut browser = Browser::start();
        browser.open(&self.path(), hash);
        browser.wait(PLACED);
        browser
    }

    pub(crate) fn open(&self) -> Browser {
        self.open_at("")
    }
}

fn report(cases: &[Value]) -> Value {
    let frames = || cases.iter().flat_map(|case| case["frames"].as_array().unwrap());
    let count = |status: &str| frames().filter(|frame| frame["status"] == status).count();
    let errors = cases.iter().filter(|case| !case["error"].is_null()).count();
    let codes = [
        (errors + count("error"), 1),
        (count("failed"), 3),
        (count("missing"), 6),
        (count("unused"), 2),
    ];
    let code = codes.iter().find(|(count, _)| *count > 0);
    json!({
        "version": "0.1.0 (abc)", "suite": "suite.toml", "shard": null, "exitCode": code.map_or(0, |(_, code)| *code), "errors": [], "cases": cases,
        "summary": {
            "cases": cases.iter().filter(|case| case["file"] != "").count(),
            "frames": frames().count() + errors - count("unused") - count("removed"), "passed": count("passed"), "failed": count("failed"),
            "missing": count("missing"), "updated": count("updated"), "skipped": count("skipped"),
            "errors": count("error") + errors, "unused": count("unused"), "removed": count("removed"),
        },
    })
}

pub(crate) fn rows(browser: &mut Browser) -> Vec<String> {
    let rows = browser.value(
        "[...document.querySelectorAll('.row')].sort((a, b) => a.offsetTop - b.offsetTop).map(row => row.ariaLabel)",
    );
    rows.as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect()
}

pub(crate) fn shown(browser: &mut Browser) -> String {
    browser.text("[...document.querySelectorAll('#name > :not(.badge)')].map(part => part.textContent).join('')")
}

/// Text of an element.
pub(crate) fn content(browser: &mut Browser, id: &str) -> String {
    browser.text(&format!("byId('{id}').textContent"))
}

pub(crate) fn allow_clipboard(browser: &mut Browser) {
    let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    browser.call("Browser.grantPermissions", permissions);
}
