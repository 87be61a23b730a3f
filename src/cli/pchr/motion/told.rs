//! Warnings and losses of several files.

use crate::cli::pchr::report::WrittenReport;
use crate::cli::pchr::written::say_losses;
use crate::finding::Findings;
use crate::format::Losses;
use crate::run::messages::Messages;

/// Things to tell of the files that something was made of, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub(in crate::cli::pchr) struct Told(Vec<About>);

/// Things to tell of a file.
#[derive(Clone, Debug, Default)]
pub(in crate::cli::pchr) struct About {
    /// The name that messages give the file.
    name: String,
    /// Warnings about it.
    pub(in crate::cli::pchr) odd: Findings,
    /// Content that was not carried over.
    pub(in crate::cli::pchr) losses: Losses,
}

impl Told {
    /// Things to tell of a file.
    pub(in crate::cli::pchr) fn of(&mut self, name: &str) -> &mut About {
        let at = self.0.iter().position(|about| about.name == name);
        let at = at.unwrap_or_else(|| {
            self.0.push(About {
                name: name.to_owned(),
                ..About::default()
            });
            self.0.len().saturating_sub(1)
        });
        #[expect(clippy::indexing_slicing, reason = "it was found, or is the last")]
        &mut self.0[at]
    }

    /// Adds all that others have.
    pub(in crate::cli::pchr) fn extend(&mut self, others: Self) {
        for other in others.0 {
            let about = self.of(&other.name);
            about.odd.extend(other.odd);
            about.losses.extend(other.losses);
        }
    }

    /// Says it.
    pub(in crate::cli::pchr) fn say(&self, messages: &Messages) {
        for about in &self.0 {
            messages.oddities(&about.name, &about.odd);
        }
        for about in &self.0 {
            say_losses(&about.name, &about.losses, messages);
        }
    }

    /// Adds it to the report about `main`; other files are named.
    pub(in crate::cli::pchr) fn report(&self, main: &str, report: &mut WrittenReport) {
        for about in &self.0 {
            let prefix = match about.name == main {
                true => String::new(),
                false => format!("{}: ", about.name),
            };
            let warnings = { about.odd.iter() }.map(|finding| format!("{prefix}{finding}"));
            report.warnings.extend(warnings);
            for loss in &about.losses {
                let mut loss = loss.clone();
                loss.first.insert_str(0, &prefix);
                report.not_carried_over.push((&loss).into());
            }
        }
    }
}
