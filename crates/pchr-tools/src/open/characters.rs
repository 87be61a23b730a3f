//! Characters: PCHR v1, both JSON dialects and legacy packed files; recognised in folders.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::{AnimationId, Document, Image, ImageFault, ImageId, Images};
use pchr::finding::{Finding, Findings, Invalid};
use pchr::format::{Origin, Sidecars, json};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::PlaneRule;
use pchr_foreign::plane::{self, ApplyOptions};

use super::companions::{named_motions, unfit};
use super::{Opened, Opener, Opening, Words, alone, read_character};
use crate::files::is_pointer;

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
    let first = u16::try_from(document.animations().len()).ok().map(AnimationId);
    for shown in motions {
        let options = ApplyOptions { names: shown.own.as_deref(), ..ApplyOptions::default() };
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

/// File extensions of characters to search for in folders. A file that is named explicitly is read with any extension. A JSON file
/// may hold anything: it counts if a character begins in it, or if it is empty or a Git LFS pointer, which no JSON file should be.
const EXTENSIONS: &[&str] = &[PCHR, JSON];
const PCHR: &str = "pchr";
const JSON: &str = "json";

/// Bytes of a JSON file that are searched. In most files a hundred are enough.
const LOOK: u64 = 64 << 10;

/// Returns true if a file seems to hold a character, by its extension and, if that is not enough, its content. It must be a regular
/// file: reading a pipe would block.
fn is_character(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or("");
    ending.eq_ignore_ascii_case(PCHR)
        || (ending.eq_ignore_ascii_case(JSON) && begins_a_character(path).unwrap_or(false))
}

fn begins_a_character(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(LOOK).read_to_end(&mut start)?;
    Ok(start.is_empty() || is_pointer(&start) || json::begins_a_document(&start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_told_by_ending_and_json_by_content() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, is) in [
            ("b.PCHR", "", true),
            ("hero.json", r#"{"version":1,"fps":24,"images":[]"#, true),
            ("ball.JSON", r#"{"bones":[{"name":"a","parentIdx":-1}]"#, true),
            ("package.json", r#"{"name":"a","version":"1.0.0"}"#, false),
            ("report.json", r#"{"version":"0.1.0","suite":"suite.toml","cases":[]}"#, false),
            ("cut.json", "", true),
            (
                "pointer.json",
                "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
                true,
            ),
            ("readme.txt", "", false),
            ("pchr", "", false),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(is_character(&path), is, "{name}");
        }
        assert!(!is_character(&folder.path().join("absent.json")));
    }
}
