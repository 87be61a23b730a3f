//! The content of a file: one of the kinds in a table, recognised by its bytes.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use pchr::bytes::Budget;
use pchr::character::Character;
use pchr::document::Document;
use pchr::finding::{Findings, Invalid};
use pchr::pose::BindChoice;
use pchr::scene::Subject;
use pchr_foreign::format::gltf::{self, GltfFile, looks_like_gltf};
use pchr_foreign::format::pxd::{self, PxdContent, PxdKind, PxdOutline, outline};
use pchr_foreign::format::{
    MotionFile, looks_like_a_motion, looks_like_an_atlas, read_atlas, read_motion,
};

use super::atlas::AtlasFile;
use crate::files::{Companions, conflict};
use crate::open::{Openers, ends_with};
use crate::run::input::{self, Beside, Input, InputArgs};
use crate::run::{Disk, Failure};

/// The content of a file.
#[derive(Debug)]
pub(super) enum Content {
    Character(Input),
    /// An atlas. Its page images are not read.
    Atlas(Box<AtlasFile>),
    Motion(Box<FileInput<MotionFile>>),
    /// A 3D motion or a skeleton in PXD.
    Pxd(Box<FileInput<PxdFile>>),
    /// A skeleton and motions in glTF.
    Gltf(Box<FileInput<GltfFile>>),
}

impl Content {
    /// Returns the error of a command that does not take this kind of content, with the commands that do.
    pub(super) fn refusal(&self, why: &str) -> Failure {
        let (name, kind) = match self {
            Self::Character(input) => (&*input.name, input.document.source().name()),
            Self::Atlas(file) => (&*file.name, file.read.format.name()),
            Self::Motion(file) => (&*file.name, file.file.format.name()),
            Self::Pxd(file) => (&*file.name, file.file.content.kind().name()),
            Self::Gltf(file) => (&*file.name, "glTF file"),
        };
        Failure::Usage(format!(
            "{name}: {why} a {kind}; pchr inspect, validate, pose and convert read it"
        ))
    }
}

/// Judges the subject of a file, for an option: of a character with its document, of a 3D motion as it is shown.
pub(super) fn judged(
    content: &Content,
    (disk, path, args): (&Disk, &Path, InputArgs),
    option: &str,
    judge: impl Fn(&dyn Subject, Option<&Document>) -> Findings,
) -> Result<Findings, Failure> {
    match content {
        Content::Character(input) => {
            let character = Character::new(input.document.clone(), BindChoice::Auto);
            Ok(input.in_file(judge(&character, Some(&input.document))))
        }
        Content::Atlas(file) => Ok(judge(&file.sheet(disk), None)),
        Content::Motion(_) | Content::Pxd(_) | Content::Gltf(_) => {
            if input::is_stdin(path) {
                let text = format!("{option} reads a 3D motion from its file, not from -");
                return Err(Failure::Usage(text));
            }
            // As it is shown, with the skeleton that lies beside it.
            let opened = input::open(disk, path, &input::name(path), args, &Companions::default())?;
            Ok(judge(&*opened.subject, None))
        }
    }
}

struct ReadableKind {
    /// Usual extensions of such files, in lower case and with a dot; they show what a damaged file was meant to be.
    endings: &'static [&'static str],
    /// Returns whether a file that was named is of the kind, by its content.
    recognises: fn(&[u8]) -> bool,
    read: fn(Vec<u8>, &ContentSource<'_>) -> Result<Content, RefusedFile>,
}

/// Every finding about a file, and its bytes if they are text.
type RefusedFile = (Invalid, Cow<'static, [u8]>);

/// The kinds. The last accepts files that no other recognises.
const KINDS: [ReadableKind; 5] = [
    ReadableKind {
        endings: &[".seanim", ".seanim.json"],
        recognises: looks_like_a_motion,
        read: |bytes, source| source.input(read_motion(bytes.into())).map(Content::Motion),
    },
    ReadableKind { endings: &[".pxd"], recognises: pxd::is_bina, read: pxd_file },
    ReadableKind { endings: &[".glb", ".gltf"], recognises: looks_like_gltf, read: gltf },
    ReadableKind { endings: &[".pct"], recognises: looks_like_an_atlas, read: atlas },
    ReadableKind { endings: &[".pchr", ".json"], recognises: |_| true, read: character },
];

/// The files of a folder that are looked for, in words.
pub(super) const IN_FOLDERS: &str = ".pchr, .pct, .seanim, .seanim.json, .anm.pxd, .skl.pxd, .glb or .gltf file in this folder, and no .json file with a character";

/// Returns whether a file of a folder is of one of the kinds: of those that are shown, or else PXD. Other programs have files that end in
/// .pxd, too: these are looked into.
pub(super) fn is_in(path: &Path) -> bool {
    let holds_bina = || {
        let mut start = [0; 4];
        let file = File::open(path).and_then(|mut file| file.read_exact(&mut start));
        file.is_ok() && pxd::is_bina(&start)
    };
    let is_skeleton = ends_with(path, &[".skl.pxd"]);
    Openers::ALL.is_in(path) || is_skeleton || (ends_with(path, &[".pxd"]) && holds_bina())
}

/// A file that is read.
struct ContentSource<'a> {
    disk: &'a Disk,
    path: &'a Path,
    /// The name that messages give it.
    name: String,
    /// Bytes of the file.
    size: u64,
    args: InputArgs,
    budget: &'a Budget,
}

impl ContentSource<'_> {
    /// The file, if its content could be read.
    fn input<T>(&self, read: Result<T, Invalid>) -> Result<Box<FileInput<T>>, RefusedFile> {
        let file = read.map_err(|invalid| (invalid, Cow::default()))?;
        Ok(Box::new(FileInput { name: self.name.clone(), size: self.size, file }))
    }
}

/// Reads a file, or stdin for `-`, of any kind. Images that a character's JSON names are read, too; those of an atlas are not.
pub(super) fn read(disk: &Disk, path: &Path, args: InputArgs) -> Result<Content, Failure> {
    read_within(disk, path, args, &Budget::default())
}

/// The same where images that become raw pixels draw on a budget.
pub(super) fn read_within(
    disk: &Disk,
    path: &Path,
    args: InputArgs,
    budget: &Budget,
) -> Result<Content, Failure> {
    let name = input::name(path);
    let bytes = input::bytes(disk, path, &name, args)?;
    let size = bytes.len() as u64;
    let source = ContentSource { disk, path, name, size, args, budget };
    let content = of(bytes, &source);
    disk.check_read(Some(path))?;
    content.map_err(|refused| input::refusal(&source.name, refused))
}

fn of(bytes: Vec<u8>, source: &ContentSource<'_>) -> Result<Content, RefusedFile> {
    let [others @ .., last] = &KINDS;
    if let Some(kind) = others.iter().find(|kind| (kind.recognises)(&bytes)) {
        return (kind.read)(bytes, source);
    }
    let is_meant = |kind: &ReadableKind| ends_with(source.path, kind.endings);
    let meant = others.iter().find(|kind| is_meant(kind));
    match meant.filter(|_| conflict(&bytes).is_none()) {
        None => (last.read)(bytes, source),
        // Other content with this extension, or a damaged file, which is reported as the format that it should have.
        Some(kind) => (last.read)(bytes.clone(), source).or_else(|_| (kind.read)(bytes, source)),
    }
}

fn character(bytes: Vec<u8>, source: &ContentSource<'_>) -> Result<Content, RefusedFile> {
    let ContentSource { disk, path, name, args, budget, .. } = source;
    input::document(bytes, disk, path, name.clone(), *args, budget).map(Content::Character)
}

fn atlas(text: Vec<u8>, source: &ContentSource<'_>) -> Result<Content, RefusedFile> {
    let (name, path, args) = (source.name.clone(), source.path.to_owned(), source.args);
    match read_atlas(&text) {
        Ok(read) => Ok(Content::Atlas(Box::new(AtlasFile { name, path, args, read, text }))),
        Err(invalid) => Err((invalid, text.into())),
    }
}

fn gltf(bytes: Vec<u8>, source: &ContentSource<'_>) -> Result<Content, RefusedFile> {
    let mut beside = Beside::new(source.disk, source.path, source.args);
    source.input(gltf::read(&bytes, &mut beside)).map(Content::Gltf)
}

/// Where the content of a file does not tell its kind, its name does.
fn pxd_file(bytes: Vec<u8>, source: &ContentSource<'_>) -> Result<Content, RefusedFile> {
    let is_named = || source.name.to_ascii_lowercase().ends_with(".skl.pxd");
    let kind = PxdKind::of(&bytes).unwrap_or_else(|| match is_named() {
        true => PxdKind::Skeleton,
        false => PxdKind::Animation,
    });
    let read = pxd::read(&bytes, kind).map(|(content, warnings)| {
        let outline = outline(&bytes).unwrap_or_default();
        PxdFile { outline, content, warnings }
    });
    source.input(read).map(Content::Pxd)
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct FileInput<T> {
    /// The name that messages give the file.
    pub(super) name: String,
    /// Bytes of the file.
    pub(super) size: u64,
    pub(super) file: T,
}

/// The content of a PXD file.
#[derive(Debug)]
pub(super) struct PxdFile {
    /// Parts of the container.
    pub(super) outline: PxdOutline,
    pub(super) content: PxdContent,
    pub(super) warnings: Findings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_kind_takes_everything_and_the_others_have_endings() {
        let [others @ .., last] = &KINDS;
        assert!((last.recognises)(b"anything"));
        for kind in others {
            assert!(!(kind.recognises)(b"anything"));
            assert!({ kind.endings.iter() }.all(|ending| ending.starts_with('.')));
        }
        let inside = "walk.seanim a/WALK.SEANIM walk.seanim.json a.pct a.pchr a/walk.ANM.pxd \
                      hero.skl.pxd";
        for name in inside.split(' ') {
            assert!(is_in(Path::new(name)), "{name}");
        }
        for name in "missing.pxd .anm.pxd .seanim seanim walk.seanim.bak".split(' ') {
            assert!(!is_in(Path::new(name)), "{name}");
        }
    }
}
