//! Stages: sessions with `[[character]]` tables, opened with the files of all characters.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::document::{Image, ImageFault, ImageId, Images};
use pchr::finding::{Finding, Findings, Invalid, Rule, RuleText, Severity};
use pchr::format::{SidecarError, Sidecars};
use toml::de::{DeTable, DeValue};

use super::{Opened, Openers, Opening, Words, alone};
use crate::stage::{Layout, Stage, finding_of, text};
use crate::text::slashed;

/// Kind of the content.
const KIND: &str = "Stages";

/// Largest text of a stage in bytes.
const LONGEST: usize = 1 << 20;

/// The rule that a stage breaks if its characters cannot be shown together.
const STAGE: Rule = Rule::new(&RuleText {
    id: "STAGE-E001",
    name: "stage",
    severity: Severity::Error,
    about: "The files of a stage exist, and its characters have the animations that they play.",
    example: "hero: cannot read hero.pchr: No such file or directory",
    advice: "Correct the tables [[character]] of the session.",
});

/// The text of a stage.
pub(super) struct StageText {
    layout: Layout,
    /// True if the images of its characters may lie outside their folders.
    allow_outside: bool,
    faults: Vec<(usize, String)>,
}

impl StageText {
    /// Reads a text that has tables of characters; `None` for anything else.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let short = Some(bytes).filter(|bytes| bytes.len() <= LONGEST)?;
        let text = std::str::from_utf8(short).ok()?;
        let text = Some(text).filter(|text| text.contains(text::CHARACTER))?;
        let table = DeTable::parse(text).ok()?;
        let (key, tables) = table.get_ref().get_key_value(text::CHARACTER)?;
        let line = |at: usize| {
            let before = text.get(..at).unwrap_or(text);
            before.matches('\n').count().saturating_add(1)
        };
        let mut faults = Vec::new();
        let at = key.span().start;
        let layout = text::read(tables.get_ref(), at, &line, Path::new(""), &mut faults);
        let allows = table.get_ref().get("allow-outside").map(|it| it.get_ref());
        let allow_outside = matches!(allows, Some(DeValue::Boolean(true)));
        Some(Self { layout, allow_outside, faults })
    }

    /// Opens the files of all characters, each once.
    pub(super) fn open(
        self,
        openers: Openers,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        match self.opened(openers, sidecars, budget) {
            Ok(opened) => Ok(Opened { kind: KIND, ..opened }),
            Err(findings) => Err((Invalid(findings), bytes)),
        }
    }

    fn opened(
        self,
        openers: Openers,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Result<Opened, Findings> {
        let fault = |path: &str, why: &str| alone(Finding::new(STAGE, 0, path, why));
        if let Some((line, why)) = self.faults.first() {
            return Err(fault(&format!("line {line}"), why));
        }
        let names = self.layout.names();
        let mut files: Vec<(&Path, Arc<Opened>)> = Vec::new();
        let mut opened = Vec::new();
        for (member, name) in self.layout.members.iter().zip(&names) {
            if let Some((_, same)) = files.iter().find(|(file, _)| *file == member.file) {
                opened.push(Arc::clone(same));
                continue;
            }
            let read = sidecars.read(&slashed(&member.file));
            let content = read.map_err(|error| fault(name, &error.to_string()))?;
            if Self::of(&content).is_some() {
                return Err(fault(name, "is a stage itself; name its characters here"));
            }
            let (path, allow_outside) = (&member.file, self.allow_outside);
            let mut beside = BesideMember { inner: sidecars, path, allow_outside };
            let content = openers.open_content(path, content.into(), &mut beside, budget);
            let content = content.map_err(|(Invalid(found), _)| {
                let named = found.iter().map(|finding| finding_of(name, finding.clone()));
                let named = named.collect();
                found.with_kept(named)
            })?;
            let content = Arc::new(content);
            files.push((path, Arc::clone(&content)));
            opened.push(content);
        }
        let subjects = opened.iter().map(|opened| Arc::clone(&opened.subject)).collect();
        let stage = Stage::new(&self.layout, subjects);
        let stage = Arc::new(stage.map_err(|error| fault("character", &error.to_string()))?);
        Ok(Opened::with_words(Arc::clone(&stage) as _, StageWords { stage, opened, names }))
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
        let mut depth = 0_usize;
        let inside = path.components().all(|part| match part {
            Component::Normal(_) => {
                depth = depth.saturating_add(1);
                true
            }
            Component::CurDir => true,
            Component::ParentDir => {
                let above = depth.checked_sub(1);
                depth = above.unwrap_or(0);
                above.is_some()
            }
            Component::RootDir | Component::Prefix(_) => false,
        });
        if !inside && !self.allow_outside {
            return Err(SidecarError::Outside);
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        self.inner.read(&slashed(&folder.join(path)))
    }

    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
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

    /// Opens a text with a puppet, a motion, and another text beside it.
    fn open(text: &str) -> Result<Opened, String> {
        let files = HashMap::from([
            ("art/hero.pchr", puppet().bytes()),
            ("other.pchr-view.toml", b"[[character]]\nfile = \"art/hero.pchr\"\n".to_vec()),
            ("broken.pchr", b"PCHR".to_vec()),
        ]);
        let mut beside = |path: &str| files.get(path).cloned().ok_or("none");
        let bytes = Cow::Owned(text.as_bytes().to_vec());
        let path = Path::new("a.pchr-view.toml");
        let opened = Openers::ALL.open(path, bytes, &mut beside, &Budget::default());
        opened.map_err(|(invalid, _)| invalid.to_string())
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
            open(&format!("[[character]]\nfile = \"{file}\"\n{more}")).unwrap_err()
        };
        for (error, said) in [
            (of("none.pchr", ""), "STAGE-E001 stage: none at byte 0 (0x0): \"none.pchr\": none"),
            (of("broken.pchr", "name = \"orc\"\n"), "orc: "),
            (of("other.pchr-view.toml", ""), "is a stage itself; name its characters here"),
            (of("art/hero.pchr", "animation = \"fly\"\n"), "hero: has no animation \"fly\""),
            (of("art/hero.pchr", "scale = -1\n"), "line 3 at byte 0 (0x0): scale: expected"),
        ] {
            assert!(error.contains(said), "{error}");
        }
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
