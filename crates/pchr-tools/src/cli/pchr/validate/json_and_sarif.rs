//! `--json`: an array with an object for each file; and `--sarif`: the log that code scanning reads (SARIF 2.1.0).

use std::fmt::Write as _;
use std::path::{Component, Path, Prefix};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use pchr::finding::{Finding, Rule, Severity};
use pchr_foreign::format::rules;

use super::verdict::{FileVerdict, FilterArgs, Grade};
use super::{FileOutcome, ValidateRun};
use crate::cli::pchr::report::{FindingReport, Fold};
use crate::run::input::is_stdin;

/// The findings about a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::pchr) struct FileReport<'a> {
    /// The file, as it was named.
    file: String,
    /// The worst finding, or that the file could not be read.
    verdict: Grade,
    /// Reason why the file could not be read; absent if it could.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// True if it can be loaded. A file that cannot is not fully checked.
    loads: bool,
    /// Number of errors, counting every place.
    errors: u64,
    /// Number of warnings, counting every place.
    warnings: u64,
    /// Number of notes, counting every place; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    notes: u64,
    /// Broken rules: errors first, then in the order of a file's sections.
    findings: Vec<FindingReport<'a>>,
    /// Number of broken rules that `--max-findings` left out of `findings`.
    unlisted: usize,
    /// Broken rules that the filters ignore.
    ignored: Vec<IgnoredRule>,
    /// The filters that were used, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    filters: Option<Filters>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// An ignored rule.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ignored")]
struct IgnoredRule {
    /// The rule's stable id.
    id: &'static str,
    /// The rule's readable name.
    name: &'static str,
    /// Number of places that break it.
    count: u64,
}

/// The options of the run.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Filters {
    /// Ids of the only rules that are checked; all, if the list is empty.
    only: Vec<&'static str>,
    /// Ids of the rules that are ignored.
    ignore: Vec<&'static str>,
    /// True if warnings fail.
    strict: bool,
    /// True if the smoothness of animations was checked; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    motion_quality: bool,
    /// Maximum number of broken rules listed for each file.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_findings: Option<usize>,
}

impl Filters {
    /// The options of the run, if there are any.
    pub(super) fn of(report: &ValidateRun<'_>) -> Option<Self> {
        let FilterArgs { only, ignore } = &report.args.filter;
        let (strict, max_findings) = (report.args.strict, report.args.max_findings);
        let motion_quality = report.args.motion_quality;
        let used = strict || motion_quality || max_findings.is_some();
        let used = used || !only.is_empty() || !ignore.is_empty();
        used.then(|| Self {
            only: FilterArgs::ids(only),
            ignore: FilterArgs::ids(ignore),
            strict,
            motion_quality,
            max_findings,
        })
    }

    /// The same in words: names and values.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'static str, String)> {
        let ids = |name, ids: &[&str]| (!ids.is_empty()).then(|| (name, ids.join(",")));
        let entries = [
            ids("only", &self.only),
            ids("ignore", &self.ignore),
            self.strict.then(|| ("strict", "true".to_owned())),
            self.motion_quality.then(|| ("motion-quality", "true".to_owned())),
            self.max_findings.map(|most| ("max-findings", most.to_string())),
        ];
        entries.into_iter().flatten()
    }
}

impl<'a> FileReport<'a> {
    fn new(outcome: &'a FileOutcome, filters: Option<Filters>) -> Self {
        let verdict = outcome.verdict.as_ref();
        let total = |severity| verdict.map_or(0, |verdict| verdict.total(severity));
        let ignored = |(rule, count): &(Rule, u64)| {
            let (id, name, count) = (rule.id(), rule.name(), *count);
            IgnoredRule { id, name, count }
        };
        let listed = verdict.into_iter().flat_map(|verdict| verdict.listed());
        let all_ignored = verdict.into_iter().flat_map(|verdict| &verdict.ignored);
        Self {
            file: outcome.name(),
            verdict: verdict.map_or(Grade::Unreadable, FileVerdict::grade),
            message: verdict.err().map(ToString::to_string),
            loads: verdict.is_ok_and(|verdict| verdict.loads),
            errors: total(Severity::Error),
            warnings: total(Severity::Warning),
            notes: total(Severity::Note),
            findings: listed.map(Into::into).collect(),
            unlisted: verdict.map_or(0, FileVerdict::unlisted),
            ignored: all_ignored.map(ignored).collect(),
            filters,
        }
    }
}

pub(super) fn file_reports<'a>(report: &'a ValidateRun<'_>) -> Vec<FileReport<'a>> {
    let files = report.outcomes.iter();
    files.map(|outcome| FileReport::new(outcome, Filters::of(report))).collect()
}

/// The report as a SARIF log with one run (§3.13).
pub(super) fn sarif(report: &ValidateRun<'_>) -> Value {
    without_nulls(json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run(report)],
    }))
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
    let off = rules().enumerate().filter(|(_, rule)| !report.args.filter.keeps(*rule));
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
        "ruleIndex": rules().position(|rule| rule == fold.rule),
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
    let is_stdin = is_stdin(path);
    let uri = if is_stdin { "stdin".to_owned() } else { of(path) };
    let description = is_stdin.then(|| json!({ "text": "standard input" }));
    json!({ "uri": uri, "index": index, "description": description })
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
                _ => uri.extend(percent_encode(prefix.as_os_str().as_encoded_bytes(), ENCODED)),
            },
            Component::RootDir if uri.is_empty() => uri.push_str("file:///"),
            Component::RootDir => uri.push('/'),
            Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) => {
                if !uri.is_empty() && !uri.ends_with('/') {
                    uri.push('/');
                }
                uri.extend(percent_encode(component.as_os_str().as_encoded_bytes(), ENCODED));
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use pchr::document::{AnimationParts, DocumentParts};
    use pchr::format;

    use super::*;
    use crate::cli::pchr::validate::ValidateArgs;
    use crate::run::messages::Messages;
    use crate::run::{Disk, output};

    const MESSAGES: Messages = Messages { quiet: true, verbose: false };

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        args: ValidateArgs,
    }

    /// Returns the output of `--json` with these arguments for a file with warnings, one with damaged text, and a valid one.
    fn printed(args: &[&str]) -> Value {
        let desk = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = desk.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path.into_os_string()
        };
        let odd = DocumentParts {
            animations: vec![AnimationParts::default(); 3],
            ..DocumentParts::default()
        };
        let files = [
            put("odd.pchr", &format::pchr::write(&odd).unwrap()),
            put("text.json", b"{\n  \"version\": 1,\n  \"fps\": }\n"),
            put("sample.pchr", include_bytes!("../../../../../../assets/sample.pchr")),
        ];
        let args = args.iter().map(|arg| (*arg).into());
        let args = ["validate".into()].into_iter().chain(files).chain(args);
        let args = Program::parse_from(args).args;
        let report = ValidateRun::new(&args, &MESSAGES, &Disk::default()).unwrap();
        serde_json::to_value(file_reports(&report)).unwrap()
    }

    /// The schema, changed to refuse unknown properties.
    fn strict() -> Value {
        let mut schema = serde_json::to_value(output::schema::<Vec<FileReport<'_>>>()).unwrap();
        for definition in schema["$defs"].as_object_mut().unwrap().values_mut() {
            if definition["type"] == "object" {
                definition["unevaluatedProperties"] = false.into();
            }
        }
        schema
    }

    #[test]
    fn what_is_printed_is_what_the_schema_says() {
        let validator = jsonschema::validator_for(&strict()).unwrap();
        let errors = |printed: &Value| -> Vec<String> {
            let errors = validator.iter_errors(printed);
            errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
        };
        let all = printed(&[]);
        assert_eq!(errors(&all), [""; 0], "{all:#}");
        assert_eq!(all[1]["findings"][0]["line"], 3);
        let options = "--max-findings 1 --ignore fps-zero --only W102,animation-empty --strict";
        let bounded = printed(&options.split(' ').collect::<Vec<_>>());
        assert_eq!(errors(&bounded), [""; 0], "{bounded:#}");

        // The schema does not accept just anything.
        let mut wrong = all;
        wrong[0]["findings"][0]["advice"] = "none".into();
        assert_eq!(errors(&wrong).len(), 1, "{:?}", errors(&wrong));
    }

    #[test]
    fn columns_are_those_of_the_text_that_was_checked() {
        let desk = tempfile::tempdir().unwrap();
        let path = desk.path().join("a.json");
        let text = "{\n \"bones\": [{\"name\": \"größe\", \"parent\": \"\"}] }";
        std::fs::write(&path, text).unwrap();
        let args = Program::parse_from(["validate".as_ref(), path.as_os_str()]).args;
        let report = ValidateRun::new(&args, &MESSAGES, &Disk::default()).unwrap();
        std::fs::write(&path, "ü".repeat(100)).unwrap();
        let log = sarif(&report);
        let results = log["runs"][0]["results"].as_array().unwrap();
        let fps = results.iter().find(|result| result["ruleId"] == "PCHR-E051");
        let region = &fps.unwrap()["locations"][0]["physicalLocation"]["region"];
        let line = text.lines().nth(1).unwrap();
        let before = line[..line.find("\"\"").unwrap()].chars().count();
        let wanted = (&2.into(), &(before + 1).into());
        assert_eq!((&region["startLine"], &region["startColumn"]), wanted);
    }

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
