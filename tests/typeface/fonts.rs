//! Tests of font files, sound and damaged, and of the fonts of the machine.

use std::fs;
use std::path::PathBuf;

use pchr_view::typeface::{FontError, Fonts};
use skrifa::{FontRef, MetadataProvider as _, Tag};

use crate::support::{DEJAVU, DEVANAGARI, HAN, THAI, file};

fn refusal(path: PathBuf) -> String {
    let error = Fonts::from_files(std::slice::from_ref(&path)).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains(path.file_name().unwrap().to_str().unwrap()),
        "{text}"
    );
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
    refusal(write(
        "text.ttf",
        b"not a font, but long enough to be read as the head of one",
    ));
    let font = fs::read(file(DEJAVU)).unwrap();
    let text = refusal(write("half.ttf", &font[..font.len() / 2]));
    assert!(
        text.ends_with("damaged, or not a TrueType or OpenType font"),
        "{text}"
    );
    refusal(write("head.ttf", &font[..40]));
    let collection = fs::read(file(HAN)).unwrap();
    refusal(write("half.ttc", &collection[..collection.len() / 2]));
    refusal(PathBuf::from("/dev/zero"));
    let good = write("good.ttf", &font);
    let error = Fonts::from_files(&[good, folder.path().join("none")]).unwrap_err();
    assert!(matches!(error, FontError::Unreadable { .. }));
}

#[test]
fn damaged_fonts_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for font in [DEJAVU, DEVANAGARI, THAI] {
        let whole = fs::read(file(font)).unwrap();
        for round in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..[1, 20, 400][round % 3] {
                let near = if random(2) == 0 {
                    4096.min(bytes.len())
                } else {
                    bytes.len()
                };
                let at = random(near);
                bytes[at] = u8::try_from(random(256)).unwrap();
            }
            let path = folder.path().join("damaged.ttf");
            fs::write(&path, &bytes).unwrap();
            let Ok(mut fonts) = Fonts::from_files(&[path]) else {
                continue;
            };
            for text in ["Hxé_01", "ذراع", "हड्डी क्षि", "ที่", "q\u{30c}\u{301}"]
            {
                let line = fonts.line(text, 13);
                assert_eq!(
                    line.mask.len(),
                    usize::from(line.width) * usize::from(line.height)
                );
            }
        }
    }
}

#[test]
fn files_are_asked_in_their_order() {
    let [a, b] = [DEJAVU, HAN].map(file);
    let family = |files: [&PathBuf; 2]| {
        let mut fonts = Fonts::from_files(&files.map(Clone::clone)).unwrap();
        fonts.line("a", 13).families
    };
    assert_eq!(family([&a, &b]), ["DejaVu Sans"]);
    assert_eq!(family([&b, &a]), ["WenQuanYi Micro Hei"]);
}

#[test]
fn the_machine_has_fonts_and_chooses_the_same_ones_again() {
    let draw = || {
        let mut fonts = Fonts::system();
        ["bone_ذراع_01", "骨骼_们們", "हड्डी", "ボーン", "→★"].map(|text| fonts.line(text, 13))
    };
    let lines = draw();
    assert_eq!(lines, draw());
    assert!(
        lines
            .iter()
            .all(|line| line.missing.is_empty() && !line.families.is_empty())
    );
}

#[test]
fn fonts_go_to_other_threads() {
    let mut fonts = Fonts::from_files(&[file(DEJAVU)]).unwrap();
    let line = std::thread::spawn(move || fonts.line("a", 13))
        .join()
        .unwrap();
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
    assert_eq!(fonts.line("H", 13).missing, ['H']);
    assert_eq!(fonts.line("I", 13).missing, [] as [char; 0]);
}
