//! Characters: PCHR v1, both JSON dialects and legacy packed files; recognised in folders. And stages: sessions with `[[character]]`
//! tables, opened with the files of all characters.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::{AnimationId, Document, Image, ImageFault, ImageId, Images};
use pchr::finding::{Finding, Findings, Invalid, Rule, RuleText, Severity, TextPlace};
use pchr::format::{Origin, SidecarError, Sidecars, json};
use pchr::pose::{BindChoice, BindPose};
use pchr_foreign::motion::PlaneRule;
use pchr_foreign::plane::{self, ApplyOptions};

use super::companions::{named_motions, unfit};
use super::{Opened, Opener, Openers, Opening, Words, alone, read_character};
use crate::files::{inside, is_pointer};
use crate::stage::{Layout, Stage, StageError, finding_in, finding_of, members};
use crate::text::slashed;

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
        self.say(alone(finding.clone())).iter().next().cloned().unwrap_or(finding)
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

/// Largest text of a stage in bytes.
const LONGEST: usize = 1 << 20;

/// The rule that a stage breaks if its characters cannot be shown together.
pub const STAGE: Rule = Rule::new(&RuleText {
    id: "STAGE-E001",
    name: "stage",
    severity: Severity::Error,
    about: "The files of a stage exist, and its characters have the animations that they play.",
    example: "orc at line 7, column 1 (byte 93): has no animation \"wlak\"; closest: walk",
    advice: "Correct the tables [[character]] of the session.",
});

pub(super) struct StageText {
    text: String,
    layout: Layout,
    /// True if the images of its characters may lie outside their folders.
    allow_outside: bool,
    /// Faults of the tables, by their places.
    faults: Vec<(usize, String)>,
}

impl StageText {
    /// Reads a text that has tables of characters; `None` for anything else.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let short = Some(bytes).filter(|bytes| bytes.len() <= LONGEST)?;
        let text = std::str::from_utf8(short).ok()?;
        let text = Some(text).filter(|text| text.contains(members::CHARACTER))?;
        let table = DeTable::parse(text).ok()?;
        let (key, tables) = table.get_ref().get_key_value(members::CHARACTER)?;
        let mut faults = Vec::new();
        let at = key.span().start;
        let layout = members::read(tables.get_ref(), at, &|at| at, Path::new(""), &mut faults);
        faults.sort();
        let allows = table.get_ref().get("allow-outside").map(|it| it.get_ref());
        let allow_outside = matches!(allows, Some(DeValue::Boolean(true)));
        Some(Self { text: text.to_owned(), layout, allow_outside, faults })
    }

    /// Returns a finding about a place in the text.
    fn fault(&self, at: usize, path: &str, why: &str) -> Finding {
        let text = TextPlace::all(self.text.as_bytes(), &[at]).first().copied();
        Finding { text, ..Finding::new(STAGE, at as u64, path, why) }
    }

    /// Returns a finding about a key of a character, by index.
    fn fault_of(&self, member: usize, key: &str, name: &str, why: &str) -> Finding {
        let at = members::place_of(&self.text, member, key);
        self.fault(at.unwrap_or(0), name, why)
    }

    /// Opens the files of all characters, each once. If `lenient`, they may lack animations.
    pub(super) fn open(
        self,
        openers: Openers,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
        lenient: bool,
    ) -> Result<Opened, Findings> {
        if let Some((at, why)) = self.faults.first() {
            return Err(alone(self.fault(*at, members::CHARACTER, why)));
        }
        let names = self.layout.names();
        let mut files: Vec<(&Path, Arc<Opened>)> = Vec::new();
        let mut opened = Vec::new();
        for (index, (member, name)) in self.layout.members.iter().zip(&names).enumerate() {
            let fault = |why: &str| alone(self.fault_of(index, "file", name, why));
            if let Some((_, same)) = files.iter().find(|(file, _)| *file == member.file) {
                opened.push(Arc::clone(same));
                continue;
            }
            let read = sidecars.read(&slashed(&member.file));
            let content = read.map_err(|error| fault(&error.to_string()))?;
            if Self::of(&content).is_some() {
                return Err(fault("is a stage itself; name its characters here"));
            }
            let (path, allow_outside) = (&member.file, self.allow_outside);
            let mut beside = BesideMember { inner: sidecars, path, allow_outside };
            let content = openers.open_content(path, content.into(), &mut beside, budget);
            let content = content.map_err(|(Invalid(found), _)| {
                let file = slashed(path);
                let named = found.iter().map(|finding| finding_in(name, &file, finding.clone()));
                let named = named.collect();
                found.with_kept(named)
            })?;
            let content = Arc::new(content);
            files.push((path, Arc::clone(&content)));
            opened.push(content);
        }
        let subjects = opened.iter().map(|opened| Arc::clone(&opened.subject)).collect();
        let stage = Stage::new(&self.layout, subjects).map_err(|error| {
            let member = names.iter().position(|name| error == StageError::Spatial(name.clone()));
            alone(self.fault_of(
                member.unwrap_or(0),
                "file",
                members::CHARACTER,
                &error.to_string(),
            ))
        })?;
        let missing = stage.missing().iter();
        let missing: Vec<_> = missing
            .map(|clip| self.fault_of(clip.member, clip.key, &clip.name, &clip.message))
            .collect();
        if !missing.is_empty() && !lenient {
            let mut findings = Findings::default();
            missing.into_iter().for_each(|finding| findings.push(finding));
            return Err(findings);
        }
        let lines = missing.iter().filter_map(|finding| finding.text.map(|text| text.line));
        let stage = Arc::new(stage.with_lines(lines));
        let words = StageWords { stage: Arc::clone(&stage), opened, names };
        Ok(Opened { kind: "Stages", ..Opened::with_words(stage, words) })
    }
}

/// Files beside the file of a character, which the session names.
struct BesideMember<'a> {
    inner: &'a mut dyn Sidecars,
    path: &'a Path,
    allow_outside: bool,
}

impl Sidecars for BesideMember<'_> {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, SidecarError> {
        let path = PathBuf::from(path.replace('\\', "/"));
        if !self.allow_outside && inside(&path).is_none() {
            return Err(SidecarError::Outside);
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        self.inner.read(&slashed(&folder.join(path)))
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The words of the characters' files.
struct StageWords {
    stage: Arc<Stage>,
    opened: Vec<Arc<Opened>>,
    names: Vec<String>,
}

impl Images for StageWords {
    fn image_count(&self) -> usize {
        self.stage.image_count()
    }

    fn image(&self, id: ImageId) -> Option<Image<'_>> {
        self.stage.image(id)
    }

    fn tint(&self, id: ImageId) -> [u8; 3] {
        self.stage.tint(id)
    }

    fn image_finding(&self, id: ImageId, fault: ImageFault, message: String) -> Finding {
        let member = self.stage.image_of(id).and_then(|(member, own)| {
            Some((self.opened.get(member)?, self.names.get(member)?, own))
        });
        match member {
            Some((opened, name, own)) => {
                finding_of(name, opened.images().image_finding(own, fault, message))
            }
            None => self.stage.image_finding(id, fault, message),
        }
    }
}

impl Words for StageWords {
    fn say(&self, found: Findings) -> Findings {
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::fixture::puppet;
    use crate::stage::{Member, broken_file};

    #[test]
    fn characters_are_told_by_ending_and_json_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
        for (name, text, is) in [
            ("b.PCHR", "", true),
            ("hero.json", r#"{"version":1,"fps":24,"images":[]"#, true),
            ("ball.JSON", r#"{"bones":[{"name":"a","parentIdx":-1}]"#, true),
            ("package.json", r#"{"name":"a","version":"1.0.0"}"#, false),
            ("report.json", r#"{"version":"0.1.0","suite":"suite.toml","cases":[]}"#, false),
            ("cut.json", "", true),
            ("pointer.json", pointer, true),
            ("readme.txt", "", false),
            ("pchr", "", false),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(is_character(&path), is, "{name}");
        }
        assert!(!is_character(&folder.path().join("absent.json")));
    }

    /// Opens a text with a puppet, a motion, and another text beside it.
    fn open(text: &str) -> Result<Opened, Invalid> {
        let files = HashMap::from([
            ("art/hero.pchr", puppet().bytes()),
            ("other.pchr-view.toml", b"[[character]]\nfile = \"art/hero.pchr\"\n".to_vec()),
            ("broken.pchr", b"PCHR".to_vec()),
        ]);
        let mut beside = |path: &str| files.get(path).cloned().ok_or("none");
        let bytes = Cow::Owned(text.as_bytes().to_vec());
        let path = Path::new("a.pchr-view.toml");
        let opened = Openers::ALL.open(path, bytes, &mut beside, &Budget::default());
        opened.map_err(|(invalid, _)| invalid)
    }

    #[test]
    fn a_text_with_characters_is_a_stage_and_each_file_is_read_once() {
        let hero = "[[character]]\nfile = \"art/hero.pchr\"\n";
        let opened = open(&format!("zoom = 2\n{hero}{hero}at = [50, 0]\n")).unwrap();
        assert_eq!((opened.kind(), opened.subject.mesh_count()), ("Stages", 6));
        assert_eq!(opened.images().image_count(), 3);
        let finding = opened.images().image_finding(ImageId(1), ImageFault::Data, String::new());
        assert!(finding.path.starts_with("hero: images[1]"), "{}", finding.path);
        assert!(StageText::of(b"file = \"art/hero.pchr\"\n").is_none());
        assert!(StageText::of(br#"{"character": [{"file": "a"}]}"#).is_none());
    }

    #[test]
    fn faults_name_the_character() {
        let of = |file: &str, more: &str| {
            let text = format!("[[character]]\nfile = \"{file}\"\n{more}");
            open(&text).unwrap_err().to_string()
        };
        let Invalid(broken) = open("[[character]]\nfile = \"broken.pchr\"\n").unwrap_err();
        assert_eq!(broken_file(broken.first_error().unwrap()), Some("broken.pchr"));
        let Invalid(none) = open("[[character]]\nfile = \"none.pchr\"\n").unwrap_err();
        assert_eq!(broken_file(none.first_error().unwrap()), None);
        for (error, said) in [
            (
                of("none.pchr", ""),
                "STAGE-E001 stage: none at line 2, column 1 (byte 14): \"none.pchr\": none",
            ),
            (of("broken.pchr", "name = \"orc\"\n"), ": orc: broken.pchr: version at byte 4 "),
            (of("other.pchr-view.toml", ""), "is a stage itself; name its characters here"),
            (of("art/hero.pchr", "play = [\"fly\"]\n"), "hero at line 3, column 1"),
            (
                of("art/hero.pchr", "scale = -1\n"),
                "character at line 3, column 1 (byte 37): scale: expected",
            ),
        ] {
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_stage_may_be_opened_without_the_animations_that_it_names() {
        let text = "# Party\n[[character]]\nfile = \"hero.pchr\"\nplay = [\"fly\", \"walk\"]\n[[character]]\nfile = \"hero.pchr\"\nanimation = \"wlak\"\n";
        let mut beside = |_: &str| Ok::<_, String>(puppet().bytes());
        let (path, budget) = (Path::new("a.pchr-view.toml"), Budget::default());
        let bytes = Cow::Owned(text.as_bytes().to_vec());
        let opened = Openers::ALL.open_leniently(path, bytes, &mut beside, &budget).unwrap();
        let subject = &*opened.subject;
        let stage: &Stage = subject.data().unwrap().downcast_ref().unwrap();
        let missing: Vec<_> = stage.missing().iter().map(ToString::to_string).collect();
        let wanted = [
            "line 4: hero: has no animation \"fly\"",
            "line 7: hero 2: has no animation \"wlak\"; closest: walk",
        ];
        assert_eq!(missing, wanted);
        assert_eq!(subject.animation_count(), 2, "the rest of the list is played");
        let other = Layout { members: vec![Member::new("hero.pchr".into()); 2] };
        assert_eq!(stage.placed(&other).missing(), []);
    }

    #[test]
    fn images_of_a_character_stay_in_its_folder_unless_the_session_allows_others() {
        let mut read = Vec::new();
        let mut inner = |path: &str| {
            read.push(path.to_owned());
            Ok::<_, String>(Vec::new())
        };
        for (allow_outside, path, is_read) in [
            (false, "deep/../a.png", true),
            (false, "..\\a.png", false),
            (false, "/a.png", false),
            (true, "../a.png", true),
        ] {
            let path_of = Path::new("art/hero.json");
            let inner: &mut dyn Sidecars = &mut inner;
            let mut beside = BesideMember { inner, path: path_of, allow_outside };
            assert_eq!(beside.read(path).is_ok(), is_read, "{path}");
        }
        assert_eq!(read, ["art/deep/../a.png", "art/../a.png"]);
    }
}
