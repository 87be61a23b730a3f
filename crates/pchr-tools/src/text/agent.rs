//! Logs of CI services, whose agents take some of the text in them for commands.

use std::io::{self, Write};

use super::is_hidden;

/// Variables that the agents of these services set: GitHub Actions, Azure Pipelines, TeamCity.
const AGENTS: [&str; 3] = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"];

/// Returns true if an agent reads what the program prints.
pub(crate) fn is_listening() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    AGENTS.into_iter().any(is_set)
}

/// Writes text without commands for an agent, if one is listening, so that a name in a file cannot command it. Text is written
/// line by line; [`Write::flush`] writes the last one if it has no end.
#[derive(Debug)]
pub(crate) struct AgentLog<W> {
    to: W,
    agent: bool,
    line: Vec<u8>,
}

impl<W: Write> AgentLog<W> {
    /// Creates a log on a stream.
    pub(crate) fn new(to: W) -> Self {
        Self { to, agent: is_listening(), line: Vec::new() }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        self.to.write_all(harmless(&text).as_bytes())
    }
}

impl<W: Write> Write for AgentLog<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.agent {
            return self.to.write(bytes);
        }
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || part.ends_with(b"\r") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_line()?;
        self.to.flush()
    }
}

/// The line without commands. GitHub's runner obeys `::name::` at the start of a line and `##[name]` anywhere in it, Azure's agent
/// `##vso[name]`. One character of these is escaped as in JSON, whose strings keep their value by that.
fn harmless(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let (blank, mut rest) = line.split_at(line.len().saturating_sub(shown(line).len()));
    text.push_str(blank);
    if let Some(after) = rest.strip_prefix(':').filter(|rest| rest.starts_with(':')) {
        text.push_str("\\u003a");
        rest = after;
    }
    while let Some(at) = rest.find("##") {
        let (before, after) = rest.split_at(at.saturating_add(1));
        text.push_str(before);
        rest = after;
        if let Some(name) = after.strip_prefix('#')
            && name.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[')
        {
            text.push_str("\\u0023");
            rest = name;
        }
    }
    text.push_str(rest);
    text
}

/// The line from its first visible character.
fn shown(line: &str) -> &str {
    let mut rest = line;
    loop {
        let next = match rest.strip_prefix("\u{1b}[") {
            Some(color) => color
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
                .trim_start_matches('m'),
            None => rest
                .trim_start_matches(|c: char| c != '\u{1b}' && (c.is_whitespace() || is_hidden(c))),
        };
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_are_changed() {
        let texts = "a::b ::error::x|error: ::error::x|: :error::x|## a [b]|#[a] ##-[b] # #[c]|##||\
                     größe ##é[x]";
        for text in texts.split('|') {
            assert_eq!(harmless(text), text);
        }
        for (text, written) in [
            ("::error::x", r"\u003a:error::x"),
            (":::x", r"\u003a::x"),
            (" \t\u{3000}::add-mask::x", " \t\u{3000}\\u003a:add-mask::x"),
            ("\u{feff}\u{200b}::x", "\u{feff}\u{200b}\\u003a:x"),
            ("\u{1b}[1;31m \u{1b}[0m::x", "\u{1b}[1;31m \u{1b}[0m\\u003a:x"),
            ("a ##[error]b ##[c]", r"a #\u0023[error]b #\u0023[c]"),
            ("####[x]", r"###\u0023[x]"),
            ("##vso[task.x]", r"#\u0023vso[task.x]"),
            ("##teamcity[x", r"#\u0023teamcity[x"),
            ("::x##[y]", r"\u003a:x#\u0023[y]"),
        ] {
            assert_eq!(harmless(text), written);
        }
    }

    #[test]
    fn lines_are_whole_whatever_the_pieces() {
        let text = "a\n::b\r::c\r\n##[d]\n::e";
        for size in 1..text.len() {
            let mut log = AgentLog { to: Vec::new(), agent: true, line: Vec::new() };
            for piece in text.as_bytes().chunks(size) {
                log.write_all(piece).unwrap();
            }
            log.flush().unwrap();
            let written = String::from_utf8(log.to).unwrap();
            assert_eq!(written, "a\n\\u003a:b\r\\u003a:c\r\n#\\u0023[d]\n\\u003a:e");
        }
    }
}
