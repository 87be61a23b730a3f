//! JUnit reports as the two schemas that are common want them: Ant's (`JUnit.xsd`) and Jenkins' (`junit-10.xsd`).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use chrono::DateTime;
use quick_junit::Report;

use super::Failure;

/// The report as XML. What the schemas ask for and nobody here knows gets the values that they name for that: tests run
/// on `localhost` and take no time.
///
/// `SOURCE_DATE_EPOCH` in the environment stands for the time of day, so that a report can be made twice.
pub(super) fn text(mut report: Report) -> Result<String, Failure> {
    let stamp = timestamp();
    for (id, suite) in (0_u32..).zip(&mut report.test_suites) {
        suite.set_time(Duration::ZERO);
        suite.set_system_out("").set_system_err("");
        let id = id.to_string();
        let attributes = [
            ("timestamp", stamp.as_str()),
            ("hostname", "localhost"),
            ("package", "pchr"),
            ("id", &id),
        ];
        for (name, value) in attributes {
            suite.extra.insert(name.into(), value.into());
        }
        for case in &mut suite.test_cases {
            case.set_time(Duration::ZERO);
        }
    }
    let text = report
        .to_string()
        .context("cannot write the JUnit report")?;
    // Ant's schema knows no attributes here, and Jenkins' not all of those that are written: the suites have the numbers.
    let root = "<testsuites";
    let (before, rest) = text.split_once(root).unwrap_or((&text, ""));
    let (_, rest) = rest.split_once('>').unwrap_or(("", rest));
    Ok(format!("{before}{root}>{rest}"))
}

/// The time of day, as ISO 8601 has it: UTC, without saying so.
fn timestamp() -> String {
    let said = std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .and_then(|seconds| seconds.parse().ok());
    let now = || {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_secs())
    };
    let seconds: u64 = said.unwrap_or_else(now);
    let time = i64::try_from(seconds)
        .ok()
        .and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.unwrap_or_default()
        .format("%Y-%m-%dT%H:%M:%S")
        .to_string()
}
