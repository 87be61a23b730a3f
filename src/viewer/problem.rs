//! Problems and notes: what cannot be shown, and why.

use pchr::document::PchrRule;
use pchr::finding::{Finding, Invalid, Severity};
use pchr_tools::session::is_session;
use pchr_tools::stage::broken_file;
use pchr_tools::text::visible;

use crate::viewer::loaded::{LoadError, Source};

/// One failure, shown until it is dismissed or something else is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Failed operation, in words.
    pub title: String,
    /// Reason, in a sentence.
    pub message: String,
    /// The finding that caused it, if the file is at fault.
    pub finding: Option<Box<Finding>>,
    /// Number of further errors.
    pub more: u64,
    /// File with the failure, if any.
    pub source: Option<Source>,
    /// True for a file that ends too early: its export has not finished, or was cut off.
    pub cut_off: bool,
}

impl Problem {
    /// Creates a failure that no file is to blame for.
    pub(crate) fn new(title: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            title: visible(&title.into()).into_owned(),
            message: for_people(&message.into()),
            ..Self::default()
        }
    }

    /// Does the same with a message of several lines.
    pub(crate) fn of_lines(
        title: impl Into<String>,
        lines: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        let lines: Vec<_> = lines.into_iter().map(|line| for_people(line.as_ref())).collect();
        Self { message: lines.join("\n"), ..Self::new(title, "") }
    }

    /// Creates a problem from a finding that does not keep a file from being shown.
    pub(crate) fn of_finding(title: impl Into<String>, finding: &Finding, more: u64) -> Self {
        let message = for_people(&finding.message);
        Self {
            title: title.into(),
            message: match finding.rule == PchrRule::Magic {
                true => unknown(&message),
                false => message,
            },
            finding: Some(Box::new(finding.clone())),
            more,
            ..Self::default()
        }
    }

    /// Gives it another title.
    pub(crate) fn titled(self, title: impl Into<String>) -> Self {
        Self { title: visible(&title.into()).into_owned(), ..self }
    }

    /// Names the file with the failure.
    pub(crate) fn of(self, source: &Source) -> Self {
        Self { source: Some(source.clone()), ..self }
    }

    /// Creates the problem of a file that could not be opened. Of a stage, the title names the file of a character that is damaged.
    pub(crate) fn of_load(source: &Source, error: &LoadError) -> Self {
        let mut title = format!("{} could not be opened", source.name());
        let invalid = match error {
            LoadError::Invalid(invalid) | LoadError::CutOff(invalid) => Some(invalid),
            LoadError::Io(_) | LoadError::Missing(_) => None,
        };
        let first = invalid.and_then(|Invalid(findings)| Some((findings.first_error()?, findings)));
        let mut problem = match first {
            None => Self::new(title, error.to_string()),
            Some((first, findings)) => {
                if let Some(broken) = broken(source, first) {
                    title = format!("{title}: {} is damaged", visible(broken));
                }
                Self::of_finding(title, first, findings.total(Severity::Error).saturating_sub(1))
            }
        };
        if let LoadError::CutOff(_) = error {
            problem.message = "The file ends too early. Export it again.".to_owned();
            problem.cut_off = true;
        }
        problem.of(source)
    }

    /// Returns reason and place on one line.
    pub(crate) fn detail(&self) -> String {
        match &self.finding {
            Some(finding) => for_people(&finding.to_string()),
            None => self.message.clone(),
        }
    }

    /// Returns everything for the clipboard, one line each.
    pub(crate) fn text(&self) -> String {
        let detail = self.detail();
        match self.more {
            0 => format!("{}\n{detail}\n", self.title),
            more => format!("{}\n{detail}\nand {more} more\n", self.title),
        }
    }
}

/// Returns the name of the damaged file of a character that keeps a stage from being opened.
pub(crate) fn broken<'a>(source: &Source, finding: &'a Finding) -> Option<&'a str> {
    let stage = source.path().filter(|path| is_session(path));
    stage.and_then(|_| broken_file(finding))
}

/// Returns a message without the number that the operating system gives its errors.
pub(crate) fn for_people(message: &str) -> String {
    const BEFORE: &str = " (os error ";
    let message = visible(message);
    let mut parts = message.split(BEFORE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.chars().all(|sign| sign.is_ascii_digit()) => {
                text.push_str(rest);
            }
            _ => {
                text.push_str(BEFORE);
                text.push_str(part);
            }
        }
    }
    text
}

/// Returns the message for a file that no opener reads, which names its format if it is a known one.
fn unknown(message: &str) -> String {
    const INSTEAD: &str = "Open a character, an atlas or a 3D motion.";
    match message.split_once("; expected ") {
        Some((kind, _)) => format!("It is {kind}. {INSTEAD}"),
        None => format!("Its format is not known. {INSTEAD}"),
    }
}

/// A message that stays as long as it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// The message in a few words.
    pub text: String,
    /// The reason, with its place in the file. Shown on demand.
    pub detail: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_numbers_of_the_system_and_say_what_to_open() {
        let text = "Cannot read a.png: No such file or directory (os error 2)";
        let told = "Cannot read a.png: No such file or directory";
        assert_eq!(for_people(text), told);
        assert_eq!(Problem::new("", text).message, told);
        for text in ["a (os error x)", "b (os error ", "(2)"] {
            assert_eq!(for_people(text), text);
        }
        let unread = "a PNG image; expected PCHR v1 (starts with \"PCHR\"), PCHR JSON";
        let told = "It is a PNG image. Open a character, an atlas or a 3D motion.";
        assert_eq!(unknown(unread), told);
        assert!(unknown("\"hell\", expected \"PCHR\"").starts_with("Its format is not known. "));
    }
}
