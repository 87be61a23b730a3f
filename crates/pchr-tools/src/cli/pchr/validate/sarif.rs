//! `--sarif`: the log that code scanning reads (SARIF 2.1.0).

use std::fmt::Write as _;
use std::path::{Component, Path, Prefix};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};

use pchr::finding::{Finding, Rule};
use pchr_foreign::format::rules;

use super::ValidateRun;
use super::json::Filters;
use crate::cli::pchr::report::Fold;
use crate::run::Failure;
use crate::run::input::is_stdin;

/// The report as a SARIF log with one run (§3.13).
pub(super) fn render(report: &ValidateRun<'_>) -> Result<Vec<u8>, Failure> {
    let log = without_nulls(json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run(report)],
    }));
    let mut text = serde_json::to_vec_pretty(&log).map_err(anyhow::Error::from)?;
    text.push(b'\n');
    Ok(text)
}

/// Leaves out properties without a value.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let there = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(there.map(|(key, value)| (key, without_nulls(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// A list, or null if it is empty.
fn some(list: impl Iterator<Item = Value>) -> Value {
    let list: Vec<Value> = list.collect();
    if list.is_empty() { Value::Null } else { Value::Array(list) }
}

/// The program with its rules (§3.18, §3.19), the command, the files that were checked (§3.24) and the broken rules (§3.14).
/// `properties` are our own.
fn run(report: &ValidateRun<'_>) -> Value {
    let files = report.outcomes.iter().map(|outcome| {
        let verdict = outcome.verdict.as_ref().ok();
        json!({
            "location": artifact(&outcome.path, None),
            "roles": ["analysisTarget"],
            "properties": verdict.map(|verdict| json!({ "verdict": verdict.grade() })),
        })
    });
    let results = report.outcomes.iter().enumerate().flat_map(|(index, outcome)| {
        let verdict = outcome.verdict.as_ref().ok();
        let file = artifact(&outcome.path, Some(index));
        let folds = verdict.into_iter().flat_map(|verdict| verdict.listed());
        folds.map(move |fold| result(fold, &file))
    });
    json!({
        "tool": {
            "driver": {
                "name": "pchr",
                "version": crate::version(),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules().map(descriptor).collect::<Vec<_>>(),
            },
        },
        "invocations": [invocation(report)],
        "artifacts": files.collect::<Vec<_>>(),
        "results": results.collect::<Vec<_>>(),
        "columnKind": "unicodeCodePoints",
        "properties": Filters::of(report).map(|filters| json!({ "filters": filters })),
    })
}

/// A rule of the table (§3.49).
fn descriptor(rule: Rule) -> Value {
    let (about, advice, example) = (rule.about(), rule.advice(), rule.example());
    json!({
        "id": rule.id(),
        "name": rule.name(),
        "shortDescription": { "text": about },
        "help": {
            "text": format!("{about} {advice} Example: {example}"),
            "markdown": format!("{about}\n\n{advice}\n\nExample: `` {example} ``"),
        },
        "defaultConfiguration": { "level": rule.severity().name() },
    })
}

/// The command's result (§3.20), the rules that its filters switch off (§3.51), and files that could not be read (§3.58).
fn invocation(report: &ValidateRun<'_>) -> Value {
    let off = rules().enumerate();
    let off = off.filter(|(_, rule)| !report.args.filter.keeps(*rule));
    let off = off.map(|(index, rule)| {
        json!({
            "descriptor": { "id": rule.id(), "index": index },
            "configuration": { "enabled": false },
        })
    });
    let unread = report.outcomes.iter().filter_map(|outcome| {
        let failure = outcome.verdict.as_ref().err()?;
        let file = artifact(&outcome.path, None);
        Some(json!({
            "level": "error",
            "message": { "text": failure.to_string() },
            "locations": [{ "physicalLocation": { "artifactLocation": file } }],
        }))
    });
    json!({
        "executionSuccessful": report.unread() == 0,
        "exitCode": report.failure().map_or(0, |failure| failure.code()),
        "ruleConfigurationOverrides": some(off),
        "toolExecutionNotifications": some(unread),
    })
}

/// A broken rule at its first place, and its other places (§3.27).
fn result(fold: &Fold, file: &Value) -> Value {
    let others = (1..).zip(&fold.others);
    let others = others.map(|(id, finding)| location(finding, file, Some(id)));
    let more = match fold.more() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let (path, message) = (&fold.first.path, &fold.first.message);
    json!({
        "ruleId": fold.rule.id(),
        "ruleIndex": index(fold.rule),
        "level": fold.rule.severity().name(),
        "message": { "text": format!("{path}: {message}{more}") },
        "locations": [location(&fold.first, file, None)],
        "relatedLocations": some(others),
        "occurrenceCount": fold.count,
    })
}

/// Place of a finding (§3.28): a byte of a binary file, or a line and a column of a text (§3.30). One of several has an id, and its
/// message.
fn location(finding: &Finding, file: &Value, id: Option<usize>) -> Value {
    json!({
        "id": id,
        "message": id.map(|_| json!({ "text": finding.message })),
        "physicalLocation": {
            "artifactLocation": file,
            "region": {
                "byteOffset": finding.offset,
                "startLine": finding.text.map(|place| place.line),
                // As the log's `columnKind` has it.
                "startColumn": finding.text.map(|place| place.character),
            },
        },
        "logicalLocations": [{ "fullyQualifiedName": finding.path }],
    })
}

/// A file's URI reference, and its place in the run's list (§3.4).
fn artifact(path: &Path, index: Option<usize>) -> Value {
    match is_stdin(path) {
        true => {
            json!({ "uri": "stdin", "index": index, "description": { "text": "standard input" } })
        }
        false => json!({ "uri": of(path), "index": index }),
    }
}

/// A rule's place in the driver's list.
fn index(rule: Rule) -> usize {
    let index = rules().position(|other| other == rule);
    debug_assert!(index.is_some(), "the list holds every rule");
    index.unwrap_or_default()
}

/// All but unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A relative path stays relative; an absolute one becomes a `file` URI.
fn of(path: &Path) -> String {
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
