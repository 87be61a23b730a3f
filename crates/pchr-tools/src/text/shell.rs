//! Command lines to paste: each word is quoted so that the shell hands the program the same word, regardless of its content.
//!
//! Two shells are supported. [`posix`] quotes for `sh` and those that read its quotes (bash, zsh, dash, ksh), and
//! [`power_shell`] for PowerShell on Windows, 5.1 and newer. There is nothing for cmd.exe, which has no way to quote every
//! text: it expands `%NAME%` within quotes, too.

use std::fmt::Write as _;

use super::is_hidden;

/// A shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// `sh` and the like.
    Posix,
    /// PowerShell on Windows.
    PowerShell,
}

impl Shell {
    /// The shell of the system that the program runs on.
    pub const OWN: Self = if cfg!(windows) { Self::PowerShell } else { Self::Posix };
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that reaches the program unchanged. It holds no NUL: no argument can.
    Text(String),
    /// An environment variable that the shell expands; ASCII letters, digits and `_`.
    Variable(String),
}

/// A word of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word(pub Vec<Piece>);

impl<T: Into<String>> From<T> for Word {
    fn from(text: T) -> Self {
        Self(vec![Piece::Text(text.into())])
    }
}

/// A command line from words that hold no variables.
#[must_use]
pub fn line(words: &[String], shell: Shell) -> String {
    match shell {
        Shell::Posix => posix(&words.iter().map(Word::from).collect::<Vec<_>>()),
        Shell::PowerShell => power_shell(words),
    }
}

/// A command line for POSIX shells.
///
/// Text stands in single quotes. Hidden characters and the quotes that only PowerShell knows are written as
/// `"$(printf '\342\200\256')"`: the pasted text is the visible text, and nothing in it runs in PowerShell either.
#[must_use]
pub fn posix(words: &[Word]) -> String {
    let words: Vec<String> = words.iter().map(posix_word).collect();
    words.join(" ")
}

fn posix_word(word: &Word) -> String {
    let mut quoted = String::new();
    for (index, piece) in word.0.iter().enumerate() {
        match piece {
            Piece::Variable(name) => {
                let _ = write!(quoted, "\"${{{name}}}\"");
            }
            Piece::Text(text) => {
                let (option, value) = match text.split_once('=') {
                    Some((option, value)) if index == 0 && is_option(option) => (option, value),
                    _ => ("", text.as_str()),
                };
                if !option.is_empty() {
                    let _ = write!(quoted, "{option}=");
                }
                quote_posix(value, &mut quoted);
            }
        }
    }
    if quoted.is_empty() {
        quoted.push_str("''");
    }
    quoted
}

/// Returns whether a text is the name of an option, like `--frame`.
fn is_option(text: &str) -> bool {
    let name = text.strip_prefix("--");
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
}

/// Quoting of characters for POSIX shells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Single,
    Double,
    Printf,
}

fn quotes(c: char) -> Quotes {
    match c {
        '\'' => Quotes::Double,
        // Substitution drops line ends; single quotes keep them.
        '\n' => Quotes::Single,
        // PowerShell treats these as quotes.
        '\u{2018}'..='\u{201f}' => Quotes::Printf,
        c if is_hidden(c) => Quotes::Printf,
        _ => Quotes::Single,
    }
}

fn quote_posix(text: &str, quoted: &mut String) {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+,=".contains(c);
    if text.chars().all(plain) && !text.starts_with('=') {
        quoted.push_str(text);
        return;
    }
    let mut open = None;
    let close = |open: Option<Quotes>| match open {
        None => "",
        Some(Quotes::Single) => "'",
        Some(Quotes::Double) => "\"",
        Some(Quotes::Printf) => "')\"",
    };
    for c in text.chars() {
        let wanted = quotes(c);
        if open != Some(wanted) {
            quoted.push_str(close(open));
            quoted.push_str(match wanted {
                Quotes::Single => "'",
                Quotes::Double => "\"",
                Quotes::Printf => "\"$(printf '",
            });
            open = Some(wanted);
        }
        if wanted == Quotes::Printf {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        } else {
            quoted.push(c);
        }
    }
    quoted.push_str(close(open));
}

/// A command line for PowerShell. The first word is the program.
///
/// PowerShell has two ways of handing words to programs, and which one depends on its version: 5.1 puts quotes around
/// words with spaces and leaves the quotes in them alone, 7.3 escapes them. Words that both hand over unchanged are typed
/// one by one. Where there is another, `Start-Process` gets the whole line as the program takes it apart.
#[must_use]
pub fn power_shell(words: &[String]) -> String {
    let unchanged =
        |word: &String| !word.is_empty() && !word.contains('"') && !word.ends_with('\\');
    let Some((program, arguments)) = words.split_first() else {
        return String::new();
    };
    if arguments.iter().all(unchanged) {
        let call = if is_bare(program) { "" } else { "& " };
        let quoted = |word: &String| if is_bare(word) { word.clone() } else { single_quoted(word) };
        let words: Vec<String> = words.iter().map(quoted).collect();
        return format!("{call}{}", words.join(" "));
    }
    let arguments: Vec<String> = arguments.iter().map(|word| argument(word)).collect();
    format!(
        "Start-Process -NoNewWindow -Wait {} {}",
        single_quoted(program),
        single_quoted(&arguments.join(" "))
    )
}

/// Returns true if PowerShell passes a word unchanged: a name, or an option without a value.
fn is_bare(word: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic();
    let in_name = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let name = word.starts_with(letter) && word.chars().all(in_name);
    let option = word.starts_with('-') && word.contains(letter);
    name || (option && word.chars().all(|c| letter(c) || c == '-'))
}

/// Puts a text in PowerShell's single quotes. PowerShell takes five characters as single quotes; each one in the text is doubled.
fn single_quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        quoted.push(c);
        if matches!(c, '\'' | '\u{2018}'..='\u{201b}') {
            quoted.push(c);
        }
    }
    quoted.push('\'');
    quoted
}

/// A word as programs on Windows take their arguments apart: backslashes count only before a quote.
fn argument(word: &str) -> String {
    if !word.is_empty() && !word.contains([' ', '\t', '\n', '\u{b}', '"']) {
        return word.to_owned();
    }
    let mut quoted = String::from("\"");
    let mut backslashes = 0_usize;
    for c in word.chars() {
        match c {
            '\\' => backslashes = backslashes.saturating_add(1),
            '"' => {
                // Twice as many, and one for the quote.
                quoted.extend(std::iter::repeat_n('\\', backslashes.saturating_add(1)));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        quoted.push(c);
    }
    quoted.extend(std::iter::repeat_n('\\', backslashes));
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests;
