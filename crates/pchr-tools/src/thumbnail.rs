//! Small pictures of files, drawn by the CPU renderer: for file managers, for overviews of folders, and for the window.
//!
//! A [`Figure`] is an opened file that is drawn small, at its default moment or while it plays. [`ThumbnailCache`] keeps the
//! pictures where file managers keep theirs, as the Thumbnail Managing Standard of freedesktop.org has them: a picture is named by the
//! MD5 of its file's URI, and says in texts which version of the file it shows. What broke in a file that has no picture is kept in the
//! same way, for this version of the program.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use md5::{Digest as _, Md5};
use parking_lot::Mutex;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use png::{BitDepth, ColorType};
use serde::{Deserialize, Serialize};

use pchr::finding::Severity;
use pchr::image::Pixels;
use pchr::raster::RasterModel;

use crate::capture::{CaptureError, CpuWorker, Output, Shot, StageTimes};
use crate::open::Openers;
use crate::run::input::{self, InputArgs};
use crate::run::prepare::{self, Prepared};
use crate::run::{Disk, Failure};
use crate::session::is_session;
use crate::text::visible;
use crate::view::plan::PlanJob;
use crate::view::{Background, Playing, SamplesArg, Shown, Size};

/// Facts about a file by which it is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Kind of content: the name of its opener.
    pub kind: String,
    /// Number of bones.
    pub bones: usize,
    /// Number of warnings.
    pub warnings: u64,
}

/// A small picture of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Thumbnail {
    /// The picture, with straight alpha.
    pub pixels: Pixels,
    /// Facts about the file.
    pub facts: Facts,
}

/// A file that is drawn small: transparent, and as large as its whole animation allows.
#[expect(missing_debug_implementations, reason = "pixels")]
pub struct Figure {
    prepared: Prepared,
    model: RasterModel,
    facts: Facts,
    /// Width and height of the block of drawn pixels that becomes one.
    block: u32,
}

/// Sides up to which pictures are drawn larger, and then made smaller: smaller copies of all images would take longer.
const FINE: u32 = 512;

impl Figure {
    /// Opens a file for square pictures with this side.
    ///
    /// # Errors
    /// [`Failure`], with exit code 4 if the file was read and is invalid.
    pub fn open(openers: Openers, path: &Path, side: u32) -> Result<Self, Failure> {
        Self::read(&Disk::new(openers), path, side)
    }

    /// Opens a file by the disk of a run. A session is drawn at its moment and with its parts, but whole and alone.
    pub(crate) fn read(disk: &Disk, path: &Path, side: u32) -> Result<Self, Failure> {
        let (mut shown, mut file) = (Shown::default(), path.to_owned());
        let mut args = InputArgs::default();
        if is_session(path) {
            let session = input::session(disk, path, &shown, &Playing::default())?;
            args.allow_outside = session.reads_outside();
            (shown, file) = (session.shown, session.file);
        }
        let block = (FINE / side.max(1)).max(1);
        let shown = Shown {
            resolution: Some(Size([side.saturating_mul(block); 2])),
            center: None,
            zoom: None,
            background: Some(Background::Transparent),
            overlay: Vec::new(),
            msaa: SamplesArg::default(),
            mipmaps: None,
            overlay_scale: Some(block.min(8)),
            ..shown
        };
        let name = input::name(&file);
        let opened = input::open(disk, &file, &name, args, &shown.companions())?;
        let (mut images, findings) = prepare::decode(&opened, &name)?;
        prepare::replace_images(disk, &shown, opened.images(), args, &mut images)?;
        let outputs = [Output::Stdout];
        let plan = PlanJob::new(&shown, &outputs);
        let prepared = Prepared::new(disk, &plan, args, &opened.subject, &|_| None)?;
        let of_bind = opened.bind_warnings(&*prepared.subject).total(Severity::Warning);
        let facts = Facts {
            kind: opened.kind().to_owned(),
            bones: prepared.subject.bone_count(),
            warnings: findings.total(Severity::Warning).saturating_add(of_bind),
        };
        let model = prepare::cpu_model(&*prepared.subject, images, prepared.picture.mipmaps);
        Ok(Self { prepared, model, facts, block })
    }

    /// Draws the default moment.
    ///
    /// # Errors
    /// [`CaptureError`] if the picture would take too much work or memory.
    pub fn thumbnail(&self) -> Result<Thumbnail, CaptureError> {
        Ok(Thumbnail { pixels: self.at(0.0)?, facts: self.facts.clone() })
    }

    /// Draws the moment that many seconds after the default one, over and over; with straight alpha.
    ///
    /// # Errors
    /// Those of [`Self::thumbnail`].
    pub fn at(&self, secs: f64) -> Result<Pixels, CaptureError> {
        let Some(first) = self.prepared.plan.shots.first() else {
            return Ok(Pixels::transparent());
        };
        let later = first.at.and_then(|at| {
            let mut timeline = self.prepared.subject.animation(at.animation)?.timeline;
            timeline.looping = true;
            let start = at.position() / timeline.fps;
            (secs > 0.0).then(|| timeline.at(at.animation, start + secs))
        });
        let shot = Shot { at: later.or(first.at), ..*first };
        let pixels = Mutex::new(Pixels::empty());
        let job = self.prepared.job(1);
        CpuWorker::new(&job, 1).take(&self.model, 0, &shot, &StageTimes::default(), &|taken| {
            *pixels.lock() = taken.pixels.clone();
            Ok(())
        })?;
        Ok(smaller(pixels.into_inner(), self.block))
    }

    /// Returns the pictures per second while it plays; `None` if nothing moves.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let at = self.prepared.plan.shots.first()?.at?;
        let timeline = self.prepared.subject.animation(at.animation)?.timeline;
        (timeline.frame_count > 1).then_some(timeline.fps)
    }
}

/// Returns the reason why a file is not shown, for a place that names the file already.
#[must_use]
pub fn reason(failure: &Failure, path: &Path) -> String {
    let text = failure.to_string();
    let file = format!("{}: ", input::name(path));
    let text = text.strip_prefix("cannot read ").unwrap_or(&text);
    visible(text.strip_prefix(&file).unwrap_or(text)).into_owned()
}

/// Returns a picture with straight alpha of which each pixel is the mean of a block.
fn smaller(pixels: Pixels, block: u32) -> Pixels {
    let (width, height) = (pixels.width / block, pixels.height / block);
    let (side, columns) = (block as usize, width as usize);
    if side <= 1 || columns == 0 {
        return pixels;
    }
    let mut rgba = Vec::with_capacity(pixels.rgba.len() / (side * side));
    let texels = pixels.rgba.as_chunks::<4>().0;
    let mut sums = vec![[0_u32; 4]; columns];
    for rows in texels.chunks_exact(pixels.width as usize * side) {
        sums.fill([0; 4]);
        for row in rows.chunks_exact(pixels.width as usize) {
            for ([red, green, blue, alpha], block) in sums.iter_mut().zip(row.chunks_exact(side)) {
                for [r, g, b, a] in block {
                    if *a > 0 {
                        let a = u32::from(*a);
                        *red += u32::from(*r) * a;
                        *green += u32::from(*g) * a;
                        *blue += u32::from(*b) * a;
                        *alpha += a;
                    }
                }
            }
        }
        for [r, g, b, alpha] in &sums {
            if *alpha == 0 {
                rgba.extend_from_slice(&[0; 4]);
                continue;
            }
            let mean =
                |sum: &u32, count: u32| u8::try_from((sum + count / 2) / count).unwrap_or(255);
            let all = block * block;
            rgba.extend_from_slice(&[
                mean(r, *alpha),
                mean(g, *alpha),
                mean(b, *alpha),
                mean(alpha, all),
            ]);
        }
    }
    Pixels { width, height, rgba }
}

/// Bytes of a path that its URI escapes: those that GLib escapes, since the name of a thumbnail depends on it.
const ESCAPED: &AsciiSet = &{
    let mut set = NON_ALPHANUMERIC.remove(b'-');
    let mut plain: &[u8] = b"_.!~*'()/&=:@+$,";
    while let Some((byte, rest)) = plain.split_first() {
        set = set.remove(*byte);
        plain = rest;
    }
    set
};

/// Names of texts in a thumbnail.
const FACTS: &str = "X-pchr-view::Facts";
const REASON: &str = "Description";

/// Sides of thumbnails, each with its folder.
const SIDES: [(u32, &str); 2] = [(128, "normal"), (256, "large")];

/// Bytes of a thumbnail, at most: more than those of its pixels.
const MOST: u64 = 1 << 20;

/// The state of a file, by which a thumbnail is known to be up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileVersion {
    /// Seconds since 1970 of the last change.
    pub secs: u64,
    /// Size in bytes.
    pub bytes: u64,
}

impl FileVersion {
    /// Returns the current state of a file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let time = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let secs = time.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Ok(Self { secs, bytes: metadata.len() })
    }
}

/// The thumbnails of a user.
#[derive(Clone, Debug)]
pub struct ThumbnailCache {
    folder: PathBuf,
    side: u32,
    subfolder: &'static str,
}

impl ThumbnailCache {
    /// Returns the thumbnails in a folder that are at least this large, or the largest.
    #[must_use]
    pub fn new(folder: PathBuf, side: u32) -> Self {
        let [.., largest] = SIDES;
        let fitting = SIDES.into_iter().find(|(size, _)| *size >= side);
        let (side, subfolder) = fitting.unwrap_or(largest);
        Self { folder, side, subfolder }
    }

    /// Returns the thumbnail of a file, or the reason why it has none; `None` if this version of the file has not been drawn.
    #[must_use]
    pub fn get(&self, file: &Path, version: FileVersion) -> Option<Result<Thumbnail, String>> {
        let uri = uri(file);
        let (mut texts, pixels) = read(&self.place(&uri), &uri, version)
            .or_else(|| read(&self.failure(&uri), &uri, version))?;
        if let Some(reason) = texts.remove(REASON) {
            return Some(Err(reason));
        }
        let facts: Facts = serde_json::from_str(texts.get(FACTS)?).ok()?;
        let is_whole = pixels.width == self.side && pixels.height == self.side;
        is_whole.then_some(Ok(Thumbnail { pixels, facts }))
    }

    /// Keeps the thumbnail of a version of a file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn put(&self, file: &Path, version: FileVersion, it: &Thumbnail) -> io::Result<()> {
        let facts = serde_json::to_string(&it.facts)?;
        let uri = uri(file);
        write(&self.place(&uri), &encode(&it.pixels, &uri, version, (FACTS, &facts))?)
    }

    /// Keeps the reason why a version of a file has no thumbnail.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn put_failure(&self, file: &Path, version: FileVersion, why: &str) -> io::Result<()> {
        let uri = uri(file);
        let empty = Pixels::transparent();
        write(&self.failure(&uri), &encode(&empty, &uri, version, (REASON, why))?)
    }

    fn place(&self, uri: &str) -> PathBuf {
        self.folder.join(self.subfolder).join(name(uri))
    }

    fn failure(&self, uri: &str) -> PathBuf {
        let program = concat!("pchr-view-", env!("CARGO_PKG_VERSION"));
        self.folder.join("fail").join(program).join(name(uri))
    }
}

/// Returns the URI of a file, as GLib writes it.
fn uri(file: &Path) -> String {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    format!("file://{}", percent_encode(path.as_os_str().as_encoded_bytes(), ESCAPED))
}

fn name(uri: &str) -> String {
    let digits: String = Md5::digest(uri).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}.png")
}

/// Returns the texts by which a thumbnail is of a version of a file, with their names.
fn texts_of(uri: &str, version: FileVersion) -> [(&'static str, String); 3] {
    [
        ("Thumb::URI", uri.to_owned()),
        ("Thumb::MTime", version.secs.to_string()),
        ("Thumb::Size", version.bytes.to_string()),
    ]
}

/// Texts of a PNG, by their keywords.
type Texts = BTreeMap<String, String>;

/// Reads a thumbnail, if it is of this version of the file.
fn read(path: &Path, uri: &str, version: FileVersion) -> Option<(Texts, Pixels)> {
    if fs::metadata(path).ok()?.len() > MOST {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let plain = info.uncompressed_latin1_text.iter();
    let plain = plain.map(|text| (text.keyword.clone(), text.text.clone()));
    let wide = info.utf8_text.iter();
    let wide = wide.filter_map(|text| Some((text.keyword.clone(), text.get_text().ok()?)));
    let texts: Texts = plain.chain(wide).collect();
    let mut wanted = texts_of(uri, version).into_iter();
    let is_current = wanted.all(|(keyword, text)| texts.get(keyword) == Some(&text));
    let is_plain = info.color_type == ColorType::Rgba && info.bit_depth == BitDepth::Eight;
    let (width, height) = (info.width, info.height);
    if !is_current || !is_plain {
        return None;
    }
    let mut rgba = vec![0; reader.output_buffer_size().filter(|size| *size as u64 <= MOST)?];
    reader.next_frame(&mut rgba).ok()?;
    Some((texts, Pixels { width, height, rgba }))
}

/// Encodes a thumbnail with its texts.
fn encode(
    pixels: &Pixels,
    uri: &str,
    version: FileVersion,
    (keyword, text): (&str, &str),
) -> io::Result<Vec<u8>> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, pixels.width, pixels.height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let software = ("Software", format!("pchr-view {}", env!("CARGO_PKG_VERSION")));
    for (keyword, text) in texts_of(uri, version).into_iter().chain([software]) {
        encoder.add_text_chunk(keyword.to_owned(), text)?;
    }
    encoder.add_itxt_chunk(keyword.to_owned(), text.to_owned())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels.rgba)?;
    writer.finish()?;
    Ok(png)
}

/// Writes a thumbnail as a whole, readable by its user alone.
fn write(path: &Path, png: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(folder)?;
    }
    let mut file = tempfile::NamedTempFile::new_in(folder)?; // with permission 0600
    file.write_all(png)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Builder, WHITE, at};

    #[test]
    fn colours_count_by_their_alpha() {
        let rgba = [[200, 0, 100, 255], [0, 250, 0, 0], [100, 0, 200, 255], [9, 9, 9, 0]].concat();
        let pixels = Pixels { width: 2, height: 2, rgba };
        assert_eq!(smaller(pixels.clone(), 1), pixels);
        assert_eq!(smaller(pixels, 2).rgba, [150, 0, 150, 128]);
    }

    #[test]
    fn a_file_is_drawn_whole_and_plays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hat.pchr");
        let frames: Vec<_> = (0..4_u8).map(|frame| [at(f32::from(frame) * 40.0, 0.0)]).collect();
        let hat = Builder::new().image(1, &[WHITE]).bones(1);
        let hat = hat.quad("hat", 0, 0, [0.0, 0.0], [40.0, 40.0]).animation("walk", false, &frames);
        std::fs::write(&file, hat.bytes()).unwrap();
        let figure = Figure::open(Openers::ALL, &file, 64).unwrap();
        assert_eq!(figure.facts.bones, 1);
        // The square goes from the left to the right.
        let filled = |pixels: &Pixels| {
            assert_eq!([pixels.width, pixels.height], [64; 2]);
            let middle = pixels.rgba.as_chunks::<4>().0.chunks(64).nth(32).unwrap();
            [8, 56].map(|x| middle[x][3])
        };
        assert_eq!(filled(&figure.thumbnail().unwrap().pixels), [255, 0]);
        let end = 3.0 / figure.rate().unwrap();
        assert_eq!(filled(&figure.at(end).unwrap()), [0, 255]);
        assert_eq!(filled(&figure.at(end * 4.0 / 3.0).unwrap()), [255, 0], "over and over");
        // Of a session, the file is drawn with its parts, but without its camera.
        let session = folder.path().join("view.pchr-view.toml");
        let text = "file = \"hat.pchr\"\nframe = 3\ncenter = \"900,900\"\nzoom = 9\n";
        std::fs::write(&session, text).unwrap();
        let figure = Figure::open(Openers::ALL, &session, 64).unwrap();
        assert_eq!(filled(&figure.thumbnail().unwrap().pixels), [0, 255]);
    }

    fn thumbnail(side: u32) -> Thumbnail {
        let rgba = [10, 20, 30, 40].repeat((side * side) as usize);
        let facts = Facts { kind: "Characters".into(), bones: 3, warnings: 1 };
        Thumbnail { pixels: Pixels { width: side, height: side, rgba }, facts }
    }

    #[test]
    fn names_are_those_of_the_standard() {
        // The example of the standard.
        assert_eq!(uri(Path::new("/home/jens/photos/me.png")), "file:///home/jens/photos/me.png");
        assert_eq!(name("file:///home/jens/photos/me.png"), "c6ee772d9e49320e97ec29a7eb5b1697.png");
        let strange = "/a b/100%/line\nbreak/é;#?[]{}|^`\"<>\\&=:@+$,!~*'().pchr";
        let wanted = "file:///a%20b/100%25/line%0Abreak/%C3%A9%3B%23%3F%5B%5D%7B%7D%7C%5E%60%22%3C%3E%5C&=:@+$,!~*'().pchr";
        assert_eq!(uri(Path::new(strange)), wanted);
    }

    #[test]
    fn a_thumbnail_is_kept_for_one_version_of_a_file_and_one_size() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ThumbnailCache::new(folder.path().join("deep/thumbnails"), 100);
        let (file, version) = (Path::new("/art/hero.pchr"), FileVersion { secs: 7, bytes: 8 });
        assert_eq!(cache.get(file, version), None);
        cache.put(file, version, &thumbnail(128)).unwrap();
        assert_eq!(cache.get(file, version), Some(Ok(thumbnail(128))));
        for other in [FileVersion { secs: 6, ..version }, FileVersion { bytes: 9, ..version }] {
            assert_eq!(cache.get(file, other), None);
        }
        assert_eq!(cache.get(Path::new("/art/villain.pchr"), version), None);
        let large = ThumbnailCache::new(folder.path().join("deep/thumbnails"), 129);
        assert_eq!((large.side, large.get(file, version)), (256, None));
        let normal = folder.path().join("deep/thumbnails/normal");
        let kept: Vec<_> = fs::read_dir(&normal).unwrap().map(|entry| entry.unwrap()).collect();
        assert_eq!(kept.len(), 1, "no temporary file is left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&kept[0].path()), mode(&normal)), (0o600, 0o700));
        }
        fs::write(kept[0].path(), b"no picture").unwrap();
        assert_eq!(cache.get(file, version), None);
    }

    #[test]
    fn a_thumbnail_of_another_program_is_drawn_again_and_a_reason_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ThumbnailCache::new(folder.path().to_owned(), 128);
        let (file, version) = (Path::new("/art/hero.pchr"), FileVersion::default());
        let uri = uri(file);
        let other = encode(&thumbnail(128).pixels, &uri, version, ("Author", "me")).unwrap();
        write(&cache.place(&uri), &other).unwrap();
        assert_eq!(cache.get(file, version), None);
        fs::remove_file(cache.place(&uri)).unwrap();
        cache.put_failure(file, version, "bones[1].parent: höchst falsch").unwrap();
        assert_eq!(cache.get(file, version), Some(Err("bones[1].parent: höchst falsch".into())));
        assert!(folder.path().join("fail").is_dir());
    }
}
