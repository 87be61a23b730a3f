//! Tests of font files, sound and damaged, and of the fonts of the machine.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pchr_tools::typeface::{FontFault, Fonts};
use skrifa::{FontRef, MetadataProvider as _, Tag};

use crate::font::{composites, subroutines};
use crate::typeface::support::{DEJAVU, DEVANAGARI, HAN, THAI, file};

fn refusal(path: PathBuf) -> String {
    let text = Fonts::from_files(std::slice::from_ref(&path)).unwrap_err().to_string();
    assert!(text.contains(path.file_name().unwrap().to_str().unwrap()), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn what_is_no_font_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    refusal(folder.path().join("missing.ttf"));
    refusal(folder.path().to_owned());
    refusal(write("empty.ttf", b""));
    refusal(write("text.ttf", b"not a font, but long enough to be read as the head of one"));
    let font = fs::read(file(DEJAVU)).unwrap();
    let text = refusal(write("half.ttf", &font[..font.len() / 2]));
    assert!(text.ends_with("damaged, or not a TrueType or OpenType font"), "{text}");
    refusal(write("head.ttf", &font[..40]));
    let collection = fs::read(file(HAN)).unwrap();
    refusal(write("half.ttc", &collection[..collection.len() / 2]));
    refusal(PathBuf::from("/dev/zero"));
    let good = write("good.ttf", &font);
    let error = Fonts::from_files(&[good, folder.path().join("none")]).unwrap_err();
    assert!(matches!(error.fault, FontFault::Unreadable(_)));
}

#[test]
fn damaged_fonts_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for font in [DEJAVU, DEVANAGARI, THAI] {
        let whole = fs::read(file(font)).unwrap();
        for round in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..[1, 20, 400][round % 3] {
                let near = if random(2) == 0 { 4096.min(bytes.len()) } else { bytes.len() };
                bytes[random(near)] = u8::try_from(random(256)).unwrap();
            }
            let path = folder.path().join("damaged.ttf");
            fs::write(&path, &bytes).unwrap();
            let Ok(mut fonts) = Fonts::from_files(&[path]) else { continue };
            for text in ["Hxé_01", "ذراع", "हड्डी क्षि", "ที่", "q\u{30c}\u{301}"]
            {
                let Ok(line) = fonts.line(text, 13) else { continue };
                assert_eq!(line.mask.len(), usize::from(line.width) * usize::from(line.height));
            }
        }
    }
}

#[test]
fn files_are_asked_in_their_order() {
    let [a, b] = [DEJAVU, HAN].map(file);
    let family = |files: [&PathBuf; 2]| {
        let mut fonts = Fonts::from_files(&files.map(Clone::clone)).unwrap();
        fonts.line("a", 13).unwrap().families
    };
    assert_eq!(family([&a, &b]), ["DejaVu Sans"]);
    assert_eq!(family([&b, &a]), ["WenQuanYi Micro Hei"]);
}

#[test]
fn the_machine_has_fonts_and_chooses_the_same_ones_again() {
    let draw = || {
        let mut fonts = Fonts::system();
        ["bone_ذراع_01", "骨骼_们們", "हड्डी", "ボーン", "→★"]
            .map(|text| fonts.line(text, 13).unwrap())
    };
    let lines = draw();
    assert_eq!(lines, draw());
    assert!(lines.iter().all(|line| line.missing.is_empty() && !line.families.is_empty()));
}

#[test]
fn fonts_go_to_other_threads() {
    let mut fonts = Fonts::from_files(&[file(DEJAVU)]).unwrap();
    let line = std::thread::spawn(move || fonts.line("a", 13).unwrap()).join().unwrap();
    assert!(line.width > 0);
}

#[test]
fn a_padded_blank_glyph_is_blank() {
    let mut bytes = fs::read(file(DEJAVU)).unwrap();
    let font = FontRef::new(&bytes).unwrap();
    let glyph = font.charmap().map('H').unwrap();
    let [glyf, loca] = [b"glyf", b"loca"].map(|tag| {
        let tables = font.table_directory().table_records();
        let table = tables.iter().find(|table| table.tag() == Tag::new(tag));
        usize::try_from(table.unwrap().offset()).unwrap()
    });
    // Offsets have four bytes, since this font is large.
    let entry = loca + 4 * usize::try_from(glyph.to_u32()).unwrap();
    let offset = u32::from_be_bytes(bytes[entry..entry + 4].try_into().unwrap());
    let contours = glyf + usize::try_from(offset).unwrap();
    assert_eq!(bytes[contours..contours + 2], [0, 1], "one contour");
    bytes[contours + 1] = 0;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("padded.ttf");
    fs::write(&path, &bytes).unwrap();
    let mut fonts = Fonts::from_files(&[path]).unwrap();
    assert_eq!(fonts.line("H", 13).unwrap().missing, ['H']);
    assert_eq!(fonts.line("I", 13).unwrap().missing, [] as [char; 0]);
}

/// Number of pixels drawn in a small font, or the reason of its refusal.
fn drawn(bytes: &[u8], text: &str) -> Result<usize, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.ttf");
    fs::write(&path, bytes).unwrap();
    let line = Fonts::from_files(&[path]).and_then(|mut fonts| fonts.line(text, 13));
    let line =
        line.map_err(|error| error.to_string().split_once("small.ttf: ").unwrap().1.to_owned())?;
    assert_eq!(line.missing, [] as [char; 0]);
    Ok(line.mask.iter().filter(|byte| **byte > 0).count())
}

#[test]
fn glyphs_that_use_each_other_are_drawn_while_they_end() {
    // 9 x 9 pixels, in part at the right and the upper edge.
    let square = drawn(&composites(0, [5; 4]), "é").unwrap();
    assert!((81..=100).contains(&square), "{square}");
    assert_eq!(drawn(&composites(10, [5, 15, 5, 5]), "é"), Ok(square));
    assert_eq!(drawn(&subroutines(0, 0, [0; 4]), "é"), Ok(square));
    assert_eq!(drawn(&subroutines(8, 3, [0, 8, 0, 0]), "é"), Ok(square));
}

#[test]
fn a_glyph_that_would_never_end_is_refused_and_named() {
    let refused = |glyph: u32| {
        Err(format!(
            "drawing glyph {glyph} takes more than 524288 points and instructions; choose another font"
        ))
    };
    let started = Instant::now();
    for (bytes, glyph) in [
        // Two to the power of 30.
        (composites(30, [5, 35, 5, 5]), 2),
        // The glyph that the height of letters is measured with.
        (composites(30, [35, 5, 5, 5]), 1),
        // 25 to the power of 8.
        (subroutines(8, 25, [0, 8, 0, 0]), 2),
        (subroutines(8, 25, [8, 0, 0, 0]), 1),
    ] {
        assert!(bytes.len() < 2500, "{} bytes", bytes.len());
        assert_eq!(drawn(&bytes, "é"), refused(glyph));
        if glyph == 2 {
            assert!(drawn(&bytes, "骨").is_ok(), "other glyphs are drawn");
        }
    }
    // Each glyph ends, but a name of many would take long.
    let long = "é".repeat(1000);
    for bytes in [composites(12, [5, 17, 5, 5]), subroutines(8, 3, [0, 8, 0, 0])] {
        assert!(drawn(&bytes, "é").is_ok());
        let error = drawn(&bytes, &long).unwrap_err();
        assert!(error.starts_with("drawing "), "{error}");
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}
