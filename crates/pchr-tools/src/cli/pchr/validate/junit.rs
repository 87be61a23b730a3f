//! `--junit`: a test for each file, for programs that show test results.

use std::fmt::Write as _;

use pchr::finding::Severity;

use super::json::Filters;
use super::text::{Ink, counts, listing};
use super::verdict::Verdict;
use super::{Outcome, Report};
use crate::run::Failure;
use crate::run::junit::{self, Suite, Test, Wrong};

/// Name of the report and of its suite.
const NAME: &str = "pchr validate";

/// The report as XML.
pub(super) fn render(report: &Report<'_>) -> Result<String, Failure> {
    let mut suite = Suite {
        name: NAME.to_owned(),
        properties: vec![("version", crate::version().to_owned())],
        ..Suite::default()
    };
    if let Some(filters) = Filters::of(report) {
        suite.properties.extend(filters.entries());
    }
    for outcome in &report.outcomes {
        suite.tests.push(Test {
            name: outcome.name(),
            class: "pchr.validate".to_owned(),
            time: outcome.time,
            outcome: match &outcome.verdict {
                Ok(verdict) => judged(report, outcome, verdict, &mut suite.output),
                Err(failure) => junit::Outcome::Error(Wrong {
                    kind: "unreadable".to_owned(),
                    message: failure.to_string(),
                    details: String::new(),
                }),
            },
        });
    }
    junit::text(NAME, vec![suite])
}

/// Findings about a file that passes go to `output`.
fn judged(
    report: &Report<'_>,
    outcome: &Outcome,
    verdict: &Verdict,
    output: &mut String,
) -> junit::Outcome {
    let (errors, warnings) = (
        listing(verdict, Severity::Error),
        listing(verdict, Severity::Warning),
    );
    let summary = counts(verdict, Ink::default()).to_string();
    if report.fails(verdict.grade()) {
        let kind = verdict
            .listed()
            .next()
            .map_or("invalid", |fold| fold.rule.id());
        return junit::Outcome::Failed(Wrong {
            kind: kind.to_owned(),
            message: summary,
            details: format!("{errors}{warnings}"),
        });
    }
    if !summary.is_empty() {
        let _ = writeln!(output, "{}: {summary}\n{warnings}", outcome.name());
    }
    junit::Outcome::Passed
}
