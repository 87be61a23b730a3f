//! `--sarif`: the log that code scanning reads (SARIF 2.1.0).

use std::path::Path;

use serde_json::Value;
use serde_sarif::sarif::{
    Artifact, ArtifactLocation, ConfigurationOverride, Invocation, Location, LogicalLocation,
    Message, MultiformatMessageString, Notification, PhysicalLocation, PropertyBag, Region,
    ReportingConfiguration, ReportingDescriptor, ReportingDescriptorReference,
    Result as SarifResult, ResultLevel, Run, SCHEMA_URL, Sarif, ToolComponent,
};

use super::json::Filters;
use super::verdict::Verdict;
use super::{RULES_PAGE, Report, uri};
use crate::cli::Failure;
use crate::cli::pchr::findings::Fold;
use crate::document::{Finding, Rule, Severity};

/// The report as a SARIF log.
pub(super) fn render(report: &Report<'_>) -> Result<Vec<u8>, Failure> {
    let log = Sarif::builder()
        .schema(SCHEMA_URL)
        .version("2.1.0")
        .runs(vec![run(report)])
        .build();
    let mut text = serde_json::to_vec_pretty(&log).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(text)
}

fn run(report: &Report<'_>) -> Run {
    let driver = ToolComponent::builder()
        .name("pchr")
        .version(env!("PCHR_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .information_uri(env!("CARGO_PKG_REPOSITORY"))
        .rules(
            Rule::ALL
                .iter()
                .map(|rule| descriptor(*rule))
                .collect::<Vec<_>>(),
        )
        .build();
    let files = report.outcomes.iter().map(|outcome| {
        let verdict = outcome.verdict.as_ref().ok();
        Artifact {
            properties: verdict.map(|verdict| property("verdict", verdict.grade())),
            ..Artifact::builder()
                .location(artifact(&outcome.path))
                .roles(vec!["analysisTarget".into()])
                .build()
        }
    });
    let results = (0..).zip(&report.outcomes).flat_map(|(index, outcome)| {
        let verdict = outcome.verdict.as_ref().ok();
        let file = ArtifactLocation {
            index: Some(index),
            ..artifact(&outcome.path)
        };
        let text = verdict.and_then(|verdict| text(&outcome.path, verdict));
        let folds = verdict.into_iter().flat_map(|verdict| verdict.listed());
        folds.map(move |fold| result(fold, &file, text.as_deref()))
    });
    Run {
        properties: Filters::of(report).map(|filters| property("filters", filters)),
        ..Run::builder()
            .tool(driver)
            .column_kind("unicodeCodePoints")
            .invocations(vec![invocation(report)])
            .artifacts(files.collect::<Vec<_>>())
            .results(results.collect::<Vec<_>>())
            .build()
    }
}

/// A rule, as the table has it.
fn descriptor(rule: Rule) -> ReportingDescriptor {
    let (about, advice, example) = (rule.about(), rule.advice(), rule.example());
    let help = MultiformatMessageString::builder()
        .text(format!("{about} {advice} Example: {example}"))
        .markdown(format!("{about}\n\n{advice}\n\nExample: `` {example} ``"))
        .build();
    let configuration = ReportingConfiguration::builder()
        .level(rule.severity().name())
        .build();
    ReportingDescriptor::builder()
        .id(rule.id())
        .name(rule.name())
        .short_description(&about.to_owned())
        .help(help)
        .help_uri(format!("{RULES_PAGE}#{}", rule.id().to_ascii_lowercase()))
        .default_configuration(configuration)
        .build()
}

/// How the program was asked, and how it went: rules that do not count are switched off.
fn invocation(report: &Report<'_>) -> Invocation {
    let off = Rule::ALL
        .iter()
        .filter(|rule| !report.args.filter.keeps(**rule))
        .map(|rule| {
            let descriptor = ReportingDescriptorReference {
                index: index(*rule),
                ..ReportingDescriptorReference::builder()
                    .id(rule.id())
                    .build()
            };
            let configuration = ReportingConfiguration::builder().enabled(false).build();
            ConfigurationOverride::builder()
                .descriptor(descriptor)
                .configuration(configuration)
                .build()
        });
    let unread = report.outcomes.iter().filter_map(|outcome| {
        let failure = outcome.verdict.as_ref().err()?;
        let location = PhysicalLocation::builder()
            .artifact_location(artifact(&outcome.path))
            .build();
        let notification = Notification::builder()
            .level("error")
            .message(failure.to_string().as_str())
            .locations(vec![
                Location::builder().physical_location(location).build(),
            ]);
        Some(notification.build())
    });
    Invocation {
        rule_configuration_overrides: some(off),
        tool_execution_notifications: some(unread),
        ..Invocation::builder()
            .execution_successful(report.unread() == 0)
            .exit_code(i64::from(report.exit_code()))
            .build()
    }
}

/// The text that columns are counted in, if there are any; none of what cannot be read twice.
fn text(path: &Path, verdict: &Verdict) -> Option<Vec<u8>> {
    let mut places = verdict.listed().flat_map(Fold::places);
    let again = places.any(|place| place.text.is_some()) && !is_stdin(path) && path.is_file();
    again.then(|| std::fs::read(path).ok()).flatten()
}

/// A broken rule at its first place, and the others beside it.
fn result(fold: &Fold, file: &ArtifactLocation, text: Option<&[u8]>) -> SarifResult {
    let others = (1..).zip(&fold.others).map(|(id, finding)| Location {
        id: Some(id),
        message: Some(finding.message.as_str().into()),
        ..location(finding, file, text)
    });
    let level = match fold.rule.severity() {
        Severity::Warning => ResultLevel::Warning,
        Severity::Error => ResultLevel::Error,
    };
    let more = match fold.more() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let message = format!("{}: {}{more}", fold.first.path, fold.first.message);
    SarifResult {
        rule_index: index(fold.rule),
        related_locations: some(others),
        ..SarifResult::builder()
            .rule_id(fold.rule.id())
            .level(level)
            .message(&message)
            .locations(vec![location(&fold.first, file, text)])
            .occurrence_count(i64::try_from(fold.count).unwrap_or(i64::MAX))
            .build()
    }
}

/// Where a finding is: a byte of a binary file, or a line and a column of a text.
fn location(finding: &Finding, file: &ArtifactLocation, text: Option<&[u8]>) -> Location {
    let region = Region {
        byte_offset: i64::try_from(finding.offset).ok(),
        start_line: finding.text.map(|place| place.line.into()),
        start_column: text.and_then(|text| column(finding, text)),
        ..Region::builder().build()
    };
    let physical = PhysicalLocation::builder()
        .artifact_location(file.clone())
        .region(region)
        .build();
    let logical = LogicalLocation::builder()
        .fully_qualified_name(&finding.path)
        .build();
    Location::builder()
        .physical_location(physical)
        .logical_locations(vec![logical])
        .build()
}

/// The column in characters, from 1, as the log's `columnKind` has it; a finding counts bytes.
fn column(finding: &Finding, text: &[u8]) -> Option<i64> {
    let before = usize::try_from(finding.text?.column).ok()?.checked_sub(1)?;
    let end = usize::try_from(finding.offset).ok()?;
    let line = text.get(end.checked_sub(before)?..end)?;
    let begins = |byte: &&u8| **byte & 0xc0 != 0x80; // in UTF-8, the others go on with a character
    i64::try_from(line.iter().filter(begins).count())
        .ok()?
        .checked_add(1)
}

fn artifact(path: &Path) -> ArtifactLocation {
    if is_stdin(path) {
        let description = Message::from("the standard input");
        return ArtifactLocation::builder()
            .uri("stdin")
            .description(description)
            .build();
    }
    ArtifactLocation::builder().uri(uri::of(path)).build()
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// A rule's place in the list of all.
fn index(rule: Rule) -> Option<i64> {
    let index = Rule::ALL.iter().position(|other| *other == rule);
    index.and_then(|index| index.try_into().ok())
}

/// A property of our own.
fn property(name: &str, value: impl serde::Serialize) -> PropertyBag {
    let value = serde_json::to_value(value).unwrap_or(Value::Null);
    PropertyBag::builder()
        .additional_properties([(name.to_owned(), value)])
        .build()
}

/// What there is, if there is anything.
fn some<T>(list: impl Iterator<Item = T>) -> Option<Vec<T>> {
    Some(list.collect::<Vec<_>>()).filter(|list| !list.is_empty())
}
