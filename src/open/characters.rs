//! Characters: PCHR v1, both JSON dialects and legacy packed files.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Opened, Opener, Opening, Words};
use crate::bytes::Budget;
use crate::character::Character;
use crate::document::{Document, Image, ImageFault, ImageId, Images};
use crate::files::{EXTENSIONS, is_character};
use crate::finding::{Finding, Findings};
use crate::format::{Origin, Sidecars, read_source};
use crate::pose::BindChoice;

/// Opens PCHR v1, both JSON dialects and legacy packed files. It takes every file: what is no character is told by what is wrong
/// with it.
pub const CHARACTERS: Opener = Opener {
    name: "PCHR characters",
    endings: EXTENSIONS,
    is_in: is_character,
    recognises: |_| true,
    open,
};

fn open(bytes: Cow<'static, [u8]>, sidecars: &mut dyn Sidecars, budget: &Budget) -> Opening {
    let (document, origin) = read_source(bytes, sidecars, budget)?;
    let document = Arc::new(document);
    let character = Character::new(Arc::clone(&document), BindChoice::Auto);
    let words = WordsOfText { document, origin };
    Ok(Opened::with_words(Arc::new(character), words))
}

/// The words of a JSON text, if the document was read from one.
struct WordsOfText {
    document: Arc<Document>,
    origin: Origin,
}

impl Images for WordsOfText {
    fn image_count(&self) -> usize {
        self.document.image_count()
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        self.document.image(id)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        let finding = self.document.image_finding(id, fault, message);
        let mut found = Findings::default();
        found.push(finding.clone());
        self.say(found).iter().next().cloned().unwrap_or(finding)
    }
}

impl Words for WordsOfText {
    fn say(&self, found: Findings) -> Findings {
        self.origin.in_words(&self.document, found)
    }
}
