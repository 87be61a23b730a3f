//! Text for people: a line for each file, its findings below it, and a summary; and a JUnit report with the same text.

use std::fmt::{self, Display, Write as _};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

use pchr::finding::Severity;

use super::json_and_sarif::Filters;
use super::verdict::{FileVerdict, Grade};
use super::{FileOutcome, ValidateRun};
use crate::cli::pchr::report::Fold;
use crate::run::Failure;
use crate::run::junit_xml::{self, JunitFault, JunitSuite, JunitTest};
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

fn colour(severity: Severity) -> Style {
    match severity {
        Severity::Note => ASIDE,
        Severity::Warning => WARNING,
        Severity::Error => ERROR,
    }
}

/// Returns true if stdout supports colours and the user allows them.
pub(super) fn has_colours() -> bool {
    AutoStream::auto(std::io::stdout()).current_choice() != ColorChoice::Never
}

pub(super) fn render(report: &ValidateRun<'_>, messages: &Messages, colours: bool) -> String {
    let mut text = String::new();
    let shown = |grade| !messages.quiet || report.fails(grade);
    let is_full = messages.verbose && !messages.quiet;
    for (outcome, verdict) in report.verdicts().filter(|(_, verdict)| shown(verdict.grade())) {
        let _ = file(&mut text, outcome, verdict, is_full, colours);
    }
    if report.outcomes.len() > 1 && !messages.quiet {
        let _ = summary(&mut text, report, colours);
    }
    text
}

fn file(
    out: &mut String,
    outcome: &FileOutcome,
    verdict: &FileVerdict,
    is_full: bool,
    colours: bool,
) -> fmt::Result {
    write!(out, "{}: ", styled(colours, FILE, visible(&outcome.name())))?;
    if verdict.grade() == Grade::Valid {
        write!(out, "{}", styled(colours, GOOD, "valid"))?;
    }
    let counts = counts(verdict, colours).to_string();
    let comma = if verdict.grade() == Grade::Valid && !counts.is_empty() { ", " } else { "" };
    write!(out, "{comma}{counts}")?;
    if !verdict.ignored.is_empty() {
        let count: u64 = verdict.ignored.iter().map(|(_, count)| count).sum();
        let why = if verdict.stopped_by_ignored() {
            "; not fully checked: an ignored error prevents loading"
        } else {
            ""
        };
        write!(out, "{}", styled(colours, ASIDE, format!(" ({count} ignored{why})")))?;
    }
    writeln!(out)?;
    verdict.listed().try_for_each(|fold| rule(out, fold, is_full, colours))?;
    match verdict.unlisted() {
        0 => Ok(()),
        1 => writeln!(out, "  {}", styled(colours, ASIDE, "(and 1 more broken rule)")),
        more => {
            writeln!(out, "  {}", styled(colours, ASIDE, format!("(and {more} more broken rules)")))
        }
    }
}

/// `2 errors, 1 warning, 3 notes`; empty if there are none.
fn counts(verdict: &FileVerdict, colours: bool) -> impl Display {
    let part = |severity: Severity| {
        let count = verdict.total(severity);
        (count > 0)
            .then(|| styled(colours, colour(severity), plural(count, severity.name())).to_string())
    };
    let parts = [Severity::Error, Severity::Warning, Severity::Note].map(part);
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Writes a rule and where it is broken, with paths, places and messages in columns; if `is_full`, with all known places and the remedy.
fn rule(out: &mut String, fold: &Fold, is_full: bool, colours: bool) -> fmt::Result {
    let Fold { rule, count, .. } = fold;
    write!(
        out,
        "  {} {} {}",
        styled(colours, colour(rule.severity()), rule.severity().name()),
        rule.id(),
        rule.name()
    )?;
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
        let place = styled(colours, ASIDE, format!("{place:bytes$}"));
        writeln!(out, "    {path:paths$}  {place}  {message}")?;
    }
    let more = count.saturating_sub(places.len() as u64);
    if more > 0 {
        writeln!(out, "    {}", styled(colours, ASIDE, format!("(and {more} more)")))?;
    }
    if is_full {
        writeln!(out, "    {}", styled(colours, ASIDE, format!("help: {}", rule.advice())))?;
    }
    Ok(())
}

fn summary(out: &mut String, report: &ValidateRun<'_>, colours: bool) -> fmt::Result {
    let counts = [
        (report.graded(Grade::Valid), GOOD, "valid"),
        (report.graded(Grade::Warnings), WARNING, "with warnings"),
        (report.graded(Grade::Invalid), ERROR, "invalid"),
        (report.unread(), ERROR, "not read"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, style, words)| styled(colours, style, format!("{count} {words}")).to_string())
        .collect();
    let files = plural(report.outcomes.len() as u64, "file");
    writeln!(out, "{}: {}", styled(colours, FILE, files), parts.join(", "))
}

/// Returns the broken rules and their places, without colours, for test reports.
fn listing(verdict: &FileVerdict, severity: Severity) -> String {
    let mut text = String::new();
    for fold in verdict.listed().filter(|fold| fold.rule.severity() == severity) {
        let _ = rule(&mut text, fold, false, false);
    }
    text
}

fn plural(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn styled(colours: bool, style: Style, text: impl Display) -> impl Display {
    let style = if colours { style } else { Style::new() };
    fmt::from_fn(move |f| write!(f, "{style}{text}{style:#}"))
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
            outcome: match &outcome.verdict {
                Ok(verdict) => judged(report, outcome, verdict, &mut suite.output),
                Err(failure) => junit_xml::JunitOutcome::Error(JunitFault {
                    kind: "unreadable".to_owned(),
                    message: failure.to_string(),
                    details: String::new(),
                }),
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
) -> junit_xml::JunitOutcome {
    let [errors, warnings, notes] = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| listing(verdict, severity));
    let summary = counts(verdict, false).to_string();
    if report.fails(verdict.grade()) {
        let kind = verdict.listed().next().map_or("invalid", |fold| fold.rule.id());
        return junit_xml::JunitOutcome::Failed(JunitFault {
            kind: kind.to_owned(),
            message: summary,
            details: format!("{errors}{warnings}{notes}"),
        });
    }
    if !summary.is_empty() {
        let _ = writeln!(output, "{}: {summary}\n{warnings}{notes}", outcome.name());
    }
    junit_xml::JunitOutcome::Passed
}
