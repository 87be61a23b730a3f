//! Text for people: a line for each file, its findings below it, and a summary; and a JUnit report with the same text.

use std::fmt::{self, Display, Write as _};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};

use pchr::finding::Severity;

use super::json::Filters;
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

/// Amount of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Files that fail.
    Failing,
    /// All files, the first places of each rule, and a summary.
    Usual,
    /// All places that are known, and what to do.
    Full,
}

impl Detail {
    pub(super) fn of(messages: &Messages) -> Self {
        match (messages.quiet, messages.verbose) {
            (true, _) => Self::Failing,
            (false, false) => Self::Usual,
            (false, true) => Self::Full,
        }
    }
}

/// The colours of words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextColours {
    file: Style,
    good: Style,
    warning: Style,
    error: Style,
    aside: Style,
}

impl TextColours {
    /// Colours if stdout supports them and the user allows them.
    pub(super) fn of_stdout() -> Self {
        match AutoStream::auto(std::io::stdout()).current_choice() {
            ColorChoice::Never => Self::default(),
            _ => Self {
                file: Style::new().bold(),
                good: AnsiColor::Green.on_default(),
                warning: AnsiColor::Yellow.on_default().bold(),
                error: AnsiColor::Red.on_default().bold(),
                aside: Style::new().dimmed(),
            },
        }
    }

    fn of(self, severity: Severity) -> Style {
        match severity {
            Severity::Note => self.aside,
            Severity::Warning => self.warning,
            Severity::Error => self.error,
        }
    }
}

/// The report as text.
pub(super) fn render(report: &ValidateRun<'_>, detail: Detail, ink: TextColours) -> String {
    let mut text = String::new();
    let shown = |grade| detail > Detail::Failing || report.fails(grade);
    for (outcome, verdict) in report.verdicts().filter(|(_, verdict)| shown(verdict.grade())) {
        let _ = file(&mut text, outcome, verdict, detail, ink);
    }
    if report.outcomes.len() > 1 && detail > Detail::Failing {
        let _ = summary(&mut text, report, ink);
    }
    text
}

fn file(
    out: &mut String,
    outcome: &FileOutcome,
    verdict: &FileVerdict,
    detail: Detail,
    ink: TextColours,
) -> fmt::Result {
    write!(out, "{}: ", styled(ink.file, visible(&outcome.name())))?;
    if verdict.grade() == Grade::Valid {
        write!(out, "{}", styled(ink.good, "valid"))?;
    }
    let counts = counts(verdict, ink).to_string();
    let comma = if verdict.grade() == Grade::Valid && !counts.is_empty() { ", " } else { "" };
    write!(out, "{comma}{counts}")?;
    if !verdict.ignored.is_empty() {
        let count: u64 = verdict.ignored.iter().map(|(_, count)| count).sum();
        let why = if verdict.stopped_by_ignored() {
            "; not fully checked: an ignored error prevents loading"
        } else {
            ""
        };
        write!(out, "{}", styled(ink.aside, format!(" ({count} ignored{why})")))?;
    }
    writeln!(out)?;
    verdict.listed().try_for_each(|fold| rule(out, fold, detail, ink))?;
    match verdict.unlisted() {
        0 => Ok(()),
        1 => writeln!(out, "  {}", styled(ink.aside, "(and 1 more broken rule)")),
        more => writeln!(out, "  {}", styled(ink.aside, format!("(and {more} more broken rules)"))),
    }
}

/// `2 errors, 1 warning, 3 notes`; empty if there are none.
pub(super) fn counts(verdict: &FileVerdict, ink: TextColours) -> impl Display {
    let part = |severity: Severity| {
        let count = verdict.total(severity);
        (count > 0).then(|| styled(ink.of(severity), plural(count, severity.name())).to_string())
    };
    let parts = [Severity::Error, Severity::Warning, Severity::Note].map(part);
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A rule, and where it is broken: paths, places and messages are aligned in columns.
fn rule(out: &mut String, fold: &Fold, detail: Detail, ink: TextColours) -> fmt::Result {
    let Fold { rule, count, .. } = fold;
    write!(
        out,
        "  {} {} {}",
        styled(ink.of(rule.severity()), rule.severity().name()),
        rule.id(),
        rule.name()
    )?;
    if *count > 1 {
        write!(out, ", {count} times")?;
    }
    writeln!(out)?;
    let most = if detail == Detail::Full { usize::MAX } else { PLACES };
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
        let place = styled(ink.aside, format!("{place:bytes$}"));
        writeln!(out, "    {path:paths$}  {place}  {message}")?;
    }
    let more = count.saturating_sub(places.len() as u64);
    if more > 0 {
        writeln!(out, "    {}", styled(ink.aside, format!("(and {more} more)")))?;
    }
    if detail == Detail::Full {
        writeln!(out, "    {}", styled(ink.aside, format!("help: {}", rule.advice())))?;
    }
    Ok(())
}

fn summary(out: &mut String, report: &ValidateRun<'_>, ink: TextColours) -> fmt::Result {
    let mut parts = Vec::new();
    for (grade, style, words) in [
        (Grade::Valid, ink.good, "valid"),
        (Grade::Warnings, ink.warning, "with warnings"),
        (Grade::Invalid, ink.error, "invalid"),
    ] {
        match report.graded(grade) {
            0 => {}
            count => parts.push(styled(style, format!("{count} {words}")).to_string()),
        }
    }
    match report.unread() {
        0 => {}
        count => parts.push(styled(ink.error, format!("{count} not read")).to_string()),
    }
    let files = plural(report.outcomes.len() as u64, "file");
    writeln!(out, "{}: {}", styled(ink.file, files), parts.join(", "))
}

/// Returns the broken rules and their places, without colours, for test reports.
fn listing(verdict: &FileVerdict, severity: Severity) -> String {
    let mut text = String::new();
    for fold in verdict.listed().filter(|fold| fold.rule.severity() == severity) {
        let _ = rule(&mut text, fold, Detail::Usual, TextColours::default());
    }
    text
}

/// A number of things.
pub(super) fn plural(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn styled(style: Style, text: impl Display) -> impl Display {
    fmt::from_fn(move |f| write!(f, "{style}{text}{style:#}"))
}

/// Name of the report and of its suite.
const NAME: &str = "pchr validate";

/// The report as XML.
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
    let summary = counts(verdict, TextColours::default()).to_string();
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
