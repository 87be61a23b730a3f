//! Characters: PCHR v1, both JSON dialects and legacy packed files.

use std::borrow::Cow;
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::{AnimationId, Document, Image, ImageFault, ImageId, Images};
use pchr::finding::{Finding, Findings, Invalid};
use pchr::format::{Origin, Sidecars};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::PlaneRule;
use pchr_foreign::plane::{self, ApplyOptions};

use super::companions::{named_motions, unfit};
use super::document::read_character;
use super::motions::alone;
use super::{Opened, Opener, Opening, Words};
use crate::files::{EXTENSIONS, is_character};

/// Opens PCHR v1, both JSON dialects and legacy packed files. It accepts every file: if a file is not a character, the findings say why.
pub const CHARACTERS: Opener = Opener {
    name: "PCHR characters",
    endings: EXTENSIONS,
    is_in: is_character,
    recognises: |_| true,
    open,
};

fn open(bytes: Cow<'static, [u8]>, sidecars: &mut dyn Sidecars, budget: &Budget) -> Opening {
    let (document, origin) = read_character(bytes, sidecars, budget)?;
    let (document, first, warnings) = match with_motions(document, sidecars) {
        Ok((document, first, warnings)) => (Arc::new(document), first, warnings),
        Err(finding) => return Err((Invalid(alone(finding)), Cow::Borrowed(&[]))),
    };
    let character = Character::new(Arc::clone(&document), BindChoice::Auto).with_first(first);
    let character = match first {
        Some(_) => character.with_warnings(warnings),
        None => character,
    };
    let words = WordsOfText { document, origin };
    Ok(Opened::with_words(Arc::new(character), words))
}

/// The document with an animation for each chosen motion, the first of these, and warnings about them.
fn with_motions(
    mut document: Document,
    sidecars: &mut dyn Sidecars,
) -> Result<(Document, Option<AnimationId>, Findings), Finding> {
    let mut warnings = Findings::default();
    let motions = named_motions(sidecars, &mut warnings)?;
    if motions.is_empty() {
        return Ok((document, None, warnings));
    }
    let first = u16::try_from(document.animations().len())
        .ok()
        .map(AnimationId);
    for shown in motions {
        let options = ApplyOptions {
            names: shown.own.as_deref(),
            ..ApplyOptions::default()
        };
        let refused = |error: &dyn std::fmt::Display| unfit(&shown.name, &error.to_string());
        let bind = BindPose::new(&document, BindChoice::Auto);
        let applied = plane::apply(&document, &bind, &shown.motion, &shown.name, &options);
        let applied = applied.map_err(|error| refused(&error))?;
        warnings.extend(applied.report.findings);
        warnings.put_first(PlaneRule::MotionUnmatched); // the animation may have little of the motion
        document = plane::add(&document, &applied.animation).map_err(|error| refused(&error))?;
    }
    Ok((document, first, warnings))
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
