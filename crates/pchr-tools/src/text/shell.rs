//! Command lines to paste: each word is quoted so that the shell hands the program the same word, regardless of its content.
//!
//! Two shells are supported. [`posix`] quotes for `sh` and those that read its quotes (bash, zsh, dash, ksh), and
//! [`power_shell`] for PowerShell on Windows, 5.1 and newer. There is nothing for cmd.exe, which has no way to quote every
//! text: it expands `%NAME%` within quotes, too.

use std::fmt::Write as _;

use super::is_hidden;

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

/// A command line for the shell of the system that the program runs on, from words that hold no variables.
#[must_use]
pub fn line(words: &[String]) -> String {
    if cfg!(windows) {
        power_shell(words)
    } else {
        posix(&words.iter().map(Word::from).collect::<Vec<_>>())
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

/// How characters for POSIX shells are quoted: what stands before and after them.
type Quotes = [&'static str; 2];

const SINGLE: Quotes = ["'"; 2];
const DOUBLE: Quotes = ["\""; 2];
const PRINTF: Quotes = ["\"$(printf '", "')\""];

fn quotes(c: char) -> Quotes {
    match c {
        '\'' => DOUBLE,
        // Substitution drops line ends; single quotes keep them.
        '\n' => SINGLE,
        // PowerShell treats these as quotes.
        '\u{2018}'..='\u{201f}' => PRINTF,
        c if is_hidden(c) => PRINTF,
        _ => SINGLE,
    }
}

fn quote_posix(text: &str, quoted: &mut String) {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+,=".contains(c);
    if text.chars().all(plain) && !text.starts_with('=') {
        quoted.push_str(text);
        return;
    }
    let characters: Vec<char> = text.chars().collect();
    for alike in characters.chunk_by(|a, b| quotes(*a) == quotes(*b)) {
        let alike: String = alike.iter().collect();
        let [open, close] = alike.chars().next().map_or(SINGLE, quotes);
        quoted.push_str(open);
        if [open, close] == PRINTF {
            for byte in alike.bytes() {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        } else {
            quoted.push_str(&alike);
        }
        quoted.push_str(close);
    }
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
    let Some((program, arguments)) = words.split_first() else { return String::new() };
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
mod tests {
    //! Lines that shells take apart: a real `sh`, and a model of PowerShell and of programs on Windows.

    use proptest::prelude::*;

    use super::*;

    fn posix_line(words: &[String]) -> String {
        posix(&words.iter().map(Word::from).collect::<Vec<_>>())
    }

    /// Names that shells have interpreted or damaged.
    const HOSTILE: [&str; 24] = [
        "",
        " ",
        "-",
        "--",
        "--x=y z",
        "=ls",
        "~",
        "a$(touch pwned)b.pchr",
        "`touch pwned`",
        "$HOME ${HOME} $env:PATH %PATH%",
        "'; touch pwned; '",
        "'$(touch pwned)'",
        "\\\"$(touch pwned)",
        "\u{2019}; touch pwned; \u{2018}",
        "\"&calc&\"",
        "\\",
        "a b\\",
        "a\\\"b",
        "!! ^a^b # ;&|<>()*?[]{}",
        "\n",
        "a\n\nb\n",
        "\r\t\u{7}\u{1b}[31m",
        "\u{202e}cba\u{fffe}",
        "größe 日本 ❤\u{fe0f}",
    ];

    fn texts() -> impl Strategy<Value = String> {
        prop_oneof![
            "[^\0]{0,12}",
            "[a-z '\"\\\\$`#!*~%^&|;=\n\u{2018}-\u{201f}\u{202e}-]{0,12}",
            prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
        ]
    }

    /// Arguments that a program receives when PowerShell runs a line: 5.1 if `old`, else 7.3.
    ///
    /// The model knows what lines consist of: words of plain characters, texts in single quotes, and spaces. Anything else
    /// would be read as more than text, and fails the test.
    fn power_shell_words(line: &str, old: bool) -> Vec<String> {
        let is_quote = |c: char| matches!(c, '\'' | '\u{2018}'..='\u{201b}');
        let mut words: Vec<String> = Vec::new();
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            let mut word = String::new();
            if is_quote(c) {
                loop {
                    let c = chars.next().unwrap_or_else(|| panic!("{line}: no end"));
                    if !is_quote(c) {
                        word.push(c);
                    } else if chars.peek().copied().is_some_and(is_quote) {
                        word.extend(chars.next());
                    } else {
                        break;
                    }
                }
            } else {
                word.push(c);
                while let Some(c) = chars.next_if(|c| *c != ' ') {
                    word.push(c);
                }
                assert!(is_bare(&word) || (word == "&" && words.is_empty()), "{line}: {word}");
            }
            assert!(chars.next().is_none_or(|c| c == ' '), "{line}: no space between words");
            words.push(word);
        }
        if words.first().is_some_and(|word| word == "&") {
            words.remove(0);
        }
        if words.first().is_some_and(|word| word == "Start-Process") {
            let [_, window, wait, program, arguments] = words.as_slice() else { panic!("{line}") };
            assert_eq!([window, wait], ["-NoNewWindow", "-Wait"]);
            return [vec![program.clone()], windows_words(arguments)].concat();
        }
        let program = words.remove(0);
        let handed = |word: &String| match old {
            false => argument(word),
            true if word.contains(char::is_whitespace) => format!("\"{word}\""),
            true => word.clone(),
        };
        let handed: Vec<String> = words.iter().map(handed).collect();
        [vec![program], windows_words(&handed.join(" "))].concat()
    }

    /// Takes a command line apart as programs on Windows do (`CommandLineToArgvW`, without the program).
    fn windows_words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut chars = line.chars().peekable();
        loop {
            while chars.next_if(|c| " \t".contains(*c)).is_some() {}
            if chars.peek().is_none() {
                return words;
            }
            let (mut word, mut quoted) = (String::new(), false);
            loop {
                let mut backslashes = 0;
                while chars.next_if_eq(&'\\').is_some() {
                    backslashes += 1;
                }
                let kept = if chars.peek() == Some(&'"') { backslashes / 2 } else { backslashes };
                word.extend(std::iter::repeat_n('\\', kept));
                match chars.next() {
                    Some('"') if backslashes % 2 == 1 => word.push('"'),
                    Some('"') => quoted = !quoted,
                    Some(' ' | '\t') if !quoted => break,
                    Some(c) => word.push(c),
                    None => break,
                }
            }
            words.push(word);
        }
    }

    /// Arguments that a program receives when `sh` runs a line, in an empty folder that stays empty.
    #[cfg(unix)]
    fn sh_words(line: &str) -> Vec<String> {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().unwrap();
        let script = format!("show() {{ for word do printf '%s\\000' \"$word\"; done; }}\n{line}");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(&folder);
        shell.env("ART", std::ffi::OsStr::from_bytes(b"a  b*/$(x)"));
        let output = shell.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{line} has run something");
        let mut words: Vec<_> = output.stdout.split(|byte| *byte == 0).collect();
        assert_eq!(words.pop(), Some(&b""[..]));
        words.into_iter().map(|word| String::from_utf8(word.to_vec()).unwrap()).collect()
    }

    #[test]
    fn plain_words_are_left_alone() {
        let words = ["pchr-view", "capture", "art/hero-1.pchr", "--frame=3", "--center=0,-1.5"];
        let words = words.map(str::to_owned);
        assert_eq!(posix_line(&words), words.join(" "));
        let wanted = "pchr-view capture art/hero-1.pchr '--frame=3' '--center=0,-1.5'";
        assert_eq!(power_shell(&words), wanted);
        let odd = ["a b", "--animation=it's", "\u{202e}x", "=a"].map(str::to_owned);
        let wanted = r#"'a b' --animation='it'"'"'s' "$(printf '\342\200\256')"'x' '=a'"#;
        assert_eq!(posix_line(&odd), wanted);
    }

    #[cfg(unix)]
    #[test]
    fn variables_are_left_to_the_shell_and_stay_one_word() {
        let word =
            Word(vec![Piece::Variable("ART".into()), Piece::Text("/$ART $(touch pwned)".into())]);
        let line = posix(&["show".into(), word]);
        assert_eq!(line, "show \"${ART}\"'/$ART $(touch pwned)'");
        assert_eq!(sh_words(&line), ["a  b*/$(x)/$ART $(touch pwned)"]);
    }

    /// Fails if PowerShell would run more of a line for `sh` than `printf` with numbers.
    fn assert_harmless_in_power_shell(line: &str) {
        let is_quote = |c: char| matches!(c, '\'' | '\u{2018}'..='\u{201b}');
        let is_double = |c: char| matches!(c, '"' | '\u{201c}'..='\u{201e}');
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            if is_quote(c) {
                while chars.next_if(|c| !is_quote(*c)).is_some() {}
                assert!(chars.next().is_some(), "{line}: no end");
            } else if is_double(c) {
                let mut text = String::new();
                while let Some(c) = chars.next() {
                    if !is_double(c) || chars.next_if(|c| is_double(*c)).is_some() {
                        text.push(c);
                    } else {
                        break;
                    }
                }
                for (index, call) in text.split("$(").enumerate() {
                    let (call, rest) = call.split_once(')').unwrap_or(("", call));
                    let digits = call.trim_start_matches("printf '").trim_end_matches('\'');
                    assert!(index == 0 || !digits.is_empty(), "{line}");
                    assert!(digits.chars().all(|c| c == '\\' || c.is_ascii_digit()), "{line}");
                    assert!(rest.chars().all(|c| "'\"".contains(c)), "{line}");
                }
            } else {
                assert!(c.is_ascii_alphanumeric() || "-_./:@+,= \n".contains(c), "{line}: {c:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[cfg(unix)]
        #[test]
        fn every_word_survives_sh(words in prop::collection::vec(texts(), 1..8)) {
            let line = posix_line(&[&["show".to_owned()], words.as_slice()].concat());
            assert_harmless_in_power_shell(&line);
            prop_assert_eq!(sh_words(&line), words);
        }

        #[test]
        fn every_word_survives_powershell(words in prop::collection::vec(texts(), 0..8)) {
            let typed = [&["pchr-view".to_owned()], words.as_slice()].concat();
            let line = power_shell(&typed);
            for old in [true, false] {
                prop_assert_eq!(power_shell_words(&line, old), typed.clone(), "{}", line);
            }
        }
    }

    #[test]
    fn every_hostile_word_survives_both() {
        let typed: Vec<String> = ["show"].into_iter().chain(HOSTILE).map(str::to_owned).collect();
        for old in [true, false] {
            assert_eq!(power_shell_words(&power_shell(&typed), old), typed);
            for hostile in HOSTILE {
                let typed = ["show", hostile].map(str::to_owned);
                let line = power_shell(&typed);
                assert_eq!(power_shell_words(&line, old), typed, "{line}");
            }
        }
        let line = posix_line(&typed);
        assert_harmless_in_power_shell(&line);
        #[cfg(unix)]
        assert_eq!(sh_words(&line), HOSTILE);
    }
}
