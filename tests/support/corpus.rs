//! The corpus of characters and reference pictures outside the project, in the folder that `PCHR_CORPUS` names.
//!
//! Tests that use it are `#[cfg_attr(not(pchr_corpus), ignore = "needs the corpus: PCHR_CORPUS=DIR")]`: without it they show
//! as ignored. With it, a missing file is a failure.
#![allow(dead_code, reason = "each test file uses a part")]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use pchr::bytes::Budget;
use pchr::document::{AnimationId, Document, MeshId};
use pchr::finding::Findings;
use pchr::image::{Effort, Pixels, decode_all, decode_straight, encode_png};
use pchr::pose::{BindChoice, FrameAt};
use pchr::scene::{Camera2d, Filter, Frame, Picture, ViewOptions};
use pchr::{character, format};
use serde_json::Value;

/// Grey background of the reference pictures.
pub(crate) const GREY: [u8; 4] = [128, 128, 128, 255];

pub(crate) fn root() -> PathBuf {
    let root = PathBuf::from(env::var_os("PCHR_CORPUS").expect("PCHR_CORPUS names the corpus"));
    assert!(root.join("index.json").is_file(), "no index.json in {}", root.display());
    root
}

/// Folder of the corpus with an index, and its index.
pub(crate) fn indexed(folder: &str) -> (PathBuf, Value) {
    let folder = root().join(folder);
    let index = json(&folder.join("index.json"));
    (folder, index)
}

/// File of a folder with an index, and what the index says of it.
pub(crate) struct Case {
    pub(crate) file: String,
    pub(crate) expect: String,
    pub(crate) expected: Option<Value>,
    pub(crate) phaser: Option<Value>,
    pub(crate) bytes: Vec<u8>,
}

/// All cases of a folder, which are at least this many.
pub(crate) fn cases(folder: &str, at_least: usize) -> Vec<Case> {
    let (root, index) = indexed(folder);
    let side = |path: &Value| path.as_str().map(|path| json(&root.join(path)));
    let case = |entry: &Value| Case {
        file: text(&entry["file"]).to_owned(),
        expect: text(&entry["expect"]).to_owned(),
        expected: side(&entry["expected"]),
        phaser: side(&entry["phaser_result"]),
        bytes: fs::read(root.join(text(&entry["file"]))).expect("a file"),
    };
    let cases: Vec<Case> = index["files"].as_array().expect("files").iter().map(case).collect();
    assert!(cases.len() >= at_least, "{} cases", cases.len());
    cases
}

/// Files of a character of the corpus.
#[derive(Clone, Debug)]
pub(crate) struct Character {
    pub(crate) id: String,
    pub(crate) folder: PathBuf,
    pub(crate) pchr: PathBuf,
    pub(crate) oracle: PathBuf,
}

/// All characters in the order of the index.
pub(crate) fn characters() -> Vec<Character> {
    let root = root();
    let index = json(&root.join("index.json"));
    let list = index["characters"].as_array().expect("characters");
    let characters = list.iter().map(|entry| {
        let folder = root.join(text(&entry["dir"]));
        Character {
            id: text(&entry["id"]).to_owned(),
            pchr: folder.join(text(&entry["files"]["pchr"])),
            oracle: root.join(text(&entry["oracle"])),
            folder,
        }
    });
    let characters: Vec<_> = characters.collect();
    assert!(!characters.is_empty(), "the corpus has no characters");
    characters
}

/// Reads a character of any format, compressed or not.
pub(crate) fn read_document(path: &Path) -> Document {
    let mut bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).expect("gzip");
        bytes = plain;
    }
    format::read(bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) character: character::Character,
    /// Premultiplied images, by image id.
    pub(crate) images: Vec<Pixels>,
}

impl Loaded {
    pub(crate) fn read(path: &Path) -> Self {
        let document = read_document(path);
        let mut findings = Findings::default();
        let images = decode_all(&document, &mut findings);
        assert!(findings.first_error().is_none(), "{findings:?}");
        Self { character: character::Character::new(document, BindChoice::Auto), images }
    }

    /// Poses a frame and builds its draw list.
    pub(crate) fn pose(&self, at: FrameAt) -> Frame {
        Frame::new(&self.character, Some(at), &ViewOptions::default())
    }
}

#[derive(Clone, Debug)]
pub(crate) struct OracleFrame {
    pub(crate) animation: AnimationId,
    pub(crate) frame: u16,
    /// Screen pixels per world pixel.
    pub(crate) scale: f64,
    pub(crate) size: [u32; 2],
    pub(crate) camera: Camera2d,
    /// Reference picture on [`GREY`].
    pub(crate) png: PathBuf,
    /// Reference picture on a transparent background, if there is one.
    pub(crate) png_alpha: Option<PathBuf>,
    /// Draws from back to front.
    pub(crate) draws: Vec<OracleDraw>,
}

/// A mesh as the reference runtime drew it.
#[derive(Clone, Debug)]
pub(crate) struct OracleDraw {
    pub(crate) mesh: MeshId,
    /// World position of each vertex.
    pub(crate) points: Vec<[f64; 2]>,
}

impl OracleFrame {
    pub(crate) fn at(&self) -> FrameAt {
        FrameAt::exact(self.animation, self.frame)
    }

    /// Picture to draw: linear filter, no mipmaps.
    pub(crate) fn picture(&self, clear: [u8; 4]) -> Picture {
        Picture {
            size: self.size,
            camera: self.camera,
            filter: Filter::Linear,
            mipmaps: false,
            clear,
        }
    }

    /// Number of pixels that may differ by more than 8, for a reference picture that covers `covered` pixels.
    pub(crate) fn pass_mark(&self, covered: usize) -> usize {
        if self.scale >= 1.0 { (covered / 500).max(60) } else { (covered / 100).max(100) }
    }
}

pub(crate) fn oracle(character: &Character) -> Vec<OracleFrame> {
    let folder = character.oracle.parent().expect("folder");
    let oracle = json(&character.oracle);
    let frames = oracle["frames"].as_array().expect("frames");
    assert!(!frames.is_empty(), "{} has no frames", character.id);
    frames.iter().map(|f| oracle_frame(f, folder)).collect()
}

fn oracle_frame(frame: &Value, folder: &Path) -> OracleFrame {
    let camera = &frame["camera"];
    let number = |name: &str| camera[name].as_f64().expect("a number");
    let (width, height, scale) = (number("width"), number("height"), number("scale"));
    let draws = frame["draw"].as_array().expect("draw").iter();
    let draws = draws.map(|draw| {
        let xy = draw["xy"].as_array().expect("xy");
        let xy: Vec<f64> = xy.iter().filter_map(Value::as_f64).collect();
        OracleDraw { mesh: MeshId(whole(&draw["meshIndex"])), points: xy.as_chunks().0.to_vec() }
    });
    OracleFrame {
        animation: AnimationId(whole(&frame["animationIndex"])),
        frame: whole(&frame["frame"]),
        scale,
        size: [width as u32, height as u32],
        camera: Camera2d {
            center: [
                (width / 2.0 - number("originX")) / scale,
                (number("originY") - height / 2.0) / scale,
            ],
            zoom: scale,
            ..Camera2d::default()
        },
        png: folder.join(text(&frame["png"])),
        png_alpha: frame["pngAlpha"].as_str().map(|name| folder.join(name)),
        draws: draws.collect(),
    }
}

/// Reads a PNG as straight-alpha RGBA.
pub(crate) fn read_png(path: &Path) -> Pixels {
    let file = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    decode_straight(&file, &Budget::default()).expect("png")
}

/// Writes a PNG for people to look at.
pub(crate) fn write_png(path: &Path, pixels: &Pixels) {
    let mut png = Vec::new();
    encode_png(pixels, Effort::Least, &mut png).expect("pixels");
    fs::write(path, png).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

pub(crate) fn alpha(picture: &Pixels) -> Pixels {
    let rgba = pixels(picture).flat_map(|[.., a]| [*a, *a, *a, 255]).collect();
    Pixels { rgba, ..*picture }
}

/// Differences between two pictures; a pixel counts with its largest channel difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) over_1: usize,
    pub(crate) over_8: usize,
    pub(crate) over_32: usize,
    pub(crate) worst: u8,
    pub(crate) pixels: usize,
}

pub(crate) fn compare(a: &Pixels, b: &Pixels) -> Difference {
    assert_eq!((a.width, a.height), (b.width, b.height), "sizes");
    let mut difference = Difference::default();
    for (a, b) in pixels(a).zip(pixels(b)) {
        let off = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
        let off = off.unwrap_or(0);
        difference.over_1 += usize::from(off > 1);
        difference.over_8 += usize::from(off > 8);
        difference.over_32 += usize::from(off > 32);
        difference.worst = difference.worst.max(off);
        difference.pixels += 1;
    }
    difference
}

/// Number of pixels that are not the background.
pub(crate) fn covered(picture: &Pixels, background: [u8; 4]) -> usize {
    pixels(picture).filter(|p| **p != background).count()
}

/// Differences of two pictures times eight, on black.
pub(crate) fn difference_picture(a: &Pixels, b: &Pixels) -> Pixels {
    let off = |(a, b): (&[u8; 4], &[u8; 4])| {
        let [mut off, _] = [[0, 0, 0, 255_u8]; 2];
        for ((off, a), b) in off.iter_mut().zip(a).zip(b).take(3) {
            *off = a.abs_diff(*b).saturating_mul(8);
        }
        off
    };
    Pixels {
        width: a.width,
        height: a.height,
        rgba: pixels(a).zip(pixels(b)).flat_map(off).collect(),
    }
}

fn pixels(picture: &Pixels) -> impl Iterator<Item = &[u8; 4]> {
    picture.rgba.as_chunks().0.iter()
}

pub(crate) fn json(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn whole(value: &Value) -> u16 {
    value.as_u64().expect("a whole number").try_into().expect("16 bits")
}
