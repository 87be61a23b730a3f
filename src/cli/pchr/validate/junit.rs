//! `--junit`: a test case for each file, for whatever shows test results.

use quick_junit::{NonSuccessKind, Property, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::json::Filters;
use super::text::{Ink, counts, listing};
use super::verdict::Verdict;
use super::{Outcome, Report};
use crate::cli::{Failure, junit};
use crate::document::Severity;

/// What the report and its suite are called.
const NAME: &str = "pchr validate";

/// The report as XML.
pub(super) fn render(report: &Report<'_>) -> Result<String, Failure> {
    let mut suite = TestSuite::new(NAME);
    if let Some(filters) = Filters::of(report) {
        let properties = filters.entries();
        suite.add_properties(properties.map(|(name, value)| Property::new(name, value)));
    }
    suite.add_test_cases(report.outcomes.iter().map(|outcome| case(report, outcome)));
    let mut junit = Junit::new(NAME);
    junit.add_test_suite(suite);
    junit::text(junit)
}

fn case(report: &Report<'_>, outcome: &Outcome) -> TestCase {
    let mut case = match &outcome.verdict {
        Ok(verdict) => judged(report, outcome, verdict),
        Err(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status
                .set_message(failure.to_string())
                .set_type("unreadable");
            TestCase::new(outcome.name(), status)
        }
    };
    case.set_classname("pchr.validate");
    case
}

fn judged(report: &Report<'_>, outcome: &Outcome, verdict: &Verdict) -> TestCase {
    let (errors, warnings) = (
        listing(verdict, Severity::Error),
        listing(verdict, Severity::Warning),
    );
    let summary = counts(verdict, Ink::default()).to_string();
    if !report.fails(verdict.grade()) {
        let mut case = TestCase::new(outcome.name(), TestCaseStatus::success());
        if !summary.is_empty() {
            case.set_system_out(format!("{summary}\n{warnings}"));
        }
        return case;
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(summary);
    if let Some(fold) = verdict.listed().next() {
        status.set_type(fold.rule.id());
    }
    status.set_description(format!("{errors}{warnings}"));
    TestCase::new(outcome.name(), status)
}
