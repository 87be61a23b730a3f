//! Files of every kind, opened as subjects. A kind of content is one line of [`Openers::ALL`].

mod characters_and_stages;
mod companions;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use pchr::bytes::Budget;
use pchr::document::{Images, PchrRule};
use pchr::finding::{Finding, Findings, Invalid, Rule, RuleText, Severity, TextPlace};
use pchr::format::pchr::MAGIC;
use pchr::format::{SidecarError, Sidecars, Sourced, other, read_source};
use pchr::scene::Subject;
use pchr_foreign::armature::Armature;
use pchr_foreign::format::{AtlasText, looks_like_an_atlas, read_atlas, rules};
use pchr_foreign::sheet::{PageFile, Sheet};

use self::characters_and_stages::StageText;
use self::companions::{find_motions, find_skeleton, is_rig, read_rig};
use crate::files::conflict;

pub use characters_and_stages::{CHARACTERS, STAGE};
pub(crate) use companions::several_beside;
pub use companions::{skeleton_beside, skeletons_beside};

/// Opens one kind of content.
#[derive(Clone, Copy, Debug)]
pub struct Opener {
    /// Name of the kind, in the plural: a choice of a file dialog.
    pub name: &'static str,
    /// Usual extensions of such files, in lower case and without a dot.
    pub endings: &'static [&'static str],
    /// Returns true if a file of a folder is of the kind, by its extension or, if that is ambiguous, its content.
    pub is_in: fn(&Path) -> bool,
    /// Returns whether a file that was named is of the kind, by its content.
    pub recognises: fn(&[u8]) -> bool,
    /// Reads a file that it recognises, and the files that this one names.
    pub open: fn(Cow<'static, [u8]>, &mut dyn Sidecars, &Budget) -> Opening,
}

/// The rule that a file of an added kind breaks if its content is not recognised.
const CONTENT: Rule = Rule::new(&RuleText {
    id: "FILE-E001",
    name: "content",
    severity: Severity::Error,
    about: "The content of a file matches its extension.",
    example: "file: damaged: a .quads file whose content is not recognised as Quads",
    advice: "Export the file again, or give it the extension of its format.",
});

impl Opener {
    /// Opens a file, and notes its kind.
    fn run(
        &self,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        let opened = (self.open)(bytes, sidecars, budget)?;
        Ok(Opened { kind: self.name, ..opened })
    }

    /// Returns whether a file has one of the usual extensions of the kind.
    fn is_named(&self, path: &Path) -> bool {
        let ending = ending(path);
        self.endings.contains(&ending.as_str())
    }

    /// Returns the finding about a file that has an extension of this kind, but other content.
    fn damaged(&self, path: &Path) -> Invalid {
        let (ending, name) = (ending(path), self.name);
        let message =
            format!("damaged: a .{ending} file whose content is not recognised as {name}");
        Invalid(alone(Finding::new(CONTENT, 0, "file", &message)))
    }
}

/// Returns the extension of a name, in lower case and without a dot.
fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Returns whether a name has one of these extensions, given in lower case and with a dot. One that consists only of an extension has none.
pub(crate) fn ends_with(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    { endings.iter() }.any(|ending| name.len() > ending.len() && name.ends_with(ending))
}

/// Reads a character. What is said of a file of another kind names all kinds that are read.
pub(crate) fn read_character(
    bytes: Cow<'static, [u8]>,
    sidecars: &mut dyn Sidecars,
    budget: &Budget,
) -> Sourced {
    let read = read_source(bytes, sidecars, budget);
    read.map_err(|(Invalid(mut findings), bytes)| {
        let mut kept: Vec<_> = findings.iter().cloned().collect();
        if let [finding] = kept.as_mut_slice()
            && finding.rule == PchrRule::Magic
            && !bytes.starts_with(&MAGIC)
            && other::name(&bytes).is_some()
        {
            finding.message.push_str(OTHER_KINDS);
            findings = findings.with_kept(kept);
        }
        (Invalid(findings), bytes)
    })
}

/// What is expected of a file that is no character, after the formats of these.
const OTHER_KINDS: &str = "; or an atlas: PCT (starts with \"PCT:\") or JSON. pchr also reads 3D motions: SEAnim (starts with \"SEAnim\"), its JSON mirror, PXD (\"BINA\") and glTF (\"glTF\", or JSON with asset)";

/// An opened file; or every finding, and the bytes that were read.
pub type Opening = Result<Opened, (Invalid, Cow<'static, [u8]>)>;

/// The kinds of content that a program opens.
#[derive(Clone, Copy, Debug)]
pub struct Openers(pub &'static [Opener]);

impl Openers {
    /// All kinds that are built in. The last takes what no other recognises.
    pub const ALL: Self = Self(&[MOTIONS, ATLASES, CHARACTERS]);

    /// Opens a file by the first opener that recognises it. One that none recognises is left to the last; if that cannot read
    /// it either, the extension of `path` decides which kind is damaged. The characters of a stage are opened in the same way.
    ///
    /// # Errors
    /// [`Invalid`] with every finding if one of them is an error, and the bytes back.
    pub fn open(
        self,
        path: &Path,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        self.open_in(false, path, bytes, sidecars, budget)
    }

    /// Does the same, but also opens a stage whose characters lack animations: [`Stage::missing`](crate::stage::Stage::missing).
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_leniently(
        self,
        path: &Path,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        self.open_in(true, path, bytes, sidecars, budget)
    }

    fn open_in(
        self,
        lenient: bool,
        path: &Path,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        match StageText::of(&bytes) {
            Some(stage) => stage
                .open(self, sidecars, budget, lenient)
                .map_err(|findings| (Invalid(findings), bytes)),
            None => self.open_content(path, bytes, sidecars, budget),
        }
    }

    /// Opens a file that is not a stage.
    fn open_content(
        self,
        path: &Path,
        bytes: Cow<'static, [u8]>,
        sidecars: &mut dyn Sidecars,
        budget: &Budget,
    ) -> Opening {
        let Some((last, others)) = self.0.split_last() else {
            return Err((Invalid(Findings::default()), bytes));
        };
        let recognised = others.iter().find(|opener| (opener.recognises)(&bytes));
        if let Some(opener) = recognised {
            return opener.run(bytes, sidecars, budget);
        }
        let (invalid, bytes) = match last.run(bytes, sidecars, budget) {
            Ok(opened) => return Ok(opened),
            Err(refused) => refused,
        };
        let meant = others.iter().find(|opener| opener.is_named(path));
        let Some(opener) = meant.filter(|_| !last.is_named(path) && conflict(&bytes).is_none())
        else {
            return Err((invalid, bytes));
        };
        // The format's own error is the most precise, if the format is built in.
        let known = |finding: &Finding| rules().any(|rule| rule == finding.rule);
        match opener.run(bytes.clone(), sidecars, budget) {
            Err((Invalid(found), _)) if found.first_error().is_some_and(known) => {
                Err((Invalid(found), bytes))
            }
            _ => Err((opener.damaged(path), bytes)),
        }
    }

    /// Returns the usual extensions of all kinds, like `.pchr or .json`.
    #[must_use]
    pub fn endings(self) -> String {
        let endings = self.0.iter().flat_map(|opener| opener.endings);
        let endings: Vec<_> = endings.map(|ending| format!(".{ending}")).collect();
        match endings.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => endings.concat(),
        }
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

/// A subject, and the wording for the file that it was read from.
pub struct Opened {
    /// The content of the file.
    pub subject: Arc<dyn Subject>,
    /// Name of the opener; empty without one.
    kind: &'static str,
    words: Option<Arc<dyn Words>>,
}

/// The wording for a file: findings in a subject after reading are worded for it, with the lines and columns of a text that
/// may be kept for it.
pub trait Words: Images {
    /// Findings about the subject as findings about the file.
    fn say(&self, found: Findings) -> Findings;
}

impl Opened {
    /// Creates one from a subject whose findings are already worded for its file.
    #[must_use]
    pub fn new(subject: Arc<dyn Subject>) -> Self {
        Self { subject, kind: "", words: None }
    }

    /// A subject whose file has other words than it.
    #[must_use]
    pub fn with_words(subject: Arc<dyn Subject>, words: impl Words + 'static) -> Self {
        Self { words: Some(Arc::new(words)), ..Self::new(subject) }
    }

    /// The same file with a changed subject, which has the same images.
    #[must_use]
    pub fn with_subject(&self, subject: Arc<dyn Subject>) -> Self {
        Self { subject, kind: self.kind, words: self.words.clone() }
    }

    /// Kind of content: the name of its opener, empty if none opened it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The images, to be decoded. Findings about them are worded for the original file, with its lines.
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
        let found = subject.skinned().map(|skinned| skinned.bind_warnings()).unwrap_or_default();
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

/// Opens PCT atlases, and those in JSON; in folders, only the first are looked for.
pub const ATLASES: Opener = Opener {
    name: "Texture atlases",
    endings: &["pct"],
    is_in: |path| ending(path) == "pct",
    recognises: looks_like_an_atlas,
    open: |bytes, sidecars, _| match read_atlas(&bytes) {
        Ok(read) => Ok(Opened::new(Arc::new(sheet(read, &bytes, sidecars)))),
        Err(invalid) => Err((invalid, bytes)),
    },
};

/// An atlas that was read from a text, with the images of its pages.
pub(crate) fn sheet(read: AtlasText, text: &[u8], sidecars: &mut dyn Sidecars) -> Sheet {
    let pages = read.atlas.pages.iter();
    let offsets = pages.clone().map(|page| usize::try_from(page.offset).unwrap_or(usize::MAX));
    let offsets: Vec<usize> = offsets.collect();
    let places = TextPlace::all(text, &offsets);
    let files = pages.zip(places).map(|(page, place)| {
        let png = page_file(sidecars, &page.file);
        PageFile { png, place }
    });
    let files = files.collect();
    let (format, size) = (read.format.name(), text.len() as u64);
    Sheet::new(Arc::new(read.atlas), files, format, size, read.warnings)
}

/// The image file of an atlas's page; or the reason why there is none.
pub(crate) fn page_file(sidecars: &mut dyn Sidecars, file: &str) -> Result<Vec<u8>, String> {
    sidecars.read(file).map_err(|error| match error {
        SidecarError::Outside => {
            "the path leads outside the folder of the atlas; allow this with --allow-outside".into()
        }
        other => other.to_string(),
    })
}

/// Opens SEAnim and its JSON mirror, PXD skeletons and animations, and glTF.
pub const MOTIONS: Opener = Opener {
    name: "3D motions",
    endings: &["seanim", "pxd", "glb", "gltf"],
    // In folders motions are found by their extensions; skeletons are found with their motions.
    is_in: |path| ends_with(path, &[".seanim", ".seanim.json", ".anm.pxd", ".glb", ".gltf"]),
    recognises: is_rig,
    open: open_motion,
};

fn open_motion(bytes: Cow<'static, [u8]>, sidecars: &mut dyn Sidecars, _: &Budget) -> Opening {
    let name = sidecars.name();
    let rig = read_rig(&bytes, &name, sidecars).and_then(|mut rig| {
        let found = find_skeleton(&mut rig, sidecars);
        match found.and_then(|()| find_motions(&mut rig, sidecars)) {
            Ok(()) => Ok(rig),
            Err(finding) => Err(Invalid(alone(finding))),
        }
    });
    match rig {
        Ok(rig) => Ok(Opened::new(Arc::new(Armature::new(rig)))),
        Err(invalid) => Err((invalid, bytes)),
    }
}

/// A finding that is the only one.
fn alone(finding: Finding) -> Findings {
    let mut findings = Findings::default();
    findings.push(finding);
    findings
}
