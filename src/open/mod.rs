//! Files of every kind, opened as subjects. A kind of content is one line of [`Openers::ALL`].

mod atlases;
mod characters;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use atlases::ATLASES;
pub use characters::CHARACTERS;

use crate::bytes::Budget;
use crate::document::Images;
use crate::finding::{Findings, Invalid};
use crate::format::Sidecars;
use crate::scene::Subject;

/// Opens one kind of content.
#[derive(Clone, Copy, Debug)]
pub struct Opener {
    /// Name of the kind, in the plural: a choice of a file dialog.
    pub name: &'static str,
    /// Usual endings of such files, in lower case and without a dot.
    pub endings: &'static [&'static str],
    /// Returns whether a file of a folder is of the kind, by its ending and, where that does not tell, its content.
    pub is_in: fn(&Path) -> bool,
    /// Returns whether a file that was named is of the kind, by its content.
    pub recognises: fn(&[u8]) -> bool,
    /// Reads a file that it recognises, and the files that this one names.
    pub open: fn(Cow<'static, [u8]>, &mut dyn Sidecars, &Budget) -> Opening,
}

/// An opened file; or every finding, and the bytes that were read.
pub type Opening = Result<Opened, (Invalid, Cow<'static, [u8]>)>;

/// The kinds of content that a program opens.
#[derive(Clone, Copy, Debug)]
pub struct Openers(pub &'static [Opener]);

impl Openers {
    /// All kinds that are built in. The last takes what no other recognises.
    pub const ALL: Self = Self(&[ATLASES, CHARACTERS]);

    /// Opens a file by the first opener that recognises it. One that none recognises is left to the last, which says what is
    /// wrong with it.
    ///
    /// # Errors
    /// [`Invalid`] with every finding if one of them is an error, and the bytes back.
    pub fn open(
        self,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        let mut openers = self.0.iter();
        let opener = openers.find(|opener| (opener.recognises)(&bytes));
        match opener.or(self.0.last()) {
            Some(opener) => (opener.open)(bytes, sidecars, budget),
            None => Err((Invalid(Findings::default()), bytes)),
        }
    }

    /// The endings of the kinds, with their names.
    #[must_use]
    pub fn in_words(self) -> String {
        let kind = |opener: &Opener| {
            let endings: Vec<String> = opener.endings.iter().map(|end| format!(".{end}")).collect();
            format!("{} ({})", endings.join(", "), opener.name)
        };
        let kinds: Vec<String> = self.0.iter().map(kind).collect();
        kinds.join(", ")
    }

    /// Returns whether a file of a folder is of one of the kinds.
    #[must_use]
    pub fn is_in(self, path: &Path) -> bool {
        self.0.iter().any(|opener| (opener.is_in)(path))
    }
}

impl Default for Openers {
    fn default() -> Self {
        Self::ALL
    }
}

/// A subject, and the words of the file that it was read from.
pub struct Opened {
    /// The content of the file.
    pub subject: Arc<dyn Subject>,
    words: Option<Box<dyn Words>>,
}

/// The words of a file: what is found in a subject after it was read is said in them, with the lines and columns of a text that
/// may be kept for it.
pub trait Words: Images {
    /// Findings about the subject as findings about the file.
    fn say(&self, found: Findings) -> Findings;
}

impl Opened {
    /// A subject whose findings are about its file already.
    #[must_use]
    pub fn new(subject: Arc<dyn Subject>) -> Self {
        Self {
            subject,
            words: None,
        }
    }

    /// A subject whose file has other words than it.
    #[must_use]
    pub fn with_words(subject: Arc<dyn Subject>, words: impl Words + 'static) -> Self {
        Self {
            subject,
            words: Some(Box::new(words)),
        }
    }

    /// The images, to be decoded. Findings about them are said in the words and lines of the file that was read.
    #[must_use]
    pub fn images(&self) -> &dyn Images {
        match &self.words {
            Some(words) => &**words,
            None => &*self.subject,
        }
    }

    /// A warning for each bone without an inverse in the bind pose of `subject`, which is this one with any bind pose.
    #[must_use]
    pub fn bind_warnings(&self, subject: &dyn Subject) -> Findings {
        let found = subject.skinned().map(|skinned| skinned.bind_warnings());
        let found = found.unwrap_or_default();
        match &self.words {
            Some(words) => words.say(found),
            None => found,
        }
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Opened").field(&self.subject).finish()
    }
}
