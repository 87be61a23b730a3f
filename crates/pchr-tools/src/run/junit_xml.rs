//! JUnit reports that keep to both common schemas: Ant's (`JUnit.xsd`) and Jenkins' (`junit-10.xsd`).
//!
//! Ant's schema is the strict one: every suite has properties, every failure has a type, output belongs to suites, and there is
//! nothing above the suites. The report is well-formed with any name: hidden characters are escaped, and with them all that XML 1.0
//! does not allow.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use chrono::DateTime;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::Failure;
use crate::text::visible;

/// A suite of tests.
#[derive(Debug, Default)]
pub(crate) struct JunitSuite {
    pub(crate) name: String,
    /// Names and values, at least one.
    pub(crate) properties: Vec<(&'static str, String)>,
    pub(crate) tests: Vec<JunitTest>,
    /// Time outside the tests.
    pub(crate) extra_time: Duration,
    pub(crate) output: String,
}

#[derive(Debug)]
pub(crate) struct JunitTest {
    pub(crate) name: String,
    /// Name of the group, with dots between its levels.
    pub(crate) class: String,
    pub(crate) time: Duration,
    pub(crate) status: TestCaseStatus,
}

/// Returns the status of a test that failed: the kind of failure as one word, a message in one line, and details, which may be empty.
pub(crate) fn failed(
    status: NonSuccessKind,
    kind: &str,
    message: &str,
    details: &str,
) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(status);
    status.set_message(visible(message)).set_type(visible(kind));
    if !details.is_empty() {
        status.set_description(lines(details));
    }
    status
}

/// Returns the report as XML. Tests run on `localhost`, which is the schemas' word for an unnamed machine.
///
/// `SOURCE_DATE_EPOCH` in the environment replaces the time of day and of the tests, so that a report can be reproduced.
pub(crate) fn text(name: &str, suites: Vec<JunitSuite>) -> Result<String, Failure> {
    let clock = JunitClock::new();
    let mut report = Report::new(visible(name));
    for (id, suite) in (0_u32..).zip(suites) {
        report.add_test_suite(junit_suite(id, suite, &clock));
    }
    let text = report.to_string().context("cannot write the JUnit report")?;
    // Ant's schema knows no attributes here, and Jenkins' not all of those that are written: the suites have the numbers.
    let root = "<testsuites";
    let (before, rest) = text.split_once(root).unwrap_or((&text, ""));
    let (_, rest) = rest.split_once('>').unwrap_or(("", rest));
    Ok(format!("{before}{root}>{rest}"))
}

fn junit_suite(id: u32, suite: JunitSuite, clock: &JunitClock) -> TestSuite {
    let mut junit = TestSuite::new(visible(&suite.name));
    let properties = suite.properties.iter();
    junit.add_properties(properties.map(|(name, value)| Property::new(name, visible(value))));
    let times = suite.tests.iter().map(|test| clock.taken(test.time));
    junit.set_time(times.sum::<Duration>() + clock.taken(suite.extra_time));
    junit.set_system_out(lines(&suite.output)).set_system_err("");
    let id = id.to_string();
    let attributes = [
        ("timestamp", clock.now.as_str()),
        ("hostname", "localhost"),
        ("package", "pchr"),
        ("id", &id),
    ];
    for (name, value) in attributes {
        junit.extra.insert(name.into(), value.into());
    }
    for test in suite.tests {
        let mut case = TestCase::new(visible(&test.name), test.status);
        case.set_classname(visible(&test.class)).set_time(clock.taken(test.time));
        junit.add_test_case(case);
    }
    junit
}

/// Returns text of several lines, each without hidden characters.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(visible).collect();
    lines.join("\n")
}

/// The time of day, and whether time passes.
struct JunitClock {
    /// Time in ISO 8601: UTC, without a suffix.
    now: String,
    stopped: bool,
}

impl JunitClock {
    fn new() -> Self {
        let said = std::env::var("SOURCE_DATE_EPOCH").ok();
        let said: Option<u64> = said.and_then(|seconds| seconds.parse().ok());
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let time = i64::try_from(said.unwrap_or_else(now))
            .ok()
            .and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        let now = time.unwrap_or_default();
        Self { now: now.format("%Y-%m-%dT%H:%M:%S").to_string(), stopped: said.is_some() }
    }

    /// Returns a duration for the report.
    fn taken(&self, time: Duration) -> Duration {
        if self.stopped { Duration::ZERO } else { time }
    }
}
