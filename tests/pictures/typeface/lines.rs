//! Tests of lines of text, as a reader sees them.

use pchr_tools::typeface::{Fonts, Line};
use unicode_normalization::UnicodeNormalization as _;

use crate::typeface::support::{THAI, all_fonts, columns, dejavu, file, hash, is_joined};

fn is_empty(line: &Line) -> bool {
    line.mask.iter().all(|byte| *byte == 0)
}

#[test]
fn capital_letters_match_the_bitmap_font() {
    let line = dejavu().line("H", 13).unwrap();
    assert_eq!([line.height, line.baseline, line.start], [13, 11, 0]);
    let mut rows = line.mask.chunks(usize::from(line.width));
    let ink: Vec<usize> =
        (0..13).filter(|_| rows.next().unwrap().iter().any(|byte| *byte > 0)).collect();
    assert_eq!(ink, [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(dejavu().line("H", 26).unwrap().baseline, 22);
}

#[test]
fn every_script_is_drawn_and_its_fonts_are_listed() {
    let mut fonts = all_fonts();
    for (text, families) in [
        ("upper_arm", &["DejaVu Sans"][..]),
        ("βραχίονας кость", &["DejaVu Sans"]),
        ("ذراع", &["DejaVu Sans"]),
        ("זרוע", &["DejaVu Sans"]),
        ("骨骼", &["WenQuanYi Micro Hei"]),
        ("ボーン", &["WenQuanYi Micro Hei"]),
        ("왼팔", &["WenQuanYi Micro Hei"]),
        ("हड्डी_1", &["Lohit Devanagari", "DejaVu Sans"]),
        ("กระดูก", &["Garuda"]),
    ] {
        let line = fonts.line(text, 13).unwrap();
        assert_eq!(line.families, families, "{text}");
        assert_eq!(line.missing, [] as [char; 0], "{text}");
        assert_eq!(line.mask.len(), usize::from(line.width) * usize::from(line.height));
        assert!(line.mask.iter().any(|byte| *byte > 160), "{text}");
    }
}

#[test]
fn arabic_letters_are_joined() {
    let mut fonts = dejavu();
    assert!(is_joined(&fonts.line("ببببب", 26).unwrap()));
    assert!(!is_joined(&fonts.line("ب\u{200c}ب", 26).unwrap()));
    assert!(!is_joined(&fonts.line("دد", 26).unwrap()), "this letter joins on one side");
    assert_ne!(fonts.line("بب", 13).unwrap().width, fonts.line("ب\u{200c}ب", 13).unwrap().width);
    let [together, apart] = ["لا", "ل\u{200c}ا"].map(|text| fonts.line(text, 13).unwrap().width);
    assert!(together < apart, "{together} {apart}");
}

#[test]
fn hebrew_runs_from_right_to_left_and_directions_are_mixed() {
    let mut fonts = dejavu();
    let [word, first, last] = ["אבג", "א", "ג"].map(|text| fonts.line(text, 13).unwrap());
    let width = usize::from(last.width) - 1;
    assert_eq!(columns(&word, 0..width), columns(&last, 0..width));
    assert_ne!(columns(&word, 0..width), columns(&first, 0..width));
    let line = fonts.line("bone_ذراع_01", 13).unwrap();
    let plain = fonts.line("bone_01", 13).unwrap();
    let width = usize::from(plain.width) - 1;
    assert_eq!(columns(&line, 0..width), columns(&plain, 0..width));
    let brackets = fonts.line("(א", 13).unwrap();
    let mirrored = fonts.line("א)", 13).unwrap();
    assert_ne!(brackets, mirrored);
}

#[test]
fn devanagari_forms_conjuncts() {
    let mut fonts = all_fonts();
    let width = |fonts: &mut Fonts, text: &str| fonts.line(text, 26).unwrap().width;
    let apart = width(&mut fonts, "क") + width(&mut fonts, "ष");
    assert!(width(&mut fonts, "क्ष") < apart);
    assert!(is_joined(&fonts.line("हड्डी", 26).unwrap()), "joined by the line at the top");
    // The vowel is written before the consonant.
    let [syllable, vowel] = ["कि", "क"].map(|text| fonts.line(text, 26).unwrap());
    assert_ne!(columns(&syllable, 0..6), columns(&vowel, 0..6));
}

#[test]
fn marks_take_no_room() {
    let mut fonts = all_fonts();
    assert_eq!(fonts.line("e\u{301}", 13).unwrap(), fonts.line("é", 13).unwrap());
    assert_eq!(fonts.line("q\u{30c}", 13).unwrap().width, fonts.line("q", 13).unwrap().width);
    assert_eq!(fonts.line("ทิ", 26).unwrap().width, fonts.line("ท", 26).unwrap().width);
    assert!(fonts.line("ที่", 26).unwrap().baseline > fonts.line("ท", 26).unwrap().baseline);
    assert_eq!(fonts.line("שָׁ", 13).unwrap().missing, [] as [char; 0]);
}

#[test]
fn what_no_font_has_and_control_characters_are_boxes_and_are_told() {
    let mut fonts = dejavu();
    let line = fonts.line("骨🦊骨\u{e000}", 13).unwrap();
    assert_eq!(line.missing, ['骨', '🦊', '\u{e000}']);
    assert_eq!([line.width, line.baseline], [24, 11]);
    assert_eq!(columns(&line, 0..6), columns(&line, 6..12));
    assert!(columns(&line, 0..6).concat().iter().all(|byte| [0, 255].contains(byte)));
    let controls = fonts.line("\0\t\n\u{85}\u{2029}", 13).unwrap();
    assert_eq!(controls.missing, ['\0', '\t', '\n', '\u{85}', '\u{2029}']);
    assert_eq!(controls.width, 5 * 6);
    let mut none = Fonts::from_files(&[]).unwrap();
    assert_eq!(none.line("ab", 13).unwrap().missing, ['a', 'b']);
    let mut thai = Fonts::from_files(&[file(THAI)]).unwrap();
    assert_eq!(thai.line("ชذ", 13).unwrap().missing, ['ذ']);
}

#[test]
fn invisible_characters_show_nothing() {
    let mut fonts = dejavu();
    for text in ["", "\u{202e}", "\u{2066}\u{2069}", "\u{200b}\u{200d}\u{feff}", "\u{fe0f}", " "] {
        let line = fonts.line(text, 13).unwrap();
        assert!(is_empty(&line) && line.missing.is_empty(), "{text:?}: {line:?}");
        assert_eq!([line.height, line.baseline], [13, 11]);
    }
    assert_eq!(fonts.line("", 13).unwrap().width, 0);
    assert_eq!(fonts.line("a\u{200b}b", 13).unwrap().mask, fonts.line("ab", 13).unwrap().mask);
}

#[test]
fn overrides_and_isolates_do_no_harm() {
    let mut fonts = dejavu();
    assert_eq!(fonts.line("\u{202e}gnp", 13).unwrap().mask, fonts.line("png", 13).unwrap().mask);
    for text in [
        "\u{202e}\u{202e}\u{2066}a\u{2069}\u{202c}\u{202c}\u{202c}b".to_owned(),
        "\u{2067}".repeat(300) + "a" + &"\u{2069}".repeat(400),
        "\u{202b}".repeat(62) + "a1א",
        "a".to_owned() + &"\u{202b}".repeat(63) + "b1",
        "a".to_owned() + &"\u{202b}".repeat(500) + "1bא",
        "א".to_owned() + &"\u{2067}\u{2066}".repeat(62) + "b1\u{2067}b1",
        "\u{202b}\u{202a}".repeat(200) + "אa1" + &"\u{202c}".repeat(7),
    ] {
        let line = fonts.line(&text, 13).unwrap();
        assert!(!is_empty(&line) && line.missing.is_empty(), "{text:?}");
    }
}

#[test]
fn size_is_bounded() {
    let mut fonts = all_fonts();
    let long = fonts.line(&"bone".repeat(100_000), 13).unwrap();
    assert!(long.width < 16_384 && long.width > 1024 * 6, "{}", long.width);
    assert_eq!(fonts.line(&"W".repeat(5000), 9999).unwrap().width, 16_384);
    assert_eq!(fonts.line("W", 0).unwrap(), fonts.line("W", 4).unwrap());
    let tower = fonts.line(&("e".to_owned() + &"\u{301}".repeat(5000)), 13).unwrap();
    assert!(tower.height <= 5 * 13, "{}", tower.height);
    assert!(fonts.line(&"\u{fdfd}".repeat(2000), 26).unwrap().width <= 16_384);
}

#[test]
fn bits_are_the_same_on_each_machine() {
    let mut fonts = dejavu();
    let hashes = ["upper_arm_L.001", "bone_ذراع_01", "זרוע_שמאל", "骨🦊"]
        .map(|text| hash(&fonts.line(text, 13).unwrap()));
    let wanted = ["c97eed1444254fd9", "26cca7bffcf5618e", "44b3ac06efff9f29", "84100219f7526607"];
    assert_eq!(hashes.map(|hash| format!("{hash:016x}")), wanted);
}

#[test]
fn any_text_is_drawn() {
    let mut fonts = all_fonts();
    let mut seed = 11_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let blocks = [
        0x0, 0x300, 0x590, 0x600, 0x900, 0xe00, 0x1100, 0x1f00, 0x2000, 0x3000, 0x4e00, 0xac00,
        0xfb00, 0xfe00, 0x1_f300, 0xe_0000,
    ];
    for _ in 0..1500 {
        let text: String = (0..random(40))
            .filter_map(|_| {
                char::from_u32(blocks[usize::try_from(random(16)).unwrap()] + random(0x100))
            })
            .collect();
        let text: String = text.nfc().collect();
        let line = fonts.line(&text, 13).unwrap();
        assert_eq!(line.mask.len(), usize::from(line.width) * usize::from(line.height), "{text:?}");
        assert!(line.baseline < line.height, "{text:?}");
        let is_known = |character: &char| text.contains(*character);
        assert!(line.missing.iter().all(is_known), "{text:?}: {:?}", line.missing);
    }
}
