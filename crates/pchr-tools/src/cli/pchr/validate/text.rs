//! Text for people: a line for each file, its findings below it, and a summary; and a JUnit report with the same text.

use std::fmt::{self, Display, Write as _};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};
use quick_junit::{NonSuccessKind, TestCaseStatus};

use pchr::finding::Severity;

use super::json_and_sarif::Filters;
use super::verdict::{FileVerdict, Grade};
use super::{FileOutcome, ValidateRun};
use crate::cli::pchr::report::Fold;
use crate::run::Failure;
use crate::run::junit_xml::{self, JunitSuite, JunitTest};
use crate::run::messages::Messages;
use crate::text::visible;

/// Places of a rule that are listed without `-v`.
const PLACES: usize = 3;
/// A longer path does not widen the column, but moves the rest of its line.
const WIDEST_PATH: usize = 60;

// Styles of words.
const FILE: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const ASIDE: Style = Style::new().dimmed();

/// The severities, in the order in which they are listed.
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

fn colour(severity: Severity) -> Style {
    match severity {
        Severity::Note => ASIDE,
        Severity::Warning => WARNING,
        Severity::Error => ERROR,
    }
}

/// The report, in colours if stdout supports them and the user allows them.
pub(super) fn render(report: &ValidateRun<'_>, messages: &Messages) -> String {
    let mut text = String::new();
    let shown = |grade| !messages.quiet || report.fails(grade);
    let is_full = messages.verbose && !messages.quiet;
    for (outcome, verdict) in report.verdicts().filter(|(_, verdict)| shown(verdict.grade())) {
        let _ = file(&mut text, outcome, verdict, is_full);
    }
    if report.outcomes.len() > 1 && !messages.quiet {
        let _ = summary(&mut text, report);
    }
    match AutoStream::auto(std::io::stdout()).current_choice() {
        ColorChoice::Never => strip_str(&text).to_string(),
        _ => text,
    }
}

fn file(out: &mut String, of: &FileOutcome, verdict: &FileVerdict, is_full: bool) -> fmt::Result {
    write!(out, "{}: ", styled(FILE, visible(&of.name())))?;
    let valid = (verdict.grade() == Grade::Valid).then(|| styled(GOOD, "valid"));
    let parts: Vec<String> = valid.into_iter().chain(counts(verdict)).collect();
    write!(out, "{}", parts.join(", "))?;
    if !verdict.ignored.is_empty() {
        let count: u64 = verdict.ignored.iter().map(|(_, count)| count).sum();
        let why = match verdict.stopped_by_ignored() {
            true => "; not fully checked: an ignored error prevents loading",
            false => "",
        };
        write!(out, "{}", styled(ASIDE, format!(" ({count} ignored{why})")))?;
    }
    writeln!(out)?;
    verdict.listed().try_for_each(|fold| rule(out, fold, is_full))?;
    match verdict.unlisted() {
        0 => Ok(()),
        more => {
            let rules = plural(more as u64, "more broken rule");
            writeln!(out, "  {}", styled(ASIDE, format!("(and {rules})")))
        }
    }
}

/// `2 errors`, `1 warning`, `3 notes`, of which there are any.
fn counts(verdict: &FileVerdict) -> impl Iterator<Item = String> {
    let all = SEVERITIES.map(|severity| (severity, verdict.total(severity)));
    let some = all.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(severity, count)| styled(colour(severity), plural(count, severity.name())))
}

/// Writes a rule and where it is broken, with paths, places and messages in columns; if `is_full`, with all known places and the remedy.
fn rule(out: &mut String, fold: &Fold, is_full: bool) -> fmt::Result {
    let Fold { rule, count, .. } = fold;
    let severity = styled(colour(rule.severity()), rule.severity().name());
    write!(out, "  {severity} {} {}", rule.id(), rule.name())?;
    if *count > 1 {
        write!(out, ", {count} times")?;
    }
    writeln!(out)?;
    let most = if is_full { usize::MAX } else { PLACES };
    let places: Vec<_> = fold
        .places()
        .take(most)
        .map(|place| (visible(&place.path), place.place().to_string(), visible(&place.message)))
        .collect();
    let paths = places
        .iter()
        .map(|(path, ..)| path.chars().count())
        .filter(|width| *width <= WIDEST_PATH)
        .max();
    let bytes = places.iter().map(|(_, place, _)| place.len()).max();
    let (paths, bytes) = (paths.unwrap_or(0), bytes.unwrap_or(0));
    for (path, place, message) in &places {
        let place = styled(ASIDE, format!("{place:bytes$}"));
        writeln!(out, "    {path:paths$}  {place}  {message}")?;
    }
    let more = count.saturating_sub(places.len() as u64);
    if more > 0 {
        writeln!(out, "    {}", styled(ASIDE, format!("(and {more} more)")))?;
    }
    if is_full {
        writeln!(out, "    {}", styled(ASIDE, format!("help: {}", rule.advice())))?;
    }
    Ok(())
}

fn summary(out: &mut String, report: &ValidateRun<'_>) -> fmt::Result {
    let counts = [
        (report.graded(Grade::Valid), GOOD, "valid"),
        (report.graded(Grade::Warnings), WARNING, "with warnings"),
        (report.graded(Grade::Invalid), ERROR, "invalid"),
        (report.unread(), ERROR, "not read"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let parts = counts.map(|(count, style, words)| styled(style, format!("{count} {words}")));
    let parts: Vec<String> = parts.collect();
    let files = plural(report.outcomes.len() as u64, "file");
    writeln!(out, "{}: {}", styled(FILE, files), parts.join(", "))
}

/// Returns the broken rules and their places, without colours, for test reports.
fn listing(verdict: &FileVerdict, severity: Severity) -> String {
    let mut text = String::new();
    for fold in verdict.listed().filter(|fold| fold.rule.severity() == severity) {
        let _ = rule(&mut text, fold, false);
    }
    strip_str(&text).to_string()
}

fn plural(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Name of the report and of its suite.
const NAME: &str = "pchr validate";

pub(super) fn render_junit(report: &ValidateRun<'_>) -> Result<String, Failure> {
    let mut suite = JunitSuite {
        name: NAME.to_owned(),
        properties: vec![("version", crate::version().to_owned())],
        ..JunitSuite::default()
    };
    if let Some(filters) = Filters::of(report) {
        suite.properties.extend(filters.entries());
    }
    for outcome in &report.outcomes {
        suite.tests.push(JunitTest {
            name: outcome.name(),
            class: "pchr.validate".to_owned(),
            time: outcome.time,
            status: match &outcome.verdict {
                Ok(verdict) => judged(report, outcome, verdict, &mut suite.output),
                Err(failure) => {
                    let message = failure.to_string();
                    junit_xml::failed(NonSuccessKind::Error, "unreadable", &message, "")
                }
            },
        });
    }
    junit_xml::text(NAME, vec![suite])
}

/// Findings about a file that passes go to `output`.
fn judged(
    report: &ValidateRun<'_>,
    outcome: &FileOutcome,
    verdict: &FileVerdict,
    output: &mut String,
) -> TestCaseStatus {
    let [errors, warnings, notes] = SEVERITIES.map(|severity| listing(verdict, severity));
    let summary = strip_str(&counts(verdict).collect::<Vec<_>>().join(", ")).to_string();
    if report.fails(verdict.grade()) {
        let kind = verdict.listed().next().map_or("invalid", |fold| fold.rule.id());
        let details = format!("{errors}{warnings}{notes}");
        return junit_xml::failed(NonSuccessKind::Failure, kind, &summary, &details);
    }
    if !summary.is_empty() {
        let _ = writeln!(output, "{}: {summary}\n{warnings}{notes}", outcome.name());
    }
    TestCaseStatus::success()
}
