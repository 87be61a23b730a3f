//! The part of SARIF 2.1.0 that `--sarif` writes (OASIS, "Static Analysis Results Interchange Format", section 3).
//!
//! Optional values that are absent are left out.

use serde::Serialize;

use crate::cli::pchr::validate::json::Filters;
use crate::cli::pchr::validate::verdict::Grade;

/// A log with one run (§3.13).
#[derive(Debug, Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run; 1],
}

/// One run of the program (§3.14).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) invocations: [Invocation; 1],
    pub(super) artifacts: Vec<Artifact>,
    pub(super) results: Vec<SarifResult>,
    pub(super) column_kind: &'static str,
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
pub(super) struct Tool {
    pub(super) driver: Driver,
}

/// The program and its rules (§3.19).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) rules: Vec<ReportingDescriptor>,
}

/// A rule (§3.49).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) short_description: Message,
    pub(super) help: Message,
    pub(super) default_configuration: Configuration,
}

/// Text, and the same in Markdown (§3.11, §3.12).
#[derive(Clone, Debug, Serialize)]
pub(super) struct Message {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<String>,
}

impl Message {
    /// A message without markup.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            markdown: None,
        }
    }
}

/// Severity of a rule, or its being switched off (§3.50).
#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) enabled: Option<bool>,
}

/// The command as it was run (§3.20).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) rule_configuration_overrides: Vec<ConfigurationOverride>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_execution_notifications: Vec<Notification>,
}

/// Another configuration of a rule than its default (§3.51).
#[derive(Debug, Serialize)]
pub(super) struct ConfigurationOverride {
    pub(super) descriptor: DescriptorReference,
    pub(super) configuration: Configuration,
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
    pub(super) message: Message,
    pub(super) locations: [Location; 1],
}

/// A file that was checked (§3.24).
#[derive(Debug, Serialize)]
pub(super) struct Artifact {
    pub(super) location: ArtifactLocation,
    pub(super) roles: [&'static str; 1],
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
    pub(super) description: Option<Message>,
}

/// A broken rule (§3.27).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Message,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) occurrence_count: u64,
}

/// A place, in a file and in the model (§3.28).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<LogicalLocation>,
}

/// A place in a file (§3.29).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

/// A byte of a file, and the line and column of a text, from 1 (§3.30).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) byte_offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_column: Option<u32>,
}

/// The path of a value in the model, such as `bones[3].parent` (§3.33).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub(super) fully_qualified_name: String,
}
