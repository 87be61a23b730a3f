//! `--sarif`: the log that code scanning reads (SARIF 2.1.0).

mod log;

use std::path::Path;

use pchr::finding::{Finding, Rule};
use pchr_foreign::format::rules;

use self::log::{
    Artifact, ArtifactLocation, ArtifactProperties, Configuration, ConfigurationOverride,
    DescriptorReference, Driver, Invocation, Location, Log, LogicalLocation, Message, Notification,
    PhysicalLocation, Region, ReportingDescriptor, Run, RunProperties, SarifResult, Tool,
};
use super::json::Filters;
use super::{Report, uri};
use crate::cli::pchr::findings::Fold;
use crate::run::Failure;

/// The report as a SARIF log.
pub(super) fn render(report: &Report<'_>) -> Result<Vec<u8>, Failure> {
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run(report)],
    };
    let mut text = serde_json::to_vec_pretty(&log).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(text)
}

fn run(report: &Report<'_>) -> Run {
    let driver = Driver {
        name: "pchr",
        version: crate::version(),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: rules().map(descriptor).collect(),
    };
    let files = report.outcomes.iter().map(|outcome| Artifact {
        location: artifact(&outcome.path),
        roles: ["analysisTarget"],
        properties: outcome.verdict.as_ref().ok().map(|verdict| {
            let verdict = verdict.grade();
            ArtifactProperties { verdict }
        }),
    });
    let results = report
        .outcomes
        .iter()
        .enumerate()
        .flat_map(|(index, outcome)| {
            let verdict = outcome.verdict.as_ref().ok();
            let file = ArtifactLocation {
                index: Some(index),
                ..artifact(&outcome.path)
            };
            let folds = verdict.into_iter().flat_map(|verdict| verdict.listed());
            folds.map(move |fold| result(fold, &file))
        });
    Run {
        tool: Tool { driver },
        invocations: [invocation(report)],
        artifacts: files.collect(),
        results: results.collect(),
        column_kind: "unicodeCodePoints",
        properties: Filters::of(report).map(|filters| RunProperties { filters }),
    }
}

/// A rule of the table.
fn descriptor(rule: Rule) -> ReportingDescriptor {
    let (about, advice, example) = (rule.about(), rule.advice(), rule.example());
    ReportingDescriptor {
        id: rule.id(),
        name: rule.name(),
        short_description: Message::plain(about),
        help: Message {
            text: format!("{about} {advice} Example: {example}"),
            markdown: Some(format!("{about}\n\n{advice}\n\nExample: `` {example} ``")),
        },
        default_configuration: Configuration {
            level: Some(rule.severity().name()),
            enabled: None,
        },
    }
}

/// The command's result, and the rules that its filters switch off.
fn invocation(report: &Report<'_>) -> Invocation {
    let off = rules().enumerate();
    let off = off.filter(|(_, rule)| !report.args.filter.keeps(*rule));
    let off = off.map(|(index, rule)| ConfigurationOverride {
        descriptor: DescriptorReference {
            id: rule.id(),
            index,
        },
        configuration: Configuration {
            level: None,
            enabled: Some(false),
        },
    });
    let unread = report.outcomes.iter().filter_map(|outcome| {
        let failure = outcome.verdict.as_ref().err()?;
        Some(Notification {
            level: "error",
            message: Message::plain(failure.to_string()),
            locations: [Location {
                id: None,
                message: None,
                physical_location: PhysicalLocation {
                    artifact_location: artifact(&outcome.path),
                    region: None,
                },
                logical_locations: Vec::new(),
            }],
        })
    });
    Invocation {
        execution_successful: report.unread() == 0,
        exit_code: report.exit_code(),
        rule_configuration_overrides: off.collect(),
        tool_execution_notifications: unread.collect(),
    }
}

/// A broken rule at its first place, and its other places.
fn result(fold: &Fold, file: &ArtifactLocation) -> SarifResult {
    let others = (1..).zip(&fold.others).map(|(id, finding)| Location {
        id: Some(id),
        message: Some(Message::plain(finding.message.as_str())),
        ..location(finding, file)
    });
    let more = match fold.more() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let (path, message) = (&fold.first.path, &fold.first.message);
    SarifResult {
        rule_id: fold.rule.id(),
        rule_index: index(fold.rule),
        level: fold.rule.severity().name(),
        message: Message::plain(format!("{path}: {message}{more}")),
        locations: [location(&fold.first, file)],
        related_locations: others.collect(),
        occurrence_count: fold.count,
    }
}

/// Place of a finding: a byte of a binary file, or a line and a column of a text.
fn location(finding: &Finding, file: &ArtifactLocation) -> Location {
    Location {
        id: None,
        message: None,
        physical_location: PhysicalLocation {
            artifact_location: file.clone(),
            region: Some(Region {
                byte_offset: finding.offset,
                start_line: finding.text.map(|place| place.line),
                // As the log's `columnKind` has it.
                start_column: finding.text.map(|place| place.character),
            }),
        },
        logical_locations: vec![LogicalLocation {
            fully_qualified_name: finding.path.clone(),
        }],
    }
}

fn artifact(path: &Path) -> ArtifactLocation {
    let (uri, description) = if is_stdin(path) {
        let description = Message::plain("standard input");
        ("stdin".to_owned(), Some(description))
    } else {
        (uri::of(path), None)
    };
    ArtifactLocation {
        uri,
        index: None,
        description,
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// A rule's place in the driver's list.
fn index(rule: Rule) -> usize {
    let index = rules().position(|other| other == rule);
    debug_assert!(index.is_some(), "the list holds every rule");
    index.unwrap_or_default()
}
