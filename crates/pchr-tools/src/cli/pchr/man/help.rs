//! The text of `--help` after the options, as sections of a manual page.

use clap::Command;
use clap_mangen::roff::{Roff, roman};

/// The paragraphs.
pub(super) struct Help {
    paragraphs: Vec<String>,
}

impl Help {
    /// The help of a command, with the exit codes of its program if it states none.
    pub(super) fn new(program: &Command, command: &Command) -> Self {
        let mut paragraphs = paragraphs(command);
        if !paragraphs.iter().any(|text| exit_codes(text).is_some()) {
            let inherited = self::paragraphs(program).into_iter();
            paragraphs.extend(inherited.filter(|text| exit_codes(text).is_some()));
        }
        Self { paragraphs }
    }

    /// Paragraphs without a heading, which belong to the description.
    pub(super) fn notes(&self) -> Roff {
        let mut roff = Roff::new();
        let notes = self.paragraphs.iter();
        for text in notes.filter(|text| heading(text).is_none() && exit_codes(text).is_none()) {
            roff.control("PP", []).text([roman(text.as_str())]);
        }
        roff
    }

    /// The paragraphs that have a heading, line by line, and the exit codes.
    pub(super) fn sections(&self) -> Roff {
        let mut roff = Roff::new();
        for text in &self.paragraphs {
            if let Some(codes) = exit_codes(text) {
                roff.control("SH", ["EXIT STATUS"]);
                for (code, meaning) in codes {
                    roff.control("TP", ["4"]).text([roman(code)]);
                    roff.text([roman(meaning)]);
                }
            } else if let Some((heading, lines)) = heading(text) {
                roff.control("SH", [heading.to_uppercase().as_str()]);
                roff.control("nf", []);
                for line in lines.lines() {
                    roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
                }
                roff.control("fi", []);
            }
        }
        roff
    }
}

fn paragraphs(command: &Command) -> Vec<String> {
    let help = command
        .get_after_long_help()
        .or_else(|| command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let paragraphs = help.split("\n\n").map(str::trim_end);
    paragraphs
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The heading and the indented lines below it, like `Examples:`.
fn heading(text: &str) -> Option<(&str, &str)> {
    let (heading, lines) = text.split_once('\n')?;
    let heading = heading.strip_suffix(':')?;
    let indented = lines.lines().all(|line| line.starts_with("  "));
    indented.then_some((heading, lines))
}

/// Codes and their meanings, from `Exit codes: 0 done, 4 errors, or warnings`.
fn exit_codes(text: &str) -> Option<Vec<(&str, String)>> {
    let list = text.strip_prefix("Exit codes: ")?;
    let mut codes: Vec<(&str, String)> = Vec::new();
    for part in list.split(", ") {
        let code = part.split_once(' ');
        match code.filter(|(code, _)| code.parse::<u8>().is_ok()) {
            Some((code, meaning)) => codes.push((code, meaning.to_owned())),
            None => codes.last_mut()?.1.push_str(&format!(", {part}")),
        }
    }
    Some(codes)
}
