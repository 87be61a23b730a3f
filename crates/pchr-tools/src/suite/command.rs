//! The command that takes one picture of a suite alone, for a POSIX shell in the suite's folder.
//!
//! Reports may be read on a different system than they are written on, so there is one shell for all of them.

use pchr::scene::Subject;

use super::cases::Case;
use crate::capture::Shot;
use crate::text::shell::{self, Word};
use crate::view::{MARKS, Mark, grammar};

/// Returns the command.
pub(super) fn of(case: &Case, shot: &Shot, subject: &dyn Subject) -> String {
    // Files are named as in the suite, not by the folder that they were found in.
    let mut settings = case.shown.of_shot(subject, shot).settings();
    for (name, setting) in case.options.settings().iter() {
        let row = MARKS.iter().find(|(known, _)| *known == name);
        if row.is_none_or(|(_, marks)| marks.contains(&Mark::File) && settings.has(name)) {
            settings.put(name, setting.clone());
        }
    }
    let mut words: Vec<Word> = vec!["pchr-view".into(), "capture".into(), case.typed.clone()];
    words.extend(grammar::words(&settings).into_iter().map(Word::from));
    words.extend(["-o", "actual.png"].map(Word::from));
    shell::posix(&words)
}
