//! Fonts of the machine or of files, found by the text that they draw, preferences among them, and folders of fonts.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use fontique::{Blob, Collection, CollectionOptions, FontInfo, FontStyle, SourceKind};
use skrifa::raw::FileRef;
use unicode_script::Script;

use super::face::{Face, FontError, FontFault, is_ignorable};
use super::outline::Excess;

const BASE: &str =
    "DejaVu Sans, Noto Sans, Segoe UI, Helvetica Neue, Helvetica, Arial, Liberation Sans";
const SYMBOLS: &str = "Noto Sans Symbols, Noto Sans Symbols 2, Noto Sans Symbols2, Noto Sans Math, Noto Emoji, \
    Segoe UI Symbol, Segoe UI Emoji, Apple Symbols, Symbola";
const JAPANESE: &str = "Noto Sans CJK JP, Noto Sans JP, Source Han Sans, Source Han Sans JP, Hiragino Sans, \
    Hiragino Kaku Gothic ProN, Yu Gothic UI, Yu Gothic, Meiryo UI, Meiryo, MS Gothic, VL Gothic, IPAGothic, TakaoGothic";
const SIMPLIFIED: &str = "Noto Sans CJK SC, Noto Sans SC, Source Han Sans SC, PingFang SC, Hiragino Sans GB, Heiti SC, \
    Microsoft YaHei UI, Microsoft YaHei, SimSun, WenQuanYi Micro Hei, WenQuanYi Zen Hei, Droid Sans Fallback";
const TRADITIONAL: &str = "Noto Sans CJK TC, Noto Sans TC, Source Han Sans TC, PingFang TC, Heiti TC, \
    Microsoft JhengHei UI, Microsoft JhengHei, PMingLiU, MingLiU";
const KOREAN: &str = "Noto Sans CJK KR, Noto Sans KR, Source Han Sans K, Apple SD Gothic Neo, Malgun Gothic, NanumGothic, \
    Nanum Gothic, UnDotum";
const ARABIC: &str = "Noto Sans Arabic UI, Noto Sans Arabic, Noto Naskh Arabic UI, Noto Naskh Arabic, Segoe UI, Geeza Pro";
const HEBREW: &str = "Noto Sans Hebrew, Segoe UI, Arial Hebrew";
const INDIC: &str = "Nirmala UI";
const DEVANAGARI: &str = "Kohinoor Devanagari, Devanagari Sangam MN";
const THAI: &str = "Leelawadee UI, Thonburi, Loma, Garuda";

/// Names of families, those that are asked first in front.
pub(super) fn families(script: Option<Script>) -> Vec<String> {
    let Some(script) = script else {
        return named(&[BASE, SYMBOLS, JAPANESE, SIMPLIFIED, TRADITIONAL, KOREAN]);
    };
    let mut families = named(match script {
        Script::Latin | Script::Greek | Script::Cyrillic => &[BASE],
        Script::Han | Script::Hiragana | Script::Katakana => {
            &[JAPANESE, SIMPLIFIED, TRADITIONAL, KOREAN]
        }
        Script::Bopomofo => &[TRADITIONAL, SIMPLIFIED, JAPANESE, KOREAN],
        Script::Hangul => &[KOREAN, JAPANESE, SIMPLIFIED, TRADITIONAL],
        Script::Arabic => &[ARABIC],
        Script::Hebrew => &[HEBREW],
        _ => &[],
    });
    let name = script.full_name().replace('_', " ");
    families.push(format!("Noto Sans {name} UI"));
    families.push(format!("Noto Sans {name}"));
    families.extend(named(match script {
        Script::Devanagari => &[DEVANAGARI, INDIC],
        Script::Bengali
        | Script::Gurmukhi
        | Script::Gujarati
        | Script::Oriya
        | Script::Tamil
        | Script::Telugu
        | Script::Kannada
        | Script::Malayalam
        | Script::Sinhala => &[INDIC],
        Script::Thai => &[THAI],
        _ => &[],
    }));
    families.push(format!("Lohit {name}"));
    families.push(format!("Noto Serif {name}"));
    families.extend(named(&[BASE]));
    families
}

fn named(lists: &[&str]) -> Vec<String> {
    lists.iter().flat_map(|list| list.split(", ")).map(str::to_owned).collect()
}

/// Bytes of the largest font file that is read.
const MAX_FILE: u64 = 1 << 28;

/// Fonts of one file.
const MAX_FACES: u32 = 1000;

/// Choices, and characters of fonts, that are kept.
const MAX_KEPT: usize = 8192;

/// The number of a family.
pub(super) type FaceId = usize;

/// Families of fonts, each with the one font of it that is used.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    families: Vec<Family>,
    /// Numbers of families in lower case; empty where families are asked in their own order.
    names: HashMap<String, FaceId>,
    orders: HashMap<Option<Script>, FaceOrder>,
    choices: HashMap<(Option<Script>, String), Option<FaceId>>,
    /// Remembers which characters fonts can draw.
    drawn: HashMap<(FaceId, char), bool>,
    /// The file of each family; empty for the fonts of the machine, another of which is taken where one fails.
    files: Vec<PathBuf>,
    /// First font of the files that takes too much work to draw, and the limit that it exceeds.
    refused: Option<(FaceId, Excess)>,
}

#[derive(Debug)]
enum Family {
    /// Fonts from the most to the least regular one.
    Closed(String, Vec<FontInfo>),
    Open(Box<Face>),
    Useless,
}

/// Families in the order in which they are asked.
#[derive(Clone, Debug)]
struct FaceOrder {
    all: Arc<[FaceId]>,
    /// Number of faces at the start of `all` that are meant for the script.
    preferred: usize,
}

impl Catalogue {
    /// All fonts of the machine.
    pub(super) fn system() -> Self {
        let mut collection = collection();
        let mut names: Vec<String> = collection.family_names().map(str::to_owned).collect();
        // These stand in for characters that they do not draw.
        let stand_ins = [".", "LastResort", "Last Resort", "Adobe Blank", "Adobe NotDef", "Tofu"];
        names.retain(|name| !stand_ins.iter().any(|start| name.starts_with(start)));
        names.sort();
        names.dedup();
        let mut families = Vec::with_capacity(names.len());
        let mut numbers = HashMap::with_capacity(names.len());
        for name in names {
            let Some(family) = collection.family_by_name(&name) else { continue };
            let mut fonts = family.fonts().to_vec();
            fonts.sort_by_cached_key(regularity);
            numbers.entry(name.to_lowercase()).or_insert(families.len());
            families.push(Family::Closed(name, fonts));
        }
        Self { families, names: numbers, ..Self::default() }
    }

    /// The fonts of files, which are asked in this order.
    pub(super) fn from_files(paths: &[PathBuf]) -> Result<Self, FontError> {
        let mut catalogue = Self::default();
        for path in paths {
            let faces = read(path)?.into_iter().map(Box::new).map(Family::Open);
            catalogue.families.extend(faces);
            let count = catalogue.families.len();
            catalogue.files.resize(count, path.clone());
        }
        Ok(catalogue)
    }

    /// The font of the interface alone.
    pub(super) fn interface() -> Self {
        let bytes = Blob::from(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        let face = Face::open(bytes, 0, None).ok().map(Box::new).map(Family::Open);
        Self { families: face.into_iter().collect(), ..Self::default() }
    }

    /// Returns true if the first font draws all visible characters.
    pub(super) fn draws_all(&mut self, text: &str) -> bool {
        !self.families.is_empty() && self.draws(0, text)
    }

    /// An opened font.
    pub(super) fn face(&self, id: FaceId) -> Option<&Face> {
        match self.families.get(id)? {
            Family::Open(face) => Some(face),
            Family::Closed(..) | Family::Useless => None,
        }
    }

    /// Notes what a font cannot draw.
    pub(super) fn refuse(&mut self, id: FaceId, excess: Excess) {
        self.refused.get_or_insert((id, excess));
    }

    /// Returns what the first file cannot draw.
    pub(super) fn refused(&self) -> Result<(), FontError> {
        let refused = self.refused.as_ref();
        match refused.and_then(|(id, excess)| Some((self.files.get(*id)?, excess))) {
            Some((path, excess)) => Err(FontError { path: path.clone(), fault: (*excess).into() }),
            None => Ok(()),
        }
    }

    /// A font that is meant for a script and draws the whole of a text.
    pub(super) fn choose_for_all(&mut self, script: Option<Script>, text: &str) -> Option<FaceId> {
        let order = self.order(script);
        order.all.iter().take(order.preferred).find(|id| self.draws(**id, text)).copied()
    }

    /// The font for a cluster of characters: the first that draws all of them, or at least the first of them.
    pub(super) fn choose(&mut self, script: Option<Script>, cluster: &str) -> Option<FaceId> {
        let key = (script, cluster.to_owned());
        if let Some(choice) = self.choices.get(&key) {
            return *choice;
        }
        let choice = self.search(script, cluster).or_else(|| {
            let first = cluster.chars().next()?;
            let is_part = first.len_utf8() < cluster.len() && !is_ignorable(first);
            self.search(script, is_part.then(|| cluster.get(..first.len_utf8()))??)
        });
        if self.choices.len() >= MAX_KEPT {
            self.choices.clear();
        }
        self.choices.insert(key, choice);
        choice
    }

    fn search(&mut self, script: Option<Script>, text: &str) -> Option<FaceId> {
        let order = self.order(script);
        order.all.iter().find(|id| self.draws(**id, text)).copied()
    }

    fn order(&mut self, script: Option<Script>) -> FaceOrder {
        if let Some(order) = self.orders.get(&script) {
            return order.clone();
        }
        let count = self.families.len();
        let mut all: Vec<FaceId> = Vec::with_capacity(count);
        if !self.names.is_empty() {
            let families = families(script);
            let names = families.iter().map(|name| name.to_lowercase());
            for id in names.filter_map(|name| self.names.get(&name).copied()) {
                if !all.contains(&id) {
                    all.push(id);
                }
            }
        }
        let preferred = if self.names.is_empty() { count } else { all.len() };
        let mut is_named = vec![false; count];
        for id in &all {
            if let Some(named) = is_named.get_mut(*id) {
                *named = true;
            }
        }
        let others = is_named.iter().enumerate().filter(|(_, named)| !**named);
        all.extend(others.map(|(id, _)| id));
        let all = all.into();
        let order = FaceOrder { all, preferred };
        self.orders.insert(script, order.clone());
        order
    }

    /// Returns true if a font draws all visible characters.
    fn draws(&mut self, id: FaceId, text: &str) -> bool {
        let mut seen = text.chars().filter(|character| !is_ignorable(*character));
        seen.all(|character| self.has(id, character))
    }

    fn has(&mut self, id: FaceId, character: char) -> bool {
        if let Some(has) = self.drawn.get(&(id, character)) {
            return *has;
        }
        self.open(id);
        let has = self.face(id).map_or(Ok(false), |face| face.has(character));
        let has = has.unwrap_or_else(|excess| {
            self.refuse(id, excess);
            false
        });
        if self.drawn.len() >= MAX_KEPT {
            self.drawn.clear();
        }
        self.drawn.insert((id, character), has);
        has
    }

    fn open(&mut self, id: FaceId) {
        let Some(family) = self.families.get_mut(id) else { return };
        if let Family::Closed(name, fonts) = family {
            let face = fonts.iter().find_map(|font| {
                let data = font.load(None)?;
                Face::open(data, font.index(), Some(name)).ok()
            });
            *family = face.map_or(Family::Useless, |face| Family::Open(Box::new(face)));
        }
    }
}

/// Fonts that the system lists.
#[cfg(any(windows, target_vendor = "apple"))]
fn collection() -> Collection {
    Collection::new(CollectionOptions { shared: false, system_fonts: true })
}

/// Fonts in folders.
#[cfg(not(any(windows, target_vendor = "apple")))]
fn collection() -> Collection {
    let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    for file in folders::font_files() {
        // One by one: of several, fontique adds all before once more with each.
        // <https://github.com/linebender/parley/issues/683>
        collection.load_fonts_from_paths([file]);
    }
    collection
}

/// A key that sorts upright fonts of regular weight and width first, else by file.
fn regularity(font: &FontInfo) -> (bool, u32, u32, PathBuf, u32) {
    let apart = |value: f32, from: f32| ((value - from).abs() * 100.0).to_bits();
    let path = match font.source().kind() {
        SourceKind::Path(path) => path.to_path_buf(),
        SourceKind::Memory(_) => PathBuf::new(),
    };
    let weight = if font.has_weight_axis() { 400.0 } else { font.weight().value() };
    (
        font.style() != FontStyle::Normal,
        apart(font.width().ratio(), 1.0),
        apart(weight, 400.0),
        path,
        font.index(),
    )
}

fn read(path: &Path) -> Result<Vec<Face>, FontError> {
    let refused = |fault| FontError { path: path.to_owned(), fault };
    let unreadable = |error| refused(FontFault::Unreadable(error));
    let about = fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(unreadable(io::Error::new(io::ErrorKind::InvalidInput, "not a file")));
    }
    if about.len() > MAX_FILE {
        return Err(unreadable(io::ErrorKind::FileTooLarge.into()));
    }
    let data = Blob::from(fs::read(path).map_err(unreadable)?);
    let count = match FileRef::new(data.as_ref()) {
        Ok(FileRef::Font(_)) => 1,
        Ok(FileRef::Collection(collection)) => collection.len(),
        Err(_) => 0,
    };
    if count == 0 {
        return Err(refused(FontFault::NoFont));
    }
    if count > MAX_FACES {
        let many = format!("{count} fonts in one file, expected at most {MAX_FACES}");
        return Err(unreadable(io::Error::other(many)));
    }
    (0..count).map(|index| Face::open(data.clone(), index, None).map_err(refused)).collect()
}

/// Folders of font files, as fontconfig's settings name them, without fontconfig.
#[cfg(not(any(windows, target_vendor = "apple")))]
mod folders {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    use walkdir::{DirEntry, WalkDir};

    /// Folders within folders that are searched, and their files.
    const MAX_DEPTH: usize = 17;

    /// Files that may hold fonts, in order.
    pub(super) fn font_files() -> Vec<PathBuf> {
        let mut entered = BTreeSet::new();
        let found = folders().into_iter().flat_map(|folder| collect(&folder, &mut entered));
        let mut found: Vec<PathBuf> = found.collect();
        found.sort();
        found
    }

    /// Returns the font files of a folder and of those in it that were not entered before.
    fn collect(folder: &Path, entered: &mut BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let walk = WalkDir::new(folder).max_depth(MAX_DEPTH).follow_links(true).into_iter();
        let new = walk.filter_entry(|entry| {
            !entry.file_type().is_dir()
                || fs::canonicalize(entry.path()).is_ok_and(|real| entered.insert(real))
        });
        let is_font = |path: &PathBuf| {
            let extension = path.extension().unwrap_or_default();
            ["ttf", "otf", "ttc", "otc"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        let files = new.flatten().filter(|entry| entry.file_type().is_file());
        files.map(DirEntry::into_path).filter(is_font).collect()
    }

    /// Folders that are there, without links in their paths: a folder within another follows it.
    fn folders() -> BTreeSet<PathBuf> {
        let home = env::var_os("HOME").map(PathBuf::from);
        let data = folder("XDG_DATA_HOME").or_else(|| Some(home.as_ref()?.join(".local/share")));
        let mut found = BTreeSet::new();
        found.extend(data.as_ref().map(|data| data.join("fonts")));
        found.extend(home.as_ref().map(|home| home.join(".fonts")));
        let shared = env::var_os("XDG_DATA_DIRS").filter(|folders| !folders.is_empty());
        let shared = shared.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
        found.extend(env::split_paths(&shared).map(|folder| folder.join("fonts")));
        found.extend(["/usr/share/fonts", "/usr/local/share/fonts"].map(PathBuf::from));
        for settings in settings(home.as_deref()) {
            let Ok(settings) = fs::read_to_string(settings) else { continue };
            found.extend(named(&settings, home.as_deref(), data.as_deref()));
        }
        found.into_iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect()
    }

    /// An absolute folder in the environment.
    fn folder(variable: &str) -> Option<PathBuf> {
        env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
    }

    /// Files of fontconfig's settings.
    fn settings(home: Option<&Path>) -> Vec<PathBuf> {
        let own = folder("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")));
        let mut files = vec![PathBuf::from("/etc/fonts/fonts.conf")];
        files.extend(env::var_os("FONTCONFIG_FILE").map(PathBuf::from));
        files.extend(own.map(|own| own.join("fontconfig/fonts.conf")));
        let parts = fs::read_dir("/etc/fonts/conf.d").into_iter().flatten().flatten();
        let parts = parts.map(|part| part.path());
        files.extend(parts.filter(|part| part.extension().is_some_and(|it| it == "conf")));
        files
    }

    /// Folders that `dir` elements name.
    fn named(settings: &str, home: Option<&Path>, data: Option<&Path>) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for part in uncommented(settings).split("<dir").skip(1) {
            let Some((attributes, rest)) = part.split_once('>') else { continue };
            let Some((name, _)) = rest.split_once('<') else { continue };
            let name = name.trim();
            let folder = if let Some(name) = name.strip_prefix("~/") {
                home.map(|home| home.join(name))
            } else if attributes.contains("\"xdg\"") {
                data.map(|data| data.join(name))
            } else {
                Some(PathBuf::from(name))
            };
            found.extend(folder.filter(|folder| folder.is_absolute()));
        }
        found
    }

    fn uncommented(settings: &str) -> String {
        let mut parts = settings.split("<!--");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text.push_str(part.split_once("-->").map_or("", |(_, rest)| rest));
        }
        text
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn settings_name_folders() {
            let settings = r#"<fontconfig><!-- <dir>/no</dir> -->
                <dir>/usr/share/fonts</dir> <dir prefix="xdg">fonts</dir>
                <dir>~/.fonts</dir> <dir>relative</dir> <dir"#;
            let folders = named(settings, Some(Path::new("/home/a")), Some(Path::new("/data")));
            let expected = ["/usr/share/fonts", "/data/fonts", "/home/a/.fonts"];
            assert_eq!(folders, expected.map(PathBuf::from));
        }

        #[test]
        fn each_folder_is_entered_once() {
            let folder = tempfile::tempdir().unwrap();
            let inner = folder.path().join("inner");
            fs::create_dir(&inner).unwrap();
            for name in ["b.ttf", "a.OTF", "c.pfb"] {
                fs::write(inner.join(name), "").unwrap();
            }
            std::os::unix::fs::symlink(folder.path(), inner.join("again")).unwrap();
            let mut entered = BTreeSet::new();
            let mut found = collect(folder.path(), &mut entered);
            found.sort();
            assert!(collect(&inner, &mut entered).is_empty());
            assert!(found.iter().eq(&["a.OTF", "b.ttf"].map(|name| inner.join(name))), "{found:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_is_asked_of_japan_first() {
        let families = families(Some(Script::Han));
        let place = |name: &str| families.iter().position(|family| family == name).unwrap();
        let order =
            ["JP", "SC", "TC", "KR"].map(|region| place(&format!("Noto Sans CJK {region}")));
        assert!(order.is_sorted(), "{order:?}");
    }

    #[test]
    fn a_family_may_be_named_after_its_script() {
        let families = families(Some(Script::Meetei_Mayek));
        assert!(families.iter().any(|family| family == "Noto Sans Meetei Mayek"));
    }
}
