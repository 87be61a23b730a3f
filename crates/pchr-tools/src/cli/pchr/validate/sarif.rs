//! `--sarif`: the log that code scanning reads (SARIF 2.1.0).

use std::fmt::Write as _;
use std::path::{Component, Path, Prefix};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;

use pchr::finding::{Finding, Rule};
use pchr_foreign::format::rules;

use super::ValidateRun;
use super::json::Filters;
use super::verdict::Grade;
use crate::cli::pchr::report::Fold;
use crate::run::Failure;

/// The report as a SARIF log.
pub(super) fn render(report: &ValidateRun<'_>) -> Result<Vec<u8>, Failure> {
    let log = SarifLog {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run(report)],
    };
    let mut text = serde_json::to_vec_pretty(&log).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(text)
}

fn run(report: &ValidateRun<'_>) -> SarifRun {
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
    let results = report.outcomes.iter().enumerate().flat_map(|(index, outcome)| {
        let verdict = outcome.verdict.as_ref().ok();
        let file = ArtifactLocation { index: Some(index), ..artifact(&outcome.path) };
        let folds = verdict.into_iter().flat_map(|verdict| verdict.listed());
        folds.map(move |fold| result(fold, &file))
    });
    SarifRun {
        tool: SarifTool { driver },
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
        short_description: SarifMessage::plain(about),
        help: SarifMessage {
            text: format!("{about} {advice} Example: {example}"),
            markdown: Some(format!("{about}\n\n{advice}\n\nExample: `` {example} ``")),
        },
        default_configuration: Configuration { level: Some(rule.severity().name()), enabled: None },
    }
}

/// The command's result, and the rules that its filters switch off.
fn invocation(report: &ValidateRun<'_>) -> Invocation {
    let off = rules().enumerate();
    let off = off.filter(|(_, rule)| !report.args.filter.keeps(*rule));
    let off = off.map(|(index, rule)| ConfigurationOverride {
        descriptor: DescriptorReference { id: rule.id(), index },
        configuration: Configuration { level: None, enabled: Some(false) },
    });
    let unread = report.outcomes.iter().filter_map(|outcome| {
        let failure = outcome.verdict.as_ref().err()?;
        Some(Notification {
            level: "error",
            message: SarifMessage::plain(failure.to_string()),
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
        message: Some(SarifMessage::plain(finding.message.as_str())),
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
        message: SarifMessage::plain(format!("{path}: {message}{more}")),
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
            region: Some(SarifRegion {
                byte_offset: finding.offset,
                start_line: finding.text.map(|place| place.line),
                // As the log's `columnKind` has it.
                start_column: finding.text.map(|place| place.character),
            }),
        },
        logical_locations: vec![LogicalLocation { fully_qualified_name: finding.path.clone() }],
    }
}

fn artifact(path: &Path) -> ArtifactLocation {
    let (uri, description) = if is_stdin(path) {
        let description = SarifMessage::plain("standard input");
        ("stdin".to_owned(), Some(description))
    } else {
        (of(path), None)
    };
    ArtifactLocation { uri, index: None, description }
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

/// A log with one run (§3.13).
#[derive(Debug, Serialize)]
pub(super) struct SarifLog {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [SarifRun; 1],
}

/// One run of the program (§3.14).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRun {
    tool: SarifTool,
    invocations: [Invocation; 1],
    artifacts: Vec<Artifact>,
    pub(super) results: Vec<SarifResult>,
    column_kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<RunProperties>,
}

/// Properties of a run that are our own.
#[derive(Debug, Serialize)]
pub(super) struct RunProperties {
    pub(super) filters: Filters,
}

/// The program (§3.18).
#[derive(Debug, Serialize)]
pub(super) struct SarifTool {
    pub(super) driver: Driver,
}

/// The program and its rules (§3.19).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    semantic_version: &'static str,
    pub(super) rules: Vec<ReportingDescriptor>,
}

/// A rule (§3.49).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    short_description: SarifMessage,
    pub(super) help: SarifMessage,
    default_configuration: Configuration,
}

/// Text, and the same in Markdown (§3.11, §3.12).
#[derive(Clone, Debug, Serialize)]
pub(super) struct SarifMessage {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

impl SarifMessage {
    /// A message without markup.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), markdown: None }
    }
}

/// Severity of a rule, or its being switched off (§3.50).
#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled: Option<bool>,
}

/// The command as it was run (§3.20).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    execution_successful: bool,
    pub(super) exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rule_configuration_overrides: Vec<ConfigurationOverride>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

/// Another configuration of a rule than its default (§3.51).
#[derive(Debug, Serialize)]
pub(super) struct ConfigurationOverride {
    descriptor: DescriptorReference,
    configuration: Configuration,
}

/// A rule by its id and its place in the driver's list (§3.52).
#[derive(Debug, Serialize)]
pub(super) struct DescriptorReference {
    pub(super) id: &'static str,
    pub(super) index: usize,
}

/// A failure of the program itself (§3.58).
#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: SarifMessage,
    pub(super) locations: [Location; 1],
}

/// A file that was checked (§3.24).
#[derive(Debug, Serialize)]
pub(super) struct Artifact {
    pub(super) location: ArtifactLocation,
    roles: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<ArtifactProperties>,
}

/// Properties of a file that are our own.
#[derive(Debug, Serialize)]
pub(super) struct ArtifactProperties {
    pub(super) verdict: Grade,
}

/// A file's URI reference, and its place in the run's list (§3.4).
#[derive(Clone, Debug, Serialize)]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<SarifMessage>,
}

/// A broken rule (§3.27).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: SarifMessage,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    occurrence_count: u64,
}

/// A place, in a file and in the model (§3.28).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<SarifMessage>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

/// A place in a file (§3.29).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<SarifRegion>,
}

/// A byte of a file, and the line and column of a text, from 1 (§3.30).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRegion {
    byte_offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

/// The path of a value in the model, such as `bones[3].parent` (§3.33).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    fully_qualified_name: String,
}

/// All but unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A relative path stays relative; an absolute one becomes a `file` URI.
pub(super) fn of(path: &Path) -> String {
    let mut uri = String::new();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
                    let _ = write!(uri, "file:///{}:", char::from(letter));
                }
                _ => encode(prefix.as_os_str().as_encoded_bytes(), &mut uri),
            },
            Component::RootDir if uri.is_empty() => uri.push_str("file:///"),
            Component::RootDir => uri.push('/'),
            Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) => {
                if !uri.is_empty() && !uri.ends_with('/') {
                    uri.push('/');
                }
                encode(component.as_os_str().as_encoded_bytes(), &mut uri);
            }
        }
    }
    uri
}

fn encode(bytes: &[u8], uri: &mut String) {
    uri.extend(percent_encode(bytes, ENCODED));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_name_is_encoded() {
        for (path, uri) in [
            ("hero.pchr", "hero.pchr"),
            ("./art/hero.pchr", "art/hero.pchr"),
            ("../art/hero.pchr", "../art/hero.pchr"),
            ("my art/50%#1?.pchr", "my%20art/50%25%231%3F.pchr"),
            ("größe.pchr", "gr%C3%B6%C3%9Fe.pchr"),
        ] {
            assert_eq!(of(Path::new(path)), uri);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_path_is_a_file_uri() {
        assert_eq!(of(Path::new("/a b/hero.pchr")), "file:///a%20b/hero.pchr");
        assert_eq!(of(Path::new("c:hero.pchr")), "c%3Ahero.pchr", "no scheme");
    }

    #[cfg(windows)]
    #[test]
    fn a_path_with_a_drive_is_a_file_uri() {
        assert_eq!(of(Path::new(r"C:\a b\hero.pchr")), "file:///C:/a%20b/hero.pchr");
    }
}
